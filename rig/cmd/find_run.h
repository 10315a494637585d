/* SPDX-License-Identifier: GPL-2.0-only */
/* Which run a command's argument means. */
#ifndef CMD_FIND_RUN_H
#define CMD_FIND_RUN_H

#include <stdbool.h>

struct err;
struct strvec;

/* The document that an argument means, a folder, a name below 'out' or a file, in a fresh
 * string. Whether it is there shows when it is read. */
char *find_run_document(const char *out, const char *spec);
/* Does the argument mean a run, or is it something else, such as a kernel? */
bool find_run_is(const char *out, const char *spec);
/* The folder of a document, in a fresh string. */
char *find_run_folder(const char *document);
/* Push the newest run's document. ERR_INPUT if there is none. */
int find_run_newest(const char *out, struct strvec *runs, struct err *err);

#endif
