/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs as JSON. */
#include <jansson.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "record/record.h"
#include "report/json.h"

static json_t *shorten(json_t *run)
{
	static const char *const longs[] = { "samples", "argv", "case_text", "expect_text" };
	json_t *boots = json_object_get(run, "boots"), *boot;
	size_t i;

	for (i = 0; (boot = json_array_get(boots, i)); i++)
		for (size_t k = 0; k < ARRAY_SIZE(longs); k++)
			json_object_del(boot, longs[k]);
	return run;
}

void json_runs(struct strbuf *out, const struct run *const *runs, size_t n)
{
	json_t *all = json_array(), *doc;
	char *text;

	for (size_t i = 0; i < n; i++)
		json_array_append_new(all, shorten(run_to_json(runs[i])));
	doc = json_pack("{s:i, s:o}", "iorig", RECORD_VERSION, "runs", all);
	text = doc ? json_dumps(doc, JSON_INDENT(1) | JSON_ENSURE_ASCII) : NULL;
	BUG_ON(!text);
	strbuf_addf(out, "%s\n", text);
	free(text);
	json_decref(doc);
}
