/* SPDX-License-Identifier: GPL-2.0-only */
/* Text that may hold any bytes, in a JSON document. */
#ifndef REPORT_JSON_TEXT_H
#define REPORT_JSON_TEXT_H

#include <jansson.h>

/* What is no text is shown as \xNN; NULL becomes null. A new reference, never NULL. */
json_t *json_text(const char *s);

#endif
