/* SPDX-License-Identifier: GPL-2.0-only */
/* Arm, media, read-ahead, faults and stalls of the disk. */
#include "sim/model_arm.h"

#include "sim/model_disk.h"

/* splitmix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t draw(struct model_disk *d)
{
	uint64_t z = d->random += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* Evenly between half of stall_every and one and a half. */
static void draw_stall(struct model_disk *d)
{
	int64_t every = d->params.stall_every;

	if (every)
		d->until_stall += every / 2 + (int64_t)(draw(d) % (uint64_t)every);
}

void model_arm_init(struct model_disk *d)
{
	d->arm = MODEL_ARM_FREE;
	d->ahead = (struct model_ahead){ .valid = false };
	if (!d->until_stall)
		draw_stall(d);
}

int64_t model_stopped_until(const struct model_disk *d, int64_t t)
{
	for (int i = 0; i < d->n_faults; i++) {
		const struct model_fault *f = &d->faults[i];

		if (f->kind == MODEL_STOP && t >= f->at && t - f->at < f->length)
			return f->at + f->length;
	}
	return t;
}

int64_t model_stretch(const struct model_disk *d, int64_t t, int64_t end, int64_t length)
{
	for (int i = 0; i < d->n_faults; i++) {
		const struct model_fault *f = &d->faults[i];

		if (f->kind == MODEL_SLOW && t >= f->at && t - f->at < f->length &&
		    end - t < model_transfer(length, f->rate))
			end = t + model_transfer(length, f->rate);
	}
	for (int i = 0; i < d->n_faults; i++) {
		const struct model_fault *f = &d->faults[i];

		if (f->kind != MODEL_STOP || f->at > end || t - f->at >= f->length)
			continue;
		end += f->at < t ? f->at + f->length - t : f->length;
	}
	return end;
}

/* Where the head is at t: a running read-ahead moves it. */
static int64_t head_at(const struct model_disk *d, int64_t t)
{
	const struct model_ahead *a = &d->ahead;
	int64_t at;

	if (!a->running)
		return d->head;
	at = model_offset(&d->geometry,
			  model_pass(&d->geometry, a->base) + (t > a->since ? t - a->since : 0));
	return at < a->limit ? at : a->limit;
}

int64_t model_arm_reach(const struct model_disk *d, int64_t offset, int64_t t)
{
	int64_t seek = model_seek(&d->geometry, head_at(d, t), offset);

	return seek + model_rotation(&d->geometry, offset, t + seek);
}

/* Somebody else takes the arm at t: the buffer ends where the head was. */
static void interrupt_ahead(struct model_disk *d, int64_t t)
{
	if (!d->ahead.running)
		return;
	d->head = d->ahead.limit = head_at(d, t);
	d->ahead.running = false;
}

/* Writing from t on, all passes; the head stands after 'end' then. */
static int64_t write_media(struct model_disk *d, int64_t start, int64_t end, int64_t t)
{
	const struct model_geometry *g = &d->geometry;
	int64_t begin = t, pass;

	interrupt_ahead(d, t);
	if (d->params.rate_write == d->params.rate)
		pass = model_pass(g, end) - model_pass(g, start);
	else
		pass = model_transfer(end - start, d->params.rate_write);
	t += model_arm_reach(d, start, t) + pass;
	if (d->params.write_verify)
		t += model_rotation(g, start, t) + pass;
	d->head = end;
	if (d->params.stall_every) {
		d->until_stall -= t - begin;
		if (d->until_stall <= 0) {
			t += d->params.stall_for;
			d->until_stall = 0;
			draw_stall(d);
		}
	}
	return t;
}

static int64_t read_media(struct model_disk *d, int64_t start, int64_t end, int64_t t)
{
	const struct model_geometry *g = &d->geometry;
	struct model_ahead *a = &d->ahead;

	if (a->running && start >= a->begin && start <= a->limit) {
		/* a stream: the head goes on, or has to catch the place where it stopped */
		start = a->limit;
		if (head_at(d, t) < a->limit) {
			d->head = end;
			return a->since + model_pass(g, end) - model_pass(g, a->base);
		}
	} else {
		a->valid = false;
	}
	interrupt_ahead(d, t);
	t += model_arm_reach(d, start, t) + model_pass(g, end) - model_pass(g, start);
	d->head = end;
	return t;
}

/* The arm read start..end until t and goes on behind it. */
static void begin_ahead(struct model_disk *d, int64_t start, int64_t end, int64_t t)
{
	struct model_ahead *a = &d->ahead;
	int64_t begin = a->valid ? a->begin : start;

	if (!d->params.read_ahead)
		return;
	if (begin < end - d->params.read_ahead)
		begin = start < end - d->params.read_ahead ? end - d->params.read_ahead : start;
	*a = (struct model_ahead){ .valid = true, .running = true, .begin = begin, .base = end,
				   .limit = end + d->params.read_ahead, .since = t };
}

int64_t model_arm_host(struct model_disk *d, const struct model_request *r, int64_t t,
		       int64_t crossed)
{
	int64_t end = r->offset + r->length, media, done;

	media = r->op == MODEL_READ ? read_media(d, r->offset, end, t)
				    : write_media(d, r->offset, end, t);
	done = model_stretch(d, t, media > crossed ? media : crossed, r->length);
	d->arm = MODEL_ARM_HOST;
	d->arm_until = done;
	if (r->op == MODEL_READ)
		begin_ahead(d, r->offset, end, media);
	return done;
}

void model_arm_clean(struct model_disk *d, int64_t t)
{
	struct model_extent *p = &d->piece;

	if (!model_cache_next(&d->cache, head_at(d, t), p))
		return;
	d->arm = MODEL_ARM_CLEAN;
	d->arm_until = model_stretch(d, t, write_media(d, p->start, p->end, t), p->end - p->start);
}

void model_arm_done(struct model_disk *d)
{
	if (d->arm == MODEL_ARM_CLEAN)
		model_cache_clean(&d->cache, &d->piece);
	d->arm = MODEL_ARM_FREE;
}

bool model_ahead_covers(const struct model_disk *d, int64_t start, int64_t end)
{
	return d->ahead.valid && start >= d->ahead.begin && end <= d->ahead.limit;
}

bool model_ahead_hit(struct model_disk *d, int64_t start, int64_t end, int64_t t, int64_t *there)
{
	struct model_ahead *a = &d->ahead;
	const struct model_geometry *g = &d->geometry;

	if (!model_ahead_covers(d, start, end))
		return false;
	*there = t;
	if (end > a->base) {
		int64_t in = a->since + model_pass(g, end) - model_pass(g, a->base);

		if (in > t)
			*there = in;
	}
	if (!a->running)
		return true;
	if (head_at(d, t) == a->limit) {
		/* it had stopped, and catches its place on the next turn */
		int64_t at = a->limit;

		a->since = t + model_rotation(g, at, t);
		a->base = at;
	}
	a->limit = end + d->params.read_ahead;
	if (a->begin < end - d->params.read_ahead)
		a->begin = start < end - d->params.read_ahead ? start : end - d->params.read_ahead;
	return true;
}

void model_ahead_forget(struct model_disk *d, int64_t start, int64_t end)
{
	struct model_ahead *a = &d->ahead;

	if (a->valid && start < a->limit && end > a->begin) {
		interrupt_ahead(d, d->now);
		a->valid = false;
	}
}
