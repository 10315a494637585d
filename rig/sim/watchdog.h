/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A thread on the host's clock that ends QEMU (SIGABRT, after one line on stderr with both
 * threads' states) when one thread waited for another for that many seconds without any
 * progress. It counts its own ticks, so a stopped or suspended process is not blamed.
 */
#ifndef SIM_WATCHDOG_H
#define SIM_WATCHDOG_H

#include <stdint.h>

void watchdog_start(int64_t seconds);

#endif
