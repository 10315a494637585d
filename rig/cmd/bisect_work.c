/* SPDX-License-Identifier: GPL-2.0-only */
/* Beginning a bisect, going on with one, and its steps. */
#include "cmd/bisect_work.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "cmd/bisect_args.h"
#include "cmd/bisect_say.h"
#include "cmd/bisect_try.h"
#include "cmd/run_measure.h"
#include "cmd/work_folder.h"

#define JOURNAL	    "bisect.json"
#define FIRST_BOOTS 5	/* of each end, to see in what they differ most */

DEFINE_FREE(json, json_t *, json_decref(_T))

void bisect_work_init(struct bisect_work *w, struct bisect_args *args)
{
	*w = (struct bisect_work){
		.args = args, .lock_fd = -1, .suite = SUITE_INIT, .followed = FOLLOWED_INIT,
		.b = BISECT_INIT, .trail = TRAIL_INIT, .step = BISECT_STEP_INIT,
	};
	clock_utc(w->started);
}

void bisect_work_release(struct bisect_work *w)
{
	bisect_step_release(&w->step);
	bisect_release(&w->b);
	trail_release(&w->trail);
	followed_release(&w->followed);
	suite_release(&w->suite);
	free(w->git_dir);
	free(w->dir);
	w->git_dir = w->dir = NULL;
	if (w->lock_fd >= 0)
		close(w->lock_fd);
	w->lock_fd = -1;
}

const char *bisect_work_short(const struct bisect_work *w, size_t commit, char *buf)
{
	size_t len = strlen(w->b.h.c[commit].id);

	len = len < 12 ? len : 12;
	memcpy(buf, w->b.h.c[commit].id, len);
	buf[len] = '\0';
	return buf;
}

void bisect_work_words(const struct bisect_work *w, size_t commit, struct commit_words *words)
{
	struct err ignored = ERR_INIT;

	if (commits_words(w->git_dir, w->b.h.c[commit].id, words, &ignored) == 0)
		return;
	commit_words_release(words);
	words->subject = xstrdup("");
	words->author = xstrdup("");
	words->date = xstrdup("");
}

int bisect_work_write(struct bisect_work *w, struct err *err)
{
	char *path __free(ptr) = path_join(w->dir, JOURNAL);
	json_t *about __free(json) = trail_to_json(&w->trail);

	if (json_object_set_new(about, "asked", bisect_args_to_json(w->args)) ||
	    json_object_set_new(about, "started", json_string(w->started)))
		BUG("no journal");
	return bisect_write(&w->b, about, path, err);
}

/* One case, by its name from now on. */
static int find_case(struct bisect_work *w, struct err *err)
{
	char *dir __free(ptr) = path_join(w->args->o.data_dir, "cases");
	struct strvec names __release(strvec) = STRVEC_INIT;
	struct strvec *globs = &w->args->o.globs;
	int ret = kase_find(dir, globs, &names, err);

	if (ret)
		return ret;
	if (names.n != 1)
		return err_input(err, "'%s' means %zu cases, such as %s and %s: one is followed",
				 str_escape(globs->v[0]), names.n, str_escape(names.v[0]),
				 str_escape(names.v[1]));
	strvec_release(globs);
	strvec_push(globs, names.v[0]);
	return 0;
}

static bool is_most(const struct bisect_args *args)
{
	return args->metric && !strcmp(args->metric, BISECT_METRIC_MOST);
}

/* What is followed; while that is not known yet ('most'), whatever the case's first metric is. */
static int follow(struct bisect_work *w, struct err *err)
{
	int ret;

	if (w->args->verdict) {
		followed_init_verdict(&w->followed, &w->suite);
		return 0;
	}
	ret = followed_init(&w->followed, &w->suite, is_most(w->args) ? NULL : w->args->metric,
			    err);
	if (!ret && !w->args->metric)
		w->args->metric = xstrdup(w->followed.name);
	return ret;
}

static int read_case(struct bisect_work *w, struct err *err)
{
	int ret = find_case(w, err);

	if (!ret)
		ret = suite_load(&w->suite, &w->args->o, err);
	return ret ? ret : follow(w, err);
}

static struct bisect_options options_of(const struct bisect_args *args)
{
	struct bisect_options o = BISECT_OPTIONS_INIT;

	o.values = args->verdict ? BISECT_PASS_FAIL : BISECT_FIGURES;
	if (args->sure > 0)
		o.sure = args->sure;
	if (args->boots)
		o.all_boots = args->boots;
	return o;
}

static int read_history(struct bisect_work *w, struct err *err)
{
	const struct bisect_args *args = w->args;
	const struct bisect_options o = options_of(args);
	char *good __free(ptr) = NULL, *bad __free(ptr) = NULL;
	struct history h __release(history) = HISTORY_INIT;
	struct strbuf list __release(strbuf) = STRBUF_INIT;
	int ret = commits_find(w->git_dir, args->tree, args->good, &good, err);

	if (!ret)
		ret = commits_find(w->git_dir, args->tree, args->bad, &bad, err);
	if (!ret && !strcmp(good, bad))
		ret = err_input(err, "'%s' and '%s' are the same commit",
				str_escape(args->good), str_escape(args->bad));
	if (!ret)
		ret = commits_between(w->git_dir, good, bad, args->first_parent, &list, err);
	if (!ret)
		ret = history_parse(&h, good, list.buf, err);
	if (!ret)
		ret = bisect_init(&w->b, &h, &o, err);
	if (!ret)
		trail_init(&w->trail, w->b.h.n);
	return ret;
}

static int take_folder(struct bisect_work *w, struct err *err)
{
	char bad[13], *journal __free(ptr) = NULL;
	int ret = work_folder_make(&w->dir, w->args->dir, w->started, "bisect",
				   bisect_work_short(w, w->b.h.n - 1, bad), err);

	if (ret)
		return ret;
	w->lock_fd = work_folder_lock(w->dir, "iorig bisect", err);
	if (w->lock_fd < 0)
		return w->lock_fd;
	journal = path_join(w->dir, JOURNAL);
	return path_is_file(journal) ? err_input(err, "'%s' holds a bisect: --resume goes on "
						 "with it", str_escape(w->dir)) : 0;
}

static int begin_new(struct bisect_work *w, struct err *err)
{
	struct bisect_args *args = w->args;
	int ret = bisect_args_tree(args, err);

	if (!ret)
		ret = commits_repository(args->tree, &w->git_dir, err);
	if (!ret)
		ret = bisect_args_finish(args, err);
	if (!ret)
		ret = read_case(w, err);
	if (!ret)
		ret = read_history(w, err);
	return ret ? ret : take_folder(w, err);
}

/* The commits of the journal must be those of the repository, and those that were asked for now. */
static int check_commits(const struct bisect_work *w, struct err *err)
{
	const struct bisect_args *args = w->args;
	const char *const revs[] = { args->good, args->bad };
	const size_t at[] = { 0, w->b.h.n - 1 };

	for (size_t i = 0; i < 2; i++) {
		char *id __free(ptr) = NULL, *same __free(ptr) = NULL;
		int ret = commits_find(w->git_dir, args->tree, w->b.h.c[at[i]].id, &id, err);

		if (!ret && args->commits_given)
			ret = commits_find(w->git_dir, args->tree, revs[i], &same, err);
		if (ret)
			return ret;
		if (same && strcmp(same, id) != 0)
			return err_input(err, "the bisect in '%s' has another %s commit than '%s', "
					 "%.12s", str_escape(w->dir), i ? "bad" : "good",
					 str_escape(revs[i]), id);
	}
	return 0;
}

/* What the journal holds besides the core's part of it. */
static int take_about(struct bisect_work *w, const json_t *about, struct err *err)
{
	const json_t *asked = json_object_get(about, "asked");
	const char *started = json_string_value(json_object_get(about, "started"));
	int ret = bisect_args_take(w->args, asked, err);

	if (!ret)
		ret = trail_from_json(&w->trail, about, w->b.h.n, w->b.n_boots, err);
	if (!ret && (!started || strlen(started) >= sizeof(w->started)))
		ret = err_input(err, "about.started is bad or missing");
	if (ret)
		return ret;
	memcpy(w->started, started, strlen(started) + 1);
	ret = bisect_args_finish(w->args, err);
	return ret ? ret : bisect_args_check_tools(w->args, asked, err);
}

static int read_journal(struct bisect_work *w, struct err *err)
{
	char *path __free(ptr) = path_join(w->dir, JOURNAL);
	json_t *about __free(json) = NULL;
	int ret;

	if (!path_is_file(path))
		return err_input(err, "no bisect in '%s' to go on with", str_escape(w->dir));
	w->lock_fd = work_folder_lock(w->dir, "iorig bisect", err);
	if (w->lock_fd < 0)
		return w->lock_fd;
	ret = bisect_read(&w->b, &about, path, err);
	if (ret)
		return ret;
	ret = take_about(w, about, err);
	return ret ? err_wrap(err, "%s", str_escape(path)) : 0;
}

static int begin_again(struct bisect_work *w, struct err *err)
{
	const struct bisect_args *args = w->args;
	int ret;

	w->dir = xstrdup(args->dir);
	ret = read_journal(w, err);
	if (!ret)
		ret = commits_repository(args->tree, &w->git_dir, err);
	if (!ret)
		ret = check_commits(w, err);
	if (!ret)
		ret = read_case(w, err);
	if (ret)
		return ret;
	if ((w->b.o.values == BISECT_PASS_FAIL) != args->verdict)
		return err_input(err, "%s/" JOURNAL ": figures, or passes and failures?",
				 str_escape(w->dir));
	if (args->sure > 0)
		w->b.o.sure = args->sure;
	if (args->boots)
		w->b.o.all_boots = args->boots;
	return 0;
}

int bisect_work_begin(struct bisect_work *w, struct err *err)
{
	int ret = w->args->resume ? begin_again(w, err) : begin_new(w, err);

	if (ret)
		return ret;
	w->o = w->args->o;
	w->o.out = w->dir;
	/* so that --resume finds it, however early this ends */
	return bisect_work_write(w, err);
}

/* Boots of both ends, as the first look at them needs them anyway. */
static int boot_ends(struct bisect_work *w, struct run_kernel ends[2], struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < 2 && !ret; i++) {
		ret = bisect_try_build(w, i ? w->b.h.n - 1 : 0, &ends[i], err);
		if (!ret)
			ret = bisect_try_boot(w, FIRST_BOOTS, &ends[i], err);
	}
	return ret;
}

size_t bisect_work_differing(struct bisect_work *w, struct strbuf *out, char **first,
			     struct err *err)
{
	struct run_kernel ends[2];
	size_t n = 0;

	run_kernel_init(&ends[0]);
	run_kernel_init(&ends[1]);
	if (!boot_ends(w, ends, err))
		n = followed_differing(&w->suite, &ends[0].run, &ends[1].run, 3, out, first);
	run_kernel_release(&ends[0]);
	run_kernel_release(&ends[1]);
	return n;
}

/* Put the metric in which the ends differ most in the place of 'most'; the usual one if they differ
 * in none, or do not get so far: then the steps will show it. */
static int choose_metric(struct bisect_work *w, struct err *err)
{
	struct strbuf found __release(strbuf) = STRBUF_INIT;
	char *first __free(ptr) = NULL;
	int ret = 0;

	bisect_say_ends();
	bisect_work_differing(w, &found, &first, err);
	if (err->code && err->kind != ERR_UNABLE)
		return err->code;
	*err = (struct err)ERR_INIT;
	if (first)
		bisect_say_chosen(first, found.buf);
	free(w->args->metric);
	w->args->metric = no_free_ptr(first);
	followed_release(&w->followed);
	ret = follow(w, err);
	return ret ? ret : bisect_work_write(w, err);
}

int bisect_work_run(struct bisect_work *w, struct err *err)
{
	int ret = !w->args->verdict && is_most(w->args) ? choose_metric(w, err) : 0;

	while (!ret) {
		bisect_step_release(&w->step);
		bisect_next(&w->b, &w->step);
		if (w->step.what != BISECT_TEST)
			return 0;
		bisect_say_before(w);
		ret = bisect_try(w, err);
		if (!ret)
			ret = bisect_work_write(w, err);
		if (!ret)
			bisect_say_after(w);
	}
	return ret;
}
