/* SPDX-License-Identifier: GPL-2.0-only */
/* Which of QEMU's threads the caller is. */
#ifndef SIM_THREAD_H
#define SIM_THREAD_H

enum thread_role {
	THREAD_OTHER,
	THREAD_MAIN,	/* the main loop */
	THREAD_VCPU,
	THREAD_WORKER	/* of the thread pool */
};

/* initial-exec: read at every unlock of a mutex, and the library is there from the start. */
extern __thread enum thread_role thread_role __attribute__((tls_model("initial-exec")));

#endif
