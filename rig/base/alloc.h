/* SPDX-License-Identifier: GPL-2.0-only */
/* Allocation that cannot fail: out of memory ends the program with exit 128, see alloc.c. */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stddef.h>

/* As malloc, calloc, realloc, strdup, strndup, but never NULL. Free with free(). */
void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t size);
void *xreallocarray(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
/* printf into a fresh string that the caller frees. */
char *xstrfmt(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Grow a counted array by one zeroed element and return a pointer to it; 'array' and 'n' are
 * lvalues (struct T *array; size_t n). The pointer is valid until the next growth.
 */
#define array_grow(array, n)                                                                       \
	({                                                                                         \
		(array) = array_grow_one((array), &(n), sizeof(*(array)));                         \
		&(array)[(n)-1];                                                                   \
	})
void *array_grow_one(void *array, size_t *n, size_t size);

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
