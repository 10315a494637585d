/* SPDX-License-Identifier: GPL-2.0-only */
/* The controller's half of the disk: queue, commands, buffer; and the passing of time. */
#include "sim/model_disk.h"

#include <errno.h>
#include <stddef.h>

#include "sim/model_arm.h"

static void queue_init(struct model_queue *q)
{
	q->first = NULL;
	q->last = &q->first;
}

static void queue_push(struct model_queue *q, struct model_request *r)
{
	r->next = NULL;
	*q->last = r;
	q->last = &r->next;
}

/* Take *link, an element of q, out. */
static struct model_request *queue_take(struct model_queue *q, struct model_request **link)
{
	struct model_request *r = *link;

	*link = r->next;
	if (!*link)
		q->last = link;
	return r;
}

void model_disk_init(struct model_disk *d, const struct model_params *p, int64_t size,
		     uint64_t seed)
{
	*d = (struct model_disk){ .params = *p, .random = seed };
	model_geometry_init(&d->geometry, p, size);
	model_cache_init(&d->cache, p->write_cache);
	queue_init(&d->waiting);
	queue_init(&d->finished);
	model_arm_init(d);
}

int model_disk_add_fault(struct model_disk *d, const struct model_fault *fault)
{
	if (d->n_faults == MODEL_FAULTS_MAX)
		return -ENOSPC;
	d->faults[d->n_faults++] = *fault;
	return 0;
}

static bool moves_data(const struct model_request *r)
{
	return r->op == MODEL_READ || r->op == MODEL_WRITE;
}

static bool cacheable(const struct model_disk *d, const struct model_request *r)
{
	return r->op == MODEL_WRITE && !r->fua && r->length <= d->cache.size;
}

static int64_t overhead(const struct model_disk *d, const struct model_request *r)
{
	return r->op == MODEL_READ ? d->params.overhead : d->params.overhead_write;
}

static int64_t crossing(const struct model_disk *d, const struct model_request *r)
{
	if (!d->params.interface || !moves_data(r))
		return 0;
	return model_transfer(r->length, d->params.interface);
}

/* What decides who is nearest: the time before the first byte moves. */
static int64_t reach(const struct model_disk *d, const struct model_request *r, int64_t t)
{
	int64_t end = r->offset + r->length;

	if (!moves_data(r) || cacheable(d, r))
		return 0;
	if (r->op == MODEL_READ && (model_cache_holds(&d->cache, r->offset, end) ||
				    model_ahead_covers(d, r->offset, end)))
		return 0;
	return model_arm_reach(d, r->offset, t + overhead(d, r));
}

static struct model_request *choose(struct model_disk *d, int64_t t)
{
	struct model_request **best = &d->waiting.first, **link = best;
	int64_t least = INT64_MAX;

	if (d->params.queue_order == MODEL_FIFO || d->params.queue_depth == 1 ||
	    (*best)->passed_over >= 2 * d->params.queue_depth)
		return queue_take(&d->waiting, best);
	for (int64_t i = 0; *link && i < d->params.queue_depth; i++, link = &(*link)->next) {
		int64_t ns;

		if ((*link)->op == MODEL_FLUSH && i > 0)
			break;
		ns = reach(d, *link, t);
		if (ns < least) {
			least = ns;
			best = link;
		}
		if ((*link)->op == MODEL_FLUSH)
			break;
	}
	if (best != &d->waiting.first)
		d->waiting.first->passed_over++;
	return queue_take(&d->waiting, best);
}

/* The active command is done from the buffer at 'done', if nothing stretches it. */
static void finish_at(struct model_disk *d, int64_t t, int64_t done)
{
	d->stage = MODEL_BUFFER;
	d->active->done = model_stretch(d, t, done, moves_data(d->active) ? d->active->length : 0);
}

static void start_read(struct model_disk *d, int64_t t)
{
	struct model_request *r = d->active;
	int64_t end = r->offset + r->length, there;

	if (model_cache_holds(&d->cache, r->offset, end)) {
		finish_at(d, t, d->ready + crossing(d, r));
	} else if (model_ahead_hit(d, r->offset, end, t, &there)) {
		if (there < d->ready + crossing(d, r))
			there = d->ready + crossing(d, r);
		finish_at(d, t, there);
	} else {
		d->stage = MODEL_ARM;
	}
}

static bool fails(const struct model_disk *d, int64_t t)
{
	for (int i = 0; i < d->n_faults; i++)
		if (d->faults[i].kind == MODEL_ERROR && t >= d->faults[i].at &&
		    t - d->faults[i].at < d->faults[i].length)
			return true;
	return false;
}

static void start(struct model_disk *d, struct model_request *r, int64_t t)
{
	d->active = r;
	d->ready = t + overhead(d, r);
	r->started = t;
	r->failed = fails(d, t);
	switch (r->op) {
	case MODEL_READ:
		start_read(d, t);
		break;
	case MODEL_WRITE:
		model_ahead_forget(d, r->offset, r->offset + r->length);
		d->stage = cacheable(d, r) ? MODEL_ROOM : MODEL_ARM;
		break;
	case MODEL_FLUSH:
		d->stage = MODEL_DRAIN;
		break;
	case MODEL_DISCARD:
		model_ahead_forget(d, r->offset, r->offset + r->length);
		finish_at(d, t, d->ready + d->params.discard);
		break;
	}
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Let the active command go on if what it waits for is there at t. */
static void proceed(struct model_disk *d, int64_t t)
{
	struct model_request *r = d->active;

	switch (d->stage) {
	case MODEL_ARM:
		if (d->arm != MODEL_ARM_FREE)
			break;
		d->stage = MODEL_MEDIA;
		r->done = model_arm_host(d, r, later(t, d->ready), d->ready + crossing(d, r));
		break;
	case MODEL_ROOM:
		if (model_cache_has_room(&d->cache, r->length))
			finish_at(d, t, later(t, d->ready) + crossing(d, r));
		break;
	case MODEL_DRAIN:
		if (!d->cache.dirty && d->arm == MODEL_ARM_FREE)
			finish_at(d, t, later(t, d->ready) + d->params.flush);
		break;
	case MODEL_IDLE:
	case MODEL_BUFFER:
	case MODEL_MEDIA:
		break;
	}
}

/* Give both halves whatever work there is for them at t. */
static void dispatch(struct model_disk *d, int64_t t)
{
	if (model_stopped_until(d, t) > t)
		return;
	if (d->stage == MODEL_IDLE && d->waiting.first)
		start(d, choose(d, t), t);
	proceed(d, t);
	if (d->arm == MODEL_ARM_FREE && d->stage != MODEL_ARM)
		model_arm_clean(d, t);
}

static void complete(struct model_disk *d)
{
	struct model_request *r = d->active;

	if (d->stage == MODEL_BUFFER && r->op == MODEL_WRITE && !r->failed)
		model_cache_add(&d->cache, r->offset, r->offset + r->length);
	d->active = NULL;
	d->stage = MODEL_IDLE;
	queue_push(&d->finished, r);
}

static bool has_moment(const struct model_disk *d)
{
	return d->stage == MODEL_BUFFER || d->stage == MODEL_MEDIA;
}

/* When the state changes next by itself. */
static int64_t next_event(const struct model_disk *d, int64_t now)
{
	int64_t t = MODEL_NEVER, stopped = model_stopped_until(d, now);

	if (d->arm != MODEL_ARM_FREE)
		t = d->arm_until;
	if (has_moment(d) && d->active->done < t)
		t = d->active->done;
	if (stopped > now && stopped < t)
		t = stopped;
	return t;
}

static void advance(struct model_disk *d, int64_t now)
{
	for (;;) {
		int64_t t = next_event(d, d->now);

		if (t > now)
			break;
		d->now = t;
		if (d->arm != MODEL_ARM_FREE && d->arm_until <= t)
			model_arm_done(d);
		if (has_moment(d) && d->active->done <= t)
			complete(d);
		dispatch(d, t);
	}
	d->now = now;
}

void model_disk_submit(struct model_disk *d, struct model_request *r, int64_t now)
{
	advance(d, now);
	r->issued = now;
	r->passed_over = 0;
	queue_push(&d->waiting, r);
	dispatch(d, now);
}

struct model_request *model_disk_finished(struct model_disk *d, int64_t now)
{
	advance(d, now);
	if (!d->finished.first)
		return NULL;
	return queue_take(&d->finished, &d->finished.first);
}

int64_t model_disk_next(const struct model_disk *d)
{
	if (d->finished.first)
		return d->now;
	if (has_moment(d))
		return d->active->done;
	if (!d->active && !d->waiting.first)
		return MODEL_NEVER;
	return next_event(d, d->now);
}

void model_disk_hurry(struct model_disk *d, int64_t now)
{
	advance(d, now);
	if (d->active) {
		d->active->done = now;
		queue_push(&d->finished, d->active);
	}
	while (d->waiting.first) {
		struct model_request *r = queue_take(&d->waiting, &d->waiting.first);

		r->started = r->done = now;
		queue_push(&d->finished, r);
	}
	d->active = NULL;
	d->stage = MODEL_IDLE;
	model_cache_clear(&d->cache);
	model_arm_init(d);
}
