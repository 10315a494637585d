/* SPDX-License-Identifier: GPL-2.0-only */
/* Mails with patches, taken apart by git. */
#include "patch/patchset_mail.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "patch/patchset_git.h"
#include "patch/patchset_text.h"

#define MESSAGES_MAX 10000
#define BYTES_MAX    ((size_t)64 << 20)

void mbox_release(struct mbox *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->mails[i].subject);
		free(m->mails[i].text);
	}
	free(m->mails);
	*m = (struct mbox)MBOX_INIT;
}

/* The length of the header's field that s begins with, with its continuation; 0 if it is none. */
static size_t field_len(const char *s)
{
	size_t name = strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-");
	size_t len = name && s[name] == ':' ? strcspn(s, "\n") : 0;

	while (len && s[len] && (s[len + 1] == ' ' || s[len + 1] == '\t'))
		len += 1 + strcspn(s + len + 1, "\n");
	return len && s[len] ? len + 1 : len;
}

/* The value of a field of the header, up to the end of its line; NULL if it is not there. */
static const char *header_field(const char *text, const char *name)
{
	size_t name_len = strlen(name), len;

	if (!strncmp(text, "From ", 5))
		text += strcspn(text, "\n") + (strchr(text, '\n') != NULL);
	for (; (len = field_len(text)); text += len) {
		if (!strncasecmp(text, name, name_len) && text[name_len] == ':')
			return text + name_len + 1 + strspn(text + name_len + 1, " \t");
	}
	return NULL;
}

bool mbox_is_mail(const char *text)
{
	return header_field(text, "From") &&
	       (header_field(text, "Subject") || header_field(text, "Date"));
}

/* Is the body written in another way than it is meant? */
static bool is_encoded(const char *text)
{
	const char *encoding = header_field(text, "Content-Transfer-Encoding");
	const char *type = header_field(text, "Content-Type");

	return (encoding && (!strncasecmp(encoding, "base64", 6) ||
			     !strncasecmp(encoding, "quoted-printable", 16))) ||
	       (type && !strncasecmp(type, "multipart/", 10));
}

/* git mailsplit: dir/0001 and so on, as they are in the text. */
static int split(const char *dir, const char *name, const char *text, size_t len, struct err *err)
{
	struct proc p __release(proc) = PROC_INIT;
	struct strbuf count __release(strbuf) = STRBUF_INIT;
	int status, ret = patch_git_init(&p, err);

	if (ret < 0)
		return ret;
	strvec_pushl(&p.argv, "mailsplit", "-b", "--keep-cr", NULL);
	strvec_pushf(&p.argv, "-o%s", dir);
	ret = patch_git_feed(&p, text, len, &status, &count, NULL, err);
	if (ret == 0 && (status || atoi(count.buf) < 1 || atoi(count.buf) > MESSAGES_MAX))
		ret = err_input(err, "%s: no mbox of at most %d messages", str_escape(name),
				MESSAGES_MAX);
	return ret;
}

/* The Subject in what git mailinfo prints. */
static char *info_subject(const char *info)
{
	const char *s = header_field(info, "Subject");

	return s ? xstrndup(s, strcspn(s, "\n")) : xstrdup("");
}

/*
 * git mailinfo of one message: its subject, and into decoded what git am would make a commit of:
 * the text, and the part with the diff.
 */
static int decode(const char *dir, const struct strbuf *raw, char **subject, struct strbuf *decoded,
		  struct err *err)
{
	char *text __free(ptr) = path_join(dir, "text"), *diff __free(ptr) = path_join(dir, "diff");
	struct proc p __release(proc) = PROC_INIT;
	struct strbuf info __release(strbuf) = STRBUF_INIT;
	int status, ret = patch_git_init(&p, err);

	if (ret < 0)
		return ret;
	strvec_pushl(&p.argv, "mailinfo", "-k", text, diff, NULL);
	ret = patch_git_feed(&p, raw->buf, raw->len, &status, &info, NULL, err);
	if (ret < 0)
		return ret;
	if (status)
		return err_input(err, "git mailinfo cannot read it");
	*subject = info_subject(info.buf);
	strbuf_addf(decoded, "Subject: %s\n\n", *subject);
	ret = file_read(text, BYTES_MAX, decoded, err);
	if (ret == 0)
		ret = file_read(diff, BYTES_MAX, decoded, err);
	patch_text_unix(decoded);
	return ret;
}

static int add_message(struct mbox *m, const char *dir, const char *file, struct err *err)
{
	char *path __free(ptr) = path_join(dir, file), *subject __free(ptr) = NULL;
	struct strbuf raw __release(strbuf) = STRBUF_INIT, decoded __release(strbuf) = STRBUF_INIT;
	struct strbuf *sb = &raw;
	struct mail *mail;
	int ret = file_read(path, BYTES_MAX, &raw, err);

	m->messages++;
	if (ret == 0)
		ret = decode(dir, &raw, &subject, &decoded, err);
	if (ret < 0)
		return err_wrap(err, "message %zu", m->messages);
	if (is_encoded(raw.buf))
		sb = &decoded;
	if (!patch_text_has_diff(sb->buf, sb->len))
		return 0;
	mail = array_grow(m->mails, m->n);
	mail->number = (int)m->messages;
	mail->subject = no_free_ptr(subject);
	mail->text = strbuf_detach(sb, &mail->len);
	return 0;
}

/* "[RFC PATCH v2 2/3] mm: ...": true with 2 and 3. */
static bool numbers(const char *subject, int *i, int *of)
{
	const char *end = subject;

	while (*end == '[' || !strncasecmp(end, "re:", 3)) {
		const char *close = *end == '[' ? strchr(end, ']') : end + 2;

		for (const char *s = end; close && s < close; s++) {
			if (isdigit((unsigned char)*s) && !isdigit((unsigned char)s[-1]) &&
			    sscanf(s, "%5d/%5d", i, of) == 2)
				return true;
		}
		if (!close)
			return false;
		end = close + 1 + strspn(close + 1, " ");
	}
	return false;
}

static int by_number(const void *a, const void *b)
{
	int i = 0, j = 0, of;

	numbers(((const struct mail *)a)->subject, &i, &of);
	numbers(((const struct mail *)b)->subject, &j, &of);
	return i - j;
}

/* Sort the mails if all of them tell their place in one series, and see that all are there. */
static int sort(struct mbox *m, const char *name, struct err *err)
{
	int i, of, total = 0;

	for (size_t k = 0; k < m->n; k++) {
		if (!numbers(m->mails[k].subject, &i, &of) || (total && of != total))
			return 0;
		total = of;
	}
	qsort(m->mails, m->n, sizeof(*m->mails), by_number);
	for (size_t k = 0; k < m->n; k++) {
		numbers(m->mails[k].subject, &i, &of);
		if (i != (int)k + 1)
			return err_input(err, "%s: patch %d of %d is %s", str_escape(name),
					 i > (int)k + 1 ? (int)k + 1 : i, total,
					 i > (int)k + 1 ? "missing" : "there twice");
	}
	if ((int)m->n != total)
		return err_input(err, "%s: patch %zu of %d is missing", str_escape(name), m->n + 1,
				 total);
	return 0;
}

static int read_all(struct mbox *m, const char *dir, const char *name, const char *text, size_t len,
		    struct err *err)
{
	struct strvec files __release(strvec) = STRVEC_INIT;
	int ret = split(dir, name, text, len, err);

	if (ret == 0)
		ret = dir_list(dir, NULL, &files, err);
	for (size_t i = 0; i < files.n && ret == 0; i++) {
		ret = add_message(m, dir, files.v[i], err);
		if (ret < 0)
			return err_wrap(err, "%s", str_escape(name));
	}
	return ret;
}

int mbox_read(struct mbox *m, const char *name, const char *text, size_t len, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	char *prefix __free(ptr) = path_join(tmp && *tmp ? tmp : "/tmp", "iorig-mail-");
	char *dir __free(ptr) = NULL;
	struct err ignored = ERR_INIT;
	int ret = dir_temp(prefix, &dir, err);

	if (ret < 0)
		return ret;
	ret = read_all(m, dir, name, text, len, err);
	dir_remove(dir, &ignored);
	if (ret < 0)
		return ret;
	if (!m->n)
		return err_input(err, "%s: no message in it has a diff", str_escape(name));
	/* one message alone may be any of its series: it was chosen */
	return m->messages > 1 && m->n > 1 ? sort(m, name, err) : 0;
}
