/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a run that lies there already can stand for a new one. */
#include "judge/matrix_kept.h"

#include <string.h>

#include "case/case.h"
#include "kernel/kernel.h"
#include "record/record.h"
#include "run/options.h"

static bool same(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

static bool same_patches(const struct run *run, const struct kernel *k)
{
	if (run->kernel.n_patches != k->n_patches)
		return false;
	for (size_t i = 0; i < k->n_patches; i++) {
		if (!same(run->kernel.patches[i].sha256, k->patches[i].sha256))
			return false;
	}
	return true;
}

static const char *kernel_differs(const struct run *run, const struct kernel *k)
{
	if (!same(run->kernel.image_sha256, k->image_sha256))
		return "another image";
	if (!same(run->kernel.config_sha256, k->config_sha256))
		return "another configuration";
	if (!same(run->kernel.source_id, k->source_id) || !same_patches(run, k))
		return "another source or patch";
	return same(run->kernel.cmdline, k->cmdline) ? NULL : "another command line";
}

static const char *options_differ(const struct run *run, const struct run_options *o)
{
	if (!same(run->clock, o->clock == CLOCK_SIM ? "sim" : "real") ||
	    !same(run->timing, o->timing == TIMING_MODEL ? "model" : "throttle"))
		return "another clock or timing";
	if (!same(run->accel, o->accel == ACCEL_KVM ? "kvm" : "tcg"))
		return "another accelerator";
	if (!same(run->scale, o->scale))
		return "another scale";
	if (!same(run->rig_version, IORIG_VERSION) || !same(run->qemu.version, o->qemu.version) ||
	    !same(run->tools_sha256, o->tools_sha256))
		return "another QEMU or rig";
	return NULL;
}

static bool has_boot(const struct run *run, const struct kase *c, uint32_t seed)
{
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (b->seed == seed && same(b->case_name, c->name) &&
		    same(b->case_sha256, c->sha256))
			return true;
	}
	return false;
}

static bool is_wanted(const struct boot *b, const struct matrix_want *want)
{
	for (size_t c = 0; c < want->n_cases; c++) {
		if (same(b->case_name, want->cases[c].name) &&
		    same(b->case_sha256, want->cases[c].sha256))
			return true;
	}
	return false;
}

const char *matrix_kept_unfit(const struct run *run, const struct matrix_want *want)
{
	const char *what = kernel_differs(run, want->k);

	if (!what)
		what = options_differ(run, want->o);
	for (size_t i = 0; i < run->n_boots && !what; i++) {
		if (!is_wanted(&run->boots[i], want))
			what = "other cases";
	}
	return what;
}

size_t matrix_kept_missing(const struct run *run, const struct matrix_want *want)
{
	size_t missing = 0;

	for (size_t c = 0; c < want->n_cases; c++) {
		for (int seed = 1; seed <= want->o->seeds; seed++)
			missing += !has_boot(run, &want->cases[c], (uint32_t)seed);
	}
	return missing;
}

const char *matrix_kept_differs(const struct run *run, const struct matrix_want *want)
{
	size_t boots = want->n_cases * (size_t)want->o->seeds;
	const char *what = kernel_differs(run, want->k);

	if (!what)
		what = options_differ(run, want->o);
	if (what)
		return what;
	if (run->seeds != want->o->seeds)
		return "other seeds";
	if (run->interrupted)
		return "stopped early";
	if (matrix_kept_missing(run, want))
		return "other cases";
	/* more would count in the medians */
	return run->n_boots == boots ? NULL : "more boots";
}
