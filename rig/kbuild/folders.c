/* SPDX-License-Identifier: GPL-2.0-only */
/* Build folders: making, keeping, clearing away. */
#include "kbuild/folders.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/progress.h"
#include "base/strbuf.h"
#include "base/strvec.h"

#define PREFIX	   "build-"
#define STATE	   "state.json"
#define STATE_MAX  4096
#define LOCK	   "lock"
#define LOCK_WAIT  (3 * 3600 * NS_PER_S)

DEFINE_FREE(json, json_t *, json_decref(_T))

void build_folder_release(struct build_folder *f)
{
	if (f->lock_fd >= 0)
		close(f->lock_fd);
	free(f->dir);
	*f = (struct build_folder)BUILD_FOLDER_INIT;
}

char *build_folder_path(const char *kernels_dir, const char *line)
{
	return xstrfmt("%s/builds/%s", kernels_dir, line);
}

void build_folder_state(const char *kernels_dir, const char *line, struct build_state *st)
{
	char *dir __free(ptr) = build_folder_path(kernels_dir, line);
	char *path __free(ptr) = path_join(dir, STATE);
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	json_t *doc __free(json) = NULL;
	struct err ignored = ERR_INIT;
	const char *id;
	json_int_t compiled;

	*st = (struct build_state){ .compiled = 0 };
	if (file_read(path, STATE_MAX, &sb, &ignored) < 0)
		return;
	doc = json_loadb(sb.buf, sb.len, 0, NULL);
	id = json_string_value(json_object_get(doc, "source_id"));
	compiled = json_integer_value(json_object_get(doc, "compiled"));
	if (!id || strlen(id) != HASH_HEX - 1)
		return;
	memcpy(st->source_id, id, HASH_HEX);
	if (compiled > 0 && compiled < 1000000)
		st->compiled = (int)compiled;
}

int build_folder_lock(const char *kernels_dir, const char *line, struct err *err)
{
	struct deadline d = deadline_in("another rig's build of the same kernel", LOCK_WAIT);
	char *dir __free(ptr) = path_join(kernels_dir, "locks");
	char *path __free(ptr) = path_join(dir, line);
	struct err busy = ERR_INIT;
	int fd, ret = dir_make(dir, err);

	if (ret < 0)
		return ret;
	fd = file_lock(path, NULL, &busy);
	if (fd >= 0)
		return fd;
	if (fd != -EWOULDBLOCK) {
		*err = busy;
		return fd;
	}
	progress("waiting for another rig that builds the same kernel");
	return file_lock(path, &d, err);
}

/* A folder whose lock nobody holds belongs to a rig that is gone. */
static int clear_stale(const char *kernels_dir, struct err *err)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	int ret = dir_list(kernels_dir, NULL, &names, err);

	strvec_each(name, &names) {
		char *dir __free(ptr) = path_join(kernels_dir, *name);
		char *path __free(ptr) = path_join(dir, LOCK);
		int fd __free(fd) = -1;

		if (ret < 0 || strncmp(*name, PREFIX, strlen(PREFIX)))
			continue;
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0)
			continue;
		ret = dir_remove(dir, err);
	}
	return ret;
}

int build_folder_new(struct build_folder *f, const char *kernels_dir, struct err *err)
{
	char *prefix __free(ptr) = path_join(kernels_dir, PREFIX);
	char *gate __free(ptr) = path_join(kernels_dir, "locks/" PREFIX);
	struct deadline d = deadline_in("the list of kernel builds", 600 * NS_PER_S);
	char *path __free(ptr) = NULL;
	int ret, gate_fd __free(fd) = file_lock(gate, &d, err);

	/* Between mkdir and lock a new folder looks stale: nobody clears meanwhile. */
	if (gate_fd < 0)
		return gate_fd;
	ret = clear_stale(kernels_dir, err);
	if (ret == 0)
		ret = dir_temp(prefix, &f->dir, err);
	if (ret < 0)
		return ret;
	path = path_join(f->dir, LOCK);
	ret = file_lock(path, NULL, err);
	if (ret < 0)
		return ret;
	f->lock_fd = ret;
	return 0;
}

static int write_state(const char *dir, const struct build_state *st, struct err *err)
{
	char *path __free(ptr) = path_join(dir, STATE);
	char *text __free(ptr) = xstrfmt("{\"source_id\": \"%s\", \"compiled\": %d}\n",
					 st->source_id, st->compiled);

	return file_write_atomic(path, text, strlen(text), 0644, err);
}

int build_folder_keep(struct build_folder *f, const char *kernels_dir, const char *line,
		const struct build_state *st, struct err *err)
{
	char *builds __free(ptr) = path_join(kernels_dir, "builds");
	char *to __free(ptr) = build_folder_path(kernels_dir, line);
	char *old __free(ptr) = xstrfmt("%s.old", f->dir);
	char *lock __free(ptr) = path_join(to, LOCK);
	int ret = dir_make(builds, err), fd __free(fd) = -1;

	if (ret == 0)
		ret = write_state(f->dir, st, err);
	if (ret < 0)
		return ret;
	/* The old one goes first. If this process dies now, it is build-xxxxxx.old without a lock,
	 * which the next rig removes; until then the lock keeps others from doing so. */
	fd = open(lock, O_RDWR | O_CLOEXEC);
	if (fd >= 0)
		flock(fd, LOCK_EX | LOCK_NB);
	if (rename(to, old) < 0 && errno != ENOENT)
		return err_sys(err, -errno, "cannot move '%s'", str_escape(to));
	if (rename(f->dir, to) < 0)
		return err_sys(err, -errno, "cannot move '%s' to '%s'", str_escape(f->dir),
			       str_escape(to));
	build_folder_release(f);
	return dir_remove(old, err);
}

int build_folder_drop(struct build_folder *f, struct err *err)
{
	int ret = f->dir ? dir_remove(f->dir, err) : 0;

	build_folder_release(f);
	return ret;
}
