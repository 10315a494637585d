/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taking the kernel out of Debian packages without root and without dpkg.
 */
#ifndef KERNEL_DEB_H
#define KERNEL_DEB_H

struct err;

/*
 * Unpack what lies in boot/ and lib/modules/ of the package into the existing folder dst.
 * usr/lib/modules/ (Debian 13 and later) goes to lib/modules/ as well. Only plain files and
 * folders are made, with modes 0644 and 0755; symbolic links and devices are left out, a path
 * with ".." is refused, nothing existing is overwritten. At most 200,000 files and 4 GiB.
 * ERR_INPUT if the file is no intact Debian package.
 */
int deb_unpack(const char *deb, const char *dst, struct err *err);

#endif
