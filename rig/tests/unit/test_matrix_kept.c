/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judge/matrix_kept: which run can stand for a new one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "case/case.h"
#include "judge/matrix_kept.h"
#include "kernel/kernel.h"
#include "record/record.h"
#include "run/options.h"

struct fix {
	struct run run;
	struct kernel k;
	struct run_options o;
	struct kase cases[2];
	struct matrix_want want;
};

static void word(char *to, const char *s)
{
	memcpy(to, s, strlen(s) + 1);
}

static struct run_patch *add_patch(struct run *r)
{
	return array_grow(r->kernel.patches, r->kernel.n_patches);
}

static void add_boot(struct run *r, const struct kase *c, uint32_t seed)
{
	struct boot *b = array_grow(r->boots, r->n_boots);

	boot_init(b);
	b->case_name = xstrdup(c->name);
	b->case_sha256 = xstrdup(c->sha256);
	b->seed = seed;
}

static void fix_init(struct fix *f)
{
	static const char *const names[] = { "g/a", "g/b" };

	*f = (struct fix){ .k = KERNEL_INIT };
	run_init(&f->run);
	run_options_init(&f->o);
	f->o.seeds = 2;
	word(f->o.qemu.version, "7.2");
	f->o.accel = ACCEL_TCG;
	word(f->k.image_sha256, "image");
	word(f->k.config_sha256, "config");
	word(f->k.source_id, "source");
	f->k.patches = xcalloc(1, sizeof(*f->k.patches));
	word(f->k.patches[0].sha256, "patch");
	f->k.n_patches = 1;
	f->run.rig_version = xstrdup(IORIG_VERSION);
	f->run.clock = xstrdup("sim");
	f->run.timing = xstrdup("model");
	f->run.accel = xstrdup("tcg");
	f->run.scale = xstrdup("quick");
	f->run.qemu.version = xstrdup("7.2");
	f->run.seeds = 2;
	word(f->run.kernel.image_sha256, "image");
	word(f->run.kernel.config_sha256, "config");
	word(f->run.kernel.source_id, "source");
	word(add_patch(&f->run)->sha256, "patch");
	for (size_t c = 0; c < 2; c++) {
		f->cases[c] = (struct kase)KASE_INIT;
		f->cases[c].name = (char *)names[c];
		f->cases[c].sha256[0] = (char)('0' + c);
		for (uint32_t seed = 1; seed <= 2; seed++)
			add_boot(&f->run, &f->cases[c], seed);
	}
	f->want = (struct matrix_want){ .k = &f->k, .o = &f->o, .cases = f->cases, .n_cases = 2 };
}

static void fix_release(struct fix *f)
{
	free(f->k.patches);
	run_options_release(&f->o);
	run_release(&f->run);
}

static void change(char **text)
{
	free(*text);
	*text = xstrdup("other");
}

static void differs(struct fix *f, const char *what)
{
	const char *got = matrix_kept_differs(&f->run, &f->want);

	if (!got || strcmp(got, what) != 0)
		fail_msg("got '%s', wanted '%s'", got ? got : "nothing", what);
	fix_release(f);
	fix_init(f);
}

static void test_same(void **state)
{
	struct fix f;

	(void)state;
	fix_init(&f);
	assert_null(matrix_kept_differs(&f.run, &f.want));
	/* what has no expectation, or another, is the same run */
	f.run.boots[0].expect_text = xstrdup("other");
	assert_null(matrix_kept_differs(&f.run, &f.want));
	fix_release(&f);
}

static void test_kernel(void **state)
{
	struct fix f;

	(void)state;
	fix_init(&f);
	f.run.kernel.image_sha256[0] = 'x';
	differs(&f, "another image");
	f.run.kernel.config_sha256[0] = 'x';
	differs(&f, "another configuration");
	f.run.kernel.source_id[0] = 'x';
	differs(&f, "another source or patch");
	f.run.kernel.patches[0].sha256[0] = 'x';
	differs(&f, "another source or patch");
	add_patch(&f.run);
	differs(&f, "another source or patch");
	f.run.kernel.cmdline = xstrdup("quiet");
	differs(&f, "another command line");
	fix_release(&f);
}

static void test_options(void **state)
{
	struct fix f;

	(void)state;
	fix_init(&f);
	change(&f.run.clock);
	differs(&f, "another clock or timing");
	change(&f.run.timing);
	differs(&f, "another clock or timing");
	change(&f.run.accel);
	differs(&f, "another accelerator");
	change(&f.run.scale);
	differs(&f, "another scale");
	change(&f.run.rig_version);
	differs(&f, "another QEMU or rig");
	change(&f.run.qemu.version);
	differs(&f, "another QEMU or rig");
	f.run.seeds = 3;
	differs(&f, "other seeds");
	fix_release(&f);
}

static void test_boots(void **state)
{
	struct fix f;

	(void)state;
	fix_init(&f);
	f.run.interrupted = true;
	differs(&f, "stopped early");
	change(&f.run.boots[1].case_sha256);
	differs(&f, "other cases");
	change(&f.run.boots[3].case_name);
	differs(&f, "other cases");
	f.run.boots[3].seed = 7;
	differs(&f, "other cases");
	boot_release(&f.run.boots[3]);
	f.run.n_boots = 3;
	differs(&f, "other cases");
	add_boot(&f.run, &f.cases[0], 3);
	differs(&f, "more boots");
	fix_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same), cmocka_unit_test(test_kernel),
		cmocka_unit_test(test_options), cmocka_unit_test(test_boots),
	};

	return cmocka_run_group_tests_name("matrix_kept", tests, NULL, NULL);
}
