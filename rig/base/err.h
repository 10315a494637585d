/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one error rule of this program.
 *
 * A function that can fail is 'int f(..., struct err *err)' (err last) and returns 0, or a
 * negative errno after it has filled err exactly once. On success err is untouched. A caller
 * that passes an error on may put context in front of it with err_wrap(). Nothing below cmd/
 * prints or exits.
 *
 * Messages: lower case, the problem first, the 'subject' quoted, no full stop, no newline.
 * Text that came from a guest, a file or the network must go through str_escape() first.
 *
 * The kind decides the exit status (cmd/ maps it): an error is the rig's (128), the
 * input's (129), or "cannot judge" (125).
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <errno.h>

enum err_kind {
	ERR_RIG,	/* the rig or the host failed: exit 128 */
	ERR_INPUT,	/* the user's input is wrong: exit 129 */
	ERR_UNABLE,	/* nothing wrong, yet no judgement possible: exit 125 */
	ERR_INTERRUPTED	/* SIGINT or SIGTERM asked us to stop: exit 130 */
};

struct err {
	enum err_kind kind;
	int code;	/* negative errno, never 0 once set */
	char msg[2048];
};

#define ERR_INIT { .kind = ERR_RIG, .code = 0, .msg = "" }

/* Fill err with a rig failure and return code (a negative errno; 0 is a bug, taken as -EIO). */
int err_set(struct err *err, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same, with ": strerror(-code)" appended. */
int err_sys(struct err *err, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Wrong input: returns -EINVAL. Start the message with 'file:line: ' where there is a file. */
int err_input(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* No judgement possible: returns -ENOTSUP. */
int err_unable(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* A signal asked us to stop: returns -EINTR. */
int err_interrupted(struct err *err);
/* Prepend "context: " to the message, keep kind and code, return the code. */
int err_wrap(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Our own invariant is broken: prints file, line and message to stderr and aborts. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
void bug_at(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), noreturn));
#define BUG_ON(cond)                                                                               \
	do {                                                                                       \
		if (cond)                                                                          \
			BUG("%s", #cond);                                                          \
	} while (0)

#endif
