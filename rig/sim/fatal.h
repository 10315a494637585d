/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library's only way to fail: one line on stderr that begins with 'iorig-sim: ', then the
 * process ends with status 3. The rig shows that line to the user.
 */
#ifndef SIM_FATAL_H
#define SIM_FATAL_H

#define SIM_STATUS 3

void fatal(const char *fmt, ...) __attribute__((noreturn, format(printf, 1, 2)));

#endif
