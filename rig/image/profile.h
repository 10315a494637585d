/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Timing profiles: what a disk looks like to the guest and how long its work takes.
 *
 * A profile is images/disks/NAME.disk, an INI file (base/ini.h) of two sections:
 *
 *	[disk]                    what it is
 *	title      = one line for people
 *	source     = where the numbers come from
 *	size       = 1G           default size of an image; a case may choose another
 *	sector     = 512B         512B, 1K, 2K or 4K (optional: 512B)
 *	rotational = yes          what the guest is told (optional: yes if rpm is set)
 *	removable  = no           (optional: no)
 *	read-only  = no           (optional: no)
 *
 *	[timing]                  what its work costs; all but rate are optional
 *	rate        = 40MB/s      media rate at the first byte
 *	rate-end    = 20MB/s      ... and at the last one, linear in between; default: rate
 *	rate-write  = 2MB/s       write rate if another; only without rpm and rate-end
 *	interface   = 100MB/s     between host and the disk's buffer; default: no time at all
 *	span        = 80GB        bytes that one full stroke of the arm crosses; default: the image
 *	overhead    = 200us       per command, before anything else happens
 *	overhead-write = 300us    ... of writes; default: overhead
 *	seek-track, seek-average, seek-full = 1ms, 9ms, 17ms
 *	                          arm times: neighbouring track, a third of the span, all of it
 *	rpm         = 7200        default: no rotation
 *	write-verify = yes        every write is followed by a pass that reads it back
 *	write-cache = 2M          writes complete here; the media follows; default: none
 *	read-ahead  = 128K        read on after a read, into the buffer
 *	queue-depth = 32          commands the disk looks at when it chooses the next; default 1
 *	queue-order = nearest     fifo or nearest (shortest positioning first); default fifo
 *	flush       = 2ms         of a cache flush, on top of what the cache still has to write
 *	discard     = 1ms         of a discard
 *	stall-every, stall-for = 4s, 300ms
 *	                          a pause (flash erase) after that much time spent writing,
 *	                          the exact moments drawn from the run's seed
 *	stream-read, stream-write = 1.3MB/s, 1.0MB/s
 *	                          what long sequential streams reach, where it is not the mean of
 *	                          rate and rate-end; for the throttle, and to check the model
 *
 * A name 'flat-RATE' ('flat-1M', 'flat-512K', 'flat-27MB': a rate without its '/s') needs no
 * file: a disk whose every byte costs the same and nothing else costs anything.
 */
#ifndef IMAGE_PROFILE_H
#define IMAGE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

struct err;
struct strbuf;

enum profile_order {
	PROFILE_FIFO,
	PROFILE_NEAREST
};

/* Times are ns, sizes bytes, rates bytes per second; 0 means that there is none of it. */
struct profile_timing {
	int64_t rate, rate_end, rate_write; /* never 0 after profile_load() */
	int64_t interface;
	int64_t span;
	int64_t overhead, overhead_write;
	int64_t seek_track, seek_average, seek_full;
	int64_t rpm;
	int64_t write_verify;	/* 0 or 1 */
	int64_t write_cache, read_ahead;
	int64_t queue_depth;	/* at least 1 */
	int64_t queue_order;	/* enum profile_order */
	int64_t flush, discard;
	int64_t stall_every, stall_for;
	int64_t stream_read, stream_write; /* never 0 after profile_load() */
};

struct profile {
	char *name, *title, *source;
	int64_t size;
	int64_t sector;
	bool rotational, removable, read_only;
	struct profile_timing timing;
};

#define PROFILE_INIT { .name = NULL, .title = NULL, .source = NULL }

/* The rates for a throttle that can only count bytes and requests. */
struct profile_limits {
	int64_t bps_read, bps_write;
	int64_t iops;		/* 0: no limit */
};

/*
 * Fill p, which is PROFILE_INIT or released, from disks_dir/NAME.disk or from a flat-RATE name.
 * Errors are the input's (ERR_INPUT), 'file:line: ...' where there is a line: no such profile
 * (the message lists those there are), unknown section or key, missing key, a value without
 * sense. p stays releasable.
 */
int profile_load(struct profile *p, const char *disks_dir, const char *name, struct err *err);
void profile_release(struct profile *p);

void profile_throttle(const struct profile *p, struct profile_limits *limits);

/*
 * Append the timing as the simulator's library reads it: 'rate=27400000 rate-end=... ', one
 * 'key=integer' per field of struct profile_timing that is not 0, in the order of the struct,
 * no newline. stream-read and stream-write are left out: the model does not need to be told.
 */
void profile_sim_line(const struct profile *p, struct strbuf *sb);

#endif
