/* SPDX-License-Identifier: GPL-2.0-only */
/* A CPU for each simulated machine. */
#include "run/affinity.h"

#include <unistd.h>

int affinity_choose(const cpu_set_t *allowed, size_t slot, size_t slots, size_t turn)
{
	size_t n = (size_t)CPU_COUNT(allowed), left;

	if (!n || slots > n)
		return -1;
	left = (slot + turn) % n;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, allowed) && left-- == 0)
			return cpu;
	return -1;
}

int affinity_cpu(size_t slot, size_t slots)
{
	cpu_set_t allowed;

	/* fails on a host of more CPUs than the set can name */
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return -1;
	return affinity_choose(&allowed, slot, slots, (size_t)getpid());
}

void affinity_stay(int cpu)
{
	cpu_set_t set;

	if (cpu < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	(void)sched_setaffinity(0, sizeof(set), &set);
}
