/* SPDX-License-Identifier: GPL-2.0-only */
/* Accepted values as changes of files. */
#include "cmd/expect_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/diff.h"
#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "case/case.h"
#include "case/expect_edit.h"
#include "judge/judge.h"
#include "judge/row.h"
#include "kernel/version.h"
#include "record/record.h"
#include "run/suite.h"

/* What one case's changes are made with. */
struct work {
	const struct run *run;
	const struct kase *c;
	const struct accept_options *o;
	unsigned int family;		/* 0: the sections that apply, whatever they are for */
	struct expect_file *file;
	struct strbuf *out;
};

void expect_files_release(struct expect_files *files)
{
	for (size_t i = 0; i < files->n; i++) {
		free(files->v[i].path);
		free(files->v[i].before);
		strbuf_release(&files->v[i].text);
	}
	free(files->v);
	*files = (struct expect_files)EXPECT_FILES_INIT;
}

/* Variants of a case share a file. */
static struct expect_file *get_file(struct expect_files *files, const struct expect *x)
{
	struct expect_file *f;

	for (size_t i = 0; i < files->n; i++) {
		if (!strcmp(files->v[i].path, x->path))
			return &files->v[i];
	}
	f = array_grow(files->v, files->n);
	*f = (struct expect_file){ .path = xstrdup(x->path), .before = xstrdup(x->text),
				   .text = STRBUF_INIT };
	strbuf_addstr(&f->text, x->text);
	return f;
}

static enum metric_unit unit_of(const struct expectation *e)
{
	return e->alone ? UNIT_RATIO : metric_info(e->metric)->unit;
}

static char *section_name(const struct expectation *e)
{
	char *metric __free(ptr) = row_value_name(e->metric, e->alone);

	return xstrfmt("%s.%s", e->job, metric);
}

static char *kernel_of(const struct run *run)
{
	const char *release = judge_release(run);

	return xstrfmt("%s%s%s", str_escape(run->kernel.name), release && *release ? " " : "",
		       release ? str_escape(release) : "");
}

/* A section of its own for the family begins with all that held for it so far. */
static int split_off(struct work *w, const char *name, const char *from, const char *to,
		     struct err *err)
{
	struct ini ini __release(ini) = INI_INIT;
	struct expect_file *f = w->file;
	int ret = ini_parse(&ini, f->path, f->text.buf, f->text.len, err);
	const struct ini_section *s;

	if (ret)
		return ret;
	s = ini_find(&ini, name, *from ? from : NULL);
	BUG_ON(!s);
	ret = expect_edit_add(&f->text, f->path, name, from, to, err);
	for (size_t i = 0; i < s->n && !ret; i++)
		ret = expect_edit_set(&f->text, f->path, name, to, s->entries[i].key,
				      s->entries[i].value, err);
	return ret;
}

static int set_value(struct work *w, const struct accept_row *row, const char *name,
		     const char *arg, const char *key, double v, int round, struct err *err)
{
	char text[32];

	if (v < 0)
		return 0;
	expect_edit_format(unit_of(row->e), v, round, text);
	return expect_edit_set(&w->file->text, w->file->path, name, arg, key, text, err);
}

static int set_text(struct work *w, const char *name, const char *arg, const char *key,
		    char *value, struct err *err)
{
	int ret = expect_edit_set(&w->file->text, w->file->path, name, arg, key, value, err);

	free(value);
	return ret;
}

static int set_was(struct work *w, const struct accept_row *row, const char *name, const char *arg,
		   struct err *err)
{
	int ret = set_value(w, row, name, arg, "was", row->was, 0, err);

	if (!ret && row->within >= 0)
		ret = set_text(w, name, arg, "within", xstrfmt("%.0f%%", row->within * 100), err);
	if (!ret)
		ret = set_text(w, name, arg, "kernel", kernel_of(w->run), err);
	return ret ? ret : set_text(w, name, arg, "seeds", xstrfmt("%d", row->v->seeds), err);
}

static int set_limit(struct work *w, const struct accept_row *row, const char *name,
		     const char *arg, struct err *err)
{
	char *kernel __free(ptr) = kernel_of(w->run);
	char min[32], max[32];
	int ret = set_value(w, row, name, arg, "limit", row->limit, 1, err);

	if (!ret)
		ret = set_value(w, row, name, arg, "floor", row->floor, -1, err);
	if (ret)
		return ret;
	expect_edit_format(unit_of(row->e), row->v->min, 0, min);
	expect_edit_format(unit_of(row->e), row->v->max, 0, max);
	return set_text(w, name, arg, "why",
			xstrfmt("%s, %d seeds: %s to %s; the worst and %.3g %%", kernel,
				row->v->seeds, min, max, w->o->margin * 100), err);
}

/* "limit 2s -> 2.6s, which allows MORE" */
static void add_bound(struct work *w, const struct accept_row *row, const char *key, double old,
		      double now, int round)
{
	char text[32];

	if (now < 0)
		return;
	strbuf_addf(w->out, "; %s ", key);
	if (old >= 0)
		strbuf_addf(w->out, "%s -> ", expect_edit_format(unit_of(row->e), old, 0, text));
	strbuf_addf(w->out, "%s%s", expect_edit_format(unit_of(row->e), now, round, text),
		    row->looser ? ", which allows MORE" : "");
}

static void add_evidence(struct work *w, const struct accept_row *row, const char *name)
{
	const struct expectation *e = row->e;
	char *kernel __free(ptr) = kernel_of(w->run);
	char value[32], min[32], max[32];

	strbuf_addf(w->out, "# %s %s: %s, %d seeds: %s (%s to %s)", str_escape(w->c->name), name,
		    kernel, row->v->seeds, metric_format(unit_of(e), row->v->value, value),
		    metric_format(unit_of(e), row->v->min, min),
		    metric_format(unit_of(e), row->v->max, max));
	if (e->was >= 0)
		strbuf_addf(w->out, "; accepted so far %s",
			    metric_format(unit_of(e), e->was, value));
	else if (row->was >= 0)
		strbuf_addstr(w->out, "; none accepted so far");
	if (row->within >= 0 && e->within >= 0)
		strbuf_addf(w->out, "; within %.3g%% -> %.0f%%, as its seeds differ by more",
			    e->within * 100, row->within * 100);
	add_bound(w, row, "limit", e->limit, row->limit, 1);
	add_bound(w, row, "floor", e->floor, row->floor, -1);
	strbuf_addch(w->out, '\n');
}

static int change(struct work *w, const struct accept_row *row, struct err *err)
{
	char *name __free(ptr) = section_name(row->e);
	char *from __free(ptr) = expect_section_arg(w->c, row->e->family);
	char *to __free(ptr) = expect_section_arg(w->c, w->family ? w->family : row->e->family);
	int ret = strcmp(from, to) ? split_off(w, name, from, to, err) : 0;

	if (!ret && row->was >= 0)
		ret = set_was(w, row, name, to, err);
	if (!ret && (row->limit >= 0 || row->floor >= 0))
		ret = set_limit(w, row, name, to, err);
	if (!ret)
		add_evidence(w, row, name);
	return ret;
}

/* All changes of one case; what comes out must be an expectation of it still. */
static int change_all(struct work *w, const struct accept *a, struct err *err)
{
	struct expect check __release(expect) = EXPECT_INIT;

	for (size_t i = 0; i < a->n; i++) {
		int ret = change(w, &a->rows[i], err);

		if (ret)
			return ret;
	}
	return expect_parse(&check, w->file->path, w->file->text.buf, w->file->text.len, w->c, err);
}

/* Is the case what it was in the run? True without a boot, too: it has no values then. */
static bool is_same_case(const struct run *run, const struct kase *c)
{
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (!strcmp(b->case_name, c->name))
			return !strcmp(b->case_sha256, c->sha256);
	}
	return true;
}

/* Values that say something: of jobs that were judged, with seeds enough. */
static bool is_of_use(const struct run *run)
{
	for (size_t i = 0; i < run->n_verdicts; i++) {
		const struct verdict *v = &run->verdicts[i];

		for (size_t k = 0; k < v->n_values; k++) {
			if (v->kind != VERDICT_BROKEN && v->kind != VERDICT_SKIPPED &&
			    v->values[k].seeds >= ACCEPT_SEEDS)
				return true;
		}
	}
	return false;
}

static int propose_case(struct expect_files *files, struct work *w, const struct expect *x,
			struct err *err)
{
	struct accept a __release(accept) = ACCEPT_INIT;
	struct expect mine;
	int ret = 0;

	if (!x->path)
		return 0;
	if (!is_same_case(w->run, w->c)) {
		strbuf_addf(w->out, "# %s: not the case that ran, left alone\n",
			    str_escape(w->c->name));
		return 0;
	}
	expect_choose(&mine, x, judge_release(w->run));
	accept_propose(&a, w->run, w->c, &mine, w->o);
	if (a.n) {
		w->file = get_file(files, x);
		ret = change_all(w, &a, err);
	}
	free(mine.e);
	return ret;
}

int expect_files_propose(struct expect_files *files, const struct run *run,
			 const struct suite *suite, const struct accept_options *o, bool family,
			 struct strbuf *out, struct err *err)
{
	struct work w = { .run = run, .o = o, .out = out };
	const char *release = judge_release(run);

	if (!is_of_use(run))
		return err_unable(err, "nothing of run %s can be accepted: no job was judged with "
				  "at least %d seeds", str_escape(run->id), ACCEPT_SEEDS);
	if (family && !kernel_version_read(release ? release : "", &w.family))
		return err_unable(err, "the version of the kernel of run %s is not known",
				  str_escape(run->id));
	for (size_t i = 0; i < suite->n; i++) {
		int ret;

		w.c = &suite->cases[i];
		ret = propose_case(files, &w, &suite->expects[i], err);
		if (ret)
			return ret;
	}
	return 0;
}

void expect_files_diff(const struct expect_files *files, const char *data_dir, struct strbuf *out)
{
	size_t len = strlen(data_dir);

	for (size_t i = 0; i < files->n; i++) {
		const struct expect_file *f = &files->v[i];
		bool below = !strncmp(f->path, data_dir, len) && f->path[len] == '/';

		diff_unified(below ? f->path + len + 1 : f->path, f->before, f->text.buf, out);
	}
}

int expect_files_write(const struct expect_files *files, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < files->n && !ret; i++)
		ret = file_write_atomic(files->v[i].path, files->v[i].text.buf,
					files->v[i].text.len, 0644, err);
	return ret;
}
