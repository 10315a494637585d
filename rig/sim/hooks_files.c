/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files: the functions that the library stands in front of, see symbols.h. Only descriptors of
 * images are treated in another way:
 *
 *  - O_DIRECT is left out, since the host's page cache holds the data; but the main thread,
 *    which only probes for alignment, gets the answers of a disk with 512-byte blocks that was
 *    opened with it. QEMU would otherwise take 4,096 and turn a small write into a read and a
 *    write, or on XFS ask the host's disk;
 *  - what a worker does costs the disk's time first. An fdatasync() does nothing else: images
 *    are scratch;
 *  - zeroing and discarding work whatever the host's file system can.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sim/disks.h"
#include "sim/eventfds.h"
#include "sim/init.h"
#include "sim/symbols.h"
#include "sim/thread.h"

#define BLOCK 512

/* The image behind fd, if this thread's work on it has to take time. */
static struct disk *worker_disk(int fd)
{
	return init_active() && thread_role == THREAD_WORKER ? disks_of(fd) : NULL;
}

/* One request of a worker before its data moves. 0, or -1 with errno set. */
static int spend(struct disk *d, enum model_op op, int64_t offset, int64_t length)
{
	int ret = disks_work(d, op, offset, length);

	if (ret < 0)
		errno = -ret;
	return ret < 0 ? -1 : 0;
}

SIM_EXPORT int open64(const char *path, int flags, ...)
{
	int mode = 0;

	if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {
		va_list ap;

		va_start(ap, flags);
		mode = va_arg(ap, int);
		va_end(ap);
	}
	if (init_active() && (flags & O_DIRECT) && disks_has(path))
		flags &= ~O_DIRECT;
	return sim_libc()->open64(path, flags, mode);
}

SIM_EXPORT int close(int fd)
{
	if (init_active()) {
		disks_closed(fd);
		eventfds_closed(fd);
	}
	return sim_libc()->close(fd);
}

SIM_EXPORT int fcntl64(int fd, int cmd, ...)
{
	va_list ap;
	long arg;

	va_start(ap, cmd);
	arg = va_arg(ap, long);
	va_end(ap);
	if (cmd == F_SETFL && init_active() && disks_of(fd))
		arg &= ~(long)O_DIRECT;
	return sim_libc()->fcntl64(fd, cmd, arg);
}

SIM_EXPORT int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	/* 'X' are XFS's: it would tell the alignment that the host's disk wants */
	if (_IOC_TYPE(request) == 'X' && init_active() && disks_of(fd)) {
		errno = ENOTTY;
		return -1;
	}
	return sim_libc()->ioctl(fd, request, arg);
}

static bool aligned(const void *buf, size_t n, off64_t offset)
{
	return ((uintptr_t)buf | n | (uint64_t)offset) % BLOCK == 0;
}

SIM_EXPORT ssize_t pread64(int fd, void *buf, size_t n, off64_t offset)
{
	struct disk *d = worker_disk(fd);

	if (d && spend(d, MODEL_READ, offset, (int64_t)n) < 0)
		return -1;
	if (!d && init_active() && !aligned(buf, n, offset) && disks_of(fd)) {
		errno = EINVAL;
		return -1;
	}
	return sim_libc()->pread64(fd, buf, n, offset);
}

SIM_EXPORT ssize_t pwrite64(int fd, const void *buf, size_t n, off64_t offset)
{
	struct disk *d = worker_disk(fd);

	if (d && spend(d, MODEL_WRITE, offset, (int64_t)n) < 0)
		return -1;
	return sim_libc()->pwrite64(fd, buf, n, offset);
}

static int64_t total(const struct iovec *vec, int n)
{
	int64_t length = 0;

	for (int i = 0; i < n; i++)
		length += (int64_t)vec[i].iov_len;
	return length;
}

SIM_EXPORT ssize_t preadv64(int fd, const struct iovec *vec, int n, off64_t offset)
{
	struct disk *d = worker_disk(fd);

	if (d && spend(d, MODEL_READ, offset, total(vec, n)) < 0)
		return -1;
	return sim_libc()->preadv64(fd, vec, n, offset);
}

SIM_EXPORT ssize_t pwritev64(int fd, const struct iovec *vec, int n, off64_t offset)
{
	struct disk *d = worker_disk(fd);

	if (d && spend(d, MODEL_WRITE, offset, total(vec, n)) < 0)
		return -1;
	return sim_libc()->pwritev64(fd, vec, n, offset);
}

SIM_EXPORT int fdatasync(int fd)
{
	struct disk *d = worker_disk(fd);

	if (d)
		return spend(d, MODEL_FLUSH, 0, 0);
	if (init_active() && disks_of(fd))
		return 0;
	return sim_libc()->fdatasync(fd);
}

static int write_zeroes(int fd, off64_t offset, off64_t length)
{
	static const char zeroes[1 << 16];

	while (length > 0) {
		size_t n = length < (off64_t)sizeof(zeroes) ? (size_t)length : sizeof(zeroes);
		ssize_t done = sim_libc()->pwrite64(fd, zeroes, n, offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return -1;
		offset += done;
		length -= done;
	}
	return 0;
}

SIM_EXPORT int fallocate64(int fd, int mode, off64_t offset, off64_t length)
{
	struct disk *d = worker_disk(fd);
	bool zero = mode & FALLOC_FL_ZERO_RANGE;
	int ret;

	if (d && spend(d, zero ? MODEL_WRITE : MODEL_DISCARD, offset, length) < 0)
		return -1;
	ret = sim_libc()->fallocate64(fd, mode, offset, length);
	if (ret < 0 && errno == EOPNOTSUPP && d && (mode & (FALLOC_FL_ZERO_RANGE |
							    FALLOC_FL_PUNCH_HOLE)))
		ret = write_zeroes(fd, offset, length);
	return ret;
}
