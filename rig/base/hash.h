/* SPDX-License-Identifier: GPL-2.0-only */
/* SHA-256 (libmd), as 64 lower-case hex digits plus NUL. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <sha2.h>

#define HASH_HEX 65

struct err;

struct hash {
	SHA2_CTX ctx;
};

void hash_init(struct hash *h);
void hash_add(struct hash *h, const void *data, size_t len);
/* The string and its NUL, so that "ab","c" and "a","bc" differ. */
void hash_add_str(struct hash *h, const char *s);
void hash_hex(struct hash *h, char hex[HASH_HEX]);
void hash_mem(const void *data, size_t len, char hex[HASH_HEX]);
int hash_file(const char *path, char hex[HASH_HEX], struct err *err);

#endif
