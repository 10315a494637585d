/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The shipped profiles against the simulator's disk: the line that the rig writes is one that
 * the library reads, and long streams reach what the profile says they do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "image/profile.h"
#include "sim/model_disk.h"

#define PIECE (128 << 10)
#define NS    1000000000LL

static const char *disks_dir(void)
{
	return "images/disks";
}

/* One request from now on; when it is done. */
static int64_t run(struct model_disk *d, struct model_request *r, int64_t now)
{
	model_disk_submit(d, r, now);
	do
		now = model_disk_next(d);
	while (!model_disk_finished(d, now));
	assert_true(now == r->done);
	return now;
}

/* Bytes per second of a stream over the image with a flush at its end, one request at a time. */
static int64_t stream_rate(const struct profile *p, enum model_op op)
{
	struct strbuf line = STRBUF_INIT;
	struct model_params params;
	struct model_disk *d = malloc(sizeof(*d));
	int64_t size = p->size < 512 << 20 ? p->size : 512 << 20;
	int64_t now = 0, rate;
	char why[200] = "";

	profile_sim_line(p, &line);
	if (model_params_parse(&params, line.buf, why, sizeof(why)) < 0)
		fail_msg("%s: '%s': %s", p->name, line.buf, why);
	model_disk_init(d, &params, size, 1);
	for (int64_t at = 0; at + PIECE <= size; at += PIECE) {
		struct model_request r = { .op = op, .offset = at, .length = PIECE };

		now = run(d, &r, now);
	}
	if (op == MODEL_WRITE) {
		struct model_request flush = { .op = MODEL_FLUSH };

		now = run(d, &flush, now);
	}
	rate = (int64_t)((double)(size / PIECE * PIECE) * NS / (double)now);
	strbuf_release(&line);
	free(d);
	return rate;
}

static void near(const char *name, const char *what, int64_t is, int64_t should)
{
	if (is < should * 98 / 100 || is > should * 102 / 100)
		fail_msg("%s: %s: %lld B/s, the profile says %lld", name, what, (long long)is,
			 (long long)should);
}

static void check(const char *name)
{
	struct err err = ERR_INIT;
	struct profile p = PROFILE_INIT;
	struct profile_limits limits;

	if (profile_load(&p, disks_dir(), name, &err) < 0)
		fail_msg("%s", err.msg);
	profile_throttle(&p, &limits);
	near(name, "read", stream_rate(&p, MODEL_READ), limits.bps_read);
	if (!p.read_only)
		near(name, "write", stream_rate(&p, MODEL_WRITE), limits.bps_write);
	profile_release(&p);
}

static void test_shipped(void **state)
{
	struct strvec names = STRVEC_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(dir_list(disks_dir(), ".disk", &names, &err), 0);
	assert_true(names.n >= 9);
	for (size_t i = 0; i < names.n; i++) {
		char name[64];

		snprintf(name, sizeof(name), "%.*s",
			 (int)(strlen(names.v[i]) - strlen(".disk")),
			 names.v[i]);
		check(name);
	}
	strvec_release(&names);
}

static void test_flat(void **state)
{
	(void)state;
	check("flat-1M");
	check("flat-512K");
	check("flat-40M");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shipped),
		cmocka_unit_test(test_flat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
