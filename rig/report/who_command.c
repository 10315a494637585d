/* SPDX-License-Identifier: GPL-2.0-only */
/* Commands in words: dd, the agent's own jobs, and what is neither. */
#include "report/who_command.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"
#include "report/who.h"
#include "wire/jobargs.h"

#define LONG_NS (1800 * 1000000000LL)

const char *who_size(int64_t bytes, char *buf)
{
	char text[32];
	size_t n;

	format_size(bytes, text);
	n = strlen(text);
	if (n && strchr("KMGT", text[n - 1]))
		snprintf(buf, 40, "%.*s %ciB", (int)n - 1, text, text[n - 1]);
	else
		snprintf(buf, 40, "%s", text);
	return buf;
}

/* Several commands, or more than words: then no single one of them tells what the job does. */
static bool is_script(const char *command)
{
	return strpbrk(command, ";|&\n`") || strstr(command, "$(");
}

/* Its words from "dd" or "iorig-..." on, which "exec" and "ionice -c3" may stand before; all of
 * them if there is none. */
static const char *split(const char *command, struct strvec *words)
{
	struct strvec all __release(strvec) = STRVEC_INIT;
	size_t from = 0;

	strvec_split(&all, command, " \t");
	for (size_t i = 0; i < all.n; i++)
		if (!strcmp(all.v[i], "dd") || jobargs_find(all.v[i])) {
			from = i;
			break;
		}
	for (size_t i = from; i < all.n; i++)
		strvec_push(words, all.v[i]);
	return words->n ? words->v[0] : "";
}

/* The value of dd's operand "of=", borrowed; NULL. */
static const char *operand(const struct strvec *words, const char *name)
{
	size_t len = strlen(name);

	strvec_each (w, words)
		if (!strncmp(*w, name, len) && (*w)[len] == '=')
			return *w + len + 1;
	return NULL;
}

static bool on_disk(const char *path)
{
	return path && (!strncmp(path, "/mnt/", 5) || !strncmp(path, "/dev/iorig/", 11));
}

/* 64K, 1M, 96: as dd reads them; -1 for what is none. */
static int64_t dd_number(const char *text)
{
	struct err err = ERR_INIT;
	int64_t v;

	if (!text || (parse_int(text, 0, INT64_MAX, &v, &err) && parse_size(text, &v, &err)))
		return -1;
	return v;
}

static void add_place(const char *before, const char *disk, struct strbuf *out)
{
	if (disk)
		strbuf_addf(out, " %s %s", before, disk);
}

static void add_dd(const struct strvec *words, const char *disk, struct strbuf *out)
{
	bool reads = !on_disk(operand(words, "of")) && on_disk(operand(words, "if"));
	int64_t bs = operand(words, "bs") ? dd_number(operand(words, "bs")) : 512;
	int64_t count = dd_number(operand(words, "count")), bytes;
	char size[40];

	strbuf_addstr(out, reads ? "reads " : "writes ");
	if (count >= 0 && bs > 0 && !__builtin_mul_overflow(bs, count, &bytes))
		strbuf_addstr(out, who_size(bytes, size));
	else
		strbuf_addstr(out, reads ? "all" : "until the end");
	add_place(reads ? "from" : "to", disk, out);
	strbuf_addstr(out, " with dd");
	if (bs > 0)
		strbuf_addf(out, ", %s a call", who_size(bs, size));
}

/* False if the call is none that the agent would take: a document may hold anything. */
static bool parse_call(struct jobargs *args, const struct strvec *words)
{
	char why[JOBARGS_WHY];

	jobargs_begin(args, jobargs_find(words->v[0]));
	for (size_t i = 1; i < words->n; i++)
		if (jobargs_take(args, words->v[i], strpbrk(words->v[i], "$\"'"), why))
			return false;
	return !jobargs_finish(args, why);
}

static void add_how(const struct jobargs *args, struct strbuf *out)
{
	char text[40];

	if (jobargs_number(args, "block") > 0)
		strbuf_addf(out, ", %s a call", who_size(jobargs_number(args, "block"), text));
	if (jobargs_is(args, "mode", "random") || jobargs_is(args, "mode", "shuffle"))
		strbuf_addstr(out, ", at random places");
	if (jobargs_number(args, "direct"))
		strbuf_addstr(out, ", past the page cache");
	if (jobargs_number(args, "rate") > 0)
		strbuf_addf(out, ", %s a second at most",
			    who_size(jobargs_number(args, "rate"), text));
	if (jobargs_is(args, "fsync", "end"))
		strbuf_addstr(out, ", and an fsync at the end");
}

static void add_stream(const struct jobargs *args, bool reads, const char *disk,
		       struct strbuf *out)
{
	int64_t size = jobargs_number(args, "size"), span = jobargs_number(args, "span");
	char text[40];

	strbuf_addstr(out, reads ? "reads" : "writes");
	if (size <= 0 && !jobargs_given(args, "time") && reads)
		size = span;
	if (size > 0)
		strbuf_addf(out, " %s", who_size(size, text));
	add_place(reads ? "from" : "to", disk, out);
	/* an hour is a case's word for "until it is stopped" */
	if (size <= 0 && jobargs_number(args, "time") >= LONG_NS)
		strbuf_addstr(out, " on and on");
	else if (size <= 0 && jobargs_given(args, "time"))
		strbuf_addf(out, " for %s", format_time(jobargs_number(args, "time"), text));
	add_how(args, out);
}

static void add_period(const struct jobargs *args, struct strbuf *out)
{
	char text[32];

	if (jobargs_number(args, "period") > 0)
		strbuf_addf(out, " every %s", format_time(jobargs_number(args, "period"), text));
}

static void add_call(const struct strvec *words, const char *disk, struct strbuf *out)
{
	const char *name = words->v[0] + strlen(JOBARGS_PREFIX);
	struct jobargs args;
	char text[40];

	if (!parse_call(&args, words)) {
		strbuf_addstr(out, jobargs_find(words->v[0])->what);
	} else if (!strcmp(name, "write") || !strcmp(name, "read")) {
		add_stream(&args, !strcmp(name, "read"), disk, out);
	} else if (!strcmp(name, "small-read") || !strcmp(name, "make-files")) {
		strbuf_addf(out, "%s %lld small files",
			    *name == 's' ? "reads" : "lays out",
			    (long long)jobargs_number(&args, "files"));
		add_place(*name == 's' ? "from" : "on", disk, out);
		strbuf_addstr(out, *name == 's' ? ", one after the other" : "");
	} else if (!strcmp(name, "light-write") || !strcmp(name, "fsync")) {
		bool fsync = *name == 'f';

		who_size(jobargs_number(&args, fsync ? "size" : "block"), text);
		strbuf_addf(out, "writes %s", text);
		add_place("to", disk, out);
		strbuf_addstr(out, fsync ? " and waits for its fsync" : "");
		add_period(&args, out);
	} else if (!strcmp(name, "touch-memory")) {
		strbuf_addf(out, "touches %s of memory",
			    who_size(jobargs_number(&args, "size"), text));
	} else if (!strcmp(name, "create")) {
		strbuf_addstr(out, "creates, renames and removes files");
		add_place("on", disk, out);
	} else {
		strbuf_addstr(out, jobargs_find(words->v[0])->what);
		add_place("on", disk, out);
	}
}

void who_command(const char *command, const char *disk, struct strbuf *out)
{
	struct strvec words __release(strvec) = STRVEC_INIT;
	const char *first = split(command, &words);

	if (is_script(command)) {
		strbuf_addstr(out, "runs a shell script");
		add_place("on", disk, out);
	} else if (!strcmp(first, "dd")) {
		add_dd(&words, disk, out);
	} else if (jobargs_find(first)) {
		add_call(&words, disk, out);
	} else {
		/* a shell's name says less than that of what it runs */
		if (!strcmp(first, "sh") && words.n > 1)
			first = words.v[1];
		strbuf_addf(out, "runs %s", path_base(first));
		add_place("on", disk, out);
	}
}

unsigned int who_moves(const char *command)
{
	struct strvec words __release(strvec) = STRVEC_INIT;
	const char *first = split(command, &words);
	static const struct { const char *name; unsigned int moves; } jobs[] = {
		{ "write", WHO_WRITES }, { "light-write", WHO_WRITES }, { "fsync", WHO_WRITES },
		{ "create", WHO_WRITES }, { "make-files", WHO_WRITES }, { "read", WHO_READS },
		{ "small-read", WHO_READS }, { "sync", 0 }, { "touch-memory", 0 }, { "cpu", 0 },
		{ "pipe-ring", 0 },
	};

	if (is_script(command))
		return WHO_READS | WHO_WRITES;
	if (!strcmp(first, "dd"))
		return (on_disk(operand(&words, "if")) ? WHO_READS : 0U) |
		       (on_disk(operand(&words, "of")) ? WHO_WRITES : 0U);
	for (size_t i = 0; i < ARRAY_SIZE(jobs) && jobargs_find(first); i++)
		if (!strcmp(first + strlen(JOBARGS_PREFIX), jobs[i].name))
			return jobs[i].moves;
	return WHO_READS | WHO_WRITES;
}

bool who_direct(const char *command)
{
	struct strvec words __release(strvec) = STRVEC_INIT;
	const char *first = split(command, &words);
	struct jobargs args;

	return !is_script(command) && jobargs_find(first) && parse_call(&args, &words) &&
	       jobargs_number(&args, "direct");
}
