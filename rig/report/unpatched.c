/* SPDX-License-Identifier: GPL-2.0-only */
/* The run without the patches. */
#include "report/unpatched.h"

#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strvec.h"
#include "record/record.h"

#define NAME_LEAST 60	/* a shorter one was not cut */
#define TRIED 16	/* documents that are read; they are large */

static bool same(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/* Has the run a boot of the same case, by its text? */
static bool has_case(const struct run *run, const struct boot *like)
{
	for (size_t i = 0; i < run->n_boots; i++)
		if (same(run->boots[i].case_name, like->case_name) &&
		    same(run->boots[i].case_sha256, like->case_sha256))
			return true;
	return false;
}

const char *unpatched_differs(const struct run *run, const struct run *base)
{
	if (base->kernel.n_patches || !*run->kernel.source_id ||
	    !same(run->kernel.source_id, base->kernel.source_id) ||
	    !same(run->kernel.cmdline, base->kernel.cmdline))
		return "another kernel";
	if (!same(run->clock, base->clock) || !same(run->timing, base->timing) ||
	    !same(run->accel, base->accel) || !same(run->scale, base->scale))
		return "another clock, timing, accelerator or scale";
	if (!same(run->qemu.version, base->qemu.version) ||
	    !same(run->rig_version, base->rig_version) ||
	    !same(run->tools_sha256, base->tools_sha256))
		return "another QEMU or rig";
	for (size_t i = 0; i < run->n_boots; i++)
		if (!has_case(base, &run->boots[i]))
			return "other cases";
	return NULL;
}

/*
 * Is it a folder of that kernel? "20261130T170405Z-NAME", a second one of the same moment with
 * ".02" behind it; what a shell could take for more than a letter is a '_' there (run/folder.h),
 * and long names are cut.
 */
static bool is_of(const char *folder, const char *name, size_t len)
{
	const char *dash = strchr(folder, '-'), *c;

	if (!dash || !isdigit((unsigned char)*folder))
		return false;
	for (c = dash + 1; *c && len; c++, name++, len--)
		if (*c != *name && *c != '_')
			return false;
	if (len)
		return !*c && c - dash > NAME_LEAST;
	return !*c || (*c == '.' && isdigit((unsigned char)c[1]));
}

bool unpatched_find(const struct run *run, const char *dir, struct run *base, char **base_dir)
{
	char *above __free(ptr) = path_join(dir, "..");
	struct strvec names __release(strvec) = STRVEC_INIT;
	const char *plus = strrchr(run->kernel.name, '+');
	struct err err = ERR_INIT;
	size_t tried = 0;

	run_init(base);
	*base_dir = NULL;
	if (!run->kernel.n_patches || !plus || dir_list(above, NULL, &names, &err))
		return false;
	strvec_sort(&names);
	for (size_t i = names.n; i && tried < TRIED; i--) {
		char *folder __free(ptr) = path_join(above, names.v[i - 1]);
		char *doc __free(ptr) = path_join(folder, "run.json");

		if (!is_of(names.v[i - 1], run->kernel.name, (size_t)(plus - run->kernel.name)) ||
		    !path_is_file(doc))
			continue;
		tried++;
		err = (struct err)ERR_INIT;
		if (!run_read(base, doc, &err) && !unpatched_differs(run, base)) {
			*base_dir = no_free_ptr(folder);
			return true;
		}
		run_release(base);
		run_init(base);
	}
	return false;
}
