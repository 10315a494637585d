/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A growing byte string. Invariants: buf is never NULL and buf[len] is NUL, so buf is always
 * a C string as far as it holds no NUL of its own. STRBUF_INIT needs no release until grown,
 * but release is safe at any time and twice.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct strbuf {
	char *buf;
	size_t len, alloc;
};

extern char strbuf_empty[];
#define STRBUF_INIT { .buf = strbuf_empty, .len = 0, .alloc = 0 }

void strbuf_init(struct strbuf *sb);
/* Free the memory and make it a fresh STRBUF_INIT. */
void strbuf_release(struct strbuf *sb);
/* Forget the content, keep the memory. */
void strbuf_reset(struct strbuf *sb);
/* Hand the string out (free with free()) and make sb fresh. */
char *strbuf_detach(struct strbuf *sb, size_t *len);
void strbuf_add(struct strbuf *sb, const void *data, size_t len);
void strbuf_addstr(struct strbuf *sb, const char *s);
void strbuf_addch(struct strbuf *sb, int c);
void strbuf_addf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vaddf(struct strbuf *sb, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0), nonnull));
/* Make room for n more bytes plus the NUL; the caller writes to buf + len, then strbuf_grown. */
void strbuf_reserve(struct strbuf *sb, size_t n);
void strbuf_grown(struct strbuf *sb, size_t n);
/* Remove the first n bytes. */
void strbuf_consume(struct strbuf *sb, size_t n);
/* Cut white space off both ends. */
void strbuf_trim(struct strbuf *sb);

/*
 * Append len bytes of hostile text so that a terminal or a log shows them harmlessly:
 * printable ASCII and valid UTF-8 above U+009F stay, everything else (control characters,
 * ESC, DEL, C1, NUL, broken UTF-8, and characters that are not seen but turn the direction of
 * writing or break lines) becomes \xNN. At most max bytes are looked at; what was
 * cut is shown as "...".
 */
void strbuf_add_escaped(struct strbuf *sb, const void *data, size_t len, size_t max);
/* The same into a static ring of eight buffers, at most 400 bytes, for use in messages. */
const char *str_escape(const char *s);

#endif
