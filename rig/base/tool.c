/* SPDX-License-Identifier: GPL-2.0-only */
/* Finding programs, also those outside a user's PATH. */
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/tool.h"

int tool_find(const char *name, const char *package, char **path, struct err *err)
{
	static const char *const folders[] = { "/usr/sbin", "/sbin" };

	*path = proc_find(name);
	for (size_t i = 0; !*path && i < ARRAY_SIZE(folders); i++) {
		char *candidate __free(ptr) = path_join(folders[i], name);

		if (path_is_file(candidate) && access(candidate, X_OK) == 0)
			*path = no_free_ptr(candidate);
	}
	if (!*path)
		return err_set(err, -ENOENT, "'%s' not found: install the package %s", name,
			       package);
	return 0;
}
