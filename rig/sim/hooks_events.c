/* SPDX-License-Identifier: GPL-2.0-only */
/* Event loops and eventfds: the functions that the library stands in front of, see symbols.h. */
#include "sim/hooks_events.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sim/eventfds.h"
#include "sim/init.h"
#include "sim/lockstep.h"
#include "sim/symbols.h"

SIM_EXPORT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
		     const sigset_t *mask)
{
	if (!init_active())
		return sim_libc()->ppoll(fds, n, timeout, mask);
	return lockstep_poll(fds, n, timeout, mask);
}

SIM_EXPORT int io_uring_submit_and_wait(void *ring, unsigned wait_nr)
{
	bool blocks = init_active() && wait_nr;
	int ret;

	if (!sim_libc()->io_uring_submit_and_wait)
		return -ENOSYS;
	if (blocks)
		lockstep_nested_begins();
	ret = sim_libc()->io_uring_submit_and_wait(ring, wait_nr);
	if (blocks)
		lockstep_nested_ended();
	return ret;
}

SIM_EXPORT int eventfd(unsigned count, int flags)
{
	int fd = sim_libc()->eventfd(count, flags);

	if (init_active())
		eventfds_made(fd);
	return fd;
}

SIM_EXPORT ssize_t write(int fd, const void *buf, size_t n)
{
	uint64_t value;

	if (n != sizeof(value) || !init_active() || !eventfds_has(fd))
		return sim_libc()->write(fd, buf, n);
	memcpy(&value, buf, sizeof(value));
	return lockstep_notify(fd, value);
}
