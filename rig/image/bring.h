/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs of the host for a guest: which files an x86-64 ELF program needs to run, found without
 * running anything: its interpreter (PT_INTERP), its libraries (DT_NEEDED) and theirs, looked for
 * as ld.so(8) does in a system without ld.so.cache: first in the DT_RUNPATH or DT_RPATH of whoever
 * needs it, with $ORIGIN, then in the standard folders of Debian. Each file keeps its path in the
 * guest. What a program opens at run time (dlopen, data files, locales) is not known here.
 *
 * A program is the host's and may be anything, so all that it says is checked and bounded, and
 * only files below /usr, /lib and /lib64 are taken.
 */
#ifndef IMAGE_BRING_H
#define IMAGE_BRING_H

#include <stdint.h>

#include "base/strvec.h"

struct bring {
	struct strvec paths;	/* files, absolute; each once */
	int64_t bytes;		/* of all of them */
};

#define BRING_INIT { .paths = STRVEC_INIT, .bytes = 0 }
#define BRING_MAX_FILES	256
#define BRING_MAX_BYTES	(256LL << 20)

/*
 * Add the program at an absolute path and all that it needs. NULL, or why this host cannot give it
 * ("this host has no program '/usr/bin/fio'"): escaped, fresh; b is then of no use but to release.
 */
char *bring_add(struct bring *b, const char *program);
void bring_release(struct bring *b);

#endif
