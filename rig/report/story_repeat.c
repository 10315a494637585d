/* SPDX-License-Identifier: GPL-2.0-only */
/* Commands that repeat what a report tells. */
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "record/record.h"
#include "report/story.h"

#define NAMED 6	/* cases of a run that a command names one by one */

/*
 * A kernel that was given as a file is repeated from that file, one with a patch of the user's
 * ("debian-6.1+mm-fix") from what was patched; where the patch lies nobody has recorded. True if
 * it is one of those. patched: with its patches.
 */
static bool add_kernel(const struct run *run, bool patched, struct strvec *argv)
{
	const char *name = run->kernel.name, *plus = strrchr(name, '+');
	bool file = !run->kernel.package && !run->kernel.source && run->kernel.image &&
		    !strcmp(path_base(run->kernel.image), name);
	const char *patch = plus ? plus + 1 : NULL;

	if (!run->kernel.n_patches || !patch) {
		strvec_push(argv, file ? run->kernel.image : name);
		return false;
	}
	for (size_t i = 0; i < run->kernel.n_patches; i++) {
		const char *base = path_base(run->kernel.patches[i].name);

		if (!strncmp(base, plus + 1, strlen(plus + 1)))
			patch = base;
	}
	strvec_pushf(argv, "%.*s", (int)(plus - name), name);
	if (patched)
		strvec_pushf(argv, "--patch=%s", patch);
	return patched;
}

/* "writeback/" and a star if all cases are in that folder; NULL if they are in several. */
static char *common_glob(const struct run *run)
{
	const char *first = run->n_boots ? run->boots[0].case_name : "";
	const char *slash = strrchr(first, '/');
	size_t len = slash ? (size_t)(slash + 1 - first) : 0;

	for (size_t i = 0; i < run->n_boots; i++)
		if (strncmp(run->boots[i].case_name, first, len))
			return NULL;
	return len ? xstrfmt("%.*s*", (int)len, first) : NULL;
}

/* All cases of the run if they are few, else the folder that they are in. */
static void add_cases(const struct run *run, struct strvec *argv)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	char *glob __free(ptr) = common_glob(run);

	for (size_t i = 0; i < run->n_boots && names.n <= NAMED; i++)
		if (!strvec_has(&names, run->boots[i].case_name))
			strvec_push(&names, run->boots[i].case_name);
	if (names.n > NAMED && glob)
		strvec_pushl(argv, "-c", glob, NULL);
	for (size_t i = 0; i < names.n && names.n <= NAMED; i++)
		strvec_pushl(argv, "-c", names.v[i], NULL);
}

static void add_repeat(const struct run *run, bool patched, const char *case_name,
		       struct strbuf *out)
{
	struct strvec argv __release(strvec) = STRVEC_INIT;

	strvec_pushl(&argv, "iorig", "run", NULL);
	if (add_kernel(run, patched, &argv))
		strvec_push(&argv, "--no-base");
	if (case_name)
		strvec_pushl(&argv, "-c", case_name, NULL);
	else
		add_cases(run, &argv);
	strvec_pushf(&argv, "--seeds=%d", run->seeds);
	if (strcmp(run->scale, "quick"))
		strvec_pushf(&argv, "--scale=%s", run->scale);
	if (strcmp(run->clock, "sim"))
		strvec_pushf(&argv, "--clock=%s", run->clock);
	if (strcmp(run->timing, "model"))
		strvec_pushf(&argv, "--timing=%s", run->timing);
	if (strcmp(run->accel, "tcg"))
		strvec_pushf(&argv, "--accel=%s", run->accel);
	strvec_shell_quote(&argv, out);
}

void story_repeat(const struct run *run, const char *case_name, struct strbuf *out)
{
	add_repeat(run, true, case_name, out);
}

void story_repeat_base(const struct run *run, const char *case_name, struct strbuf *out)
{
	add_repeat(run, false, case_name, out);
}

void story_debug(const struct run *run, const struct boot *b, int64_t from_ns, int64_t to_ns,
		 struct strbuf *out)
{
	struct strvec argv __release(strvec) = STRVEC_INIT;

	if (strcmp(run->clock, "sim"))
		return;
	strvec_pushl(&argv, "iorig", "debug", NULL);
	add_kernel(run, true, &argv);
	strvec_pushl(&argv, "-c", b->case_name, NULL);
	strvec_pushf(&argv, "--seed=%u", b->seed);
	if (strcmp(b->scale, "quick"))
		strvec_pushf(&argv, "--scale=%s", b->scale);
	/* a stall lasts for a second at least */
	strvec_pushf(&argv, "--at=%.2fs", ((double)from_ns + (double)to_ns) / 2e9);
	strvec_shell_quote(&argv, out);
}
