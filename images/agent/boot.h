/* SPDX-License-Identifier: GPL-2.0-only */
/* What PID 1 has to set up before it can do anything else. */
#ifndef AGENT_BOOT_H
#define AGENT_BOOT_H

/* Open descriptors 0 to 2; mount proc, sysfs, devtmpfs, debugfs, and a tmpfs on /tmp. What the
 * kernel lacks stays away: whoever needs it will say so. */
void boot_mounts(void);
/* Make the folder and those above it. 0 or negative errno. */
int boot_mkdir(const char *path);

#endif
