/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulator's log of a boot, a line for each disk request (docs/SIMULATOR.md), as an array.
 * The log is a file among others in a result folder, so it is hostile: lines that are none, or
 * that name a disk the boot does not have, count as bad and are left out; what stands behind the
 * first REQUESTS_BYTES is left out, too, and said so.
 */
#ifndef REPORT_REQUESTS_H
#define REPORT_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct boot;
struct err;

#define REQUESTS_BYTES (48 << 20)

enum request_op { REQUEST_READ, REQUEST_WRITE, REQUEST_OTHER };

struct request {
	int64_t offset, length;		/* bytes */
	int64_t issued, done;		/* ns of the guest's clock; issued <= done */
	uint8_t disk;			/* index into the boot's disks */
	uint8_t op;			/* enum request_op */
};

struct requests {
	struct request *v;	/* in the order of the log: of completion, nearly */
	size_t n, alloc, bad;
	bool cut;
};

#define REQUESTS_INIT { .v = NULL }

/* Read a log. A file that is missing is a boot without one: 0 with nothing in r. */
int requests_read(struct requests *r, const char *path, const struct boot *b, struct err *err);
/* The same from memory. */
void requests_parse(struct requests *r, const char *text, size_t len, const struct boot *b);
void requests_release(struct requests *r);

#endif
