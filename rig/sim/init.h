/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Start of the library. It is inert unless $IORIG_SIM names a configuration (model_config.h)
 * and the process is a QEMU system emulator; then it removes itself from the environment of
 * QEMU's own children.
 */
#ifndef SIM_INIT_H
#define SIM_INIT_H

#include <stdbool.h>

bool init_active(void);

#endif
