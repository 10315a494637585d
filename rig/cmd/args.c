/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parsers of several commands share. */
#include "cmd/args.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "case/case.h"
#include "record/record.h"
#include "run/folder.h"
#include "run/options.h"
#include "run/suite.h"

const char *const args_clocks[] = { "sim", "real", NULL };
const char *const args_timings[] = { "model", "throttle", NULL };
const char *const args_accels[] = { "auto", "tcg", "kvm", NULL };

int args_one_of(struct argp_state *state, const char *option, const char *arg,
		const char *const *words)
{
	struct strbuf list __release(strbuf) = STRBUF_INIT;

	for (int i = 0; words[i]; i++) {
		if (!strcmp(words[i], arg))
			return i;
		strbuf_addf(&list, "%s%s", i ? ", " : "", words[i]);
	}
	argp_error(state, "--%s: '%s' is none of %s", option, str_escape(arg), list.buf);
	return 0;
}

int args_count(struct argp_state *state, const char *option, const char *arg, int64_t max)
{
	struct err err = ERR_INIT;
	int64_t n = 1;

	if (parse_int(arg, 1, max, &n, &err))
		argp_error(state, "--%s: %s", option, err.msg);
	return (int)n;
}

double args_share(struct argp_state *state, const char *option, const char *arg, double min,
		  double max)
{
	struct err err = ERR_INIT;
	double v = 0;

	if (parse_ratio(arg, &v, &err))
		argp_error(state, "--%s: %s", option, err.msg);
	if (!(v >= min && v <= max))
		argp_error(state, "--%s: '%s' is not between %g%% and %g%%", option,
			   str_escape(arg), min * 100, max * 100);
	return v;
}

void args_text(char **to, const char *arg)
{
	free(*to);
	*to = xstrdup(arg);
}

void args_folder(struct argp_state *state, char **dir, const char *arg)
{
	if (*dir)
		argp_error(state, "--out and --resume name the same folder: one is enough");
	args_text(dir, arg);
}

void args_add_cases(struct run_options *o, const struct run *run)
{
	for (size_t i = 0; i < run->n_boots; i++) {
		if (!strvec_has(&o->globs, run->boots[i].case_name))
			strvec_push(&o->globs, run->boots[i].case_name);
	}
}

int args_resolve(struct run_options *o, struct err *err)
{
	int ret = path_data(&o->data_dir, err);

	if (!ret)
		ret = path_lib(&o->lib_dir, err);
	if (!ret)
		ret = path_cache(&o->cache_dir, err);
	return ret ? ret : run_options_resolve(o, err);
}

int args_suite(struct run_options *o, struct suite *suite, struct err *err)
{
	int ret;

	if (!o->globs.n)
		strvec_push(&o->globs, KASE_SET_DEFAULT);
	ret = args_resolve(o, err);
	if (!ret)
		ret = suite_load(suite, o, err);
	return ret ? ret : folder_check(o->out, err);
}
