/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON written straight into a caller's buffer: no allocation, printable ASCII without a newline,
 * as wire/frame.h wants it. Strings are escaped; a byte outside ASCII and a NUL become '?', so a
 * decoded string is never longer than what was put in. Once something does not fit, the rest is
 * dropped and jsonw_end() says so.
 */
#ifndef AGENT_JSONW_H
#define AGENT_JSONW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jsonw {
	char *buf;
	size_t cap, len;
	bool full;	/* something was dropped */
	bool comma;	/* the next value needs one before it */
};

/* Begin with an open object. */
void jsonw_begin(struct jsonw *json, char *buf, size_t cap);
/* Close the object. Length of the text (no NUL), or -1 if it did not fit. */
long jsonw_end(struct jsonw *json);

/* One value; key is NULL inside an array. jsonw_count() leaves a negative number out altogether:
 * a counter that the kernel lacks. */
void jsonw_number(struct jsonw *json, const char *key, int64_t value);
void jsonw_count(struct jsonw *json, const char *key, int64_t value);
void jsonw_string(struct jsonw *json, const char *key, const char *text);
void jsonw_bytes(struct jsonw *json, const char *key, const char *text, size_t len);

/* bracket: '{' or '['; to close: '}' or ']'. */
void jsonw_open(struct jsonw *json, const char *key, char bracket);
void jsonw_close(struct jsonw *json, char bracket);

#endif
