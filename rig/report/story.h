/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Verdicts in words, the same in every kind of report. All appends plain text without newlines,
 * built from hostile strings as they are: who shows it escapes it.
 */
#ifndef REPORT_STORY_H
#define REPORT_STORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct boot;
struct facts;
struct job_result;
struct run;
struct strbuf;
struct verdict;
struct verdict_value;

/* "1 regressed, 3 pass", worst first; "nothing was judged". */
void story_counts(const struct run *run, struct strbuf *out);
/* "hdd takes 30.7 s, 14.3 times the 2.15 s that it takes alone (limit 18.5, goal 1.5, last accepted
 * 13.2); 12 to 31 s over 3 seeds". A goal that is missed is called so. Without a time: that none
 * was measured. */
void story_amount(const struct verdict *v, struct strbuf *out);
/* "p99 312 ms, limit 250 ms, 5 to 10 ms alone" of one metric. */
void story_value(const struct verdict_value *v, struct strbuf *out);
/* Where the job waits, from a boot's facts: the conclusion and the figures that it rests on, as
 * two texts. Either may stay empty. */
void story_wait(const struct boot *b, const struct facts *f, struct strbuf *conclusion,
		struct strbuf *figures);
/* "61 % of looks: in balance_dirty_pages <- ...", from its most frequent stack in D state (any
 * state if there is none); nothing without stacks. */
void story_stack(const struct job_result *job, struct strbuf *out);
/* The command that repeats a case (NULL: the run's cases, or, of more than a handful, all of the
 * folder that they are in), fit for a shell. */
void story_repeat(const struct run *run, const char *case_name, struct strbuf *out);
/* The same for the kernel without its patches, whether it was run or not. */
void story_repeat_base(const struct run *run, const char *case_name, struct strbuf *out);
/* The command that stops the boot in the middle of a stall or the like and looks inside; nothing of
 * a run on the real clock, which cannot be stopped at a moment again. */
void story_debug(const struct run *run, const struct boot *b, int64_t from_ns, int64_t to_ns,
		 struct strbuf *out);
/* "debian 6.1.0-57-amd64 (linux-image-... 6.1.192-3, 1 patch)" */
void story_kernel(const struct run *run, struct strbuf *out);

/* A goal is never judged, so what passes may be short of it: does the value, or any of the
 * verdict's, miss its goal? How many verdicts of a run pass and do. */
bool story_value_misses(const struct verdict_value *v);
bool story_misses(const struct verdict *v);
size_t story_count_misses(const struct run *run);

/* 0 for what is worst; verdicts in that order are what a reader needs first. */
int story_rank(const struct verdict *v);
/* "30.7 s", "14.3"; any double. 32 bytes, returned. */
const char *story_time(double ns, char *buf);
const char *story_ratio(double v, char *buf);

/* The case's boot that pictures show: a broken one, else the one in which the victim took longest;
 * NULL if there is none. */
const struct boot *story_boot(const struct run *run, const char *case_name);
const struct job_result *story_job(const struct boot *b, const char *name);
/* facts_job() with the job's own disk looked up in the case's text. */
bool story_facts(const struct boot *b, const struct job_result *job, struct facts *f);

#endif
