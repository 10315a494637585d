/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading what git apply and patch say about a patch that does not fit. */
#include "patch/patchset_why.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/proc.h"
#include "patch/patchset.h"
#include "patch/patchset_git.h"
#include "patch/patchset_text.h"

#define SHOWN_LINES 40
#define SHOWN_BYTES ((size_t)300)
#define FUZZ_MAX    3

/* The place that git apply named: "error: patch failed: mm/x.c:120". */
struct place {
	const struct patch_file *file;
	const struct patch_hunk *hunk;
	size_t number; /* of the hunk in its file, from 1 */
};

static const char *name_of(const struct patch_file *f)
{
	return f->new_name ? f->new_name : f->old_name;
}

static bool is_named(const struct patch_file *f, const char *name)
{
	return (f->old_name && !strcmp(f->old_name, name)) ||
	       (f->new_name && !strcmp(f->new_name, name));
}

/* The first line of printed that begins with word; returns a fresh copy of its rest, or NULL. */
static char *line_after(const char *printed, const char *word)
{
	for (const char *s = printed; s; s = strchr(s, '\n')) {
		s += *s == '\n';
		if (!strncmp(s, word, strlen(word)))
			return xstrndup(s + strlen(word), strcspn(s + strlen(word), "\n"));
		if (!*s)
			break;
	}
	return NULL;
}

static bool find_place(const struct patch_text *t, const char *printed, struct place *place)
{
	char *name __free(ptr) = line_after(printed, "error: patch failed: ");
	char *colon = name ? strrchr(name, ':') : NULL;
	unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;

	if (!colon)
		return false;
	*colon = '\0';
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < t->files[i].n && is_named(&t->files[i], name); k++) {
			if (t->files[i].hunks[k].old_start != line)
				continue;
			*place = (struct place){ &t->files[i], &t->files[i].hunks[k], k + 1 };
			return true;
		}
	}
	return false;
}

/* How many files git apply could not change. */
static int count_failed(const char *printed)
{
	int n = 0;

	for (const char *s = printed; (s = strstr(s, "patch does not apply\n")); s++)
		n++;
	return n;
}

static int is_applied(const struct patch *p, const char *tree, bool *applied, struct err *err)
{
	struct proc proc __release(proc) = PROC_INIT;
	struct strbuf ignored __release(strbuf) = STRBUF_INIT;
	int status, ret = patch_git_init(&proc, err);

	if (ret < 0)
		return ret;
	strvec_pushl(&proc.argv, "apply", "--check", "-R", "--whitespace=nowarn", NULL);
	strvec_pushf(&proc.argv, "-p%d", p->strip);
	proc.dir = tree;
	ret = patch_git_feed(&proc, p->text, p->len, &status, NULL, &ignored, err);
	*applied = ret == 0 && status == 0;
	return ret;
}

/* What patch --dry-run prints about the hunk: its fuzz, or 0 if it does not fit with any. */
static int fuzz_of(const char *printed, const struct place *place)
{
	char *hunk __free(ptr) = xstrfmt("Hunk #%zu succeeded at ", place->number);
	const char *name = name_of(place->file);
	bool here = false;

	for (const char *s = printed, *next; *s; s = next) {
		const char *fuzz;

		next = s + strcspn(s, "\n");
		next += *next == '\n';
		if (!strncmp(s, "checking file ", 14)) {
			s += 14 + (s[14] == '\'');
			here = !strncmp(s, name, strlen(name)) &&
			       strchr("\n' ", s[strlen(name)]);
		} else if (here && !strncmp(s, hunk, strlen(hunk))) {
			fuzz = memmem(s, (size_t)(next - s), "with fuzz ", 10);
			return fuzz ? atoi(fuzz + 10) : 0;
		}
	}
	return 0;
}

/* Would the hunk fit with fuzz? Without a patch program nobody knows: 0. */
static int find_fuzz(const struct patch *p, const char *tree, const struct place *place, int *fuzz,
		     struct err *err)
{
	struct proc proc __release(proc) = PROC_INIT;
	struct strbuf out __release(strbuf) = STRBUF_INIT, errors __release(strbuf) = STRBUF_INIT;
	char *program __free(ptr) = proc_find("patch");
	int status, ret;

	*fuzz = 0;
	if (!program)
		return 0;
	strvec_pushl(&proc.argv, program, "--dry-run", "--force", "--unified", NULL);
	strvec_pushf(&proc.argv, "--fuzz=%d", FUZZ_MAX);
	strvec_pushf(&proc.argv, "-p%d", p->strip);
	strvec_pushl(&proc.env, "LC_ALL=C", "PATCH_GET=0", "POSIXLY_CORRECT", "QUOTING_STYLE",
		     NULL);
	proc.dir = tree;
	ret = patch_git_feed(&proc, p->text, p->len, &status, &out, &errors, err);
	if (ret == 0)
		*fuzz = fuzz_of(out.buf, place);
	return ret;
}

/* A line of a hunk for people: kernel code is full of tabs, which an escape makes unreadable. */
static void show_line(const char *s, size_t len, struct strvec *notes)
{
	struct strbuf plain __release(strbuf) = STRBUF_INIT, shown __release(strbuf) = STRBUF_INIT;

	for (size_t i = 0; i < len && plain.len < SHOWN_BYTES; i++) {
		strbuf_addch(&plain, s[i] == '\t' ? ' ' : s[i]);
		/* the first column is the hunk's, the code's tab stops begin behind it */
		while (s[i] == '\t' && plain.len % 8 != 1)
			strbuf_addch(&plain, ' ');
	}
	strbuf_add_escaped(&shown, plain.buf, plain.len, SHOWN_BYTES);
	strvec_push(notes, shown.buf);
}

static void show_hunk(const struct patch_hunk *h, struct strvec *notes)
{
	const char *s = h->text, *end = h->text + h->len;

	for (int left = SHOWN_LINES; s < end && left > 0; left--) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));

		show_line(s, (size_t)((newline ? newline : end) - s), notes);
		s = newline ? newline + 1 : end;
	}
	if (s < end)
		strvec_push(notes, "...");
}

static int misfit(const struct patch *p, const char *tree, const struct place *place, int failed,
		  struct strvec *notes, struct err *err)
{
	char *more __free(ptr) = failed > 1 ? xstrfmt(" (and %d more file%s)", failed - 1,
						      failed > 2 ? "s" : "")
					    : xstrdup("");
	char *why __free(ptr) = NULL;
	int fuzz, ret = find_fuzz(p, tree, place, &fuzz, err);

	if (ret < 0)
		return ret;
	why = fuzz ? xstrfmt("needs fuzz %d", fuzz) : xstrdup("context not found");
	show_hunk(place->hunk, notes);
	return err_input(err, "'%s' does not apply: %s: hunk %zu (line %lu): %s%s",
			 str_escape(p->name), str_escape(name_of(place->file)), place->number,
			 place->hunk->old_start, why, more);
}

int patch_why(const struct patch *p, const char *tree, const char *printed, struct strvec *notes,
	      struct err *err)
{
	struct patch_text t __release(patch_text) = PATCH_TEXT_INIT;
	char *said __free(ptr) = NULL;
	struct place place;
	bool applied = false;
	int ret = patch_text_read(&t, p->name, p->text, p->len, p->strip, err);

	if (ret == 0)
		ret = is_applied(p, tree, &applied, err);
	if (ret < 0)
		return ret;
	if (applied)
		return err_input(err, "'%s' does not apply: already applied", str_escape(p->name));
	if (find_place(&t, printed, &place))
		return misfit(p, tree, &place, count_failed(printed), notes, err);
	said = line_after(printed, "error: ");
	return err_input(err, "'%s' does not apply: %s", str_escape(p->name),
			 said ? str_escape(said) : "git apply does not say why");
}
