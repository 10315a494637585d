/* SPDX-License-Identifier: GPL-2.0-only */
/* A run's stalls (facts.h) as text, each with the command that looks inside in its middle. */
#ifndef REPORT_STALLS_H
#define REPORT_STALLS_H

struct err;
struct run;
struct strbuf;

#define STALLS_SHOWN 12		/* of a boot */

/* Nothing of a run without stalls. dir is the run's folder, for the logs of requests; an error is
 * one of reading them. */
int stalls_run(struct strbuf *out, const struct run *run, const char *dir, struct err *err);

#endif
