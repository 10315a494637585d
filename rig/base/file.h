/* SPDX-License-Identifier: GPL-2.0-only */
/* Files and folders. Paths are bytes; errors name the path (escaped). */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/types.h>

struct err;
struct strbuf;
struct strvec;

/* Open a regular file for reading, close-on-exec; anything else is refused, and nothing blocks
 * on a FIFO. Returns the descriptor. */
int file_open(const char *path, struct err *err);
/* Read a whole regular file of at most max bytes into sb (appended). A folder, a device or a
 * larger file is an error. */
int file_read(const char *path, size_t max, struct strbuf *sb, struct err *err);
/* Write data to path so that a reader sees the old or the new content, never a part: a
 * temporary in the same folder, fsync, rename. The temporary is gone on failure. */
int file_write_atomic(const char *path, const void *data, size_t len, mode_t mode,
		      struct err *err);
/* write(2) until done. 0 or -errno. */
int fd_write_all(int fd, const void *data, size_t len);
/* mkdir -p; an existing folder is fine. */
int dir_make(const char *path, struct err *err);
/* rm -r; a missing path is fine. Does not follow symbolic links. */
int dir_remove(const char *path, struct err *err);
/* A fresh private folder "PREFIXxxxxxx" (0700); *path is the caller's to free. */
int dir_temp(const char *prefix, char **path, struct err *err);
/* Names in a folder, sorted bytewise, without "." and ".."; only those ending in suffix if it
 * is not NULL. */
int dir_list(const char *path, const char *suffix, struct strvec *names, struct err *err);
/* All regular files below path, as paths relative to it, sorted. */
int dir_walk(const char *path, const char *suffix, struct strvec *names, struct err *err);
bool path_is_file(const char *path);
bool path_is_dir(const char *path);
/*
 * Is the disk below path full, that is, has it less than a MiB for us? For the message when a
 * program that writes there has failed: hardly one says why.
 */
bool path_disk_full(const char *path);
/* "a/b" in a fresh string. */
char *path_join(const char *a, const char *b);
/* The part after the last slash, borrowed. */
const char *path_base(const char *path);
/* Size of a file, or -errno. */
int64_t file_size(const char *path);

/*
 * An advisory lock on path (created if missing), held until the descriptor is closed. Waits
 * until the deadline passes (NULL: does not wait; -EWOULDBLOCK). Returns the descriptor.
 */
struct deadline;
int file_lock(const char *path, const struct deadline *d, struct err *err);

/* Where things live. Each returns a fresh string that the caller frees. */
/* $IORIG_CACHE, else $XDG_CACHE_HOME/iorig, else ~/.cache/iorig (made if missing). */
int path_cache(char **path, struct err *err);
/* The folder that holds images/, kernels/, cases/ and expect/: $IORIG_DATA, else the source
 * tree that the binary stands in (its folder's parent), else the PREFIX/share/iorig it was
 * installed to. */
int path_data(char **path, struct err *err);
/* The folder with the built agent and the simulator's library: build/ or PREFIX/lib/iorig. */
int path_lib(char **path, struct err *err);

#endif
