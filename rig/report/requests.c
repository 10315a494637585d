/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading a log of requests. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "record/record.h"
#include "report/requests.h"

#define FIELDS 5	/* numbers of a line that are kept: offset, length, issued, started, done */
#define READ_BYTES 65536

static bool word(const char **p, const char *end, const char **start, size_t *len)
{
	*start = *p;
	while (*p < end && **p != ' ')
		(*p)++;
	*len = (size_t)(*p - *start);
	if (*p < end)
		(*p)++;
	return *len > 0;
}

/* A number that is not negative and no greater than INT64_MAX. */
static bool number(const char **p, const char *end, int64_t *v)
{
	const char *s;
	size_t len;
	int64_t n = 0;

	if (!word(p, end, &s, &len) || len > 18)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		n = n * 10 + (s[i] - '0');
	}
	*v = n;
	return true;
}

static int disk_of(const struct boot *b, const char *name, size_t len)
{
	for (size_t i = 0; i < b->n_disks && i < MSG_DISKS; i++)
		if (strlen(b->disks[i].name) == len && !memcmp(b->disks[i].name, name, len))
			return (int)i;
	return -1;
}

static bool is_word(const char *s, size_t len, const char *wanted)
{
	return strlen(wanted) == len && !memcmp(s, wanted, len);
}

static enum request_op op_of(const char *s, size_t len)
{
	if (is_word(s, len, "read"))
		return REQUEST_READ;
	return is_word(s, len, "write") || is_word(s, len, "fua") ? REQUEST_WRITE : REQUEST_OTHER;
}

static void parse_line(struct requests *r, const char *p, const char *end, const struct boot *b)
{
	const char *name, *op;
	size_t name_len, op_len;
	int64_t v[FIELDS];
	bool good;
	int disk;

	good = word(&p, end, &name, &name_len) && word(&p, end, &op, &op_len);
	disk = good ? disk_of(b, name, name_len) : -1;
	for (int i = 0; i < FIELDS && good; i++)
		good = number(&p, end, &v[i]);
	if (!good || disk < 0 || v[2] > v[4]) {
		r->bad++;
		return;
	}
	if (r->n == r->alloc) {
		r->alloc = r->alloc ? r->alloc * 2 : 1024;
		r->v = xreallocarray(r->v, r->alloc, sizeof(*r->v));
	}
	r->v[r->n++] = (struct request){
		.offset = v[0], .length = v[1], .issued = v[2], .done = v[4],
		.disk = (uint8_t)disk, .op = (uint8_t)op_of(op, op_len),
	};
}

/* Whole lines only; returns how many bytes they were. */
static size_t parse_lines(struct requests *r, const char *text, size_t len, const struct boot *b)
{
	const char *p = text, *end = text + len, *nl;

	while (p < end && (nl = memchr(p, '\n', (size_t)(end - p)))) {
		parse_line(r, p, nl, b);
		p = nl + 1;
	}
	return (size_t)(p - text);
}

void requests_parse(struct requests *r, const char *text, size_t len, const struct boot *b)
{
	/* what stands behind the last newline was being written when the boot ended */
	if (parse_lines(r, text, len, b) < len)
		r->bad++;
}

int requests_read(struct requests *r, const char *path, const struct boot *b, struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	size_t total = 0;
	ssize_t n;

	if (access(path, F_OK))
		return 0;
	int fd __free(fd) = file_open(path, err);
	if (fd < 0)
		return fd;
	for (;;) {
		strbuf_reserve(&sb, READ_BYTES);
		n = read(fd, sb.buf + sb.len, READ_BYTES);
		if (n < 0)
			return err_sys(err, -errno, "reading '%s'", str_escape(path));
		if (!n)
			break;
		strbuf_grown(&sb, (size_t)n);
		total += (size_t)n;
		strbuf_consume(&sb, parse_lines(r, sb.buf, sb.len, b));
		if (total >= REQUESTS_BYTES || sb.len > READ_BYTES) {
			r->cut = true;
			break;
		}
	}
	r->bad += sb.len > 0;
	return 0;
}

void requests_release(struct requests *r)
{
	free(r->v);
	*r = (struct requests)REQUESTS_INIT;
}
