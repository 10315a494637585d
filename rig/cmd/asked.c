/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading what work that is gone on with was asked for. */
#include "cmd/asked.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "cmd/args.h"
#include "run/options.h"

#define LIST_MAX ((size_t)1000)
#define TEXT_MAX 4096

bool asked_string(const json_t *j, char **to)
{
	const char *s = json_string_value(j);

	if (json_is_null(j))
		return true;
	if (!s || !*s || json_string_length(j) != strlen(s) || strlen(s) > TEXT_MAX)
		return false;
	if (!*to)
		*to = xstrdup(s);
	return true;
}

bool asked_list(const json_t *j, struct strvec *to)
{
	bool keep = to->n > 0;

	if (!json_is_array(j) || json_array_size(j) > LIST_MAX)
		return false;
	for (size_t i = 0; i < json_array_size(j); i++) {
		char *s __free(ptr) = NULL;

		if (!asked_string(json_array_get(j, i), &s) || !s)
			return false;
		if (!keep)
			strvec_push(to, s);
	}
	return true;
}

static int find_word(const char *word, const char *const *words)
{
	for (int i = 0; word && words[i]; i++) {
		if (!strcmp(words[i], word))
			return i;
	}
	return -1;
}

bool asked_word(const json_t *j, const char *const *words, const char **to)
{
	int i = find_word(json_string_value(j), words);

	if (i >= 0 && !*to)
		*to = words[i];
	return i >= 0;
}

void asked_machine(struct run_options *o, const char **clock, const char **timing,
		   const char **accel)
{
	*clock = *clock ?: args_clocks[0];
	*timing = *timing ?: args_timings[0];
	*accel = *accel ?: args_accels[0];
	o->clock = (enum machine_clock)find_word(*clock, args_clocks);
	o->timing = (enum machine_timing)find_word(*timing, args_timings);
	o->accel_choice = (enum accel_choice)find_word(*accel, args_accels);
}
