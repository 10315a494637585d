/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Did the host stall while a guest on the real clock did its work? A control that costs the guest
 * nothing: no job of its own runs beside the guest, the host's kernel is asked what it did to QEMU.
 *
 *	waited	each of QEMU's threads has a count of the time in which it was ready to run and
 *		had no processor (run_delay, the second number of /proc/PID/task/TID/schedstat;
 *		kernel: Documentation/scheduler/sched-stats.rst). Added up over the threads: the
 *		guest cannot have lost more than that by it.
 *	paused	the rig itself wakes up every CONTROL_PERIOD_NS. What it comes later than that,
 *		beyond its own time in and before a processor (its own schedstat), was a moment in
 *		which nothing ran: a host that was stopped or frozen. Less than CONTROL_GRAIN_NS at
 *		a time is the timer's and does not count.
 *	stolen	what the host, a virtual machine itself, was denied by its own ("steal" of
 *		/proc/stat, proc(5)), the mean of its processors.
 *	skewed	the guest's clock and the host's went on by different times. A guest measures its
 *		processor's counter against a timer while it boots (arch/x86/kernel/tsc.c); if the
 *		host stalls just then, all its times are wrong by a factor. CONTROL_SKEW_NS is what
 *		the rig may be late to see.
 *
 * From the guest's "ready" (its jobs begin) to its "done", in the host's time. A boot is void if
 * the four together are more than a share of that time: then they could have moved its figures by
 * as much. An interval below CONTROL_LEAST_NS is not judged: "steal" counts in steps of 10 ms.
 * It cannot see what makes a processor slower while it runs: a busy sibling thread, a lower
 * frequency, a full cache. The order of boots (ABBA) and the host's noise floor are for that.
 */
#ifndef RUN_CONTROL_H
#define RUN_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/clock.h"
#include "record/record.h"

#define CONTROL_PERIOD_NS (100 * NS_PER_MS)
#define CONTROL_GRAIN_NS  (20 * NS_PER_MS)
#define CONTROL_SKEW_NS	  (50 * NS_PER_MS)
#define CONTROL_LEAST_NS  (1 * NS_PER_S)

struct control_thread {
	pid_t tid;
	int64_t waited;		/* as last read */
};

struct control {
	const char *proc;	/* "/proc"; another folder in tests */
	bool on, begun, ended;
	pid_t pid;		/* of QEMU */
	int64_t began, due;	/* host times: of "ready", of the next wake-up */
	int64_t guest;		/* the guest's time of "ready" */
	int64_t own;		/* the rig's time in and before a processor; -1 = not told */
	int64_t stolen;		/* of the host when it began */
	struct control_thread *threads;
	size_t n_threads;
	struct boot_control r;
};

/* on: the real clock; without, all below does nothing. */
void control_init(struct control *c, bool on, pid_t pid);
void control_release(struct control *c);
/* At every event of the guest and when control_deadline() has passed: what the guest has said so
 * far, its time of its last word, and the host's time. */
void control_look(struct control *c, bool ready, bool done, int64_t guest, int64_t now);
/* The earlier one of the limit and the next wake-up. */
struct deadline control_deadline(const struct control *c, const struct deadline *limit);
/* What came of it, if the guest got to its "done". */
void control_result(const struct control *c, struct boot *b);

/* The four together as a share of the time; -1 if that cannot be judged. */
double control_share(const struct boot_control *r);
/* "of 12.5 s that its jobs took QEMU waited 3.1 s for a processor, ...": fresh, one line. */
char *control_text(const struct boot_control *r);

#endif
