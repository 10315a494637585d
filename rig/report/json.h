/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs as JSON for scripts: {"iorig": 1, "runs": [...]}, each run as in its document (docs/DATA.md)
 * but for what is long: a boot's samples, argv, case_text and expect_text are left out.
 */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <stddef.h>

struct run;
struct strbuf;

void json_runs(struct strbuf *out, const struct run *const *runs, size_t n);

#endif
