/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Versions of kernels, and which are too old: below 5.10, the oldest that kernels/ describes. What
 * lies below lacks, in this order backwards: a vmlinux that QEMU enters as it is and one request
 * path for all disks (both 5.0, so that the schedulers have the names that cases use), the pressure
 * files (4.20), the unified cgroups with a controller for io (4.5), a devtmpfs for the agent
 * (2.6.32), and what a compiler of today accepts.
 */
#ifndef KERNEL_VERSION_H
#define KERNEL_VERSION_H

struct err;

/*
 * "6.12" at the beginning of s: *version is major << 16 | minor. Returns what follows it ("",
 * ".95-amd64", ".patch"); NULL, and *version is left alone, if s does not begin like that.
 */
const char *kernel_version_read(const char *s, unsigned int *version);
/*
 * Is the kernel new enough? release: "6.1.192", "5.10.0-44-amd64", or NULL or "" where it is not
 * known, which is no error: the guest says it when it has booted. ERR_UNABLE for an older one, with
 * the reason.
 */
int kernel_check_age(const char *release, struct err *err);

#endif
