/* SPDX-License-Identifier: GPL-2.0-only */
/* The count of busy workers, and who waits for it to become 0. */
#include "sim/pool.h"

#include <stdatomic.h>

#include "sim/fatal.h"
#include "sim/futex.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Written under the lock; the word that pool_wait_idle() sleeps on. */
static atomic_uint busy;
static atomic_uint sleepers;
/* Workers in their wait that nobody signalled, and signals that no worker has taken. */
static unsigned waiters, signals;
static _Atomic(pthread_cond_t *) pool_cond;
/* Whether the calling thread is part of 'busy'. */
static __thread bool counted;

bool pool_busy(void)
{
	return atomic_load(&busy) > 0;
}

unsigned pool_busy_count(void)
{
	return atomic_load(&busy);
}

void pool_wait_idle(void)
{
	unsigned n;

	atomic_fetch_add(&sleepers, 1);
	while ((n = atomic_load(&busy)) > 0)
		futex_wait(&busy, n);
	atomic_fetch_sub(&sleepers, 1);
}

static void add(unsigned n)
{
	atomic_fetch_add(&busy, n);
}

static void subtract(void)
{
	if (atomic_fetch_sub(&busy, 1) == 1 && atomic_load(&sleepers))
		futex_wake(&busy);
}

void pool_thread_coming(void)
{
	add(1);
}

void pool_thread_failed(void)
{
	subtract();
}

void pool_thread_counted(void)
{
	counted = true;
}

void pool_thread_leaves(void)
{
	if (counted)
		subtract();
	counted = false;
}

void pool_wait_begins(pthread_cond_t *cond)
{
	pthread_cond_t *known = NULL;

	if (!atomic_compare_exchange_strong(&pool_cond, &known, cond) && known != cond)
		fatal("QEMU has more than one thread pool");
	pthread_mutex_lock(&lock);
	waiters++;
	pthread_mutex_unlock(&lock);
	pool_thread_leaves();
}

void pool_wait_ended(void)
{
	pthread_mutex_lock(&lock);
	if (signals) {
		signals--;	/* counted when the signal was sent */
	} else {
		waiters--;
		add(1);
	}
	pthread_mutex_unlock(&lock);
	counted = true;
}

void pool_signalled(pthread_cond_t *cond, bool all)
{
	unsigned n;

	if (cond != atomic_load(&pool_cond))
		return;
	pthread_mutex_lock(&lock);
	n = all ? waiters : waiters > 0;
	waiters -= n;
	signals += n;
	add(n);
	pthread_mutex_unlock(&lock);
}

void pool_park(void)
{
	pool_thread_leaves();
}

void pool_unpark(void)
{
	add(1);
}

void pool_unparked(void)
{
	counted = true;
}
