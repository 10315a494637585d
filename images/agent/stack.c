/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading the kernel's stack traces. */
#include "agent/stack.h"

#include <string.h>

/* Where the name on a line begins, and how long it is; 0 if there is none. */
static size_t name_of(const char **line)
{
	const char *end = strpbrk(*line, "]\n");
	size_t len;

	/* since Linux 4.15 the address is 0; before 2.6.26 there is no such file */
	if (**line == '[' && end && *end == ']')
		*line = end + 1;
	*line += strspn(*line, " \t");
	len = strcspn(*line, "+ \t\n");
	/* the end mark of older kernels: "0xffffffffffffffff" */
	return strncmp(*line, "0x", 2) == 0 ? 0 : len;
}

void stack_names(const char *text, char *out, size_t cap)
{
	size_t used = 0;
	int deep = 0;

	out[0] = '\0';
	while (*text && deep < STACK_DEEP) {
		const char *name = text;
		size_t len = name_of(&name);

		text += strcspn(text, "\n");
		text += *text == '\n';
		if (!len)
			continue;
		if (used + (used > 0) + len + 1 > cap)
			return;
		if (used)
			out[used++] = ' ';
		memcpy(out + used, name, len);
		used += len;
		out[used] = '\0';
		deep++;
	}
}

int stack_is_parent(const char *names)
{
	size_t len = strcspn(names, " ");

	return len == strlen("do_wait") && memcmp(names, "do_wait", len) == 0;
}
