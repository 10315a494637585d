/* SPDX-License-Identifier: GPL-2.0-only */
/* What iorig-make-files and iorig-small-read agree on: the names of the files. */
#ifndef AGENT_FILES_H
#define AGENT_FILES_H

#include <inttypes.h>
#include <stdio.h>

#include "agent/text.h"

/* path has TEXT_PATH bytes. */
static inline void files_path(char *path, const char *dir, int64_t i)
{
	snprintf(path, TEXT_PATH, "%s/f%06" PRId64, dir, i);
}

#endif
