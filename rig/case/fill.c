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

#define DAY		(24 * 3600 * NS_PER_S)
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
		.nr_requests = -1, .max_request = -1, .read_ahead = -1, .wbt_latency_ns = -1,
		.max_ratio = -1, .timeout_ns = -1, .line = s->line,
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
int kase_fill_set(struct kase *c, const struct ini *ini, const struct ini_entry *e,
		  const char *name, struct err *err)
{
	struct case_set *set = NULL;
	char *path __free(ptr) = xstrdup(name);
	size_t len = strlen(name);

	if (!len || *name == '.' || !strchr(name, '.') || strstr(name, "..") ||
	    name[len - 1] == '.' || len >= PLAN_TEXT / 2)
		return ini_error(ini, e->line, err, "'%s' is not a sysctl's name",
				 str_escape(name));
	if (!*e->value || strlen(e->value) >= PLAN_TEXT)
		return ini_error(ini, e->line, err, "%s: value is empty or too long",
				 str_escape(e->key));
	for (char *p = path; *p; p++)
		*p = *p == '.' ? '/' : *p;
	for (size_t i = 0; i < c->n_sets && !set; i++)
		set = strcmp(c->sets[i].path, path) == 0 ? &c->sets[i] : NULL;
	if (!set) {
		set = array_grow(c->sets, c->n_sets);
		set->path = no_free_ptr(path);
	}
	free(set->value);
	set->value = xstrdup(e->value);
	set->line = e->line;
	return 0;
}

static int fill_set(struct kase *c, const struct ini *ini, const struct ini_section *s,
		    struct err *err)
{
	if (s->arg)
		return ini_error(ini, s->line, err, "[set] takes no name");
	for (size_t i = 0; i < s->n; i++) {
		int ret = kase_fill_set(c, ini, &s->entries[i], s->entries[i].key, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/* One level below /etc only: nothing that the guest needs can be hidden or become a folder. */
static bool file_path_is_good(const char *path)
{
	static const char folder[] = "/etc/";
	const char *name = path ? path + strlen(folder) : "";

	return path && strncmp(path, folder, strlen(folder)) == 0 && *name && *name != '.' &&
	       strlen(name) <= 100 && strcmp(path, PLAN_PATH) != 0 &&
	       !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				  "0123456789._-")];
}

static int fill_file(struct kase *c, const struct ini *ini, const struct ini_section *s,
		     struct err *err)
{
	struct case_file *file;
	int ret;

	if (!file_path_is_good(s->arg))
		return ini_error(ini, s->line, err, "[file] needs a path /etc/NAME that is not the "
				 "agent's own, of at most 100 of A-Z, a-z, 0-9, ., _ and -");
	if (c->n_files == CASE_FILES)
		return ini_error(ini, s->line, err, "there are more than %d files", CASE_FILES);
	file = array_grow(c->files, c->n_files);
	*file = (struct case_file){ .path = xstrdup(s->arg), .line = s->line };
	ret = keys_read(&kase_file_table, file, ini, s, err);
	if (!ret && !file->text == !file->host)
		ret = ini_error(ini, s->line, err, "[file %s] needs one of the keys 'file' and "
				"'text'", file->path);
	return ret;
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

static int fill_variant(struct kase *c, const struct ini *ini, const struct ini_section *s,
			struct err *err)
{
	if (check_name(ini, s, err) < 0)
		return err->code;
	if (c->variants.n == CASE_VARIANTS)
		return ini_error(ini, s->line, err, "there are more than %d variants",
				 CASE_VARIANTS);
	strvec_push(&c->variants, s->arg);
	return 0;
}

static const struct section_kind {
	const char *name;
	int (*fill)(struct kase *c, const struct ini *ini, const struct ini_section *s,
		    struct err *err);
} section_kinds[] = {
	{ "case", fill_case }, { "set", fill_set },	{ "disk", fill_disk },
	{ "job", fill_job },   { "scale", fill_scale }, { "variant", fill_variant },
	{ "file", fill_file },
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

static int apply_scale(struct kase *c, const struct ini *ini, const char *scale, struct err *err)
{
	const struct ini_section *s = ini_find(ini, "scale", scale);

	c->scale = xstrdup(scale);
	if (!s && strcmp(scale, CASE_DEFAULT_SCALE) != 0)
		return ini_error(ini, 1, err, "there is no [scale %s]", str_escape(scale));
	return s ? kase_override(c, ini, s, err) : 0;
}

/* After the scale: a variant is what the file is about, a scale only how large it gets. */
static int apply_variant(struct kase *c, const struct ini *ini, struct err *err)
{
	const struct ini_section *s = c->variant ? ini_find(ini, "variant", c->variant) : NULL;

	if (c->variant && !s)
		return ini_error(ini, 1, err, "there is no [variant %s]", str_escape(c->variant));
	return s ? kase_override(c, ini, s, err) : 0;
}

/* Jobs that prepare run one after the other, before all others. */
static int64_t latest_end(const struct kase *c)
{
	int64_t latest = 0, before = 0;

	for (size_t i = 0; i < c->n_jobs; i++) {
		const struct case_job *job = &c->jobs[i];
		int64_t end = job->start_ns + job->deadline_ns;

		if (job->role == PLAN_PREPARE)
			before += job->deadline_ns;
		else
			latest = end > latest ? end : latest;
	}
	return before + latest;
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
	if (!ret)
		ret = apply_variant(c, ini, err);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < c->n_jobs; i++)
		alone_resolve(c, &c->jobs[i]);
	if (!c->deadline_ns) {
		c->deadline_ns = latest_end(c) + GUEST_GRACE;
		c->deadline_ns = c->deadline_ns > DAY ? DAY : c->deadline_ns;
	}
	return 0;
}
