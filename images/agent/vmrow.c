/* SPDX-License-Identifier: GPL-2.0-only */
/* The arithmetic of vmstat(8). */
#include "agent/vmrow.h"

#include <string.h>

#include "agent/now.h"
#include "agent/text.h"

enum { US, NICE, SY, ID, WA, IRQ, SOFTIRQ, STEAL };

static int64_t field(const char *text, const char *name)
{
	int64_t value = text_field(text, name);

	return value < 0 ? 0 : value;
}

static void cpu_columns(struct vmrow *row, const char *stat, int64_t *out)
{
	int64_t now[VMROW_CPU] = { 0 }, part[VMROW_CPU], sum = 0;
	int i;

	/* the line of all CPUs together comes first: "cpu  user nice ..." */
	if (strncmp(stat, "cpu ", 4) == 0)
		text_numbers(stat + 4, now, VMROW_CPU);
	for (i = 0; i < VMROW_CPU; i++) {
		/* idle and iowait can step back by a tick */
		part[i] = now[i] > row->cpu[i] ? now[i] - row->cpu[i] : 0;
		sum += part[i];
		row->cpu[i] = now[i];
	}
	if (!sum)
		sum = 1;
	out[0] = (100 * (part[US] + part[NICE]) + sum / 2) / sum;
	out[1] = (100 * (part[SY] + part[IRQ] + part[SOFTIRQ]) + sum / 2) / sum;
	out[2] = (100 * part[ID] + sum / 2) / sum;
	out[3] = (100 * part[WA] + sum / 2) / sum;
}

void vmrow_next(struct vmrow *row, const struct vmrow_texts *texts, int64_t page_bytes,
		int64_t ns, int64_t out[VMROW_COLUMNS])
{
	const int64_t rates[VMROW_RATES] = {
		field(texts->vmstat, "pswpin") * page_bytes / 1024,
		field(texts->vmstat, "pswpout") * page_bytes / 1024,
		field(texts->vmstat, "pgpgin"),
		field(texts->vmstat, "pgpgout"),
		field(texts->stat, "intr"),
		field(texts->stat, "ctxt"),
	};
	int64_t us = (ns - row->ns) / 1000;
	int i;

	out[0] = field(texts->stat, "procs_running");
	out[1] = field(texts->stat, "procs_blocked");
	out[2] = field(texts->meminfo, "SwapTotal") - field(texts->meminfo, "SwapFree");
	out[3] = field(texts->meminfo, "MemFree");
	out[4] = field(texts->meminfo, "Buffers");
	out[5] = field(texts->meminfo, "Cached") + field(texts->meminfo, "SReclaimable");
	for (i = 0; i < VMROW_RATES; i++) {
		int64_t step = rates[i] - row->rates[i];

		out[6 + i] = us > 0 && step > 0 ? (step * 1000000 + us / 2) / us : 0;
		row->rates[i] = rates[i];
	}
	cpu_columns(row, texts->stat, out + 12);
	row->ns = ns;
}
