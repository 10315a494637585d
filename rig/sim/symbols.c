/* SPDX-License-Identifier: GPL-2.0-only */
/* Looking up what symbols.h lists. */
#include "sim/symbols.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "sim/fatal.h"

struct sim_qemu sim_qemu;

struct symbol {
	const char *name;
	size_t offset;
};

#define REAL(field) { #field, offsetof(struct sim_libc, field) }

/* The default version's, which is what a program linked today gets. */
static void load_libc(struct sim_libc *libc)
{
	static const struct symbol list[] = {
		REAL(ppoll), REAL(pthread_mutex_lock), REAL(pthread_mutex_unlock),
		REAL(pthread_cond_wait),
		REAL(pthread_cond_timedwait), REAL(pthread_cond_signal),
		REAL(pthread_cond_broadcast), REAL(pthread_create), REAL(pthread_setname_np),
		REAL(eventfd), REAL(write), REAL(open64), REAL(close), REAL(fcntl64), REAL(ioctl),
		REAL(pread64),
		REAL(pwrite64), REAL(preadv64), REAL(pwritev64), REAL(fdatasync),
		REAL(fallocate64), REAL(io_uring_submit_and_wait), REAL(io_setup),
		REAL(io_submit), REAL(io_destroy),
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		void *f = dlsym(RTLD_NEXT, list[i].name);

		memcpy((char *)libc + list[i].offset, &f, sizeof(f));
	}
}

const struct sim_libc *sim_libc(void)
{
	static struct sim_libc libc;
	static atomic_bool loaded;

	if (!atomic_load_explicit(&loaded, memory_order_acquire)) {
		struct sim_libc fresh;

		load_libc(&fresh);
		/* threads that come here together write the same values */
		libc = fresh;
		atomic_store_explicit(&loaded, true, memory_order_release);
	}
	return &libc;
}

bool symbols_is_qemu(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	const char *name;

	if (n < 0)
		return false;
	path[n] = '\0';
	name = strrchr(path, '/');
	return dlsym(RTLD_DEFAULT, "qemu_init") || (name && strstr(name, "qemu-system"));
}

/* Look them up; a name that is not exported is left NULL, or ends QEMU if it is needed. */
static void load(const struct symbol *list, size_t n, bool needed)
{
	for (size_t i = 0; i < n; i++) {
		void *f = dlsym(RTLD_DEFAULT, list[i].name);

		if (!f && needed)
			fatal("this QEMU does not export '%s'", list[i].name);
		memcpy((char *)&sim_qemu + list[i].offset, &f, sizeof(f));
	}
}

void symbols_load(void)
{
	static const struct symbol needed[] = {
		{ "qemu_clock_get_ns", offsetof(struct sim_qemu, clock_get_ns) },
		{ "timer_init_full", offsetof(struct sim_qemu, timer_init_full) },
		{ "timer_mod_ns", offsetof(struct sim_qemu, timer_mod_ns) },
		{ "timer_del", offsetof(struct sim_qemu, timer_del) },
		{ "qtest_allowed", offsetof(struct sim_qemu, qtest_allowed) },
	};
	static const struct symbol optional[] = {
		{ "icount_start_warp_timer", offsetof(struct sim_qemu, start_warp_timer) },
		{ "qemu_clock_notify", offsetof(struct sim_qemu, clock_notify) },
		{ "qemu_clock_run_timers", offsetof(struct sim_qemu, run_timers) },
		{ "qemu_clock_deadline_ns_all", offsetof(struct sim_qemu, deadline_ns_all) },
		{ "use_icount", offsetof(struct sim_qemu, use_icount) },
		{ "qemu_system_vmstop_request_prepare",
		  offsetof(struct sim_qemu, vmstop_request_prepare) },
		{ "qemu_system_vmstop_request", offsetof(struct sim_qemu, vmstop_request) },
		{ "runstate_is_running", offsetof(struct sim_qemu, is_running) },
	};

	load(needed, sizeof(needed) / sizeof(needed[0]), true);
	load(optional, sizeof(optional) / sizeof(optional[0]), false);
	if (!sim_qemu.clock_notify || !sim_qemu.run_timers || !sim_qemu.deadline_ns_all)
		sim_qemu.start_warp_timer = NULL;
}
