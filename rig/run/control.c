/* SPDX-License-Identifier: GPL-2.0-only */
/* What the host's counters say about one boot. */
#include "run/control.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"

#define SMALL_FILE   ((size_t)4096)
#define STAT_FILE    ((size_t)4 << 20)	/* its interrupt counts grow with the processors */
#define THREADS_MOST 4096

void control_init(struct control *c, bool on, pid_t pid)
{
	*c = (struct control){ .proc = "/proc", .on = on, .pid = pid };
}

void control_release(struct control *c)
{
	free(c->threads);
	c->threads = NULL;
	c->n_threads = 0;
}

/* "run_ns wait_ns slices" of a thread or process; false if this kernel does not count them. */
static bool read_schedstat(const char *path, int64_t *ran, int64_t *waited)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	struct err ignored = ERR_INIT;

	return !file_read(path, SMALL_FILE, &text, &ignored) &&
	       sscanf(text.buf, "%" SCNd64 " %" SCNd64, ran, waited) == 2 && *ran >= 0 &&
	       *waited >= 0;
}

static int64_t own_time(const struct control *c)
{
	char *path __free(ptr) = path_join(c->proc, "self/schedstat");
	int64_t ran, waited;

	return read_schedstat(path, &ran, &waited) ? ran + waited : -1;
}

/* The eighth number of the line "cpu ", over the lines "cpuN"; -1 if there is none. */
static int64_t stolen_time(const struct control *c)
{
	char *path __free(ptr) = path_join(c->proc, "stat");
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	long hz = sysconf(_SC_CLK_TCK);
	struct err ignored = ERR_INIT;
	int64_t ticks, cpus = 0;

	if (file_read(path, STAT_FILE, &text, &ignored) || hz <= 0 ||
	    sscanf(text.buf, "cpu %*d %*d %*d %*d %*d %*d %*d %" SCNd64, &ticks) != 1 || ticks < 0)
		return -1;
	for (const char *at = text.buf; (at = strstr(at, "\ncpu")); at++)
		cpus++;
	return cpus ? ticks * (NS_PER_S / hz) / cpus : -1;
}

static struct control_thread *find_thread(struct control *c, pid_t tid)
{
	for (size_t i = 0; i < c->n_threads; i++)
		if (c->threads[i].tid == tid)
			return &c->threads[i];
	return NULL;
}

/* What the thread has waited since it was last seen, or began. */
static int64_t take_thread(struct control *c, pid_t tid, int64_t waited)
{
	struct control_thread *t = find_thread(c, tid);
	int64_t before = t ? t->waited : 0;

	if (!t) {
		t = array_grow(c->threads, c->n_threads);
		t->tid = tid;
	}
	t->waited = waited;
	/* a number that was given to another thread */
	return waited >= before ? waited - before : waited;
}

/* Over all threads, since the last time. One that has ended in between keeps what it had. */
static int64_t take_threads(struct control *c)
{
	char *dir __free(ptr) = xstrfmt("%s/%d/task", c->proc, (int)c->pid);
	struct strvec tids __release(strvec) = STRVEC_INIT;
	struct err ignored = ERR_INIT;
	int64_t sum = 0, ran, waited;
	bool any = false;

	if (dir_list(dir, NULL, &tids, &ignored))
		return -1;
	for (size_t i = 0; i < tids.n && i < THREADS_MOST; i++) {
		char *path __free(ptr) = xstrfmt("%s/%s/schedstat", dir, tids.v[i]);

		if (!read_schedstat(path, &ran, &waited))
			continue;
		any = true;
		sum += take_thread(c, (pid_t)atoi(tids.v[i]), waited);
	}
	return any ? sum : -1;
}

static void begin(struct control *c, int64_t guest, int64_t now)
{
	c->begun = true;
	c->began = now;
	c->guest = guest;
	c->due = now + CONTROL_PERIOD_NS;
	c->own = own_time(c);
	c->stolen = stolen_time(c);
	c->r = (struct boot_control){ .waited_ns = take_threads(c) < 0 ? -1 : 0,
				      .stolen_ns = c->stolen < 0 ? -1 : 0 };
}

static void take_lateness(struct control *c, int64_t now)
{
	int64_t late = now - c->due, own = own_time(c);

	if (own >= 0 && c->own >= 0)
		late -= own - c->own;
	if (late > CONTROL_GRAIN_NS)
		c->r.paused_ns += late;
	c->own = own;
	c->due = now + CONTROL_PERIOD_NS;
}

static void wake_up(struct control *c, int64_t now)
{
	int64_t more = c->r.waited_ns < 0 ? -1 : take_threads(c);

	c->r.waited_ns += more > 0 ? more : 0;
	take_lateness(c, now);
}

/* |(to - from) - host|, for times of which a guest may claim anything. */
static int64_t difference(int64_t to, int64_t from, int64_t host)
{
	int64_t passed, d;

	if (__builtin_sub_overflow(to, from, &passed) || __builtin_sub_overflow(passed, host, &d) ||
	    d == INT64_MIN)
		return INT64_MAX;
	return d < 0 ? -d : d;
}

static void end(struct control *c, int64_t guest, int64_t now)
{
	int64_t stolen = c->stolen < 0 ? -1 : stolen_time(c);

	wake_up(c, now);
	c->ended = true;
	c->r.measured_ns = now - c->began;
	c->r.skewed_ns = difference(guest, c->guest, c->r.measured_ns);
	if (stolen >= c->stolen && c->stolen >= 0)
		c->r.stolen_ns = stolen - c->stolen;
}

void control_look(struct control *c, bool ready, bool done, int64_t guest, int64_t now)
{
	if (!c->on || c->ended)
		return;
	if (ready && !c->begun)
		begin(c, guest, now);
	else if (c->begun && done)
		end(c, guest, now);
	else if (c->begun && now >= c->due)
		wake_up(c, now);
}

struct deadline control_deadline(const struct control *c, const struct deadline *limit)
{
	struct deadline d = *limit;

	if (c->on && c->begun && !c->ended && c->due < d.at)
		d.at = c->due;
	return d;
}

void control_result(const struct control *c, struct boot *b)
{
	b->controlled = c->ended;
	if (c->ended)
		b->control = c->r;
}

static int64_t known(int64_t ns)
{
	return ns > 0 ? ns : 0;
}

double control_share(const struct boot_control *r)
{
	double lost = (double)known(r->waited_ns) + (double)known(r->paused_ns) +
		      (double)known(r->stolen_ns) +
		      (double)known(r->skewed_ns - CONTROL_SKEW_NS);

	return r->measured_ns < CONTROL_LEAST_NS ? -1 : lost / (double)r->measured_ns;
}

char *control_text(const struct boot_control *r)
{
	char of[32], waited[32], paused[32], stolen[32], skewed[32];

	return xstrfmt("of %s that its jobs took, QEMU waited %s for a processor, nothing ran for "
		       "%s, %s were taken from the host, and its clock went %s from the host's",
		       format_time(known(r->measured_ns), of),
		       r->waited_ns < 0 ? "(not told)" : format_time(r->waited_ns, waited),
		       format_time(known(r->paused_ns), paused),
		       r->stolen_ns < 0 ? "(not told)" : format_time(r->stolen_ns, stolen),
		       format_time(known(r->skewed_ns), skewed));
}
