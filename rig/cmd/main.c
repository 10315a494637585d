/* SPDX-License-Identifier: GPL-2.0-only */
/* Find the subcommand and run it. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/sig.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"

const char *argp_program_version = "iorig " IORIG_VERSION;

static void usage(FILE *out)
{
	fputs("usage: iorig COMMAND [ARGUMENT...]\n\n"
	      "Does a slow disk drag the fast ones down, does a writer starve the readers?\n"
	      "Boots kernels in QEMU, measures, and judges.\n\n", out);
	for (const struct cmd *c = cmd_table; c->name; c++)
		fprintf(out, "  %-8s %s\n", c->name, c->summary);
	fputs("\n'iorig COMMAND --help' tells more; so does 'man iorig'.\n"
	      "Exit status: 0 pass, 1 regressed, 125 cannot judge, 128 the rig failed, "
	      "129 usage.\n", out);
}

/* A result that did not reach the disk or the pipe must not look like one that did. */
static int flushed(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fprintf(stderr, "iorig: cannot write the result: %s\n", strerror(errno));
	return EXIT_RIG;
}

int main(int argc, char **argv)
{
	char name[64];

	argp_err_exit_status = EXIT_USAGE;
	if (argc < 2) {
		usage(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		usage(stdout);
		return EXIT_PASS;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts(argp_program_version);
		return EXIT_PASS;
	}
	for (const struct cmd *c = cmd_table; c->name; c++) {
		if (strcmp(c->name, argv[1]))
			continue;
		sig_init();
		snprintf(name, sizeof(name), "iorig %s", c->name);
		argv[1] = name;
		return flushed(c->run(argc - 1, argv + 1));
	}
	fprintf(stderr, "iorig: no command '%s'; 'iorig --help' lists them\n",
		str_escape(argv[1]));
	return EXIT_USAGE;
}
