/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig new-case: a commented template of a case and of what is expected of it. */
#include <argp.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "cmd/cmd.h"

static const char case_template[] =
"# What this case is for: which mechanism of the kernel it looks at from outside, and which\n"
"# change (a patch, a commit, a report) made somebody suspect it. See iorig-case(5).\n"
"[case]\n"
"title  = %s\n"
"about  = What a failure means, and where in the kernel to look first.\n"
"; origin = list, date, subject\n"
"memory = 128M\n"
"; stacks = 200ms          ; look five times a second where the jobs wait\n"
"\n"
"; [set]                   ; by the names that sysctl(8) gives them\n"
"; vm.dirty_ratio = 20\n"
"\n"
"# The disks: 'iorig list disks'. A queue that a scheduler can sort needs scsi or ahci, not ide.\n"
"[disk hda]\n"
"bus       = scsi\n"
"profile   = hdd-2004\n"
"size      = 512M\n"
"fs        = ext4\n"
"; scheduler = mq-deadline\n"
"; fault   = stop at 20s for 10s\n"
"\n"
"# The victim: whose time or latency matters. A shell command, or a job of the guest's agent,\n"
"# which measures every call: 'iorig list jobs'.\n"
"[job light]\n"
"role  = victim\n"
"start = 2s\n"
"run   = iorig-light-write file=/mnt/hda/light time=10s\n"
"; alone = another-case    ; whose job of the same name gives the figures alone\n"
"\n"
"# The load: what disturbs it.\n"
"[job stream]\n"
"role  = load\n"
"run   = iorig-write file=/mnt/hda/stream time=1min\n"
"stop  = victims\n"
"\n"
"; [variant bfq]           ; the case once more, as NAME@bfq\n"
"; disk.hda.scheduler = bfq\n"
"\n"
"; [scale full]            ; larger numbers, for --scale=full\n"
"; memory = 512M\n";

static const char expect_template[] =
"# The metric that matters: 'iorig list metrics'. Run the case with --seeds 5 first; a limit is\n"
"# the worst of them and some room. A load has a floor: a fix that stops the load is no fix.\n"
"; [light.p99]\n"
"; limit  = 250ms\n"
"; goal   = 50ms\n"
"; was    = 180ms\n"
"; kernel = debian 6.1\n"
"; seeds  = 5\n"
"; why    = the worst of five seeds was 190 ms, and a third more\n"
"\n"
"; [stream.rate]\n"
"; floor  = 10MB/s\n"
"; why    = three quarters of what it writes alone\n";

/* "group/name", of characters that need no quoting anywhere. */
static bool name_is_good(const char *name)
{
	const char *slash = strchr(name, '/');
	size_t len = strlen(name);

	return slash && slash != name && slash[1] && !strchr(slash + 1, '/') && len <= 64 &&
	       len == strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789+-/") &&
	       *name != '-' && slash[1] != '-';
}

/* Write a file that is not there yet. */
static int write_new(const char *path, const char *text, struct err *err)
{
	char *dir __free(ptr) = xstrndup(path, (size_t)(path_base(path) - path));
	int fd __free(fd) = -1;
	int ret = dir_make(dir, err);

	if (ret)
		return ret;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0 && errno == EEXIST)
		return err_input(err, "'%s' is there already", str_escape(path));
	if (fd < 0)
		return err_sys(err, -errno, "cannot create '%s'", str_escape(path));
	ret = fd_write_all(fd, text, strlen(text));
	return ret ? err_sys(err, ret, "cannot write '%s'", str_escape(path)) : 0;
}

static int new_case(const char *name, struct err *err)
{
	char *data __free(ptr) = NULL, *path __free(ptr) = NULL, *expect __free(ptr) = NULL;
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	int ret = path_data(&data, err);

	if (ret)
		return ret;
	if (!name_is_good(name))
		return err_input(err, "'%s' is no name of a case: GROUP/NAME of a-z, 0-9, + and -",
				 str_escape(name));
	path = xstrfmt("%s/cases/%s.case", data, name);
	expect = xstrfmt("%s/expect/%s.expect", data, name);
	/* neither of them without the other */
	if (path_is_file(expect))
		return err_input(err, "'%s' is there already", str_escape(expect));
	strbuf_addf(&text, case_template, path_base(name));
	ret = write_new(path, text.buf, err);
	if (!ret)
		ret = write_new(expect, expect_template, err);
	if (!ret)
		printf("%s\n%s\n", path, expect);
	return ret;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	const char **name = state->input;

	if (key == ARGP_KEY_ARG && !*name) {
		*name = arg;
		return 0;
	}
	if (key == ARGP_KEY_NO_ARGS)
		argp_error(state, "which name shall it have?");
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.parser = parse_option,
	.args_doc = "GROUP/NAME",
	.doc = "Write a commented template of a case and of what is expected of it, and say where. "
	       "Nothing that is there is overwritten.",
};

int cmd_new_case(int argc, char **argv)
{
	const char *name = NULL;
	struct err err = ERR_INIT;

	argp_parse(&argp, argc, argv, 0, NULL, &name);
	return new_case(name, &err) ? cmd_fail(&err) : EXIT_PASS;
}
