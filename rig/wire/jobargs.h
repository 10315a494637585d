/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The jobs that the guest's agent does itself, as tables: names, parameters, defaults, bounds. The
 * rig checks a case's commands against them before anything boots and lists them; the agent parses
 * its arguments by them. A job is called as a command, "iorig-write file=/mnt/hda/f size=64M":
 * every argument is NAME=VALUE, a flag may be given as its bare name. Shared by the agent and the
 * rig: only libc here.
 *
 *	size	bytes, as in a case: 512B 4K 64M 1G (powers of 1024), 1KB 27.4MB (powers of 1000)
 *	time	as in a case: 250ns 5us 20ms 1.5s 2min 1h
 *	number	a whole number
 *	word	one of the words listed
 *	path	begins with a slash
 *	flag	yes or no; the bare name means yes
 *
 * 0 needs no unit. A rate is a size: bytes for each second.
 */
#ifndef WIRE_JOBARGS_H
#define WIRE_JOBARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JOBARGS_PREFIX	  "iorig-"
#define JOBARGS_MAX	  16	/* parameters of one job */
#define JOBARGS_WHY	  160	/* enough for every message */

enum jobargs_kind {
	JOBARGS_SIZE, JOBARGS_TIME, JOBARGS_NUMBER, JOBARGS_WORD, JOBARGS_PATH, JOBARGS_FLAG
};

struct jobargs_param {
	const char *name;	/* NULL ends a table */
	enum jobargs_kind kind;
	bool required;
	const char *standard;	/* its value when it is not given, as text; NULL = 0, "" or no */
	int64_t min, max;	/* of sizes (bytes), times (ns) and numbers, when given */
	const char *words;	/* of a word: "seq|random" */
	const char *what;	/* one line for people, no full stop */
};

struct jobargs_job {
	const char *name;	/* with the prefix: "iorig-write" */
	const char *what;	/* one line for people, no full stop */
	const struct jobargs_param *params;
};

extern const struct jobargs_job jobargs_jobs[];	/* name NULL ends it */

/* The job of this name, "iorig-write", or NULL. */
const struct jobargs_job *jobargs_find(const char *name);
/* "size", "time", ... as above. */
const char *jobargs_kind_name(enum jobargs_kind kind);

/* One parameter's value; which member holds it goes by its kind. */
struct jobargs_value {
	bool given;
	int64_t number;		/* size, time, number; flag: 0 or 1; word: its place in the list */
	const char *text;	/* path and word: points into the argument or the table */
};

/* All arguments of one call, in the order of the job's table. */
struct jobargs {
	const struct jobargs_job *job;
	struct jobargs_value values[JOBARGS_MAX];
};

/*
 * Checking a call: begin, take every argument, finish. Each returns 0, or -1 with a message in
 * why (of JOBARGS_WHY bytes) that quotes what is wrong; the argument's bytes outside printable
 * ASCII are shown as '?'. open: the shell will make something else of the argument, so only its
 * name is checked, if even that stands there. finish: is all there that is required, and does it
 * go together? Defaults are filled in. Arguments must live as long as their values are used.
 */
void jobargs_begin(struct jobargs *args, const struct jobargs_job *job);
int jobargs_take(struct jobargs *args, const char *word, bool open, char *why);
int jobargs_finish(struct jobargs *args, char *why);

/* The value of a parameter by name; a name that the job does not have is given as absent and 0. */
int64_t jobargs_number(const struct jobargs *args, const char *name);
const char *jobargs_text(const struct jobargs *args, const char *name);	/* never NULL */
bool jobargs_given(const struct jobargs *args, const char *name);
/* Is the word parameter set to this word? */
bool jobargs_is(const struct jobargs *args, const char *name, const char *word);

#endif
