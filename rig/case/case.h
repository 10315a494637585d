/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A case: a machine, its disks, and the jobs that run in it. Read from cases/GROUP/NAME.case
 * (INI, see base/ini.h), checked whole before anything boots: unknown section or key, duplicate,
 * missing disk, profile, role or busybox applet, a size or time without a unit or out of range
 * give 'file:line: message' (ERR_INPUT).
 *
 *	[case]
 *	title    = Hard disk and DVD together
 *	origin   = linux-kernel, 2004-09-09, test 1	; optional
 *	about    = what a failure means			; optional
 *	memory   = 128M		; guest RAM, 64M..64G, whole MiB
 *	cpus     = 1		; optional, 1..64
 *	deadline = 10min	; optional, of the whole guest; default: latest job end + 60 s
 *	sample   = 1s		; optional, 100ms..60s; 0 = no samples
 *	stacks   = 200ms	; optional, 10ms..60s: how often to look where jobs wait; 0 = never
 *	pauses   = yes		; optional: sum up what balance_dirty_pages makes writers wait
 *				; for each disk; needs samples
 *	bring    = /usr/bin/fio	; optional: programs of the host that the guest gets, with the
 *				; libraries they need (image/bring.h); words
 *	[file /etc/job.fio]	; optional: a file of the guest, /etc/NAME; one of:
 *	file     = job.fio	; a file below the case's folder
 *	text     = "[a]\nrw=read"	; its content
 *	[set]			; optional: files to write before the jobs start
 *	vm.dirty_ratio = 20		; by the name that sysctl(8) gives them
 *	[disk hda]		; name: [a-z][a-z0-9-]*, at most 14 (see below)
 *	bus = ide		; ide scsi atapi usb ahci virtio
 *	profile = hdd-2004	; images/disks/NAME.disk or flat-RATE
 *	size = 512M		; 1M..2T, default: the profile's; of iso9660 the file in it
 *	fs = ext2		; ext2 ext3 ext4 udf iso9660 none; atapi: iso9660 only
 *	scheduler = bfq		; this and the following: optional, default the kernel's choice;
 *	nr-requests = 64	; scheduler: none mq-deadline kyber bfq
 *	max-request = 128K	; the largest request, in KiB
 *	read-ahead = 128K
 *	wbt-latency = 2ms
 *	max-ratio = 20%
 *	timeout = 60s		; of one command
 *	options = data=writeback ; of the mount
 *	fault = stop at 10s for 20s, slow at 40s for 20s to 100K/s, error at 90s for 1s
 *				; what the simulated disk does wrong, at most CASE_FAULTS. Times
 *				; count from the machine's start, which jobs begin a second or two
 *				; after. Another timing than the model's: the case is skipped
 *	[job hdd]		; name as a disk's
 *	role  = victim		; victim, load, or prepare: runs before time zero, untimed, one
 *				; after the other; the caches are dropped after it
 *	start = 5s		; optional, default 0; after mount and settings
 *	run   = dd if=/dev/zero of=/mnt/hda/zero bs=1K count=64K
 *	sync  = hda		; optional: syncfs() of this disk afterwards, timed
 *	stop  = end		; end (default) or victims: ended when all victims have
 *	cgroup-memory = 64M	; optional: in a memory cgroup of its own with this limit
 *	deadline = 5min		; optional, default 10min
 *	alone = hdd-alone	; optional: the case (same folder unless it has a slash, optionally
 *				; ":job") whose time is this job's "alone"
 *	report = 1220.9s	; optional: what the original report measured for this job ...
 *	report-alone = 39.1s	; ... and for it alone
 *	[scale full]		; other numbers, chosen by --scale=full: KEY of [case], or
 *	memory = 512M		; disk.NAME.KEY, job.NAME.KEY
 *	disk.hda.size = 2G
 *	job.hdd.run = dd ...
 *	set.vm.dirty_ratio = 5
 *	[variant bfq]		; another case, NAME@bfq, that differs from this one in these
 *	disk.hda.scheduler = bfq ; keys, which are as a scale's and put over it
 * An 'alone' of a variant is the same variant of the other case if that has one.
 * A 'run' that calls iorig-NAME is checked by wire/jobargs.h. A disk is mounted on /mnt/NAME. The
 * default scale is called "quick" and has no section. Names are short because IDE gives a serial
 * number ("io-NAME", at most 20 bytes). All scales and variants of a file are checked, whichever
 * is asked for.
 */
#ifndef CASE_CASE_H
#define CASE_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/strvec.h"
#include "vm/machine.h"
#include "wire/plan.h"

struct err;

#define CASE_DEFAULT_SCALE "quick"
#define KASE_SET_DEFAULT "default"	/* in the place of a glob: see kase_find() */
#define KASE_SET_ALL	 "all"
#define CASE_FAULTS	8	/* of one disk; what the simulator takes */
#define CASE_FILES	32	/* [file]s of one case */
#define CASE_VARIANTS	32
#define CASE_BRING	16	/* programs */
#define CASE_FILE_BYTES (256 << 10)	/* of all [file]s together */

enum case_fault_kind { CASE_FAULT_STOP, CASE_FAULT_SLOW, CASE_FAULT_ERROR };

struct case_fault {
	enum case_fault_kind kind;
	int64_t at_ns, for_ns;	/* from the machine's start */
	int64_t rate;		/* of slow, bytes/s */
};

struct case_faults {
	struct case_fault f[CASE_FAULTS];
	size_t n;
};

struct case_disk {
	char *name, *profile, *fs, *scheduler, *options;	/* fs "" = none; "" = unset */
	enum machine_bus bus;
	int64_t size;		/* 0 = the profile's */
	int64_t nr_requests, max_request, read_ahead;		/* this and below: -1 = unset */
	int64_t wbt_latency_ns, max_ratio, timeout_ns;
	struct case_faults faults;
	int line;
};

struct case_job {
	char *name, *run, *sync;	/* sync NULL = unset */
	/* "writeback/hdd-alone" and the job in it; both NULL = unset. Without ":job" in the file
	 * it is the job of the same name. */
	char *alone_case, *alone_job;
	enum plan_role role;
	enum plan_stop stop;
	int64_t start_ns, deadline_ns;
	int64_t report_ns, report_alone_ns;	/* -1 = unset */
	int64_t cgroup_memory;	/* bytes, 0 = none */
	int line;
};

struct case_set {
	char *path, *value;	/* path below /proc/sys, "vm/dirty_ratio" */
	int line;
};

struct case_file {		/* of the guest */
	char *path;		/* "/etc/job.fio" */
	char *text;		/* what is in it; no NUL */
	char *host;		/* the file it came from, below the case's folder; NULL = none */
	int line;
};

struct kase {			/* "case" is a keyword */
	char *name;		/* "writeback/hdd+dvd", "sched/stream-read@bfq" */
	char *path;		/* of the file, without the variant */
	char *variant;		/* "bfq"; NULL = none, the case as it stands */
	char *title, *origin, *about;	/* the last two NULL = unset */
	char *scale;		/* the one applied */
	struct strvec scales;	/* those the file offers besides quick */
	struct strvec variants;	/* those the file offers */
	struct strvec bring;	/* paths of the host's programs */
	char *text;		/* the file, for the run document */
	char sha256[HASH_HEX];	/* of text, scale, variant and the files' texts */
	int64_t memory, deadline_ns, sample_ns, stack_ns;	/* the last two: 0 = never */
	int cpus;
	bool pauses;
	struct case_disk *disks;
	struct case_job *jobs;
	struct case_set *sets;
	struct case_file *files;
	size_t n_disks, n_jobs, n_sets, n_files;
};

#define KASE_INIT                                                                                  \
	{ .name = NULL, .scales = STRVEC_INIT, .variants = STRVEC_INIT, .bring = STRVEC_INIT }

/*
 * Read and check one case. path is its file, name the file's path below cases/ without ".case",
 * with "@VARIANT" behind it for one that the file must have. disks_dir is where
 * profiles are (checked to exist and to fit); applets lists the commands a guest has (NULL: not
 * checked). A scale the file does not offer is ERR_INPUT only if it is not "quick". An 'alone'
 * is looked for in the folder that path without "NAME.case" gives. After an error c is empty.
 */
int kase_read(struct kase *c, const char *path, const char *name, const char *scale,
	      const char *disks_dir, const struct strvec *applets, struct err *err);
void kase_release(struct kase *c);
/* Does every 'alone' of the n cases name a job that its case has? Those cases must be among the
 * n, else it is a BUG. */
int kase_check_alone(const struct kase *cases, size_t n, struct err *err);
const struct case_job *kase_job(const struct kase *c, const char *name);
const struct case_disk *kase_disk(const struct kase *c, const char *name);
/* What the guest's kernel must have, as words of kernel/modules.h, each once. */
void kase_features(const struct kase *c, struct strvec *features);

/* The file of a case, with a variant or without: "CASES_DIR/g/c.case" of "g/c@bfq". Fresh. */
char *kase_path(const char *cases_dir, const char *name);
/*
 * All case names below cases_dir, those of variants included, that match any of the globs (fnmatch
 * without FNM_PATHNAME, so 'writeback/hdd*', '*dvd*' and '*@bfq' work); sorted. In the place of a
 * glob, "all" is every case, and "default" those that the file CASES_DIR/default names: a glob a
 * line, '#' and ';' begin comments; where there is no such file, every case. ERR_INPUT for a
 * glob that matches nothing, for a default set of none, and for a file with an '@' or one of those
 * words as its name. A case file that cannot be read has no variants here: who reads it gets to
 * know.
 */
int kase_find(const char *cases_dir, const struct strvec *globs, struct strvec *names,
	      struct err *err);

#endif
