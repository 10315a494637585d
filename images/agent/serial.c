/* SPDX-License-Identifier: GPL-2.0-only */
/* Telling block devices apart by their serial numbers. */
#include "agent/serial.h"

#include <fcntl.h>
#include <limits.h>
#include <scsi/sg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "agent/text.h"

#define SERIAL_MAX	64
#define INQUIRY		0x12
#define INQUIRY_MS	5000

static void take(const unsigned char *from, size_t len, char *out, size_t cap)
{
	if (len >= cap)
		len = cap - 1;
	memcpy(out, from, len);
	out[len] = '\0';
	text_trim(out);
}

/* Length of a page's body, which begins at byte 4; cut to what was read. SPC-4, 7.8.1 */
static size_t page_body(const unsigned char *page, size_t len, unsigned char code)
{
	size_t body;

	if (len < 4 || page[1] != code)
		return 0;
	body = page[2] << 8 | page[3];
	return body < len - 4 ? body : len - 4;
}

void serial_from_page80(const unsigned char *page, size_t len, char *out, size_t cap)
{
	take(page + 4, page_body(page, len, 0x80), out, cap);
}

bool serial_from_page83(const unsigned char *page, size_t len, int n, char *out, size_t cap)
{
	size_t body = page_body(page, len, 0x83), at = 0;

	while (at + 4 <= body) {
		const unsigned char *d = page + 4 + at;
		size_t size = d[3];

		if (at + 4 + size > body)
			return false;
		/* code set 2 is ASCII; type 0 is vendor specific, type 1 begins with a vendor */
		if ((d[0] & 15) == 2 && (d[1] & 15) == 0 && n-- == 0) {
			take(d + 4, size, out, cap);
			return true;
		}
		at += 4 + size;
	}
	return false;
}

static size_t inquire(int fd, unsigned char code, unsigned char *page, unsigned char cap)
{
	unsigned char command[6] = { INQUIRY, 1, code, 0, cap, 0 }, sense[32];
	struct sg_io_hdr io = {
		.interface_id = 'S',
		.dxfer_direction = SG_DXFER_FROM_DEV,
		.cmd_len = sizeof(command),
		.cmdp = command,
		.dxfer_len = cap,
		.dxferp = page,
		.mx_sb_len = sizeof(sense),
		.sbp = sense,
		.timeout = INQUIRY_MS,
	};

	memset(page, 0, cap);
	if (ioctl(fd, SG_IO, &io) < 0 || io.status || io.host_status || io.resid > cap)
		return 0;
	return cap - io.resid;
}

static bool asked_matches(const char *dev, const char *serial)
{
	unsigned char page[252];
	char path[TEXT_PATH], found[SERIAL_MAX];
	bool same;
	size_t len;
	int fd, n;

	snprintf(path, sizeof(path), "/dev/%s", dev);
	/* non-blocking: a drive without a medium opens as well */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = inquire(fd, 0x80, page, sizeof(page));
	serial_from_page80(page, len, found, sizeof(found));
	same = strcmp(found, serial) == 0;
	len = same ? 0 : inquire(fd, 0x83, page, sizeof(page));
	for (n = 0; !same && serial_from_page83(page, len, n, found, sizeof(found)); n++)
		same = strcmp(found, serial) == 0;
	close(fd);
	return same;
}

static bool attribute_matches(const char *dev, const char *attribute, const char *serial)
{
	char path[TEXT_PATH], found[SERIAL_MAX];

	snprintf(path, sizeof(path), "/sys/block/%s/%s", dev, attribute);
	return text_read_line(path, found, sizeof(found)) == 0 && strcmp(found, serial) == 0;
}

static bool page80_matches(const char *dev, const char *serial)
{
	char path[TEXT_PATH], found[SERIAL_MAX];
	unsigned char page[256];
	ssize_t len;

	snprintf(path, sizeof(path), "/sys/block/%s/device/vpd_pg80", dev);
	len = text_read(path, (char *)page, sizeof(page));
	if (len <= 0)
		return false;
	serial_from_page80(page, len, found, sizeof(found));
	return strcmp(found, serial) == 0;
}

/* Up from the device to the first folder that is a USB device; only that one counts, since the
 * hub above has a serial as well. */
static bool usb_matches(const char *dev, const char *serial)
{
	char path[TEXT_PATH], folder[PATH_MAX], found[SERIAL_MAX], *slash;

	snprintf(path, sizeof(path), "/sys/block/%s", dev);
	if (!realpath(path, folder))
		return false;
	while ((slash = strrchr(folder, '/')) && slash != folder) {
		*slash = '\0';
		if (snprintf(path, sizeof(path), "%s/idVendor", folder) >= (int)sizeof(path))
			continue;
		if (access(path, F_OK) < 0)
			continue;
		if (snprintf(path, sizeof(path), "%s/serial", folder) >= (int)sizeof(path))
			return false;
		return text_read_line(path, found, sizeof(found)) == 0 &&
		       strcmp(found, serial) == 0;
	}
	return false;
}

bool serial_matches(const char *dev, const char *serial)
{
	return attribute_matches(dev, "serial", serial) ||
	       attribute_matches(dev, "device/serial", serial) ||
	       page80_matches(dev, serial) || usb_matches(dev, serial) ||
	       asked_matches(dev, serial);
}
