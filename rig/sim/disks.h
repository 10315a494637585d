/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The simulated disks of this process: which file belongs to which, their requests, and the
 * timer on the guest's clock that completes them.
 *
 * A request is submitted by the thread that holds the BQL (libaio's stand-in) or by a worker.
 * Workers run at the same time as other threads, so under lockstep theirs are put into a
 * letter box, which is emptied (disks_deliver) at the next moment when everything stands
 * still, in an order that does not depend on who came first.
 *
 * One lock covers all of it. It nests inside the BQL and outside of QEMU's timer locks.
 */
#ifndef SIM_DISKS_H
#define SIM_DISKS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/model_config.h"
#include "sim/model_disk.h"

struct disk;

struct disk_request {
	struct model_request model;
	/*
	 * Called under the lock when the disk is done with it: moves the data, tells whoever
	 * waits, and returns the result for the log. r is not touched afterwards.
	 */
	int64_t (*finish)(struct disk_request *r);
	struct disk *disk;
	struct disk_request *next_letter;
};

/* c is borrowed for good. Ends QEMU if an image is not there. */
void disks_init(const struct model_config *c);

/* The disk behind an open descriptor, or NULL. Remembered until disks_closed(). */
struct disk *disks_of(int fd);
void disks_closed(int fd);
/* Whether that path is an image of ours. */
bool disks_has(const char *path);

void disks_lock(void);
void disks_unlock(void);
/*
 * Under the lock. r->model.{op,fua,offset,length}, r->finish and r->disk are filled in. Before
 * the guest's clock runs (QEMU tries what the host can, and guesses geometries) a request is
 * finished at once and not logged.
 */
void disks_submit(struct disk_request *r);
/* Submit for a worker and sleep until the disk is done: 0, or -EIO for a medium error. */
int disks_work(struct disk *d, enum model_op op, int64_t offset, int64_t length);

/* Whether there are letters; take them to their disks (BQL held, everything stands still). */
bool disks_have_letters(void);
void disks_deliver(void);
/*
 * Around a wait that keeps the BQL (QEMU drains its block layer, or reads synchronously): no
 * timer runs in it, so everything is finished at once, letters included, and what workers still
 * bring until its end.
 */
void disks_drain_begins(void);
void disks_drain_ended(void);

#endif
