/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a disk's work costs, as the simulator's library reads it: one line of 'key=integer'
 * words. Times are ns, sizes bytes, rates bytes per second; a key that is missing is 0, and 0
 * means that the disk has none of it. Only rate is required.
 */
#ifndef SIM_MODEL_PARAMS_H
#define SIM_MODEL_PARAMS_H

#include <stddef.h>
#include <stdint.h>

enum model_order {
	MODEL_FIFO,
	MODEL_NEAREST
};

struct model_params {
	int64_t rate, rate_end;		/* past the head, at the first and at the last byte */
	int64_t rate_write;
	int64_t interface;		/* between host and buffer */
	int64_t span;			/* bytes of one full stroke; 0: the image */
	int64_t overhead, overhead_write;
	int64_t seek_track, seek_average, seek_full;
	int64_t rpm;
	int64_t write_verify;
	int64_t write_cache, read_ahead;
	int64_t queue_depth;
	int64_t queue_order;		/* enum model_order */
	int64_t flush, discard;
	int64_t stall_every, stall_for;
};

/*
 * Read a line of words into p and fill in what a missing key means: rate_end and rate_write are
 * rate, overhead_write is overhead, queue_depth is 1. Returns 0, or -EINVAL with the reason in
 * why: an unknown key, a key without '=', no number, a negative one, or one beyond reason.
 */
int model_params_parse(struct model_params *p, const char *line, char *why, size_t why_size);

#endif
