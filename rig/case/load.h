/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the parts of case/ that read a case file; nothing for anybody else. */
#ifndef CASE_LOAD_H
#define CASE_LOAD_H

#include "base/ini.h"
#include "case/case.h"
#include "case/keys.h"

struct err;
struct strvec;

/* For struct kase, case_disk and case_job. */
extern const struct key_table kase_case_table, kase_disk_table, kase_job_table;

/*
 * Fill c (KASE_INIT but for name and path) from the sections of ini with the numbers of the
 * scale: keys and values are checked, but nothing that needs two of them.
 */
int kase_fill(struct kase *c, const struct ini *ini, const char *scale, struct err *err);
/* Whatever needs more than one value, a disk profile, or another case's file. ini is what c was
 * filled from, for the lines. */
int kase_check(const struct kase *c, const struct ini *ini, const char *disks_dir,
	       const struct strvec *applets, struct err *err);
/*
 * The first word of a shell command that is none of the applets, of sh's own words, or a path;
 * in a fresh string, NULL if there is none. Words that the shell has yet to expand are let pass.
 */
char *command_unknown(const char *run, const struct strvec *applets);

#endif
