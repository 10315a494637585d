/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stand-in for libaio as QEMU uses it: io_setup, io_submit, io_destroy. A request goes to the
 * simulated disk behind its descriptor; when that is done the data is moved between the guest
 * and the host's page cache, the completion is put into a ring that QEMU reads by itself, and
 * the eventfd is written. io_destroy() drops what is still on its way, which QEMU does only
 * when it tries what the host can.
 *
 * Every file that QEMU opens with aio=native must be an image of the configuration.
 */
#ifndef SIM_AIO_H
#define SIM_AIO_H

struct iocb;

/* libaio's own prototypes; io_context_t is a pointer that only libaio looks into. */
int io_setup(int max, void **context);
int io_submit(void *context, long n, struct iocb **list);
int io_destroy(void *context);

#endif
