/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of files as patches write them: quoted like C strings if need be, with leading parts. */
#ifndef PATCH_PATCHSET_NAME_H
#define PATCH_PATCHSET_NAME_H

#include <stddef.h>

/*
 * Read the name that the len bytes begin with; a tab (and the time of day behind it) or the end
 * ends it. strip leading parts are taken off, and what remains is checked to be a path inside of a
 * tree. *name is a fresh string, or NULL for /dev/null. Returns NULL, or what is wrong with it in
 * words that need no escaping; *name is NULL then.
 */
const char *patch_name_read(char **name, const char *s, size_t len, int strip);
/* The same for what stands behind "diff --git ": two names, which must be the same without their
 * leading parts; if they are not, *name is NULL and nothing is wrong (other lines will tell). */
const char *patch_name_read_twice(char **name, const char *s, size_t len, int strip);

#endif
