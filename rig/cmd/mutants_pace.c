/* SPDX-License-Identifier: GPL-2.0-only */
/* When the matrix will be done. */
#include "cmd/mutants_pace.h"

#include <time.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "cmd/mutants_work.h"
#include "judge/matrix.h"

void mutants_pace_say(const struct mutants_pace *pace, const struct matrix *m, struct strbuf *out)
{
	int64_t each = 0, left;
	time_t end;
	struct tm tm;
	char clock[16];
	size_t n = 0;

	for (size_t r = 0; r < m->n_rows; r++)
		n += m->rows[r].state == MATRIX_WAITING;
	if (!n)
		return;
	strbuf_addf(out, "; %zu to go", n);
	if (!pace->runs)
		return;
	each = pace->run_ns / pace->runs + (pace->builds ? pace->build_ns / pace->builds : 0);
	left = each * (int64_t)n;
	end = time(NULL) + (time_t)(left / NS_PER_S);
	localtime_r(&end, &tm);
	strftime(clock, sizeof(clock), "%H:%M", &tm);
	strbuf_addf(out, ", about %lld min, until %s",
		    (long long)((left + 60 * NS_PER_S - 1) / (60 * NS_PER_S)), clock);
}
