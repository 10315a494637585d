/* SPDX-License-Identifier: GPL-2.0-only */
/* Versions of kernels; those that are too old are told so, instead of failing somehow. */
#include <ctype.h>
#include <stdio.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "kernel/version.h"

#define OLDEST (5u << 16 | 10)

const char *kernel_version_read(const char *s, unsigned int *version)
{
	unsigned int major, minor;
	int end = 0;

	if (!isdigit((unsigned char)*s) || sscanf(s, "%4u.%n", &major, &end) != 1 || !end ||
	    !isdigit((unsigned char)s[end]))
		return NULL;
	s += end;
	if (sscanf(s, "%4u%n", &minor, &end) != 1)
		return NULL;
	*version = major << 16 | minor;
	return s + end;
}

int kernel_check_age(const char *release, struct err *err)
{
	unsigned int version;

	if (!release || !kernel_version_read(release, &version) || version >= OLDEST)
		return 0;
	return err_unable(err,
			  "Linux %s is too old: 5.10 is the oldest kernel that can be tried, "
			  "because older ones lack what cases and samples rely on (one request "
			  "path for all disks, pressure files, cgroups that know io)",
			  str_escape(release));
}
