// SPDX-License-Identifier: GPL-2.0-only
/* Kernels that are too old are told so, instead of failing in some strange way. */
#include <stdio.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "kernel/age.h"

#define OLDEST_MAJOR 5
#define OLDEST_MINOR 10

int kernel_check_age(const char *release, struct err *err)
{
	unsigned int major, minor;

	if (!release || sscanf(release, "%3u.%3u", &major, &minor) != 2)
		return 0;
	if (major > OLDEST_MAJOR || (major == OLDEST_MAJOR && minor >= OLDEST_MINOR))
		return 0;
	return err_unable(err,
			  "Linux %s is too old: 5.10 is the oldest kernel that can be tried, "
			  "because older ones lack what cases and samples rely on (one request "
			  "path for all disks, pressure files, cgroups that know io)",
			  str_escape(release));
}
