/* SPDX-License-Identifier: GPL-2.0-only */
/* The grammar of a patch: headers of files, and hunks counted line by line. */
#include "patch/patchset_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "patch/patchset_name.h"

#define LINES_MAX 1000000000UL
#define GITLINK	  0160000

/* A line without its newline. */
struct span {
	const char *s;
	size_t len;
};

struct reader {
	const char *name; /* of the patch */
	const char *text, *at, *end;
	int line; /* number of what was taken last */
	int strip;
	bool in_hunks; /* what was taken last is of a hunk, or names the file of the next one */
	struct patch_text *t;
};

void patch_text_release(struct patch_text *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->files[i].old_name);
		free(t->files[i].new_name);
		free(t->files[i].hunks);
	}
	free(t->files);
	*t = (struct patch_text)PATCH_TEXT_INIT;
}

static bool begins(struct span l, const char *with)
{
	size_t len = strlen(with);

	return l.len >= len && !memcmp(l.s, with, len);
}

static struct span span_at(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));

	return (struct span){ at, (size_t)((newline ? newline : end) - at) };
}

static const char *behind(struct span l, const char *end)
{
	return l.s + l.len < end ? l.s + l.len + 1 : end;
}

/* The n-th line from here; empty behind the end. */
static struct span peek(const struct reader *r, int n)
{
	struct span l = span_at(r->at, r->end);

	while (n-- > 0)
		l = span_at(behind(l, r->end), r->end);
	return l;
}

static struct span take(struct reader *r)
{
	struct span l = span_at(r->at, r->end);

	r->at = behind(l, r->end);
	r->line++;
	return l;
}

static int complain(const struct reader *r, struct err *err, const char *what)
{
	return err_input(err, "%s:%d: %s", str_escape(r->name), r->line, what);
}

static struct patch_file *last_file(struct reader *r)
{
	return r->t->n ? &r->t->files[r->t->n - 1] : NULL;
}

static struct patch_file *begin_file(struct reader *r, struct span l, bool git)
{
	struct patch_file *f = array_grow(r->t->files, r->t->n);

	if (r->t->n == 1)
		r->t->diff_at = (size_t)(l.s - r->text);
	*f = (struct patch_file){ .git = git, .header = git };
	return f;
}

/* What stands behind the first skip bytes of a header's line is a name. */
static int take_name(struct reader *r, char **name, struct span l, size_t skip, int strip,
		     struct err *err)
{
	const char *why;

	free(*name);
	why = patch_name_read(name, l.s + skip, l.len - skip, strip);
	return why ? complain(r, err, why) : 0;
}

static int begin_git(struct reader *r, struct span l, struct err *err)
{
	size_t skip = strlen("diff --git ");
	struct patch_file *f = begin_file(r, l, true);
	const char *why = patch_name_read_twice(&f->old_name, l.s + skip, l.len - skip, r->strip);

	if (why)
		return complain(r, err, why);
	f->new_name = f->old_name ? xstrdup(f->old_name) : NULL;
	r->in_hunks = true;
	return 0;
}

static int check_mode(struct reader *r, struct span l, size_t skip, struct err *err)
{
	char *text __free(ptr) = xstrndup(l.s + skip, l.len - skip);
	unsigned long type = strtoul(text, NULL, 8) & S_IFMT;

	if (type == GITLINK)
		return complain(r, err, "a submodule cannot come with a patch");
	if (type != S_IFREG && type != S_IFLNK)
		return complain(r, err, "a mode that is neither a file's nor a symbolic link's");
	return 0;
}

/* A line of git's extended header; any other line ends it (f->header is false then). */
static int read_header(struct reader *r, struct patch_file *f, struct span l, struct err *err)
{
	static const char *const modes[] = { "old mode ", "new mode ", "deleted file mode ",
					     "new file mode " };
	/* those of renames and copies have no "a/" or "b/" in front */
	const struct {
		const char *word;
		char **name;
		int strip;
	} names[] = {
		{ "--- ", &f->old_name, r->strip },
		{ "+++ ", &f->new_name, r->strip },
		{ "rename from ", &f->old_name, r->strip ? r->strip - 1 : 0 },
		{ "rename to ", &f->new_name, r->strip ? r->strip - 1 : 0 },
		{ "copy from ", &f->old_name, r->strip ? r->strip - 1 : 0 },
		{ "copy to ", &f->new_name, r->strip ? r->strip - 1 : 0 },
	};
	const char *space;

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		if (begins(l, modes[i]))
			return check_mode(r, l, strlen(modes[i]), err);
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (begins(l, names[i].word))
			return take_name(r, names[i].name, l, strlen(names[i].word), names[i].strip,
					 err);
	}
	if (begins(l, "index ")) {
		space = memchr(l.s + 6, ' ', l.len - 6);
		return space ? check_mode(r, l, (size_t)(space - l.s), err) : 0;
	}
	f->binary = begins(l, "GIT binary patch");
	f->header = begins(l, "similarity index ") || begins(l, "dissimilarity index ");
	return 0;
}

/* "12,3 " or "12 ": two numbers, the second of which is 1 if it is not there. */
static const char *read_range(const char *s, unsigned long *start, unsigned long *count)
{
	char *end;

	*count = 1;
	if (*s < '0' || *s > '9')
		return NULL;
	*start = strtoul(s, &end, 10);
	if (*end == ',') {
		s = end + 1;
		if (*s < '0' || *s > '9')
			return NULL;
		*count = strtoul(s, &end, 10);
	}
	return *end == ' ' && *start <= LINES_MAX && *count <= LINES_MAX ? end + 1 : NULL;
}

/* Count the lines of the hunk whose "@@" line l was just taken. */
static int read_hunk(struct reader *r, struct patch_file *f, struct span l, struct err *err)
{
	struct patch_hunk *h = array_grow(f->hunks, f->n);
	unsigned long olds, news;
	const char *s = read_range(l.s + 4, &h->old_start, &olds);

	h->text = l.s;
	s = s && *s == '+' ? read_range(s + 1, &h->new_start, &news) : NULL;
	if (!s || strncmp(s, "@@", 2) != 0)
		return complain(r, err, "a hunk's line of numbers that is none");
	while (olds || news) {
		bool ended = r->at == r->end;
		char c;

		l = take(r);
		/* mail programs cut the blank off an empty line of context */
		c = l.len && *l.s != '\r' ? *l.s : ' ';
		if (ended || !strchr(" -+\\", c) || (c != '+' && c != '\\' && !olds) ||
		    (c != '-' && c != '\\' && !news))
			return complain(r, err, "a hunk's line is missing or broken");
		olds -= c == ' ' || c == '-';
		news -= c == ' ' || c == '+';
	}
	if (begins(peek(r, 0), "\\ "))
		take(r);
	h->len = (size_t)(r->at - h->text);
	return 0;
}

/* diff -r names what it leaves out in lines that every patch program skips in silence. */
static int check_left_out(struct reader *r, struct span l, struct err *err)
{
	if (begins(l, "Binary files ") && l.len > 7 && !memcmp(l.s + l.len - 7, " differ", 7))
		return complain(r, err, "a binary change without its data");
	if (begins(l, "Only in "))
		return complain(r, err, "a file that diff left out; diff -N takes it in");
	return 0;
}

/* Is l, just taken, the first of the three lines that begin a file in a plain diff? */
static bool begins_plain(const struct reader *r, struct span l)
{
	return begins(l, "--- ") && begins(peek(r, 0), "+++ ") && begins(peek(r, 1), "@@ -");
}

static int read_line(struct reader *r, struct err *err)
{
	struct span l = take(r);
	struct patch_file *f = last_file(r);
	int ret;

	if (begins(l, "diff --git "))
		return begin_git(r, l, err);
	if (f && f->header && !begins(l, "@@ -")) {
		ret = read_header(r, f, l, err);
		if (ret < 0 || f->header || f->binary)
			return ret;
	}
	if (begins_plain(r, l)) {
		f = begin_file(r, l, false);
		ret = take_name(r, &f->old_name, l, 4, r->strip, err);
		if (ret == 0)
			ret = take_name(r, &f->new_name, take(r), 4, r->strip, err);
		r->in_hunks = true;
		return ret;
	}
	if (begins(l, "@@ -") && f && r->in_hunks) {
		f->header = false;
		return read_hunk(r, f, l, err);
	}
	if (begins(l, "@@ -"))
		return complain(r, err, "a hunk of no file");
	r->in_hunks = false;
	return f ? check_left_out(r, l, err) : 0;
}

int patch_text_read(struct patch_text *t, const char *name, const char *text, size_t len, int strip,
		    struct err *err)
{
	struct reader r = { .name = name, .text = text, .at = text, .end = text + len,
			    .strip = strip, .t = t };
	int ret = 0;

	while (ret == 0 && r.at < r.end)
		ret = read_line(&r, err);
	for (size_t i = 0; i < t->n && ret == 0; i++) {
		const struct patch_file *f = &t->files[i];

		if (!f->old_name && !f->new_name)
			ret = err_input(err, "%s: a change of a file without a name",
					str_escape(name));
	}
	if (ret == 0 && !t->n)
		ret = err_input(err, "%s: no diff in it", str_escape(name));
	return ret;
}

bool patch_text_has_diff(const char *text, size_t len)
{
	struct reader r = { .at = text, .end = text + len };

	while (r.at < r.end) {
		struct span l = take(&r);

		if (begins(l, "diff --git ") || begins_plain(&r, l))
			return true;
	}
	return false;
}
