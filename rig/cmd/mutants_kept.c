/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs that an earlier, stopped matrix left in its folder. */
#include "cmd/mutants_kept.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strvec.h"
#include "cmd/cmd.h"
#include "judge/matrix_kept.h"

void mutants_kept_release(struct mutants_kept *kept)
{
	for (size_t i = 0; i < kept->n; i++)
		run_release(&kept->v[i]);
	free(kept->v);
	*kept = (struct mutants_kept)MUTANTS_KEPT_INIT;
}

int mutants_kept_read(struct mutants_kept *kept, const char *dir, struct err *err)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	int ret = dir_list(dir, NULL, &names, err);

	strvec_each (name, &names) {
		char *path __free(ptr) = xstrfmt("%s/%s/run.json", dir, *name);
		struct run *run;
		struct err bad = ERR_INIT;

		if (!path_is_file(path))
			continue;
		run = array_grow(kept->v, kept->n);
		if (run_read(run, path, &bad)) {
			cmd_warn(&bad);
			kept->n--;
		}
	}
	return ret;
}

bool mutants_kept_take(struct mutants_kept *kept, const struct matrix_want *want, struct run *run)
{
	for (size_t i = kept->n; i; i--) {
		if (matrix_kept_differs(&kept->v[i - 1], want))
			continue;
		*run = kept->v[i - 1];
		run_init(&kept->v[i - 1]);
		return true;
	}
	return false;
}
