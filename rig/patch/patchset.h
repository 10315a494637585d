/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Patches to a kernel, and how they get into a tree. A path stands for
 *
 *	a file		one patch as diff -u or git diff write it, with or without text before
 *			it, or a mail with one (base64, quoted-printable and attachments are
 *			decoded)
 *	an mbox		one patch per message; what holds no diff (a cover letter, an answer) is
 *			left out. Where the subjects count, "[PATCH 2/3]", their order is that of
 *			the numbers, and none may be missing or there twice
 *	a folder	with a file "series" in the manner of quilt: a patch per line, "-p0" to
 *			"-p9" behind its name, # begins a comment;
 *			without one and all its *.patch named like versions of the kernel
 *			("6.1.patch", "6.12.patch"): the same change in several forms, of which
 *			patchset_choose() takes the one of the newest version that is not newer
 *			than the kernel;
 *			else all its *.patch in the order of names
 *
 * They are applied strictly, by git apply: all of the context must be there. A hunk that was found
 * some lines away from where the patch says is applied and reported; one that would need fuzz is
 * refused and shown. Where the lines with the files' names end with CR LF, as mail makes them, all
 * lines are taken as if they ended with LF; else a CR is part of the line.
 */
#ifndef PATCH_PATCHSET_H
#define PATCH_PATCHSET_H

#include <stddef.h>

#include "base/hash.h"
#include "base/strvec.h"

struct err;

struct patch {
	char *name;		/* "0001-mm-fix.patch"; of an mbox: FILE, a colon and the message's
				 * number if it has several */
	char *subject;		/* its Subject without "[PATCH ...]", else the first line of text
				 * before the diff, else the name; one line, at most 200 bytes;
				 * to be escaped */
	char *text;		/* the whole of it, as it is applied: decoded, LF */
	size_t len;
	char sha256[HASH_HEX];	/* of text; the file's own for what needed no decoding */
	int strip;		/* leading parts of file names to take off, as git apply -p */
	char *forms;		/* the folder it is one form of, "6.1.patch", or NULL */
	unsigned int version;	/* of the kernel that the form is for: major << 16 | minor */
};

struct patchset {
	struct patch *patches;
	size_t n;
	size_t bytes;		/* of all texts */
};

#define PATCHSET_INIT { .patches = NULL }
void patchset_release(struct patchset *set);

/*
 * Append the patches at path. At most 1,000 patches and 64 MiB. ERR_INPUT: no such file, a series
 * file that names a missing or outside file or has an unknown word (file:line), a folder without
 * patches, a file that is no text, has no diff, a hunk with lines missing (a mail program broke
 * them), a binary change without its data, or touches paths outside of the tree or in a .git
 * (file:line, the line counted in the decoded text). After an error set holds what it held before,
 * and perhaps some of the path's patches.
 */
int patchset_add(struct patchset *set, const char *path, struct err *err);
/*
 * Of patches that have several forms keep the one for this kernel ("6.1.192", "7.0-rc3"). To be
 * called before the patches' hashes are used and before they are applied; does nothing to others.
 * ERR_UNABLE if there is none (names the versions there are).
 */
int patchset_choose(struct patchset *set, const char *version, struct err *err);
/*
 * Apply them in order to the tree. notes gets a line for every hunk that was found at an offset.
 * Files are replaced, not written into (they may be hard links). ERR_INPUT when one does not
 * apply: which patch, file and hunk, and why ("needs fuzz 2", "context not found", "already
 * applied", "no such file"); then notes also has the hunk's text, at most 40 lines, escaped. A
 * symbolic link that leads out of the tree is refused, too. After an error the tree is undefined.
 */
int patchset_apply(const struct patchset *set, const char *tree, struct strvec *notes,
		   struct err *err);

#endif
