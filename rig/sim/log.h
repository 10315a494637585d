/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The request log: one line of text per request, in the order of completion:
 *
 *	DISK OP OFFSET LENGTH ISSUED STARTED DONE RESULT
 *
 * OP is read, write, fua, flush or discard; moments are ns of the virtual clock; RESULT is the
 * number of bytes or a negative errno. Buffered in one block and written when that is full, so
 * that ten million requests cost no memory; what that takes is host time, which the guest does
 * not see. A failed write ends QEMU: a log with a hole is worse than none.
 */
#ifndef SIM_LOG_H
#define SIM_LOG_H

#include "sim/model_disk.h"

/* Truncates path. */
void log_open(const char *path);
/* No-op without log_open(). The caller holds the disks' lock. */
void log_request(const char *disk, const struct model_request *r, int64_t result);
void log_flush(void);
/* What comes from here on is not logged. The caller holds the disks' lock. */
void log_close(void);

#endif
