/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of a run's folder. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "judge/compare.h"
#include "record/record.h"
#include "report/facts.h"
#include "report/files.h"
#include "report/palette.h"
#include "report/plot.h"
#include "report/plot_boot.h"
#include "report/plot_case.h"
#include "report/plot_gnuplot.h"
#include "report/requests.h"
#include "report/stalls.h"

/* Letters, digits and "+-._@", no dot first: as folder_boot_name() makes them, and harmless in a
 * path and between gnuplot's quotes. */
static bool is_plain(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("+-._@", name[i]))
			return false;
	return n && n < 200 && *name != '.';
}

char *files_boot_folder(const char *dir, const struct boot *b)
{
	char *path __free(ptr) = NULL;
	struct stat st;

	if (!dir || !b->dir || !is_plain(b->dir))
		return NULL;
	path = path_join(dir, b->dir);
	return lstat(path, &st) || !S_ISDIR(st.st_mode) ? NULL : no_free_ptr(path);
}

int files_requests(struct requests *r, const char *dir, const struct boot *b, struct err *err)
{
	char *folder __free(ptr) = files_boot_folder(dir, b);
	char *path __free(ptr) = folder ? path_join(folder, "requests.log") : NULL;

	return path ? requests_read(r, path, b, err) : 0;
}

static int boot_plots(const struct boot *b, const char *dir, const struct palette *colors,
		      struct strvec *scripts, struct err *err)
{
	struct requests r __release(requests) = REQUESTS_INIT;
	struct stalls s __release(stalls) = STALLS_INIT;
	struct plot_source from = { .b = b, .r = &r, .s = &s, .colors = colors };
	static const char *const names[PLOT_BOOT_N] = {
		"dirty", "throughput", "victim", "latency", "offsets",
	};
	char *folder __free(ptr) = files_boot_folder(dir, b);
	int ret = folder ? files_requests(&r, dir, b, err) : 0;

	if (!folder || ret)
		return ret;
	stalls_find(&s, b, &r);
	for (int i = 0; i < PLOT_BOOT_N && !ret; i++) {
		struct plot p;

		plot_boot_make(&p, i, &from);
		plot_set_id(&p, "plot-%s", names[i]);
		if (plot_has_data(&p))
			ret = gnuplot_write(&p, dir, b->dir, scripts, err);
		plot_release(&p);
	}
	return ret;
}

/* As plot-ID-NAME. */
static int write_named(struct plot *p, const char *name, const char *dir, struct strvec *scripts,
		      struct err *err)
{
	struct strbuf id __release(strbuf) = STRBUF_INIT;

	strbuf_addf(&id, "plot-%s-", p->id);
	for (const char *c = name; *c && id.len < 200; c++)
		/* '@' would be a macro in a script's comment */
		strbuf_addch(&id, isalnum((unsigned char)*c) || strchr("+-_", *c) ? *c
								: *c == '@' ? '=' : '-');
	plot_set_id(p, "%s", id.buf);
	return plot_has_data(p) ? gnuplot_write(p, dir, "", scripts, err) : 0;
}

static int case_plot(const struct run *run, const char *case_name, const char *dir,
		     struct strvec *scripts, struct err *err)
{
	struct plot p;
	int ret;

	plot_case_seeds(&p, &run, 1, case_name);
	ret = write_named(&p, case_name, dir, scripts, err);
	plot_release(&p);
	if (ret)
		return ret;
	plot_case_judged(&p, &run, 1, case_name);
	ret = write_named(&p, case_name, dir, scripts, err);
	plot_release(&p);
	return ret;
}

/* The graphs of the report of 2004, by the case that repeats each. */
static const struct { const char *name, *case_name; } classics[] = {
	{ "dvdalone", "dvd-alone" }, { "dvdhdd", "hdd+dvd" }, { "hddalone", "hdd-alone" },
	{ "hda15", "hdd+hdd2" }, { "hda5", "hdd2-alone" },
};

/* A case's own name, without its folders. */
static bool is_case(const struct boot *b, const char *name)
{
	return b->seed == 1 && !strcmp(path_base(b->case_name), name);
}

static int classic(const struct boot *b, const char *name, const struct palette *colors,
		   const char *folder, struct strvec *scripts, struct err *err)
{
	struct plot_source from = { .b = b, .colors = colors };
	char *title __free(ptr) = xstrfmt("%s: dirty pages of %s (pale: under writeback)", name,
					  b->case_name);
	struct plot p;
	int ret = 0;

	plot_boot_dirty(&p, &from, true);
	plot_set_id(&p, "%s", name);
	plot_set_title(&p, title);
	if (plot_has_data(&p))
		ret = gnuplot_write(&p, folder, "", scripts, err);
	plot_release(&p);
	return ret;
}

int files_classic(const struct run *run, const char *dir, size_t *n, struct err *err)
{
	struct palette colors __release(palette) = PALETTE_INIT;
	struct strvec scripts __release(strvec) = STRVEC_INIT;
	char *folder __free(ptr) = path_join(dir, "classic");
	int ret = dir_make(folder, err);

	palette_add_run(&colors, run);
	for (size_t k = 0; k < ARRAY_SIZE(classics); k++)
		for (size_t i = 0; i < run->n_boots && !ret; i++)
			if (is_case(&run->boots[i], classics[k].case_name))
				ret = classic(&run->boots[i], classics[k].name, &colors, folder,
					      &scripts, err);
	*n = scripts.n;
	if (!ret && !scripts.n)
		return err_input(err,
				 "the run has none of the five cases of 2004 (dvd-alone, hdd+dvd, "
				 "hdd-alone, hdd+hdd2, hdd2-alone)");
	return ret ? ret : gnuplot_draw(folder, &scripts, err);
}

int files_change(const struct run *base, const struct run *run, const char *dir, size_t *n,
		 struct err *err)
{
	struct compare_options o = COMPARE_OPTIONS_INIT;
	struct compare cmp __release(compare) = COMPARE_INIT;
	struct strvec scripts __release(strvec) = STRVEC_INIT;
	struct err why = ERR_INIT;
	struct plot p;
	int ret;

	*n = 0;
	if (compare_runs(&cmp, base, run, &o, &why))
		return 0;
	plot_change(&p, &cmp);
	ret = write_named(&p, base->id, dir, &scripts, err);
	plot_release(&p);
	*n = scripts.n;
	return ret || !scripts.n ? ret : gnuplot_draw(dir, &scripts, err);
}

int files_plots(const struct run *run, const char *dir, size_t *n, struct err *err)
{
	struct palette colors __release(palette) = PALETTE_INIT;
	struct strvec scripts __release(strvec) = STRVEC_INIT;
	int ret = 0;

	palette_add_run(&colors, run);
	for (size_t i = 0; i < run->n_boots && !ret; i++) {
		const struct boot *b = &run->boots[i];

		ret = boot_plots(b, dir, &colors, &scripts, err);
		if (!ret && (!i || strcmp(b->case_name, run->boots[i - 1].case_name)))
			ret = case_plot(run, b->case_name, dir, &scripts, err);
	}
	*n = scripts.n;
	return ret ? ret : gnuplot_draw(dir, &scripts, err);
}
