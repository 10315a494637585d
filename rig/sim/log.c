/* SPDX-License-Identifier: GPL-2.0-only */
/* Request log: own formatting of numbers, since printf would be seen in a profile. */
#include "sim/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "sim/fatal.h"
#include "sim/symbols.h"

#define LINE_MAX_BYTES 256

static int log_fd = -1;
static char block[1 << 16];
static size_t used;

void log_open(const char *path)
{
	log_fd = sim_libc()->open64(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (log_fd < 0)
		fatal("cannot write the request log '%s': %s", path, strerror(errno));
}

void log_flush(void)
{
	int fd = log_fd;

	for (size_t at = 0; fd >= 0 && at < used;) {
		ssize_t n = sim_libc()->write(fd, block + at, used - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			log_fd = -1;
			fatal("cannot write the request log: %s", strerror(errno));
		}
		at += (size_t)n;
	}
	used = 0;
}

void log_close(void)
{
	log_flush();
	if (log_fd >= 0)
		sim_libc()->close(log_fd);
	log_fd = -1;
}

static void add_word(const char *s)
{
	size_t n = strlen(s);

	memcpy(block + used, s, n);
	used += n;
	block[used++] = ' ';
}

static void add_number(int64_t v)
{
	char digits[24];
	size_t n = sizeof(digits);
	uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;

	digits[--n] = ' ';
	do
		digits[--n] = (char)('0' + u % 10);
	while (u /= 10);
	if (v < 0)
		digits[--n] = '-';
	memcpy(block + used, digits + n, sizeof(digits) - n);
	used += sizeof(digits) - n;
}

static const char *op_name(const struct model_request *r)
{
	switch (r->op) {
	case MODEL_READ:
		return "read";
	case MODEL_WRITE:
		return r->fua ? "fua" : "write";
	case MODEL_FLUSH:
		return "flush";
	case MODEL_DISCARD:
		return "discard";
	}
	return "?";
}

void log_request(const char *disk, const struct model_request *r, int64_t result)
{
	if (log_fd < 0)
		return;
	if (used > sizeof(block) - LINE_MAX_BYTES)
		log_flush();
	add_word(disk);
	add_word(op_name(r));
	add_number(r->offset);
	add_number(r->length);
	add_number(r->issued);
	add_number(r->started);
	add_number(r->done);
	add_number(result);
	block[used - 1] = '\n';
}
