/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig list: kernels, cases and disks that there are. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "case/case.h"
#include "cmd/cmd.h"
#include "image/profile.h"
#include "report/columns.h"

struct listing {
	const char *data;
	struct columns t;
	struct strbuf wrong;	/* what could not be read: listed below, not instead */
};

static void put_wrong(struct listing *l, const struct err *err)
{
	strbuf_addf(&l->wrong, "iorig: %s\n", err->msg);
}

/* Names of the files below folder that end in suffix, without it. */
static int names_in(const struct listing *l, const char *folder, const char *suffix,
		    struct strvec *names, struct err *err)
{
	char *dir __free(ptr) = path_join(l->data, folder);
	int ret = dir_walk(dir, suffix, names, err);

	if (!ret)
		strvec_each (name, names)
			(*name)[strlen(*name) - strlen(suffix)] = '\0';
	return ret;
}

static int list_kernels(struct listing *l, struct err *err)
{
	static const struct columns_spec spec[] = { { "KERNEL", false }, { "FROM", false },
						    { "TITLE", false } };
	struct strvec names __release(strvec) = STRVEC_INIT;
	int ret = names_in(l, "kernels", ".kernel", &names, err);

	columns_init(&l->t, spec, ARRAY_SIZE(spec));
	strvec_each (name, &names) {
		char *path __free(ptr) = xstrfmt("%s/kernels/%s.kernel", l->data, *name);
		struct ini ini __release(ini) = INI_INIT;
		const struct ini_section *s;
		const struct ini_entry *title, *from;
		struct err wrong = ERR_INIT;

		if (ini_read(&ini, path, &wrong)) {
			put_wrong(l, &wrong);
			continue;
		}
		s = ini_find(&ini, "kernel", NULL);
		title = s ? ini_get(s, "title") : NULL;
		from = s ? ini_get(s, "package") : NULL;
		if (s && !from)
			from = ini_get(s, "image");
		columns_row(&l->t);
		columns_put(&l->t, 0, "%s", str_escape(*name));
		columns_put(&l->t, 1, "%s", from ? str_escape(from->value) : "");
		columns_put(&l->t, 2, "%s", title ? str_escape(title->value) : "");
	}
	return ret;
}

static int list_cases(struct listing *l, struct err *err)
{
	static const struct columns_spec spec[] = { { "CASE", false }, { "MEMORY", true },
						    { "DISKS", false }, { "SCALES", false },
						    { "TITLE", false } };
	char *disks __free(ptr) = path_join(l->data, "images/disks");
	struct strvec names __release(strvec) = STRVEC_INIT;
	int ret = names_in(l, "cases", ".case", &names, err);

	columns_init(&l->t, spec, ARRAY_SIZE(spec));
	strvec_each (name, &names) {
		char *path __free(ptr) = xstrfmt("%s/cases/%s.case", l->data, *name);
		struct kase c __release(kase) = KASE_INIT;
		struct strbuf sb __release(strbuf) = STRBUF_INIT;
		struct err wrong = ERR_INIT;
		char buf[32];

		if (kase_read(&c, path, *name, CASE_DEFAULT_SCALE, disks, NULL, &wrong)) {
			put_wrong(l, &wrong);
			continue;
		}
		columns_row(&l->t);
		columns_put(&l->t, 0, "%s", str_escape(*name));
		columns_put(&l->t, 1, "%s", format_size(c.memory, buf));
		for (size_t i = 0; i < c.n_disks; i++)
			strbuf_addf(&sb, "%s%s:%s", i ? " " : "", machine_bus_name(c.disks[i].bus),
				    c.disks[i].profile);
		columns_put(&l->t, 2, "%s", sb.buf);
		strbuf_reset(&sb);
		strbuf_addstr(&sb, CASE_DEFAULT_SCALE);
		strvec_each (scale, &c.scales)
			strbuf_addf(&sb, " %s", *scale);
		columns_put(&l->t, 3, "%s", sb.buf);
		columns_put(&l->t, 4, "%s", str_escape(c.title));
	}
	return ret;
}

static int list_disks(struct listing *l, struct err *err)
{
	static const struct columns_spec spec[] = { { "DISK", false }, { "READ", true },
						    { "WRITE", true }, { "SECTOR", true },
						    { "TITLE", false } };
	char *dir __free(ptr) = path_join(l->data, "images/disks");
	struct strvec names __release(strvec) = STRVEC_INIT;
	int ret = names_in(l, "images/disks", ".disk", &names, err);

	columns_init(&l->t, spec, ARRAY_SIZE(spec));
	strvec_each (name, &names) {
		struct profile p __release(profile) = PROFILE_INIT;
		struct profile_limits limits;
		struct err wrong = ERR_INIT;

		if (profile_load(&p, dir, *name, &wrong)) {
			put_wrong(l, &wrong);
			continue;
		}
		profile_throttle(&p, &limits);
		columns_row(&l->t);
		columns_put(&l->t, 0, "%s", str_escape(*name));
		columns_put(&l->t, 1, "%.2f MB/s", (double)limits.bps_read / 1e6);
		if (p.read_only)
			columns_put(&l->t, 2, "-");
		else
			columns_put(&l->t, 2, "%.2f MB/s", (double)limits.bps_write / 1e6);
		columns_put(&l->t, 3, "%lld", (long long)p.sector);
		columns_put(&l->t, 4, "%s", str_escape(p.title));
	}
	return ret;
}

static const struct {
	const char *name;
	int (*list)(struct listing *l, struct err *err);
} kinds[] = { { "kernels", list_kernels }, { "cases", list_cases }, { "disks", list_disks } };

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	const char **what = state->input;

	if (key == ARGP_KEY_ARG && !*what) {
		*what = arg;
		return 0;
	}
	if (key == ARGP_KEY_NO_ARGS)
		argp_error(state, "list what? kernels, cases or disks");
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.parser = parse_option,
	.args_doc = "kernels|cases|disks",
	.doc = "List the kernels, the cases or the disks' timing profiles that there are.",
};

int cmd_list(int argc, char **argv)
{
	struct listing l = { .wrong = STRBUF_INIT };
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	char *data __free(ptr) = NULL;
	const char *what = NULL;
	struct err err = ERR_INIT;
	size_t i;
	int ret;

	argp_parse(&argp, argc, argv, 0, NULL, &what);
	if (path_data(&data, &err))
		return cmd_fail(&err);
	l.data = data;
	for (i = 0; i < ARRAY_SIZE(kinds) && strcmp(kinds[i].name, what); i++)
		;
	if (i == ARRAY_SIZE(kinds)) {
		fprintf(stderr, "iorig: there is no list of '%s': kernels, cases or disks\n",
			str_escape(what));
		return EXIT_USAGE;
	}
	ret = kinds[i].list(&l, &err);
	columns_print(&l.t, &out);
	fwrite(out.buf, 1, out.len, stdout);
	fwrite(l.wrong.buf, 1, l.wrong.len, stderr);
	if (l.wrong.len)
		ret = -EINVAL;
	columns_release(&l.t);
	strbuf_release(&l.wrong);
	if (ret && err.code)
		return cmd_fail(&err);
	return ret ? EXIT_USAGE : EXIT_PASS;
}
