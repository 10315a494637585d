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

#define ALONE		"/alone"
#define DISK		"disk."

#define KEY(key_name, field, parse_fn, ...)                                                        \
	{ .name = (key_name), .offset = offsetof(struct expectation, field),                       \
	  .parse = (parse_fn), __VA_ARGS__ }
/* The keys whose values are of the metric's unit, and those that are the same for all. */
#define KEYS(parse_fn)                                                                             \
	{                                                                                          \
		KEY("limit", limit, parse_fn), KEY("floor", floor, parse_fn),                      \
		KEY("goal", goal, parse_fn), KEY("was", was, parse_fn),                            \
		KEY("within", within, key_ratio),                                                  \
		KEY("kernel", kernel, key_text, .min = 1, .max = 200),                             \
		KEY("why", why, key_text, .min = 1, .max = 2000),                                  \
		KEY("seeds", seeds, key_int, .min = 1, .max = 10000),                              \
	}

static const struct key ratio_keys[] = KEYS(key_ratio);
static const struct key time_keys[] = KEYS(key_real_time);
static const struct key rate_keys[] = KEYS(key_real_rate);
static const struct key bytes_keys[] = KEYS(key_real_size);
static const struct key number_keys[] = KEYS(key_real_number);

#define TABLE(keys) { "JOB.METRIC", (keys), ARRAY_SIZE(keys) }
static const struct key_table tables[] = {
	[UNIT_RATIO] = TABLE(ratio_keys), [UNIT_TIME] = TABLE(time_keys),
	[UNIT_RATE] = TABLE(rate_keys), [UNIT_BYTES] = TABLE(bytes_keys),
	[UNIT_NUMBER] = TABLE(number_keys),
};

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

static int unknown_metric(const struct ini *ini, const struct ini_section *s, bool of_disk,
			  struct err *err)
{
	struct strbuf names __release(strbuf) = STRBUF_INIT;

	metric_names(of_disk, &names);
	return ini_error(ini, s->line, err, "[%s] is not [%s] with METRIC one of %s",
			 str_escape(s->name), of_disk ? "disk.NAME.METRIC" : "JOB.METRIC",
			 names.buf);
}

/* "hdd.slowdown", "hdd.rate/alone", "disk.hda.dirty-max": whose it is, and a metric. */
static int read_name(struct expectation *e, const struct ini *ini, const struct ini_section *s,
		     const struct kase *c, struct err *err)
{
	size_t len = strlen(s->name), tail = strlen(ALONE);
	bool alone = len > tail && strcmp(s->name + len - tail, ALONE) == 0;
	char *name __free(ptr) = xstrndup(s->name, alone ? len - tail : len);
	char *dot = strrchr(name, '.');
	bool of_disk = dot && strncmp(name, DISK, strlen(DISK)) == 0 &&
		       dot >= name + strlen(DISK);
	int metric = dot ? metric_find(dot + 1, of_disk) : -1;

	if (metric < 0)
		return unknown_metric(ini, s, of_disk, err);
	*dot = '\0';
	e->metric = (enum metric)metric;
	e->alone = alone;
	if (alone && (of_disk || metric == METRIC_SLOWDOWN))
		return ini_error(ini, s->line, err, "[%s]: %s has no " ALONE, s->name,
				 of_disk ? "a disk" : "slowdown");
	if (of_disk ? !kase_disk(c, name + strlen(DISK)) : !kase_job(c, name))
		return ini_error(ini, s->line, err, "case '%s' has no %s '%s'", c->name,
				 of_disk ? "disk" : "job",
				 str_escape(of_disk ? name + strlen(DISK) : name));
	e->job = xstrdup(name);
	return 0;
}

/* What a job cannot have; NULL if it can. */
static const char *job_complaint(const struct expectation *e, const struct case_job *job)
{
	if (job->role == PLAN_PREPARE)
		return "a job with role = prepare is not judged";
	if ((e->metric == METRIC_SLOWDOWN || e->alone) && !job->alone_case)
		return e->alone ? "the job has no 'alone' to be compared with" :
				  "the job has no 'alone' to be slower than";
	if ((e->metric == METRIC_SYNC || e->metric == METRIC_TOTAL) && !job->sync)
		return "the job has no 'sync' to be timed";
	return NULL;
}

/* What does not fit together; NULL if all does. job is NULL for a disk. */
static const char *complaint(const struct expectation *e, const struct case_job *job)
{
	const char *wrong = job ? job_complaint(e, job) : NULL;
	bool higher = metric_info(e->metric)->higher;

	if (wrong)
		return wrong;
	if (e->within >= 0 && e->was < 0)
		return "'within' needs 'was'";
	if (e->within >= 0 && !(e->was > 0))
		return "'within' needs a 'was' above 0";
	if (e->limit < 0 && e->floor < 0 && e->within < 0)
		return "needs 'limit', 'floor', or 'was' and 'within'";
	if (e->limit >= 0 && e->floor > e->limit)
		return "'floor' is above 'limit'";
	if (!higher && e->limit >= 0 && e->goal > e->limit)
		return "'goal' is above 'limit'";
	if (higher && e->goal >= 0 && e->goal < e->floor)
		return "'goal' is below 'floor'";
	return NULL;
}

/* The section's argument, "full", "@bfq", "full@bfq", names scale and variant: both must be the
 * case's. *mine: it is for the scale and variant of c. */
static int read_arg(const struct ini *ini, const struct ini_section *s, const struct kase *c,
		    bool *mine, struct err *err)
{
	const char *arg = s->arg ? s->arg : "", *at = strchr(arg, '@');
	char *scale __free(ptr) = at ? xstrndup(arg, (size_t)(at - arg)) : xstrdup(arg);

	if (*scale && !strvec_has(&c->scales, scale))
		return ini_error(ini, s->line, err, "case '%s' has no scale '%s'", c->name,
				 str_escape(scale));
	if (at && !strvec_has(&c->variants, at + 1))
		return ini_error(ini, s->line, err, "case '%s' has no variant '%s'", c->name,
				 str_escape(at + 1));
	*mine = strcmp(*scale ? scale : CASE_DEFAULT_SCALE, c->scale) == 0 &&
		strcmp(at ? at + 1 : "", c->variant ? c->variant : "") == 0;
	return 0;
}

static int read_section(struct expectation *e, const struct ini *ini, const struct ini_section *s,
			const struct kase *c, bool *mine, struct err *err)
{
	enum metric_unit unit;
	const char *wrong;
	int ret = read_arg(ini, s, c, mine, err);

	if (!ret)
		ret = read_name(e, ini, s, c, err);
	if (ret < 0)
		return ret;
	unit = e->alone ? UNIT_RATIO : metric_info(e->metric)->unit;
	ret = keys_read(&tables[unit], e, ini, s, err);
	if (ret < 0)
		return ret;
	wrong = metric_info(e->metric)->of == METRIC_OF_DISK && !c->sample_ns ?
		"the case takes no samples" : complaint(e, kase_job(c, e->job));
	return wrong ? ini_error(ini, s->line, err, "[%s]: %s", s->name, wrong) : 0;
}

static int read_sections(struct expect *x, const struct ini *ini, const struct kase *c,
			 struct err *err)
{
	for (size_t i = 0; i < ini->n; i++) {
		const struct ini_section *s = &ini->sections[i];
		struct expectation e = {
			.limit = -1, .floor = -1, .goal = -1, .was = -1, .within = -1,
			.line = s->line,
		};
		bool mine = false;
		int ret = read_section(&e, ini, s, c, &mine, err);

		if (!ret && mine)
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
		if (x->e[i].metric == metric && !x->e[i].alone &&
		    strcmp(x->e[i].job, job) == 0)
			return &x->e[i];
	}
	return NULL;
}
