/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading the kernel's counters into frames. */
#include "agent/sample.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "agent/disks.h"
#include "agent/jsonw.h"
#include "agent/now.h"
#include "agent/port.h"
#include "agent/text.h"
#include "agent/vmrow.h"

#define IO_MAX 17	/* fields of a disk's line since Linux 5.5 */

static const struct disks *sampled;
static int bdi_fd[PLAN_MAX_DISKS], io_fd[PLAN_MAX_DISKS];
static int stat_fd = -1, meminfo_fd = -1, vmstat_fd = -1;
static struct vmrow row;
/* "intr" in /proc/stat has a number for each possible interrupt. */
static char stat_text[32768], vmstat_text[16384], meminfo_text[8192], disk_text[4096];

static const struct {
	const char *key, *name;
} bdi_fields[] = {
	{ "dirty", "BdiReclaimable" },	{ "writeback", "BdiWriteback" },
	{ "thresh", "BdiDirtyThresh" }, { "dirtied", "BdiDirtied" },
	{ "written", "BdiWritten" },	{ "bandwidth", "BdiWriteBandwidth" },
}, vm_fields[] = {
	{ "dirty", "nr_dirty" },
	{ "writeback", "nr_writeback" },
	{ "limit", "nr_dirty_threshold" },
	{ "background", "nr_dirty_background_threshold" },
};

static int open_file(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC);
}

static void read_text(int fd, char *buf, size_t cap)
{
	buf[0] = '\0';
	if (fd >= 0)
		text_reread(fd, buf, cap);
}

void sample_open(const struct disks *disks)
{
	char path[TEXT_PATH];
	size_t i;

	sampled = disks;
	stat_fd = open_file("/proc/stat");
	meminfo_fd = open_file("/proc/meminfo");
	vmstat_fd = open_file("/proc/vmstat");
	for (i = 0; i < disks->n; i++) {
		const struct disk *disk = &disks->disks[i];

		snprintf(path, sizeof(path), "/sys/kernel/debug/bdi/%u:%u/stats", disk->major,
			 disk->minor);
		bdi_fd[i] = open_file(path);
		snprintf(path, sizeof(path), "/sys/block/%s/stat", disk->dev);
		io_fd[i] = open_file(path);
	}
}

static void put_disk(struct jsonw *json, size_t i)
{
	int64_t io[IO_MAX];
	size_t f;
	int n, k;

	jsonw_open(json, sampled->disks[i].plan->name, '{');
	read_text(bdi_fd[i], disk_text, sizeof(disk_text));
	for (f = 0; f < sizeof(bdi_fields) / sizeof(bdi_fields[0]); f++)
		jsonw_count(json, bdi_fields[f].key, text_field(disk_text, bdi_fields[f].name));
	read_text(io_fd[i], disk_text, sizeof(disk_text));
	n = text_numbers(disk_text, io, IO_MAX);
	if (n > 0) {
		jsonw_open(json, "io", '[');
		for (k = 0; k < n; k++)
			jsonw_number(json, NULL, io[k]);
		jsonw_close(json, ']');
	}
	jsonw_close(json, '}');
}

static void put_vm(struct jsonw *json)
{
	size_t f;

	jsonw_open(json, "vm", '{');
	for (f = 0; f < sizeof(vm_fields) / sizeof(vm_fields[0]); f++)
		jsonw_count(json, vm_fields[f].key, text_field(vmstat_text, vm_fields[f].name));
	jsonw_close(json, '}');
}

static void put_row(struct jsonw *json)
{
	const struct vmrow_texts texts = { stat_text, meminfo_text, vmstat_text };
	int64_t columns[VMROW_COLUMNS];
	int i;

	vmrow_next(&row, &texts, sysconf(_SC_PAGESIZE), now_ns(), columns);
	jsonw_open(json, "vmstat", '[');
	for (i = 0; i < VMROW_COLUMNS; i++)
		jsonw_number(json, NULL, columns[i]);
	jsonw_close(json, ']');
}

void sample_take(void)
{
	struct jsonw *json = port_begin("sample");
	size_t i;

	read_text(stat_fd, stat_text, sizeof(stat_text));
	read_text(meminfo_fd, meminfo_text, sizeof(meminfo_text));
	read_text(vmstat_fd, vmstat_text, sizeof(vmstat_text));
	jsonw_open(json, "disks", '{');
	for (i = 0; i < sampled->n; i++)
		put_disk(json, i);
	jsonw_close(json, '}');
	put_vm(json);
	put_row(json);
	port_send();
}
