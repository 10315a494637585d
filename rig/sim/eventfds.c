/* SPDX-License-Identifier: GPL-2.0-only */
#include "sim/eventfds.h"

#include <stdatomic.h>
#include <stdint.h>

#include "sim/symbols.h"

/* QEMU has some tens of descriptors; one beyond this is written at once, as if it were unknown. */
#define FDS 1024

static atomic_bool known[FDS];
struct held eventfds_held;

static bool in_range(int fd)
{
	return fd >= 0 && fd < FDS;
}

void eventfds_made(int fd)
{
	if (in_range(fd))
		atomic_store(&known[fd], true);
}

void eventfds_closed(int fd)
{
	if (in_range(fd))
		atomic_store(&known[fd], false);
}

bool eventfds_has(int fd)
{
	return in_range(fd) && atomic_load_explicit(&known[fd], memory_order_relaxed);
}

static int find(const struct held *h, int fd)
{
	int i = 0;

	while (i < h->n && h->fds[i] != fd)
		i++;
	return i;
}

bool eventfds_hold(int fd)
{
	int i = find(&eventfds_held, fd);

	if (i == EVENTFDS_HELD_MAX)
		return false;
	if (i == eventfds_held.n) {
		eventfds_held.fds[i] = fd;
		eventfds_held.writes[i] = 0;
		eventfds_held.n++;
	}
	eventfds_held.writes[i]++;
	eventfds_held.last = fd;
	return true;
}

static unsigned writes_to(const struct held *h, int fd)
{
	int i = find(h, fd);

	return i < h->n ? h->writes[i] : 0;
}

bool eventfds_hold_just(const struct held *a, int fd)
{
	/* all of a is here, and what is here is of a or fd's */
	for (int i = 0; i < a->n; i++)
		if (!writes_to(&eventfds_held, a->fds[i]))
			return false;
	for (int i = 0; i < eventfds_held.n; i++) {
		int to = eventfds_held.fds[i];

		if (eventfds_held.writes[i] != writes_to(a, to) + (to == fd))
			return false;
	}
	return fd < 0 || writes_to(&eventfds_held, fd);
}

struct held eventfds_take(void)
{
	struct held taken = eventfds_held;

	eventfds_held = (struct held){ 0 };
	return taken;
}

void eventfds_put_back(const struct held *taken)
{
	for (int i = 0; i < taken->n; i++)
		for (unsigned k = 0; k < taken->writes[i]; k++)
			(void)eventfds_hold(taken->fds[i]);
}

void eventfds_write(int fd)
{
	static const uint64_t one = 1;

	/* it cannot fail but for a counter of 2^64, and QEMU ignores that too */
	(void)!sim_libc()->write(fd, &one, sizeof(one));
}
