/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the disks and jobs of a case are, in words for who has never seen the case: a name such as
 * "hdd" says nothing to him. All from the case's text that the boot's record holds. Appends plain
 * text without newlines, built from hostile strings as they are: who shows it escapes it.
 */
#ifndef REPORT_WHO_H
#define REPORT_WHO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strvec.h"

struct boot;
struct job_result;
struct strbuf;

/* The names of the boot's disks, those that the guest found or else those that the case has. */
void who_disks(const struct boot *b, struct strvec *names);
/* "ATA hard disk of 2004, 27 MB/s (profile hdd-2004) on IDE, 512 MiB, ext2" */
void who_disk(const struct boot *b, const char *name, struct strbuf *out);
/* The same short: "ATA hard disk of 2004, 27 MB/s", or the profile's name if nobody recorded
 * more; nothing of a disk that is not known. */
void who_disk_short(const struct boot *b, const char *name, struct strbuf *out);
/* "writes 64 MiB to hda, 64 KiB a call"; of what is no dd and no job of the agent's "runs sh on
 * hda". Nothing without a command. */
void who_does(const struct boot *b, const struct job_result *job, struct strbuf *out);
/* When it starts and ends, what is synced after it, and where its time alone comes from: "; starts
 * 10 s after time zero; ...", each behind a ';'. */
void who_when(const struct boot *b, const struct job_result *job, struct strbuf *out);
/* One sentence about a job and those beside it: "hdd, the victim, writes 64 MiB to hda (ATA hard
 * disk of 2004, 27 MB/s); beside it dvd, a load, writes ...". */
void who_sentence(const struct boot *b, const struct job_result *job, struct strbuf *out);
/* "the victim", "a load", "preparation" */
const char *who_role(const struct job_result *job);

/* What a command does to a disk that can be told from its text: a script may do both. */
enum who_moves { WHO_READS = 1, WHO_WRITES = 2 };
unsigned int who_moves(const char *command);
/* Does it go past the page cache? */
bool who_direct(const char *command);

#endif
