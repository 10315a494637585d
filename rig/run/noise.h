/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This host's noise floors on the real clock: by how much a kernel differs from itself, for each
 * figure of each case (stats/floor.h). They are the host's and not a kernel's, and lie in the
 * cache, CACHE/noise/KEY.json, KEY being a hash of what they hold for: the processor's name, how
 * many there are, the host's kernel, QEMU's version, accelerator and timing. One file has at most
 * NOISE_FLOORS of them (record/noise.h); what was measured longest ago makes room. Those of a case
 * hold as long as the case is the same, by its content.
 *
 * A run on the real clock keeps those of its cases in its document, so that what is judged by them
 * is judged the same for ever.
 */
#ifndef RUN_NOISE_H
#define RUN_NOISE_H

#include <stddef.h>

struct err;
struct run;
struct run_floor;
struct run_options;
struct suite;

/* The file, whether it is there or not: fresh. o is resolved. */
char *noise_path(const struct run_options *o);
/* Give the run those of the suite's cases, in place of what it had. None on the simulated clock,
 * where none was measured, or with o->aa. -EBADMSG: the file is damaged, and what to do. */
int noise_take(struct run *run, const struct run_options *o, const struct suite *suite,
	       struct err *err);
/* Keep these n, in place of those of the same figures. A file that is damaged is made anew. */
int noise_keep(const struct run_options *o, const struct run_floor *floors, size_t n,
	       struct err *err);

#endif
