/* SPDX-License-Identifier: GPL-2.0-only */
/* Contents of files: read, write atomically, lock. */
#include "base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/sig.h"
#include "base/strbuf.h"

#define READ_CHUNK    ((size_t)64 * 1024)
#define LOCK_RETRY_MS 50

int file_open(const char *path, struct err *err)
{
	/* without O_NONBLOCK the open of a FIFO would wait for a writer */
	int fd __free(fd) = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_sys(err, -errno, "cannot open '%s'", str_escape(path));
	if (S_ISDIR(st.st_mode))
		return err_set(err, -EISDIR, "'%s' is a folder, not a file", str_escape(path));
	if (!S_ISREG(st.st_mode))
		return err_set(err, -EINVAL, "'%s' is not a regular file", str_escape(path));
	return no_close_fd(fd);
}

/* Read up to the end of file, or one byte more than max. 0 or -errno. */
static int read_some(int fd, size_t max, struct strbuf *sb)
{
	size_t left = max < SIZE_MAX ? max + 1 : max;

	while (left) {
		size_t want = left < READ_CHUNK ? left : READ_CHUNK;
		ssize_t got;

		strbuf_reserve(sb, want);
		got = read(fd, sb->buf + sb->len, want);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return 0;
		strbuf_grown(sb, (size_t)got);
		left -= (size_t)got;
	}
	return 0;
}

int file_read(const char *path, size_t max, struct strbuf *sb, struct err *err)
{
	struct strbuf data __release(strbuf) = STRBUF_INIT;
	int fd __free(fd) = file_open(path, err);
	struct stat st;
	int ret;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return err_sys(err, -errno, "cannot stat '%s'", str_escape(path));
	/* the size is only a hint: files in /proc claim 0, and a file may grow under us */
	ret = (uint64_t)st.st_size > max ? 0 : read_some(fd, max, &data);
	if (ret < 0)
		return err_sys(err, ret, "cannot read '%s'", str_escape(path));
	if ((uint64_t)st.st_size > max || data.len > max)
		return err_set(err, -EFBIG, "'%s' is larger than %zu bytes", str_escape(path), max);
	strbuf_add(sb, data.buf, data.len);
	return 0;
}

int fd_write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t done = write(fd, p, len);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		if (done == 0)
			return -EIO;
		p += done;
		len -= (size_t)done;
	}
	return 0;
}

/* Mode as open(2) would have made it: mkostemp() knows no mode. */
static int set_mode(int fd, mode_t mode)
{
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(fd, mode & ~mask) < 0 ? -errno : 0;
}

/* Make the rename itself durable. Some file systems do not sync folders: EINVAL. */
static int sync_folder_of(const char *path)
{
	size_t len = (size_t)(path_base(path) - path);
	char *dir __free(ptr) = len ? xstrndup(path, len) : xstrdup(".");
	int fd __free(fd) = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || (fsync(fd) < 0 && errno != EINVAL))
		return -errno;
	return 0;
}

static int write_synced(int fd, const void *data, size_t len, mode_t mode)
{
	int ret = fd_write_all(fd, data, len);

	if (!ret)
		ret = set_mode(fd, mode);
	if (!ret && fsync(fd) < 0)
		ret = -errno;
	return ret;
}

int file_write_atomic(const char *path, const void *data, size_t len, mode_t mode, struct err *err)
{
	char *temp __free(ptr) = xstrfmt("%s.tmpXXXXXX", path);
	int fd __free(fd) = mkostemp(temp, O_CLOEXEC);
	int ret;

	if (fd < 0)
		return err_sys(err, -errno, "cannot write '%s'", str_escape(path));
	ret = write_synced(fd, data, len, mode);
	if (!ret && rename(temp, path) < 0)
		ret = -errno;
	if (ret < 0)
		unlink(temp);
	else
		ret = sync_folder_of(path);
	if (ret < 0)
		return err_sys(err, ret, "cannot write '%s'", str_escape(path));
	return 0;
}

int64_t file_size(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? -errno : st.st_size;
}

/*
 * Take the lock, trying until the deadline. The kernel offers no lock with a time limit and no
 * descriptor to poll for it, so this is the one wait here that looks again from time to time;
 * meanwhile a request to stop ends it at once.
 */
static int lock_wait(int fd, const struct deadline *d, const char *path, struct err *err)
{
	struct pollfd stop = { .fd = sig_fd(), .events = POLLIN };

	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		int ms;

		if (errno == EINTR)
			continue;
		if (errno != EWOULDBLOCK || !d)
			return err_sys(err, -errno, "cannot lock '%s'", str_escape(path));
		if (sig_stop_asked())
			return err_interrupted(err);
		if (deadline_passed(d)) {
			deadline_error(d, err);
			return err_wrap(err, "cannot lock '%s'", str_escape(path));
		}
		ms = deadline_ms(d);
		poll(&stop, 1, ms < LOCK_RETRY_MS ? ms : LOCK_RETRY_MS);
	}
	return 0;
}

int file_lock(const char *path, const struct deadline *d, struct err *err)
{
	int fd __free(fd) = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
	int ret;

	if (fd < 0)
		return err_sys(err, -errno, "cannot open lock '%s'", str_escape(path));
	ret = lock_wait(fd, d, path, err);
	return ret < 0 ? ret : no_close_fd(fd);
}
