/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig cache: list what is kept of kernels, and remove it. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "kbuild/inventory.h"
#include "report/columns.h"

#define DAY (24 * 3600)
#define DEFAULT_AGE (14LL * DAY)

enum action { LIST, SIZE, PRUNE };

struct cache_args {
	enum action action;
	bool kinds[CACHE_KINDS];
	bool any_kind;		/* none was named: all */
	int64_t age;		/* seconds */
	bool all, dry_run;
};

enum { OPT_OLDER = 256, OPT_ALL, OPT_DRY_RUN };

static const struct argp_option options[] = {
	{ "kind", 'k', "KIND", 0, "only kernel, build, source, git, package or other; may be given "
				  "again", 0 },
	{ "older", OPT_OLDER, "TIME", 0, "prune: what was not used for so long (default: 14d)", 0 },
	{ "all", OPT_ALL, NULL, 0, "prune: everything, however new", 0 },
	{ "dry-run", OPT_DRY_RUN, NULL, 0, "prune: say what would go, remove nothing", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static void take_action(struct cache_args *args, const char *word, struct argp_state *state)
{
	static const char *const words[] = { [LIST] = "list", [SIZE] = "size", [PRUNE] = "prune" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcmp(words[i], word)) {
			args->action = (enum action)i;
			return;
		}
	}
	argp_error(state, "'%s' is none of list, size, prune", str_escape(word));
}

/* "36h", "14d": units.h knows no days. */
static void take_age(struct cache_args *args, const char *word, struct argp_state *state)
{
	size_t len = strlen(word);
	struct err err = ERR_INIT;
	int64_t n = 0;

	if (len > 1 && word[len - 1] == 'd') {
		char *number __free(ptr) = xstrndup(word, len - 1);

		if (parse_int(number, 0, 36500, &n, &err))
			argp_error(state, "--older: %s", err.msg);
		args->age = n * DAY;
	} else {
		if (parse_time(word, &n, &err))
			argp_error(state, "--older: %s", err.msg);
		args->age = n / NS_PER_S;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct cache_args *args = state->input;
	int kind;

	switch (key) {
	case 'k':
		kind = cache_kind_parse(arg);
		if (kind < 0) {
			argp_error(state, "--kind: '%s' is none of kernel, build, source, git, "
				   "package, other", str_escape(arg));
			return EINVAL;
		}
		args->kinds[kind] = true;
		args->any_kind = false;
		return 0;
	case OPT_OLDER:
		take_age(args, arg, state);
		return 0;
	case OPT_ALL:
		args->all = true;
		return 0;
	case OPT_DRY_RUN:
		args->dry_run = true;
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num)
			argp_error(state, "one of list, size, prune");
		take_action(args, arg, state);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.options = options,
	.parser = parse_option,
	.args_doc = "[list|size|prune]",
	.doc = "List what the cache keeps of kernels, sum it up by kind, or remove what was not "
	       "used for a while. Whatever is removed is fetched or built again when it is needed; "
	       "what another iorig is working on stays.",
};

static bool wanted(const struct cache_args *args, const struct cache_item *item)
{
	return args->any_kind || args->kinds[item->kind];
}

static const char *age_text(int64_t seconds, char *buf)
{
	if (seconds >= 2 * DAY) {
		snprintf(buf, 32, "%lld d", (long long)(seconds / DAY));
		return buf;
	}
	return format_time((seconds > 0 ? seconds : 0) * NS_PER_S, buf);
}

static void print_list(const struct inventory *inv, const struct cache_args *args)
{
	static const struct columns_spec spec[] = {
		{ "KIND", false }, { "SIZE", true }, { "UNUSED FOR", true }, { "WHAT", false },
	};
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct columns t;
	char buf[32];

	columns_init(&t, spec, ARRAY_SIZE(spec));
	for (size_t i = 0; i < inv->n; i++) {
		const struct cache_item *item = &inv->items[i];

		if (!wanted(args, item))
			continue;
		columns_row(&t);
		columns_put(&t, 0, "%s", cache_kind_name(item->kind));
		columns_put(&t, 1, "%s", format_bytes(item->bytes, buf));
		columns_put(&t, 2, "%s", age_text(time(NULL) - item->used, buf));
		columns_put(&t, 3, "%s", item->label);
	}
	columns_print(&t, &out);
	columns_release(&t);
	fwrite(out.buf, 1, out.len, stdout);
}

static void print_sums(const struct inventory *inv, const struct cache_args *args)
{
	int64_t sum[CACHE_KINDS] = { 0 }, total = 0;
	int count[CACHE_KINDS] = { 0 };
	char buf[32];

	for (size_t i = 0; i < inv->n; i++) {
		if (!wanted(args, &inv->items[i]))
			continue;
		sum[inv->items[i].kind] += inv->items[i].bytes;
		count[inv->items[i].kind]++;
		total += inv->items[i].bytes;
	}
	for (int k = 0; k < CACHE_KINDS; k++) {
		if (count[k])
			printf("%-8s %4d  %s\n", cache_kind_name((enum cache_kind)k), count[k],
			       format_bytes(sum[k], buf));
	}
	printf("all            %s\n", format_bytes(total, buf));
}

static int prune(const struct inventory *inv, const struct cache_args *args, const char *cache,
		 struct err *err)
{
	int64_t freed = 0, limit = time(NULL) - args->age;
	char buf[32];

	for (size_t i = 0; i < inv->n; i++) {
		const struct cache_item *item = &inv->items[i];
		int ret = 1;

		if (!wanted(args, item) || (!args->all && item->used > limit))
			continue;
		if (!args->dry_run)
			ret = inventory_remove(item, cache, err);
		if (ret < 0)
			return ret;
		freed += ret ? item->bytes : 0;
		printf("%s %s, %s: %s\n", !ret ? "in use, kept:" : args->dry_run ? "would remove" :
		       "removed", cache_kind_name(item->kind), format_bytes(item->bytes, buf),
		       item->label);
	}
	printf("%s %s\n", format_bytes(freed, buf), args->dry_run ? "would be freed" : "freed");
	return 0;
}

int cmd_cache(int argc, char **argv)
{
	struct cache_args args = { .any_kind = true, .age = DEFAULT_AGE };
	struct inventory inv __release(inventory) = INVENTORY_INIT;
	char *cache __free(ptr) = NULL;
	struct err err = ERR_INIT;
	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, &args);
	ret = path_cache(&cache, &err);
	if (!ret)
		ret = inventory_read(&inv, cache, &err);
	if (!ret && args.action == LIST)
		print_list(&inv, &args);
	if (!ret && args.action == PRUNE)
		ret = prune(&inv, &args, cache, &err);
	else if (!ret)
		print_sums(&inv, &args);
	return ret ? cmd_fail(&err) : EXIT_PASS;
}
