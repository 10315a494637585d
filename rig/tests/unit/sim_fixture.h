/* SPDX-License-Identifier: GPL-2.0-only */
/* A disk from a line of timing, and requests run through it. */
#ifndef TESTS_SIM_FIXTURE_H
#define TESTS_SIM_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>

#include "sim/model_disk.h"

#define US 1000LL
#define MS 1000000LL
#define S  1000000000LL
#define K  1024LL
#define M  (1024LL * 1024)

/* A disk of 1,000,000,000 bytes; free() it. */
static inline struct model_disk *disk_make(const char *line)
{
	struct model_disk *d = malloc(sizeof(*d));
	struct model_params p;
	char why[200];

	if (model_params_parse(&p, line, why, sizeof(why)) < 0)
		fail_msg("'%s': %s", line, why);
	model_disk_init(d, &p, 1000000000, 7);
	return d;
}

/* Let time pass until nothing is left to do; the number of requests that came out. */
static inline int disk_run(struct model_disk *d)
{
	int n = 0;

	for (int64_t t; (t = model_disk_next(d)) != MODEL_NEVER;)
		while (model_disk_finished(d, t))
			n++;
	return n;
}

/* One request alone from 'now' on; when it was done. */
static inline int64_t disk_one(struct model_disk *d, enum model_op op, int64_t offset,
			       int64_t length, int64_t now)
{
	struct model_request r = { .op = op, .offset = offset, .length = length };

	model_disk_submit(d, &r, now);
	assert_int_equal(disk_run(d), 1);
	assert_int_equal(r.issued, now);
	return r.done;
}

#endif
