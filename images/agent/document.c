/* SPDX-License-Identifier: GPL-2.0-only */
/* A job's document in frames. */
#include "agent/document.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/jsonw.h"
#include "agent/port.h"
#include "agent/text.h"
#include "wire/document.h"

static void send_piece(const char *job, int64_t total, int64_t at, const char *text, size_t len)
{
	struct jsonw *json = port_begin("document");

	jsonw_string(json, "job", job);
	jsonw_number(json, "total", total);
	jsonw_number(json, "at", at);
	jsonw_bytes(json, "text", text, len);
	port_send();
}

void document_send(const char *folder, const char *job)
{
	char path[TEXT_PATH], piece[DOCUMENT_PIECE];
	int64_t at = 0, total;
	struct stat st;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/" DOCUMENT_NAME, folder);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return;
	/* what is no file has no end */
	total = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? st.st_size : DOCUMENT_MAX + 1;
	if (total > DOCUMENT_MAX || total == 0)
		send_piece(job, total, 0, "", 0);
	while (total <= DOCUMENT_MAX && at < total) {
		n = pread(fd, piece, sizeof(piece) < (size_t)(total - at) ?
				     sizeof(piece) : (size_t)(total - at), at);
		if (n <= 0)
			break;
		send_piece(job, total, at, piece, n);
		at += n;
	}
	close(fd);
	unlink(path);
}
