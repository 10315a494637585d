/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel's configuration, wanted and got.
 *
 * What is wanted is a list of lines "CONFIG_X=y", "CONFIG_X=\"text\"", "# CONFIG_X is not set",
 * from fragments, later ones overriding earlier ones; everything else is off (allnoconfig), or as
 * in a whole configuration that the description names as the base. kconfig then decides; what it
 * decided otherwise than wanted is named with what stands in the way, never dropped in silence.
 *
 * A fragment's line is one of these, each with "# optional" after it if need be, a comment, or
 * empty. Values: y, m, n, decimal or 0x numbers, "text". Of an option that is named twice the last
 * line counts; of a choice ("one of these") the last member that is y, as kconfig has it.
 */
#ifndef KBUILD_CONFIG_H
#define KBUILD_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "base/strvec.h"

struct err;
struct strbuf;

struct config_option {
	char *name;		/* "CONFIG_PVH" */
	char *value;		/* "y", "m", "n", "250", "\"text\"" */
	char *file;		/* the fragment's name, for messages */
	int line;
	bool optional;		/* the line ends with "# optional": an older or newer kernel may not
				 * have it; what becomes of it is noted, not an error */
};

struct config {
	struct config_option *options;
	size_t n;
	char *base;		/* text of a whole .config to start from, or NULL: all off */
	bool trim;		/* with base: its modules that are not wanted are turned off */
	char sha256[HASH_HEX];	/* of all that, by config_seal() */
};

#define CONFIG_INIT { .options = NULL }
void config_release(struct config *c);

/* Append a fragment, at most 1 MiB. ERR_INPUT, file:line, for a line that is none of the above. */
int config_add(struct config *c, const char *path, struct err *err);
/* Drop options that a later line overrides, and hash what is left: names, values and "optional" in
 * their order, the base, trim. Comments and places do not count. */
void config_seal(struct config *c);
/* What kconfig starts from: the base without the options that are wanted otherwise and, with trim,
 * without its modules; then the options. Appended to sb. Of a base only lines of options are
 * taken. */
void config_start(const struct config *c, struct strbuf *sb);
/*
 * Compare what is wanted with the text of the .config that came out of the tree. ERR_INPUT when
 * some did not survive: "config: 2 options cannot be set: CONFIG_BLK_DEV_SR=y (small.config:40):
 * CONFIG_BLK_DEV is off; CONFIG_FOO=y (...): this kernel has no such option" (the first ten; why is
 * kconfig.h's). An option that is wanted off and does not exist is off. A module that came out
 * built in is noted, as are optional ones that are not as wanted.
 */
int config_check(const struct config *c, const char *tree, const char *text, struct strvec *notes,
		 struct err *err);
/*
 * Configure the tree (make allnoconfig with the options, or olddefconfig on the base with them)
 * and check. tree/.config keeps its time if nothing changes, so that make has nothing to do.
 * make's environment and errors are make.h's.
 */
int config_apply(const struct config *c, const char *tree, const char *log, struct strvec *notes,
		 struct err *err);

#endif
