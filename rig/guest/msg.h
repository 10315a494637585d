/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the agent says, as plain structs. Every frame's JSON has "t" (its kind) and "ns" (guest
 * CLOCK_MONOTONIC). Numbers are whole; a counter that the guest's kernel lacks is left out of
 * the JSON and is MSG_NONE here.
 *
 *	hello	{"t":"hello","ns":N,"proto":1,"release":"6.1.0","machine":"x86_64","mem_kb":N,
 *		 "cpus":N}
 *	module	{"t":"module","ns":N,"name":"ata_piix","error":0}	error: errno of the load
 *	set	{"t":"set","ns":N,"path":"...","value":"...","error":0}
 *	disk	{"t":"disk","ns":N,"name":"hda","dev":"sdb","major":8,"minor":16,"bytes":N,
 *		 "sector":512,"rotational":1,"scheduler":"mq-deadline","nr_requests":N,
 *		 "queue_depth":N}
 *	lacks	{"t":"lacks","ns":N,"what":"disk","name":"hda","text":"no disk with serial ..."}
 *		what: disk, filesystem, file, setting. The guest goes on to "fail".
 *	fail	{"t":"fail","ns":N,"stage":"mount","text":"...","error":N}	the guest gives up
 *	ready	{"t":"ready","ns":N}		disks mounted, settings applied; job time zero
 *	start	{"t":"start","ns":N,"job":"hdd"}
 *	end	{"t":"end","ns":N,"job":"hdd","start_ns":N,"wall_ns":N,"user_ns":N,"sys_ns":N,
 *		 "exit":0,"signal":0,"timeout":0,"stopped":0,"sync_ns":N,"sync_error":0,
 *		 "output":"..."}
 *		timeout: killed at its deadline; stopped: a load ended because all victims had;
 *		sync_ns is MSG_NONE without a sync; output: last 400 bytes the command printed
 *	result	{"t":"result","ns":N,"job":"hdd","ops":N,"bytes":N,"errors":N,"first_ns":N,
 *		 "last_ns":N,"sum":N,"min":N,"max":N,"hist":[[BUCKET,COUNT],...]}
 *		before the job's "end", if it ran jobs of the agent (wire/jobargs.h), summed over
 *		them: calls, bytes moved, calls that failed; when the first began and the last
 *		ended; and the calls' latencies in ns (wire/hist.h), buckets in ascending order
 *	stacks	{"t":"stacks","ns":N,"job":"hdd","rounds":N,"source":"stack"}
 *		after all "end"s: how often the job's processes were looked at, and what was to be
 *		had: "stack", "wchan" (a kernel without /proc/PID/stack), "none" (state alone)
 *	stack	{"t":"stack","ns":N,"job":"hdd","state":"D","count":N,"stack":"io_schedule ..."}
 *		what was seen so often: a process's state and the kernel functions that it was in,
 *		innermost first, one blank between them, at most 24; "" = not known. State "other"
 *		stands for all that was too rare to be kept apart
 *	document {"t":"document","ns":N,"job":"fio","total":N,"at":N,"text":"..."}
 *		before the job's "result": a piece of what its command left (wire/document.h): how
 *		many bytes that has, and from which on; without text: it is too long, or empty
 *	tracing	{"t":"tracing","ns":N,"note":"","lost":N}
 *		after all "end"s, if the plan asks for pauses: why there are none, and how many
 *		events the kernel had no room for
 *	pauses	{"t":"pauses","ns":N,"disk":"hda","count":N,"sum_ns":N,"max_ns":N}
 *		what balance_dirty_pages() made writers wait for that disk, all together
 *	sample	{"t":"sample","ns":N,"disks":{"hda":{"dirty":KB,"writeback":KB,"thresh":KB,
 *		 "dirtied":KB,"written":KB,"bandwidth":KB/s,"io":[11 to 17 numbers]}},
 *		 "vm":{"dirty":PAGES,"writeback":PAGES,"limit":PAGES,"background":PAGES},
 *		 "vmstat":[r,b,swpd,free,buff,cache,si,so,bi,bo,in,cs,us,sy,id,wa]}
 *	done	{"t":"done","ns":N}		all jobs ended; the guest powers off
 *
 * May be left out: disk's rotational, scheduler ("" here), nr_requests, queue_depth; end's
 * sync_ns and sync_error; sample's counters in "disks" and "vm". In vmstat, whose 16 numbers go by
 * their place, -1 stands for one that is lacking. "disks" may be empty.
 *
 * Everything here is hostile input: a frame is refused that is longer than FRAME_MAX, is not
 * one JSON object, names a field twice, lacks one or has it ill-typed, or holds a negative
 * number, a string that does not fit below, more than MSG_DISKS disks, a bucket that is none or
 * out of order, a first value above the last. Strings are valid UTF-8
 * without NUL, but escape them before they meet a terminal. Unknown kinds (MSG_UNKNOWN) and
 * unknown fields are ignored, so a newer agent does not break an older rig.
 */
#ifndef GUEST_MSG_H
#define GUEST_MSG_H

#include <stddef.h>
#include <stdint.h>

#include "wire/document.h"
#include "wire/hist.h"

struct err;

#define MSG_NONE	(-1)
#define MSG_NAME	48
#define MSG_TEXT	512
#define MSG_DISKS	16
#define MSG_IO_MIN	11	/* Linux before 4.18 */
#define MSG_IO		17
#define MSG_VMSTAT	16
#define MSG_STACK_TEXT	1024	/* bytes of a stack */
#define MSG_STACKS_MAX	65	/* distinct ones of a job, "other" included */

enum msg_kind {
	MSG_HELLO, MSG_MODULE, MSG_SET, MSG_DISK, MSG_LACKS, MSG_FAIL, MSG_READY, MSG_START,
	MSG_RESULT, MSG_END, MSG_STACKS, MSG_STACK, MSG_DOCUMENT, MSG_TRACING, MSG_PAUSES,
	MSG_SAMPLE, MSG_DONE, MSG_UNKNOWN
};

struct msg_sample_disk {
	char name[MSG_NAME];
	/* KB: BdiReclaimable, BdiWriteback, BdiDirtyThresh, BdiDirtied, BdiWritten; KB/s */
	int64_t dirty, writeback, thresh, dirtied, written, bandwidth;
	int n_io;
	int64_t io[MSG_IO];	/* /proc/diskstats from the fourth field on */
};

struct msg_sample {
	int64_t ns;
	int64_t dirty, writeback, limit, background;	/* pages, /proc/vmstat */
	int64_t vmstat[MSG_VMSTAT];
	int n_disks;
	struct msg_sample_disk disks[MSG_DISKS];
};

struct msg_disk {
	char name[MSG_NAME], dev[MSG_NAME], scheduler[MSG_NAME];
	int64_t major, minor, bytes, sector, rotational, nr_requests, queue_depth;
};

struct msg_end {
	char job[MSG_NAME];
	int64_t start_ns, wall_ns, user_ns, sys_ns, exit, signal, timeout, stopped;
	int64_t sync_ns, sync_error;
	char output[MSG_TEXT];
};

/* What a job of the agent counted; without ops first_ns and last_ns are 0. */
struct msg_result {
	char job[MSG_NAME];
	int64_t ops, bytes, errors;
	int64_t first_ns, last_ns;
	struct hist hist;
};

struct msg_stacks {
	char job[MSG_NAME], source[MSG_NAME];
	int64_t rounds;
};

struct msg_stack {
	char job[MSG_NAME], state[MSG_NAME], stack[MSG_STACK_TEXT];
	int64_t count;
};

struct msg_document {
	char job[MSG_NAME], text[DOCUMENT_PIECE + 1];
	int64_t total, at;
};

/* Of one disk, over all writers. */
struct msg_pauses {
	char disk[MSG_NAME];
	int64_t count, sum_ns, max_ns;
};

struct msg {
	enum msg_kind kind;
	int64_t ns;
	union {
		struct { char release[128], machine[32]; int64_t proto, mem_kb, cpus; } hello;
		struct { char name[MSG_NAME]; int64_t error; } module;
		struct { char path[256], value[256]; int64_t error; } set;
		struct msg_disk disk;
		struct { char what[MSG_NAME], name[MSG_NAME], text[MSG_TEXT]; } lacks;
		struct { char stage[MSG_NAME], text[MSG_TEXT]; int64_t error; } fail;
		struct { char job[MSG_NAME]; } start;
		struct msg_result result;
		struct msg_end end;
		struct msg_stacks stacks;
		struct msg_stack stack;
		struct msg_document document;
		struct { char note[MSG_TEXT]; int64_t lost; } tracing;
		struct msg_pauses pauses;
		struct msg_sample sample;
	};
};

/* Parse one frame's JSON. -EBADMSG with a message when it is not what this header says; msg's
 * content is then of no use. */
int msg_parse(struct msg *msg, const char *json, size_t len, struct err *err);

#endif
