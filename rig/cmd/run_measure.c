/* SPDX-License-Identifier: GPL-2.0-only */
/* Running one kernel, or two in turns, and going on with what is there. */
#include "cmd/run_measure.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "cmd/display.h"
#include "judge/judge.h"
#include "judge/matrix_kept.h"
#include "run/folder.h"
#include "run/noise.h"
#include "run/options.h"
#include "run/schedule.h"
#include "run/suite.h"

#define LOCK ".lock"

void run_kernel_init(struct run_kernel *rk)
{
	*rk = (struct run_kernel){ .k = KERNEL_INIT };
	run_init(&rk->run);
}

void run_kernel_release(struct run_kernel *rk)
{
	kernel_release(&rk->k);
	run_release(&rk->run);
	free(rk->dir);
	run_kernel_init(rk);
}

static struct matrix_want want(const struct run_kernel *rk, const struct run_options *o,
			       const struct suite *suite)
{
	return (struct matrix_want){ .k = &rk->k, .o = o, .cases = suite->cases,
				     .n_cases = suite->n };
}

static int lock_folder(const struct run_kernel *rk, struct err *err)
{
	char *path __free(ptr) = path_join(rk->dir, LOCK);
	int fd = file_lock(path, NULL, err);

	if (fd == -EWOULDBLOCK)
		return err_input(err, "another iorig works in '%s'", str_escape(rk->dir));
	return fd;
}

/* Make the folder, or open what is there again. Returns the lock. */
static int begin(struct run_kernel *rk, const struct run_options *o, const struct suite *suite,
		 struct err *err)
{
	int lock, ret = noise_take(&rk->run, o, suite, err);

	if (ret)
		return ret;
	if (!rk->dir) {
		ret = folder_make(&rk->run, o, &rk->k, &rk->dir, err);
		return ret ? ret : lock_folder(rk, err);
	}
	lock = lock_folder(rk, err);
	if (lock < 0)
		return lock;
	rk->run.interrupted = true;	/* until the end says otherwise */
	rk->run.seeds = o->seeds > rk->run.seeds ? o->seeds : rk->run.seeds;
	free(rk->run.ended);
	rk->run.ended = NULL;
	return lock;
}

static int boot(struct run_kernel *rk, const struct run_options *o, bool quiet,
		const struct suite *suite, struct err *err)
{
	const struct schedule s = { .o = o, .k = &rk->k, .suite = suite, .run_dir = rk->dir,
				    .dead_after = rk->dead_after, .news = display_news };
	int ret;

	display_begin(quiet, (size_t)o->jobs);
	ret = schedule_run(&s, &rk->run, err);
	display_end();
	return ret;
}

/* Judge what there is, also of a run that was stopped, and write the document a last time. ret:
 * how it went, whose error stays. */
static int conclude(struct run_kernel *rk, const struct suite *suite, int ret, struct err *err)
{
	struct err late = ERR_INIT;
	char now[32];

	rk->run.interrupted = ret != 0;
	rk->run.ended = xstrdup(clock_utc(now));
	judge_run(&rk->run, suite->cases, suite->expects, suite->n);
	if (folder_write(&rk->run, rk->dir, &late) && !ret) {
		*err = late;
		ret = err->code;
	}
	rk->ran = !ret;
	return ret;
}

static bool is_complete(const struct run_kernel *rk, const struct run_options *o,
			const struct suite *suite)
{
	const struct matrix_want w = want(rk, o, suite);

	return rk->dir && !rk->run.interrupted && !matrix_kept_missing(&rk->run, &w);
}

static void judge_only(struct run_kernel *rk, const struct suite *suite)
{
	judge_run(&rk->run, suite->cases, suite->expects, suite->n);
	rk->ran = true;
}

int run_kernel_measure(struct run_kernel *rk, const struct run_options *o, bool quiet,
		       const struct suite *suite, struct err *err)
{
	int lock __free(fd) = -1;

	if (is_complete(rk, o, suite)) {
		judge_only(rk, suite);
		return 0;
	}
	lock = begin(rk, o, suite, err);
	if (lock < 0)
		return lock;
	return conclude(rk, suite, boot(rk, o, quiet, suite, err), err);
}

/* One boot of each at a time, to and fro. */
static int boot_in_turns(struct run_kernel **rks, size_t n, const struct run_options *o,
			 bool quiet, const struct suite *suite, struct err *err)
{
	struct run_options upto = *o;	/* borrows all of it */
	size_t turn = 0;
	int ret = 0;

	for (upto.seeds = 1; upto.seeds <= o->seeds; upto.seeds++) {
		for (size_t i = 0; i < suite->n; i++, turn++) {
			const struct suite one = { .cases = &suite->cases[i], .n = 1,
						   .expects = &suite->expects[i] };

			for (size_t k = 0; k < n && !ret; k++)
				ret = boot(rks[turn % 2 ? n - 1 - k : k], &upto, quiet, &one, err);
		}
	}
	return ret;
}

int run_kernel_measure_in_turns(struct run_kernel **rks, size_t n, const struct run_options *o,
				bool quiet, const struct suite *suite, struct err *err)
{
	int *locks __free(ptr) = xcalloc(n, sizeof(*locks));
	size_t begun = 0;
	int ret = 0;

	for (; begun < n && ret >= 0; begun++)
		ret = locks[begun] = begin(rks[begun], o, suite, err);
	ret = ret < 0 ? ret : boot_in_turns(rks, n, o, quiet, suite, err);
	/* whatever happened, what has a folder gets a document that says so */
	for (size_t i = 0; i < begun; i++) {
		if (locks[i] < 0)
			continue;
		ret = conclude(rks[i], suite, ret, err);
		close(locks[i]);
	}
	return ret;
}

/* "20261130T170405Z-debian" or "20261130T170405Z-debian.02" for "debian". */
static bool is_named(const char *folder, const char *kernel)
{
	const char *name = strchr(folder, '-');
	size_t len = strlen(kernel);

	if (!name || strncmp(name + 1, kernel, len) != 0)
		return false;
	name += 1 + len;
	return !*name || (*name == '.' && isdigit((unsigned char)name[1]) &&
			  isdigit((unsigned char)name[2]) && !name[3]);
}

static bool is_locked(const char *dir)
{
	char *path __free(ptr) = path_join(dir, LOCK);
	struct err ignored = ERR_INIT;
	int fd __free(fd) = path_is_file(path) ? file_lock(path, NULL, &ignored) : -1;

	return fd < 0 && path_is_file(path);
}

/* What a stop left half done is done again. */
static void drop_broken(struct run *run)
{
	size_t kept = 0;

	for (size_t i = 0; i < run->n_boots; i++) {
		if (run->boots[i].outcome == OUTCOME_BROKEN)
			boot_release(&run->boots[i]);
		else
			run->boots[kept++] = run->boots[i];
	}
	run->n_boots = kept;
}

/* Take over that run if it lacks less than *missing boots, and then set that. */
static void take(struct run_kernel *rk, const struct matrix_want *w, const char *name,
		 size_t *missing)
{
	char *dir __free(ptr) = path_join(w->o->out, name);
	char *path __free(ptr) = path_join(dir, "run.json");
	struct err ignored = ERR_INIT;
	struct run run;

	if (!path_is_file(path) || is_locked(dir) || run_read(&run, path, &ignored))
		return;
	if (run.interrupted)
		drop_broken(&run);
	if (matrix_kept_unfit(&run, w) || matrix_kept_missing(&run, w) >= *missing) {
		run_release(&run);
		return;
	}
	*missing = matrix_kept_missing(&run, w);
	run_release(&rk->run);
	free(rk->dir);
	rk->run = run;
	rk->dir = no_free_ptr(dir);
}

bool run_kernel_take_kept(struct run_kernel *rk, const struct run_options *o,
			  const struct suite *suite)
{
	char *kernel __free(ptr) = folder_kernel_name(&rk->k);
	struct strvec names __release(strvec) = STRVEC_INIT;
	const struct matrix_want w = want(rk, o, suite);
	size_t missing = suite->n * (size_t)o->seeds;	/* one without any is no gain */
	struct err ignored = ERR_INIT;

	if (!path_is_dir(o->out) || dir_list(o->out, NULL, &names, &ignored))
		return false;
	for (size_t i = names.n; i && missing; i--) {
		if (is_named(names.v[i - 1], kernel))
			take(rk, &w, names.v[i - 1], &missing);
	}
	return rk->dir;
}
