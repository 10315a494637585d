/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of pthreads that the library stands in front of, see symbols.h. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sim/init.h"
#include "sim/lockstep.h"
#include "sim/pool.h"
#include "sim/stop.h"
#include "sim/symbols.h"
#include "sim/thread.h"

typedef void *start_routine(void *);

struct start {
	start_routine *routine;
	void *arg;
	bool counted;
};

/* What the calling thread started with, and what the vCPU did: QEMU's own threads all do. */
static __thread start_routine *my_routine;
static _Atomic(start_routine *) qemu_routine;

static void thread_ends(void *unused)
{
	(void)unused;
	pool_thread_leaves();
}

static void *thread_runs(void *opaque)
{
	struct start start = *(struct start *)opaque;
	void *ret;

	free(opaque);
	my_routine = start.routine;
	if (start.counted)
		pool_thread_counted();
	pthread_cleanup_push(thread_ends, NULL);
	ret = start.routine(start.arg);
	pthread_cleanup_pop(1);
	return ret;
}

SIM_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			      start_routine *routine, void *arg)
{
	struct start *start;
	bool counted;
	int ret;

	if (!init_active() || !lockstep_enabled())
		return sim_libc()->pthread_create(thread, attributes, routine, arg);
	start = malloc(sizeof(*start));
	if (!start)
		return EAGAIN;
	counted = routine == atomic_load(&qemu_routine);
	*start = (struct start){ routine, arg, counted };
	if (counted)
		pool_thread_coming();
	ret = sim_libc()->pthread_create(thread, attributes, thread_runs, start);
	if (ret) {
		free(start);
		if (counted)
			pool_thread_failed();
	}
	return ret;
}

SIM_EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
	if (init_active() && pthread_equal(thread, pthread_self())) {
		if (strstr(name, "/TCG") || strstr(name, "/KVM")) {
			atomic_store(&qemu_routine, my_routine);
			lockstep_vcpu_starts();
			stop_arm();
			pool_thread_leaves();
		} else if (!strcmp(name, "worker")) {
			thread_role = THREAD_WORKER;
		} else {
			pool_thread_leaves();
		}
	}
	return sim_libc()->pthread_setname_np(thread, name);
}

SIM_EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
	int ret = sim_libc()->pthread_mutex_lock(m);

	if (thread_role != THREAD_OTHER)
		lockstep_locked(m);
	return ret;
}

SIM_EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
	int ret;

	if (thread_role != THREAD_OTHER)
		lockstep_unlocks(m);
	ret = sim_libc()->pthread_mutex_unlock(m);
	if (thread_role != THREAD_OTHER)
		lockstep_unlocked(m);
	return ret;
}

SIM_EXPORT int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *m)
{
	if (!init_active())
		return sim_libc()->pthread_cond_wait(cond, m);
	return lockstep_cond_wait(cond, m);
}

SIM_EXPORT int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *m,
				      const struct timespec *until)
{
	int ret;

	lockstep_blocks();
	if (thread_role != THREAD_WORKER || !lockstep_enabled())
		return sim_libc()->pthread_cond_timedwait(cond, m, until);
	pool_wait_begins(cond);
	ret = sim_libc()->pthread_cond_timedwait(cond, m, until);
	pool_wait_ended();
	return ret;
}

SIM_EXPORT int pthread_cond_signal(pthread_cond_t *cond)
{
	if (init_active()) {
		lockstep_signalled(cond);
		pool_signalled(cond, false);
	}
	return sim_libc()->pthread_cond_signal(cond);
}

SIM_EXPORT int pthread_cond_broadcast(pthread_cond_t *cond)
{
	if (init_active()) {
		lockstep_signalled(cond);
		pool_signalled(cond, true);
	}
	return sim_libc()->pthread_cond_broadcast(cond);
}
