/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One number for all that a guest did: the SHA-256 over the SHA-256 of its console, of every
 * frame that its agent sent (samples and figures to the nanosecond) and of every disk request's
 * issue and completion. On the simulated clock the same QEMU, kernel, case and seed give the same
 * digest on any host.
 */
#ifndef RUN_DIGEST_H
#define RUN_DIGEST_H

#include "base/hash.h"

struct err;

/* Of the boot's folder dir, after QEMU has ended. A file that is missing is an error naming it. */
int digest_boot(const char *dir, char hex[HASH_HEX], struct err *err);

#endif
