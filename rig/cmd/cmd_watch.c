/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig watch: follow a run from another terminal, by its progress.json. */
#include <argp.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/sig.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/display.h"
#include "cmd/find_run.h"
#include "record/record.h"
#include "report/table.h"
#include "run/progress.h"
#include "run/schedule.h"

#define EVERY_MS 1000
#define LEFT_EVERY 60		/* rounds between lines that tell the estimated end */
#define JUDGED_NS (30 * NS_PER_S) /* between a run's last boot and its last document */

struct watch_args {
	struct strvec runs;
	const char *out;
	bool once;
};

/* What has been shown so far. */
struct watching {
	size_t shown;		/* ended boots */
	size_t slots;
	unsigned int rounds;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct watch_args *args = state->input;

	switch (key) {
	case 'o':
		args->out = arg;
		return 0;
	case '1':
		args->once = true;
		return 0;
	case ARGP_KEY_ARG:
		if (args->runs.n)
			argp_error(state, "one run at a time");
		strvec_push(&args->runs, arg);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_option options[] = {
	{ "once", '1', NULL, 0, "show how far it is and do not wait", 0 },
	{ "out", 'o', "DIR", 0, "where result folders are (default: results)", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "[RUN]",
	.doc = "Follow a RUN that goes on elsewhere, a result folder or its name below the results "
	       "(default: the newest), as its own terminal shows it; at its end print its table.",
};

static void show_ended(const struct run_progress *p, struct watching *w)
{
	for (size_t i = 0; i < p->n_last; i++) {
		const struct progress_ended *e = &p->last[i];
		const struct boot b = { .outcome = e->outcome, .reason = e->reason };
		const struct schedule_news n = {
			.event = BOOT_ENDED, .case_name = e->case_name, .seed = e->seed,
			.done = e->number, .total = p->total, .wall_ns = e->wall_ns, .boot = &b,
		};

		if (e->number > w->shown && p->n_slots)
			display_news(&n);
		if (e->number > w->shown)
			w->shown = e->number;
	}
}

static void show_running(const struct run_progress *p)
{
	for (size_t i = 0; i < p->n_slots; i++) {
		const struct progress_slot *s = &p->slots[i];
		const struct schedule_news n = {
			.event = BOOT_NEWS, .case_name = s->case_name, .seed = s->seed, .slot = i,
			.done = p->done, .total = p->total, .stage = s->stage,
			.guest_ns = s->guest_ns, .wall_ns = s->wall_ns, .simulated = p->simulated,
			.full = s->full,
		};

		if (s->case_name)
			display_news(&n);
	}
}

static void show_left(const struct run_progress *p)
{
	char *line __free(ptr) = NULL;
	char age[32], left[32];

	if (run_progress_left(p) < 0)
		line = xstrfmt("%zu of %zu boots done in %s", p->done, p->total,
			       format_time(p->written, age));
	else
		line = xstrfmt("%zu of %zu boots done in %s, about %s to go", p->done, p->total,
			       format_time(p->written, age),
			       format_time(run_progress_left(p), left));
	display_line(line);
}

static void show(const struct run_progress *p, struct watching *w)
{
	if (w->slots != p->n_slots || !w->rounds)
		display_begin(false, p->n_slots);
	w->slots = p->n_slots;
	show_ended(p, w);
	if (w->rounds++ % LEFT_EVERY == 0)
		show_left(p);
	show_running(p);
}

/* Does the run's scheduler still live? One that was killed leaves its last word behind. */
static bool alive(const struct run_progress *p)
{
	return p->pid > 0 && (!kill((pid_t)p->pid, 0) || errno == EPERM);
}

/* A second, or until a stop is asked for. */
static int wait_a_second(struct err *err)
{
	struct pollfd fd = { .fd = sig_fd(), .events = POLLIN };

	poll(&fd, 1, EVERY_MS);
	return sig_stop_asked() ? err_interrupted(err) : 0;
}

/* Until the run's last boot has ended. */
static int follow(const struct watch_args *args, const char *folder, struct err *err)
{
	char *path __free(ptr) = path_join(folder, PROGRESS_FILE);
	struct watching w = { .shown = 0 };
	int ret = 0;

	for (bool ended = false; !ended && !ret;) {
		struct run_progress p __release(run_progress);

		ret = run_progress_read(&p, path, err);
		if (ret)
			break;
		show(&p, &w);
		ended = p.ended || args->once;
		if (!ended && !alive(&p))
			ret = err_unable(err,
					 "the run ended without a word: its process %lld is gone",
					 (long long)p.pid);
		if (!ended && !ret)
			ret = wait_a_second(err);
	}
	display_end();
	return ret;
}

/* The run's own process judges after the last boot. */
static int print_table(const char *document, struct err *err)
{
	struct deadline d = deadline_in("the run's verdicts", JUDGED_NS);
	struct strbuf out __release(strbuf) = STRBUF_INIT;

	for (;;) {
		struct run run __release(run);
		int ret;

		run_init(&run);
		ret = run_read(&run, document, err);
		if (ret)
			return ret;
		if (run.ended && *run.ended) {
			report_run(&run, &out, cmd_fancy(STDOUT_FILENO));
			fwrite(out.buf, 1, out.len, stdout);
			return 0;
		}
		if (deadline_passed(&d))
			return deadline_error(&d, err);
		ret = wait_a_second(err);
		if (ret)
			return ret;
	}
}

static int watch(struct watch_args *args, struct err *err)
{
	char *document __free(ptr) = NULL, *folder __free(ptr) = NULL;
	int ret = args->runs.n ? 0 : find_run_newest(args->out, &args->runs, err);

	if (ret)
		return ret;
	document = find_run_document(args->out, args->runs.v[0]);
	folder = find_run_folder(document);
	ret = follow(args, folder, err);
	return ret || args->once ? ret : print_table(document, err);
}

int cmd_watch(int argc, char **argv)
{
	struct watch_args args = { .runs = STRVEC_INIT, .out = "results" };
	struct err err = ERR_INIT;
	int status = EXIT_PASS;

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	if (watch(&args, &err))
		status = cmd_fail(&err);
	strvec_release(&args.runs);
	return status;
}
