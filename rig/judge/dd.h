/* SPDX-License-Identifier: GPL-2.0-only */
/* What dd says it copied. Private to judge/. */
#ifndef JUDGE_DD_H
#define JUDGE_DD_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

/*
 * True, with "copied 65000+1 of 65536 blocks only" appended to why, if the command has exactly one
 * count= and its output exactly one dd report, and those two disagree. Anything else says
 * nothing and is false.
 */
bool dd_is_short(const char *run, const char *output, struct strbuf *why);
/* Bytes of the one "N bytes (...) copied" in the output; -1 without one, and with several. */
int64_t dd_bytes(const char *output);

#endif
