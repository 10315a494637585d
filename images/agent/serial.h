/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Serial numbers of block devices. Where a disk keeps its serial depends on the bus and on the
 * kernel, so every place is looked at:
 *
 *	virtio, nvme	/sys/block/X/serial, /sys/block/X/device/serial
 *	ide, ahci, scsi	/sys/block/X/device/vpd_pg80 (Linux 3.15), else SG_IO INQUIRY of page 0x80
 *	atapi		QEMU's drive answers only page 0x83; the serial is an ASCII designator there
 *	usb		as scsi, else the "serial" attribute of the USB device above
 */
#ifndef AGENT_SERIAL_H
#define AGENT_SERIAL_H

#include <stdbool.h>
#include <stddef.h>

/* Does the device of this kernel name ("sda"), whose node is /dev/NAME, have this serial? */
bool serial_matches(const char *dev, const char *serial);

/* Pure. The serial in VPD page 0x80; "" if the page is not one. */
void serial_from_page80(const unsigned char *page, size_t len, char *out, size_t cap);
/* Pure. The n-th (from 0) ASCII designator of VPD page 0x83; false if there is none. */
bool serial_from_page83(const unsigned char *page, size_t len, int n, char *out, size_t cap);

#endif
