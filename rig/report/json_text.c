/* SPDX-License-Identifier: GPL-2.0-only */
/* Text of any bytes as JSON. */
#include "report/json_text.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"

json_t *json_text(const char *s)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	json_t *j;

	if (!s)
		return json_null();
	strbuf_add_escaped(&sb, s, strlen(s), sizeof(((struct err *)0)->msg));
	j = json_string(sb.buf);
	BUG_ON(!j);
	return j;
}
