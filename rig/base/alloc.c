/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocation that ends the program when there is no memory. */
#include "base/alloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The rig's own failure, as in err.h. */
#define EXIT_OUT_OF_MEMORY 128

/*
 * _exit, not exit: exit handlers may allocate again, and children die with us anyway by their
 * parent-death signal.
 */
static _Noreturn void out_of_memory(void)
{
	static const char msg[] = "iorig: out of memory\n";
	ssize_t ignored = write(STDERR_FILENO, msg, sizeof(msg) - 1);

	(void)ignored;
	_exit(EXIT_OUT_OF_MEMORY);
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xrealloc(void *p, size_t size)
{
	void *q = realloc(p, size ? size : 1);

	if (!q)
		out_of_memory();
	return q;
}

void *xreallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		out_of_memory();
	return xrealloc(p, bytes);
}

char *xstrdup(const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		out_of_memory();
	return copy;
}

char *xstrndup(const char *s, size_t n)
{
	char *copy = strndup(s, n);

	if (!copy)
		out_of_memory();
	return copy;
}

char *xstrfmt(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (len < 0)
		out_of_memory();
	return s;
}

/*
 * The capacity is not stored: it is the next power of two, so the array moves exactly when n is
 * zero or a power of two.
 */
void *array_grow_one(void *array, size_t *n, size_t size)
{
	if ((*n & (*n - 1)) == 0) {
		if (*n > SIZE_MAX / 2)
			out_of_memory();
		array = xreallocarray(array, *n ? *n * 2 : 1, size);
	}
	memset((char *)array + *n * size, 0, size);
	(*n)++;
	return array;
}
