/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which kernel modules a guest needs, in loading order with all they depend on (libkmod; hard
 * and "pre" soft dependencies), from the buses, filesystems and schedulers that a case uses.
 *
 * A module that came in only through a soft dependency may refuse to load in the guest (a CRC
 * driver for an instruction that the virtual CPU lacks says ENODEV): that is no failure.
 */
#ifndef KERNEL_MODULES_H
#define KERNEL_MODULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strvec.h"

struct err;
struct kernel;

struct module_set {
	struct strvec paths;	/* host paths of plain (not compressed) .ko files, load order */
	struct strvec names;	/* module names, same order; no name is in it twice */
	struct strvec missing;	/* "ext2: none of ext2, fs-ext2": why a case cannot run here;
				 * empty when all is found or built in */
};

#define MODULE_SET_INIT { .paths = STRVEC_INIT, .names = STRVEC_INIT, .missing = STRVEC_INIT }
void module_set_release(struct module_set *set);

/*
 * Add what the feature needs: "ide", "scsi", "atapi", "usb", "ahci", "virtio" (buses), "ext2",
 * "ext3", "ext4", "iso9660", "udf" (filesystems), "mq-deadline", "kyber", "bfq" (schedulers).
 * What is built in adds nothing. A kernel without a modules tree has all built in, unless its
 * configuration is known and says otherwise. Compressed modules are unpacked into cache_dir. An
 * unknown feature is a BUG.
 */
int module_set_add(struct module_set *set, const struct kernel *k, const char *cache_dir,
		   const char *feature, struct err *err);
/* True if module_set_add() knows the word. */
bool module_feature_known(const char *feature);

#endif
