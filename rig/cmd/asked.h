/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What work that is gone on with (--resume) was asked for, out of its document: a file like any
 * other. Each returns false if the document's value is not of the kind. What the command line has
 * said already stays.
 */
#ifndef CMD_ASKED_H
#define CMD_ASKED_H

#include <jansson.h>
#include <stdbool.h>

#include "base/strvec.h"

struct run_options;

/* A text that is not empty, or null: then *to stays what it is. Fresh. */
bool asked_string(const json_t *j, char **to);
/* A list of texts, into one that is still empty. */
bool asked_list(const json_t *j, struct strvec *to);
/* One of the words, NULL at their end. */
bool asked_word(const json_t *j, const char *const *words, const char **to);
/* The words of --clock, --timing and --accel: those that are still NULL become the defaults, and o
 * gets what they all mean. */
void asked_machine(struct run_options *o, const char **clock, const char **timing,
		   const char **accel);

#endif
