/* SPDX-License-Identifier: GPL-2.0-only */
/* A job's command in words. Private to who*.c. */
#ifndef REPORT_WHO_COMMAND_H
#define REPORT_WHO_COMMAND_H

#include <stdint.h>

struct strbuf;

/* "writes 64 MiB to hda, 64 KiB a call"; disk: the one that the command names, or NULL. */
void who_command(const char *command, const char *disk, struct strbuf *out);
/* "64 MiB"; 40 bytes, returned. */
const char *who_size(int64_t bytes, char *buf);

#endif
