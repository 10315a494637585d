/* SPDX-License-Identifier: GPL-2.0-only */
/* Constructor and destructor. */
#include "sim/init.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/disks.h"
#include "sim/fatal.h"
#include "sim/lockstep.h"
#include "sim/log.h"
#include "sim/model_config.h"
#include "sim/stop.h"
#include "sim/symbols.h"
#include "sim/thread.h"
#include "sim/watchdog.h"

#define CONFIG_MAX (1 << 16)

static bool active;
static struct model_config config;

bool init_active(void)
{
	return active;
}

static void read_config(const char *path)
{
	static char text[CONFIG_MAX + 1];
	FILE *f = fopen(path, "re");
	char why[300];
	size_t n;

	if (!f)
		fatal("cannot read '%s': %s", path, strerror(errno));
	n = fread(text, 1, CONFIG_MAX, f);
	if (ferror(f) || n == CONFIG_MAX || strlen(text) != n)
		fatal("'%s' is no configuration", path);
	fclose(f);
	if (model_config_parse(&config, text, why, sizeof(why)) < 0)
		fatal("%s: %s", path, why);
}

__attribute__((constructor)) static void init_library(void)
{
	const char *path = getenv("IORIG_SIM");

	if (!path || !symbols_is_qemu())
		return;
	symbols_load();
	read_config(path);
	unsetenv("IORIG_SIM");
	unsetenv("LD_PRELOAD");
	thread_role = THREAD_MAIN;
	disks_init(&config);
	if (config.log)
		log_open(config.log);
	if (!config.real_clock) {
		lockstep_enable();
		watchdog_start(config.watchdog);
		if (config.stop)
			stop_at(config.stop);
	}
	active = true;
}

/* QEMU's main() returned or called exit(). Nothing is freed: its other threads still run. */
__attribute__((destructor)) static void leave_library(void)
{
	if (active)
		log_flush();
}
