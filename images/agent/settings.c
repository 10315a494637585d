/* SPDX-License-Identifier: GPL-2.0-only */
/* Applying settings, with proof that they hold. */
#include "agent/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/disks.h"
#include "agent/end.h"
#include "agent/jsonw.h"
#include "agent/port.h"
#include "agent/text.h"

/* what: the word of a "lacks" frame if the kernel does not have the file at all. */
static void apply(const char *what, const char *path, const char *value)
{
	char shown[PLAN_TEXT];
	int error = text_write(path, value);
	struct jsonw *json;

	if (error || text_read(path, shown, sizeof(shown)) < 0)
		snprintf(shown, sizeof(shown), "%s", value);
	text_trim(shown);
	json = port_begin("set");
	jsonw_string(json, "path", path);
	jsonw_string(json, "value", shown);
	jsonw_number(json, "error", -error);
	port_send();
	if (error == -ENOENT)
		end_lacks("settings", what, path, ENOENT, "this kernel has no '%s'", path);
	if (error)
		end_lacks("settings", "setting", path, -error, "'%s' does not take '%s': %s", path,
			  value, strerror(-error));
	if (!text_shows(shown, value))
		end_lacks("settings", "setting", path, 0, "'%s' shows '%s' after '%s' was set",
			  path, shown, value);
}

static void apply_attribute(const struct disk *disk, const char *name, const char *value)
{
	char path[TEXT_PATH];

	snprintf(path, sizeof(path), "/sys/block/%s/%s", disk->dev, name);
	apply("setting", path, value);
}

static void apply_number(const struct disk *disk, const char *name, int64_t value)
{
	char number[24];

	snprintf(number, sizeof(number), "%" PRId64, value);
	apply_attribute(disk, name, number);
}

static void apply_disk(const struct disk *disk)
{
	const struct plan_disk *plan = disk->plan;

	/* a change of the scheduler resets nr_requests */
	if (plan->scheduler[0])
		apply_attribute(disk, "queue/scheduler", plan->scheduler);
	if (plan->nr_requests > 0)
		apply_number(disk, "queue/nr_requests", plan->nr_requests);
	/* some kernels take read_ahead_kb back when this changes */
	if (plan->max_request_kb > 0)
		apply_number(disk, "queue/max_sectors_kb", plan->max_request_kb);
	if (plan->read_ahead_kb >= 0)
		apply_number(disk, "queue/read_ahead_kb", plan->read_ahead_kb);
	if (plan->wbt_lat_us >= 0)
		apply_number(disk, "queue/wbt_lat_usec", plan->wbt_lat_us);
	if (plan->max_ratio >= 0)
		apply_number(disk, "bdi/max_ratio", plan->max_ratio);
	if (plan->timeout_s > 0)
		apply_number(disk, "device/timeout", plan->timeout_s);
}

void settings_apply_disks(const struct disks *disks)
{
	size_t i;

	for (i = 0; i < disks->n; i++)
		apply_disk(&disks->disks[i]);
}

void settings_apply_files(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->n_sets; i++)
		apply("file", plan->sets[i].path, plan->sets[i].value);
}

void settings_flush_caches(void)
{
	sync();
	text_write("/proc/sys/vm/drop_caches", "3");	/* since Linux 2.6.16 */
}
