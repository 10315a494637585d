/* SPDX-License-Identifier: GPL-2.0-only */
/* FICLONE, else copy_file_range(), which the kernel can do without the data coming to us. */
#include "base/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

int fd_copy(int from, int to, off_t len)
{
	off_t done = 0;

	if (ioctl(to, FICLONE, from) == 0)
		return 0;
	while (done < len) {
		ssize_t n = copy_file_range(from, NULL, to, NULL, (size_t)(len - done), 0);

		/* between filesystems, or on one that cannot */
		if (n < 0 && done == 0 && (errno == EXDEV || errno == EINVAL || errno == ENOSYS ||
					   errno == EOPNOTSUPP))
			break;
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			return -EIO;	/* it became shorter meanwhile */
		done += n > 0 ? n : 0;
	}
	while (done < len) {
		ssize_t n = sendfile(to, from, NULL, (size_t)(len - done));

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			return -EIO;
		done += n > 0 ? n : 0;
	}
	return 0;
}

int file_copy(const char *from, const char *to, mode_t mode, struct err *err)
{
	int in __free(fd) = file_open(from, err), out __free(fd) = -1;
	struct stat st;
	int ret;

	if (in < 0)
		return in;
	if (fstat(in, &st) < 0)
		return err_sys(err, -errno, "'%s'", str_escape(from));
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (out < 0)
		return err_sys(err, -errno, "cannot make '%s'", str_escape(to));
	ret = fd_copy(in, out, st.st_size);
	if (ret == 0)
		return 0;
	unlink(to);
	return err_sys(err, ret, "cannot copy '%s' to '%s'", str_escape(from), str_escape(to));
}
