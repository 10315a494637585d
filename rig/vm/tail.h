/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of a file that another process appends to. The tail does not wait: its user polls
 * (inotify) and asks again. Bytes are whatever the guest wrote; a line of more than
 * VM_LINE_MAX bytes is delivered in pieces of that size, and a file of more than VM_FILE_MAX
 * bytes is an error, so neither memory nor a host's disk can be filled by a guest gone mad.
 */
#ifndef VM_TAIL_H
#define VM_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct err;

#define VM_LINE_MAX 65536
#define VM_FILE_MAX (256LL << 20)

struct vm_tail {
	int fd;
	const char *what;	/* for messages, borrowed: "console" */
	struct strbuf buf;
	size_t taken;		/* bytes at its beginning that were delivered */
	size_t searched;	/* bytes at its beginning known to hold no further newline */
	int64_t total;		/* bytes read of the file */
};

#define VM_TAIL_INIT { .fd = -1, .buf = STRBUF_INIT }

/* The file has to exist. */
int vm_tail_open(struct vm_tail *tail, const char *path, const char *what, struct err *err);
/*
 * The next line, without its newline: 1, or 0 if no whole line is there yet. With 'last', for
 * when nobody writes any more, what is left after the last newline counts as a line. The line
 * is valid until the next call. -EFBIG above VM_FILE_MAX, or what read(2) says.
 */
int vm_tail_next(struct vm_tail *tail, bool last, const char **line, size_t *len,
		 struct err *err);
void vm_tail_release(struct vm_tail *tail);

#endif
