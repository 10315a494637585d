/* SPDX-License-Identifier: GPL-2.0-only */
/* From a case to a machine that can be started: initramfs, images, simulator configuration. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "image/disk.h"
#include "image/initramfs.h"
#include "kernel/kernel.h"
#include "run/options.h"
#include "run/setup.h"
#include "wire/jobargs.h"
#include "wire/plan.h"

/* What a kernel needs beside its image: the initramfs, its unpacked files, its own tables. */
#define KERNEL_ROOM (24LL << 20)

DEFINE_FREE(plan, struct plan *, free(_T))

void setup_release(struct setup *s)
{
	for (size_t i = 0; i < s->n_disks; i++)
		profile_release(&s->profiles[i]);
	free(s->profiles);
	free(s->disks);
	module_set_release(&s->modules);
	bring_release(&s->bring);
	strvec_release(&s->strings);
	*s = (struct setup)SETUP_INIT;
}

/* A string that lives as long as the setup. */
static const char *keep(struct setup *s, char *string)
{
	strvec_push_nodup(&s->strings, string);
	return string;
}

static int collect_modules(struct setup *s, const struct run_options *o, const struct kernel *k,
			   const struct kase *c, struct err *err)
{
	struct strvec features __release(strvec) = STRVEC_INIT;

	kase_features(c, &features);
	strvec_each (feature, &features) {
		int ret = module_set_add(&s->modules, k, o->cache_dir, *feature, err);

		if (ret)
			return ret;
	}
	return 0;
}

/* The first disk that misbehaves, which only the model can make it do; or NULL. */
static const char *faulty_disk(const struct kase *c)
{
	for (size_t i = 0; i < c->n_disks; i++) {
		if (c->disks[i].faults.n)
			return c->disks[i].name;
	}
	return NULL;
}

/* What is not a matter of the kernel. */
static void check_host(struct setup *s, const struct run_options *o, const struct kase *c)
{
	const char *faulty = o->timing == TIMING_MODEL ? NULL : faulty_disk(c);

	if (faulty)
		s->lacks = keep(s, xstrfmt("the faults of the disk '%s' need --timing=model",
					   faulty));
	for (size_t i = 0; i < c->bring.n && !s->lacks; i++) {
		char *lacks = bring_add(&s->bring, c->bring.v[i]);

		s->lacks = lacks ? keep(s, lacks) : NULL;
	}
}

/*
 * With -icount QEMU's CPUs share one thread. 7.2 never gets to a second one: the first spins for
 * it all through its budget, and says nothing. 10.0 does, and exactly: rig/tests/qemu.sh tries it.
 */
#define SMP_ICOUNT_MAJOR 10

/* An emulated machine whose kernel does not fit says nothing at all; so it is asked before. */
static void check_fit(struct setup *s, const struct run_options *o, const struct kernel *k,
		      const struct kase *c)
{
	int64_t image = file_size(k->image);
	/* an initramfs is there twice while the kernel unpacks it */
	int64_t brought = 2 * s->bring.bytes;

	if (s->modules.missing.n)
		s->lacks = keep(s, xstrfmt("the kernel lacks a driver: %s",
					   str_escape(s->modules.missing.v[0])));
	else if (image > c->memory - KERNEL_ROOM)
		s->lacks = keep(s, xstrfmt("the kernel's image of %lld MiB does not fit into the "
					   "case's memory of %lld MiB",
					   (long long)(image >> 20), (long long)(c->memory >> 20)));
	else if (image + brought > c->memory - KERNEL_ROOM)
		s->lacks = keep(s, xstrfmt("the programs that the case brings, of %lld MiB, do not "
					   "fit into its memory of %lld MiB",
					   (long long)(s->bring.bytes >> 20),
					   (long long)(c->memory >> 20)));
	else if (o->clock == CLOCK_SIM && c->cpus > 1 && o->qemu.major < SMP_ICOUNT_MAJOR)
		s->lacks = keep(s, xstrfmt("QEMU %d.%d cannot run %d CPUs on the simulated clock: "
					   "use --clock=real, or QEMU %d", o->qemu.major,
					   o->qemu.minor, c->cpus, SMP_ICOUNT_MAJOR));
}

static int make_disk(struct setup *s, const struct run_options *o, const struct case_disk *cd,
		     size_t i, const char *images, struct err *err)
{
	char *dir __free(ptr) = xstrfmt("%s/images/disks", o->data_dir);
	struct profile *p = &s->profiles[i];
	struct profile_limits limits;
	struct disk_image image = { .name = cd->name, .fs = cd->fs, .seed = 1 };
	int ret = profile_load(p, dir, cd->profile, err);

	if (ret)
		return ret;
	profile_throttle(p, &limits);
	s->disks[i] = (struct machine_disk){
		.name = cd->name,
		.bus = cd->bus,
		.image = keep(s, xstrfmt("%s/%s.img", images, cd->name)),
		.serial = keep(s, xstrfmt(SETUP_SERIAL "%s", cd->name)),
		.sector = (int)p->sector,
		.rotational = p->rotational,
		.removable = p->removable,
		.read_only = p->read_only,
		.bps_read = limits.bps_read,
		.bps_write = limits.bps_write,
	};
	image.size = cd->size ? cd->size : p->size;
	image.sector = (int)p->sector;
	return disk_image_make(&image, s->disks[i].image, err);
}

/* The agent's own jobs are commands as any other: links to it, by whose name it knows the job. */
static void add_agent_jobs(struct initramfs *fs)
{
	for (const struct jobargs_job *job = jobargs_jobs; job->name; job++) {
		char *link __free(ptr) = xstrfmt("/bin/%s", job->name);

		initramfs_add_symlink(fs, link, "/init");
	}
}

static int make_initramfs(struct setup *s, const struct run_options *o, const struct kase *c,
			  const char *path, struct err *err)
{
	struct initramfs fs __release(initramfs) = INITRAMFS_INIT;
	struct plan *plan __free(plan) = xmalloc(sizeof(*plan));
	char *text __free(ptr) = xmalloc(PLAN_MAX_BYTES);
	long len;

	if (s->modules.names.n > PLAN_MAX_MODULES)
		return err_input(err, "%s: needs %zu kernel modules, of which a guest loads %d",
				 str_escape(c->path), s->modules.names.n, PLAN_MAX_MODULES);
	setup_plan(plan, c, &s->modules, s->machine.seed,
		   o->clock == CLOCK_SIM ? SETUP_WINDOW_NS : 0);
	len = plan_format(plan, text, PLAN_MAX_BYTES);
	if (len < 0)
		return err_input(err, "%s: too much for one guest: its plan would be above %d KiB",
				 str_escape(c->path), PLAN_MAX_BYTES / 1024);
	initramfs_add_file(&fs, "/init", 0755, o->agent);
	initramfs_add_file(&fs, "/bin/busybox", 0755, o->busybox);
	strvec_each (applet, &o->applets)
		if (strcmp(*applet, "busybox")) {
			char *link __free(ptr) = xstrfmt("/bin/%s", *applet);

			initramfs_add_symlink(&fs, link, "busybox");
		}
	add_agent_jobs(&fs);
	initramfs_add_chardev(&fs, "/dev/console", 0600, 5, 1);
	initramfs_add_chardev(&fs, "/dev/null", 0666, 1, 3);
	initramfs_add_data(&fs, PLAN_PATH, 0644, text, (size_t)len);
	for (size_t i = 0; i < s->modules.paths.n; i++) {
		const char *host = s->modules.paths.v[i];
		char *guest __free(ptr) = xstrfmt("/lib/modules/%s.ko", s->modules.names.v[i]);

		initramfs_add_file(&fs, guest, 0644, host);
	}
	for (size_t i = 0; i < s->bring.paths.n; i++)
		initramfs_add_file(&fs, s->bring.paths.v[i], 0755, s->bring.paths.v[i]);
	for (size_t i = 0; i < c->n_files; i++)
		initramfs_add_data(&fs, c->files[i].path, 0644, c->files[i].text,
				   strlen(c->files[i].text));
	return initramfs_write(&fs, path, err);
}

static void fill_machine(struct setup *s, const struct run_options *o, const struct kernel *k,
			 const struct kase *c, const char *dir)
{
	struct machine *m = &s->machine;

	m->qemu = o->qemu.path;
	m->memory = c->memory;
	m->smp = c->cpus;
	m->accel = o->accel;
	m->clock = o->clock;
	m->timing = o->timing;
	m->kernel = k->image;
	m->initrd = keep(s, path_join(dir, "initramfs.cpio"));
	m->cmdline = keep(s, setup_cmdline(k, c, o->clock));
	m->console = keep(s, path_join(dir, "console.log"));
	m->frames = keep(s, path_join(dir, "frames.log"));
	m->qmp_fd = -1;
	m->n_disks = s->n_disks;
	m->disks = s->disks;
}

static int make_sim(struct setup *s, const struct run_options *o, const struct kase *c,
		    const char *dir, struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	char *log __free(ptr) = path_join(dir, SETUP_REQUESTS);

	if (o->timing != TIMING_MODEL)
		return 0;
	s->machine.sim_library = keep(s, path_join(o->lib_dir, "iorig-sim.so"));
	s->machine.sim_config = keep(s, path_join(dir, "sim.conf"));
	setup_sim_config(s, c, log, &sb);
	return file_write_atomic(s->machine.sim_config, sb.buf, sb.len, 0644, err);
}

int setup_make(struct setup *s, const struct run_options *o, const struct kernel *k,
	       const struct kase *c, uint32_t seed, const char *dir, struct err *err)
{
	char *images __free(ptr) = path_join(dir, "images");
	int ret;

	ret = collect_modules(s, o, k, c, err);
	if (!ret)
		check_host(s, o, c);
	if (!ret && !s->lacks)
		check_fit(s, o, k, c);
	if (ret || s->lacks)
		return ret;
	ret = dir_make(images, err);
	if (ret)
		return ret;
	s->n_disks = c->n_disks;
	s->disks = xcalloc(c->n_disks ? c->n_disks : 1, sizeof(*s->disks));
	s->profiles = xcalloc(c->n_disks ? c->n_disks : 1, sizeof(*s->profiles));
	for (size_t i = 0; i < c->n_disks; i++) {
		ret = make_disk(s, o, &c->disks[i], i, images, err);
		if (ret)
			return err_wrap(err, "case '%s'", c->name);
	}
	fill_machine(s, o, k, c, dir);
	s->machine.seed = seed;
	ret = make_sim(s, o, c, dir, err);
	return ret ? ret : make_initramfs(s, o, c, s->machine.initrd, err);
}
