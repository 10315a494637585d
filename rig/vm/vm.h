/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One running QEMU, followed from start to end by a plain sequence of vm_next() calls: no
 * callbacks, no threads. QEMU appends the console and the agent's frames to files; vm_next()
 * follows both (inotify), QMP, the process itself and a stop request in one poll().
 *
 *	struct vm vm __release(vm) = VM_INIT;	no QEMU survives its scope
 *
 *	ret = vm_start(&vm, &machine, dir, err);
 *	while (!ret && !vm.ended)
 *		ret = vm_next(&vm, &event, &deadline, err);
 *
 * After the process ended, by itself or through vm_stop(), everything left in both files and
 * all QMP events are still delivered before VM_EXIT.
 */
#ifndef VM_VM_H
#define VM_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/proc.h"
#include "qmp/qmp.h"
#include "vm/tail.h"

struct err;
struct deadline;
struct machine;

enum vm_event_kind {
	VM_FRAME,	/* a line of the agent's port, without newline (hostile bytes), or a
			 * piece of VM_LINE_MAX bytes of a longer one */
	VM_CONSOLE,	/* the same of the console */
	VM_QMP,		/* a QMP event: name, and its data as JSON text */
	VM_EXIT		/* QEMU ended: status; delivered once, last */
};

struct vm_event {
	enum vm_event_kind kind;
	const char *data;	/* line or QMP data; valid until the next call */
	size_t len;
	char name[QMP_NAME];	/* VM_QMP: "SHUTDOWN", "GUEST_PANICKED", "BLOCK_IO_ERROR", ... */
	int status;		/* VM_EXIT: waitpid status */
};

struct vm {
	int64_t patience_ns;	/* how long QEMU may take until it answers QMP; may be set */
	struct proc proc;
	struct qmp *qmp;
	struct vm_tail console, frames;
	int inotify_fd;
	int64_t rests_until;	/* host time up to which the files are not looked at */
	char *stderr_path;	/* QEMU's own messages */
	char *qmp_data;		/* of the latest VM_QMP event */
	bool ended;		/* VM_EXIT was delivered */
};

/*
 * A guest's serial port writes its file byte by byte, up to 100,000 of them a second. Woken by
 * each, the rig would take QEMU's processor from it as often (they share one): after a look at
 * the files it leaves them alone for so long.
 */
#define VM_REST_NS     (10LL * 1000 * 1000)
#define VM_PATIENCE_NS (120LL * 1000 * 1000 * 1000)
#define VM_INIT                                                                                    \
	{ .patience_ns = VM_PATIENCE_NS, .proc = PROC_INIT, .console = VM_TAIL_INIT,               \
	  .frames = VM_TAIL_INIT, .inotify_fd = -1 }

/*
 * Make the machine's console and frames files (emptied if they are there), start QEMU with its
 * stderr in dir/qemu.stderr, await the QMP greeting and let the guest run. The machine's qmp_fd
 * is ignored: the connection is made here. A QEMU that ends or falls silent before that is an
 * error with its status and its last line of stderr; one that cannot be run is proc_start()'s.
 */
int vm_start(struct vm *vm, const struct machine *m, const char *dir, struct err *err);
/*
 * The next event, in the order in which each file shows its own. While QEMU runs: -ETIMEDOUT
 * once the deadline has passed, even if a guest that never falls silent has more to say (the
 * machine still runs); -EINTR when a stop was asked for. -EFBIG for more output than
 * VM_FILE_MAX, -EBADMSG for a QMP peer that breaks the protocol. After any of these but -EFBIG,
 * vm_stop() and further calls up to VM_EXIT give what is left. A QMP connection that just
 * closes is no error: the process's end tells why. Not to be called after VM_EXIT (a BUG).
 */
int vm_next(struct vm *vm, struct vm_event *event, const struct deadline *d, struct err *err);
/* CPU time that QEMU has taken, with all its threads; 0 when it does not run. */
int64_t vm_cpu_ns(const struct vm *vm);
/* Let QEMU serve gdb's remote protocol, for a machine that is stopped, on a new Unix socket: path
 * is below 108 bytes, without blanks and commas. Whoever may connect may do all to the guest. */
int vm_gdbserver(struct vm *vm, const char *path, struct err *err);
/* Make QEMU end (QMP quit, then TERM, then KILL; 8 s at most) and reap it. A no-op if it does
 * not run. */
void vm_stop(struct vm *vm);
/* QEMU's last lines of stderr (8 of them, 4 KiB), each escaped, with newlines between them, in
 * a fresh string; "" if none. */
char *vm_stderr(const struct vm *vm);
void vm_release(struct vm *vm);

#endif
