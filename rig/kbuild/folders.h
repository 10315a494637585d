/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The build folders of the cache (build.h has the layout): the last one of each line, those in the
 * making, and the locks.
 */
#ifndef KBUILD_FOLDERS_H
#define KBUILD_FOLDERS_H

#include "base/hash.h"

struct err;

/* What a line's build folder holds. */
struct build_state {
	char source_id[HASH_HEX];	/* "": there is no usable folder */
	int compiled;			/* files of its last build from nothing; 0 = unknown */
};

/* A build folder in the making, whose lock this process holds. */
struct build_folder {
	char *dir;
	int lock_fd;
};

#define BUILD_FOLDER_INIT { .dir = NULL, .lock_fd = -1 }
/* Let go of the lock; the folder stays. */
void build_folder_release(struct build_folder *f);

/* CACHE/kernels/builds/LINE, a fresh string. */
char *build_folder_path(const char *kernels_dir, const char *line);
/* What is wrong with the state file counts as no folder. */
void build_folder_state(const char *kernels_dir, const char *line, struct build_state *st);
/* Wait for the line's lock (named deadline, three hours: another rig may be building; progress()
 * says so); returns the descriptor to close. */
int build_folder_lock(const char *kernels_dir, const char *line, struct err *err);
/* Remove what killed rigs left, then make a fresh build-xxxxxx with its lock. */
int build_folder_new(struct build_folder *f, const char *kernels_dir, struct err *err);
/* Note the state in f and let it take the line's place; what was there is removed. The line's lock
 * is held. */
int build_folder_keep(struct build_folder *f, const char *kernels_dir, const char *line,
		const struct build_state *st, struct err *err);
/* Remove it. */
int build_folder_drop(struct build_folder *f, struct err *err);

#endif
