/* SPDX-License-Identifier: GPL-2.0-only */
/* Unpacking a kernel's source: three archives inside of each other. */
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/sig.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "source/source_files.h"
#include "source/source_unpack.h"
#include "kernel/deb_read.h"

#define FILES_MAX 200000
#define BYTES_MAX (8LL << 30)
#define NEWS_NS	  (2 * NS_PER_S)
#define NEWS_PC	  10

struct unpacking {
	const char *what, *root;
	struct deb_reader in;
	struct deb_layer source; /* the tar archive in the package */
	char *folder;		 /* made last: saves most of the calls to dir_make() */
	struct strvec files, links, targets;
	int64_t bytes, size, told_ns, told_pc;
};

static void unpacking_release(struct unpacking *u)
{
	deb_layer_release(&u->source);
	deb_reader_release(&u->in);
	free(u->folder);
	strvec_release(&u->files);
	strvec_release(&u->links);
	strvec_release(&u->targets);
}

static int refuse(const struct unpacking *u, const char *name, const char *why, struct err *err)
{
	return err_input(err, "'%s': '%s' %s", str_escape(u->in.deb), str_escape(name), why);
}

static bool is_source(const char *name)
{
	while (*name == '/' || !strncmp(name, "./", 2))
		name++;
	return !strncmp(name, "usr/src/", strlen("usr/src/")) &&
	       !strncmp(path_base(name), "linux-source-", strlen("linux-source-")) &&
	       strstr(path_base(name), ".tar");
}

/* Go to the archive with the source. */
static int open_source(struct unpacking *u, struct err *err)
{
	struct archive_entry *entry;
	int ret;

	while ((ret = archive_read_next_header(u->in.data.tar, &entry)) == ARCHIVE_OK) {
		const char *name = archive_entry_pathname(entry);

		if (name && archive_entry_filetype(entry) == AE_IFREG && is_source(name))
			return deb_layer_open(&u->source, &u->in, u->in.data.tar, err);
	}
	if (ret != ARCHIVE_EOF)
		return deb_broken(&u->in, u->in.data.tar, err);
	return err_input(err, "'%s' holds no kernel source (usr/src/linux-source-*.tar.*)",
			 str_escape(u->in.deb));
}

/*
 * Does a link at this path of the tree stay inside of it? It may climb at its beginning only: its
 * folder is a real one, so climbing from there is what it seems to be, which it need not be once
 * another link was followed.
 */
static bool link_stays(const char *path, const char *target)
{
	int depth = 0;

	for (const char *s = path; (s = strchr(s, '/')); s++)
		depth++;
	if (*target == '/' || !*target)
		return false;
	for (;;) {
		size_t len = strcspn(target, "/");

		if (len == 2 && !strncmp(target, "..", 2))
			depth--;
		else if (len != 1 || *target != '.')
			break;
		target += len;
		target += strspn(target, "/");
	}
	return depth >= 0 && !deb_has_dotdot(target);
}

static int make_folder(struct unpacking *u, const char *name, struct err *err)
{
	char *folder __free(ptr) = xstrndup(name, (size_t)(path_base(name) - name));
	char *path __free(ptr) = path_join(u->root, folder);
	int ret;

	if (u->folder && !strcmp(u->folder, folder))
		return 0;
	ret = dir_make(path, err);
	if (ret == -ENOTDIR)
		return refuse(u, name, "is below something that is no folder", err);
	if (ret == 0) {
		free(u->folder);
		u->folder = no_free_ptr(folder);
	}
	return ret;
}

static int unpack_member(struct unpacking *u, struct archive_entry *entry, const char *name,
			 struct err *err)
{
	char *path __free(ptr) = path_join(u->root, name);
	const char *target = archive_entry_symlink(entry);
	mode_t mode = archive_entry_perm(entry) & 0100 ? 0755 : 0644;
	int ret;

	if (archive_entry_hardlink(entry))
		return refuse(u, name, "is a hard link", err);
	if (archive_entry_filetype(entry) == AE_IFDIR)
		return 0;
	if (u->files.n + u->links.n >= FILES_MAX)
		return err_input(err, "'%s' holds more than %d files", str_escape(u->in.deb),
				 FILES_MAX);
	ret = make_folder(u, name, err);
	if (ret < 0)
		return ret;
	if (archive_entry_filetype(entry) == AE_IFREG) {
		strvec_push(&u->files, name);
		return deb_write_file(&u->in, u->source.tar, path, mode, &u->bytes, BYTES_MAX, err);
	}
	if (archive_entry_filetype(entry) != AE_IFLNK || !target)
		return refuse(u, name, "is neither a file nor a symbolic link", err);
	if (!link_stays(name, target))
		return refuse(u, name, "is a symbolic link that leads out of the tree", err);
	strvec_push(&u->links, name);
	strvec_push(&u->targets, target);
	return 0;
}

static int unpack_entry(struct unpacking *u, struct archive_entry *entry, struct err *err)
{
	const char *name = archive_entry_pathname(entry);

	if (!name)
		return deb_broken(&u->in, u->source.tar, err);
	if (*name == '/' || deb_has_dotdot(name))
		return refuse(u, name, "leads out of the tree", err);
	while (!strncmp(name, "./", 2))
		name += 2;
	name += strcspn(name, "/");
	name += strspn(name, "/");
	/* The folder around everything. */
	return *name ? unpack_member(u, entry, name, err) : 0;
}

static void tell(struct unpacking *u)
{
	int64_t now = clock_ns();
	int64_t pc = u->size > 0 ? 100 * deb_position(&u->in) / u->size : 0;

	if (now < u->told_ns + NEWS_NS || pc < u->told_pc + NEWS_PC)
		return;
	progress("unpacking %s: %d %%", u->what, (int)pc);
	u->told_ns = now;
	u->told_pc = pc;
}

static int unpack_all(struct unpacking *u, struct err *err)
{
	struct archive_entry *entry;
	int ret;

	while ((ret = archive_read_next_header(u->source.tar, &entry)) == ARCHIVE_OK) {
		ret = unpack_entry(u, entry, err);
		if (ret < 0)
			return ret;
		if (sig_stop_asked())
			return err_interrupted(err);
		tell(u);
	}
	return ret == ARCHIVE_EOF ? 0 : deb_broken(&u->in, u->source.tar, err);
}

/* Links come last, so that nothing is ever unpacked through one. */
static int make_links(struct unpacking *u, struct err *err)
{
	for (size_t i = 0; i < u->links.n; i++) {
		char *path __free(ptr) = path_join(u->root, u->links.v[i]);

		if (symlink(u->targets.v[i], path) == 0)
			continue;
		if (errno == EEXIST)
			return refuse(u, u->links.v[i], "is there twice", err);
		return err_sys(err, -errno, "cannot make the link '%s'", str_escape(path));
	}
	strvec_pushv(&u->files, u->links.v);
	return 0;
}

int source_unpack(const char *deb, const char *dir, const char *what, struct err *err)
{
	char *root __free(ptr) = path_join(dir, "tree");
	struct unpacking u __release(unpacking) = {
		.what = what, .root = root, .in = DEB_READER_INIT, .files = STRVEC_INIT,
		.links = STRVEC_INIT, .targets = STRVEC_INIT, .size = file_size(deb),
	};
	int ret;

	progress("unpacking %s", what);
	u.told_ns = clock_ns();
	ret = dir_make(root, err);
	if (ret == 0)
		ret = deb_open(&u.in, deb, err);
	if (ret == 0)
		ret = open_source(&u, err);
	if (ret == 0)
		ret = unpack_all(&u, err);
	if (ret == 0)
		ret = make_links(&u, err);
	if (ret < 0)
		return ret;
	strvec_sort(&u.files);
	return source_files_write(dir, &u.files, err);
}
