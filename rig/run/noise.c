/* SPDX-License-Identifier: GPL-2.0-only */
/* Noise floors: from the cache into a run, and back. */
#include "run/noise.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "host/host.h"
#include "record/noise.h"
#include "run/options.h"
#include "run/suite.h"

#define LOCK_NS (60 * NS_PER_S)

/* What the floors hold for, in the words of a run's document. */
static void describe(struct noise *n, const struct run_options *o)
{
	struct host_facts facts;

	host_facts_read(&facts);
	*n = (struct noise){
		.host = { .cpu = xstrdup(facts.cpu), .kernel = xstrdup(facts.kernel),
			  .cpus = facts.cpus },
		.qemu = xstrdup(o->qemu.version),
		.accel = xstrdup(o->accel == ACCEL_KVM ? "kvm" : "tcg"),
		.timing = xstrdup(o->timing == TIMING_MODEL ? "model" : "throttle"),
	};
}

static char *path_of(const struct noise *n, const struct run_options *o)
{
	struct hash h;
	char hex[HASH_HEX], cpus[32];

	snprintf(cpus, sizeof(cpus), "%d", n->host.cpus);
	hash_init(&h);
	hash_add_str(&h, n->host.cpu);
	hash_add_str(&h, cpus);
	hash_add_str(&h, n->host.kernel);
	hash_add_str(&h, n->qemu);
	hash_add_str(&h, n->accel);
	hash_add_str(&h, n->timing);
	hash_hex(&h, hex);
	return xstrfmt("%s/noise/%.16s.json", o->cache_dir, hex);
}

char *noise_path(const struct run_options *o)
{
	struct noise n __release(noise);

	describe(&n, o);
	return path_of(&n, o);
}

/* A hash may have been cut, a file copied. */
static int check_same(const struct noise *file, const struct noise *here, const char *path,
		      struct err *err)
{
	if (file->host.cpus == here->host.cpus && !strcmp(file->host.cpu, here->host.cpu) &&
	    !strcmp(file->host.kernel, here->host.kernel) && !strcmp(file->qemu, here->qemu) &&
	    !strcmp(file->accel, here->accel) && !strcmp(file->timing, here->timing))
		return 0;
	return err_set(err, -EBADMSG, "%s: it was measured on another host or QEMU",
		       str_escape(path));
}

/* No file is no floor. */
static int read_here(struct noise *file, const struct noise *here, const char *path,
		     struct err *err)
{
	int ret = path_is_file(path) ? noise_read(file, path, err) : 0;

	return ret || !file->n_floors ? ret : check_same(file, here, path, err);
}

static bool is_of(const struct run_floor *f, const struct suite *suite)
{
	for (size_t i = 0; i < suite->n; i++)
		if (!strcmp(f->case_name, suite->cases[i].name) &&
		    !strcmp(f->case_sha256, suite->cases[i].sha256))
			return true;
	return false;
}

static void forget(struct run *run)
{
	for (size_t i = 0; i < run->n_floors; i++)
		run_floor_release(&run->floors[i]);
	free(run->floors);
	run->floors = NULL;
	run->n_floors = 0;
}

int noise_take(struct run *run, const struct run_options *o, const struct suite *suite,
	       struct err *err)
{
	struct noise here __release(noise) = NOISE_INIT, file __release(noise) = NOISE_INIT;
	char *path __free(ptr) = NULL;

	forget(run);
	if (o->clock != CLOCK_REAL || o->aa)
		return 0;
	describe(&here, o);
	path = path_of(&here, o);
	if (read_here(&file, &here, path, err))
		return err_wrap(err, "this host's noise floors, which 'iorig compare "
				     "--measure-floor' makes anew");
	for (size_t i = 0; i < file.n_floors; i++) {
		if (is_of(&file.floors[i], suite))
			run_floor_copy(array_grow(run->floors, run->n_floors), &file.floors[i]);
	}
	return 0;
}

static bool same_figure(const struct run_floor *a, const struct run_floor *b)
{
	return !strcmp(a->case_name, b->case_name) && !strcmp(a->case_sha256, b->case_sha256) &&
	       !strcmp(a->job, b->job) && !strcmp(a->metric, b->metric);
}

static void drop(struct noise *n, size_t at)
{
	run_floor_release(&n->floors[at]);
	memmove(&n->floors[at], &n->floors[at + 1],
		(n->n_floors - at - 1) * sizeof(*n->floors));
	n->n_floors--;
}

/* In place of the same figure's, as the last; the first goes where there are too many. */
static void put(struct noise *n, const struct run_floor *floor)
{
	for (size_t i = 0; i < n->n_floors; i++) {
		if (same_figure(&n->floors[i], floor)) {
			drop(n, i);
			break;
		}
	}
	if (n->n_floors >= NOISE_FLOORS)
		drop(n, 0);
	run_floor_copy(array_grow(n->floors, n->n_floors), floor);
}

int noise_keep(const struct run_options *o, const struct run_floor *floors, size_t n,
	       struct err *err)
{
	struct noise here __release(noise) = NOISE_INIT, file __release(noise) = NOISE_INIT;
	struct deadline d = deadline_in("the noise floors' lock", LOCK_NS);
	char *dir __free(ptr) = path_join(o->cache_dir, "noise");
	char *lock __free(ptr) = path_join(dir, ".lock");
	char *path __free(ptr) = NULL;
	struct err ignored = ERR_INIT;
	int fd __free(fd) = -1;
	int ret;

	describe(&here, o);
	path = path_of(&here, o);
	ret = dir_make(dir, err);
	if (ret)
		return ret;
	fd = file_lock(lock, &d, err);
	if (fd < 0)
		return fd;
	if (!read_here(&file, &here, path, &ignored)) {
		here.floors = no_free_ptr(file.floors);
		here.n_floors = file.n_floors;
		file.n_floors = 0;
	}
	for (size_t i = 0; i < n; i++)
		put(&here, &floors[i]);
	return noise_write(&here, path, err);
}
