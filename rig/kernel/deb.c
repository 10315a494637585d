/* SPDX-License-Identifier: GPL-2.0-only */
/* Which members of a package are a kernel's, and where they go. */
#include <archive_entry.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "kernel/deb.h"
#include "kernel/deb_read.h"

#define FILES_MAX 200000
#define BYTES_MAX (4LL << 30)

struct unpacking {
	const char *dst;
	struct deb_reader in;
	char *folder; /* made last: saves most of the calls to dir_make() */
	int64_t files, bytes;
};

static void unpacking_release(struct unpacking *u)
{
	deb_reader_release(&u->in);
	free(u->folder);
}

/* The path below dst that a wanted member goes to, or NULL. */
static const char *wanted(const char *name)
{
	while (*name == '/' || !strncmp(name, "./", 2))
		name++;
	if (!strncmp(name, "usr/lib/modules/", strlen("usr/lib/modules/")))
		name += strlen("usr/");
	if (!strncmp(name, "boot/", strlen("boot/")) ||
	    !strncmp(name, "lib/modules/", strlen("lib/modules/")))
		return name;
	return NULL;
}

static int make_folder(struct unpacking *u, const char *file, struct err *err)
{
	char *folder __free(ptr) = xstrndup(file, (size_t)(path_base(file) - file));
	int ret;

	if (u->folder && !strcmp(u->folder, folder))
		return 0;
	ret = dir_make(folder, err);
	if (ret == 0) {
		free(u->folder);
		u->folder = no_free_ptr(folder);
	}
	return ret;
}

static int unpack_entry(struct unpacking *u, struct archive_entry *entry, struct err *err)
{
	const char *deb = u->in.deb, *name = archive_entry_pathname(entry);
	char *path __free(ptr) = NULL;
	int ret;

	name = name ? wanted(name) : NULL;
	if (!name)
		return 0;
	/* Before its type: hard links need not have one. */
	if (archive_entry_hardlink(entry))
		return err_input(err, "'%s': '%s' is a hard link", str_escape(deb),
				 str_escape(name));
	if (archive_entry_filetype(entry) != AE_IFREG)
		return 0;
	if (deb_has_dotdot(name))
		return err_input(err, "'%s': '%s' leads out of the package", str_escape(deb),
				 str_escape(name));
	if (++u->files > FILES_MAX)
		return err_input(err, "'%s' holds more than %d files", str_escape(deb), FILES_MAX);
	path = path_join(u->dst, name);
	ret = make_folder(u, path, err);
	return ret < 0 ? ret : deb_write_file(&u->in, u->in.data.tar, path, 0644, &u->bytes,
					      BYTES_MAX, err);
}

int deb_unpack(const char *deb, const char *dst, struct err *err)
{
	struct unpacking u __release(unpacking) = { .dst = dst, .in = DEB_READER_INIT };
	struct archive_entry *entry;
	int ret = deb_open(&u.in, deb, err);

	if (ret < 0)
		return ret;
	while ((ret = archive_read_next_header(u.in.data.tar, &entry)) == ARCHIVE_OK) {
		ret = unpack_entry(&u, entry, err);
		if (ret < 0)
			return ret;
	}
	return ret == ARCHIVE_EOF ? 0 : deb_broken(&u.in, u.in.data.tar, err);
}
