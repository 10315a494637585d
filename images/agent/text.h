/* SPDX-License-Identifier: GPL-2.0-only */
/* Small files of proc and sysfs as text, and numbers out of them. Pure but for read and write. */
#ifndef AGENT_TEXT_H
#define AGENT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TEXT_PATH 512	/* enough for every path that is put together here */

/* The file into buf with a NUL behind it, cut at cap. Bytes read, or negative errno. */
ssize_t text_read(const char *path, char *buf, size_t cap);
/* The same from the start of an open file. */
ssize_t text_reread(int fd, char *buf, size_t cap);
/* The first line of the file, without blanks at its ends. 0 or negative errno. */
int text_read_line(const char *path, char *buf, size_t cap);
/* A file that holds one number; -1 if it does not, or is not there. */
int64_t text_read_number(const char *path);
/* One write of the whole value. 0 or negative errno. */
int text_write(const char *path, const char *value);

/* Take blanks and newlines off both ends, in place. */
void text_trim(char *text);
/* Is this what a sysfs file shows for the value: the same words whatever blanks are between
 * them, or the value chosen by brackets from a list ("none [mq-deadline]")? */
bool text_shows(const char *shown, const char *value);
/* The bracketed word of a list into out; the whole text if there is none. */
void text_chosen(const char *shown, char *out, size_t cap);
/* The number that follows "NAME" and blanks or a colon at the beginning of a line; -1 if none. */
int64_t text_field(const char *text, const char *name);
/* Up to max whole numbers from one line. How many there were. */
int text_numbers(const char *line, int64_t *out, int max);

#endif
