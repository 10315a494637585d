/* SPDX-License-Identifier: GPL-2.0-only */
/* Reader for expectations. */
#include "case/expect.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "case/keys.h"

#define EXPECT_TEXT_MAX (1 << 20)	/* as base/ini.h reads */

static const char *const metric_names[] = {
	[METRIC_SLOWDOWN] = "slowdown",
	[METRIC_TIME] = "time",
	[METRIC_SYNC] = "sync",
	[METRIC_TOTAL] = "total",
};

const char *metric_name(enum metric m)
{
	return metric_names[m];
}

#define KEY(key_name, field, parse_fn, ...)                                                        \
	{ .name = (key_name), .offset = offsetof(struct expectation, field),                       \
	  .parse = (parse_fn), __VA_ARGS__ }
/* The keys whose values are of the metric's kind, and those that are the same for all. */
#define KEYS(parse_fn)                                                                             \
	{                                                                                          \
		KEY("limit", limit, parse_fn), KEY("goal", goal, parse_fn),                        \
		KEY("was", was, parse_fn), KEY("within", within, key_ratio),                       \
		KEY("kernel", kernel, key_text, .min = 1, .max = 200),                             \
		KEY("why", why, key_text, .min = 1, .max = 2000),                                  \
		KEY("seeds", seeds, key_int, .min = 1, .max = 10000),                              \
	}

static const struct key ratio_keys[] = KEYS(key_ratio);
static const struct key time_keys[] = KEYS(key_real_time);
static const struct key_table ratio_table = { "JOB.slowdown", ratio_keys, ARRAY_SIZE(ratio_keys) };
static const struct key_table time_table = { "JOB.METRIC", time_keys, ARRAY_SIZE(time_keys) };

static void expectation_release(struct expectation *e)
{
	free(e->job);
	free(e->kernel);
	free(e->why);
	*e = (struct expectation){ .job = NULL };
}

void expect_release(struct expect *x)
{
	for (size_t i = 0; i < x->n; i++)
		expectation_release(&x->e[i]);
	free(x->e);
	free(x->path);
	free(x->text);
	*x = (struct expect)EXPECT_INIT;
}

static int parse_metric(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(metric_names); i++) {
		if (strcmp(metric_names[i], name) == 0)
			return (int)i;
	}
	return -1;
}

/* "hdd.slowdown": a job of the case and a metric. */
static int read_name(struct expectation *e, const struct ini *ini, const struct ini_section *s,
		     const struct kase *c, struct err *err)
{
	const char *dot = strrchr(s->name, '.');
	int metric = dot ? parse_metric(dot + 1) : -1;

	if (metric < 0)
		return ini_error(ini, s->line, err, "[%s] is not [JOB.METRIC] with METRIC one of "
				 "slowdown, time, sync, total", str_escape(s->name));
	e->job = xstrndup(s->name, (size_t)(dot - s->name));
	e->metric = (enum metric)metric;
	if (!kase_job(c, e->job))
		return ini_error(ini, s->line, err, "case '%s' has no job '%s'", c->name,
				 str_escape(e->job));
	return 0;
}

/* What does not fit together; NULL if all does. */
static const char *complaint(const struct expectation *e, const struct case_job *job)
{
	if (e->metric == METRIC_SLOWDOWN && !job->alone_case)
		return "the job has no 'alone' to be slower than";
	if ((e->metric == METRIC_SYNC || e->metric == METRIC_TOTAL) && !job->sync)
		return "the job has no 'sync' to be timed";
	if (e->within >= 0 && e->was < 0)
		return "'within' needs 'was'";
	if (e->limit < 0 && e->within < 0)
		return "needs 'limit', or 'was' and 'within'";
	if (e->limit >= 0 && e->goal > e->limit)
		return "'goal' is above 'limit'";
	return NULL;
}

static int read_section(struct expectation *e, const struct ini *ini, const struct ini_section *s,
			const struct kase *c, struct err *err)
{
	const char *wrong;
	int ret;

	if (s->arg && !strvec_has(&c->scales, s->arg))
		return ini_error(ini, s->line, err, "case '%s' has no scale '%s'", c->name,
				 str_escape(s->arg));
	ret = read_name(e, ini, s, c, err);
	if (ret < 0)
		return ret;
	ret = keys_read(e->metric == METRIC_SLOWDOWN ? &ratio_table : &time_table, e, ini, s, err);
	if (ret < 0)
		return ret;
	wrong = complaint(e, kase_job(c, e->job));
	return wrong ? ini_error(ini, s->line, err, "[%s]: %s", s->name, wrong) : 0;
}

static int read_sections(struct expect *x, const struct ini *ini, const struct kase *c,
			 struct err *err)
{
	for (size_t i = 0; i < ini->n; i++) {
		const struct ini_section *s = &ini->sections[i];
		struct expectation e = {
			.limit = -1, .goal = -1, .was = -1, .within = -1, .line = s->line,
		};
		int ret = read_section(&e, ini, s, c, err);

		if (!ret && strcmp(s->arg ? s->arg : CASE_DEFAULT_SCALE, c->scale) == 0)
			*array_grow(x->e, x->n) = e;
		else
			expectation_release(&e);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int expect_read(struct expect *x, const char *path, const struct kase *c, struct err *err)
{
	struct ini ini __release(ini) = INI_INIT;
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	int ret;

	*x = (struct expect)EXPECT_INIT;
	if (file_size(path) == -ENOENT)
		return 0;
	ret = ini_read(&ini, path, err);
	if (ret < 0)
		return ret;
	ret = read_sections(x, &ini, c, err);
	if (!ret)
		ret = file_read(path, EXPECT_TEXT_MAX, &text, err);
	if (ret < 0) {
		expect_release(x);
		return ret;
	}
	x->path = xstrdup(path);
	x->text = strbuf_detach(&text, NULL);
	return 0;
}

const struct expectation *expect_get(const struct expect *x, const char *job, enum metric metric)
{
	for (size_t i = 0; i < x->n; i++) {
		if (x->e[i].metric == metric && strcmp(x->e[i].job, job) == 0)
			return &x->e[i];
	}
	return NULL;
}
