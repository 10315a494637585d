/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of vm/machine_disk: places on the buses, and disks that must be refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "vm/machine.h"

static const struct machine plain = {
	.qemu = "qemu-system-x86_64",
	.memory = 128 << 20,
	.smp = 1,
	.accel = ACCEL_TCG,
	.clock = CLOCK_REAL,
	.timing = TIMING_THROTTLE,
	.console = "/r/console.log",
	.frames = "/r/frames",
	.qmp_fd = -1,
};

static struct machine_disk disk(const char *name, enum machine_bus bus)
{
	return (struct machine_disk){ .name = name, .bus = bus, .image = "/r/disk.img",
				      .serial = "serial-1", .sector = 512, .rotational = true };
}

/* All words, each on a line. */
static void all_text(const struct machine *m, struct strbuf *out)
{
	struct strvec argv __release(strvec) = STRVEC_INIT;
	struct err err = ERR_INIT;

	if (machine_argv(m, &argv, &err))
		fail_msg("refused: %s", err.msg);
	strvec_each(word, &argv)
		strbuf_addf(out, "%s\n", *word);
}

/* Only the devices: the text of every -device line up to the id. */
static void device_text(const struct machine *m, struct strbuf *out)
{
	struct strvec argv __release(strvec) = STRVEC_INIT;
	struct err err = ERR_INIT;

	if (machine_argv(m, &argv, &err))
		fail_msg("refused: %s", err.msg);
	for (size_t i = 0; i + 1 < argv.n; i++) {
		const char *drive;

		if (strcmp(argv.v[i], "-device"))
			continue;
		drive = strstr(argv.v[i + 1], ",drive=");
		strbuf_add(out, argv.v[i + 1],
			   drive ? (size_t)(drive - argv.v[i + 1]) : strlen(argv.v[i + 1]));
		strbuf_addch(out, '\n');
	}
}

static void test_places(void **state)
{
	struct machine_disk disks[] = {
		disk("a", BUS_IDE), disk("b", BUS_AHCI), disk("c", BUS_ATAPI), disk("d", BUS_USB),
		disk("e", BUS_IDE), disk("f", BUS_USB), disk("g", BUS_VIRTIO), disk("h", BUS_SCSI),
		disk("i", BUS_SCSI), disk("j", BUS_USB), disk("k", BUS_ATAPI), disk("l", BUS_AHCI),
	};
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	struct machine m = plain;

	(void)state;
	disks[8].rotational = false;
	disks[9].removable = true;
	m.disks = disks;
	m.n_disks = ARRAY_SIZE(disks);
	device_text(&m, &text);
	assert_string_equal(text.buf,
			    "ide-hd,bus=ide.0,unit=0,rotation_rate=7200,id=disk.a\n"
			    "ich9-ahci,id=ahci\n"
			    "ide-hd,bus=ahci.0,rotation_rate=7200,id=disk.b\n"
			    "ide-cd,bus=ide.0,unit=1,id=disk.c\n"
			    "piix3-usb-uhci,id=usb0\n"
			    "usb-storage,bus=usb0.0,port=1,removable=off,id=disk.d\n"
			    "ide-hd,bus=ide.1,unit=0,rotation_rate=7200,id=disk.e\n"
			    "usb-storage,bus=usb0.0,port=2,removable=off,id=disk.f\n"
			    "virtio-blk-pci,ioeventfd=off,id=disk.g\n"
			    "am53c974,id=scsi\n"
			    "scsi-hd,bus=scsi.0,scsi-id=0,removable=off,rotation_rate=7200,"
			    "id=disk.h\n"
			    "scsi-hd,bus=scsi.0,scsi-id=1,removable=off,rotation_rate=1,"
			    "id=disk.i\n"
			    "piix3-usb-uhci,id=usb1\n"
			    "usb-storage,bus=usb1.0,port=1,removable=on,id=disk.j\n"
			    "ide-cd,bus=ide.1,unit=1,id=disk.k\n"
			    "ide-hd,bus=ahci.1,rotation_rate=7200,id=disk.l\n");
}

static void test_read_only(void **state)
{
	struct machine_disk disks[] = { disk("cd", BUS_ATAPI), disk("ro", BUS_SCSI) };
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	struct machine m = plain;

	(void)state;
	disks[1].read_only = true;
	m.disks = disks;
	m.n_disks = ARRAY_SIZE(disks);
	all_text(&m, &text);
	assert_non_null(strstr(text.buf, "node-name=file.cd,filename=/r/disk.img,read-only=on,"));
	assert_non_null(strstr(text.buf, "node-name=disk.cd,file=file.cd,read-only=on\n"));
	assert_non_null(strstr(text.buf, "node-name=file.ro,filename=/r/disk.img,read-only=on,"));
	assert_null(strstr(text.buf, "read-only=off"));
	/* a CD's sectors are its own affair */
	assert_non_null(strstr(text.buf, "drive=disk.cd,serial=serial-1,werror=stop"));
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

#define FULL "no place for disk 'last': "

static void test_too_many(void **state)
{
	static const struct {
		enum machine_bus bus;
		size_t max;
		const char *message;
	} rows[] = {
		{ BUS_IDE, 4, FULL "ide and atapi together take at most 4 disks" },
		{ BUS_ATAPI, 4, FULL "ide and atapi together take at most 4 disks" },
		{ BUS_SCSI, 7, FULL "scsi takes at most 7 disks" },
		{ BUS_USB, 8, FULL "usb takes at most 8 disks" },
		{ BUS_AHCI, 6, FULL "ahci takes at most 6 disks" },
		{ BUS_VIRTIO, 16, FULL "virtio takes at most 16 disks" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct machine_disk disks[17];
		struct strbuf text __release(strbuf) = STRBUF_INIT;
		struct machine m = plain;

		for (size_t j = 0; j < ARRAY_SIZE(disks); j++)
			disks[j] = disk("some", rows[i].bus);
		disks[0].bus = rows[i].bus == BUS_ATAPI ? BUS_IDE : rows[i].bus;
		disks[rows[i].max].name = "last";
		m.disks = disks;
		m.n_disks = rows[i].max;
		all_text(&m, &text);
		m.n_disks++;
		check_refused(&m, rows[i].message);
	}
}

static void test_refused(void **state)
{
	struct machine_disk good = disk("hda", BUS_IDE), d;
	struct machine m = plain;

	(void)state;
	m.disks = &d;
	m.n_disks = 1;
	d = good;
	d.name = "HDA";
	check_refused(&m, "bad disk name 'HDA': at most 26 of a-z, 0-9 and '-'");
	d.name = "a,b";
	check_refused(&m, "bad disk name 'a,b': at most 26 of a-z, 0-9 and '-'");
	d.name = "";
	check_refused(&m, "bad disk name '': at most 26 of a-z, 0-9 and '-'");
	d.name = "a23456789012345678901234567";
	check_refused(&m, "bad disk name 'a23456789012345678901234567': at most 26 of a-z, 0-9 "
			  "and '-'");
	d = good;
	d.serial = "123456789012345678901";
	check_refused(&m, "disk 'hda' has a bad serial number '123456789012345678901'");
	d.serial = "a,b";
	check_refused(&m, "disk 'hda' has a bad serial number 'a,b'");
	d = good;
	d.sector = 2048;
	check_refused(&m, "disk 'hda' has sectors of 2048 bytes, but ide knows only 512");
	d.sector = 768;
	check_refused(&m, "disk 'hda' has sectors of 768 bytes, not 512 to 4096");
	d = good;
	d.read_only = true;
	check_refused(&m, "disk 'hda' is read-only, which a disk on ide cannot be");
	d = good;
	d.bps_write = -1;
	check_refused(&m, "disk 'hda' has a negative rate");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_read_only),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
