/* SPDX-License-Identifier: GPL-2.0-only */
/* Which boot runs when: workers in slots, one poll loop, boots kept in order. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/sig.h"
#include "case/case.h"
#include "run/affinity.h"
#include "run/folder.h"
#include "run/options.h"
#include "run/progress.h"
#include "run/schedule.h"
#include "run/steady.h"
#include "run/suite.h"
#include "run/worker.h"

/* A worker that was asked to stop ends QEMU (10 s at most) and writes its document. */
#define STOP_NS (20 * NS_PER_S)
#define TICK_MS 1000
#define WRITE_SHARE  20	/* of the time that writing the document may take, 1/20 */

struct slot {
	struct worker w;
	struct boot_task t;
	size_t index;		/* of its boot in the order of cases and seeds */
	char *dir;
};

struct running {
	const struct schedule *s;
	struct run *run;
	struct slot *slots;
	size_t n_slots, all;	/* all: cases times seeds */
	size_t next;		/* in the order of seeds and cases */
	size_t done, total;	/* of the boots that were missing */
	bool alive;		/* a boot got further than STAGE_BOOT */
	bool *have;		/* which boots are in run->boots, by index */
	struct boot *boots;	/* all, by index */
	struct boot *others;	/* of other cases or seeds: they stay as they are */
	size_t n_others;
	int64_t written, write_ns;	/* the document: when last, and how long that took */
	bool stale;			/* it lacks boots that have ended */
	bool stopping;
	struct deadline stop_by;
	struct err err;		/* the first that stopped the run */
	struct run_progress progress;
};

static void tell(struct running *r, const struct slot *slot, enum schedule_event event,
		 const struct boot *b)
{
	struct schedule_news n = {
		.event = event,
		.case_name = slot->t.c->name,
		.seed = slot->t.seed,
		.slot = (size_t)(slot - r->slots),
		.done = r->done,
		.total = r->total,
		.stage = slot->w.stage,
		.guest_ns = slot->w.guest_ns,
		.wall_ns = clock_ns() - slot->w.started,
		.simulated = r->s->o->clock == CLOCK_SIM,
		.full = slot->w.full,
		.boot = b,
	};
	struct err err = ERR_INIT;

	run_progress_note(&r->progress, &n);
	/* for people who watch: a run that cannot tell them is as good */
	(void)run_progress_write(&r->progress, r->s->run_dir, event != BOOT_NEWS, &err);

	if (r->s->news)
		r->s->news(&n);
}

/* Boots run all cases for seed 1, then for seed 2; they are kept case by case. */
static size_t index_of_next(const struct running *r)
{
	size_t n = r->s->suite->n;

	return r->next % n * (size_t)r->s->o->seeds + r->next / n;
}

static void prepare_next(struct running *r, struct slot *slot)
{
	const struct suite *suite = r->s->suite;
	size_t c = r->next % suite->n;
	uint32_t seed = (uint32_t)(r->next / suite->n) + 1;

	free(slot->dir);
	slot->dir = folder_boot_name(&suite->cases[c], seed);
	slot->index = index_of_next(r);
	slot->t = (struct boot_task){
		.o = r->s->o,
		.k = r->s->k,
		.c = &suite->cases[c],
		.expect_text = suite->expects[c].text,
		.seed = seed,
		.run_dir = r->s->run_dir,
		.dir = slot->dir,
		.cpu = r->s->o->clock == CLOCK_SIM
			       ? affinity_cpu((size_t)(slot - r->slots), r->n_slots) : -1,
		.news_fd = -1,
	};
	r->next++;
}

/* Why no more boots of the next one's case should be tried (steady.h), or NULL. */
static const char *give_up(const struct running *r, bool *voided)
{
	size_t seeds = (size_t)r->s->o->seeds, first = index_of_next(r) / seeds * seeds;

	return steady_give_up(r->boots + first, r->have + first, seeds, voided);
}

static void leave_out(struct running *r, struct slot *slot, const char *why, bool voided)
{
	struct boot *b;

	prepare_next(r, slot);
	b = &r->boots[slot->index];
	boot_init(b);
	boot_describe(b, &slot->t);
	free(b->reason);
	b->reason = xstrdup(why);
	b->controlled = b->control.voided = voided;
	r->have[slot->index] = true;
	r->done++;
}

/* Lend the finished boots to the run, in order. */
static void lend(struct running *r)
{
	struct run *run = r->run;

	run->n_boots = 0;
	for (size_t i = 0; i < r->n_others; i++)
		run->boots[run->n_boots++] = r->others[i];
	for (size_t i = 0; i < r->all; i++)
		if (r->have[i])
			run->boots[run->n_boots++] = r->boots[i];
}

/*
 * The document grows with the run, so that writing all of it after each boot would take more and
 * more of the time: until the end it takes a twentieth at most.
 */
static int write_document(struct running *r, bool at_once, struct err *err)
{
	int64_t began = clock_ns();
	int ret;

	lend(r);
	r->stale = !at_once && r->written && began - r->written < WRITE_SHARE * r->write_ns;
	if (r->stale)
		return 0;
	ret = folder_write(r->run, r->s->run_dir, err);
	r->written = clock_ns();
	r->write_ns = r->written - began;
	return ret;
}

/* The index of a boot that the run has, r->all if it is none of those that are asked for. */
static size_t find_index(const struct running *r, const struct boot *b)
{
	const struct suite *suite = r->s->suite;
	size_t seeds = (size_t)r->s->o->seeds;

	for (size_t c = 0; c < suite->n && b->seed >= 1 && b->seed <= seeds; c++) {
		size_t i = c * seeds + b->seed - 1;

		if (!strcmp(b->case_name, suite->cases[c].name) && !r->have[i])
			return i;
	}
	return r->all;
}

/* Sort what the run has into boots and others, and make room for the rest. */
static void take_what_is_there(struct running *r)
{
	struct boot *old = r->run->boots;
	size_t n = r->run->n_boots;

	r->others = xcalloc(n, sizeof(*r->others));
	r->total = r->all;
	for (size_t i = 0; i < n; i++) {
		size_t at = find_index(r, &old[i]);

		if (at == r->all) {
			r->others[r->n_others++] = old[i];
			continue;
		}
		r->boots[at] = old[i];
		r->have[at] = true;
		r->alive = r->alive || old[i].outcome != OUTCOME_BROKEN;
		r->total--;
	}
	free(old);
	r->run->boots = xcalloc(r->n_others + r->all, sizeof(*r->run->boots));
	lend(r);
}

/* Step over boots that the run has. */
static bool is_left(struct running *r)
{
	while (r->next < r->all && r->have[index_of_next(r)])
		r->next++;
	return r->next < r->all;
}

static int start_next(struct running *r, struct slot *slot, struct err *err)
{
	bool left_out = false, voided = false;
	const char *why;

	while (is_left(r) && (why = give_up(r, &voided))) {
		leave_out(r, slot, why, voided);
		left_out = true;
	}
	if (left_out && write_document(r, false, err))
		return err->code;
	if (!is_left(r))
		return 0;
	prepare_next(r, slot);
	if (worker_start(&slot->w, &slot->t, err))
		return err->code;
	tell(r, slot, BOOT_STARTED, NULL);
	return 0;
}

static void stop_all(struct running *r)
{
	if (r->stopping)
		return;
	r->stopping = true;
	r->stop_by = deadline_in("workers to stop", STOP_NS);
	r->next = r->all;
	for (size_t i = 0; i < r->n_slots; i++)
		worker_ask_to_stop(&r->slots[i].w);
}

static void fail(struct running *r, const struct err *err)
{
	if (!r->err.code)
		r->err = *err;
	stop_all(r);
}

static void finish_slot(struct running *r, struct slot *slot)
{
	struct boot *b = &r->boots[slot->index];
	struct err err = ERR_INIT;

	boot_init(b);
	if (worker_finish(&slot->w, &slot->t, b, &err))
		fail(r, &err);
	r->have[slot->index] = true;
	r->done++;
	r->alive = r->alive || b->outcome != OUTCOME_BROKEN || b->stage > STAGE_BOOT;
	if (!r->alive && r->s->dead_after && r->done >= r->s->dead_after)
		r->next = r->all;
	tell(r, slot, BOOT_ENDED, b);
	if (write_document(r, false, &err))
		fail(r, &err);
}

/* Milliseconds until something is to be done though nothing came in: the end of a stop, or the
 * next sign of life for whoever watches. */
static int patience(const struct running *r)
{
	return r->stopping ? deadline_ms(&r->stop_by) : TICK_MS;
}

/* What a running worker has to say: its end, news, or that time has passed. */
static void look_at(struct running *r, struct slot *slot, bool readable)
{
	if (!slot->w.pid)
		return;
	if (readable && worker_read(&slot->w))
		finish_slot(r, slot);
	else
		tell(r, slot, BOOT_NEWS, NULL);
}

/* One round: wait for any worker's news, a stop request or the stop deadline. */
static void poll_once(struct running *r)
{
	struct pollfd *fds __free(ptr) = xcalloc(r->n_slots + 1, sizeof(*fds));

	for (size_t i = 0; i < r->n_slots; i++)
		fds[i] = (struct pollfd){ .fd = r->slots[i].w.news_fd, .events = POLLIN };
	fds[r->n_slots] = (struct pollfd){ .fd = r->stopping ? -1 : sig_fd(), .events = POLLIN };
	/* An interrupted poll leaves all revents 0: the next round asks again. */
	poll(fds, r->n_slots + 1, patience(r));
	if (!r->stopping && sig_stop_asked()) {
		struct err err = ERR_INIT;

		err_interrupted(&err);
		fail(r, &err);
	}
	for (size_t i = 0; i < r->n_slots; i++)
		look_at(r, &r->slots[i], fds[i].revents & (POLLIN | POLLHUP | POLLERR));
}

static bool any_running(const struct running *r)
{
	for (size_t i = 0; i < r->n_slots; i++)
		if (r->slots[i].w.pid)
			return true;
	return false;
}

static void run_all(struct running *r)
{
	struct err err = ERR_INIT;

	for (;;) {
		for (size_t i = 0; i < r->n_slots && is_left(r); i++)
			if (!r->slots[i].w.pid && start_next(r, &r->slots[i], &err))
				fail(r, &err);
		if (!any_running(r) || (r->stopping && deadline_passed(&r->stop_by)))
			return;
		poll_once(r);
	}
}

int schedule_run(const struct schedule *s, struct run *run, struct err *err)
{
	struct running r = {
		.s = s,
		.run = run,
		.n_slots = (size_t)s->o->jobs,
		.all = s->suite->n * (size_t)s->o->seeds,
		.err = ERR_INIT,
	};
	struct err late = ERR_INIT;

	r.slots = xcalloc(r.n_slots, sizeof(*r.slots));
	for (size_t i = 0; i < r.n_slots; i++)
		r.slots[i].w = (struct worker)WORKER_INIT;
	r.boots = xcalloc(r.all, sizeof(*r.boots));
	r.have = xcalloc(r.all, sizeof(*r.have));
	take_what_is_there(&r);
	run_progress_init(&r.progress, r.n_slots);
	run_all(&r);
	if (r.stale && write_document(&r, true, &late))
		fail(&r, &late);
	r.progress.ended = true;
	(void)run_progress_write(&r.progress, s->run_dir, true, &late);
	run_progress_release(&r.progress);
	for (size_t i = 0; i < r.n_slots; i++) {
		worker_release(&r.slots[i].w);
		free(r.slots[i].dir);
	}
	free(r.slots);
	free(r.boots);		/* their contents belong to run->boots now */
	free(r.others);
	free(r.have);
	if (r.err.code) {
		*err = r.err;
		return err->code;
	}
	return 0;
}
