/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From boots and expectations to verdicts. Pure: no files, no clock, no printing.
 *
 * Of each case and job, the first that holds:
 *   broken    a boot of its case is broken; its command failed, met its deadline or copied fewer
 *             blocks than dd's count= says; its sync failed; all that of its 'alone' as well; a
 *             time is missing; or, for a victim, a load did not really run beside it: it must
 *             have ended well and, its sync included, have overlapped the victim's command for
 *             at least half of the victim's time, or for as long as the victim takes alone
 *   inconclusive  on the real clock, all boots of its case (or its alone case) are void: the host
 *             stalled (run/steady.h). Where some are, the others count alone
 *   skipped   the kernel lacks what the case (or its 'alone' case) needs
 *   broken    a metric of which something is expected was not measured
 *   inconclusive  what is expected is below the host's noise floor (noise.h): it is refused
 *   regressed a value is above its limit or below its floor (values.h: what seeds come to;
 *             slowdown and METRIC/alone: the value over seeds / the value alone over seeds)
 *   regressed a 'was' is there and the value is worse than it by more than 'within' of it, on the
 *             simulated clock; on the real clock that is inconclusive. Above is worse, but for
 *             metrics of which more is better (case/metric.h)
 *   known     it would have regressed, but the expectation has a waiver ('known', 'until') that
 *             still counts on the day on which the run began; the reason has both
 *   improved  a 'was' is there and the value is better than it by more than 'within' of it
 *   pass      otherwise; none for a job of which nothing is expected
 * With several metrics the worst counts, in the order regressed, inconclusive, known, improved,
 * pass. What is expected is what holds for the kernel's family (case/expect.h), which is that of
 * its release, or of the one that the guest told.
 *
 * A load that was stopped because the victims had ended has done its work, but has no time of its
 * own; a rate it has. Whatever the verdict, the values that are known are in it. A disk of which
 * something is expected has a row as a job has: broken if a boot of its case is or the samples do
 * not show what is expected. Jobs that prepare have none.
 */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include <stddef.h>

struct expect;
struct kase;
struct run;

/* The exit status of a run: 0 pass, 1 regressed, 125 if anything could not be judged and nothing
 * regressed. */
enum judge_exit { JUDGE_OK = 0, JUDGE_REGRESSED = 1, JUDGE_CANNOT = 125 };

/* The release of the run's kernel, as its files say or else as the guest did; may be NULL or "". */
const char *judge_release(const struct run *run);
/* Fill run->verdicts (replacing them), a row per job in the order of cases[], whose expectations
 * are expects[] (n each); those of disks behind those of the case's jobs. */
void judge_run(struct run *run, const struct kase *cases, const struct expect *expects, size_t n);
/* A run that was interrupted, or has no verdict that is pass, improved, known or none, cannot be
 * judged. */
enum judge_exit judge_exit_status(const struct run *run);

#endif
