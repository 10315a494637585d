/* SPDX-License-Identifier: GPL-2.0-only */
/* Progress of a bisect, a line before and one after each step. */
#ifndef CMD_BISECT_SAY_H
#define CMD_BISECT_SAY_H

struct bisect_work;

/* "step 5: 57 of 199, 1234567890ab (mm: subject): 3 boots, most information for its cost" */
void bisect_say_before(const struct bisect_work *w);
/* "step 5: median 12.3 s, bad for 99 %; 12 commits left, 54 a5c... for 21 %, about 4 builds" */
void bisect_say_after(const struct bisect_work *w);
void bisect_say_ends(void);
void bisect_say_chosen(const char *metric, const char *all);

#endif
