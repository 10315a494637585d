/* SPDX-License-Identifier: GPL-2.0-only */
/* From a program to the list of files that it needs. */
#include "image/bring.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "image/elf_needs.h"

/* Where ld.so of Debian's amd64 looks without a cache. */
static const char *const standard[] = {
	"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib", "/usr/lib", NULL
};

/* "/usr/bin/../lib" is "/usr/lib": as text, in place. */
static void normalise(char *path)
{
	char *out = path;

	for (const char *p = path; *p;) {
		size_t len = strcspn(p + 1, "/") + 1;	/* with the slash before it */

		if (len == 3 && strncmp(p, "/..", 3) == 0) {
			while (out > path && *--out != '/')
				;
		} else if (len > 1 && !(len == 2 && p[1] == '.')) {
			memmove(out, p, len);
			out += len;
		}
		p += len;
	}
	*out = '\0';
}

/* Where nothing of the guest's own is. */
static bool may_be_brought(const char *path)
{
	return (strncmp(path, "/usr/", 5) == 0 || strncmp(path, "/lib/", 5) == 0 ||
		strncmp(path, "/lib64/", 7) == 0) && strncmp(path, "/lib/modules/", 13) != 0 &&
	       strlen(path) < ELF_NEEDS_PATH && path_is_file(path);
}

/* dir/name if it is there: fresh, or NULL. origin is whose $ORIGIN is meant. */
static char *try_folder(const char *dir, size_t len, const char *name, const char *origin)
{
	static const char *const words[] = { "$ORIGIN", "${ORIGIN}" };
	char *path __free(ptr) = xstrfmt("%.*s/%s", (int)len, dir, name);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		size_t word = strlen(words[i]);
		char *full = NULL;

		if (strncmp(path, words[i], word) != 0 || path[word] != '/')
			continue;
		full = xstrfmt("%.*s%s", (int)(path_base(origin) - origin - 1), origin,
			       path + word);
		free(path);
		path = full;
	}
	if (*path != '/')
		return NULL;
	normalise(path);
	return may_be_brought(path) ? no_free_ptr(path) : NULL;
}

static char *find_library(const struct elf_needs *e, const char *name, const char *origin)
{
	char *found = strchr(name, '/') ? try_folder("", 0, name + (*name == '/'), origin) : NULL;

	if (strchr(name, '/'))
		return found;
	for (const char *dir = e->run_path; dir && *dir && !found;) {
		size_t len = strcspn(dir, ":");

		found = try_folder(dir, len, name, origin);
		dir += len + (dir[len] == ':');
	}
	for (size_t i = 0; standard[i] && !found; i++)
		found = try_folder(standard[i], strlen(standard[i]), name, origin);
	return found;
}

/* Take the file at path, which is there. */
static char *take(struct bring *b, const char *program, const char *path)
{
	int64_t size = file_size(path);

	if (strvec_has(&b->paths, path))
		return NULL;
	b->bytes += size > 0 ? size : 0;
	if (b->paths.n >= BRING_MAX_FILES || b->bytes > BRING_MAX_BYTES)
		return xstrfmt("'%s' needs more than %d files or %lld MiB", str_escape(program),
			       BRING_MAX_FILES, BRING_MAX_BYTES >> 20);
	strvec_push(&b->paths, path);
	return NULL;
}

/* All that the file needs by itself. */
static char *take_needs(struct bring *b, const char *program, const char *path)
{
	struct elf_needs e __release(elf_needs) = ELF_NEEDS_INIT;
	char *lacks = NULL;

	if (elf_needs_read(&e, path) < 0)
		return xstrfmt("'%s' is no x86-64 program or library", str_escape(path));
	if (e.interp) {
		normalise(e.interp);
		lacks = may_be_brought(e.interp) ? take(b, program, e.interp) :
			xstrfmt("'%s' needs the interpreter '%s', which is not to be had",
				str_escape(program), str_escape(e.interp));
	}
	for (size_t i = 0; i < e.libraries.n && !lacks; i++) {
		char *library __free(ptr) = find_library(&e, e.libraries.v[i], path);

		lacks = library ? take(b, program, library) :
			xstrfmt("'%s' needs the library '%s', which is in no standard folder",
				str_escape(program), str_escape(e.libraries.v[i]));
	}
	return lacks;
}

char *bring_add(struct bring *b, const char *program)
{
	size_t first = b->paths.n;
	char *lacks;

	if (!path_is_file(program))
		return xstrfmt("this host has no program '%s'", str_escape(program));
	if (!may_be_brought(program))
		return xstrfmt("'%s' is not below /usr", str_escape(program));
	lacks = take(b, program, program);
	/* the list grows while it is walked */
	for (size_t i = first; i < b->paths.n && !lacks; i++)
		lacks = take_needs(b, program, b->paths.v[i]);
	return lacks;
}

void bring_release(struct bring *b)
{
	strvec_release(&b->paths);
	b->bytes = 0;
}
