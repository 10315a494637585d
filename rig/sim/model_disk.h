/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A disk as a machine in time: requests go in, and come out when it is done with them. Plain
 * arithmetic on ns; it knows neither QEMU nor threads (the caller holds a lock).
 *
 * The disk is two things that work side by side:
 *
 *  - the controller takes one command at a time: the first in the queue, or with queue_order
 *    'nearest' that of the first queue_depth which the arm reaches first (a command passed over
 *    2 * queue_depth times goes next; nothing overtakes a flush). Every command costs its
 *    overhead; then it is finished from the buffer or needs the arm;
 *  - the arm with the media: seek, rotation, transfer, with write_verify another pass over what
 *    was written. Reads and uncached writes of the host go first, the write cache is emptied in
 *    the time between, in pieces of MODEL_PIECE, and the read-ahead runs when nothing else does.
 *
 * A write that fits into the write cache is done when it has crossed the interface; one that
 * does not fit at the moment waits, and the controller with it; one larger than the cache or
 * with FUA goes to the media. A flush is done when the cache is empty, plus its own cost.
 * A read is done from the buffer if the write cache holds all of it or the read-ahead has it or
 * is about to reach it.
 *
 * The model is a pure function of its requests: the state changes at the moments it computes
 * itself, however late or often it is asked. model_disk_next() is the moment when it must be
 * asked again at the latest.
 */
#ifndef SIM_MODEL_DISK_H
#define SIM_MODEL_DISK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/model_cache.h"
#include "sim/model_geometry.h"
#include "sim/model_params.h"

#define MODEL_NEVER	 INT64_MAX
#define MODEL_FAULTS_MAX 16

enum model_op {
	MODEL_READ,
	MODEL_WRITE,
	MODEL_FLUSH,
	MODEL_DISCARD
};

struct model_request {
	/* filled in by the caller, who keeps it until it comes out again */
	enum model_op op;
	bool fua;
	int64_t offset, length;
	/* filled in by the model */
	int64_t issued, started, done;
	bool failed;			/* a medium error */
	int64_t passed_over;
	struct model_request *next;
};

enum model_fault_kind {
	MODEL_STOP,			/* everything stands still */
	MODEL_SLOW,			/* nothing moves faster than rate */
	MODEL_ERROR			/* requests taken up in that time fail */
};

struct model_fault {
	enum model_fault_kind kind;
	int64_t at, length;
	int64_t rate;
};

/* What the controller's command waits for. */
enum model_stage {
	MODEL_IDLE,			/* there is no command */
	MODEL_BUFFER,			/* the moment when it is done */
	MODEL_ARM,			/* the arm, which is busy */
	MODEL_MEDIA,			/* its own work on the media */
	MODEL_ROOM,			/* room in the write cache */
	MODEL_DRAIN			/* an empty write cache */
};

enum model_arm {
	MODEL_ARM_FREE,
	MODEL_ARM_HOST,
	MODEL_ARM_CLEAN			/* writes a piece of the cache */
};

/*
 * The buffer holds begin..limit, as far as the head has come: it passes byte x >= base at
 * since + pass(x) - pass(base). While 'running' nothing took the arm away.
 */
struct model_ahead {
	bool valid, running;
	int64_t begin, base, limit;
	int64_t since;
};

struct model_queue {
	struct model_request *first, **last;
};

struct model_disk {
	struct model_params params;
	struct model_geometry geometry;
	struct model_fault faults[MODEL_FAULTS_MAX];
	int n_faults;

	struct model_queue waiting, finished;
	struct model_request *active;
	enum model_stage stage;
	int64_t ready;			/* when the active command's overhead is over */

	enum model_arm arm;
	int64_t arm_until;
	int64_t head;			/* byte after the last one passed */
	struct model_extent piece;	/* for MODEL_ARM_CLEAN */
	struct model_cache cache;
	struct model_ahead ahead;

	int64_t now;			/* of the latest call */
	uint64_t random;		/* of the stalls only */
	int64_t until_stall;		/* writing time left to the next stall */
};

/* A disk at rest at time 0. size is the image's in bytes. */
void model_disk_init(struct model_disk *d, const struct model_params *p, int64_t size,
		     uint64_t seed);
/* -ENOSPC beyond MODEL_FAULTS_MAX. */
int model_disk_add_fault(struct model_disk *d, const struct model_fault *fault);
/* Times must not go backwards from call to call. */
void model_disk_submit(struct model_disk *d, struct model_request *r, int64_t now);
/* The next request that was done at 'now' or before, in the order of completion, or NULL. */
struct model_request *model_disk_finished(struct model_disk *d, int64_t now);
/* When something that a request waits for happens next; MODEL_NEVER without requests. */
int64_t model_disk_next(const struct model_disk *d);
/* Everything is done at once, cache included: QEMU insists on an empty queue. */
void model_disk_hurry(struct model_disk *d, int64_t now);

#endif
