/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The mechanical half of struct model_disk: arm, media, read-ahead, and what stretches time
 * (faults, stalls). Private to model_disk.c.
 */
#ifndef SIM_MODEL_ARM_H
#define SIM_MODEL_ARM_H

#include <stdbool.h>
#include <stdint.h>

struct model_disk;
struct model_request;

/* Idle, nothing read ahead; draws the first stall. */
void model_arm_init(struct model_disk *d);
/* How long the arm would take from t to have 'offset' under the head. */
int64_t model_arm_reach(const struct model_disk *d, int64_t offset, int64_t t);
/*
 * The free arm starts the host's transfer at t; 'crossed' is when the data can have crossed the
 * interface at the earliest. Returns when the request is done, which is also when the arm is.
 */
int64_t model_arm_host(struct model_disk *d, const struct model_request *r, int64_t t,
		       int64_t crossed);
/* The free arm writes a piece of the cache from t on, if there is any. */
void model_arm_clean(struct model_disk *d, int64_t t);
/* The arm's work is over: it is free again. */
void model_arm_done(struct model_disk *d);

/* Whether start..end is in the buffer or will be without moving the arm elsewhere. */
bool model_ahead_covers(const struct model_disk *d, int64_t start, int64_t end);
/* The same for a read taken up at t: 'there' is when its last byte is in; reading goes on. */
bool model_ahead_hit(struct model_disk *d, int64_t start, int64_t end, int64_t t, int64_t *there);
/* Those bytes changed. */
void model_ahead_forget(struct model_disk *d, int64_t start, int64_t end);

/* The end of a piece of work from t to end on 'length' bytes, with stops and slowness. */
int64_t model_stretch(const struct model_disk *d, int64_t t, int64_t end, int64_t length);
/* The end of the stop that t lies in, else t. */
int64_t model_stopped_until(const struct model_disk *d, int64_t t);

#endif
