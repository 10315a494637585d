/* SPDX-License-Identifier: GPL-2.0-only */
/* Parser for a disk's timing line. */
#include "sim/model_params.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Products of two of these with a factor of 1e9 stay inside 128 bits. */
#define MAX_VALUE (1LL << 50)

static const struct {
	const char *name;
	size_t offset;
} keys[] = {
#define KEY(name, field) { name, offsetof(struct model_params, field) }
	KEY("rate", rate),
	KEY("rate-end", rate_end),
	KEY("rate-write", rate_write),
	KEY("interface", interface),
	KEY("span", span),
	KEY("overhead", overhead),
	KEY("overhead-write", overhead_write),
	KEY("seek-track", seek_track),
	KEY("seek-average", seek_average),
	KEY("seek-full", seek_full),
	KEY("rpm", rpm),
	KEY("write-verify", write_verify),
	KEY("write-cache", write_cache),
	KEY("read-ahead", read_ahead),
	KEY("queue-depth", queue_depth),
	KEY("queue-order", queue_order),
	KEY("flush", flush),
	KEY("discard", discard),
	KEY("stall-every", stall_every),
	KEY("stall-for", stall_for),
#undef KEY
};

static int64_t *field(struct model_params *p, const char *key, size_t len)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strlen(keys[i].name) == len && !memcmp(keys[i].name, key, len))
			return (int64_t *)(void *)((char *)p + keys[i].offset);
	return NULL;
}

/* One 'key=integer' at s; the end of it, or NULL with why filled in. */
static const char *parse_word(struct model_params *p, const char *s, char *why, size_t why_size)
{
	size_t len = strcspn(s, "= \t");
	int64_t *v = field(p, s, len);
	char *end;

	if (!v || s[len] != '=') {
		snprintf(why, why_size, "unknown word '%.*s'", (int)strcspn(s, " \t"), s);
		return NULL;
	}
	errno = 0;
	*v = strtoll(s + len + 1, &end, 10);
	if (end == s + len + 1 || (*end && *end != ' ' && *end != '\t')) {
		snprintf(why, why_size, "no number in '%.*s'", (int)strcspn(s, " \t"), s);
		return NULL;
	}
	if (errno || *v < 0 || *v > MAX_VALUE) {
		snprintf(why, why_size, "out of range: '%.*s'", (int)strcspn(s, " \t"), s);
		return NULL;
	}
	return end;
}

int model_params_parse(struct model_params *p, const char *line, char *why, size_t why_size)
{
	*p = (struct model_params){ .rate = 0 };
	for (const char *s = line + strspn(line, " \t"); *s; s += strspn(s, " \t")) {
		s = parse_word(p, s, why, why_size);
		if (!s)
			return -EINVAL;
	}
	if (!p->rate) {
		snprintf(why, why_size, "no rate");
		return -EINVAL;
	}
	if (!p->rate_end)
		p->rate_end = p->rate;
	if (!p->rate_write)
		p->rate_write = p->rate;
	if (!p->overhead_write)
		p->overhead_write = p->overhead;
	if (!p->queue_depth)
		p->queue_depth = 1;
	return 0;
}
