/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig list: kernels, cases, disks, jobs and metrics that there are. */
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
#include "case/metric.h"
#include "cmd/cmd.h"
#include "image/profile.h"
#include "record/record.h"
#include "report/columns.h"
#include "run/folder.h"
#include "wire/jobargs.h"

#define RESULTS "results"	/* where iorig run puts them, here */

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

#define RUNS_ASKED 20	/* of the newest */

/* What the newest run that has it, in results/ here, spent on the case. */
static void put_cost(struct listing *l, size_t column, const struct kase *c)
{
	char *name __free(ptr) = folder_boot_name(c, 1), time[32], wall[32];
	struct strvec runs __release(strvec) = STRVEC_INIT;
	struct err ignored = ERR_INIT;

	if (dir_list(RESULTS, NULL, &runs, &ignored))
		return;
	for (size_t i = runs.n; i > 0 && i + RUNS_ASKED > runs.n; i--) {
		char *path __free(ptr) = xstrfmt(RESULTS "/%s/%s/boot.json", runs.v[i - 1], name);
		struct boot b;
		bool done;

		if (!path_is_file(path) || boot_read(&b, path, &ignored))
			continue;
		done = b.outcome == OUTCOME_DONE && !strcmp(b.case_sha256, c->sha256);
		if (done)
			columns_put(&l->t, column, "%s in %s", format_time(b.guest_ns, time),
				    format_time(b.wall_ns, wall));
		boot_release(&b);
		if (done)
			return;
	}
}

/* Beside the disks: file systems and schedulers, and what comes from this host. */
static void put_needs(struct listing *l, size_t column, const struct kase *c)
{
	struct strvec features __release(strvec) = STRVEC_INIT;
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	kase_features(c, &features);
	strvec_each (word, &features)
		if (machine_bus_parse(*word) < 0)
			strbuf_addf(&sb, "%s%s", sb.len ? " " : "", *word);
	for (size_t i = 0; i < c->n_jobs; i++)
		if (c->jobs[i].cgroup_memory && !strstr(sb.buf ? sb.buf : "", "cgroup"))
			strbuf_addf(&sb, "%scgroup", sb.len ? " " : "");
	strvec_each (path, &c->bring)
		strbuf_addf(&sb, "%s%s", sb.len ? " " : "", str_escape(*path));
	columns_put(&l->t, column, "%s", sb.len ? sb.buf : "-");
}

static void put_case(struct listing *l, const struct kase *c, bool in_default)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	char buf[32];

	columns_row(&l->t);
	columns_put(&l->t, 0, "%s", str_escape(c->name));
	columns_put(&l->t, 1, "%s", format_size(c->memory, buf));
	for (size_t i = 0; i < c->n_disks; i++)
		strbuf_addf(&sb, "%s%s:%s", i ? " " : "", machine_bus_name(c->disks[i].bus),
			    c->disks[i].profile);
	columns_put(&l->t, 2, "%s", sb.len ? sb.buf : "-");
	put_needs(l, 3, c);
	strbuf_reset(&sb);
	strbuf_addstr(&sb, CASE_DEFAULT_SCALE);
	strvec_each (scale, &c->scales)
		strbuf_addf(&sb, " %s", *scale);
	columns_put(&l->t, 4, "%s", sb.buf);
	columns_put(&l->t, 5, "%s", in_default ? KASE_SET_DEFAULT : "-");
	put_cost(l, 6, c);
	columns_put(&l->t, 7, "%s", str_escape(c->title));
}

static int list_cases(struct listing *l, struct err *err)
{
	static const struct columns_spec spec[] = { { "CASE", false }, { "MEMORY", true },
						    { "DISKS", false }, { "NEEDS", false },
						    { "SCALES", false }, { "SET", false },
						    { "COST", false }, { "TITLE", false } };
	char *disks __free(ptr) = path_join(l->data, "images/disks");
	char *cases __free(ptr) = path_join(l->data, "cases");
	struct strvec names __release(strvec) = STRVEC_INIT, all __release(strvec) = STRVEC_INIT;
	struct strvec set __release(strvec) = STRVEC_INIT, chosen __release(strvec) = STRVEC_INIT;
	struct err no_set = ERR_INIT;
	int ret;

	columns_init(&l->t, spec, ARRAY_SIZE(spec));
	strvec_push(&all, KASE_SET_ALL);
	strvec_push(&set, KASE_SET_DEFAULT);
	ret = kase_find(cases, &all, &names, err);
	if (!ret && kase_find(cases, &set, &chosen, &no_set))
		put_wrong(l, &no_set);
	strvec_each (name, &names) {
		char *path __free(ptr) = kase_path(cases, *name);
		struct kase c __release(kase) = KASE_INIT;
		struct err wrong = ERR_INIT;

		if (kase_read(&c, path, *name, CASE_DEFAULT_SCALE, disks, NULL, &wrong))
			put_wrong(l, &wrong);
		else
			put_case(l, &c, strvec_has(&chosen, *name));
	}
	return ret;
}

static int list_metrics(struct listing *l, struct err *err)
{
	static const struct columns_spec spec[] = { { "METRIC", false }, { "OF", false },
						    { "UNIT", false }, { "BETTER", false },
						    { "WHAT", false } };
	static const char *const owners[] = {
		[METRIC_OF_JOB] = "job", [METRIC_OF_RESULT] = "agent's job",
		[METRIC_OF_DISK] = "disk",
	};

	(void)err;
	columns_init(&l->t, spec, ARRAY_SIZE(spec));
	for (int m = 0; m < METRIC_N; m++) {
		const struct metric_info *info = metric_info((enum metric)m);

		columns_row(&l->t);
		columns_put(&l->t, 0, "%s", info->name);
		columns_put(&l->t, 1, "%s", owners[info->of]);
		columns_put(&l->t, 2, "%s", metric_unit_word(info->unit));
		columns_put(&l->t, 3, "%s", info->higher ? "more" : "less");
		columns_put(&l->t, 4, "%s", info->about);
	}
	return 0;
}

static int list_jobs(struct listing *l, struct err *err)
{
	static const struct columns_spec spec[] = { { "JOB", false }, { "ARGUMENT", false },
						    { "KIND", false }, { "STANDARD", false },
						    { "WHAT", false } };

	(void)err;
	columns_init(&l->t, spec, ARRAY_SIZE(spec));
	for (const struct jobargs_job *job = jobargs_jobs; job->name; job++) {
		columns_row(&l->t);
		columns_put(&l->t, 0, "%s", job->name);
		columns_put(&l->t, 4, "%s", job->what);
		for (const struct jobargs_param *p = job->params; p->name; p++) {
			columns_row(&l->t);
			columns_put(&l->t, 1, "%s", p->name);
			columns_put(&l->t, 2, "%s", p->words ? p->words :
				    jobargs_kind_name(p->kind));
			columns_put(&l->t, 3, "%s", p->required ? "needed" :
				    p->standard ? p->standard : "-");
			columns_put(&l->t, 4, "%s", p->what);
		}
	}
	return 0;
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
} kinds[] = {
	{ "kernels", list_kernels }, { "cases", list_cases }, { "disks", list_disks },
	{ "jobs", list_jobs }, { "metrics", list_metrics },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	const char **what = state->input;

	if (key == ARGP_KEY_ARG && !*what) {
		*what = arg;
		return 0;
	}
	if (key == ARGP_KEY_NO_ARGS)
		argp_error(state, "list what? kernels, cases, disks, jobs or metrics");
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.parser = parse_option,
	.args_doc = "kernels|cases|disks|jobs|metrics",
	.doc = "List the kernels, the cases, the disks' timing profiles, the jobs of the guest's "
	       "agent or the metrics that there are.",
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
		fprintf(stderr, "iorig: there is no list of '%s': kernels, cases, disks, "
				"jobs or metrics\n",
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
