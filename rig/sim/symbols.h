/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that the library relies on outside of itself. Checked against the sources of QEMU
 * 7.2 and 10.0.
 *
 * QEMU exports its global symbols since its modules are linked against the binary
 * (CONFIG_MODULES, which every distribution sets). Looked up when the library is loaded; one
 * that is missing ends QEMU, unless it says 'optional':
 *
 *  qemu_clock_get_ns(1)      QEMU_CLOCK_VIRTUAL, the guest's time; value of the enum unchanged
 *                            since 2013 (1.6)
 *  timer_init_full, timer_mod_ns, timer_del
 *                            since 3.1, 1.6, 1.6: completions are timers on the guest's clock.
 *                            QEMUTimer is an opaque block of SIM_TIMER_SIZE bytes here (it has
 *                            48); a NULL group means the main loop's timers
 *  qtest_allowed             the variable behind qtest_enabled():
 *                            icount_start_warp_timer() does not let time jump while it is set
 *  icount_start_warp_timer, qemu_clock_notify, qemu_clock_run_timers,
 *  qemu_clock_deadline_ns_all (optional)
 *                            since 5.2, 1.6, 1.6, 3.1: the jump that the main loop makes, made by
 *                            the vCPU's thread. Missing, the main loop makes all, which is slower
 *  use_icount (optional)     non-zero when -icount is given; for a clear message only
 *  qemu_system_vmstop_request_prepare, qemu_system_vmstop_request, runstate_is_running (optional)
 *                            pause the machine from a timer, as a watchdog device does; only a
 *                            machine that is to be stopped (stop.h) needs them
 *
 * Behaviour of QEMU:
 *
 *  - the main loop (os_host_main_loop_wait) releases the BQL, calls ppoll() once, takes the BQL
 *    again, calls icount_start_warp_timer() and runs timers;
 *  - with -accel tcg,thread=single -icount there is one vCPU thread, "ALL CPUs/TCG", which
 *    holds the BQL for everything but guest code, and waits for work on halt_cond, the
 *    condition of its first pthread_cond_wait(); what wakes it signals that condition;
 *  - the last thing that the vCPU does before it waits is to write the main loop's eventfd
 *    (qemu_notify_event). If it has written nothing else since it took the BQL, the main loop is
 *    only wanted for a jump of the clock;
 *  - QEMU itself runs the clock's timers in the vCPU's thread, with the BQL, if they come due while
 *    the guest computes (icount_handle_deadline);
 *  - jumping notifies each timer list of the clock, and with them the vCPU;
 *  - a nested event loop (drain) blocks in ppoll() or io_uring_submit_and_wait(), with the BQL;
 *    the main thread may release and take the BQL elsewhere too (when it pauses the vCPUs);
 *  - workers of the thread pool are threads called "worker", created through pthread_create()
 *    with the same start routine as the vCPU, and nothing else in them waits in
 *    pthread_cond_timedwait() than an idle one for its next job;
 *  - threads name themselves with pthread_setname_np(pthread_self(), ...) when they start, if
 *    QEMU was started with -name ...,debug-threads=on;
 *  - linux-aio.c calls io_setup, io_submit, io_destroy and reads the ring of completions
 *    in memory (struct aio_ring as the kernel lays it out), woken by an eventfd;
 *  - file-posix.c calls fdatasync, fallocate, and for buffers that are not aligned preadv and
 *    pwritev or pread and pwrite, from workers; from the main thread only to probe alignment.
 *
 * libc (glibc 2.34 and later): every function of struct sim_libc is interposed by the library,
 * which then calls the real one.
 */
#ifndef SIM_SYMBOLS_H
#define SIM_SYMBOLS_H

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

/*
 * For what the library stands in front of. Everything else is hidden (-fvisibility=hidden): a
 * name that QEMU happens to export too would be taken from there.
 */
#define SIM_EXPORT __attribute__((visibility("default")))

#define SIM_TIMER_SIZE	  256
#define SIM_CLOCK_VIRTUAL 1

struct sim_qemu {
	int64_t (*clock_get_ns)(int clock);
	void (*timer_init_full)(void *timer, void *group, int clock, int scale, int attributes,
				void (*cb)(void *), void *opaque);
	void (*timer_mod_ns)(void *timer, int64_t at);
	void (*timer_del)(void *timer);
	bool *qtest_allowed;
	/* these may be NULL; of the first four all or none */
	void (*start_warp_timer)(void);
	void (*clock_notify)(int clock);
	bool (*run_timers)(int clock);
	int64_t (*deadline_ns_all)(int clock, int attributes);
	int *use_icount;
	void (*vmstop_request_prepare)(void);
	void (*vmstop_request)(int state);
	bool (*is_running)(void);
};

struct sim_libc {
	int (*ppoll)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
	int (*pthread_mutex_lock)(pthread_mutex_t *);
	int (*pthread_mutex_unlock)(pthread_mutex_t *);
	int (*pthread_cond_wait)(pthread_cond_t *, pthread_mutex_t *);
	int (*pthread_cond_timedwait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
	int (*pthread_cond_signal)(pthread_cond_t *);
	int (*pthread_cond_broadcast)(pthread_cond_t *);
	int (*pthread_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int (*pthread_setname_np)(pthread_t, const char *);
	int (*eventfd)(unsigned, int);
	ssize_t (*write)(int, const void *, size_t);
	int (*open64)(const char *, int, ...);
	int (*close)(int);
	int (*fcntl64)(int, int, ...);
	int (*ioctl)(int, unsigned long, ...);
	ssize_t (*pread64)(int, void *, size_t, off64_t);
	ssize_t (*pwrite64)(int, const void *, size_t, off64_t);
	ssize_t (*preadv64)(int, const struct iovec *, int, off64_t);
	ssize_t (*pwritev64)(int, const struct iovec *, int, off64_t);
	int (*fdatasync)(int);
	int (*fallocate64)(int, int, off64_t, off64_t);
	/* from libraries that QEMU may do without: NULL then */
	int (*io_uring_submit_and_wait)(void *, unsigned);
	int (*io_setup)(int, void **);
	int (*io_submit)(void *, long, void *);
	int (*io_destroy)(void *);
};

extern struct sim_qemu sim_qemu;

/* The real functions, looked up on the first call, which may come before any constructor. */
const struct sim_libc *sim_libc(void);
/* Whether this process is a QEMU system emulator. */
bool symbols_is_qemu(void);
/* Fill sim_qemu; fatal() names what is missing. */
void symbols_load(void);

#endif
