/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of vm/machine: golden command lines, and what must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "vm/machine.h"

static const struct machine plain = {
	.qemu = "qemu-system-x86_64",
	.memory = 128 << 20,
	.smp = 1,
	.accel = ACCEL_TCG,
	.clock = CLOCK_REAL,
	.timing = TIMING_THROTTLE,
	.seed = 42,
	.kernel = "/k/vmlinux",
	.initrd = "/r/initrd",
	.cmdline = "console=ttyS0 panic=-1",
	.console = "/r/console.log",
	.frames = "/r/frames",
	.qmp_fd = -1,
};

#define PLAIN_SERIAL                                                                               \
	"-chardev file,id=console,path=/r/console.log,append=on\n"                                 \
	"-serial chardev:console\n"                                                                \
	"-chardev file,id=frames,path=/r/frames,append=on\n"                                       \
	"-serial chardev:frames\n"

#define HEAD(hpet)                                                                                 \
	"qemu-system-x86_64\n"                                                                     \
	"-name rig,debug-threads=on\n"                                                             \
	"-nodefaults\n"                                                                            \
	"-no-user-config\n"                                                                        \
	"-no-reboot\n"                                                                             \
	"-display none\n"                                                                          \
	"-machine pc,usb=off,vmport=off,hpet=" hpet ",dump-guest-core=off\n"
#define PLAIN_HEAD HEAD("off")

#define PLAIN_TAIL                                                                                 \
	"-seed 42\n"                                                                               \
	"-m 128M\n"                                                                                \
	"-smp 1\n"                                                                                 \
	"-kernel /k/vmlinux\n"                                                                     \
	"-initrd /r/initrd\n"                                                                      \
	"-append console=ttyS0 panic=-1\n" PLAIN_SERIAL

#define TCG "-accel tcg\n-cpu qemu64\n"
#define SIM                                                                                        \
	"-accel tcg,thread=single\n"                                                               \
	"-icount shift=1,sleep=off\n"                                                              \
	"-rtc base=2004-09-09T00:00:00,clock=vm\n"                                                 \
	"-cpu qemu64\n"

/* The argv as text: a line for each word that begins an option. */
static void argv_text(const struct machine *m, struct strbuf *out)
{
	struct strvec argv __release(strvec) = STRVEC_INIT;
	struct err err = ERR_INIT;

	if (machine_argv(m, &argv, &err))
		fail_msg("refused: %s", err.msg);
	for (size_t i = 0; i < argv.n; i++) {
		if (i > 0)
			strbuf_addch(out, argv.v[i][0] == '-' ? '\n' : ' ');
		strbuf_addstr(out, argv.v[i]);
	}
	strbuf_addch(out, '\n');
}

static void check(const struct machine *m, const char *golden)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;

	argv_text(m, &text);
	assert_string_equal(text.buf, golden);
}

static struct machine_disk disk(const char *name, enum machine_bus bus)
{
	return (struct machine_disk){ .name = name, .bus = bus, .image = "/r/disk.img",
				      .serial = "serial-1", .sector = 512, .rotational = true };
}

static void test_no_disk(void **state)
{
	struct machine m = plain;

	(void)state;
	check(&m, PLAIN_HEAD TCG PLAIN_TAIL);
	m.initrd = NULL;
	m.qmp_fd = 7;
	m.smp = 2;
	check(&m, PLAIN_HEAD TCG
	      "-seed 42\n-m 128M\n-smp 2\n-kernel /k/vmlinux\n"
	      "-append console=ttyS0 panic=-1\n" PLAIN_SERIAL
	      "-chardev socket,id=qmp,fd=7\n"
	      "-mon chardev=qmp,mode=control\n"
	      "-S\n");
}

static void test_kvm(void **state)
{
	struct machine m = plain;

	(void)state;
	m.accel = ACCEL_KVM;
	check(&m, PLAIN_HEAD "-accel kvm\n-cpu host\n" PLAIN_TAIL);
}

static void test_throttle(void **state)
{
	struct machine_disk d = disk("hda", BUS_IDE);
	struct machine m = plain;

	(void)state;
	d.bps_read = 27400000;
	d.bps_write = 1000000;
	m.disks = &d;
	m.n_disks = 1;
	check(&m, PLAIN_HEAD TCG PLAIN_TAIL
	      "-blockdev driver=file,node-name=file.hda,filename=/r/disk.img,read-only=off,"
	      "cache.direct=off,aio=threads,cache.no-flush=on\n"
	      "-blockdev driver=raw,node-name=raw.hda,file=file.hda,read-only=off\n"
	      "-object throttle-group,id=rate.hda,x-bps-read=27400000,x-bps-write=1000000\n"
	      "-blockdev driver=throttle,node-name=disk.hda,throttle-group=rate.hda,file=raw.hda,"
	      "read-only=off\n"
	      "-device ide-hd,bus=ide.0,unit=0,rotation_rate=7200,id=disk.hda,drive=disk.hda,"
	      "serial=serial-1,logical_block_size=512,physical_block_size=512,write-cache=on,"
	      "werror=stop,rerror=stop\n");
}

static void test_sim(void **state)
{
	struct machine_disk d = disk("dvd", BUS_SCSI);
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	struct machine m = plain;

	(void)state;
	d.sector = 2048;
	d.removable = true;
	d.bps_write = 1000000;	/* the model's business, not a throttle's */
	m.clock = CLOCK_SIM;
	m.timing = TIMING_MODEL;
	m.sim_library = "/l/sim.so";
	m.disks = &d;
	m.n_disks = 1;
	check(&m, HEAD("on") SIM PLAIN_TAIL
	      "-blockdev driver=file,node-name=file.dvd,filename=/r/disk.img,read-only=off,"
	      "cache.direct=on,aio=native,cache.no-flush=off\n"
	      "-blockdev driver=raw,node-name=disk.dvd,file=file.dvd,read-only=off\n"
	      "-device am53c974,id=scsi\n"
	      "-device scsi-hd,bus=scsi.0,scsi-id=0,removable=on,rotation_rate=7200,id=disk.dvd,"
	      "drive=disk.dvd,serial=serial-1,logical_block_size=2048,physical_block_size=2048,"
	      "write-cache=on,werror=enospc,rerror=report\n");
	/* two CPUs take their ticks from their own timers */
	m.smp = 2;
	strbuf_reset(&text);
	argv_text(&m, &text);
	assert_non_null(strstr(text.buf, "hpet=off"));
}

static void test_commas(void **state)
{
	struct machine_disk d = disk("hda", BUS_IDE);
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	struct machine m = plain;

	(void)state;
	d.image = "/r/a,b=c,,d.img";
	m.console = "/r/x,append=off";
	m.disks = &d;
	m.n_disks = 1;
	argv_text(&m, &text);
	assert_non_null(strstr(text.buf, ",filename=/r/a,,b=c,,,,d.img,read-only=off"));
	assert_non_null(strstr(text.buf, ",path=/r/x,,append=off,append=on\n"));
}

static void check_refused(const struct machine *m, const char *message)
{
	struct strvec argv __release(strvec) = STRVEC_INIT;
	struct strbuf script __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(machine_argv(m, &argv, &err), -EINVAL);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_string_equal(err.msg, message);
	assert_int_equal(machine_script(m, &script, &err), -EINVAL);
	assert_int_equal(script.len, 0);
}

static void test_refused_machine(void **state)
{
	struct machine m = plain;

	(void)state;
	m.sim_library = "/l/sim.so";
	m.clock = CLOCK_SIM;
	check_refused(&m, "a simulated clock needs the disk model: throttle groups run on the "
			  "host's time");
	m.timing = TIMING_MODEL;
	m.accel = ACCEL_KVM;
	check_refused(&m, "a simulated clock counts instructions, which KVM cannot");
	m = plain;
	m.memory++;
	check_refused(&m, "memory of 134217729 bytes is not whole MiB");
	m = plain;
	m.smp = 0;
	check_refused(&m, "a machine needs a CPU, not 0");
}

static void test_env(void **state)
{
	struct strvec env __release(strvec) = STRVEC_INIT;
	struct machine m = plain;

	(void)state;
	machine_env(&m, &env);
	assert_int_equal(env.n, 0);
	m.sim_library = "/l/sim.so";
	m.sim_config = "/r/sim.conf";
	machine_env(&m, &env);
	assert_int_equal(env.n, 2);
	assert_string_equal(env.v[0], "LD_PRELOAD=/l/sim.so");
	assert_string_equal(env.v[1], "IORIG_SIM=/r/sim.conf");
}

static void test_script(void **state)
{
	struct strbuf script __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct machine m = plain;

	(void)state;
	m.qmp_fd = 3;
	m.sim_library = "/l i/b";
	m.sim_config = "it's";
	m.cmdline = "-a b";
	assert_int_equal(machine_script(&m, &script, &err), 0);
	assert_ptr_equal(strstr(script.buf, "#!/bin/sh\n[ -e /r/initrd ] || {\n"), script.buf);
	assert_non_null(strstr(script.buf, "}\nLD_PRELOAD='/l i/b' \\\nIORIG_SIM="));
	assert_non_null(strstr(script.buf, " \\\n\t-nodefaults \\\n\t-no-user-config \\\n"));
	assert_non_null(strstr(script.buf, " \\\n\t-append '-a b' \\\n\t-chardev "));
	assert_null(strstr(script.buf, "qmp"));
	assert_null(strstr(script.buf, "-S"));
}

/* Run by a shell, the script passes exactly the words of machine_argv(). */
static void test_script_runs(void **state)
{
	static const char words[] = "#!/bin/sh\nprintf '%s\\0' \"$0\" \"$@\"\n";
	struct deadline d = deadline_in("the script", 30 * NS_PER_S);
	struct strbuf script __release(strbuf) = STRBUF_INIT;
	struct strbuf got __release(strbuf) = STRBUF_INIT;
	struct strbuf want __release(strbuf) = STRBUF_INIT;
	struct strvec argv __release(strvec) = STRVEC_INIT;
	struct proc p __release(proc) = PROC_INIT;
	struct err err = ERR_INIT;
	struct machine m = plain;
	char *dir __free(ptr) = NULL;
	char *qemu __free(ptr) = NULL;

	(void)state;
	assert_int_equal(dir_temp("/tmp/test machine", &dir, &err), 0);
	qemu = path_join(dir, "qemu");
	assert_int_equal(file_write_atomic(qemu, words, strlen(words), 0755, &err), 0);
	m.qemu = qemu;
	m.initrd = qemu;	/* without an initramfs it would refuse to start */
	m.cmdline = "a 'b' \"c\" $(d) `e` \\ *\n\tf";
	assert_int_equal(machine_script(&m, &script, &err), 0);
	assert_int_equal(machine_argv(&m, &argv, &err), 0);
	strvec_each(word, &argv)
		strbuf_add(&want, *word, strlen(*word) + 1);
	strvec_pushl(&p.argv, "sh", "-c", script.buf, NULL);
	if (proc_capture(&p, &d, 65536, &got, NULL, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(got.len, want.len);
	assert_memory_equal(got.buf, want.buf, want.len);
	assert_int_equal(dir_remove(dir, &err), 0);
}

static void test_bus_names(void **state)
{
	(void)state;
	for (int bus = BUS_IDE; bus <= BUS_VIRTIO; bus++)
		assert_int_equal(machine_bus_parse(machine_bus_name(bus)), bus);
	assert_int_equal(machine_bus_parse("atapi"), BUS_ATAPI);
	assert_int_equal(machine_bus_parse("sata"), -1);
	assert_int_equal(machine_bus_parse(""), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_disk),
		cmocka_unit_test(test_kvm),
		cmocka_unit_test(test_throttle),
		cmocka_unit_test(test_sim),
		cmocka_unit_test(test_commas),
		cmocka_unit_test(test_refused_machine),
		cmocka_unit_test(test_env),
		cmocka_unit_test(test_script),
		cmocka_unit_test(test_script_runs),
		cmocka_unit_test(test_bus_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
