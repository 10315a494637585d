/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of guest/console: real forms of each fault, and what only looks like one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "guest/console.h"

static const struct {
	enum console_fault fault;
	const char *line;
} rows[] = {
	{ CONSOLE_PANIC, "[    1.752767] Kernel panic - not syncing: VFS: Unable to mount root fs "
			 "on unknown-block(0,0)" },
	{ CONSOLE_PANIC,
	  "Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000009" },
	{ CONSOLE_PANIC, "<0>Kernel panic: Aiee, killing interrupt handler!" },
	{ CONSOLE_PANIC, "Kernel panic: VFS: Unable to mount root fs on 03:01\r" },
	{ CONSOLE_PANIC, " <0>Kernel panic - not syncing: Fatal exception in interrupt" },
	{ CONSOLE_PANIC, " hda:<0>Kernel panic: Attempted to kill init!" },
	{ CONSOLE_PANIC, "[    0.000000][    T0] Kernel panic - not syncing: System is deadlocked "
			 "on memory" },
	{ CONSOLE_PANIC, "PANIC: early exception 0x0e IP 10:ffffffff81000123 error 0 cr2 0x0" },
	{ CONSOLE_PANIC, "[    3.1] traps: PANIC: double fault, error_code: 0x0" },

	{ CONSOLE_OOPS, "[   12.345678] Oops: 0002 [#1] PREEMPT SMP PTI" },
	{ CONSOLE_OOPS, "Oops: 0000" },
	{ CONSOLE_OOPS, "[   12.345678] Oops: Oops: 0000 [#1] SMP NOPTI" },
	{ CONSOLE_OOPS, "general protection fault: 0000 [#1] SMP" },
	{ CONSOLE_OOPS, "[    5.000001] general protection fault, probably for non-canonical "
			"address 0xdead000000000100: 0000 [#1] PREEMPT SMP" },
	{ CONSOLE_OOPS, "Unable to handle kernel NULL pointer dereference at virtual address "
			"00000008" },
	{ CONSOLE_OOPS, "<1>Unable to handle kernel paging request at virtual address c0de0000" },
	{ CONSOLE_OOPS,
	  "BUG: unable to handle kernel NULL pointer dereference at 0000000000000008" },
	{ CONSOLE_OOPS, "[    5.000001][    C1] BUG: kernel NULL pointer dereference, address: "
			"0000000000000008" },
	{ CONSOLE_OOPS,
	  "[    5.0] BUG: unable to handle page fault for address: ffffc90000000000" },
	{ CONSOLE_OOPS, "[    5.0] divide error: 0000 [#1] SMP" },
	{ CONSOLE_OOPS,
	  "[    5.0] BUG: TASK stack guard page was hit at 0000000012345678 (stack is "
			"0000000012345678..0000000012345679)" },

	{ CONSOLE_BUG, "kernel BUG at page-writeback.c:512!" },
	{ CONSOLE_BUG, "[   99.100000] kernel BUG at fs/ext4/inode.c:2721!" },
	{ CONSOLE_BUG, "[   99.100001] invalid opcode: 0000 [#1] PREEMPT SMP PTI" },
	{ CONSOLE_BUG, "[   99.100001] Oops: invalid opcode: 0000 [#1] SMP NOPTI" },
	{ CONSOLE_BUG, "[   99.100000] BUG: KASAN: use-after-free in wb_workfn+0x12/0x34" },
	{ CONSOLE_BUG, "[   99.100000] BUG: scheduling while atomic: dd/123/0x00000002" },
	{ CONSOLE_BUG, "[   99.100000] BUG: Bad page state in process dd  pfn:12345" },
	{ CONSOLE_BUG, "bad: scheduling while atomic!" },
	{ CONSOLE_BUG, "Debug: sleeping function called from invalid context at mm/slab.c:1980" },

	{ CONSOLE_SOFT_LOCKUP, "BUG: soft lockup - CPU#0 stuck for 61s! [dd:1234]" },
	{ CONSOLE_SOFT_LOCKUP, "BUG: soft lockup detected on CPU#0!" },
	{ CONSOLE_SOFT_LOCKUP, "[   48.0] watchdog: BUG: soft lockup - CPU#0 stuck for 22s! "
			       "[kworker/0:1:17]" },
	{ CONSOLE_SOFT_LOCKUP, "[   48.0] NMI watchdog: Watchdog detected hard LOCKUP on cpu 0" },
	{ CONSOLE_SOFT_LOCKUP, "NMI Watchdog detected LOCKUP on CPU0, eip c0123456, registers:" },
	{ CONSOLE_SOFT_LOCKUP, "INFO: rcu_sched_state detected stall on CPU 0 (t=65000 jiffies)" },
	{ CONSOLE_SOFT_LOCKUP, "[   63.0] rcu: INFO: rcu_preempt self-detected stall on CPU" },
	{ CONSOLE_SOFT_LOCKUP, "[   63.0] rcu: INFO: rcu_sched detected stalls on CPUs/tasks:" },
	{ CONSOLE_SOFT_LOCKUP,
	  "[   63.0] rcu: rcu_sched kthread starved for 5250 jiffies! g1 f0x0" },
	{ CONSOLE_SOFT_LOCKUP, "[   63.0] BUG: workqueue lockup - pool cpus=0 node=0 flags=0x0" },

	{ CONSOLE_HUNG_TASK, "INFO: task dd:1234 blocked for more than 120 seconds." },
	{ CONSOLE_HUNG_TASK, "[  243.0] INFO: task kworker/u4:1:29 blocked for more than 122 "
			     "seconds." },
	{ CONSOLE_HUNG_TASK, "[  243.0] INFO: task dd:77 blocked in I/O wait for more than 120 "
			     "seconds." },

	{ CONSOLE_IO_ERROR, "end_request: I/O error, dev 03:01 (hda), sector 131072" },
	{ CONSOLE_IO_ERROR, "end_request: I/O error, dev sda, sector 0" },
	{ CONSOLE_IO_ERROR, "[    9.0] blk_update_request: I/O error, dev sda, sector 8 op "
			    "0x1:(WRITE) flags 0x800 phys_seg 1 prio class 0" },
	{ CONSOLE_IO_ERROR, "[    9.0] print_req_error: I/O error, dev sda, sector 8" },
	{ CONSOLE_IO_ERROR, "[    9.0] I/O error, dev sda, sector 8 op 0x0:(READ) flags 0x0" },
	{ CONSOLE_IO_ERROR, "[    9.0] critical medium error, dev sr0, sector 64" },
	{ CONSOLE_IO_ERROR, "Buffer I/O error on device hda1, logical block 1" },
	{ CONSOLE_IO_ERROR, "[    9.0] Buffer I/O error on dev sda1, logical block 1, lost async "
			    "page write" },
	{ CONSOLE_IO_ERROR, "EXT2-fs error (device ide0(3,1)): ext2_new_block: Free blocks count "
			    "corrupted" },
	{ CONSOLE_IO_ERROR, "[    9.0] EXT4-fs error (device sda): ext4_lookup:1858: inode #2" },
	{ CONSOLE_IO_ERROR, "[    9.0] EXT4-fs (sda): Remounting filesystem read-only" },
	{ CONSOLE_IO_ERROR, "Aborting journal on device hda1." },
	{ CONSOLE_IO_ERROR, "hda: dma_intr: error=0x84 { DriveStatusError BadCRC }" },
	{ CONSOLE_IO_ERROR, "hdc: lost interrupt" },
	{ CONSOLE_IO_ERROR, "[   40.0] ata1.00: exception Emask 0x0 SAct 0x0 SErr 0x0 action 0x6 "
			    "frozen" },
	{ CONSOLE_IO_ERROR, "[   40.0] ata1.00: failed command: WRITE DMA" },
	{ CONSOLE_IO_ERROR,
	  "[   40.0] sd 2:0:0:0: [sdb] tag#0 FAILED Result: hostbyte=DID_TIME_OUT "
			    "driverbyte=DRIVER_OK cmd_age=30s" },
	{ CONSOLE_IO_ERROR, "[   40.0] sd 2:0:0:0: rejecting I/O to offline device" },
	{ CONSOLE_IO_ERROR, "scsi : aborting command due to timeout : pid 12, scsi0, channel 0" },

	{ CONSOLE_OOM, "Out of Memory: Killed process 345 (dd)." },
	{ CONSOLE_OOM, "Out of memory: Kill process 345 (dd) score 900 or sacrifice child" },
	{ CONSOLE_OOM, "[   20.0] Out of memory: Killed process 345 (dd) total-vm:1234kB" },
	{ CONSOLE_OOM, "[   20.0] Memory cgroup out of memory: Killed process 345 (dd)" },
	{ CONSOLE_OOM, "VM: killing process dd" },

	{ CONSOLE_WARNING, "WARNING: at fs/fs-writeback.c:1234 __mark_inode_dirty+0x1/0x2()" },
	{ CONSOLE_WARNING,
	  "[    7.0] WARNING: CPU: 0 PID: 1 at mm/page-writeback.c:2727 x+0x1/0x2" },
	{ CONSOLE_WARNING,
	  "[    7.0] WARNING: mm/page-writeback.c:2727 at x+0x1/0x2, CPU#0: dd/77" },
	{ CONSOLE_WARNING, "[    7.0] WARNING: possible circular locking dependency detected" },
	{ CONSOLE_WARNING, "[ INFO: possible recursive locking detected ]" },
	{ CONSOLE_WARNING, "Badness in local_bh_enable at kernel/softirq.c:121" },
	{ CONSOLE_WARNING, "[    7.0] UBSAN: shift-out-of-bounds in block/blk-mq.c:12:3" },

	{ CONSOLE_CLEAN, "" },
	{ CONSOLE_CLEAN, "[    0.000000] Command line: console=ttyS0 panic=-1 oops=panic" },
	{ CONSOLE_CLEAN, "[    0.077743] Kernel command line: panic=-1 oops=panic x=<0>Oops: 1" },
	{ CONSOLE_CLEAN,
	  "Kernel command line: root=/dev/hda1 BUG: soft lockup Out of memory: Kill" },
	{ CONSOLE_CLEAN, "[    1.0] random: crng init done" },
	{ CONSOLE_CLEAN, "[    1.0] scsi 2:0:0:0: Direct-Access     BUG: X   DISK     1.0  PQ: 0" },
	{ CONSOLE_CLEAN, "[    1.0] usb 1-1: Product: BUG panic Oops: stick" },
	{ CONSOLE_CLEAN, "[    1.0] EXT4-fs (sda): mounted filesystem without journal. Opts: "
			 "errors=remount-ro. Quota mode: none." },
	{ CONSOLE_CLEAN, "[    1.0] EXT4-fs (sda): re-mounted. Opts: errors=panic" },
	{ CONSOLE_CLEAN, "tar: Out of memory" },
	{ CONSOLE_CLEAN, "[    1.0] auditsc: out of memory, audit has lost a tree reference" },
	{ CONSOLE_CLEAN, "[    1.0] ACPI Error: No handler for Region [ECOR] (20190816/evregion)" },
	{ CONSOLE_CLEAN, "[    0.1] RAS: Correctable Errors collector initialized." },
	{ CONSOLE_CLEAN, "[    0.1] rcu: RCU CPU stall warnings suppressed" },
	{ CONSOLE_CLEAN,
	  "[    0.1] RETBleed: WARNING: Spectre v2 mitigation leaves CPU vulnerable" },
	{ CONSOLE_CLEAN, "[    0.1] WARNING: Unprivileged eBPF is enabled with eIBRS on" },
	{ CONSOLE_CLEAN, "Warning: unable to open an initial console." },
	{ CONSOLE_CLEAN, "[    0.1] watchdog: Delayed init of the lockup detector failed: -19" },
	{ CONSOLE_CLEAN,
	  "[    0.1] NMI watchdog: Enabled. Permanently consumes one hw-PMU counter." },
	{ CONSOLE_CLEAN, "[    0.1] clocksource: timekeeping watchdog on CPU0: Marking clocksource "
			 "'tsc' as unstable" },
	{ CONSOLE_CLEAN, "[    9.0] ---[ end Kernel panic - not syncing: Fatal exception ]---" },
	{ CONSOLE_CLEAN, "[    9.0] Kernel Offset: disabled" },
	{ CONSOLE_CLEAN, "ata1: SATA link down (SStatus 0 SControl 300)" },
	{ CONSOLE_CLEAN, "[    0.1] Kernel panic" },
};

static void feed(struct console *c, const char *line)
{
	console_line(c, line, strlen(line));
}

static void test_forms(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct console c;

		console_init(&c);
		feed(&c, rows[i].line);
		if (console_worst(&c) != rows[i].fault)
			fail_msg("%s: '%s'", console_fault_name(console_worst(&c)), rows[i].line);
		for (int f = CONSOLE_WARNING; f < CONSOLE_N; f++)
			assert_int_equal(c.seen[f], f == (int)rows[i].fault);
		if (rows[i].fault != CONSOLE_CLEAN)
			assert_int_equal(c.lines[rows[i].fault].n, 1);
		console_release(&c);
	}
}

static void test_booted(void **state)
{
	static const struct {
		bool booted;
		const char *line;
	} lines[] = {
		{ false, "SeaBIOS (version 1.16.2)" }, { false, "" }, { false, "[ ] x" },
		{ false, "[x 1.0] y" }, { true, "Linux version 2.4.27 (gcc)" },
		{ true, "<4>Linux version 2.6.8" }, { true, "[    0.000000] Linux version 6.1" },
		{ true, "[   12.5] anything" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct console c;

		console_init(&c);
		feed(&c, lines[i].line);
		if (c.booted != lines[i].booted)
			fail_msg("'%s'", lines[i].line);
		console_release(&c);
	}
}

/* The first of a kind is kept with what follows; a later one only counts. */
static void test_evidence(void **state)
{
	struct console c;

	(void)state;
	console_init(&c);
	feed(&c, "before");
	feed(&c, "Oops: 0000 [#1]");
	for (int i = 0; i < CONSOLE_CONTEXT - 1; i++)
		feed(&c, "context");
	feed(&c, "last of it");
	feed(&c, "after");
	assert_int_equal(c.lines[CONSOLE_OOPS].n, CONSOLE_CONTEXT + 1);
	assert_string_equal(c.lines[CONSOLE_OOPS].v[0], "Oops: 0000 [#1]");
	assert_string_equal(c.lines[CONSOLE_OOPS].v[CONSOLE_CONTEXT], "last of it");
	feed(&c, "Oops: 0001 [#2]");
	assert_int_equal(c.seen[CONSOLE_OOPS], 2);
	assert_int_equal(c.lines[CONSOLE_OOPS].n, CONSOLE_CONTEXT + 1);
	/* a panic within it is the worse one, with its own evidence */
	feed(&c, "Kernel panic - not syncing: Fatal exception");
	feed(&c, "Kernel Offset: disabled");
	assert_int_equal(console_worst(&c), CONSOLE_PANIC);
	assert_int_equal(c.lines[CONSOLE_PANIC].n, 2);
	feed(&c, "WARNING: at x.c:1");
	assert_int_equal(console_worst(&c), CONSOLE_PANIC);
	console_release(&c);
	console_release(&c);
}

/* A worse fault within another's context takes over at once. */
static void test_takes_over(void **state)
{
	struct console c;

	(void)state;
	console_init(&c);
	feed(&c, "WARNING: at x.c:1");
	feed(&c, "Call Trace:");
	feed(&c, "Oops: 0000 [#1]");
	feed(&c, "more");
	assert_int_equal(c.lines[CONSOLE_WARNING].n, 2);
	assert_int_equal(c.lines[CONSOLE_OOPS].n, 2);
	console_release(&c);
}

static void test_last(void **state)
{
	struct console c;
	char line[24];

	(void)state;
	console_init(&c);
	for (int i = 0; i < 3 * CONSOLE_LAST; i++) {
		snprintf(line, sizeof(line), "line %d", i);
		feed(&c, line);
		assert_int_equal(c.last.n, i < CONSOLE_LAST ? i + 1 : CONSOLE_LAST);
	}
	assert_string_equal(c.last.v[0], "line 40");
	assert_string_equal(c.last.v[CONSOLE_LAST - 1], "line 59");
	assert_null(c.last.v[CONSOLE_LAST]);
	console_release(&c);
}

static void test_hostile(void **state)
{
	static char big[100000];
	struct console c;

	(void)state;
	console_init(&c);
	/* NULs hide nothing, and no ESC gets through */
	console_line(&c, "\0\0\x1b Oops: 0\x1b[2J", 15);
	assert_int_equal(console_worst(&c), CONSOLE_OOPS);
	assert_string_equal(c.last.v[0], "\\x00\\x00\\x1b Oops: 0\\x1b[2J");
	console_release(&c);
	console_init(&c);
	memset(big, 'x', sizeof(big));
	memcpy(big, "Oops: ", 6);
	console_line(&c, big, sizeof(big));
	assert_int_equal(console_worst(&c), CONSOLE_OOPS);
	assert_true(strlen(c.last.v[0]) < CONSOLE_LINE + 10);
	memset(big, '<', sizeof(big));
	console_line(&c, big, sizeof(big));
	console_line(&c, "", 0);
	console_line(&c, "\r", 1);
	assert_string_equal(c.last.v[c.last.n - 1], "");
	console_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_booted),
		cmocka_unit_test(test_evidence),
		cmocka_unit_test(test_takes_over),
		cmocka_unit_test(test_last),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
