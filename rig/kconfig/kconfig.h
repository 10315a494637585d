/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel tree's Kconfig files as far as it takes to tell why an option did not come out of
 * kconfig as it was wanted: which options there are, what they depend on (with the 'if' blocks,
 * menus and choices around them), whether one can set them, and who selects them.
 *
 * kconfig itself decides and is run for that; this only explains. Conditions are kept as text and
 * evaluated against the .config that came out, with the meaning that the kernel's
 * Documentation/kconfig/kconfig-language.rst gives them (y = 2, m = 1, n = 0; && is the minimum, ||
 * the maximum, ! the complement to 2). A $(macro) asks the compiler: it is taken as true, and named
 * as the suspect if nothing else is wrong.
 *
 * The tree is the user's and may be anything: files of at most 1 MiB, at most 20,000 of them
 * and 64 MiB, 32 deep, 200,000 options; paths stay below the tree; lines that are not understood
 * are passed over.
 */
#ifndef KCONFIG_KCONFIG_H
#define KCONFIG_KCONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strvec.h"

struct err;
struct strbuf;

enum kconfig_type { KCONFIG_UNKNOWN, KCONFIG_BOOL, KCONFIG_TRISTATE, KCONFIG_OTHER };

/* What surrounds an option: an 'if' block, a menu or a choice; up is the next one outwards. */
struct kconfig_scope {
	struct kconfig_scope *up, *next; /* next: all of them, for the release */
	struct strvec depends;
	struct strvec visible;
	bool choice;
};

/* One definition of an option; some have several. */
struct kconfig_def {
	char *name;		/* "BLK_DEV_SR", without CONFIG_ */
	enum kconfig_type type;
	bool prompt;		/* somebody can set it ... */
	char *prompt_if;	/* ... if this holds; NULL: always */
	char *range;		/* "2 512 if SMP", or NULL */
	struct strvec depends;	/* all must hold */
	struct kconfig_scope *scope;
};

struct kconfig_select {
	char *by, *target;
	char *only_if;		/* or NULL */
};

struct kconfig {
	struct kconfig_def *defs;
	struct kconfig_select *selects;
	struct kconfig_scope *scopes;
	size_t n_defs, n_selects, n_files;
};

#define KCONFIG_INIT { .defs = NULL }
void kconfig_release(struct kconfig *k);
/* Read tree/Kconfig and all that it sources, for the architecture x86. A file that is missing is
 * passed over, as kconfig does with some; ERR_INPUT when there is no Kconfig at all, or when a
 * bound is passed. */
int kconfig_read(struct kconfig *k, const char *tree, struct err *err);
/* The first definition of the name (without CONFIG_), or the next after def; NULL: none. */
const struct kconfig_def *kconfig_find(const struct kconfig *k, const char *name,
				       const struct kconfig_def *def);

/* The value of "CONFIG_X" in the text of a .config, a fresh string, quotes and all; "n" for
 * "# CONFIG_X is not set"; NULL if the text does not have it. */
char *kconfig_value(const char *config, const char *name);

/*
 * Evaluate a condition: 0, 1 or 2. Nonsense and what is nested deeper than 64 is 2, so that it is
 * not blamed. macros gets the $(macros) that were met; may be NULL.
 */
int kconfig_eval(const struct kconfig *k, const char *config, const char *expr,
		 struct strvec *macros);
/*
 * The options that keep the condition below need (1 or 2), as phrases: "CONFIG_BLK_DEV is off",
 * "CONFIG_A is off and CONFIG_B is off" (one of them would do), "CONFIG_X is on" (it must not be).
 * Nothing is added if it is met, or to a phrase that is there already.
 */
void kconfig_blame(const struct kconfig *k, const char *config, const char *expr, int need,
		   struct strvec *why);
/*
 * Why "CONFIG_X" did not become wanted ("y", "n", "200", ...), in one line, never empty:
 * "CONFIG_BLK_DEV is off", "this kernel has no such option", "nobody can set it; selected by
 * CONFIG_A, CONFIG_B", "selected by CONFIG_Z". Appended to sb.
 */
void kconfig_why(const struct kconfig *k, const char *config, const char *name, const char *wanted,
		 struct strbuf *sb);

#endif
