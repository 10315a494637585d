/* SPDX-License-Identifier: GPL-2.0-only */
/* A guest's samples as vmstat(8) prints them. Pure. */
#ifndef REPORT_VMSTAT_H
#define REPORT_VMSTAT_H

#include <stdbool.h>

struct run;
struct strbuf;

/*
 * The rows of the case's boot with the lowest seed, under two lines of headings; '-' stands for a
 * number that the guest's kernel did not have. As in vmstat, the first row's rates are since the
 * guest's boot. False, and nothing is appended, if the run has no boot of the case.
 */
bool report_vmstat(const struct run *run, const char *case_name, struct strbuf *out);

#endif
