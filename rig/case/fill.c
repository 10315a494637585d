/* SPDX-License-Identifier: GPL-2.0-only */
/* A case from its sections, with the numbers of one scale put over the plain ones. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "case/load.h"

#define JOB_DEADLINE	(600 * NS_PER_S)
#define GUEST_GRACE	(60 * NS_PER_S)
/* Disks are found in the guest by the serial "io-NAME", of which IDE takes 20 bytes. */
#define NAME_MAX_LEN	14

static bool name_is_good(const char *name)
{
	return name && *name >= 'a' && *name <= 'z' && strlen(name) <= NAME_MAX_LEN &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

/* "disk hda" of a section's or a scale's name. */
static int check_name(const struct ini *ini, const struct ini_section *s, struct err *err)
{
	if (name_is_good(s->arg))
		return 0;
	return ini_error(ini, s->line, err,
			 "[%s] needs a name of at most %d of a-z, 0-9 and -, a letter first",
			 s->name, NAME_MAX_LEN);
}

static int fill_case(struct kase *c, const struct ini *ini, const struct ini_section *s,
		     struct err *err)
{
	if (s->arg)
		return ini_error(ini, s->line, err, "[case] takes no name");
	return keys_read(&kase_case_table, c, ini, s, err);
}

static int fill_disk(struct kase *c, const struct ini *ini, const struct ini_section *s,
		     struct err *err)
{
	struct case_disk *disk;

	if (check_name(ini, s, err) < 0)
		return err->code;
	disk = array_grow(c->disks, c->n_disks);
	*disk = (struct case_disk){
		.name = xstrdup(s->arg), .scheduler = xstrdup(""), .options = xstrdup(""),
		.nr_requests = -1, .read_ahead = -1, .wbt_latency_ns = -1, .max_ratio = -1,
		.timeout_ns = -1, .line = s->line,
	};
	return keys_read(&kase_disk_table, disk, ini, s, err);
}

static int fill_job(struct kase *c, const struct ini *ini, const struct ini_section *s,
		    struct err *err)
{
	struct case_job *job;

	if (check_name(ini, s, err) < 0)
		return err->code;
	job = array_grow(c->jobs, c->n_jobs);
	*job = (struct case_job){
		.name = xstrdup(s->arg), .deadline_ns = JOB_DEADLINE, .report_ns = -1,
		.report_alone_ns = -1, .line = s->line,
	};
	return keys_read(&kase_job_table, job, ini, s, err);
}

/* "vm.dirty_ratio" is the file vm/dirty_ratio below /proc/sys. */
static int fill_set(struct kase *c, const struct ini *ini, const struct ini_section *s,
		    struct err *err)
{
	if (s->arg)
		return ini_error(ini, s->line, err, "[set] takes no name");
	for (size_t i = 0; i < s->n; i++) {
		const struct ini_entry *e = &s->entries[i];
		struct case_set *set;

		if (*e->key == '.' || !strchr(e->key, '.') || strstr(e->key, "..") ||
		    e->key[strlen(e->key) - 1] == '.' || strlen(e->key) >= PLAN_TEXT / 2)
			return ini_error(ini, e->line, err, "'%s' is not a sysctl's name",
					 str_escape(e->key));
		if (!*e->value || strlen(e->value) >= PLAN_TEXT)
			return ini_error(ini, e->line, err, "%s: value is empty or too long",
					 str_escape(e->key));
		set = array_grow(c->sets, c->n_sets);
		set->path = xstrdup(e->key);
		set->value = xstrdup(e->value);
		set->line = e->line;
		for (char *p = set->path; *p; p++)
			*p = *p == '.' ? '/' : *p;
	}
	return 0;
}

static int fill_scale(struct kase *c, const struct ini *ini, const struct ini_section *s,
		      struct err *err)
{
	if (check_name(ini, s, err) < 0)
		return err->code;
	if (strcmp(s->arg, CASE_DEFAULT_SCALE) == 0)
		return ini_error(ini, s->line, err,
				 "scale '%s' is what the other sections say, it has none",
				 CASE_DEFAULT_SCALE);
	strvec_push(&c->scales, s->arg);
	return 0;
}

static const struct section_kind {
	const char *name;
	int (*fill)(struct kase *c, const struct ini *ini, const struct ini_section *s,
		    struct err *err);
} section_kinds[] = {
	{ "case", fill_case }, { "set", fill_set },	{ "disk", fill_disk },
	{ "job", fill_job },   { "scale", fill_scale },
};

static int fill_section(struct kase *c, const struct ini *ini, const struct ini_section *s,
			struct err *err)
{
	for (size_t i = 0; i < ARRAY_SIZE(section_kinds); i++) {
		if (strcmp(section_kinds[i].name, s->name) == 0)
			return section_kinds[i].fill(c, ini, s, err);
	}
	return ini_error(ini, s->line, err, "unknown section [%s]", str_escape(s->name));
}

static int override_disk(struct kase *c, const char *name, const char *key,
			 const struct ini *ini, const struct ini_entry *e, struct err *err)
{
	const struct case_disk *disk = kase_disk(c, name);

	if (!disk)
		return ini_error(ini, e->line, err, "there is no disk '%s'", str_escape(name));
	return keys_apply(&kase_disk_table, &c->disks[disk - c->disks], ini, e, key, err);
}

static int override_job(struct kase *c, const char *name, const char *key, const struct ini *ini,
			const struct ini_entry *e, struct err *err)
{
	const struct case_job *job = kase_job(c, name);

	if (!job)
		return ini_error(ini, e->line, err, "there is no job '%s'", str_escape(name));
	return keys_apply(&kase_job_table, &c->jobs[job - c->jobs], ini, e, key, err);
}

/* "disk.hda.size", "job.hdd.run" or a key of [case]. */
static int override(struct kase *c, const struct ini *ini, const struct ini_entry *e,
		    struct err *err)
{
	struct strvec part __release(strvec) = STRVEC_INIT;

	strvec_split(&part, e->key, ".");
	if (part.n == 1)
		return keys_apply(&kase_case_table, c, ini, e, part.v[0], err);
	if (part.n == 3 && strcmp(part.v[0], "disk") == 0)
		return override_disk(c, part.v[1], part.v[2], ini, e, err);
	if (part.n == 3 && strcmp(part.v[0], "job") == 0)
		return override_job(c, part.v[1], part.v[2], ini, e, err);
	return ini_error(ini, e->line, err, "'%s' is neither KEY nor disk.NAME.KEY nor "
			 "job.NAME.KEY", str_escape(e->key));
}

static int apply_scale(struct kase *c, const struct ini *ini, const char *scale, struct err *err)
{
	const struct ini_section *s = ini_find(ini, "scale", scale);

	c->scale = xstrdup(scale);
	if (!s && strcmp(scale, CASE_DEFAULT_SCALE) != 0)
		return ini_error(ini, 1, err, "there is no [scale %s]", str_escape(scale));
	for (size_t i = 0; s && i < s->n; i++) {
		int ret = override(c, ini, &s->entries[i], err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/* "case", "case:job", "folder/case:job": the parts, with the folder and job filled in. */
static void resolve_alone(const struct kase *c, struct case_job *job)
{
	char *text __free(ptr) = job->alone_case;
	const char *slash = strrchr(c->name, '/');
	char *colon = text ? strchr(text, ':') : NULL;
	int folder = slash ? (int)(slash + 1 - c->name) : 0;

	if (!text)
		return;
	if (colon)
		*colon = '\0';
	job->alone_job = xstrdup(colon ? colon + 1 : job->name);
	job->alone_case = xstrfmt("%.*s%s", strchr(text, '/') ? 0 : folder, c->name, text);
}

static int64_t latest_end(const struct kase *c)
{
	int64_t latest = 0;

	for (size_t i = 0; i < c->n_jobs; i++) {
		int64_t end = c->jobs[i].start_ns + c->jobs[i].deadline_ns;

		latest = end > latest ? end : latest;
	}
	return latest;
}

int kase_fill(struct kase *c, const struct ini *ini, const char *scale, struct err *err)
{
	int ret;

	c->cpus = 1;
	c->sample_ns = NS_PER_S;
	if (!ini_find(ini, "case", NULL))
		return ini_error(ini, 1, err, "a case needs a [case] section");
	for (size_t i = 0; i < ini->n; i++) {
		ret = fill_section(c, ini, &ini->sections[i], err);
		if (ret < 0)
			return ret;
	}
	ret = apply_scale(c, ini, scale, err);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < c->n_jobs; i++)
		resolve_alone(c, &c->jobs[i]);
	if (!c->deadline_ns)
		c->deadline_ns = latest_end(c) + GUEST_GRACE;
	return 0;
}
