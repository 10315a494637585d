/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures as gnuplot's files. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/tool.h"
#include "report/palette.h"
#include "report/plot.h"
#include "report/plot_gnuplot.h"

#define TEXT_MAX 120
#define DRAW_NS (60 * NS_PER_S)	/* for the process, and a second more for each picture */
#define OUTPUT_MAX 65536
#define LANE 0.028		/* height of a lane, of the picture's */

void gnuplot_text(const char *text, struct strbuf *out)
{
	size_t n = 0;

	for (; *text && n < TEXT_MAX; text++, n++)
		strbuf_addch(out, isalnum((unsigned char)*text) || strchr(" .,:;+-/%()=", *text)
					  ? *text : '?');
}

static void add_quoted(struct strbuf *out, const char *text)
{
	strbuf_addch(out, '\'');
	gnuplot_text(text, out);
	strbuf_addch(out, '\'');
}

static const char *color_of(int color)
{
	static const char *const special[] = { "", "#222222", "#b3001b", "#777777", "#1a7f37" };

	return color >= 0 ? palette_colors[color % PALETTE_N].light : special[-color];
}

static void add_point(struct strbuf *out, double x, double y, const double *low)
{
	strbuf_addf(out, "%.9g %.9g", x, y);
	if (low)
		strbuf_addf(out, " %.9g", *low);
	strbuf_addch(out, '\n');
}

static double between(const double *v, size_t k, double part)
{
	return v[k] + (v[k + 1] - v[k]) * part;
}

/* Of an area that begins left of the picture, which gnuplot would close with a line from there to
 * anywhere: the point where it enters. */
static void add_entry(struct strbuf *out, const struct plot_series *s, size_t k, double x_min)
{
	double part, low;

	if (k + 1 >= s->n || !(s->x[k + 1] > x_min) || !isfinite(s->y[k + 1]))
		return;
	part = (x_min - s->x[k]) / (s->x[k + 1] - s->x[k]);
	low = between(s->low, k, part);
	add_point(out, x_min, between(s->y, k, part), &low);
}

void gnuplot_data(const struct plot *p, struct strbuf *out)
{
	strbuf_addstr(out, "# a block for each series: x, y, for areas the lower y, too\n");
	for (size_t i = 0; i < p->n_series; i++) {
		const struct plot_series *s = &p->series[i];
		size_t before = out->len;

		for (size_t k = 0; k < s->n; k++) {
			if (!isfinite(s->x[k]) || !isfinite(s->y[k]))
				continue;
			if (s->low && s->x[k] < p->x_min)
				add_entry(out, s, k, p->x_min);
			else
				add_point(out, s->x[k], s->y[k], s->low ? &s->low[k] : NULL);
		}
		/* gnuplot counts blocks, so that one without points needs one outside of the axes
		 */
		if (out->len == before)
			strbuf_addstr(out, "-1e30 -1e30 -1e30\n");
		strbuf_addstr(out, "\n\n");
	}
}

/* Bars below the axes, in the room that a wide bottom margin leaves. */
static void add_lanes(const struct plot *p, struct strbuf *out)
{
	int object = 1;

	for (size_t i = 0; i < p->n_lanes; i++) {
		const struct plot_lane *l = &p->lanes[i];
		double y = 0.015 + LANE * (double)(p->n_lanes - 1 - i);

		strbuf_addstr(out, "set label ");
		add_quoted(out, l->name);
		strbuf_addf(out, " at screen 0.125, screen %.4f right font ',9'\n", y + LANE / 2);
		for (size_t k = 0; k < l->n; k++) {
			const struct plot_span *s = &l->spans[k];
			double from = fmax(s->from, p->x_min), to = fmin(s->to, p->x_max);

			if (!(to >= from))
				continue;
			strbuf_addf(out, "set object %d rectangle from first %.9g, screen %.4f to "
				    "first %.9g, screen %.4f fillcolor rgb '%s' fillstyle solid %s "
				    "noborder\n", object++, from, y + LANE * 0.15, to,
				    y + LANE * 0.85, color_of(l->color), s->pale ? "0.45" : "1.0");
		}
	}
}

static void add_rows(const struct plot *p, struct strbuf *out)
{
	strbuf_addstr(out, "set ytics (");
	for (size_t i = 0; i < p->n_rows; i++) {
		strbuf_addstr(out, i ? ", " : "");
		add_quoted(out, p->rows[i]);
		strbuf_addf(out, " %zu", i);
	}
	strbuf_addstr(out, ")\n");
}

static void add_style(const struct plot *p, const struct plot_series *s, struct strbuf *out)
{
	const char *color = color_of(s->color);
	const char *dash = s->color == PLOT_LIMIT ? " dashtype 2" : s->color == PLOT_SOFT || s->pale
			   ? " dashtype 3" : s->color >= PALETTE_N ? " dashtype 4" : "";

	switch (s->kind) {
	case PLOT_AREA:
		strbuf_addf(out,
			    "using 1:2:3 with filledcurves fillcolor rgb '%s' fillstyle solid %s",
			    color, s->pale ? "0.45" : "1.0");
		break;
	case PLOT_STEPS:
		strbuf_addf(out, "using 1:2 with fsteps linewidth 1.5 linecolor rgb '%s'%s", color,
			    dash);
		break;
	case PLOT_DOTS:
		strbuf_addf(out, "using 1:2 with points pointtype 7 pointsize %s "
			    "linecolor rgb '%s'", p->n_rows ? "1.2" : "0.3", color);
		break;
	case PLOT_TICKS:
		strbuf_addf(out, "using 1:2 with points pointtype 2 pointsize 0.5 "
			    "linecolor rgb '%s'", color);
		break;
	case PLOT_LINE:
	case PLOT_LEVEL:
	case PLOT_UPRIGHT:
		strbuf_addf(out, "using 1:2 with lines linewidth 1.5 linecolor rgb '%s'%s", color,
			    dash);
		break;
	}
}

static void add_curve(const struct plot *p, size_t i, const char *name, struct strbuf *out)
{
	const struct plot_series *s = &p->series[i];

	if (s->kind == PLOT_LEVEL && s->n)
		strbuf_addf(out, "[%.9g:%.9g] %.9g with lines linewidth 1.5 dashtype 2 "
			    "linecolor rgb '%s'", p->x_min, p->x_max, s->y[0], color_of(s->color));
	else if (s->kind == PLOT_UPRIGHT && s->n)
		strbuf_addf(out, "'+' using (%.9g):(%.9g + $0 * %.9g) every 100 with lines "
			    "linewidth 1.5 dashtype 2 linecolor rgb '%s'", s->x[0], p->y_min,
			    p->y_max - p->y_min, color_of(s->color));
	else
		strbuf_addf(out, "'%s.dat' index %zu ", name, i);
	if ((s->kind != PLOT_LEVEL && s->kind != PLOT_UPRIGHT) || !s->n)
		add_style(p, s, out);
	if (s->name) {
		strbuf_addstr(out, " title ");
		add_quoted(out, s->name);
	} else {
		strbuf_addstr(out, " notitle");
	}
}

static void add_curves(const struct plot *p, const char *name, struct strbuf *out)
{
	strbuf_addstr(out, "plot ");
	for (size_t i = 0; i < p->n_series; i++) {
		strbuf_addstr(out, i ? ", \\\n     " : "");
		add_curve(p, i, name, out);
	}
	strbuf_addstr(out, p->n_series ? "\n" : "1e30 notitle\n");
}

void gnuplot_script(const struct plot *p, const char *name, struct strbuf *out)
{
	strbuf_addf(out, "# draws %s.svg and %s.png: gnuplot %s.gp\n", name, name, name);
	strbuf_addstr(out, "reset session\nset encoding utf8\nset termoption noenhanced\n"
			   "set samples 200\nset border 3\nset tics nomirror out\n"
			   "set grid ytics linecolor rgb '#dddddd'\n"
			   "set key outside top center horizontal\nset title ");
	add_quoted(out, p->title);
	strbuf_addstr(out, "\nset xlabel ");
	add_quoted(out, p->x_label);
	strbuf_addstr(out, "\nset ylabel ");
	add_quoted(out, p->y_label);
	/* rows are counted from the top */
	strbuf_addf(out, "\nset xrange [%.9g:%.9g]\nset yrange [%.9g:%.9g]\n", p->x_min, p->x_max,
		    p->n_rows ? p->y_max : p->y_min, p->n_rows ? p->y_min : p->y_max);
	if (p->log_y)
		strbuf_addstr(out, "set logscale y\n");
	if (p->n_rows)
		add_rows(p, out);
	strbuf_addf(out, "set lmargin at screen %s\nset bmargin at screen %.4f\n",
		    p->n_rows ? "0.24" : "0.13",
		    (p->n_lanes ? 0.155 : 0.13) + LANE * (double)p->n_lanes);
	add_lanes(p, out);
	strbuf_addf(out, "set terminal svg size 900,500 noenhanced background rgb 'white'\n"
			 "set output '%s.svg'\n", name);
	add_curves(p, name, out);
	strbuf_addf(out, "set terminal pngcairo size 900,500 noenhanced background rgb 'white'\n"
			 "set output '%s.png'\nreplot\nset output\n", name);
}

static int write_one(const char *dir, const char *name, const char *end, const struct strbuf *sb,
		     struct err *err)
{
	char *path __free(ptr) = xstrfmt("%s/%s.%s", dir, name, end);

	return file_write_atomic(path, sb->buf, sb->len, 0666, err);
}

int gnuplot_write(const struct plot *p, const char *dir, const char *sub, struct strvec *scripts,
		  struct err *err)
{
	static const char *const drawn[] = { "svg", "png" };
	char *folder __free(ptr) = *sub ? path_join(dir, sub) : xstrdup(dir);
	const char *name = p->id;
	struct strbuf script __release(strbuf) = STRBUF_INIT, data __release(strbuf) = STRBUF_INIT;
	int ret;

	gnuplot_script(p, name, &script);
	gnuplot_data(p, &data);
	ret = write_one(folder, name, "dat", &data, err);
	if (!ret)
		ret = write_one(folder, name, "gp", &script, err);
	if (ret)
		return ret;
	/* gnuplot would write through a symbolic link that somebody left there */
	for (size_t i = 0; i < ARRAY_SIZE(drawn); i++) {
		char *path __free(ptr) = xstrfmt("%s/%s.%s", folder, name, drawn[i]);

		if (unlink(path) && errno != ENOENT)
			return err_sys(err, -errno, "replacing '%s'", str_escape(path));
	}
	strvec_pushf(scripts, "%s%s%s.gp", sub, *sub ? "/" : "", name);
	return 0;
}

int gnuplot_draw(const char *dir, const struct strvec *scripts, struct err *err)
{
	struct deadline d = deadline_in("gnuplot", DRAW_NS + (int64_t)scripts->n * NS_PER_S);
	struct strbuf said __release(strbuf) = STRBUF_INIT;
	struct proc proc __release(proc) = PROC_INIT;
	char *tool __free(ptr) = NULL;
	int ret = tool_find("gnuplot", "gnuplot-nox", &tool, err);

	if (ret || !scripts->n)
		return ret;
	proc.dir = dir;
	strvec_push(&proc.argv, tool);
	/* no start-up file of the user's: the same picture everywhere */
	strvec_push(&proc.argv, "-d");
	strvec_push(&proc.env, "GNUTERM");
	strvec_push(&proc.argv, "-e");
	strvec_push(&proc.argv, "unset multiplot");
	strvec_each (script, scripts) {
		const char *base = path_base(*script);

		strvec_push(&proc.argv, "-e");
		if (base == *script)
			strvec_pushf(&proc.argv, "load '%s'", base);
		else
			strvec_pushf(&proc.argv, "cd '%.*s'; load '%s'; cd '..'",
				     (int)(base - *script - 1), *script, base);
	}
	ret = proc_capture(&proc, &d, OUTPUT_MAX, &said, NULL, err);
	return ret ? err_wrap(err, "drawing the plots") : 0;
}
