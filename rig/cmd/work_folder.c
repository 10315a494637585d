/* SPDX-License-Identifier: GPL-2.0-only */
/* Folders of work that is made of many runs. */
#include "cmd/work_folder.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "run/folder.h"

#define SAME_SECOND 100
#define LOCK_WAIT   (2 * NS_PER_S)

int work_folder_make(char **dir, const char *asked, const char *started, const char *what,
		     const char *name, struct err *err)
{
	struct strbuf time __release(strbuf) = STRBUF_INIT;

	*dir = asked ? xstrdup(asked) : NULL;
	if (asked)
		return folder_check(asked, err);
	if (folder_check("results", err))
		return err->code;
	for (const char *p = started; *p; p++) {
		if (isalnum((unsigned char)*p))
			strbuf_addch(&time, *p);
	}
	for (int i = 1; i < SAME_SECOND; i++) {
		free(*dir);
		*dir = i == 1 ? xstrfmt("results/%s-%s-%s", time.buf, what, name) :
				xstrfmt("results/%s-%s-%s.%02d", time.buf, what, name, i);
		if (!mkdir(*dir, 0777))
			return 0;
		if (errno != EEXIST)
			break;
	}
	return err_sys(err, -errno, "folder '%s'", str_escape(*dir));
}

int work_folder_lock(const char *dir, const char *command, struct err *err)
{
	char *path __free(ptr) = path_join(dir, "lock");
	/* the workers of one that was killed hold it until they are gone, too */
	struct deadline d = deadline_in("the lock of a folder", LOCK_WAIT);
	int ret = file_lock(path, &d, err);

	if (ret == -ETIMEDOUT)
		return err_input(err, "another '%s' works in '%s'", command, str_escape(dir));
	return ret;
}
