/* SPDX-License-Identifier: GPL-2.0-only */
/* Reader for expectations. */
#include "case/expect.h"

#include <stdio.h>
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
#include "kernel/version.h"

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
		KEY("known", known, key_text, .min = 1, .max = 2000),                              \
		KEY("until", until, key_text, .min = 1, .max = 2000),                              \
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
	free(e->known);
	free(e->until);
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

static int unknown_metric(const char *text, bool of_disk, struct err *err)
{
	struct strbuf names __release(strbuf) = STRBUF_INIT;

	metric_names(of_disk, &names);
	return err_input(err, "[%s] is not [%s] with METRIC one of %s", str_escape(text),
			 of_disk ? "disk.NAME.METRIC" : "JOB.METRIC", names.buf);
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

static int check_job(const struct expectation *e, const char *text, const struct kase *c,
		     const char *job_name, struct err *err)
{
	const struct case_job *job = kase_job(c, job_name);
	const char *wrong;

	if (!job)
		return err_input(err, "case '%s' has no job '%s'", c->name, str_escape(job_name));
	wrong = job_complaint(e, job);
	return wrong ? err_input(err, "[%s]: %s", str_escape(text), wrong) : 0;
}

static int check_disk(const struct expectation *e, const char *text, const struct kase *c,
		      const char *disk_name, struct err *err)
{
	if (e->alone)
		return err_input(err, "[%s]: a disk has no " ALONE, str_escape(text));
	if (!kase_disk(c, disk_name))
		return err_input(err, "case '%s' has no disk '%s'", c->name,
				 str_escape(disk_name));
	return c->sample_ns ? 0 : err_input(err, "[%s]: the case takes no samples",
					    str_escape(text));
}

int expect_name(struct expectation *e, const char *text, const struct kase *c, struct err *err)
{
	size_t len = strlen(text), tail = strlen(ALONE);
	bool alone = len > tail && strcmp(text + len - tail, ALONE) == 0;
	char *name __free(ptr) = xstrndup(text, alone ? len - tail : len);
	char *dot = strrchr(name, '.');
	bool of_disk = dot && strncmp(name, DISK, strlen(DISK)) == 0 &&
		       dot >= name + strlen(DISK);
	int ret, metric = dot ? metric_find(dot + 1, of_disk) : -1;

	if (metric < 0)
		return unknown_metric(text, of_disk, err);
	*dot = '\0';
	e->metric = (enum metric)metric;
	e->alone = alone;
	if (alone && metric == METRIC_SLOWDOWN)
		return err_input(err, "[%s]: slowdown has no " ALONE, str_escape(text));
	ret = of_disk ? check_disk(e, text, c, name + strlen(DISK), err) :
			check_job(e, text, c, name, err);
	if (!ret)
		e->job = no_free_ptr(name);
	return ret;
}

/* "2027-01-31" that is in the calendar. */
static bool is_day(const char *s)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	int year, month, day, end = 0;
	bool leap;

	if (strspn(s, "0123456789-") != 10 || s[4] != '-' || s[7] != '-' ||
	    sscanf(s, "%4d-%2d-%2d%n", &year, &month, &day, &end) != 3 || end != 10 || s[10])
		return false;
	leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return month >= 1 && month <= 12 && day >= 1 &&
	       day <= days[month - 1] + (month == 2 && leap);
}

/* What is wrong with its waiver; NULL if nothing. */
static const char *waiver_complaint(const struct expectation *e)
{
	if (!e->known && !e->until)
		return NULL;
	if (!e->until)
		return "'known' needs 'until', the last day on which it counts";
	if (!e->known)
		return "'until' needs 'known', the reason";
	return is_day(e->until) ? NULL : "'until' is no day like 2027-01-31";
}

/* What does not fit together; NULL if all does. */
static const char *complaint(const struct expectation *e)
{
	bool higher = metric_info(e->metric)->higher;

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
	return waiver_complaint(e);
}

/* The section's argument, "full", "@bfq", "full@bfq:6.1", names scale, variant and family: the
 * first two must be the case's. *mine: it is for the scale and variant of c. */
static int read_arg(struct expectation *e, const struct ini *ini, const struct ini_section *s,
		    const struct kase *c, bool *mine, struct err *err)
{
	size_t len = s->arg ? strcspn(s->arg, ":") : 0;
	char *arg __free(ptr) = xstrndup(s->arg ? s->arg : "", len), *at = strchr(arg, '@');
	char *scale __free(ptr) = at ? xstrndup(arg, (size_t)(at - arg)) : xstrdup(arg);
	const char *rest = "";

	if (s->arg && s->arg[len])
		rest = kernel_version_read(s->arg + len + 1, &e->family);
	if (!rest || *rest)
		return ini_error(ini, s->line, err, "'%s' is no family of kernels like 6.1",
				 str_escape(s->arg + len + 1));
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
	struct err wrong_name = ERR_INIT;
	enum metric_unit unit;
	const char *wrong;
	int ret = read_arg(e, ini, s, c, mine, err);

	if (ret < 0)
		return ret;
	if (expect_name(e, s->name, c, &wrong_name))
		return ini_error(ini, s->line, err, "%s", wrong_name.msg);
	unit = e->alone ? UNIT_RATIO : metric_info(e->metric)->unit;
	ret = keys_read(&tables[unit], e, ini, s, err);
	if (ret < 0)
		return ret;
	wrong = complaint(e);
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

int expect_parse(struct expect *x, const char *path, const char *text, size_t len,
		 const struct kase *c, struct err *err)
{
	struct ini ini __release(ini) = INI_INIT;
	int ret = ini_parse(&ini, path, text, len, err);

	*x = (struct expect)EXPECT_INIT;
	if (!ret)
		ret = read_sections(x, &ini, c, err);
	if (ret < 0) {
		expect_release(x);
		return ret;
	}
	x->path = xstrdup(path);
	x->text = xstrndup(text, len);
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
	/* it has the words for what is no file, or too large */
	ret = ini_read(&ini, path, err);
	if (!ret)
		ret = file_read(path, EXPECT_TEXT_MAX, &text, err);
	return ret < 0 ? ret : expect_parse(x, path, text.buf, text.len, c, err);
}

static bool same_subject(const struct expectation *a, const struct expectation *b)
{
	return a->metric == b->metric && a->alone == b->alone && !strcmp(a->job, b->job);
}

/* Is it for this family, or for all of which none has one of its own? */
static bool is_chosen(const struct expect *x, const struct expectation *e, unsigned int family)
{
	if (e->family)
		return e->family == family;
	for (size_t i = 0; family && i < x->n; i++) {
		if (x->e[i].family == family && same_subject(&x->e[i], e))
			return false;
	}
	return true;
}

void expect_choose(struct expect *mine, const struct expect *x, const char *release)
{
	unsigned int family = 0;

	if (release)
		kernel_version_read(release, &family);
	*mine = *x;
	mine->e = xcalloc(x->n, sizeof(*mine->e));
	mine->n = 0;
	for (size_t i = 0; i < x->n; i++) {
		if (is_chosen(x, &x->e[i], family))
			mine->e[mine->n++] = x->e[i];
	}
}

char *expect_section_arg(const struct kase *c, unsigned int family)
{
	struct strbuf arg = STRBUF_INIT;

	if (strcmp(c->scale, CASE_DEFAULT_SCALE) != 0)
		strbuf_addstr(&arg, c->scale);
	if (c->variant)
		strbuf_addf(&arg, "@%s", c->variant);
	if (family)
		strbuf_addf(&arg, ":%u.%u", family >> 16, family & 0xffff);
	return strbuf_detach(&arg, NULL);
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
