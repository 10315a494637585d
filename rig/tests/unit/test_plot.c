/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of report/plot*: what is drawn, in a page and through gnuplot, and the colours. */
#include "report_fixture.h"

#include <math.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strvec.h"
#include "base/tool.h"
#include "report/facts.h"
#include "report/palette.h"
#include "report/plot.h"
#include "report/plot_boot.h"
#include "report/plot_case.h"
#include "report/plot_gnuplot.h"
#include "report/plot_svg.h"
#include "report/requests.h"

static struct plot plot;
static struct palette colors = PALETTE_INIT;
static struct requests requests;
static struct stalls stalls;

static int end(void **state)
{
	plot_release(&plot);
	palette_release(&colors);
	requests_release(&requests);
	stalls_release(&stalls);
	return teardown(state);
}

static struct plot_source source(const struct boot *b)
{
	palette_add(&colors, b);
	facts_stalls(&stalls, b, &requests);
	return (struct plot_source){ .b = b, .r = &requests, .s = &stalls, .colors = &colors };
}

static double linear(int byte)
{
	double v = byte / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* CIE L* of an sRGB colour (IEC 61966-2-1, CIE 15). */
static double lightness(const char *color)
{
	unsigned int rgb;

	assert_int_equal(sscanf(color, "#%6x", &rgb), 1);
	return 116 * cbrt(0.2126 * linear((int)(rgb >> 16)) + 0.7152 * linear(rgb >> 8 & 255) +
			  0.0722 * linear(rgb & 255)) - 16;
}

static void test_colors_differ_in_grey(void **state)
{
	(void)state;
	for (int i = 0; i < PALETTE_N; i++) {
		for (int k = 0; k < i; k++) {
			const struct palette_color *a = &palette_colors[i], *b = &palette_colors[k];

			if (fabs(lightness(a->light) - lightness(b->light)) < 7 ||
			    fabs(lightness(a->dark) - lightness(b->dark)) < 7)
				fail_msg("colours %d and %d are too near", i, k);
		}
	}
}

static void test_same_disk_same_color(void **state)
{
	(void)state;
	add_boot("g/a", 1, SEC);
	add_boot("g/b", 1, SEC);
	snprintf(run.boots[1].disks[0].name, MSG_NAME, "usb");
	palette_add_run(&colors, &run);
	assert_int_equal(palette_index(&colors, "hda"), 0);
	assert_int_equal(palette_index(&colors, "dvd"), 1);
	assert_int_equal(palette_index(&colors, "usb"), 2);
	assert_int_equal(palette_index(&colors, "none"), 0);
}

static void test_ticks(void **state)
{
	static const struct { double min, max; bool log; size_t n; double first, last;
	} rows[] = {
		{ 0, 10, false, 6, 0, 10 },	 { 0, 97, false, 5, 0, 80 },
		{ 0, 0.03, false, 4, 0, 0.03 },	 { 0.1, 1000, true, 5, 0.1, 1000 },
		{ 1, 1, false, 0, 0, 0 },	 { 0, 1e300, false, 6, 0, 1e300 },
		{ 0, INFINITY, false, 0, 0, 0 }, { 1e-300, 1e300, true, 6, 1e-300, 0 },
	};
	double t[PLOT_TICKS_MAX];
	char buf[32];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t n = plot_ticks(rows[i].min, rows[i].max, rows[i].log, 5, t);

		if (n < rows[i].n || n > PLOT_TICKS_MAX)
			fail_msg("row %zu: %zu ticks", i, n);
		if (n && fabs(t[0] - rows[i].first) > rows[i].max * 1e-9)
			fail_msg("row %zu: first tick %g", i, t[0]);
		if (n && rows[i].last > 0 && fabs(t[n - 1] / rows[i].last - 1) > 1e-9)
			fail_msg("row %zu: last tick %g", i, t[n - 1]);
	}
	assert_string_equal(plot_number(-0.0 + 0.0, buf), "0");
	assert_string_equal(plot_number(1500, buf), "1,500");
	assert_string_equal(plot_number(0.25, buf), "0.25");
	assert_string_equal(plot_number(2e9, buf), "2e+09");
}

/* The layers stand upon each other, and the limits are pages in MiB. */
static void test_dirty(void **state)
{
	struct plot_source from = source(add_boot("g/case", 1, 20 * SEC));

	(void)state;
	plot_boot_dirty(&plot, &from, false);
	assert_int_equal(plot.n_series, 7);
	assert_string_equal(plot.series[0].name, "hda dirty");
	/* every colour has its word: the paler ones, too, and that of the bars' ends */
	assert_true(plot.series[1].pale);
	assert_string_equal(plot.series[1].name, "hda under writeback");
	assert_null(plot.series[3].name);	/* dvd has nothing under writeback */
	assert_true(plot.series[6].pale && !plot.series[6].n);
	assert_string_equal(plot.series[6].name, "end of a bar: its sync");
	assert_int_equal(plot.series[2].color, 1);
	for (size_t i = 0; i < plot.series[3].n; i++) {
		assert_true(plot.series[1].low[i] == plot.series[0].y[i]);
		assert_true(plot.series[2].low[i] == plot.series[1].y[i]);
		assert_true(fabs(plot.series[3].y[i] - 3200 / 1024.0) < 1e-9);
	}
	assert_true(fabs(plot.series[4].y[0] - 4000 / 1024.0) < 1e-9);
	assert_string_equal(plot.lanes[0].name, "victim hdd");
	assert_true(plot.lanes[0].spans[0].from == 0 && plot.lanes[0].spans[0].to == 20);
	assert_true(plot.lanes[0].spans[1].pale);
	assert_true(plot.x_max == 38);
	plot_release(&plot);
	plot_boot_dirty(&plot, &from, true);
	assert_true(fabs(plot.series[3].y[0] - 800) < 1e-9);
}

static void test_thinned(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);
	struct plot_source from;

	(void)state;
	add_samples(b, 5000);
	for (size_t i = 0; i < b->n_samples; i++)
		b->samples[i].ns = (int64_t)(i + 1) * SEC;
	b->samples[3333].disks[0].dirty = 1 << 20;	/* 1 GiB for a moment: must stay */
	from = source(b);
	plot_boot_dirty(&plot, &from, false);
	assert_in_range(plot.series[0].n, 100, PLOT_BOOT_POINTS + 1);
	assert_true(plot.y_max > 1024);
}

static void test_throughput(void **state)
{
	struct plot_source from = source(add_boot("g/case", 1, 20 * SEC));

	(void)state;
	plot_boot_throughput(&plot, &from);
	assert_string_equal(plot.series[0].name, "hda written");
	assert_true(fabs(plot.series[0].y[5] - 10) < 1e-9);
	assert_int_equal(plot.series[1].n, 0);	/* nothing read */
}

static void test_requests(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);
	static const char log[] = "hda read 1048576 4096 3000000000 0 3250000000 1\n"
				  "hda read 1048576 4096 3000000000 0 3250000001 1\n"
				  "dvd write 2097152 4096 3000000000 0 9000000000 1\n";
	struct plot_source from;

	(void)state;
	requests_parse(&requests, log, strlen(log), b);
	from = source(b);
	plot_boot_latency(&plot, &from);
	assert_true(plot.log_y);
	assert_true(fabs(plot.series[0].y[0] - 250) < 0.001);
	assert_true(fabs(plot.series[1].y[0] - 6000) < 0.001);
	plot_release(&plot);
	plot_boot_offsets(&plot, &from);
	assert_int_equal(plot.series[1].n, 1);	/* two marks on one place are one */
	assert_int_equal(plot.series[1].kind, PLOT_TICKS);
	assert_int_equal(plot.series[2].kind, PLOT_DOTS);
	assert_true(plot.series[2].y[0] == 2);
}

static void test_seeds(void **state)
{
	const struct run *runs[] = { &run };

	(void)state;
	for (uint32_t seed = 1; seed <= 3; seed++)
		add_boot("g/case", seed, (18 + seed) * SEC);
	add_verdict("g/case", "hdd", VERDICT_REGRESSED, 20)->was = 4;
	plot_case_seeds(&plot, runs, 1, "g/case");
	assert_int_equal(plot.n_rows, 1);
	assert_int_equal(plot.n_series, 4);
	assert_string_equal(plot.series[0].name, "limit");
	assert_true(plot.series[0].x[0] == 5 && plot.series[0].x[1] == 5);
	assert_string_equal(plot.series[1].name, "goal");
	assert_string_equal(plot.series[2].name, "last accepted");
	assert_true(plot.series[2].x[0] == 4);
	assert_int_equal(plot.series[3].n, 3);
	assert_true(fabs(plot.series[3].x[2] - 10.5) < 1e-9);
	assert_true(plot.x_max > 10.5);
}

/* Runs of other scales or kernels have limits of their own, and none is drawn beside the other's. */
static void test_seeds_of_several(void **state)
{
	const struct run *runs[] = { &run, &run };

	(void)state;
	add_boot("g/case", 1, 20 * SEC);
	add_verdict("g/case", "hdd", VERDICT_PASS, 20);
	plot_case_seeds(&plot, runs, 2, "g/case");
	assert_int_equal(plot.n_rows, 2);
	assert_string_equal(plot.series[0].name, "limit");
	assert_true(plot.series[0].y[0] > -0.5 && plot.series[0].y[1] < 0.5);
	assert_null(plot.series[3].name);	/* one word is enough */
	assert_true(plot.series[3].x[0] == 5);
	assert_true(plot.series[3].y[0] > 0.5 && plot.series[3].y[1] < 1.5);
}

static struct verdict_value *add_value(struct verdict *v, const char *metric, const char *unit)
{
	struct verdict_value *x = array_grow(v->values, v->n_values);

	*x = (struct verdict_value){ .metric = xstrdup(metric), .unit = xstrdup(unit),
		.kind = VERDICT_PASS, .seeds = 3, .value = 1, .min = 1, .max = 1, .alone = -1,
		.limit = -1, .floor = -1, .goal = -1, .was = -1, .within = -1 };
	return x;
}

/* What is not a slowdown is a part of its own limit or floor, so that all units share an axis. */
static void test_judged(void **state)
{
	const struct run *runs[] = { &run };
	struct verdict *v;

	(void)state;
	for (uint32_t seed = 1; seed <= 3; seed++)
		add_boot("g/case", seed, (18 + seed) * SEC);
	v = add_verdict("g/case", "hdd", VERDICT_PASS, 20);
	add_value(v, "slowdown", "ratio")->limit = 5;
	add_value(v, "sync", "ns")->limit = 4e9;
	v->values[1].goal = 2e9;
	add_value(v, "time/alone", "ratio")->floor = 5;
	v->values[2].alone = 2e9;
	add_value(v, "no such\033", "ns")->limit = 1;
	add_value(v, "sync", "furlongs")->limit = 1;
	v = add_verdict("g/case", "disk.dvd", VERDICT_PASS, 1);
	add_value(v, "dirty-max", "bytes")->was = 4 << 20;
	plot_case_judged(&plot, runs, 1, "g/case");
	assert_int_equal(plot.n_rows, 4);
	assert_string_equal(plot.rows[0], "hdd sync 4 s");
	assert_string_equal(plot.series[0].name, "goal");
	assert_true(plot.series[0].x[0] == 0.5);
	assert_true(plot.series[1].n == 3 && plot.series[1].x[0] == 0.25);
	assert_true(plot.series[2].n == 3 && fabs(plot.series[2].x[2] - 2.1) < 1e-9);
	assert_string_equal(plot.rows[3], "disk.dvd dirty-max 4 MiB");
	assert_true(plot.series[4].n == 3 && fabs(plot.series[4].x[0] - 2400.0 / 4096) < 1e-9);
	assert_int_equal(plot.series[plot.n_series - 1].kind, PLOT_UPRIGHT);
	assert_true(plot.series[plot.n_series - 1].x[0] == 1);
}

/* A figure's rows of all runs stand together; of a patched kernel's name what is new is told. */
static void test_judged_of_several(void **state)
{
	struct run base = run;
	const struct run *runs[] = { &base, &run };
	struct verdict *v;

	(void)state;
	add_boot("g/case", 1, 20 * SEC);
	v = add_verdict("g/case", "hdd", VERDICT_PASS, 20);
	add_value(v, "sync", "ns")->limit = 4e9;
	add_value(v, "total", "ns")->limit = 40e9;
	base = run;
	replace(&run.kernel.name, "debian+a-patch");
	base.kernel.name = (char *)"debian";
	plot_case_judged(&plot, runs, 2, "g/case");
	assert_int_equal(plot.n_rows, 4);
	assert_string_equal(plot.rows[0], "hdd sync debian");
	assert_string_equal(plot.rows[1], "hdd sync +a-patch");
	assert_string_equal(plot.rows[2], "hdd total debian");
	plot_release(&plot);
	plot_case_seeds(&plot, runs, 2, "g/case");
	assert_int_equal(plot.n_rows, 2);
	assert_string_equal(plot.rows[1], "hdd +a-patch");
}

/* Nothing that is expected: no picture. */
static void test_judged_nothing(void **state)
{
	const struct run *runs[] = { &run };

	(void)state;
	add_boot("g/case", 1, 20 * SEC);
	add_verdict("g/case", "hdd", VERDICT_PASS, 20);
	plot_case_judged(&plot, runs, 1, "g/case");
	assert_false(plot_has_data(&plot));
}

static void test_svg(void **state)
{
	struct plot_source from = source(add_boot("g/case", 1, 20 * SEC));

	(void)state;
	plot_boot_dirty(&plot, &from, false);
	plot_svg(&out, &plot, false);
	has("<figure class=\"plot\">");
	has("class=\"a c0\"");
	has("class=\"a c1 p\"");
	has("class=\"l kl\"");
	has("<span class=\"key f c0 p\"><i></i>hda under writeback</span>");
	has(">guest time, s</text>");
	has(">MiB</text>");
	has(">victim hdd</text>");
	has("dirty limit</span>");
	has_not("nan");
	has_not("inf");
}

/* Back quotes run commands, quotes end strings, @ expands macros: none of it reaches a script. */
static void test_gnuplot_text(void **state)
{
	(void)state;
	gnuplot_text(HOSTILE, &out);
	for (size_t i = 0; i < out.len; i++)
		if (strchr("'\"`@$\\{}[]|!<>&_^~#\033\r\n", out.buf[i]))
			fail_msg("'%c' in %s", out.buf[i], out.buf);
	strbuf_reset(&out);
	gnuplot_text("victim hdd, 1.5 (x)", &out);
	assert_string_equal(out.buf, "victim hdd, 1.5 (x)");
}

/* An area that begins left of the picture is cut where it enters; a line may begin there. */
static void test_gnuplot_area_cut(void **state)
{
	static const double x[] = { -3, -1, 3, 4 }, y[] = { 9, 2, 6, 0 }, low[] = { 9, 0, 4, 0 };
	struct plot_series *s;

	(void)state;
	plot_init(&plot, "x", "title", "x", "y");
	plot.x_max = 4;
	s = plot_add(&plot, PLOT_AREA, "area", 0, 4);
	for (size_t i = 0; i < 4; i++)
		plot_point(s, x[i], y[i], low[i]);
	s = plot_add(&plot, PLOT_LINE, "line", 1, 4);
	for (size_t i = 0; i < 2; i++)
		plot_point(s, x[i], y[i], 0);
	s = plot_add(&plot, PLOT_AREA, "left", 2, 4);
	for (size_t i = 0; i < 2; i++)
		plot_point(s, x[i], y[i], low[i]);
	gnuplot_data(&plot, &out);
	assert_string_equal(strchr(out.buf, '\n') + 1, "0 3 1\n3 6 4\n4 0 0\n\n\n"
							"-3 9\n-1 2\n\n\n"
							"-1e30 -1e30 -1e30\n\n\n");
}

static void make_all(const struct plot_source *from, bool script)
{
	for (int i = 0; i < PLOT_BOOT_N; i++) {
		plot_release(&plot);
		plot_boot_make(&plot, i, from);
		if (script) {
			gnuplot_script(&plot, "x", &out);
			gnuplot_data(&plot, &out);
		} else {
			plot_svg(&out, &plot, i == 0);
		}
	}
}

static void test_hostile(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);
	struct plot_source from;

	(void)state;
	make_hostile();
	from = source(b);
	make_all(&from, true);
	has_not("`");
	has_not("@macro");
	has_not("\033");
	has_not("\xff");
	has_not("\xe2\x80\xae");
	/* a script's lines are ours: every quote has its partner in its line */
	for (const char *line = out.buf; *line; line += strcspn(line, "\n") + 1) {
		size_t quotes = 0;

		for (const char *c = line; *c && *c != '\n'; c++)
			quotes += *c == '\'';
		assert_int_equal(quotes % 2, 0);
	}
	strbuf_reset(&out);
	make_all(&from, false);
	has_not("</script");
	has_not("\033");
	has_not("nan");
	has("a&lt;/script&gt;");
}

/* Through gnuplot itself: both pictures are made, and a command in a label is not run. */
static void test_gnuplot_draws(void **state)
{
	struct strvec scripts = STRVEC_INIT;
	struct err err = ERR_INIT;
	struct plot_source from;
	char *tool = NULL, *dir, *path;

	(void)state;
	if (tool_find("gnuplot", "gnuplot-nox", &tool, &err))
		skip();
	free(tool);
	assert_int_equal(dir_temp("/tmp/iorig-plot-", &dir, &err), 0);
	add_boot("g/case", 1, 20 * SEC);
	snprintf(run.boots[0].disks[0].name, MSG_NAME, "x`touch %s/owned`", dir);
	for (size_t i = 0; i < 40; i++)
		snprintf(run.boots[0].samples[i].disks[0].name, MSG_NAME, "x`touch %s/owned`", dir);
	from = source(&run.boots[0]);
	plot_boot_dirty(&plot, &from, false);
	path = path_join(dir, "sub");
	assert_int_equal(dir_make(path, &err), 0);
	free(path);
	if (gnuplot_write(&plot, dir, "sub", &scripts, &err) ||
	    gnuplot_write(&plot, dir, "", &scripts, &err) || gnuplot_draw(dir, &scripts, &err))
		fail_msg("%s", err.msg);
	path = path_join(dir, "sub/dirty.svg");
	assert_in_range(file_size(path), 1000, 1000000);
	free(path);
	path = path_join(dir, "dirty.png");
	assert_in_range(file_size(path), 1000, 1000000);
	free(path);
	path = path_join(dir, "owned");
	assert_false(path_is_file(path));
	free(path);
	strvec_release(&scripts);
	dir_remove(dir, &err);
	free(dir);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_colors_differ_in_grey), TEST(test_same_disk_same_color), TEST(test_ticks),
		TEST(test_dirty), TEST(test_thinned), TEST(test_throughput), TEST(test_requests),
		TEST(test_seeds), TEST(test_seeds_of_several), TEST(test_judged),
		TEST(test_judged_of_several),
		TEST(test_judged_nothing), TEST(test_svg), TEST(test_gnuplot_text), TEST(test_hostile),
		TEST(test_gnuplot_area_cut),
		TEST(test_gnuplot_draws),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
