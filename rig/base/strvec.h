/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A NULL-terminated array of owned strings: argv, lists of names. v is never NULL and v[n] is
 * always NULL. push copies, push_nodup takes the string over, detach hands the array out.
 */
#ifndef BASE_STRVEC_H
#define BASE_STRVEC_H

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

struct strvec {
	char **v;
	size_t n, alloc;
};

extern char *strvec_empty[];
#define STRVEC_INIT { .v = strvec_empty, .n = 0, .alloc = 0 }
#define strvec_each(s, vec) for (char **s = (vec)->v; *s; s++)

void strvec_init(struct strvec *vec);
void strvec_release(struct strvec *vec);
const char *strvec_push(struct strvec *vec, const char *s);
const char *strvec_pushf(struct strvec *vec, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Several at once; the list ends with NULL. */
void strvec_pushl(struct strvec *vec, ...) __attribute__((sentinel));
void strvec_pushv(struct strvec *vec, char *const *v);
void strvec_push_nodup(struct strvec *vec, char *s);
char **strvec_detach(struct strvec *vec);
bool strvec_has(const struct strvec *vec, const char *s);
/* Bytewise order. */
void strvec_sort(struct strvec *vec);
/* Split at any of the bytes in 'seps', dropping empty parts. */
void strvec_split(struct strvec *vec, const char *s, const char *seps);
/* Append the words to sb, each quoted as a POSIX shell needs it, separated by spaces. */
void strvec_shell_quote(const struct strvec *vec, struct strbuf *sb);
void str_shell_quote(const char *s, struct strbuf *sb);

#endif
