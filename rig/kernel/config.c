/* SPDX-License-Identifier: GPL-2.0-only */
/* Looking up symbols in a .config. */
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "kernel/config.h"
#include "kernel/kernel.h"

#define CONFIG_MAX (4 << 20)

int kernel_config_read(const struct kernel *k, struct strbuf *text, struct err *err)
{
	BUG_ON(!k->config);
	return file_read(k->config, CONFIG_MAX, text, err);
}

enum kernel_config kernel_config_get(const char *text, const char *symbol)
{
	size_t len = strlen(symbol);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, symbol, len) != 0 || line[len] != '=')
			continue;
		if (line[len + 1] == 'm')
			return KERNEL_CONFIG_MODULE;
		return line[len + 1] == 'n' ? KERNEL_CONFIG_NO : KERNEL_CONFIG_YES;
	}
	return KERNEL_CONFIG_NO;
}
