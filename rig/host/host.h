/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Facts about the host that a run's document keeps, and what QEMU and KVM can do here.
 */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct err;

/* Texts are escaped, and "" where the host does not tell. */
struct host_facts {
	char cpu[128];		/* model name */
	char kernel[128];	/* uname -r */
	char os[128];		/* PRETTY_NAME */
	int cpus;		/* online */
	int64_t memory;		/* bytes */
	double load;		/* 1-minute load average, -1 if unknown */
};

struct host_qemu {
	char *path;		/* found in PATH, or as given; NULL after a failure */
	char version[64];	/* "7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)" */
	int major, minor;
};

void host_facts_read(struct host_facts *facts);
/* $IORIG_QEMU, else qemu-system-x86_64 in PATH. A missing or mute program is a rig error that
 * says what to install. */
int host_qemu_find(struct host_qemu *qemu, struct err *err);
void host_qemu_release(struct host_qemu *qemu);

/*
 * Is KVM good for anything here? Opens /dev/kvm and runs 10 million instructions of 64-bit
 * ring-0 code under a 250 ms deadline: an emulated or nested KVM opens and yet crawls. why gets
 * one line either way ("/dev/kvm: permission denied", "ran 10 M instructions in 3 ms", "only
 * 200 k of 10 M instructions in 250 ms"). Runs in a child, so a hanging ioctl cannot hang us.
 */
bool host_kvm_usable(char why[160]);

#endif
