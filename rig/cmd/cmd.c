/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of subcommands, and how errors become words and exit statuses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/sig.h"
#include "cmd/cmd.h"

const struct cmd cmd_table[] = {
	{ "run", "boot kernels, run cases, print the verdict table", cmd_run },
	{ "build", "fetch or build a kernel into the cache", cmd_build },
	{ "list", "list kernels, cases, disks, jobs or metrics", cmd_list },
	{ "new-case", "write a template of a case", cmd_new_case },
	{ "report", "show an earlier run: table, page, pictures, Markdown, CSV, JSON", cmd_report },
	{ "compare", "say what changed between two runs, and how sure that is", cmd_compare },
	{ "check-patch", "say which patch of a series changes what", cmd_check_patch },
	{ "expect", "show what of a run would be accepted, and write it", cmd_expect },
	{ "mutants", "plant regressions, and say which cases see which", cmd_mutants },
	{ "debug", "stop a boot at a moment, and look inside with gdb", cmd_debug },
	{ "bisect", "find the commit that made a metric worse", cmd_bisect },
	{ "watch", "follow a run that goes on elsewhere", cmd_watch },
	{ "cache", "list what is kept of kernels, and remove it", cmd_cache },
	{ "doctor", "say what this machine has and lacks", cmd_doctor },
	{ NULL, NULL, NULL },
};

int cmd_fail(const struct err *err)
{
	fprintf(stderr, "iorig: %s\n", err->msg);
	switch (err->kind) {
	case ERR_RIG:
		return EXIT_RIG;
	case ERR_INPUT:
		return EXIT_USAGE;
	case ERR_UNABLE:
		return EXIT_CANNOT;
	case ERR_INTERRUPTED:
		return 128 + sig_which();
	}
	return EXIT_RIG;
}

void cmd_warn(const struct err *err)
{
	fprintf(stderr, "iorig: warning: %s\n", err->msg);
}

bool cmd_fancy(int fd)
{
	const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");

	return isatty(fd) && (!no_color || !*no_color) && term && *term && strcmp(term, "dumb");
}
