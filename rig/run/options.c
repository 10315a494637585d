/* SPDX-License-Identifier: GPL-2.0-only */
/* What a run was asked to do, and whether this host can do it. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/tool.h"
#include "run/options.h"

#define JOBS_MAX 64

void run_options_init(struct run_options *o)
{
	*o = (struct run_options){
		.out = "results",
		.scale = "quick",
		.seeds = 1,
		.jobs = 0,
		.clock = CLOCK_SIM,
		.timing = TIMING_MODEL,
		.stall = STALL_DEFAULT,
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

/* A guest has no shared libraries: what runs in it must not ask for a loader (ELF's PT_INTERP). */
static int check_static(const char *path, struct err *err)
{
	int fd __free(fd) = file_open(path, err);
	Elf64_Ehdr e;

	if (fd < 0)
		return fd;
	if (pread(fd, &e, sizeof(e), 0) != sizeof(e) || memcmp(e.e_ident, ELFMAG, SELFMAG) ||
	    e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_machine != EM_X86_64 ||
	    e.e_phentsize != sizeof(Elf64_Phdr))
		return err_set(err, -ENOEXEC, "'%s' is no x86-64 program", str_escape(path));
	for (int i = 0; i < e.e_phnum; i++) {
		Elf64_Phdr p;
		off_t at = (off_t)e.e_phoff + i * (off_t)sizeof(p);

		if (pread(fd, &p, sizeof(p), at) != sizeof(p))
			return err_set(err, -ENOEXEC, "'%s' is cut short", str_escape(path));
		if (p.p_type == PT_INTERP)
			return err_set(err, -ENOEXEC, "'%s' needs shared libraries, which a guest "
				       "does not have: install the package busybox-static",
				       str_escape(path));
	}
	return 0;
}

static int busybox_find(struct run_options *o, struct err *err)
{
	struct deadline d = deadline_in("busybox --list", 10 * NS_PER_S);
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct proc p __release(proc) = PROC_INIT;
	int ret;

	ret = tool_find("busybox", "busybox-static", &o->busybox, err);
	if (!ret)
		ret = check_static(o->busybox, err);
	if (ret)
		return ret;
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

	if (o->clock == CLOCK_REAL || cpus < 1)
		return 1;
	return cpus < JOBS_MAX ? (int)cpus : JOBS_MAX;
}

static int add_file_hash(struct hash *h, const char *path, struct err *err)
{
	char hex[HASH_HEX] = "";

	if (path_is_file(path) && hash_file(path, hex, err))
		return err->code;
	hash_add_str(h, path_base(path));
	hash_add_str(h, hex);
	return 0;
}

static int hash_tools(struct run_options *o, struct err *err)
{
	char *disks __free(ptr) = path_join(o->data_dir, "images/disks");
	char *sim __free(ptr) = path_join(o->lib_dir, "iorig-sim.so");
	struct strvec names __release(strvec) = STRVEC_INIT;
	const char *const programs[] = { o->agent, sim, o->busybox };
	struct hash h;
	int ret = path_is_dir(disks) ? dir_list(disks, NULL, &names, err) : 0;

	hash_init(&h);
	for (size_t i = 0; i < ARRAY_SIZE(programs) && !ret; i++)
		ret = add_file_hash(&h, programs[i], err);
	for (size_t i = 0; i < names.n && !ret; i++) {
		char *path __free(ptr) = path_join(disks, names.v[i]);

		ret = add_file_hash(&h, path, err);
	}
	hash_hex(&h, o->tools_sha256);
	return ret;
}

int run_options_resolve(struct run_options *o, struct err *err)
{
	int ret = choices_check(o, err);

	if (ret)
		return ret;
	if (!o->jobs)
		o->jobs = default_jobs(o);
	ret = host_qemu_find(&o->qemu, err);
	if (!ret)
		ret = busybox_find(o, err);
	if (ret)
		return ret;
	o->agent = path_join(o->lib_dir, "agent");
	if (!path_is_file(o->agent))
		return err_set(err, -ENOENT, "the guest agent '%s' is not built: run make",
			       str_escape(o->agent));
	ret = hash_tools(o, err);
	return ret ? ret : accel_decide(o, err);
}
