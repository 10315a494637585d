/* SPDX-License-Identifier: GPL-2.0-only */
/* What a bisect was asked for, in its journal. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "cmd/args.h"
#include "cmd/asked.h"
#include "cmd/bisect_args.h"

#define BAD_KEY "about.asked.%s is bad or missing"

/* A bisect goes on as it began: what the command line says has to be what it was asked for. */
static int differs(const char *option, const char *was, struct err *err)
{
	return err_input(err, "the bisect in that folder was begun with %s %s: begin another one",
			 option, was ? str_escape(was) : "left out");
}

static int take_text(const json_t *asked, const char *key, char **to, struct err *err)
{
	char *was __free(ptr) = NULL;

	if (!asked_string(json_object_get(asked, key), &was))
		return err_input(err, BAD_KEY, key);
	if (*to && (!was || strcmp(*to, was)))
		return differs(key, was, err);
	if (!*to)
		*to = no_free_ptr(was);
	return 0;
}

static int take_word(const json_t *asked, const char *key, const char *const *words,
		     const char **to, struct err *err)
{
	const char *was = NULL;

	if (!asked_word(json_object_get(asked, key), words, &was))
		return err_input(err, BAD_KEY, key);
	if (*to && *to != was)
		return differs(key, was, err);
	*to = was;
	return 0;
}

static int take_flag(const json_t *asked, const char *key, bool *to, struct err *err)
{
	const json_t *j = json_object_get(asked, key);

	if (!json_is_boolean(j))
		return err_input(err, BAD_KEY, key);
	if (*to && !json_is_true(j))
		return differs(key, NULL, err);
	*to = json_is_true(j);
	return 0;
}

static int take_case(struct bisect_args *args, const json_t *asked, struct err *err)
{
	char *name __free(ptr) = args->o.globs.n ? xstrdup(args->o.globs.v[0]) : NULL;
	int ret = take_text(asked, "case", &name, err);

	if (!ret && !name)
		ret = err_input(err, BAD_KEY, "case");
	if (!ret && !args->o.globs.n)
		strvec_push(&args->o.globs, name);
	return ret;
}

/* Of commits another spelling may mean the same: who resolves them compares them. */
static int take_commits(struct bisect_args *args, const json_t *asked, struct err *err)
{
	struct { const char *key; char **to; } texts[] = {
		{ "tree", &args->tree }, { "good", &args->good }, { "bad", &args->bad },
	};
	int ret = args->tree ? bisect_args_tree(args, err) : 0;

	if (!ret)
		ret = take_text(asked, "tree", &args->tree, err);
	for (size_t i = 0; i < ARRAY_SIZE(texts) && !ret; i++) {
		if (!asked_string(json_object_get(asked, texts[i].key), texts[i].to) ||
		    !*texts[i].to)
			ret = err_input(err, BAD_KEY, texts[i].key);
	}
	return ret;
}

int bisect_args_take(struct bisect_args *args, const json_t *asked, struct err *err)
{
	int ret = take_commits(args, asked, err);

	if (!ret)
		ret = take_case(args, asked, err);
	if (!ret)
		ret = take_text(asked, "metric", &args->metric, err);
	if (!ret)
		ret = take_text(asked, "like", &args->like, err);
	if (!ret)
		ret = take_text(asked, "scale", &args->scale, err);
	if (!ret)
		ret = take_flag(asked, "pass-fail", &args->verdict, err);
	if (!ret)
		ret = take_flag(asked, "first-parent", &args->first_parent, err);
	if (!ret)
		ret = take_word(asked, "clock", args_clocks, &args->clock, err);
	if (!ret)
		ret = take_word(asked, "timing", args_timings, &args->timing, err);
	return ret ? ret : take_word(asked, "accel", args_accels, &args->accel, err);
}

json_t *bisect_args_to_json(const struct bisect_args *args)
{
	json_t *j = json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s?, s:s, s:b, s:b, s:s, s:s, s:s, s:s, "
			      "s:s}", "tree", args->tree, "good", args->good, "bad", args->bad,
			      "case", args->o.globs.v[0], "metric", args->metric,
			      "like", args->like, "scale", args->scale, "pass-fail", args->verdict,
			      "first-parent", args->first_parent, "clock", args->clock,
			      "timing", args->timing, "accel", args->accel,
			      "qemu", args->o.qemu.version, "tools", args->o.tools_sha256);

	BUG_ON(!j);
	return j;
}

int bisect_args_check_tools(const struct bisect_args *args, const json_t *asked, struct err *err)
{
	const char *qemu = json_string_value(json_object_get(asked, "qemu"));
	const char *tools = json_string_value(json_object_get(asked, "tools"));

	if (!qemu || !tools)
		return err_input(err, BAD_KEY, qemu ? "tools" : "qemu");
	if (strcmp(qemu, args->o.qemu.version) != 0)
		return err_input(err, "the bisect was begun with QEMU %s, this is %s: figures of "
				 "both must not be mixed, begin another one", str_escape(qemu),
				 args->o.qemu.version);
	if (strcmp(tools, args->o.tools_sha256) != 0)
		return err_input(err, "the guest's agent, the simulator or a disk's profile have "
				 "changed since the bisect was begun: begin another one");
	return 0;
}
