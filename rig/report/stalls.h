/* SPDX-License-Identifier: GPL-2.0-only */
/* A run's stalls, those of disks (facts.h) and of victims (victim.h), as text, each with the
 * command that looks inside in its middle. */
#ifndef REPORT_STALLS_H
#define REPORT_STALLS_H

struct boot;
struct err;
struct requests;
struct run;
struct stall;
struct stalls;
struct strbuf;

#define STALLS_SHOWN 12		/* of a boot */

/* All of a boot: the victims' in front, of each kind the longest first. */
void stalls_find(struct stalls *s, const struct boot *b, const struct requests *r);
/* "disk dvd completes nothing for 10 s, from guest time 6 s on"; plain text, to be escaped. */
void stalls_describe(struct strbuf *out, const struct boot *b, const struct stall *s);
/* "victim read's slowest call took 1.15 s; ..." for each victim whose calls the agent timed and one
 * of which stalled it without anybody knowing when, a line each; plain text, to be escaped. */
void stalls_unplaced(struct strbuf *out, const struct boot *b, const struct stalls *s);
/* Nothing of a run without stalls. dir is the run's folder, for the logs of requests; an error is
 * one of reading them. */
int stalls_run(struct strbuf *out, const struct run *run, const char *dir, struct err *err);

#endif
