/* SPDX-License-Identifier: GPL-2.0-only */
/* gdb on the kernel of a machine that is stopped. */
#ifndef RUN_GDB_H
#define RUN_GDB_H

#include <stdbool.h>

struct err;
struct vm;

struct gdb {
	const char *program;	/* gdb's path */
	const char *vmlinux;	/* unstripped, of the kernel that the machine booted */
	const char *commands;	/* images/gdb/iorig.py */
	const char *source;	/* the folder with the kernel's source, or NULL */
	bool batch;		/* print the stacks of the tasks in D state and end */
};

/*
 * Run gdb on the machine, which serves it on a socket in a private folder, until gdb ends. Without
 * batch it has our standard input and output and, if that is a terminal, the terminal with its ^C;
 * it may let the guest go on. A gdb that fails is the rig's error; -EINTR when a stop was asked
 * for.
 */
int gdb_run(const struct gdb *g, struct vm *vm, struct err *err);

#endif
