/* SPDX-License-Identifier: GPL-2.0-only */
/* Module files as the guest's agent can load them: not compressed. */
#ifndef KERNEL_KO_H
#define KERNEL_KO_H

struct err;

/*
 * The path of a plain .ko with the content of the module at path, which may end in .ko, .ko.xz,
 * .ko.zst or .ko.gz; compressed ones are unpacked to CACHE/kernels/modules under a name made of
 * their content's hash. Free *plain. A module of more than 256 MiB is an error.
 */
int ko_plain(const char *path, const char *cache_dir, char **plain, struct err *err);

#endif
