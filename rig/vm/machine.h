/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A virtual machine's description, and the QEMU command line that it means. Pure: nothing here
 * touches the host. The same description always gives the same argv (golden tests hold it), and
 * machine_script() gives it as a shell script that a person can paste and run.
 *
 * What holds for every machine:
 *
 *  - Both serial ports append to files. Nothing reads a descriptor that the host could make
 *    ready at moments of its own (-serial stdio does), for that would disturb a simulated clock.
 *  - With QMP the machine starts stopped (-S): the handshake is over before the guest's first
 *    instruction, whoever started QEMU sends 'cont', and from then on the host is silent.
 *  - Images are thrown away after the boot, so flushes do not reach the host: cache.no-flush with
 *    a throttle; the disk model lets them cost what the profile says and keeps them to itself.
 *  - A failing host file (no space, bad sector) stops the machine with a BLOCK_IO_ERROR event
 *    that has "action":"stop" (werror, rerror). Reported to the guest instead, it would look
 *    like a fault of the kernel under test. Such a boot is to be given up as the rig's failure.
 *    With the disk model only a full host stops it: other errors are those that a case plants.
 *  - A throttle group's bucket holds a tenth of a second's worth while x-bps-*-max is unset
 *    (QEMU's util/throttle.c): n bytes take n / rate - 0.1 s, within 2 % of n / rate from five
 *    seconds on. Setting the maximum to the rate would raise the bucket to a whole second's
 *    worth: QEMU 7.2 then writes 10 MB at 1 MB/s in 8.9 s instead of 9.8 s.
 */
#ifndef VM_MACHINE_H
#define VM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strvec.h"

struct err;
struct strbuf;

enum machine_bus { BUS_IDE, BUS_SCSI, BUS_ATAPI, BUS_USB, BUS_AHCI, BUS_VIRTIO };
enum machine_accel { ACCEL_TCG, ACCEL_KVM };
/* CLOCK_SIM: simulated, needs the simulator library. CLOCK_REAL: the host's. */
enum machine_clock { CLOCK_SIM, CLOCK_REAL };
/* TIMING_THROTTLE: rates as QEMU throttle groups. TIMING_MODEL: the simulator's disk model. */
enum machine_timing { TIMING_MODEL, TIMING_THROTTLE };

#define MACHINE_DISK_NAME 26	/* QEMU's node names end at 31, ours begin with "disk." */
#define MACHINE_SERIAL	  20	/* IDE's limit */

struct machine_disk {
	const char *name;	/* [a-z0-9-]+, at most MACHINE_DISK_NAME bytes */
	enum machine_bus bus;
	const char *image;	/* raw image, or ISO 9660 for BUS_ATAPI */
	const char *serial;	/* [A-Za-z0-9._-]+, at most MACHINE_SERIAL bytes */
	int sector;		/* logical block size: 512, 1024, 2048, 4096; ide, ahci: 512 */
	bool rotational;	/* ide, ahci and scsi tell the guest; usb and virtio cannot */
	bool removable;		/* scsi and usb tell the guest; atapi always is */
	bool read_only;		/* not for ide and ahci; atapi always is */
	int64_t bps_read, bps_write;	/* throttle, bytes/s; 0 = none */
};

struct machine {
	const char *qemu;	/* program, "qemu-system-x86_64" */
	int64_t memory;		/* bytes, whole MiB */
	int smp;
	enum machine_accel accel;
	enum machine_clock clock;
	enum machine_timing timing;
	uint32_t seed;
	const char *kernel, *initrd, *cmdline; /* without a kernel only the firmware runs;
						* without an initrd the kernel's own */
	const char *console, *frames;	/* files that serial ports 1 and 2 append to */
	int qmp_fd;		/* an inherited, connected socket; -1 = no QMP */
	const char *sim_library, *sim_config;	/* set when the simulator is preloaded */
	size_t n_disks;
	const struct machine_disk *disks;
};

/*
 * Append the program and its arguments. -EINVAL (ERR_INPUT) for what QEMU could not do: more
 * disks than the buses take (ide and atapi together 4, scsi 7, usb 8, ahci 6, virtio 16); a
 * sector, a read-only flag, a name or serial against the rules above; a simulated clock with
 * KVM or with throttle groups (they run on the host's time). Asking for the simulator without
 * naming its library is a BUG.
 */
int machine_argv(const struct machine *m, struct strvec *argv, struct err *err);
/* Environment to add: LD_PRELOAD and IORIG_SIM when the simulator is in use. */
void machine_env(const struct machine *m, struct strvec *env);
/* A POSIX shell script that runs the machine, one option a line, without QMP. */
int machine_script(const struct machine *m, struct strbuf *out, struct err *err);

const char *machine_bus_name(enum machine_bus bus);
/* -1 if there is none of that name. */
int machine_bus_parse(const char *name);

#endif
