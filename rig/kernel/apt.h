/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Asking apt for packages without root: what its lists say (apt-cache), and fetching a package
 * to a folder (apt-get download). Nothing is installed. options are arguments for apt that choose
 * other lists than the system's (source/suite.h); NULL: the system's own.
 */
#ifndef KERNEL_APT_H
#define KERNEL_APT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/strvec.h"

struct err;

struct apt_package {
	char *name, *version;
	char sha256[HASH_HEX];
	int64_t size;	/* of the .deb in bytes, 0 if the lists do not say */
	/* Packages it depends on that hold or name parts of a kernel (linux-image-*,
	 * linux-binary-*, linux-modules-*, linux-source-*), as "NAME" or "NAME=VERSION". */
	struct strvec parts;
};

#define APT_PACKAGE_INIT { .name = NULL, .parts = STRVEC_INIT }
void apt_package_release(struct apt_package *p);

/* A package name as Debian's policy allows it, so never an option: [a-z0-9][a-z0-9+.-]+ */
bool apt_name_ok(const char *name);
/* A package's version, in letters that Debian's policy allows. */
bool apt_version_ok(const char *version);
/*
 * What apt would install for NAME or NAME=VERSION. ERR_UNABLE, code -ENOENT, if there is no apt,
 * or if its lists do not know the package.
 */
int apt_show(struct apt_package *p, const struct strvec *options, const char *name,
	     struct err *err);
/* The same from the text of 'apt-cache show': its first paragraph. */
int apt_show_parse(struct apt_package *p, const char *text, struct err *err);
/*
 * Fetch it into the folder dir, which holds no other package, and check its SHA-256; progress()
 * tells how far. *deb is the file (free it). ERR_UNABLE if it cannot be had or is not what the
 * lists say.
 */
int apt_download(const struct apt_package *p, const struct strvec *options, const char *dir,
		 char **deb, struct err *err);
/* Changes whenever apt's lists do; "" without lists. Cheap: names, sizes and times only. */
void apt_lists_stamp(char hex[HASH_HEX]);

#endif
