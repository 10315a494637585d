/* SPDX-License-Identifier: GPL-2.0-only */
/* Which job the agent is called as. */
#include "agent/applet.h"

#include <stddef.h>
#include <string.h>

#include "agent/work.h"

static const struct {
	const char *name;
	void (*run)(struct work *w);
} applets[] = {
	{ JOBARGS_PREFIX "cpu", run_cpu },
	{ JOBARGS_PREFIX "create", run_create },
	{ JOBARGS_PREFIX "fsync", run_fsync },
	{ JOBARGS_PREFIX "light-write", run_light_write },
	{ JOBARGS_PREFIX "make-files", run_make_files },
	{ JOBARGS_PREFIX "pipe-ring", run_pipe_ring },
	{ JOBARGS_PREFIX "read", run_read },
	{ JOBARGS_PREFIX "repeat", run_repeat },
	{ JOBARGS_PREFIX "small-read", run_small_read },
	{ JOBARGS_PREFIX "sync", run_sync },
	{ JOBARGS_PREFIX "touch-memory", run_touch_memory },
	{ JOBARGS_PREFIX "write", run_write },
};

void applet_run(int argc, char **argv)
{
	const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
	const char *name = slash ? slash + 1 : argc > 0 ? argv[0] : "";
	const struct jobargs_job *job = jobargs_find(name);
	static struct work w;
	size_t i;

	for (i = 0; job && i < sizeof(applets) / sizeof(applets[0]); i++) {
		if (strcmp(applets[i].name, name) != 0)
			continue;
		work_begin(&w, job, argc, argv);
		applets[i].run(&w);
		work_end(&w);
	}
}
