/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Subcommands: one file each, one const table. The only code that prints to the user or decides
 * an exit status. Exit statuses are an interface (git bisect run understands them):
 *
 *	0 pass    1 regressed    125 cannot judge    128 the rig failed    129 usage
 *	128 + n   stopped by signal n
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdbool.h>

struct err;

enum cmd_exit { EXIT_PASS = 0, EXIT_REGRESSED = 1, EXIT_CANNOT = 125, EXIT_RIG = 128,
		EXIT_USAGE = 129 };

struct cmd {
	const char *name;
	const char *summary;	/* one line for --help */
	int (*run)(int argc, char **argv);	/* argv[0] is "iorig NAME"; returns exit status */
};

/* Ends with an entry whose name is NULL. */
extern const struct cmd cmd_table[];

int cmd_run(int argc, char **argv);
int cmd_build(int argc, char **argv);
int cmd_cache(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_new_case(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_check_patch(int argc, char **argv);
int cmd_expect(int argc, char **argv);
int cmd_mutants(int argc, char **argv);
int cmd_bisect(int argc, char **argv);
int cmd_debug(int argc, char **argv);
int cmd_watch(int argc, char **argv);

/* Print "iorig: message" and return the exit status that its kind means. */
int cmd_fail(const struct err *err);
/* The same for a warning; goes on. */
void cmd_warn(const struct err *err);
/* True if fd is a terminal that wants colours and cursor movement (NO_COLOR unset or empty, TERM
 * set and not dumb). */
bool cmd_fancy(int fd);

#endif
