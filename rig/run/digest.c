/* SPDX-License-Identifier: GPL-2.0-only */
/* One number for all that a guest did. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "run/digest.h"
#include "run/setup.h"

int digest_boot(const char *dir, char hex[HASH_HEX], struct err *err)
{
	static const char *const parts[] = { "console.log", "frames.log", SETUP_REQUESTS };
	struct hash h;

	hash_init(&h);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		char *path __free(ptr) = path_join(dir, parts[i]);
		char one[HASH_HEX];
		int ret = hash_file(path, one, err);

		if (ret)
			return err_wrap(err, "digest");
		hash_add_str(&h, parts[i]);
		hash_add_str(&h, one);
	}
	hash_hex(&h, hex);
	return 0;
}
