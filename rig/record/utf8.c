/* SPDX-License-Identifier: GPL-2.0-only */
/* UTF-8, as RFC 3629 defines it. */
#include "record/utf8.h"

#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/strbuf.h"

size_t utf8_char(const char *s, size_t len)
{
	/* the least character that needs as many bytes: a smaller one is overlong */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char lead = (unsigned char)*s;
	size_t n = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
	uint32_t c = lead & (0x7fu >> n);

	if (n <= 1)
		return n;
	if (lead > 0xf4 || n > len)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if (((unsigned char)s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | ((unsigned char)s[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	return n;
}

char *utf8_clean(const char *s)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	size_t len = strlen(s);

	while (len) {
		size_t n = utf8_char(s, len);

		if (n)
			strbuf_add(&out, s, n);
		else
			strbuf_addstr(&out, "\xef\xbf\xbd");
		s += n ? n : 1;
		len -= n ? n : 1;
	}
	return strbuf_detach(&out, NULL);
}
