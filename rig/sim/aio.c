/* SPDX-License-Identifier: GPL-2.0-only */
/* libaio's stand-in. */
#include "sim/aio.h"

#include <errno.h>
#include <linux/aio_abi.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "sim/disks.h"
#include "sim/fatal.h"
#include "sim/init.h"
#include "sim/lockstep.h"
#include "sim/symbols.h"

#define RING_MAGIC 0xa10a10a1

/* As the kernel lays it out (fs/aio.c, struct aio_ring). QEMU moves head. */
struct ring {
	unsigned id, nr;
	atomic_uint head, tail;
	unsigned magic, compat, incompat, header_length;
	struct io_event events[];
};

struct context {
	unsigned max;
	unsigned in_flight;	/* submitted and not yet in the ring */
	bool destroyed;
	struct ring *ring;
	struct context *next;
};

struct request {
	struct disk_request base;
	struct context *context;
	const struct iocb *iocb;
	struct request *next_free;
};

/* Under the disks' lock. */
static struct context *contexts;
static struct request *free_requests;

SIM_EXPORT int io_setup(int max, void **context)
{
	struct context *c;

	if (!init_active())
		return sim_libc()->io_setup ? sim_libc()->io_setup(max, context) : -ENOSYS;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->max = max > 0 ? (unsigned)max : 1;
	/* one more than can be in it, so that a full ring is no empty one */
	c->ring = calloc(1, sizeof(*c->ring) + (c->max + 1) * sizeof(c->ring->events[0]));
	if (!c->ring) {
		free(c);
		return -ENOMEM;
	}
	c->ring->nr = c->max + 1;
	c->ring->magic = RING_MAGIC;
	c->ring->header_length = sizeof(*c->ring);
	*context = c->ring;
	disks_lock();
	c->next = contexts;
	contexts = c;
	disks_unlock();
	return 0;
}

static void free_context(struct context *c)
{
	free(c->ring);
	free(c);
}

SIM_EXPORT int io_destroy(void *context)
{
	struct context *c = NULL;

	if (!init_active())
		return sim_libc()->io_destroy ? sim_libc()->io_destroy(context) : -ENOSYS;
	disks_lock();
	for (struct context **link = &contexts; *link; link = &(*link)->next) {
		if ((*link)->ring == context) {
			c = *link;
			*link = c->next;
			break;
		}
	}
	if (c && c->in_flight)
		c->destroyed = true;	/* the last request frees it */
	else if (c)
		free_context(c);
	disks_unlock();
	return c ? 0 : -EINVAL;
}

static int64_t move_data(const struct iocb *cb)
{
	const struct sim_libc *libc = sim_libc();
	const struct iovec *vec = (const struct iovec *)(uintptr_t)cb->aio_buf;
	void *buf = (void *)(uintptr_t)cb->aio_buf;
	int n = (int)cb->aio_nbytes, fd = (int)cb->aio_fildes;
	ssize_t ret;

	do {
		switch (cb->aio_lio_opcode) {
		case IOCB_CMD_PREADV:
			ret = libc->preadv64(fd, vec, n, cb->aio_offset);
			break;
		case IOCB_CMD_PWRITEV:
			ret = libc->pwritev64(fd, vec, n, cb->aio_offset);
			break;
		case IOCB_CMD_PREAD:
			ret = libc->pread64(fd, buf, cb->aio_nbytes, cb->aio_offset);
			break;
		case IOCB_CMD_PWRITE:
			ret = libc->pwrite64(fd, buf, cb->aio_nbytes, cb->aio_offset);
			break;
		default:
			return 0;	/* a flush */
		}
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

static void push(struct context *c, const struct iocb *cb, int64_t result)
{
	struct ring *ring = c->ring;
	unsigned tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	ring->events[tail] = (struct io_event){ cb->aio_data, (uintptr_t)cb, result, 0 };
	atomic_store_explicit(&ring->tail, (tail + 1) % ring->nr, memory_order_release);
	if (cb->aio_flags & IOCB_FLAG_RESFD)
		lockstep_notify((int)cb->aio_resfd, 1);
}

static int64_t finish(struct disk_request *r)
{
	struct request *q = (struct request *)(void *)r;
	struct context *c = q->context;
	int64_t result = -ECANCELED;

	c->in_flight--;
	if (!c->destroyed) {
		result = r->model.failed ? -EIO : move_data(q->iocb);
		push(c, q->iocb, result);
	} else if (!c->in_flight) {
		free_context(c);
	}
	q->next_free = free_requests;
	free_requests = q;
	return result;
}

static struct request *fresh_request(void)
{
	struct request *q = free_requests;

	if (q)
		free_requests = q->next_free;
	else
		q = malloc(sizeof(*q));
	return q;
}

static int64_t vector_length(const struct iocb *cb)
{
	const struct iovec *vec = (const struct iovec *)(uintptr_t)cb->aio_buf;
	int64_t length = 0;

	for (uint64_t i = 0; i < cb->aio_nbytes; i++)
		length += (int64_t)vec[i].iov_len;
	return length;
}

/* What the request is to the disk. False: QEMU asks for something unknown. */
static bool describe(const struct iocb *cb, struct model_request *m)
{
	*m = (struct model_request){ .offset = cb->aio_offset };
	switch (cb->aio_lio_opcode) {
	case IOCB_CMD_PREADV:
	case IOCB_CMD_PWRITEV:
		m->length = vector_length(cb);
		break;
	case IOCB_CMD_PREAD:
	case IOCB_CMD_PWRITE:
		m->length = (int64_t)cb->aio_nbytes;
		break;
	case IOCB_CMD_FSYNC:
	case IOCB_CMD_FDSYNC:
		m->op = MODEL_FLUSH;
		m->offset = 0;
		return true;
	default:
		return false;
	}
	m->op = cb->aio_lio_opcode == IOCB_CMD_PREADV || cb->aio_lio_opcode == IOCB_CMD_PREAD
			? MODEL_READ
			: MODEL_WRITE;
	m->fua = m->op == MODEL_WRITE && (cb->aio_rw_flags & RWF_DSYNC);
	return true;
}

static int submit_one(struct context *c, const struct iocb *cb)
{
	struct disk *d = disks_of((int)cb->aio_fildes);
	unsigned unread = (c->ring->tail + c->ring->nr - c->ring->head) % c->ring->nr;
	struct request *q;

	if (!d)
		fatal("QEMU uses aio=native on descriptor %d, which is no image of the "
		      "configuration", (int)cb->aio_fildes);
	if (c->in_flight + unread >= c->max)
		return -EAGAIN;
	q = fresh_request();
	if (!q)
		return -EAGAIN;
	q->base = (struct disk_request){ .finish = finish, .disk = d };
	q->context = c;
	q->iocb = cb;
	if (!describe(cb, &q->base.model)) {
		q->next_free = free_requests;
		free_requests = q;
		return -EINVAL;
	}
	c->in_flight++;
	disks_submit(&q->base);
	return 0;
}

static struct context *find_context(const void *ring)
{
	struct context *c = contexts;

	while (c && c->ring != ring)
		c = c->next;
	return c;
}

SIM_EXPORT int io_submit(void *context, long n, struct iocb **list)
{
	struct context *c;
	int ret = 0;
	long i;

	if (!init_active())
		return sim_libc()->io_submit ? sim_libc()->io_submit(context, n, list) : -ENOSYS;
	lockstep_handshake();
	disks_lock();
	c = find_context(context);
	if (!c)
		ret = -EINVAL;
	for (i = 0; i < n && !ret; i++)
		ret = submit_one(c, list[i]);
	disks_unlock();
	/* as the kernel: how many were taken, an error only if none was */
	if (ret && i > 0)
		i--;
	return i > 0 ? (int)i : ret;
}
