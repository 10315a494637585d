/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine's description becomes QEMU's arguments, or a script; disks are in machine_disk.c. */
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "vm/machine.h"
#include "vm/machine_disk.h"

/* Options that take no value; after any other one the next word belongs to it. */
static const char *const flag_options[] = { "-nodefaults", "-no-user-config", "-no-reboot", "-S" };

static const char *const bus_names[] = {
	[BUS_IDE] = "ide", [BUS_SCSI] = "scsi", [BUS_ATAPI] = "atapi",
	[BUS_USB] = "usb", [BUS_AHCI] = "ahci", [BUS_VIRTIO] = "virtio",
};

#define N_BUSES (sizeof(bus_names) / sizeof(bus_names[0]))

const char *machine_bus_name(enum machine_bus bus)
{
	return bus_names[bus];
}

int machine_bus_parse(const char *name)
{
	for (size_t i = 0; i < N_BUSES; i++) {
		if (!strcmp(bus_names[i], name))
			return (int)i;
	}
	return -1;
}

static int check_machine(const struct machine *m, struct err *err)
{
	if (m->clock == CLOCK_SIM && m->accel == ACCEL_KVM)
		return err_input(err, "a simulated clock counts instructions, which KVM cannot");
	if (m->clock == CLOCK_SIM && m->timing == TIMING_THROTTLE)
		return err_input(err, "a simulated clock needs the disk model: throttle groups "
				      "run on the host's time");
	BUG_ON((m->clock == CLOCK_SIM || m->timing == TIMING_MODEL) && !m->sim_library);
	if (m->memory <= 0 || m->memory % (1 << 20))
		return err_input(err, "memory of %" PRId64 " bytes is not whole MiB", m->memory);
	if (m->smp < 1)
		return err_input(err, "a machine needs a CPU, not %d", m->smp);
	return 0;
}

static void push_accel(const struct machine *m, struct strvec *argv)
{
	if (m->accel == ACCEL_KVM) {
		strvec_pushl(argv, "-accel", "kvm", "-cpu", "host", NULL);
		return;
	}
	/* qemu64 is what every x86-64 kernel knows and all of what TCG emulates: no warning. */
	if (m->clock == CLOCK_REAL) {
		strvec_pushl(argv, "-accel", "tcg", "-cpu", "qemu64", NULL);
		return;
	}
	/* An instruction takes 2^1 ns; idle time passes at once. */
	strvec_pushl(argv, "-accel", "tcg,thread=single", "-icount", "shift=1,sleep=off",
		     "-rtc", "base=2004-09-09T00:00:00,clock=vm", "-cpu", "qemu64", NULL);
}

static void push_serial(struct strvec *argv, const char *id, const char *path)
{
	struct strbuf escaped __release(strbuf) = STRBUF_INIT;

	machine_add_value(&escaped, path);
	strvec_push(argv, "-chardev");
	strvec_pushf(argv, "file,id=%s,path=%s,append=on", id, escaped.buf);
	strvec_push(argv, "-serial");
	strvec_pushf(argv, "chardev:%s", id);
}

static void push_kernel(const struct machine *m, struct strvec *argv)
{
	if (!m->kernel)
		return;
	strvec_pushl(argv, "-kernel", m->kernel, NULL);
	if (m->initrd)
		strvec_pushl(argv, "-initrd", m->initrd, NULL);
	strvec_pushl(argv, "-append", m->cmdline, NULL);
}

int machine_argv(const struct machine *m, struct strvec *argv, struct err *err)
{
	int ret = check_machine(m, err);

	if (ret)
		return ret;
	/* debug-threads names the threads: so the simulator's library knows the vCPU's. */
	strvec_pushl(argv, m->qemu, "-name", "rig,debug-threads=on", "-nodefaults",
		     "-no-user-config", "-no-reboot", "-display", "none", "-machine", NULL);
	/* A simulated CPU alone has its ticks from the HPET: setup_cmdline() says why. */
	strvec_pushf(argv, "pc,usb=off,vmport=off,hpet=%s,dump-guest-core=off",
		     m->clock == CLOCK_SIM && m->smp == 1 ? "on" : "off");
	push_accel(m, argv);
	strvec_push(argv, "-seed");
	strvec_pushf(argv, "%" PRIu32, m->seed);
	strvec_push(argv, "-m");
	strvec_pushf(argv, "%" PRId64 "M", m->memory >> 20);
	strvec_push(argv, "-smp");
	strvec_pushf(argv, "%d", m->smp);
	push_kernel(m, argv);
	push_serial(argv, "console", m->console);
	push_serial(argv, "frames", m->frames);
	if (m->qmp_fd >= 0) {
		strvec_push(argv, "-chardev");
		strvec_pushf(argv, "socket,id=qmp,fd=%d", m->qmp_fd);
		strvec_pushl(argv, "-mon", "chardev=qmp,mode=control", "-S", NULL);
	}
	return machine_push_disks(m, argv, err);
}

void machine_env(const struct machine *m, struct strvec *env)
{
	if (m->sim_library)
		strvec_pushf(env, "LD_PRELOAD=%s", m->sim_library);
	if (m->sim_config)
		strvec_pushf(env, "IORIG_SIM=%s", m->sim_config);
}

static bool is_flag(const char *option)
{
	for (size_t i = 0; i < sizeof(flag_options) / sizeof(flag_options[0]); i++) {
		if (!strcmp(flag_options[i], option))
			return true;
	}
	return false;
}

/* NAME=VALUE with only the value quoted: a quoted name would not be an assignment. */
static void script_env(const struct machine *m, struct strbuf *out)
{
	struct strvec env __release(strvec) = STRVEC_INIT;

	machine_env(m, &env);
	strvec_each(e, &env) {
		size_t name = strcspn(*e, "=") + 1;

		strbuf_add(out, *e, name);
		str_shell_quote(*e + name, out);
		strbuf_addstr(out, " \\\n");
	}
}

/* Images and initramfs of an ordinary boot are removed after it; QEMU would only name a file. */
static void script_check(const struct machine *m, struct strbuf *out)
{
	if (!m->initrd)
		return;
	strbuf_addstr(out, "[ -e ");
	str_shell_quote(m->initrd, out);
	strbuf_addstr(out, " ] || {\n\techo 'the images are gone: run again with --keep-images, "
			   "or use --dry-run' >&2\n\texit 1\n}\n");
}

int machine_script(const struct machine *m, struct strbuf *out, struct err *err)
{
	struct strvec argv __release(strvec) = STRVEC_INIT;
	struct machine plain = *m;
	int ret;

	plain.qmp_fd = -1;
	ret = machine_argv(&plain, &argv, err);
	if (ret)
		return ret;
	strbuf_addstr(out, "#!/bin/sh\n");
	script_check(m, out);
	script_env(m, out);
	str_shell_quote(argv.v[0], out);
	for (char **s = argv.v + 1; *s; s++) {
		strbuf_addstr(out, " \\\n\t");
		str_shell_quote(*s, out);
		if (!is_flag(*s) && s[1]) {
			strbuf_addch(out, ' ');
			str_shell_quote(*++s, out);
		}
	}
	strbuf_addch(out, '\n');
	return 0;
}
