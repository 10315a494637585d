/* SPDX-License-Identifier: GPL-2.0-only */
/* Collecting patches from files, mboxes and folders. */
#include "patch/patchset.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "patch/patchset_mail.h"
#include "patch/patchset_text.h"
#include "kernel/version.h"

#define PATCHES_MAX ((size_t)1000)
#define BYTES_MAX   ((size_t)64 << 20)
#define SERIES_MAX  ((size_t)1 << 20)
#define SUFFIX	    ".patch"

static void drop(struct patch *p)
{
	free(p->name);
	free(p->subject);
	free(p->text);
	free(p->forms);
}

void patchset_release(struct patchset *set)
{
	for (size_t i = 0; i < set->n; i++)
		drop(&set->patches[i]);
	free(set->patches);
	*set = (struct patchset)PATCHSET_INIT;
}

/* Check the text and append it; *text is taken over if all is well. subject: NULL to find it. */
static int append(struct patchset *set, const char *name, char **text, size_t len,
		  const char *subject, int strip, struct err *err)
{
	struct patch_text t __release(patch_text) = PATCH_TEXT_INIT;
	struct patch *p;
	int ret = patch_text_read(&t, name, *text, len, strip, err);

	if (ret < 0)
		return ret;
	if (set->n >= PATCHES_MAX || len > BYTES_MAX - set->bytes)
		return err_input(err, "%s: more than %zu patches or %zu MiB of them",
				 str_escape(name), PATCHES_MAX, BYTES_MAX >> 20);
	p = array_grow(set->patches, set->n);
	p->name = xstrdup(name);
	p->subject = subject && *subject ? patch_text_clean_subject(subject, strlen(subject))
					 : patch_text_subject(*text, t.diff_at, name);
	p->text = no_free_ptr(*text);
	p->len = len;
	p->strip = strip;
	hash_mem(p->text, len, p->sha256);
	set->bytes += len;
	return 0;
}

static int append_mails(struct patchset *set, const char *name, const struct strbuf *sb, int strip,
			struct err *err)
{
	struct mbox m __release(mbox) = MBOX_INIT;
	int ret = mbox_read(&m, name, sb->buf, sb->len, err);

	for (size_t i = 0; i < m.n && ret == 0; i++) {
		struct mail *mail = &m.mails[i];
		char *one __free(ptr) = m.messages > 1 ? xstrfmt("%s:%d", name, mail->number)
						       : xstrdup(name);

		ret = append(set, one, &mail->text, mail->len, mail->subject, strip, err);
	}
	return ret;
}

static int add_file(struct patchset *set, const char *path, int strip, struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	const char *name = path_base(path);
	struct err failed = ERR_INIT;
	char *text __free(ptr) = NULL;
	size_t len;

	if (file_read(path, BYTES_MAX, &sb, &failed) < 0)
		return err_input(err, "%s", failed.msg);
	if (memchr(sb.buf, '\0', sb.len))
		return err_input(err, "%s: no text; unpack it first if it is compressed",
				 str_escape(path));
	patch_text_unix(&sb);
	if (mbox_is_mail(sb.buf))
		return append_mails(set, name, &sb, strip, err);
	text = strbuf_detach(&sb, &len);
	return append(set, name, &text, len, NULL, strip, err);
}

/* Neither the name nor a symbolic link may lead out of the folder. */
static int check_inside(const char *dir, const char *path, struct err *err)
{
	char *real_dir __free(ptr) = realpath(dir, NULL), *real __free(ptr) = realpath(path, NULL);
	size_t len = real_dir ? strlen(real_dir) : 0;

	if (!real)
		return err_input(err, "no such file: '%s'", str_escape(path));
	if (!len || strncmp(real, real_dir, len) || (real[len] != '/' && real_dir[len - 1] != '/'))
		return err_input(err, "'%s' is outside of the folder", str_escape(path));
	return 0;
}

/* A line of a series file: a name, perhaps "-p1", perhaps a comment. */
static int add_series_line(struct patchset *set, const char *dir, char *line, struct err *err)
{
	struct strvec words __release(strvec) = STRVEC_INIT;
	char *path __free(ptr) = NULL;
	int strip = 1, ret;

	/* as in quilt, a comment begins at the start or behind a blank */
	for (char *c = strchr(line, '#'); c; c = strchr(c + 1, '#')) {
		if (c == line || isspace((unsigned char)c[-1])) {
			*c = '\0';
			break;
		}
	}
	strvec_split(&words, line, " \t\r");
	if (!words.n)
		return 0;
	for (size_t i = 1; i < words.n; i++) {
		const char *w = words.v[i];

		if (strncmp(w, "-p", 2) || !isdigit((unsigned char)w[2]) || w[3])
			return err_input(err, "unknown word '%s' behind the patch's name",
					 str_escape(w));
		strip = w[2] - '0';
	}
	path = path_join(dir, words.v[0]);
	ret = check_inside(dir, path, err);
	return ret < 0 ? ret : add_file(set, path, strip, err);
}

static int add_series(struct patchset *set, const char *dir, const char *series, struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	size_t before = set->n;
	int n = 0, ret = file_read(series, SERIES_MAX, &sb, err);

	if (ret < 0)
		return ret;
	for (char *line = sb.buf, *next; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		n++;
		ret = add_series_line(set, dir, line, err);
		if (ret < 0)
			return err_wrap(err, "%s:%d", str_escape(series), n);
	}
	if (set->n == before)
		return err_input(err, "%s: no patch in the series", str_escape(series));
	return 0;
}

/* The version that a file's name stands for, 0 if it is no such name. */
static unsigned int form_version(const char *file)
{
	unsigned int version = 0;
	const char *rest = kernel_version_read(file, &version);

	return rest && !strcmp(rest, SUFFIX) ? version : 0;
}

static int add_folder(struct patchset *set, const char *dir, struct err *err)
{
	char *series __free(ptr) = path_join(dir, "series");
	struct strvec files __release(strvec) = STRVEC_INIT;
	bool forms = true;
	int ret;

	if (path_is_file(series))
		return add_series(set, dir, series, err);
	ret = dir_list(dir, SUFFIX, &files, err);
	if (ret < 0)
		return ret;
	if (!files.n)
		return err_input(err, "%s: neither a series file nor a *" SUFFIX " in it",
				 str_escape(dir));
	strvec_each(file, &files)
		forms = forms && form_version(*file);
	strvec_each(file, &files) {
		char *path __free(ptr) = path_join(dir, *file);
		size_t first = set->n;

		ret = add_file(set, path, 1, err);
		if (ret < 0)
			return err_wrap(err, "%s", str_escape(dir));
		for (size_t i = first; forms && i < set->n; i++) {
			set->patches[i].forms = xstrdup(dir);
			set->patches[i].version = form_version(*file);
		}
	}
	return 0;
}

int patchset_add(struct patchset *set, const char *path, struct err *err)
{
	return path_is_dir(path) ? add_folder(set, path, err) : add_file(set, path, 1, err);
}

/* The newest version in the folder's forms that is not newer than the kernel; 0 if none. */
static unsigned int best_version(const struct patchset *set, const char *forms, unsigned int kernel)
{
	unsigned int best = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct patch *p = &set->patches[i];

		if (p->forms && !strcmp(p->forms, forms) && p->version <= kernel)
			best = p->version > best ? p->version : best;
	}
	return best;
}

static int no_form(const struct patchset *set, const char *forms, const char *version,
		   struct err *err)
{
	struct strbuf there __release(strbuf) = STRBUF_INIT;

	for (size_t i = 0; i < set->n; i++) {
		const struct patch *p = &set->patches[i];

		if (p->forms && !strcmp(p->forms, forms))
			strbuf_addf(&there, "%s%u.%u", there.len ? ", " : "", p->version >> 16,
				    p->version & 0xffff);
	}
	return err_unable(err, "'%s' has no patch for Linux %s, only for %s and later",
			  str_escape(forms), str_escape(version), there.buf);
}

/* Keep the forms for this kernel and all that has no forms, in their order. */
static void keep_best(struct patchset *set, unsigned int kernel)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->n; i++) {
		struct patch p = set->patches[i];

		/* best_version() still has to see all: swap what goes behind what stays */
		if (!p.forms || p.version == best_version(set, p.forms, kernel)) {
			set->patches[i] = set->patches[kept];
			set->patches[kept++] = p;
		}
	}
	while (set->n > kept) {
		struct patch *p = &set->patches[--set->n];

		set->bytes -= p->len;
		drop(p);
	}
	for (size_t i = 0; i < kept; i++) {
		free(set->patches[i].forms);
		set->patches[i].forms = NULL;
	}
}

int patchset_choose(struct patchset *set, const char *version, struct err *err)
{
	unsigned int kernel = 0;

	for (size_t i = 0; i < set->n; i++) {
		const char *forms = set->patches[i].forms;

		if (!forms)
			continue;
		if (!kernel_version_read(version, &kernel))
			return err_input(err, "no version of a kernel: '%s'", str_escape(version));
		if (!best_version(set, forms, kernel))
			return no_form(set, forms, version, err);
	}
	keep_best(set, kernel);
	return 0;
}
