/* SPDX-License-Identifier: GPL-2.0-only */
/* What this host is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "host/host.h"

/* The value of "KEY<seps>value" in a small text file of the system, "" if there is none. */
static void read_value(const char *path, const char *key, const char *seps, char *value,
		       size_t size)
{
	FILE *f __free(file) = fopen(path, "re");
	char line[1024];

	value[0] = '\0';
	while (f && fgets(line, sizeof(line), f)) {
		char *v = line + strlen(key);

		if (strncmp(line, key, strlen(key)) != 0 || !strchr(seps, *v))
			continue;
		v += strspn(v, seps);
		v[strcspn(v, "\"\n")] = '\0';
		snprintf(value, size, "%s", str_escape(v));
		return;
	}
}

void host_facts_read(struct host_facts *facts)
{
	struct utsname uts;
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

	*facts = (struct host_facts){ .load = -1 };
	read_value("/proc/cpuinfo", "model name", "\t: ", facts->cpu, sizeof(facts->cpu));
	read_value("/etc/os-release", "PRETTY_NAME", "=\"", facts->os, sizeof(facts->os));
	if (uname(&uts) == 0)
		snprintf(facts->kernel, sizeof(facts->kernel), "%s", str_escape(uts.release));
	facts->cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (pages > 0 && page > 0)
		facts->memory = (int64_t)pages * page;
	if (getloadavg(&facts->load, 1) != 1)
		facts->load = -1;
}
