/* SPDX-License-Identifier: GPL-2.0-only */
/* A case file from opening it to the finished struct. */
#include "case/case.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/strbuf.h"
#include "case/load.h"

#define CASE_MAX_BYTES ((size_t)1 << 20)	/* what base/ini.h takes */

static void release_disks(struct kase *c)
{
	for (size_t i = 0; i < c->n_disks; i++) {
		struct case_disk *d = &c->disks[i];

		free(d->name);
		free(d->profile);
		free(d->fs);
		free(d->scheduler);
		free(d->options);
	}
	free(c->disks);
}

static void release_jobs(struct kase *c)
{
	for (size_t i = 0; i < c->n_jobs; i++) {
		struct case_job *j = &c->jobs[i];

		free(j->name);
		free(j->run);
		free(j->sync);
		free(j->alone_case);
		free(j->alone_job);
	}
	free(c->jobs);
}

void kase_release(struct kase *c)
{
	release_disks(c);
	release_jobs(c);
	for (size_t i = 0; i < c->n_sets; i++) {
		free(c->sets[i].path);
		free(c->sets[i].value);
	}
	free(c->sets);
	for (size_t i = 0; i < c->n_files; i++) {
		free(c->files[i].path);
		free(c->files[i].text);
		free(c->files[i].host);
	}
	free(c->files);
	free(c->variant);
	free(c->name);
	free(c->path);
	free(c->title);
	free(c->origin);
	free(c->about);
	free(c->scale);
	free(c->text);
	strvec_release(&c->scales);
	strvec_release(&c->variants);
	strvec_release(&c->bring);
	*c = (struct kase)KASE_INIT;
}

/* One scale and variant: values, then what they mean together. */
static int load_scale(struct kase *c, const struct ini *ini, const char *scale,
		      const char *disks_dir, const struct strvec *applets, struct err *err)
{
	int ret = kase_fill(c, ini, scale, err);

	if (!ret)
		ret = kase_read_files(c, ini, err);
	if (ret < 0)
		return ret;
	alone_pair(c);
	return kase_check(c, ini, disks_dir, applets, err);
}

/* The same file as another scale and variant (NULL = none) of it. */
static int check_other(const struct kase *c, const struct ini *ini, const char *scale,
		       const char *variant, const char *disks_dir, const struct strvec *applets,
		       struct err *err)
{
	struct kase other __release(kase) = KASE_INIT;
	int base = (int)strcspn(c->name, "@");

	other.name = variant ? xstrfmt("%.*s@%s", base, c->name, variant) :
			       xstrndup(c->name, (size_t)base);
	other.variant = variant ? xstrdup(variant) : NULL;
	other.path = xstrdup(c->path);
	return load_scale(&other, ini, scale, disks_dir, applets, err);
}

/* What is not asked for is checked all the same: a file is right as a whole. */
static int check_others(const struct kase *c, const struct ini *ini, const char *disks_dir,
			const struct strvec *applets, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < c->scales.n && !ret; i++) {
		if (strcmp(c->scales.v[i], c->scale) != 0)
			ret = check_other(c, ini, c->scales.v[i], c->variant, disks_dir, applets,
					  err);
	}
	if (!ret && c->variant)
		ret = check_other(c, ini, c->scale, NULL, disks_dir, applets, err);
	for (size_t i = 0; i < c->variants.n && !ret; i++) {
		if (!c->variant || strcmp(c->variants.v[i], c->variant) != 0)
			ret = check_other(c, ini, c->scale, c->variants.v[i], disks_dir, applets,
					  err);
	}
	return ret;
}

/* The file as text in c, and as sections. */
static int read_file(struct kase *c, struct ini *ini, struct err *err)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	int ret = file_read(c->path, CASE_MAX_BYTES, &text, err);

	if (ret < 0) {
		err->kind = ERR_INPUT;
		return err_wrap(err, "%s:1", str_escape(c->path));
	}
	ret = ini_parse(ini, c->path, text.buf, text.len, err);
	/* no NUL in it, else the parser had refused it */
	if (!ret)
		c->text = strbuf_detach(&text, NULL);
	return ret;
}

static void hash_text(struct kase *c)
{
	struct hash hash;

	hash_init(&hash);
	hash_add_str(&hash, c->text);
	hash_add_str(&hash, c->scale);
	if (c->variant)
		hash_add_str(&hash, c->variant);
	for (size_t i = 0; i < c->n_files; i++)
		hash_add_str(&hash, c->files[i].text);
	hash_hex(&hash, c->sha256);
}

int kase_read(struct kase *c, const char *path, const char *name, const char *scale,
	      const char *disks_dir, const struct strvec *applets, struct err *err)
{
	struct ini ini __release(ini) = INI_INIT;
	const char *at = strchr(name, '@');
	int ret;

	*c = (struct kase)KASE_INIT;
	c->variant = at ? xstrdup(at + 1) : NULL;
	c->name = xstrdup(name);
	c->path = xstrdup(path);
	ret = read_file(c, &ini, err);
	if (!ret)
		ret = load_scale(c, &ini, scale, disks_dir, applets, err);
	if (!ret)
		ret = check_others(c, &ini, disks_dir, applets, err);
	if (ret < 0) {
		kase_release(c);
		return ret;
	}
	hash_text(c);
	return 0;
}

const struct case_job *kase_job(const struct kase *c, const char *name)
{
	for (size_t i = 0; i < c->n_jobs; i++) {
		if (strcmp(c->jobs[i].name, name) == 0)
			return &c->jobs[i];
	}
	return NULL;
}

const struct case_disk *kase_disk(const struct kase *c, const char *name)
{
	for (size_t i = 0; i < c->n_disks; i++) {
		if (strcmp(c->disks[i].name, name) == 0)
			return &c->disks[i];
	}
	return NULL;
}

static const struct kase *find_case(const struct kase *cases, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(cases[i].name, name) == 0)
			return &cases[i];
	}
	return NULL;
}

int kase_check_alone(const struct kase *cases, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct kase *c = &cases[i];

		for (size_t k = 0; k < c->n_jobs; k++) {
			const struct case_job *job = &c->jobs[k];
			const struct kase *alone;

			if (!job->alone_case)
				continue;
			alone = find_case(cases, n, job->alone_case);
			if (!alone)
				BUG("case '%s' is not among the cases", job->alone_case);
			if (!kase_job(alone, job->alone_job))
				return err_input(err, "%s:%d: job '%s': alone: case '%s' has no "
						 "job '%s'", str_escape(c->path), job->line,
						 job->name, alone->name,
						 str_escape(job->alone_job));
		}
	}
	return 0;
}

static void add_feature(struct strvec *features, const char *word)
{
	if (*word && !strvec_has(features, word))
		strvec_push(features, word);
}

void kase_features(const struct kase *c, struct strvec *features)
{
	for (size_t i = 0; i < c->n_disks; i++) {
		const struct case_disk *d = &c->disks[i];

		add_feature(features, machine_bus_name(d->bus));
		add_feature(features, d->fs);
		if (strcmp(d->scheduler, "none") != 0)
			add_feature(features, d->scheduler);
	}
}
