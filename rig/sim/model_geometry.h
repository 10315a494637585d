/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where bytes lie on a disk and how long the head takes to reach and to pass them.
 *
 * The media is one line of bytes that the head passes at a rate which falls (or rises) from
 * the first byte to the last in equal steps. pass(offset) is the time the head needs from byte
 * 0 to offset. Everything else follows from it:
 *
 *  - moving bytes a..b takes pass(b) - pass(a);
 *  - with rpm, byte x lies under the head whenever t = pass(x) modulo one revolution. Rates are
 *    sustained rates, so the skew that hides the switch from track to track is part of them and
 *    a stream that goes on without a pause never loses a revolution.
 *
 * The arm's time over a distance of d bytes, as a fraction f = d / span, is
 * track + b * sqrt(f) + c * f, the usual fit to measured seek curves (Ruemmler and Wilkes, "An
 * introduction to disk drive modeling", 1994), with b and c chosen so that f = 1/3 takes
 * seek_average (the mean distance of two random places) and f = 1 takes seek_full. Within one
 * track the arm does not move.
 *
 * Integers only, so every host computes the same.
 */
#ifndef SIM_MODEL_GEOMETRY_H
#define SIM_MODEL_GEOMETRY_H

#include <stdint.h>

#include "sim/model_params.h"

#define MODEL_ZONES 16

struct model_zone {
	int64_t start;	/* first byte */
	int64_t rate;
	int64_t pass;	/* pass(start) */
};

struct model_geometry {
	struct model_zone zones[MODEL_ZONES];
	int64_t zone_size;
	int64_t span;
	int64_t revolution;	/* ns, 0: does not turn */
	int64_t seek_track, seek_sqrt, seek_linear; /* ns: track, b, c */
};

/* size is the image's; p->span counts if it is larger. */
void model_geometry_init(struct model_geometry *g, const struct model_params *p, int64_t size);
int64_t model_pass(const struct model_geometry *g, int64_t offset);
/* The inverse: the byte under the head after that time. */
int64_t model_offset(const struct model_geometry *g, int64_t pass);
int64_t model_seek(const struct model_geometry *g, int64_t from, int64_t to);
/* How long after t byte 'offset' comes under the head. */
int64_t model_rotation(const struct model_geometry *g, int64_t offset, int64_t t);
/* bytes * 1e9 / rate, rounded up. */
int64_t model_transfer(int64_t bytes, int64_t rate);

#endif
