/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of the agent's jobs. */
#include "wire/jobargs.h"

#define KIB	1024LL
#define GIB	(1LL << 30)
#define DAY_NS	(24 * 3600 * 1000000000LL)
#define MANY	1000000000LL	/* calls, files, seeds */

#define SIZE(NAME, STANDARD, MIN, MAX, WHAT)                                                       \
	{ NAME, JOBARGS_SIZE, false, STANDARD, MIN, MAX, NULL, WHAT }
#define TIME(NAME, STANDARD, WHAT) { NAME, JOBARGS_TIME, false, STANDARD, 1, DAY_NS, NULL, WHAT }
#define NUMBER(NAME, STANDARD, WHAT) { NAME, JOBARGS_NUMBER, false, STANDARD, 1, MANY, NULL, WHAT }
#define WORD(NAME, STANDARD, WORDS, WHAT)                                                          \
	{ NAME, JOBARGS_WORD, false, STANDARD, 0, 0, WORDS, WHAT }
#define FLAG(NAME, WHAT) { NAME, JOBARGS_FLAG, false, "no", 0, 0, NULL, WHAT }
#define PATH(NAME, NEEDED, WHAT) { NAME, JOBARGS_PATH, NEEDED, NULL, 0, 0, NULL, WHAT }
#define END { .name = NULL }

/* What several jobs have in common. */
#define FILE_WRITTEN                                                                               \
	PATH("file", true, "what is written: a file, which is made, or a disk below /dev/iorig")
#define FOR_TIME     TIME("time", NULL, "ends after this time")
#define FOR_COUNT(THING) NUMBER("count", NULL, "ends after so many " THING)
#define BLOCK(STANDARD) SIZE("block", STANDARD, 1, GIB, "bytes of one call")
#define ORDER                                                                                      \
	WORD("mode", "seq", "seq|shuffle|random",                                                  \
	     "blocks in order; each once in a seeded order; drawn with replacement")
#define SPAN(WHAT)   SIZE("span", NULL, 1, 1024 * GIB, WHAT)
#define RATE	     SIZE("rate", NULL, 1, 1024 * GIB, "bytes a second on average, not faster")
#define SEED	     NUMBER("seed", "1", "of the order")
#define DIRECT	     FLAG("direct", "past the page cache (O_DIRECT)")
#define ERRORS                                                                                     \
	WORD("errors", "stop", "stop|count", "a call that fails ends the job, or is counted")
#define PERIOD(STANDARD)                                                                           \
	TIME("period", STANDARD, "from one to the next; what is missed is left out")

static const struct jobargs_param write_params[] = {
	FILE_WRITTEN,
	SIZE("size", NULL, 1, 1024 * GIB, "ends after so many bytes"),
	FOR_TIME,
	BLOCK("64K"),
	ORDER,
	SPAN("wraps around after so many bytes of the file"),
	FLAG("keep", "does not empty the file first"),
	DIRECT,
	RATE,
	WORD("fsync", "none", "none|end", "fsync at the end, which is part of the job's time"),
	NUMBER("fsync-every", NULL, "fsync after so many writes, not among the latencies"),
	SEED,
	ERRORS,
	END,
};

static const struct jobargs_param read_params[] = {
	PATH("file", true, "a file that is there, or a disk below /dev/iorig"),
	SIZE("size", NULL, 1, 1024 * GIB, "ends after so many bytes; without time: the span once"),
	FOR_TIME,
	BLOCK("64K"),
	ORDER,
	SPAN("bytes from the file's start that are read; standard: all"),
	DIRECT,
	RATE,
	SEED,
	ERRORS,
	END,
};

static const struct jobargs_param make_files_params[] = {
	PATH("dir", true, "the folder, which is made"),
	{ "files", JOBARGS_NUMBER, true, NULL, 1, 1000000, NULL, "how many" },
	{ "size", JOBARGS_SIZE, true, NULL, 0, GIB, NULL, "bytes of each" },
	SIZE("spread", NULL, 0, 1024 * GIB, "bytes of a filler between them, shared out evenly"),
	END,
};

static const struct jobargs_param small_read_params[] = {
	PATH("dir", true, "a folder that iorig-make-files has made"),
	{ "files", JOBARGS_NUMBER, true, NULL, 1, 1000000, NULL, "how many it holds" },
	FOR_COUNT("files; without time: each once"),
	FOR_TIME,
	WORD("mode", "seq", "seq|shuffle|random",
	     "as they were made; each once in a seeded order; drawn with replacement"),
	SEED,
	ERRORS,
	END,
};

static const struct jobargs_param light_write_params[] = {
	FILE_WRITTEN,
	BLOCK("4K"),
	PERIOD("20ms"),
	FOR_COUNT("writes"),
	FOR_TIME,
	WORD("mode", "append", "append|overwrite", "the file grows, or is written over and over"),
	SPAN("with overwrite: bytes of the file; standard: 16 blocks"),
	ERRORS,
	END,
};

static const struct jobargs_param fsync_params[] = {
	FILE_WRITTEN,
	SIZE("size", "1M", 1, GIB, "bytes that are written before each fsync; only it is timed"),
	PERIOD("1s"),
	FOR_COUNT("fsyncs"),
	FOR_TIME,
	WORD("mode", "append", "append|overwrite", "the file grows, or is written over and over"),
	ERRORS,
	END,
};

static const struct jobargs_param sync_params[] = {
	PATH("path", false, "syncfs() of the filesystem that this is on; standard: sync()"),
	PERIOD("1s"),
	FOR_COUNT("syncs; without time: one"),
	FOR_TIME,
	ERRORS,
	END,
};

static const struct jobargs_param touch_memory_params[] = {
	{ "size", JOBARGS_SIZE, true, NULL, 4 * KIB, 64 * GIB, NULL,
	  "anonymous memory that it holds to its end" },
	SIZE("chunk", "4K", 4 * KIB, GIB, "whole pages that are touched and timed together"),
	TIME("period", NULL, "from one chunk to the next; standard: without a pause"),
	FOR_COUNT("chunks; without time: each once"),
	FOR_TIME,
	FLAG("fresh", "gives the memory back after each round, so that all is mapped anew"),
	END,
};

static const struct jobargs_param create_params[] = {
	PATH("dir", true, "the folder, which is made"),
	SIZE("size", "0", 0, GIB, "bytes of each file"),
	FLAG("fsync", "fsync each before its renaming"),
	TIME("period", NULL, "from one to the next; standard: without a pause"),
	FOR_COUNT("files"),
	FOR_TIME,
	ERRORS,
	END,
};

static const struct jobargs_param cpu_params[] = {
	FOR_COUNT("units of work"),
	FOR_TIME,
	END,
};

static const struct jobargs_param pipe_ring_params[] = {
	{ "processes", JOBARGS_NUMBER, false, "4", 2, 1000, NULL, "in the ring" },
	/* what a pipe takes at once, so that nobody waits for the reader */
	SIZE("block", "64B", 1, 4 * KIB, "bytes of the message"),
	FOR_COUNT("rounds"),
	FOR_TIME,
	END,
};

static const struct jobargs_param repeat_params[] = {
	PATH("script", true, "what the shell runs, over and over"),
	FOR_COUNT("runs"),
	FOR_TIME,
	END,
};

const struct jobargs_job jobargs_jobs[] = {
	{ JOBARGS_PREFIX "write", "writes a file or disk and times every write()", write_params },
	{ JOBARGS_PREFIX "read", "reads a file or disk and times every read()", read_params },
	{ JOBARGS_PREFIX "make-files", "lays out small files for iorig-small-read",
	  make_files_params },
	{ JOBARGS_PREFIX "small-read", "reads small files and times each, from open to close",
	  small_read_params },
	{ JOBARGS_PREFIX "light-write", "a small write now and then, each timed",
	  light_write_params },
	{ JOBARGS_PREFIX "fsync", "writes a little and times the fsync after it", fsync_params },
	{ JOBARGS_PREFIX "sync", "times sync() or syncfs()", sync_params },
	{ JOBARGS_PREFIX "touch-memory", "touches anonymous memory and times it",
	  touch_memory_params },
	{ JOBARGS_PREFIX "create", "creates, renames and removes files, each timed as a whole",
	  create_params },
	{ JOBARGS_PREFIX "cpu", "computes: units of always the same work", cpu_params },
	{ JOBARGS_PREFIX "pipe-ring", "processes that hand a message round, each round timed",
	  pipe_ring_params },
	{ JOBARGS_PREFIX "repeat", "runs a script over and over and times each run",
	  repeat_params },
	END,
};
