/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which files of a kernel tree are its source, as it lies there now: what its repository tracks
 * (although ignored), and untracked files that are not ignored. Of a tree without a repository:
 * all files that its .gitignore files do not name. Those are products of a build; but Debian's
 * source packages ignore everything in the top folder, so there a list of what kbuild leaves
 * decides. Nested repositories and submodules count as plain folders.
 */
#ifndef SOURCE_SOURCE_LIST_H
#define SOURCE_SOURCE_LIST_H

struct err;
struct strvec;

/*
 * Append the names, relative to tree, sorted, each once: regular files and symbolic links that are
 * there and are not reached through a link. spare is a bare repository of ours, for trees without
 * one. Nothing is written below tree.
 */
int source_list(const char *tree, const char *spare, struct strvec *names, struct err *err);
/*
 * The repository whose work tree, or bare self, path is: *git_dir (the caller's to free), NULL if
 * path is none. Folders above are not looked at.
 */
void source_find_git(const char *path, char **git_dir);

#endif
