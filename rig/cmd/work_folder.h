/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The folder of work that is made of many runs (a matrix, a bisect): its document, its runs, and a
 * file "lock" that whoever works in it holds.
 */
#ifndef CMD_WORK_FOLDER_H
#define CMD_WORK_FOLDER_H

struct err;

/*
 * Make sure of the folder that was asked for, or, with NULL, make "results/TIME-WHAT-NAME", never
 * one that exists already. started: UTC, as clock_utc() has it; name: plain characters. *dir is the
 * caller's to free, also after an error.
 */
int work_folder_make(char **dir, const char *asked, const char *started, const char *what,
		     const char *name, struct err *err);
/* Two in one folder would write each other's document, and run everything twice. Returns the
 * descriptor that holds the lock; ERR_INPUT naming the command if another one has it. */
int work_folder_lock(const char *dir, const char *command, struct err *err);

#endif
