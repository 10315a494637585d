/* SPDX-License-Identifier: GPL-2.0-only */
/* Loading of modules with finit_module(2) (Linux 3.8). */
#include "agent/modules.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/end.h"
#include "agent/jsonw.h"
#include "agent/port.h"
#include "agent/text.h"
#include "wire/plan.h"

static int load(const struct plan_module *module)
{
	int fd = open(module->path, O_RDONLY | O_CLOEXEC);
	int error = 0;

	if (fd < 0)
		return errno;
	if (syscall(SYS_finit_module, fd, module->args, 0) < 0 && errno != EEXIST)
		error = errno;
	close(fd);
	return error;
}

/* "/lib/modules/ata_piix.ko" is ata_piix, cut to what a frame's name may hold. */
static void module_name(const char *path, char *name, size_t cap)
{
	const char *slash = strrchr(path, '/');
	size_t i;

	path = slash ? slash + 1 : path;
	for (i = 0; path[i] && path[i] != '.' && i + 1 < cap; i++)
		name[i] = path[i];
	name[i] = '\0';
}

void modules_load(const struct plan *plan)
{
	char name[PLAN_NAME];
	size_t i;

	for (i = 0; i < plan->n_modules; i++) {
		int error = load(&plan->modules[i]);
		struct jsonw *json = port_begin("module");

		module_name(plan->modules[i].path, name, sizeof(name));
		jsonw_string(json, "name", name);
		jsonw_number(json, "error", error);
		port_send();
		/* ENODEV: the hardware it drives is not there, such as a CPU's checksum unit. If it
		 * was a disk's, that disk will be missed by its name. */
		if (error && error != ENODEV)
			end_fail("modules", error, "cannot load module '%s': %s", name,
				 strerror(error));
	}
}
