/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine's disks as QEMU block nodes and devices. */
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "vm/machine.h"
#include "vm/machine_disk.h"

#define LOWER  "abcdefghijklmnopqrstuvwxyz"
#define UPPER  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* What buses have in common is one connector: ide-hd and ide-cd share the two IDE cables. */
enum connector { AT_IDE, AT_SCSI, AT_USB, AT_AHCI, AT_VIRTIO, N_CONNECTORS };

static const struct {
	const char *words;
	int disks;
} connectors[] = {
	[AT_IDE] = { "ide and atapi together take", 4 },
	[AT_SCSI] = { "scsi takes", 7 },
	[AT_USB] = { "usb takes", 8 },
	[AT_AHCI] = { "ahci takes", 6 },
	[AT_VIRTIO] = { "virtio takes", 16 },
};

static enum connector connector_of(enum machine_bus bus)
{
	switch (bus) {
	case BUS_IDE:
	case BUS_ATAPI:
		return AT_IDE;
	case BUS_SCSI:
		return AT_SCSI;
	case BUS_USB:
		return AT_USB;
	case BUS_AHCI:
		return AT_AHCI;
	case BUS_VIRTIO:
		return AT_VIRTIO;
	}
	BUG("no such bus: %d", bus);
}

void machine_add_value(struct strbuf *sb, const char *value)
{
	for (; *value; value++) {
		if (*value == ',')
			strbuf_addch(sb, ',');
		strbuf_addch(sb, *value);
	}
}

static bool made_of(const char *s, size_t max, const char *set)
{
	size_t len = strlen(s);

	return len > 0 && len <= max && strspn(s, set) == len;
}

static int check_disk(const struct machine_disk *d, struct err *err)
{
	bool ata = d->bus == BUS_IDE || d->bus == BUS_AHCI;
	const char *name;

	if (!made_of(d->name, MACHINE_DISK_NAME, LOWER DIGITS "-"))
		return err_input(err, "bad disk name '%s': at most %d of a-z, 0-9 and '-'",
				 str_escape(d->name), MACHINE_DISK_NAME);
	name = d->name;
	if (!made_of(d->serial, MACHINE_SERIAL, LOWER UPPER DIGITS "._-"))
		return err_input(err, "disk '%s' has a bad serial number '%s'", name,
				 str_escape(d->serial));
	if (d->sector < 512 || d->sector > 4096 || (d->sector & (d->sector - 1)))
		return err_input(err, "disk '%s' has sectors of %d bytes, not 512 to 4096", name,
				 d->sector);
	if (ata && d->sector != 512)
		return err_input(err, "disk '%s' has sectors of %d bytes, but %s knows only 512",
				 name, d->sector, machine_bus_name(d->bus));
	if (ata && d->read_only)
		return err_input(err, "disk '%s' is read-only, which a disk on %s cannot be", name,
				 machine_bus_name(d->bus));
	if (d->bps_read < 0 || d->bps_write < 0)
		return err_input(err, "disk '%s' has a negative rate", name);
	return 0;
}

/* From the image up: file.NAME, then disk.NAME, with rate.NAME between them if throttled. */
static void push_nodes(const struct machine *m, const struct machine_disk *d, struct strvec *argv)
{
	struct strbuf file __release(strbuf) = STRBUF_INIT;
	const char *read_only = d->read_only || d->bus == BUS_ATAPI ? "on" : "off";
	bool throttled = m->timing == TIMING_THROTTLE && (d->bps_read || d->bps_write);
	/*
	 * QEMU asks for O_DIRECT with aio=native, which is what the disk model stands in for. It
	 * also has to see flushes to let them cost what the profile says, and keeps them from
	 * the host itself.
	 */
	const char *how = m->timing == TIMING_MODEL ?
				  "cache.direct=on,aio=native,cache.no-flush=off" :
				  "cache.direct=off,aio=threads,cache.no-flush=on";

	machine_add_value(&file, d->image);
	strvec_push(argv, "-blockdev");
	strvec_pushf(argv, "driver=file,node-name=file.%s,filename=%s,read-only=%s,%s", d->name,
		     file.buf, read_only, how);
	strvec_push(argv, "-blockdev");
	strvec_pushf(argv, "driver=raw,node-name=%s.%s,file=file.%s,read-only=%s",
		     throttled ? "raw" : "disk", d->name, d->name, read_only);
	if (!throttled)
		return;
	strvec_push(argv, "-object");
	strvec_pushf(argv, "throttle-group,id=rate.%s,x-bps-read=%" PRId64 ",x-bps-write=%" PRId64,
		     d->name, d->bps_read, d->bps_write);
	strvec_push(argv, "-blockdev");
	strvec_pushf(argv, "driver=throttle,node-name=disk.%s,throttle-group=rate.%s,file=raw.%s,"
		     "read-only=%s", d->name, d->name, d->name, read_only);
}

/* Controllers come with the first disk that needs them. */
static void push_controller(enum connector c, int n, struct strvec *argv)
{
	switch (c) {
	case AT_IDE:	/* part of the pc machine */
	case AT_VIRTIO:	/* every disk is its own */
		return;
	case AT_SCSI:
		/*
		 * Not lsi53c895a: when a command passes the guest's timeout (30 s by default),
		 * which a slow disk brings about, QEMU's emulation of the abort sends Linux's
		 * sym_hipd driver into a panic. am53c974 (esp) aborts cleanly.
		 */
		if (n == 0)
			strvec_pushl(argv, "-device", "am53c974,id=scsi", NULL);
		return;
	case AT_USB:
		/* A UHCI has two ports and 12 Mbit/s: a controller for each pair of disks. */
		if (n % 2 == 0) {
			strvec_push(argv, "-device");
			strvec_pushf(argv, "piix3-usb-uhci,id=usb%d", n / 2);
		}
		return;
	case AT_AHCI:
		if (n == 0)
			strvec_pushl(argv, "-device", "ich9-ahci,id=ahci", NULL);
		return;
	case N_CONNECTORS:
		break;
	}
	BUG("no such connector: %d", c);
}

/* The device and its place as the n-th of its connector. */
static void add_device(const struct machine_disk *d, int n, struct strbuf *sb)
{
	/* The speed matters to nobody; 1 is how SCSI and ATA say "does not rotate". */
	int rotation = d->rotational ? 7200 : 1;
	const char *removable = d->removable ? "on" : "off";

	switch (d->bus) {
	case BUS_IDE:
		strbuf_addf(sb, "ide-hd,bus=ide.%d,unit=%d,rotation_rate=%d", n / 2, n % 2,
			    rotation);
		return;
	case BUS_ATAPI:
		strbuf_addf(sb, "ide-cd,bus=ide.%d,unit=%d", n / 2, n % 2);
		return;
	case BUS_SCSI:
		strbuf_addf(sb, "scsi-hd,bus=scsi.0,scsi-id=%d,removable=%s,rotation_rate=%d", n,
			    removable, rotation);
		return;
	case BUS_USB:
		strbuf_addf(sb, "usb-storage,bus=usb%d.0,port=%d,removable=%s", n / 2, n % 2 + 1,
			    removable);
		return;
	case BUS_AHCI:
		strbuf_addf(sb, "ide-hd,bus=ahci.%d,rotation_rate=%d", n, rotation);
		return;
	case BUS_VIRTIO:
		/* ioeventfd would hand requests to the main loop at moments of the host's. */
		strbuf_addstr(sb, "virtio-blk-pci,ioeventfd=off");
		return;
	}
	BUG("no such bus: %d", d->bus);
}

static void push_device(const struct machine *m, const struct machine_disk *d, int n,
			struct strvec *argv)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	add_device(d, n, &sb);
	strbuf_addf(&sb, ",id=disk.%s,drive=disk.%s,serial=%s", d->name, d->name, d->serial);
	if (d->bus != BUS_ATAPI)	/* a CD's sectors are 2,048 bytes by themselves */
		strbuf_addf(&sb, ",logical_block_size=%d,physical_block_size=%d,write-cache=on",
			    d->sector, d->sector);
	strbuf_addstr(&sb, m->timing == TIMING_MODEL ? ",werror=enospc,rerror=report" :
						       ",werror=stop,rerror=stop");
	strvec_pushl(argv, "-device", sb.buf, NULL);
}

int machine_push_disks(const struct machine *m, struct strvec *argv, struct err *err)
{
	int used[N_CONNECTORS] = { 0 };

	for (size_t i = 0; i < m->n_disks; i++) {
		const struct machine_disk *d = &m->disks[i];
		enum connector c = connector_of(d->bus);
		int ret = check_disk(d, err);

		if (ret)
			return ret;
		if (used[c] == connectors[c].disks)
			return err_input(err, "no place for disk '%s': %s at most %d disks",
					 d->name, connectors[c].words, connectors[c].disks);
		push_nodes(m, d, argv);
		push_controller(c, used[c], argv);
		push_device(m, d, used[c], argv);
		used[c]++;
	}
	return 0;
}
