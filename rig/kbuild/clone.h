/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A build folder's copy (source.h), fast: sources become hard links to the same inode, objects
 * become copies (copy-on-write where the filesystem can: FICLONE), everything keeps its mode and
 * its times to the nanosecond, so that make sees nothing to do.
 *
 * Only regular files that DIR/files names as sources are linked: no build ever writes into those.
 * kbuild does write into its own products (.cmd files by truncation, objtool into objects), so they
 * must never be shared. What a patch added is not in DIR/files and becomes a copy. The few products
 * that name the folder they were made in get the new one's name (clone_moved.h).
 *
 * A link changes its inode's ctime, also in the folder copied from: git must not trust it
 * (core.trustctime=false, core.checkStat=minimal), else its index is worth nothing afterwards.
 */
#ifndef KBUILD_CLONE_H
#define KBUILD_CLONE_H

struct err;

/*
 * Copy the build folder from (tree/, index, files, and whatever else lies in it) to the folder to,
 * which is not there yet or has no tree/. A file at its top, such as its lock, stays what it is.
 * Symbolic links are made anew; what is no file, folder or link is refused. Where hard links are
 * not possible (EXDEV, EMLINK, EPERM) files are copied. Nobody may change from meanwhile. A full
 * disk is a rig error that names the folder. A stop that was asked for is seen between files
 * (-EINTR). What was made is left for the caller to remove after an error.
 */
int clone_folder(const char *from, const char *to, struct err *err);

#endif
