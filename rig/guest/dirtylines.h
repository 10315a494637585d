/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of a guest's console that tell every device's dirty pages (of 4 KiB), as a series:
 *
 *	iorig: dirty sda=1234 sdb=56		kernels/patches/dirty-per-device
 *	hd count = 1234, dvd count = 56		the patch of 2004, whatever its devices are called
 *
 * with or without "<5>", "[   12.345678]" (then the value has a time) and "[    T1]" in front, or
 * the head of a syslog's line, "Sep  9 01:56:21 host kernel: " (whose time is not used: a second
 * is what the lines are apart).
 *
 * A console is hostile, and it may be cut or mixed with what others write to it. A line counts as a
 * whole or not at all; one that has the instrument's words and is not of its form counts as bad:
 * another text in front, behind or amid it, a control character, a device twice, a name or a number
 * that is none, no newline (its last number may be half a number). Other lines are no concern.
 */
#ifndef GUEST_DIRTYLINES_H
#define GUEST_DIRTYLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIRTYLINES_LINE	   1024		/* bytes of a line; printk has no longer ones */
#define DIRTYLINES_DEVICES 64
#define DIRTYLINES_NAME	   32		/* of a disk in Linux, with the NUL */
#define DIRTYLINES_VALUES  131072	/* a day and a half of one device */
#define DIRTYLINES_PAGES   (INT64_MAX / 4096)	/* more is no number of pages */

struct dirty_value {
	int64_t ns;		/* by the kernel's stamp, since its boot; -1 = none */
	int64_t pages;		/* 0 .. DIRTYLINES_PAGES */
	uint32_t round;		/* 0 ..; see n_rounds */
	uint32_t device;	/* index into names */
};

struct dirtylines {
	/* [A-Za-z0-9_.:!/-]+, in order of appearance */
	char names[DIRTYLINES_DEVICES][DIRTYLINES_NAME];
	size_t n_devices;
	struct dirty_value *v;	/* in the order of the console */
	size_t n, alloc;
	/*
	 * What was counted at one moment may take several lines: a line goes with the one before
	 * it if it has none of that round's devices and, of stamped ones, if it is less than half
	 * a second away. Of lines without stamps the round is the only time that there is.
	 */
	size_t n_rounds;
	size_t lines, bad;	/* taken; left out */
	bool cut;		/* there were more devices, values or bytes than fit */
	/* private: the last round that had a device, plus 1; the last line's time */
	uint32_t seen[DIRTYLINES_DEVICES];
	int64_t last_ns;
};

#define DIRTYLINES_INIT { .v = NULL, .last_ns = -1 }
void dirtylines_release(struct dirtylines *d);
/* Take the lines of a whole text, or of its next part that begins and ends with a line. */
void dirtylines_parse(struct dirtylines *d, const char *text, size_t len);
/* Over all values of a device: how many, their mean and maximum; 0, -1 and -1 of none. */
struct dirty_stats {
	size_t n;
	double mean;
	int64_t max;
};
struct dirty_stats dirtylines_stats(const struct dirtylines *d, size_t device);

#endif
