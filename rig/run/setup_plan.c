/* SPDX-License-Identifier: GPL-2.0-only */
/* The pure part of a setup: what the guest's agent is to do, and the kernel's command line. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "kernel/kernel.h"
#include "run/setup.h"

/*
 * SCSI commands time out after 30 s by default. A queue full of writes on a 1 MB/s disk takes
 * longer than that, and then error handling is measured instead of writeback: raise it for every
 * disk, as an administrator of such a disk has to.
 */
#define DISK_TIMEOUT_S 600

/* Waits for hardware to settle that emulated hardware does not need. Given to modules when they
 * are loaded, and on the command line for drivers that are built in. */
static const struct {
	const char *module, *args;
} module_args[] = {
	{ "esp_scsi", "esp_bus_reset_settle=0" },
	{ "usb_storage", "delay_use=0" },
};

/* Case parsing has bounded every string and count below the plan's sizes. */
static void put(char *field, size_t cap, const char *value)
{
	snprintf(field, cap, "%s", value ? value : "");
}
#define PUT(field, value) put((field), sizeof(field), (value))

static const char *args_of(const char *module)
{
	for (size_t i = 0; i < ARRAY_SIZE(module_args); i++)
		if (!strcmp(module_args[i].module, module))
			return module_args[i].args;
	return "";
}

static int64_t or_none(int64_t value, int64_t unit)
{
	return value < 0 ? -1 : value / unit;
}

static void plan_disk(struct plan_disk *d, const struct case_disk *cd)
{
	*d = (struct plan_disk){
		.ro = cd->bus == BUS_ATAPI || !strcmp(cd->fs, "iso9660"),
		.nr_requests = cd->nr_requests < 0 ? 0 : cd->nr_requests,
		.max_request_kb = cd->max_request < 0 ? 0 : cd->max_request / 1024,
		.read_ahead_kb = or_none(cd->read_ahead, 1024),
		.wbt_lat_us = or_none(cd->wbt_latency_ns, NS_PER_US),
		.max_ratio = or_none(cd->max_ratio, 1),
		.timeout_s = cd->timeout_ns < 0 ? DISK_TIMEOUT_S : cd->timeout_ns / NS_PER_S,
	};
	/* virtio has no SCSI device and no command timeout to raise */
	if (cd->bus == BUS_VIRTIO && cd->timeout_ns < 0)
		d->timeout_s = 0;
	PUT(d->name, cd->name);
	PUT(d->bus, machine_bus_name(cd->bus));
	snprintf(d->serial, sizeof(d->serial), SETUP_SERIAL "%s", cd->name);
	PUT(d->fs, cd->fs);
	if (*cd->fs)
		snprintf(d->mount, sizeof(d->mount), "/mnt/%s", cd->name);
	PUT(d->scheduler, cd->scheduler);
	PUT(d->options, cd->options);
}

static void plan_job(struct plan_job *j, const struct case_job *cj)
{
	*j = (struct plan_job){
		.role = cj->role,
		.start_ns = cj->start_ns,
		.deadline_ns = cj->deadline_ns,
		.stop = cj->stop,
		.cgroup_memory = cj->cgroup_memory,
	};
	PUT(j->name, cj->name);
	PUT(j->sync_disk, cj->sync);
	PUT(j->run, cj->run);
}

/* SplitMix64 (Steele, Lea, Flood 2014): one well mixed number for each seed and job. */
static uint64_t mix(uint64_t z)
{
	z += 0x9e3779b97f4a7c15;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

void setup_plan(struct plan *plan, const struct kase *c, const struct module_set *modules,
		uint32_t seed, int64_t window_ns)
{
	plan_init(plan);
	PUT(plan->case_name, c->name);
	plan->sample_ns = c->sample_ns;
	plan->stack_ns = c->stack_ns;
	plan->pauses = c->pauses;
	plan->deadline_ns = c->deadline_ns;
	for (size_t i = 0; i < modules->names.n && i < PLAN_MAX_MODULES; i++) {
		struct plan_module *m = &plan->modules[plan->n_modules++];

		snprintf(m->path, sizeof(m->path), "/lib/modules/%s.ko", modules->names.v[i]);
		PUT(m->args, args_of(modules->names.v[i]));
	}
	for (size_t i = 0; i < c->n_sets && i < PLAN_MAX_SETS; i++) {
		snprintf(plan->sets[i].path, sizeof(plan->sets[i].path), "/proc/sys/%s",
			 c->sets[i].path);
		PUT(plan->sets[i].value, c->sets[i].value);
		plan->n_sets++;
	}
	for (size_t i = 0; i < c->n_disks && i < PLAN_MAX_DISKS; i++)
		plan_disk(&plan->disks[plan->n_disks++], &c->disks[i]);
	for (size_t i = 0; i < c->n_jobs && i < PLAN_MAX_JOBS; i++) {
		struct plan_job *j = &plan->jobs[plan->n_jobs++];

		plan_job(j, &c->jobs[i]);
		/* what prepares has no start: it runs when it is its turn */
		if (window_ns && j->role != PLAN_PREPARE)
			j->start_ns += (int64_t)(mix(mix(seed) + i) % (uint64_t)window_ns);
	}
}

/*
 * panic=-1 reboots at once, which -no-reboot turns into QEMU's end; an oops is a panic, since
 * what is measured after one means nothing. Addresses and the guest's random numbers do not
 * depend on the boot. The rest saves emulated boot time: calibration of a timer and a TSC that
 * QEMU keeps right by definition, self-tests of ciphers, and mitigations against other guests.
 *
 * On the simulated clock a loop of rdtsc and pause is what costs most: each turn leaves QEMU's
 * vCPU loop.
 *  - lpj makes udelay() a tenth as long where HZ is 250 (a 25th at 100, 0.4 of it at 1000):
 *    emulated hardware needs no delays at all, and am53c974's reading of its EEPROM alone has
 *    0.3 s of them.
 *  - With nolapic_timer a kernel does not wait 100 ms for the local APIC's timer to be calibrated;
 *    it takes the HPET, whose rate it reads. hpet_late_init only makes /dev/hpet, and calibrates
 *    that with a storm of timers. Two CPUs need the APIC's timers.
 */
char *setup_cmdline(const struct kernel *k, const struct kase *c, enum machine_clock clock)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "console=ttyS0 loglevel=6 panic=-1 oops=panic nokaslr norandmaps "
			 "random.trust_bootloader=off random.trust_cpu=off nr_cpus=%d "
			 "no_timer_check tsc=reliable cryptomgr.notests mitigations=off "
			 "noreplace-smp rodata=off",
		    c->cpus);
	if (clock == CLOCK_SIM)
		strbuf_addstr(&sb, " lpj=400000");
	if (clock == CLOCK_SIM && c->cpus == 1)
		strbuf_addstr(&sb, " nolapic_timer initcall_blacklist=hpet_late_init");
	for (size_t i = 0; i < ARRAY_SIZE(module_args); i++)
		strbuf_addf(&sb, " %s.%s", module_args[i].module, module_args[i].args);
	if (k->cmdline)
		strbuf_addf(&sb, " %s", k->cmdline);
	return strbuf_detach(&sb, NULL);
}
