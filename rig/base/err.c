/* SPDX-License-Identifier: GPL-2.0-only */
/* Filling and wrapping the error object. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MSG_SIZE sizeof(((struct err *)NULL)->msg)

/*
 * Copy text into err->msg; what does not fit is shown as "...". The text never lies in err
 * itself: callers may pass err->msg as an argument of a format.
 */
static void set_msg(struct err *err, const char *text)
{
	static const char cut[] = "...";
	size_t len = strlen(text);

	if (len < MSG_SIZE) {
		memcpy(err->msg, text, len + 1);
		return;
	}
	len = MSG_SIZE - sizeof(cut);
	/* do not leave half of a UTF-8 character in front of the dots */
	while (len && ((unsigned char)text[len] & 0xc0) == 0x80)
		len--;
	memcpy(err->msg, text, len);
	memcpy(err->msg + len, cut, sizeof(cut));
}

static int set(struct err *err, enum err_kind kind, int code, const char *text)
{
	err->kind = kind;
	err->code = code < 0 ? code : -EIO;
	set_msg(err, text);
	return err->code;
}

/* One byte more than a message, so that set_msg() sees that something was cut. */
#define FORMAT_TEXT(text, fmt)                                                                     \
	do {                                                                                       \
		va_list ap;                                                                        \
		va_start(ap, fmt);                                                                 \
		if (vsnprintf((text), sizeof(text), (fmt), ap) < 0)                                \
			(text)[0] = '\0';                                                          \
		va_end(ap);                                                                        \
	} while (0)

int err_set(struct err *err, int code, const char *fmt, ...)
{
	char text[MSG_SIZE + 1];

	FORMAT_TEXT(text, fmt);
	return set(err, ERR_RIG, code, text);
}

int err_sys(struct err *err, int code, const char *fmt, ...)
{
	char text[MSG_SIZE + 1];
	size_t len;

	FORMAT_TEXT(text, fmt);
	len = strlen(text);
	snprintf(text + len, sizeof(text) - len, ": %s", strerror(code < 0 ? -code : EIO));
	return set(err, ERR_RIG, code, text);
}

int err_input(struct err *err, const char *fmt, ...)
{
	char text[MSG_SIZE + 1];

	FORMAT_TEXT(text, fmt);
	return set(err, ERR_INPUT, -EINVAL, text);
}

int err_unable(struct err *err, const char *fmt, ...)
{
	char text[MSG_SIZE + 1];

	FORMAT_TEXT(text, fmt);
	return set(err, ERR_UNABLE, -ENOTSUP, text);
}

int err_interrupted(struct err *err)
{
	return set(err, ERR_INTERRUPTED, -EINTR, "interrupted by a signal");
}

int err_wrap(struct err *err, const char *fmt, ...)
{
	char text[2 * MSG_SIZE + 2];
	size_t len;

	/* wrapping an error that nobody has set is a bug of the caller */
	BUG_ON(!err->code);
	FORMAT_TEXT(text, fmt);
	len = strlen(text);
	snprintf(text + len, sizeof(text) - len, ": %s", err->msg);
	set_msg(err, text);
	return err->code;
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "BUG: %s:%d: ", file, line);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}
