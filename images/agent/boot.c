/* SPDX-License-Identifier: GPL-2.0-only */
/* Descriptors and the kernel's own filesystems. */
#include "agent/boot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/text.h"

static const struct {
	const char *fs, *path;
} mounts[] = {
	{ "devtmpfs", "/dev" },	/* first: the port is there */
	{ "proc", "/proc" },
	{ "sysfs", "/sys" },
	{ "debugfs", "/sys/kernel/debug" },
	{ "tmpfs", "/tmp" },
};

/* A kernel that found no /dev/console started us without descriptors. */
static void open_standard(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

int boot_mkdir(const char *path)
{
	char part[TEXT_PATH];
	size_t i, len = strlen(path);

	if (len >= sizeof(part))
		return -ENAMETOOLONG;
	for (i = 1; i <= len; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		snprintf(part, sizeof(part), "%.*s", (int)i, path);
		if (mkdir(part, 0755) < 0 && errno != EEXIST)
			return -errno;
	}
	return 0;
}

void boot_mounts(void)
{
	size_t i;

	open_standard();
	for (i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++) {
		boot_mkdir(mounts[i].path);
		mount(mounts[i].fs, mounts[i].path, mounts[i].fs, MS_NOSUID, NULL);
	}
}
