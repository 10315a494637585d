/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig mutants: planted regressions and no-ops against the cases. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"
#include "cmd/display.h"
#include "cmd/mutants_args.h"
#include "cmd/mutants_work.h"


static void add_json(const struct mutants_work *w, struct strbuf *out)
{
	json_t *doc = report_matrix_json(&w->matrix, &w->asked);
	char *text __free(ptr) = json_dumps(doc, JSON_INDENT(1));

	json_decref(doc);
	BUG_ON(!text);
	strbuf_addf(out, "%s\n", text);
}

static void print_matrix(const struct mutants_work *w, enum mutants_form form)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;

	switch (form) {
	case MUTANTS_TEXT:
		strbuf_addch(&out, '\n');
		report_matrix(&w->matrix, cmd_fancy(STDOUT_FILENO), &out);
		strbuf_addf(&out, "results: %s\n", str_escape(w->dir));
		break;
	case MUTANTS_MARKDOWN:
		report_matrix_markdown(&w->matrix, &out);
		break;
	case MUTANTS_JSON:
		add_json(w, &out);
		break;
	}
	fwrite(out.buf, 1, out.len, stdout);
	fflush(stdout);
}

int cmd_mutants(int argc, char **argv)
{
	struct mutants_args args __release(mutants_args);
	struct mutants_work w __release(mutants_work) = { .args = NULL };
	struct err err = ERR_INIT;
	int ret = mutants_args_parse(&args, argc, argv, &err);

	mutants_work_init(&w, &args);
	display_begin(args.quiet, 0);
	progress_set_sink(display_line);
	if (!ret)
		ret = mutants_work_begin(&w, &err);
	if (ret)
		return cmd_fail(&err);
	ret = mutants_work_run(&w, &err);
	if (w.matrix.stock)
		print_matrix(&w, args.form);
	if (!ret)
		return (int)matrix_exit_status(&w.matrix);
	if (err.kind != ERR_UNABLE)
		fprintf(stderr, "iorig: stopped early; 'iorig mutants --resume %s' goes on\n",
			str_escape(w.dir));
	return cmd_fail(&err);
}
