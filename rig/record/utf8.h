/* SPDX-License-Identifier: GPL-2.0-only */
/* Making valid UTF-8 of bytes that a guest chose. Private to record/. */
#ifndef RECORD_UTF8_H
#define RECORD_UTF8_H

#include <stddef.h>

/* Length of the valid UTF-8 character at s (of len bytes, at least 1), 0 if it is broken:
 * overlong, a surrogate, above U+10FFFF, cut short. */
size_t utf8_char(const char *s, size_t len);
/* A fresh string in which every byte that belongs to no valid character is U+FFFD. */
char *utf8_clean(const char *s);

#endif
