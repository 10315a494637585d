/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig check-patch: each patch of a series against the one before it. */
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "cmd/check_args.h"
#include "cmd/check_work.h"
#include "cmd/cmd.h"
#include "cmd/display.h"
#include "report/steps.h"

int cmd_check_patch(int argc, char **argv)
{
	struct check_args args __release(check_args);
	struct check_work w __release(check_work) = { .args = NULL };
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;
	int ret;

	check_args_parse(&args, argc, argv);
	check_work_init(&w, &args);
	display_begin(args.run.quiet, 0);
	progress_set_sink(display_line);
	ret = check_work_begin(&w, &err);
	if (!ret)
		ret = check_work_run(&w, &err);
	if (ret)
		return cmd_fail(&err);
	report_steps(&w.steps, cmd_fancy(STDOUT_FILENO), &out);
	fwrite(out.buf, 1, out.len, stdout);
	return (int)steps_exit_status(&w.steps);
}
