/* SPDX-License-Identifier: GPL-2.0-only */
/* The files that a case puts into its guest. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "case/load.h"

static bool stays_below(const char *path)
{
	return *path != '/' && *path != '.' && !strstr(path, "/.") && !strstr(path, "//");
}

static int line_of(const struct ini *ini, const struct case_file *file)
{
	const struct ini_section *s = ini_find(ini, "file", file->path);
	const struct ini_entry *entry = s ? ini_get(s, "file") : NULL;

	return entry ? entry->line : file->line;
}

static int read_one(const struct kase *c, struct case_file *file, const struct ini *ini,
		    struct err *err)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	size_t folder = (size_t)(path_base(c->path) - c->path);
	char *path __free(ptr) = xstrfmt("%.*s%s", (int)folder, c->path, file->host);
	struct err why = ERR_INIT;
	int line = line_of(ini, file);

	if (!stays_below(file->host))
		return ini_error(ini, line, err, "file: '%s' is not below the case's folder",
				 str_escape(file->host));
	if (file_read(path, CASE_FILE_BYTES, &text, &why) < 0)
		return ini_error(ini, line, err, "file: %s", why.msg);
	if (text.len && memchr(text.buf, '\0', text.len))
		return ini_error(ini, line, err, "file: '%s' is not text: it has a NUL in it",
				 str_escape(file->host));
	file->text = strbuf_detach(&text, NULL);
	return 0;
}

int kase_read_files(struct kase *c, const struct ini *ini, struct err *err)
{
	size_t total = 0;

	for (size_t i = 0; i < c->n_files; i++) {
		struct case_file *file = &c->files[i];
		int ret = file->host ? read_one(c, file, ini, err) : 0;

		if (ret < 0)
			return ret;
		total += strlen(file->text);
		if (total > CASE_FILE_BYTES)
			return ini_error(ini, file->line, err, "the files are above %d KiB "
					 "together", CASE_FILE_BYTES / 1024);
	}
	return 0;
}
