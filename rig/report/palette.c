/* SPDX-License-Identifier: GPL-2.0-only */
/* Colours of disks. */
#include <string.h>

#include "record/record.h"
#include "report/palette.h"

const struct palette_color palette_colors[PALETTE_N] = {
	{ "#1f6fb2", "#3d90dc" },	/* blue */
	{ "#eda535", "#f0b24a" },	/* orange */
	{ "#64205a", "#7d3c8c" },	/* purple */
	{ "#8fdcc4", "#a8ecd6" },	/* mint */
	{ "#d9603a", "#ee8663" },	/* vermilion */
	{ "#2a5d34", "#43824f" },	/* green */
};

void palette_release(struct palette *p)
{
	strvec_release(&p->names);
}

void palette_add(struct palette *p, const struct boot *b)
{
	for (size_t i = 0; i < b->n_disks && p->names.n < PALETTE_DISKS; i++)
		if (!strvec_has(&p->names, b->disks[i].name))
			strvec_push(&p->names, b->disks[i].name);
}

void palette_add_run(struct palette *p, const struct run *run)
{
	for (size_t i = 0; i < run->n_boots; i++)
		palette_add(p, &run->boots[i]);
}

int palette_index(const struct palette *p, const char *name)
{
	for (size_t i = 0; i < p->names.n; i++)
		if (!strcmp(p->names.v[i], name))
			return (int)i;
	return 0;
}
