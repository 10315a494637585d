/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of record.h's structs. Private to record/. */
#ifndef RECORD_TABLES_H
#define RECORD_TABLES_H

#include "record/fields.h"

extern const struct fields sample_fields, boot_fields, verdict_fields, run_fields,
	noise_fields;
/* NULL at the end. */
extern const char *const outcome_names[], *const stage_names[], *const verdict_names[];

#endif
