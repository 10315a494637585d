/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file that $IORIG_SIM names: what to simulate. Lines of words, '#' begins a comment line:
 *
 *	clock sim                       or 'real': no lockstep, the disks pace themselves
 *	seed 7                          for the stalls (optional: 0)
 *	log /path                       one line per request goes there (optional)
 *	watchdog 30                     seconds without progress until QEMU is ended (optional)
 *	stop 41200000000                pause the machine at that ns of the virtual clock, which
 *	                                has to be the simulated one (optional; stop.h)
 *	disk hda rate=27500000 rpm=...  timing, see model_params.h
 *	image hda /path                 the file behind it; the path is the rest of the line
 *	fault hda stop AT FOR           see model_disk.h; ns of the virtual clock, which starts
 *	fault hda slow AT FOR RATE      with the machine
 *	fault hda error AT FOR
 *
 * A disk's name is [A-Za-z0-9._-]+, at most MODEL_NAME - 1 of them; image and fault come after
 * their disk.
 */
#ifndef SIM_MODEL_CONFIG_H
#define SIM_MODEL_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/model_disk.h"
#include "sim/model_params.h"

#define MODEL_DISKS_MAX 32
#define MODEL_NAME	32

struct model_config_disk {
	char name[MODEL_NAME];
	char *image;
	struct model_params params;
	struct model_fault faults[MODEL_FAULTS_MAX];
	int n_faults;
};

struct model_config {
	bool real_clock;
	uint64_t seed;
	char *log;			/* NULL: none */
	int64_t watchdog;		/* seconds */
	int64_t stop;			/* ns; 0: never */
	struct model_config_disk disks[MODEL_DISKS_MAX];
	int n_disks;
};

/*
 * Parse text (NUL-terminated; it is modified). Returns 0, or -EINVAL with 'line N: ...' in why.
 * c is releasable either way.
 */
int model_config_parse(struct model_config *c, char *text, char *why, size_t why_size);
void model_config_release(struct model_config *c);

#endif
