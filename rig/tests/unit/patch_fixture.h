/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of patch/patchset share: a temporary folder, files in it, and patches by hand. */
#ifndef UNIT_PATCH_FIXTURE_H
#define UNIT_PATCH_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "patch/patchset.h"

/* One that fits on numbers() below. */
#define HUNK_5		"@@ -4,3 +4,3 @@\n 4\n-5\n+five\n 6\n"
#define PATCH_5		"--- a/f\n+++ b/f\n" HUNK_5
#define PATCH_OF(name)	"--- a/" name "\n+++ b/" name "\n@@ -1 +1 @@\n-old\n+new\n"

static char *dir; /* of the running test */

static inline int patch_setup(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	return dir_temp("/tmp/iorig-patch-", &dir, &err);
}

static inline int patch_teardown(void **state)
{
	struct err err = ERR_INIT;
	int ret = dir_remove(dir, &err);

	(void)state;
	free(dir);
	return ret;
}

static inline void put_bytes(const char *name, const char *data, size_t len)
{
	char *path __free(ptr) = path_join(dir, name), *folder __free(ptr) = xstrdup(path);
	struct err err = ERR_INIT;

	*strrchr(folder, '/') = '\0';
	assert_int_equal(dir_make(folder, &err), 0);
	assert_int_equal(file_write_atomic(path, data, len, 0644, &err), 0);
}

static inline void put(const char *name, const char *text)
{
	put_bytes(name, text, strlen(text));
}

/* "1" to "9", each in a line of its own. */
static inline void put_numbers(const char *name)
{
	put(name, "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
}

/* The file's text; NULL if it is not there. Valid until the next call but three. */
static inline const char *text_of(const char *name)
{
	static struct strbuf ring[4] = { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT };
	static int at;
	char *path __free(ptr) = path_join(dir, name);
	struct strbuf *sb = &ring[at++ % 4];
	struct err err = ERR_INIT;

	strbuf_release(sb);
	return file_read(path, 1 << 20, sb, &err) < 0 ? NULL : sb->buf;
}

static inline int add(struct patchset *set, const char *name, struct err *err)
{
	char *path __free(ptr) = path_join(dir, name);

	return patchset_add(set, path, err);
}

static inline void add_well(struct patchset *set, const char *name)
{
	struct err err = ERR_INIT;

	if (add(set, name, &err) < 0)
		fail_msg("%s: %s", name, err.msg);
}

/* Adding it is refused as wrong input with these words. */
static inline void refused(const char *name, const char *says)
{
	struct patchset set __release(patchset) = PATCHSET_INIT;
	struct err err = ERR_INIT;

	if (add(&set, name, &err) != -EINVAL || err.kind != ERR_INPUT || !strstr(err.msg, says))
		fail_msg("'%s' instead of '%s'", err.msg, says);
}

/* Put the text into the file p and apply it to the folder tree. */
static inline int apply(const char *text, struct strvec *notes, struct err *err)
{
	struct patchset set __release(patchset) = PATCHSET_INIT;
	char *tree __free(ptr) = path_join(dir, "tree");
	int ret;

	put("p", text);
	ret = add(&set, "p", err);
	return ret < 0 ? ret : patchset_apply(&set, tree, notes, err);
}

static inline void applies(const char *text)
{
	struct strvec notes __release(strvec) = STRVEC_INIT;
	struct err err = ERR_INIT;

	if (apply(text, &notes, &err) < 0)
		fail_msg("%s", err.msg);
	if (notes.n)
		fail_msg("%s", notes.v[0]);
}

/* Applying it is refused as wrong input with these words; notes is appended to. */
static inline void misfits(const char *text, const char *says, struct strvec *notes)
{
	struct err err = ERR_INIT;

	if (apply(text, notes, &err) >= 0)
		fail_msg("it applies: %s", text);
	if (err.kind != ERR_INPUT || !strstr(err.msg, says))
		fail_msg("'%s' instead of '%s'", err.msg, says);
}

#endif
