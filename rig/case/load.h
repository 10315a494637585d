/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the parts of case/ that read a case file; nothing for anybody else. */
#ifndef CASE_LOAD_H
#define CASE_LOAD_H

#include "base/ini.h"
#include "case/case.h"
#include "case/keys.h"

struct err;
struct strvec;

/* For struct kase, case_disk, case_job and case_file. */
extern const struct key_table kase_case_table, kase_disk_table, kase_job_table, kase_file_table;

/*
 * Fill c (KASE_INIT but for name, path and variant) from the sections of ini with the numbers of
 * the scale and of the variant: keys and values are checked, but nothing that needs two of them or
 * another file.
 */
int kase_fill(struct kase *c, const struct ini *ini, const char *scale, struct err *err);
/* [set]: one entry; name is the sysctl's. A path that c has already gets another value. */
int kase_fill_set(struct kase *c, const struct ini *ini, const struct ini_entry *e,
		  const char *name, struct err *err);
/* Put the keys of [scale ...] or [variant ...] over what c has. */
int kase_override(struct kase *c, const struct ini *ini, const struct ini_section *s,
		  struct err *err);
/* Field: struct case_faults, replaced: "stop at 10s for 20s, ...". */
int key_faults(const struct key *key, const char *value, void *field, struct err *err);

/* Read the texts of the [file] sections that name a file of the case's folder. */
int kase_read_files(struct kase *c, const struct ini *ini, struct err *err);

/* "case", "case:job", "folder/case:job" as it stands in the file: the parts, with the folder and
 * job filled in. */
void alone_resolve(const struct kase *c, struct case_job *job);
/* A variant's 'alone' is the same variant of the other case, if its file has that. */
void alone_pair(struct kase *c);
/* Is there such a case? line is the key's. */
int alone_check(const struct kase *c, const struct case_job *job, const struct ini *ini, int line,
		struct err *err);

/*
 * Whatever needs more than one value, a disk profile, or another case's file. ini is what c was
 * filled from, for the lines.
 */
int kase_check(const struct kase *c, const struct ini *ini, const char *disks_dir,
	       const struct strvec *applets, struct err *err);
/*
 * What is wrong with the commands of a line of shell: a word in a command's place that is none of
 * the applets, of sh's own words, of the names of the programs that the case brings, or a path;
 * or a call of a job of the agent's whose arguments wire/jobargs.h refuses, wherever in the line
 * it stands ("ionice -c3 iorig-write ..."). In a fresh string ("'frob' is no applet of the guest's
 * busybox"), NULL if all is well. Words that the shell has yet to expand are let pass.
 */
char *command_complaint(const char *run, const struct strvec *applets,
			const struct strvec *bring);

#endif
