/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig report: earlier runs from their documents, in every form there is. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "cmd/cmd.h"
#include "cmd/find_run.h"
#include "record/record.h"
#include "report/contest.h"
#include "report/csv.h"
#include "report/dirty.h"
#include "report/files.h"
#include "report/fio.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/metrics.h"
#include "report/spark.h"
#include "report/stalls.h"
#include "report/table.h"
#include "report/unpatched.h"
#include "report/vmstat.h"
#include "report/waits.h"

#define RUNS_MAX 16	/* side by side */

enum form { FORM_NONE, FORM_TEXT, FORM_MARKDOWN, FORM_CSV, FORM_JSON };

struct report_args {
	struct strvec runs;
	const char *out;
	enum form form;
	bool html, plots, classic, verbose;
	bool contest;
	const char *contest_style;	/* NULL, "0.6x" or "2002" */
	const char *vmstat;	/* the case whose samples are printed */
	bool dirty_lines;
	const char *console;	/* the file that they are in, NULL = the runs' */
	const char *html_file;	/* NULL = report.html in the last run's folder */
};

enum { KEY_HTML = 256, KEY_TEXT, KEY_MARKDOWN, KEY_CSV, KEY_JSON, KEY_PLOTS, KEY_CLASSIC,
       KEY_VMSTAT, KEY_DIRTY_LINES, KEY_CONTEST };

static void choose(struct report_args *args, enum form form, struct argp_state *state)
{
	if (args->form != FORM_NONE && args->form != form)
		argp_error(state, "one of --text, --markdown, --csv and --json at a time");
	args->form = form;
}

static void check_dirty_lines(const struct report_args *args, struct argp_state *state)
{
	if (args->html || args->plots || args->classic || args->vmstat ||
	    args->form == FORM_MARKDOWN || args->form == FORM_JSON)
		argp_error(state, "--dirty-lines goes with --text or --csv and nothing else");
	if (args->console && args->runs.n)
		argp_error(state, "--dirty-lines=FILE is about that file and not about a run");
}

static void check_contest(const struct report_args *args, struct argp_state *state)
{
	const char *style = args->contest_style;

	if (args->html || args->plots || args->classic || args->vmstat || args->dirty_lines ||
	    (args->form != FORM_NONE && args->form != FORM_TEXT))
		argp_error(state, "--contest goes with --text and nothing else");
	if (style && strcmp(style, "0.6x") && strcmp(style, "2002"))
		argp_error(state, "--contest=%s: neither 0.6x nor 2002", str_escape(style));
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct report_args *args = state->input;

	switch (key) {
	case 'o':
		args->out = arg;
		return 0;
	case 'v':
		args->verbose = true;
		return 0;
	case KEY_HTML:
		args->html = true;
		args->html_file = arg;
		return 0;
	case KEY_TEXT:
	case KEY_MARKDOWN:
	case KEY_CSV:
	case KEY_JSON:
		choose(args, FORM_TEXT + (enum form)(key - KEY_TEXT), state);
		return 0;
	case KEY_PLOTS:
		args->plots = true;
		return 0;
	case KEY_CLASSIC:
		args->classic = true;
		return 0;
	case KEY_VMSTAT:
		args->vmstat = arg;
		return 0;
	case KEY_DIRTY_LINES:
		args->dirty_lines = true;
		args->console = arg;
		return 0;
	case KEY_CONTEST:
		args->contest = true;
		args->contest_style = arg;
		return 0;
	case ARGP_KEY_END:
		if (args->contest)
			check_contest(args, state);
		if (args->dirty_lines)
			check_dirty_lines(args, state);
		return 0;
	case ARGP_KEY_ARG:
		if (args->runs.n >= RUNS_MAX)
			argp_error(state, "at most %d runs at a time", RUNS_MAX);
		strvec_push(&args->runs, arg);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp_option options[] = {
	{ "html", KEY_HTML, "FILE", OPTION_ARG_OPTIONAL,
	  "write one page about all runs (default: report.html in the last run's folder; - is "
	  "standard output)",
	  0 },
	{ "text", KEY_TEXT, NULL, 0, "print the verdict table and nothing else", 0 },
	{ "markdown", KEY_MARKDOWN, NULL, 0, "print Markdown for a pull request or a mail", 0 },
	{ "csv", KEY_CSV, NULL, 0, "print a row for each boot and job", 0 },
	{ "json", KEY_JSON, NULL, 0, "print the documents without their samples", 0 },
	{ "plots", KEY_PLOTS, NULL, 0,
	  "draw pictures (SVG and PNG) into the runs' folders, with gnuplot's files beside them",
	  0 },
	{ "classic", KEY_CLASSIC, NULL, 0,
	  "draw the five graphs of 2004 into classic/ in the runs' folders", 0 },
	{ "vmstat", KEY_VMSTAT, "CASE", 0,
	  "print the samples of the case's first seed as vmstat(8) does, and nothing else", 0 },
	{ "dirty-lines", KEY_DIRTY_LINES, "FILE", OPTION_ARG_OPTIONAL,
	  "print what the consoles' lines tell about each device's dirty pages, beside the "
	  "samples, and nothing else (FILE: of this console; --csv: a row for each value)",
	  0 },
	{ "contest", KEY_CONTEST, "STYLE", OPTION_ARG_OPTIONAL,
	  "print the cases contest/* as contest did, a row for each run, and nothing else (STYLE: "
	  "0.6x, the default, or 2002)",
	  0 },
	{ "verbose", 'v', NULL, 0, "print every metric, waits and stalls, too", 0 },
	{ "out", 'o', "DIR", 0, "where result folders are (default: results)", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "[RUN...]",
	.doc = "Report each RUN: a result folder, its name below the results, or a run.json; the "
	       "newest run by default. Without options the verdict table is printed and a page is "
	       "written to report.html in the run's folder. Of several runs the first is the base "
	       "that the page compares the others with.",
};

/* The runs that are reported, with their folders. */
struct loaded {
	struct run *runs;
	const struct run **borrowed;	/* the same, for those that do not change them */
	struct strvec dirs;
	size_t n;
};

static void loaded_release(struct loaded *l)
{
	for (size_t i = 0; i < l->n; i++)
		run_release(&l->runs[i]);
	free(l->runs);
	free(l->borrowed);
	strvec_release(&l->dirs);
}

static int load(struct loaded *l, const struct report_args *args, struct err *err)
{
	l->runs = xcalloc(args->runs.n, sizeof(*l->runs));
	l->borrowed = xcalloc(args->runs.n, sizeof(*l->borrowed));
	strvec_each (spec, &args->runs) {
		char *path __free(ptr) = find_run_document(args->out, *spec);

		run_init(&l->runs[l->n]);
		if (run_read(&l->runs[l->n], path, err))
			return err->code;
		l->borrowed[l->n] = &l->runs[l->n];
		strvec_push_nodup(&l->dirs, find_run_folder(path));
		l->n++;
	}
	return 0;
}

/* Does the terminal take UTF-8? As the C library decides it, without changing its locale. */
static bool utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *v = getenv(names[i]);

		if (v && *v)
			return strcasestr(v, "utf-8") || strcasestr(v, "utf8");
	}
	return false;
}

static int add_text(struct strbuf *out, const struct run *run, const char *dir, bool verbose,
		    struct err *err)
{
	strbuf_addf(out, "run %s%s\n", str_escape(run->id),
		    run->interrupted ? " (stopped before its end)" : "");
	report_run(run, out, cmd_fancy(STDOUT_FILENO));
	spark_run(out, run, utf8());
	if (!verbose)
		return 0;
	metrics_run(out, run);
	report_waits_stacks(run, out);
	report_fio(run, out);
	return stalls_run(out, run, dir, err);
}

static int print_form(const struct report_args *args, const struct loaded *l, struct err *err)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	int ret = 0;

	if (args->form == FORM_CSV)
		csv_head(&out);
	if (args->form == FORM_JSON)
		json_runs(&out, l->borrowed, l->n);
	for (size_t i = 0; i < l->n && !ret; i++) {
		if (i && args->form != FORM_CSV && args->form != FORM_JSON)
			strbuf_addch(&out, '\n');
		if (args->form == FORM_TEXT)
			ret = add_text(&out, &l->runs[i], l->dirs.v[i], args->verbose, err);
		else if (args->form == FORM_MARKDOWN)
			markdown_run(&out, &l->runs[i]);
		else if (args->form == FORM_CSV)
			csv_run(&out, &l->runs[i]);
	}
	fwrite(out.buf, 1, out.len, stdout);
	return ret;
}

/* One run of a patched kernel stands beside that of the kernel as it is, if there is one. */
static int make_page(const struct loaded *l, struct strbuf *out, struct err *err)
{
	struct run base __release(run) = { .id = NULL };
	char *base_dir __free(ptr) = NULL;
	const struct run *both[] = { &base, l->borrowed[0] };

	if (l->n > 1 || !unpatched_find(&l->runs[0], l->dirs.v[0], &base, &base_dir))
		return html_page(out, l->borrowed, (const char *const *)l->dirs.v, l->n, err);
	return html_page(out, both, (const char *[]){ base_dir, l->dirs.v[0] }, 2, err);
}

static int write_page(const struct report_args *args, const struct loaded *l, struct err *err)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	char *file __free(ptr) = args->html_file ? xstrdup(args->html_file)
						 : path_join(l->dirs.v[l->n - 1], "report.html");
	int ret = make_page(l, &out, err);

	if (ret)
		return ret;
	if (!strcmp(file, "-")) {
		fwrite(out.buf, 1, out.len, stdout);
		return 0;
	}
	ret = file_write_atomic(file, out.buf, out.len, 0666, err);
	if (!ret)
		fprintf(stderr, "iorig: page: %s, %zu KB\n", str_escape(file), out.len / 1000 + 1);
	return ret;
}

static int draw(const struct report_args *args, const struct loaded *l, struct err *err)
{
	int ret = 0;
	size_t n;

	for (size_t i = 0; i < l->n && !ret && args->plots; i++) {
		ret = files_plots(&l->runs[i], l->dirs.v[i], &n, err);
		if (!ret)
			fprintf(stderr, "iorig: %zu pictures in %s\n", n, str_escape(l->dirs.v[i]));
		if (!ret && i)
			ret = files_change(&l->runs[0], &l->runs[i], l->dirs.v[i], &n, err);
	}
	for (size_t i = 0; i < l->n && !ret && args->classic; i++) {
		ret = files_classic(&l->runs[i], l->dirs.v[i], &n, err);
		if (!ret)
			fprintf(stderr, "iorig: %zu of the five graphs in %s/classic\n", n,
				str_escape(l->dirs.v[i]));
	}
	return ret;
}

static int print_vmstat(const struct report_args *args, const struct loaded *l, struct err *err)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;

	for (size_t i = 0; i < l->n; i++) {
		if (!report_vmstat(&l->runs[i], args->vmstat, &out))
			return err_input(err, "run '%s' has no boot of case '%s'",
					 str_escape(l->runs[i].id), str_escape(args->vmstat));
	}
	fwrite(out.buf, 1, out.len, stdout);
	return 0;
}

static int print_dirty_lines(const struct report_args *args, const struct loaded *l,
			     struct err *err)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	bool csv = args->form == FORM_CSV;
	int ret = 0;

	if (csv)
		dirty_csv_head(&out);
	if (args->console)
		ret = dirty_file(&out, args->console, csv, err);
	for (size_t i = 0; i < l->n && !ret; i++) {
		if (i && !csv)
			strbuf_addch(&out, '\n');
		ret = dirty_run(&out, &l->runs[i], l->dirs.v[i], csv, err);
	}
	if (!ret)
		fwrite(out.buf, 1, out.len, stdout);
	return ret;
}

static int print_contest(const struct report_args *args, const struct loaded *l, struct err *err)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	bool old = args->contest_style && !strcmp(args->contest_style, "2002");
	int ret = old ? contest_table_2002(&out, l->borrowed, l->n, err) :
			contest_tables(&out, l->borrowed, l->n, err);

	fwrite(out.buf, 1, out.len, stdout);
	return ret;
}

static int report(struct report_args *args, struct loaded *l, struct err *err)
{
	bool by_default = args->form == FORM_NONE && !args->html && !args->plots && !args->classic;
	int ret;

	if (args->console)
		return print_dirty_lines(args, l, err);
	ret = args->runs.n ? 0 : find_run_newest(args->out, &args->runs, err);
	if (!ret)
		ret = load(l, args, err);
	if (ret)
		return ret;
	if (args->vmstat)
		return print_vmstat(args, l, err);
	if (args->dirty_lines)
		return print_dirty_lines(args, l, err);
	if (args->contest)
		return print_contest(args, l, err);
	if (by_default)
		args->form = FORM_TEXT;
	if (args->form != FORM_NONE)
		ret = print_form(args, l, err);
	if (args->html && !ret)
		ret = write_page(args, l, err);
	/* whoever only wanted to read has read, though the folder be somebody else's */
	else if (by_default && !ret && write_page(args, l, err))
		cmd_warn(err);
	return ret ? ret : draw(args, l, err);
}

int cmd_report(int argc, char **argv)
{
	struct report_args args = { .runs = STRVEC_INIT, .out = "results" };
	struct loaded l __release(loaded) = { .dirs = STRVEC_INIT };
	struct err err = ERR_INIT;
	int status = EXIT_PASS;

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	if (report(&args, &l, &err))
		status = cmd_fail(&err);
	strvec_release(&args.runs);
	return status;
}
