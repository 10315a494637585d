/* SPDX-License-Identifier: GPL-2.0-only */
/* What a kernel's .config says. */
#ifndef KERNEL_CONFIG_H
#define KERNEL_CONFIG_H

struct err;
struct kernel;
struct strbuf;

enum kernel_config {
	KERNEL_CONFIG_NO,
	KERNEL_CONFIG_MODULE,
	KERNEL_CONFIG_YES	/* y, or any other value: a number, a string */
};

/* Append the text of the kernel's .config, which it must have (k->config). At most 4 MiB. */
int kernel_config_read(const struct kernel *k, struct strbuf *text, struct err *err);
/* State of a symbol, "CONFIG_PVH", in such a text. */
enum kernel_config kernel_config_get(const char *text, const char *symbol);

#endif
