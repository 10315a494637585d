/* SPDX-License-Identifier: GPL-2.0-only */
/* Remembering which tree a package name led to. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "kernel/cache.h"
#include "kernel/resolved.h"

#define DOCUMENT_MAX 65536

DEFINE_FREE(json, json_t *, json_decref(_T))

static char *document_path(const struct kernel_cache *c, const char *package)
{
	return xstrfmt("%s/resolved/%s.json", c->dir, package);
}

static void take_hash(const json_t *doc, const char *key, char hex[HASH_HEX])
{
	const char *s = json_string_value(json_object_get(doc, key));

	if (s && strlen(s) == HASH_HEX - 1 && strspn(s, "0123456789abcdef") == HASH_HEX - 1)
		memcpy(hex, s, HASH_HEX);
}

void resolved_load(struct resolved *r, const struct kernel_cache *c, const char *package)
{
	char *path __free(ptr) = document_path(c, package);
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct err ignored = ERR_INIT;
	json_t *doc __free(json) = NULL;

	*r = (struct resolved){ .lists = "" };
	if (file_read(path, DOCUMENT_MAX, &sb, &ignored) < 0)
		return;
	doc = json_loadb(sb.buf, sb.len, 0, NULL);
	take_hash(doc, "lists", r->lists);
	take_hash(doc, "tree", r->key);
}

int resolved_save(const struct resolved *r, const struct kernel_cache *c, const char *package,
		  struct err *err)
{
	char *path __free(ptr) = document_path(c, package);
	json_t *doc __free(json) = json_pack("{s:s, s:s}", "lists", r->lists, "tree", r->key);
	char *text __free(ptr) = json_dumps(doc, JSON_INDENT(1));

	if (!text)
		return err_set(err, -ENOMEM, "cannot write '%s'", str_escape(path));
	return file_write_atomic(path, text, strlen(text), 0644, err);
}
