/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of the detection matrix share: a stock run and mutants' runs, made by hand. */
#ifndef UNIT_MATRIX_FIXTURE_H
#define UNIT_MATRIX_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "judge/matrix.h"
#include "patch/mutant.h"
#include "record/record.h"

#define MUTANTS_MOST 8

struct fix {
	struct run stock, runs[MUTANTS_MOST];
	struct mutants mutants;
	struct matrix m;
};

static inline void fix_run(struct run *r, const char *name, char image)
{
	run_init(r);
	r->id = xstrfmt("20261201T000000Z-%s", name);
	r->kernel.name = xstrdup(name);
	r->kernel.release = xstrdup("6.1.192");
	r->seeds = 3;
	memset(r->kernel.image_sha256, image, HASH_HEX - 1);
}

static inline void fix_init(struct fix *f)
{
	*f = (struct fix){ .mutants = MUTANTS_INIT, .m = MATRIX_INIT };
	fix_run(&f->stock, "plain", 'a');
	f->m.stock = &f->stock;
	f->m.rows = xcalloc(MUTANTS_MOST, sizeof(*f->m.rows));
	f->mutants.v = xcalloc(MUTANTS_MOST, sizeof(*f->mutants.v));
}

static inline void fix_release(struct fix *f)
{
	matrix_release(&f->m);
	run_release(&f->stock);
	for (size_t i = 0; i < f->mutants.n; i++)
		run_release(&f->runs[i]);
	mutants_release(&f->mutants);
}

/* A mutant that ran; sees: blanks between, "" = anything. */
static inline struct run *fix_mutant(struct fix *f, const char *name, bool passes,
				     const char *sees)
{
	size_t i = f->mutants.n++;
	struct mutant *m = &f->mutants.v[i];

	*m = (struct mutant){ .name = xstrdup(name), .dir = xstrdup("d"), .title = xstrdup("T"),
			      .passes = passes, .sees = STRVEC_INIT, .patches = PATCHSET_INIT };
	strvec_split(&m->sees, sees, " ");
	fix_run(&f->runs[i], name, (char)('b' + (char)i));
	f->m.rows[f->m.n_rows++] = (struct matrix_row){ .m = m, .state = MATRIX_RAN,
							.run = &f->runs[i] };
	return &f->runs[i];
}

/* A verdict of one value; limit -1: nothing is expected. */
static inline struct verdict *fix_verdict(struct run *r, const char *name, const char *job,
					  const char *metric, double value, double limit,
					  enum verdict_kind kind)
{
	struct verdict *v = array_grow(r->verdicts, r->n_verdicts);
	struct verdict_value *x;

	*v = (struct verdict){ .case_name = xstrdup(name), .job = xstrdup(job), .kind = kind,
			       .reason = xstrdup(kind == VERDICT_PASS ? "" : "the reason") };
	x = array_grow(v->values, v->n_values);
	*x = (struct verdict_value){ .metric = xstrdup(metric), .unit = xstrdup("ratio"),
				     .kind = kind, .seeds = 3, .value = value, .min = value,
				     .max = value, .alone = -1, .limit = limit, .floor = -1,
				     .goal = -1, .was = -1, .within = -1 };
	return v;
}

static inline void fix_value(struct verdict *v, const char *metric, bool higher, double value,
			     double floor, enum verdict_kind kind)
{
	struct verdict_value *x = array_grow(v->values, v->n_values);

	*x = (struct verdict_value){ .metric = xstrdup(metric), .unit = xstrdup("bytes/s"),
				     .higher = higher, .kind = kind, .value = value, .alone = -1,
				     .limit = -1, .floor = floor, .goal = -1, .was = -1,
				     .within = -1 };
}

/* Two cases of a limit 10 and a load's row, of values a and b; above 10 is regressed. */
static inline void fix_cases(struct run *r, double a, double b)
{
	fix_verdict(r, "g/a", "hdd", "slowdown", a, 10, a > 10 ? VERDICT_REGRESSED : VERDICT_PASS);
	fix_verdict(r, "g/a", "dvd", "time", 3, -1, VERDICT_NONE);
	fix_verdict(r, "g/a-alone", "hdd", "time", 3, -1, VERDICT_NONE);
	fix_verdict(r, "g/b", "hdd", "slowdown", b, 10, b > 10 ? VERDICT_REGRESSED : VERDICT_PASS);
}

static inline void fix_boot(struct run *r, enum outcome outcome, enum stage stage)
{
	struct boot *b = array_grow(r->boots, r->n_boots);

	boot_init(b);
	b->case_name = xstrdup("g/a");
	b->reason = xstrdup("panic");
	b->outcome = outcome;
	b->stage = stage;
}

#endif
