/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames out of the second serial port. */
#include "agent/port.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#include "agent/jsonw.h"
#include "agent/now.h"
#include "wire/frame.h"

#define PORT_PATH  "/dev/ttyS1"
#define PORT_MAJOR 4	/* Documentation/admin-guide/devices.txt */
#define PORT_MINOR 65

static int port_fd = -1;
static uint32_t port_seq;
static char port_text[FRAME_MAX], port_line[FRAME_MAX];
static struct jsonw port_frame;

int port_open(void)
{
	struct termios raw;
	int fd;

	mknod(PORT_PATH, S_IFCHR | 0600, makedev(PORT_MAJOR, PORT_MINOR));
	fd = open(PORT_PATH, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	/* A minor without a UART behind it opens, but has no line settings. */
	if (tcgetattr(fd, &raw) < 0) {
		int error = errno;

		close(fd);
		return -error;
	}
	cfmakeraw(&raw);
	raw.c_cflag |= CLOCAL;
	cfsetspeed(&raw, B115200);
	tcsetattr(fd, TCSANOW, &raw);
	port_fd = fd;
	return 0;
}

struct jsonw *port_begin(const char *kind)
{
	jsonw_begin(&port_frame, port_text, sizeof(port_text));
	jsonw_string(&port_frame, "t", kind);
	jsonw_number(&port_frame, "ns", now_ns());
	return &port_frame;
}

void port_send(void)
{
	long len = jsonw_end(&port_frame);
	int n = len < 0 ? -1 : frame_encode(port_line, sizeof(port_line), port_seq,
						  port_text, len);

	/* A frame that does not fit is missed by its number. */
	port_seq++;
	if (n < 0 || port_fd < 0)
		return;
	for (int done = 0; done < n;) {
		ssize_t wrote = write(port_fd, port_line + done, n - done);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return;
		done += wrote;
	}
}

void port_drain(void)
{
	tcdrain(port_fd);
}
