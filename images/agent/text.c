/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading and writing the one-value files of proc and sysfs. */
#include "agent/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLANKS " \t\n"

ssize_t text_reread(int fd, char *buf, size_t cap)
{
	size_t len = 0;
	ssize_t n;

	/* seq_file gives at most a page at a time */
	while (len < cap - 1) {
		n = pread(fd, buf + len, cap - 1 - len, len);
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += n;
	}
	buf[len] = '\0';
	return len;
}

ssize_t text_read(const char *path, char *buf, size_t cap)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = text_reread(fd, buf, cap);
	close(fd);
	return n;
}

int text_read_line(const char *path, char *buf, size_t cap)
{
	ssize_t n = text_read(path, buf, cap);

	if (n < 0)
		return n;
	buf[strcspn(buf, "\n")] = '\0';
	text_trim(buf);
	return 0;
}

int64_t text_read_number(const char *path)
{
	char buf[64];
	int64_t value;

	if (text_read_line(path, buf, sizeof(buf)) < 0 || text_numbers(buf, &value, 1) != 1)
		return -1;
	return value;
}

int text_write(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int error = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, value, strlen(value)) < 0)
		error = -errno;
	close(fd);
	return error;
}

void text_trim(char *text)
{
	size_t skip = strspn(text, BLANKS), len = strlen(text + skip);

	memmove(text, text + skip, len + 1);
	while (len && strchr(BLANKS, text[len - 1]))
		text[--len] = '\0';
}

/* Length of the word at *p, after the blanks before it, which are skipped. */
static size_t next_word(const char **p)
{
	*p += strspn(*p, BLANKS);
	return strcspn(*p, BLANKS);
}

bool text_shows(const char *shown, const char *value)
{
	const char *a = shown, *b = value;
	char chosen[256];
	size_t n, m;

	do {
		n = next_word(&a);
		m = next_word(&b);
		if (n != m || memcmp(a, b, n))
			break;
		a += n;
		b += m;
	} while (n);
	if (n == 0 && m == 0)
		return true;
	text_chosen(shown, chosen, sizeof(chosen));
	return strcmp(chosen, value) == 0;
}

void text_chosen(const char *shown, char *out, size_t cap)
{
	const char *begin = strchr(shown, '['), *end = begin ? strchr(begin, ']') : NULL;

	if (end)
		snprintf(out, cap, "%.*s", (int)(end - begin - 1), begin + 1);
	else
		snprintf(out, cap, "%s", shown);
}

int64_t text_field(const char *text, const char *name)
{
	size_t len = strlen(name);
	int64_t value;

	while (text && *text) {
		if (strncmp(text, name, len) == 0 && text[len] && strchr(": \t", text[len]))
			return text_numbers(text + len + (text[len] == ':'), &value, 1) ? value
											: -1;
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return -1;
}

int text_numbers(const char *line, int64_t *out, int max)
{
	int n = 0;

	while (n < max) {
		char *end;

		line += strspn(line, " \t");
		if (*line < '0' || *line > '9')
			break;
		out[n++] = strtoll(line, &end, 10);
		line = end;
	}
	return n;
}
