/* SPDX-License-Identifier: GPL-2.0-only */
/* A run's folder and document. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "kernel/kernel.h"
#include "record/record.h"
#include "run/folder.h"
#include "run/options.h"

#define NAME_PART 64		/* of a kernel's name in a folder's */
#define SAME_SECOND 100		/* runs of one kernel */

static char *dup_or_null(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

static void describe_host(struct run *run)
{
	struct host_facts facts;

	host_facts_read(&facts);
	run->host.cpu = xstrdup(facts.cpu);
	run->host.kernel = xstrdup(facts.kernel);
	run->host.os = xstrdup(facts.os);
	run->host.cpus = facts.cpus;
	run->host.memory = facts.memory;
	run->host.load = facts.load;
}

static void describe(struct run *run, const struct run_options *o, const struct kernel *k)
{
	char now[32];

	run->rig_version = xstrdup(IORIG_VERSION);
	run->started = xstrdup(clock_utc(now));
	run->interrupted = true;	/* until the end says otherwise */
	run->clock = xstrdup(o->clock == CLOCK_SIM ? "sim" : "real");
	run->timing = xstrdup(o->timing == TIMING_MODEL ? "model" : "throttle");
	run->accel = xstrdup(o->accel == ACCEL_KVM ? "kvm" : "tcg");
	run->accel_why = xstrdup(o->accel_why);
	run->scale = xstrdup(o->scale);
	run->seeds = o->seeds;
	run->jobs = o->jobs;
	memcpy(run->tools_sha256, o->tools_sha256, sizeof(run->tools_sha256));
	run->qemu.path = xstrdup(o->qemu.path);
	run->qemu.version = xstrdup(o->qemu.version);
	describe_host(run);
	run->kernel.name = xstrdup(k->name);
	run->kernel.title = dup_or_null(k->title);
	run->kernel.image = xstrdup(k->image);
	run->kernel.release = xstrdup(k->release ? k->release : "");
	run->kernel.package = dup_or_null(k->package);
	run->kernel.cmdline = dup_or_null(k->cmdline);
	memcpy(run->kernel.image_sha256, k->image_sha256, sizeof(run->kernel.image_sha256));
	memcpy(run->kernel.config_sha256, k->config_sha256, sizeof(run->kernel.config_sha256));
	run->kernel.source = dup_or_null(k->source);
	run->kernel.compiler = dup_or_null(k->compiler);
	memcpy(run->kernel.source_id, k->source_id, sizeof(run->kernel.source_id));
	for (size_t i = 0; i < k->n_patches; i++) {
		struct run_patch *p = array_grow(run->kernel.patches, run->kernel.n_patches);

		p->name = xstrdup(k->patches[i].name);
		p->subject = xstrdup(k->patches[i].subject);
		memcpy(p->sha256, k->patches[i].sha256, sizeof(p->sha256));
	}
}

char *folder_kernel_name(const struct kernel *k)
{
	char *name = xstrndup(k->name, NAME_PART);

	for (char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("._+-", *p))
			*p = '_';
	return name;
}

/* "2026-11-30T17:04:05Z" and "debian": "20261130T170405Z-debian". */
static char *make_id(const char *utc, const struct kernel *k)
{
	char *kernel __free(ptr) = folder_kernel_name(k);
	struct strbuf sb = STRBUF_INIT;

	for (; *utc; utc++)
		if (*utc != '-' && *utc != ':')
			strbuf_addch(&sb, *utc);
	strbuf_addf(&sb, "-%s", kernel);
	return strbuf_detach(&sb, NULL);
}

int folder_check(const char *out, struct err *err)
{
	int ret = dir_make(out, err);

	if (!ret && access(out, W_OK | X_OK))
		ret = err_sys(err, -errno, "'%s'", str_escape(out));
	return ret ? err_wrap(err, "results folder (--out chooses another)") : 0;
}

int folder_make(struct run *run, const struct run_options *o, const struct kernel *k, char **dir,
		struct err *err)
{
	char *id __free(ptr) = NULL;
	int ret;

	describe(run, o, k);
	ret = dir_make(o->out, err);
	if (ret)
		return err_wrap(err, "results folder");
	id = make_id(run->started, k);
	/* Two runs in the same second: the later one counts up. */
	for (int i = 1; i < SAME_SECOND; i++) {
		char *name __free(ptr) = i == 1 ? xstrdup(id) : xstrfmt("%s.%02d", id, i);
		char *path __free(ptr) = path_join(o->out, name);

		if (!mkdir(path, 0777)) {
			run->id = no_free_ptr(name);
			*dir = no_free_ptr(path);
			return folder_write(run, *dir, err);
		}
		if (errno != EEXIST)
			return err_sys(err, -errno, "results folder '%s'", str_escape(path));
	}
	return err_set(err, -EEXIST, "results folders '%s/%s' to '%s.%02d' all exist",
		       str_escape(o->out), id, id, SAME_SECOND - 1);
}

int folder_write(const struct run *run, const char *dir, struct err *err)
{
	char *path __free(ptr) = path_join(dir, "run.json");

	return run_write(run, path, err);
}

char *folder_boot_name(const struct kase *c, uint32_t seed)
{
	char *name = xstrfmt("%s.%u", c->name, seed);

	for (char *p = name; *p; p++)
		if (*p == '/')
			*p = '-';
	return name;
}
