/* SPDX-License-Identifier: GPL-2.0-only */
/* Which boot runs when: workers in slots, one poll loop, boots kept in order. */
#include <poll.h>
#include <stdlib.h>

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
#include "run/suite.h"
#include "run/worker.h"

/* A worker that was asked to stop ends QEMU (10 s at most) and writes its document. */
#define STOP_NS (20 * NS_PER_S)
#define TICK_MS 1000

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
	size_t n_slots, next, done, total;
	bool alive;		/* a boot got further than STAGE_BOOT */
	bool *have;		/* which boots are in run->boots, by index */
	struct boot *boots;	/* all, by index */
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
static int start_next(struct running *r, struct slot *slot, struct err *err)
{
	const struct suite *suite = r->s->suite;
	size_t c = r->next % suite->n, seed = r->next / suite->n;

	free(slot->dir);
	slot->dir = folder_boot_name(&suite->cases[c], (uint32_t)seed + 1);
	slot->index = c * (size_t)r->s->o->seeds + seed;
	slot->t = (struct boot_task){
		.o = r->s->o,
		.k = r->s->k,
		.c = &suite->cases[c],
		.expect_text = suite->expects[c].text,
		.seed = (uint32_t)seed + 1,
		.run_dir = r->s->run_dir,
		.dir = slot->dir,
		.cpu = r->s->o->clock == CLOCK_SIM
			       ? affinity_cpu((size_t)(slot - r->slots), r->n_slots) : -1,
		.news_fd = -1,
	};
	r->next++;
	if (worker_start(&slot->w, &slot->t, err))
		return err->code;
	tell(r, slot, BOOT_STARTED, NULL);
	return 0;
}

/* Lend the finished boots to the run, in order, and write its document. */
static int write_document(struct running *r, struct err *err)
{
	struct run *run = r->run;

	run->n_boots = 0;
	for (size_t i = 0; i < r->total; i++)
		if (r->have[i])
			run->boots[run->n_boots++] = r->boots[i];
	return folder_write(run, r->s->run_dir, err);
}

static void stop_all(struct running *r)
{
	if (r->stopping)
		return;
	r->stopping = true;
	r->stop_by = deadline_in("workers to stop", STOP_NS);
	r->next = r->total;
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
		r->next = r->total;
	tell(r, slot, BOOT_ENDED, b);
	if (write_document(r, &err))
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
		for (size_t i = 0; i < r->n_slots && r->next < r->total; i++)
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
		.total = s->suite->n * (size_t)s->o->seeds,
		.err = ERR_INIT,
	};
	struct err late = ERR_INIT;

	r.slots = xcalloc(r.n_slots, sizeof(*r.slots));
	for (size_t i = 0; i < r.n_slots; i++)
		r.slots[i].w = (struct worker)WORKER_INIT;
	r.boots = xcalloc(r.total, sizeof(*r.boots));
	r.have = xcalloc(r.total, sizeof(*r.have));
	run->boots = xcalloc(r.total, sizeof(*run->boots));
	run_progress_init(&r.progress, r.n_slots);
	run_all(&r);
	r.progress.ended = true;
	(void)run_progress_write(&r.progress, s->run_dir, true, &late);
	run_progress_release(&r.progress);
	for (size_t i = 0; i < r.n_slots; i++) {
		worker_release(&r.slots[i].w);
		free(r.slots[i].dir);
	}
	free(r.slots);
	free(r.boots);		/* their contents belong to run->boots now */
	free(r.have);
	if (r.err.code) {
		*err = r.err;
		return err->code;
	}
	return 0;
}
