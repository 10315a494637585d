/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scope cleanup, spelled like the kernel's <linux/cleanup.h>.
 *
 *	DEFINE_FREE(strvec_p, struct strvec *, if (_T) strvec_free(_T))
 *	struct strvec *v __free(strvec_p) = ...;
 *	return no_free_ptr(v);
 *
 * A function uses either scope cleanup or goto, never both. A variable with a cleanup is
 * initialised where it is declared. Structs embedded by value use __release(S), which calls
 * S_release(&var); every S_INIT must be safe to release.
 */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DEFINE_FREE(_name, _type, _free)                                                           \
	static inline __attribute__((unused)) void __free_##_name(void *p)                         \
	{                                                                                          \
		_type _T = *(_type *)p;                                                            \
		_free;                                                                             \
	}
#define __free(_name)  __attribute__((cleanup(__free_##_name)))
#define __release(_s)  __attribute__((cleanup(_s##_release)))
/* Hand the value out of its scope: the variable is left NULL. */
#define no_free_ptr(p)                                                                             \
	({                                                                                         \
		__auto_type __val = (p);                                                           \
		(p) = NULL;                                                                        \
		__val;                                                                             \
	})
/* The same for a file descriptor: the variable is left -1. */
#define no_close_fd(fd)                                                                            \
	({                                                                                         \
		int __val = (fd);                                                                  \
		(fd) = -1;                                                                         \
		__val;                                                                             \
	})

DEFINE_FREE(ptr, void *, free(_T))
DEFINE_FREE(fd, int, if (_T >= 0) close(_T))
DEFINE_FREE(file, FILE *, if (_T) fclose(_T))

#endif
