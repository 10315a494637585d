/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run was asked to do, and whether this host can do it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "run/options.h"

void run_options_init(struct run_options *o)
{
	*o = (struct run_options){
		.out = "results",
		.scale = "quick",
		.seeds = 1,
		.jobs = 0,
		.clock = CLOCK_SIM,
		.timing = TIMING_MODEL,
	};
	strvec_init(&o->globs);
	strvec_init(&o->applets);
}

void run_options_release(struct run_options *o)
{
	free(o->data_dir);
	free(o->lib_dir);
	free(o->cache_dir);
	free(o->busybox);
	free(o->agent);
	host_qemu_release(&o->qemu);
	strvec_release(&o->globs);
	strvec_release(&o->applets);
	run_options_init(o);
}

/* A guest has no shared libraries, so the host's busybox must not need any. */
static int busybox_find(struct run_options *o, struct err *err)
{
	struct deadline d = deadline_in("busybox --list", 10 * NS_PER_S);
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct proc p __release(proc) = PROC_INIT;
	int ret;

	o->busybox = proc_find("busybox");
	if (!o->busybox)
		return err_set(err, -ENOENT, "no busybox in PATH: install Debian's busybox-static");
	strvec_pushl(&p.argv, o->busybox, "--list", NULL);
	ret = proc_capture(&p, &d, 1 << 20, &out, NULL, err);
	if (ret)
		return err_wrap(err, "listing busybox's commands");
	strvec_split(&o->applets, out.buf, "\n");
	strvec_sort(&o->applets);
	return 0;
}

static int accel_decide(struct run_options *o, struct err *err)
{
	bool usable;

	o->accel = ACCEL_TCG;
	if (o->clock == CLOCK_SIM) {
		if (o->accel_choice == ACCEL_FORCE_KVM)
			return err_input(err, "--accel=kvm needs --clock=real: a simulated clock "
					      "counts emulated instructions");
		snprintf(o->accel_why, sizeof(o->accel_why), "the simulated clock needs it");
		return 0;
	}
	if (o->accel_choice == ACCEL_FORCE_TCG) {
		snprintf(o->accel_why, sizeof(o->accel_why), "asked for");
		return 0;
	}
	usable = host_kvm_usable(o->accel_why);
	if (usable)
		o->accel = ACCEL_KVM;
	else if (o->accel_choice == ACCEL_FORCE_KVM)
		return err_set(err, -ENODEV, "KVM is of no use here: %s", o->accel_why);
	return 0;
}

static int choices_check(const struct run_options *o, struct err *err)
{
	if (o->clock == CLOCK_REAL && o->jobs > 1)
		return err_input(err,
				 "--jobs=%d with --clock=real: guests that run side by side share "
				 "this host's time and slow each other down, so their figures "
				 "would not be theirs; leave --jobs out", o->jobs);
	if (o->clock == CLOCK_SIM && o->timing == TIMING_THROTTLE)
		return err_input(err, "--timing=throttle needs --clock=real: QEMU's throttle "
				      "waits on the host's clock");
	return 0;
}

/* Simulated guests do not disturb each other's results, so every processor may have one. */
static int default_jobs(const struct run_options *o)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return o->clock == CLOCK_REAL || cpus < 1 ? 1 : cpus > 64 ? 64 : (int)cpus;
}

int run_options_resolve(struct run_options *o, struct err *err)
{
	int ret = choices_check(o, err);

	if (!o->jobs)
		o->jobs = default_jobs(o);
	if (!ret)
		ret = host_qemu_find(&o->qemu, err);
	if (!ret)
		ret = busybox_find(o, err);
	if (ret)
		return ret;
	o->agent = path_join(o->lib_dir, "agent");
	if (!path_is_file(o->agent))
		return err_set(err, -ENOENT, "the guest agent '%s' is not built: run make",
			       o->agent);
	return accel_decide(o, err);
}
