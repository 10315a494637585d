/* SPDX-License-Identifier: GPL-2.0-only */
/* SHA-256 through libmd. */
#include "base/hash.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

void hash_init(struct hash *h)
{
	SHA256Init(&h->ctx);
}

void hash_add(struct hash *h, const void *data, size_t len)
{
	SHA256Update(&h->ctx, data, len);
}

void hash_add_str(struct hash *h, const char *s)
{
	hash_add(h, s, strlen(s) + 1);
}

void hash_hex(struct hash *h, char hex[HASH_HEX])
{
	SHA256End(&h->ctx, hex);
}

void hash_mem(const void *data, size_t len, char hex[HASH_HEX])
{
	struct hash h;

	hash_init(&h);
	hash_add(&h, data, len);
	hash_hex(&h, hex);
}

int hash_file(const char *path, char hex[HASH_HEX], struct err *err)
{
	int fd __free(fd) = file_open(path, err);
	unsigned char chunk[32 * 1024];
	struct hash h;
	ssize_t got;

	if (fd < 0)
		return fd;
	hash_init(&h);
	while ((got = read(fd, chunk, sizeof(chunk)))) {
		if (got > 0)
			hash_add(&h, chunk, (size_t)got);
		else if (errno != EINTR)
			return err_sys(err, -errno, "cannot read '%s'", str_escape(path));
	}
	hash_hex(&h, hex);
	return 0;
}
