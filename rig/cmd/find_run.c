/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs by their names. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "cmd/find_run.h"

char *find_run_document(const char *out, const char *spec)
{
	char *below __free(ptr) = path_join(out, spec);

	if (path_is_file(spec))
		return xstrdup(spec);
	return path_join(path_is_dir(spec) ? spec : below, "run.json");
}

bool find_run_is(const char *out, const char *spec)
{
	char *document __free(ptr) = find_run_document(out, spec);
	size_t len = strlen(document), tail = strlen(".json");

	return path_is_file(document) && len > tail && !strcmp(document + len - tail, ".json");
}

char *find_run_folder(const char *document)
{
	const char *base = path_base(document);

	if (base == document)
		return xstrdup(".");
	return base == document + 1 ? xstrdup("/")
				    : xstrndup(document, (size_t)(base - document) - 1);
}

/* Folder names begin with the time in UTC, so the last one in order is the newest. */
int find_run_newest(const char *out, struct strvec *runs, struct err *err)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	int ret = path_is_dir(out) ? dir_list(out, NULL, &names, err) : 0;

	if (ret)
		return ret;
	for (size_t i = names.n; i; i--) {
		char *doc = xstrfmt("%s/%s/run.json", out, names.v[i - 1]);

		if (path_is_file(doc)) {
			strvec_push_nodup(runs, doc);
			return 0;
		}
		free(doc);
	}
	return err_input(err, "no run in '%s' yet", str_escape(out));
}
