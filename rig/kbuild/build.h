/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Building kernels into the cache by content. A kernel's key is a hash of its source's content,
 * its configuration, the compiler, and its patches; CACHE/kernels/trees/KEY (kernel/cache.h) holds
 * what came out, with build.log and about.json (source, compiler, patches, how many files were
 * compiled). A second build of the same key costs nothing. The same with debug info is another key
 * and another line.
 *
 *	builds/LINE/	the build folder (source.h) of the last kernel of a line: same package, tree
 *			or repository, same configuration and compiler, same series of the
 *			description; state.json says which content its tree has
 *	build-xxxxxx/	a build folder in the making; it holds a lock file, locked by its owner
 *	locks/LINE	held while something of the line is made
 *	logs/KEY.log	of builds that failed
 *
 * A kernel of a known line starts from a clone of builds/LINE, so that only what differs is
 * compiled. Of a line that is not known yet the kernel without the user's patches is built first:
 * somebody who tries one patch will try the next. Only folders that are complete get their name;
 * a rig that was killed leaves build-xxxxxx without a lock, which the next one removes.
 */
#ifndef KBUILD_BUILD_H
#define KBUILD_BUILD_H

#include <stdbool.h>

#include "base/strvec.h"

struct err;
struct kernel;

struct build_ask {
	const char *name;		/* for messages: "debian-6.1" */
	const char *source, *tree;	/* spec, and --tree or NULL */
	const struct strvec *config;	/* fragments; the first may be "package:NAME" */
	bool trim;
	const char *series;		/* patches of the description, or NULL */
	const struct strvec *patches;	/* the user's, or NULL */
	bool debug_info;		/* see kernel_ask */
	const char *cache_dir;
};

/*
 * Fills in all of k but name, title and cmdline. ERR_INPUT: a bad source, fragment or patch, a
 * wanted option that cannot be set; ERR_UNABLE: what cannot be fetched or does not build, an option
 * that a patch or a commit made impossible, no compiler.
 */
int kernel_from_source(struct kernel *k, const struct build_ask *ask, struct err *err);

#endif
