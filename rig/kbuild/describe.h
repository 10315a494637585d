/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptions of kernels, kernels/NAME.kernel. INI with one section:
 *
 *	[kernel]
 *	title   = Linux 6.1 as Debian patches it, small configuration
 *	source  = debian:linux-source-6.1	; built here (source.h has the kinds), with
 *	config  = small.config			; one or more fragments; the first word may be
 *						; package:NAME, whose kernel's configuration is
 *						; the base then; default small.config
 *	trim    = modules			; optional: of the base, =m that no fragment wants
 *						; is turned off
 *	series  = patches/mine			; optional: patches that belong to it
 *	package = linux-image-amd64		; or: newest that apt knows, fetched without root
 *	image   = path/to/bzImage		; or: a file
 *	modules = path/to/lib/modules/RELEASE	; with image, optional
 *	cmdline = extra words for the kernel's command line, optional
 *
 * Paths are relative to the description's folder. An unknown key, one that does not go with the
 * kind of kernel, or an empty value is ERR_INPUT with file:line.
 */
#ifndef KBUILD_DESCRIBE_H
#define KBUILD_DESCRIBE_H

#include <stdbool.h>

#include "base/strvec.h"

struct err;

struct description {
	char *title, *source, *package, *image, *modules, *cmdline, *series; /* NULL = unset */
	struct strvec config;	/* paths of fragments; "package:NAME" stays as it is */
	bool trim;
};

#define DESCRIPTION_INIT { .config = STRVEC_INIT }
void description_release(struct description *d);
int description_read(struct description *d, const char *path, struct err *err);

#endif
