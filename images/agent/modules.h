/* SPDX-License-Identifier: GPL-2.0-only */
/* Kernel modules, loaded in the order of the plan: the rig has resolved what needs what. */
#ifndef AGENT_MODULES_H
#define AGENT_MODULES_H

struct plan;

/* Load all; a "module" frame for each. One that the kernel already has is fine; any other error
 * ends the guest. */
void modules_load(const struct plan *plan);

#endif
