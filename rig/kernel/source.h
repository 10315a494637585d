/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where a kernel comes from: a file, or a package. Both fill in all of struct kernel but name,
 * title and cmdline, which kernel.c does.
 */
#ifndef KERNEL_SOURCE_H
#define KERNEL_SOURCE_H

struct err;
struct kernel;

/*
 * A bzImage or vmlinux. modules is a modules tree with depmod's indexes, or NULL: then the one of
 * the same release in ../lib/modules beside the image's folder, if it is there (as with
 * /boot/vmlinuz-RELEASE). The config is config-RELEASE beside the image or, for arch/x86/boot/
 * of a source tree, the tree's .config; without one it stays unknown.
 */
int kernel_from_file(struct kernel *k, const char *path, const char *modules,
		     const char *cache_dir, struct err *err);
/*
 * The kernel that a package, or the packages it depends on, hold. Asks apt only if apt's lists
 * are others than at the last time. If apt or the network fails, the kernel that the same name
 * led to last is taken, and progress() says so.
 */
int kernel_from_package(struct kernel *k, const char *package, const char *cache_dir,
			struct err *err);

#endif
