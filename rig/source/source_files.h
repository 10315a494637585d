/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * DIR/files, the list of a source's files and symbolic links (source.h), and giving a folder the
 * files of an unpacked source.
 */
#ifndef SOURCE_SOURCE_FILES_H
#define SOURCE_SOURCE_FILES_H

struct err;
struct strvec;

/* Replace DIR/files. The names are sorted. */
int source_files_write(const char *dir, const struct strvec *names, struct err *err);
/* Append the names in DIR/files. A list with an absolute path or a ".." in it is refused. */
int source_files_read(const char *dir, struct strvec *names, struct err *err);
/*
 * Make dir/tree, which is not there, from the source in the folder from (tree/, files): hard links
 * where the filesystem can, else copies of the same time; symbolic links anew. dir/files too.
 */
int source_files_fill(const char *from, const char *dir, struct err *err);
/*
 * Give every file of the source that has another size, time or type in dir/tree, or is not there,
 * its content again: by a copy with the time of now, so that make builds what depends on it. Files
 * that the source has not are left alone.
 */
int source_files_restore(const char *from, const char *dir, struct err *err);

#endif
