/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of source/source share: a folder of their own, small kernel trees made by shell
 * commands, and looks at what lies in a folder. Everything fails the running test if it cannot do
 * its work.
 */
#ifndef UNIT_SOURCE_FIXTURE_H
#define UNIT_SOURCE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "source/source.h"

static char *top, *cache;	/* the test program's folder, and the cache in it */
static char last_progress[512];

static inline void keep_progress(const char *line)
{
	snprintf(last_progress, sizeof(last_progress), "%s", line);
}

static inline int setup(void **state)
{
	struct err err = ERR_INIT;
	char *made;

	(void)state;
	if (dir_temp("/tmp/iorig-source-", &made, &err) < 0)
		return -1;
	top = realpath(made, NULL);
	free(made);
	cache = path_join(top, "cache");
	progress_set_sink(keep_progress);
	return top ? 0 : -1;
}

static inline int teardown(void **state)
{
	struct err err = ERR_INIT;
	int ret = dir_remove(top, &err);

	(void)state;
	free(top);
	free(cache);
	return ret;
}

/* Run a shell script in top; what it prints, without white space at its ends (free it). */
static inline char *sh(const char *script)
{
	static const char prelude[] =
		"set -e\n"
		"export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 LC_ALL=C\n"
		"export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a\n"
		"export GIT_COMMITTER_EMAIL=a@b\n"
		"commit() { git -C \"$1\" add -A && git -C \"$1\" commit -q -m \"$2\"; }\n"
		/* A kernel tree of a few files. */
		"kernel() {\n"
		"	mkdir -p $1/mm $1/drivers/base $1/scripts\n"
		"	printf 'VERSION = 9\\nPATCHLEVEL = 8\\nSUBLEVEL = 7\\nEXTRAVERSION = -rc1\\n"
		"NAME = x\\n' >$1/Makefile\n"
		"	echo 'mainmenu \"x\"' >$1/Kconfig\n"
		"	printf '*.o\\n.*\\n!.gitignore\\n/vmlinux\\n' >$1/.gitignore\n"
		"	echo 'int a;' >$1/mm/a.c\n"
		"	echo 'int b;' >$1/mm/b.c\n"
		"	echo 'int c;' >$1/drivers/base/c.c\n"
		"	printf '#!/bin/sh\\n' >$1/scripts/run.sh\n"
		"	chmod 755 $1/scripts/run.sh\n"
		"	ln -s ../mm $1/scripts/mm\n"
		"}\n"
		"repo() { kernel $1; git -C $1 init -q -b main; commit $1 first; git -C $1 tag v1; }\n";
	struct deadline d = deadline_in("a test's script", 60 * NS_PER_S);
	struct strbuf out = STRBUF_INIT;
	struct proc proc = PROC_INIT;
	struct err err = ERR_INIT;

	strvec_pushl(&proc.argv, "sh", "-c", NULL);
	strvec_pushf(&proc.argv, "%s%s", prelude, script);
	proc.dir = top;
	if (proc_capture(&proc, &d, 1 << 20, &out, NULL, &err) < 0)
		fail_msg("%s: %s", script, err.msg);
	proc_release(&proc);
	strbuf_trim(&out);
	return strbuf_detach(&out, NULL);
}

static inline void run(const char *script)
{
	free(sh(script));
}

/* What a script prints is this. */
static inline void expect_sh(const char *script, const char *want)
{
	char *got = sh(script);

	if (strcmp(got, want) != 0)
		fail_msg("%s:\ngot    '%s'\nwanted '%s'", script, got, want);
	free(got);
}

/* Resolve "KIND:%s/REST" below top; tree is below top, too, or NULL. */
static inline int resolve(struct source *s, const char *spec, const char *tree, struct err *err)
{
	char *where = tree ? path_join(top, tree) : NULL;
	char *whole = strncmp(spec, "tree:", 5) ? xstrdup(spec) :
						  xstrfmt("tree:%s/%s", top, spec + 5);
	int ret = source_resolve(s, whole, where, cache, err);

	free(where);
	free(whole);
	return ret;
}

static inline void must_resolve(struct source *s, const char *spec, const char *tree)
{
	struct err err = ERR_INIT;

	source_release(s);
	if (resolve(s, spec, tree, &err) < 0)
		fail_msg("%s: %s", spec, err.msg);
}

static inline void must_refuse(const char *spec, const char *tree, const char *message)
{
	struct source s = SOURCE_INIT;
	struct err err = ERR_INIT;

	if (resolve(&s, spec, tree, &err) == 0)
		fail_msg("'%s' was taken", spec);
	if (err.kind != ERR_INPUT || !strstr(err.msg, message))
		fail_msg("'%s': kind %d '%s', wanted '%s'", spec, err.kind, err.msg, message);
	source_release(&s);
}

/* Fill (or update) the folder below top. */
static inline void must_fill(struct source *s, const char *name, bool update)
{
	char *dir = path_join(top, name);
	struct err err = ERR_INIT;
	int ret = dir_make(dir, &err);

	if (ret == 0)
		ret = update ? source_update(s, dir, &err) : source_fill(s, dir, &err);
	if (ret < 0)
		fail_msg("%s: %s", name, err.msg);
	free(dir);
}

#endif
