/* SPDX-License-Identifier: GPL-2.0-only */
/* The process's disks: files, letters, timers. */
#include "sim/disks.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/fatal.h"
#include "sim/futex.h"
#include "sim/lockstep.h"
#include "sim/log.h"
#include "sim/pool.h"
#include "sim/symbols.h"

#define FDS_MAX 4096

struct disk {
	const struct model_config_disk *config;
	dev_t dev;
	ino_t ino;
	struct model_disk model;
	int64_t armed;		/* what the timer is set to, or MODEL_NEVER */
	bool has_timer;
	char timer[SIM_TIMER_SIZE] __attribute__((aligned(16)));
};

/* A worker's request lives on its stack. */
struct work {
	struct disk_request request;
	atomic_uint done;
	bool failed;
};

static struct disk disks[MODEL_DISKS_MAX];
static int n_disks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct disk_request *letters;
static atomic_int n_letters;
static int drains;
/* What is known of each descriptor: NULL nothing, &no_disk that it is no image of ours. */
static _Atomic(struct disk *) by_fd[FDS_MAX];
static struct disk no_disk;

void disks_init(const struct model_config *c)
{
	n_disks = c->n_disks;
	for (int i = 0; i < n_disks; i++) {
		struct disk *d = &disks[i];
		struct stat st;

		d->config = &c->disks[i];
		if (stat(d->config->image, &st) < 0)
			fatal("image '%s': %s", d->config->image, strerror(errno));
		d->dev = st.st_dev;
		d->ino = st.st_ino;
		d->armed = MODEL_NEVER;
		/* each disk's stalls come from a stream of their own */
		model_disk_init(&d->model, &d->config->params, st.st_size,
				c->seed * MODEL_DISKS_MAX + (uint64_t)i);
		for (int k = 0; k < d->config->n_faults; k++)
			model_disk_add_fault(&d->model, &d->config->faults[k]);
	}
}

static struct disk *of_stat(const struct stat *st)
{
	for (int i = 0; i < n_disks; i++)
		if (disks[i].dev == st->st_dev && disks[i].ino == st->st_ino)
			return &disks[i];
	return NULL;
}

static struct disk *look(int fd)
{
	struct stat st;

	return fstat(fd, &st) < 0 ? NULL : of_stat(&st);
}

struct disk *disks_of(int fd)
{
	struct disk *d;

	if (!n_disks || fd < 0)
		return NULL;
	if (fd >= FDS_MAX)
		return look(fd);
	d = atomic_load_explicit(&by_fd[fd], memory_order_acquire);
	if (!d) {
		d = look(fd);
		atomic_store_explicit(&by_fd[fd], d ? d : &no_disk, memory_order_release);
	}
	return d == &no_disk ? NULL : d;
}

void disks_closed(int fd)
{
	if (fd >= 0 && fd < FDS_MAX)
		atomic_store_explicit(&by_fd[fd], NULL, memory_order_release);
}

bool disks_has(const char *path)
{
	struct stat st;

	return n_disks && stat(path, &st) == 0 && of_stat(&st);
}

void disks_lock(void)
{
	pthread_mutex_lock(&lock);
}

void disks_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

static int64_t now(void)
{
	return sim_qemu.clock_get_ns(SIM_CLOCK_VIRTUAL);
}

static void finish_those_done(struct disk *d, int64_t t)
{
	struct model_request *m;

	while ((m = model_disk_finished(&d->model, t))) {
		struct disk_request *r = (struct disk_request *)(void *)m;
		struct model_request copy = *m;

		log_request(d->config->name, &copy, r->finish(r));
	}
}

static void disk_timer(void *opaque);

static void arm(struct disk *d)
{
	int64_t next = model_disk_next(&d->model);

	if (next == d->armed)
		return;
	if (!d->has_timer) {
		/* scale 1: ns; no attributes */
		sim_qemu.timer_init_full(d->timer, NULL, SIM_CLOCK_VIRTUAL, 1, 0, disk_timer, d);
		d->has_timer = true;
	}
	d->armed = next;
	if (next == MODEL_NEVER)
		sim_qemu.timer_del(d->timer);
	else
		sim_qemu.timer_mod_ns(d->timer, next);
}

/* The disk's timer fired: in the main loop or in the vCPU thread, with the BQL. */
static void disk_timer(void *opaque)
{
	struct disk *d = opaque;

	disks_lock();
	d->armed = MODEL_NEVER;
	finish_those_done(d, now());
	arm(d);
	disks_unlock();
}

void disks_submit(struct disk_request *r)
{
	int64_t t = now();

	if (t == 0) {
		r->finish(r);
		return;
	}
	model_disk_submit(&r->disk->model, &r->model, t);
	arm(r->disk);
}

static int64_t finish_work(struct disk_request *r)
{
	struct work *w = (struct work *)(void *)r;
	int64_t result = r->model.failed ? -EIO : r->model.length;

	w->failed = r->model.failed;
	if (lockstep_enabled())
		pool_unpark();
	/* the futex's address is all that is used of w from here on: its stack may be gone */
	atomic_store(&w->done, 1);
	futex_wake(&w->done);
	return result;
}

static void hurry(struct disk *d)
{
	if (model_disk_next(&d->model) == MODEL_NEVER)
		return;
	model_disk_hurry(&d->model, now());
	finish_those_done(d, now());
	arm(d);
}

static void post(struct disk_request *r)
{
	struct disk *d = r->disk;

	disks_lock();
	if (drains || now() == 0) {
		disks_submit(r);
		hurry(d);
	} else if (lockstep_enabled()) {
		r->next_letter = letters;
		letters = r;
		atomic_fetch_add(&n_letters, 1);
	} else {
		disks_submit(r);
	}
	disks_unlock();
}

int disks_work(struct disk *d, enum model_op op, int64_t offset, int64_t length)
{
	struct work w = {
		.request = { .model = { .op = op, .offset = offset, .length = length },
			     .finish = finish_work,
			     .disk = d },
	};

	post(&w.request);
	if (lockstep_enabled())
		pool_park();
	while (!atomic_load(&w.done))
		futex_wait(&w.done, 0);
	if (lockstep_enabled())
		pool_unparked();
	return w.failed ? -EIO : 0;
}

bool disks_have_letters(void)
{
	return atomic_load(&n_letters) > 0;
}

static bool before(const struct disk_request *a, const struct disk_request *b)
{
	if (a->disk != b->disk)
		return a->disk < b->disk;
	if (a->model.op != b->model.op)
		return a->model.op < b->model.op;
	if (a->model.offset != b->model.offset)
		return a->model.offset < b->model.offset;
	return a->model.length < b->model.length;
}

static void deliver(void)
{
	while (letters) {
		struct disk_request **first = &letters, *r;

		for (struct disk_request **l = &letters; *l; l = &(*l)->next_letter)
			if (before(*l, *first))
				first = l;
		r = *first;
		*first = r->next_letter;
		disks_submit(r);
	}
	atomic_store(&n_letters, 0);
}

void disks_deliver(void)
{
	disks_lock();
	deliver();
	disks_unlock();
}

void disks_drain_begins(void)
{
	disks_lock();
	drains++;
	deliver();
	for (int i = 0; i < n_disks; i++)
		hurry(&disks[i]);
	disks_unlock();
}

void disks_drain_ended(void)
{
	disks_lock();
	drains--;
	disks_unlock();
}
