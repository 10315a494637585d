/* SPDX-License-Identifier: GPL-2.0-only */
/* The key 'fault' of a disk: what it does wrong, and when. */
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "case/load.h"

#define DAY	(24 * 3600 * NS_PER_S)

static int bad_form(const char *text, struct err *err)
{
	return err_input(err, "'%s' is not 'stop at TIME for TIME', 'slow at TIME for TIME to "
			 "RATE' or 'error at TIME for TIME'", str_escape(text));
}

static int fault_kind(const char *word)
{
	static const char *const words[] = {
		[CASE_FAULT_STOP] = "stop", [CASE_FAULT_SLOW] = "slow",
		[CASE_FAULT_ERROR] = "error",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(words[i], word) == 0)
			return (int)i;
	}
	return -1;
}

/* "stop at 10s for 20s", "slow at 10s for 20s to 100K/s" */
static int parse_one(const char *text, struct case_fault *f, struct err *err)
{
	struct strvec w __release(strvec) = STRVEC_INIT;
	int kind, ret;

	strvec_split(&w, text, " \t");
	kind = w.n ? fault_kind(w.v[0]) : -1;
	if (kind < 0 || w.n != (kind == CASE_FAULT_SLOW ? 7 : 5) || strcmp(w.v[1], "at") != 0 ||
	    strcmp(w.v[3], "for") != 0 || (kind == CASE_FAULT_SLOW && strcmp(w.v[5], "to") != 0))
		return bad_form(text, err);
	*f = (struct case_fault){ .kind = (enum case_fault_kind)kind };
	ret = parse_time(w.v[2], &f->at_ns, err);
	if (!ret)
		ret = parse_time(w.v[4], &f->for_ns, err);
	if (!ret && kind == CASE_FAULT_SLOW)
		ret = parse_rate(w.v[6], &f->rate, err);
	if (ret < 0)
		return ret;
	if (f->at_ns > DAY || f->for_ns > DAY)
		return err_input(err, "'%s' has a time above 24h", str_escape(text));
	if (!f->for_ns || (kind == CASE_FAULT_SLOW && !f->rate))
		return err_input(err, "'%s' does nothing", str_escape(text));
	return 0;
}

int key_faults(const struct key *key, const char *value, void *field, struct err *err)
{
	struct strvec list __release(strvec) = STRVEC_INIT;
	struct case_faults *faults = field;

	(void)key;
	strvec_split(&list, value, ",");
	*faults = (struct case_faults){ .n = 0 };
	if (!list.n)
		return err_input(err, "is empty");
	if (list.n > CASE_FAULTS)
		return err_input(err, "has more than %d faults", CASE_FAULTS);
	strvec_each(one, &list) {
		int ret = parse_one(*one, &faults->f[faults->n], err);

		if (ret < 0)
			return ret;
		faults->n++;
	}
	return 0;
}
