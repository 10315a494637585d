/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A picture as data: axes with units, series, bars below the axis. What is drawn is decided once
 * (plot_boot.h, plot_case.h); how is the business of plot_svg.h (in a page) and plot_gnuplot.h
 * (files). Names and titles are hostile text until a backend has escaped them; numbers may be any,
 * a backend leaves out what is not finite and clips what is outside of the axes.
 */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

enum plot_kind {
	PLOT_AREA,	/* filled between low and y over x */
	PLOT_LINE,
	PLOT_STEPS,	/* y holds from the point before it to its own x */
	PLOT_DOTS,	/* round marks */
	PLOT_TICKS,	/* upright marks: told from dots without colour */
	PLOT_LEVEL,	/* one value: a line across the picture at y[0] */
	PLOT_UPRIGHT	/* one value: a line from bottom to top at x[0] */
};

/* A palette's index (palette.h), or one of these. */
enum plot_color { PLOT_INK = -1, PLOT_LIMIT = -2, PLOT_SOFT = -3, PLOT_GOOD = -4 };

struct plot_series {
	enum plot_kind kind;
	char *name;		/* in the legend; NULL = not in it */
	int color;
	bool pale;		/* half as strong: the second kind of the same thing */
	double *x, *y, *low;	/* n each; low only of areas */
	size_t n;
};

/* A bar below the picture, on the same time axis. */
struct plot_span {
	double from, to;
	bool pale;
};

struct plot_lane {
	char *name;
	int color;
	struct plot_span *spans;
	size_t n;
};

struct plot {
	char *id;		/* its files' name, plain characters only: "dirty" */
	char *title, *x_label, *y_label;
	double x_min, x_max, y_min, y_max;
	bool log_y;		/* y_min > 0 then */
	char **rows;		/* n_rows names for y = 0, 1, ... from the top instead of numbers */
	size_t n_rows;
	struct plot_series *series;
	struct plot_lane *lanes;
	size_t n_series, n_lanes;
};

#define PLOT_LANES 24		/* more are not added */

/* Id is copied, the labels too; the axes begin empty: plot_fit() or the caller sets them. */
void plot_init(struct plot *p, const char *id, const char *title, const char *x_label,
	       const char *y_label);
void plot_release(struct plot *p);
/* The pointer is good until the next series; x, y, low have room for n values, n is 0 yet. */
struct plot_series *plot_add(struct plot *p, enum plot_kind kind, const char *name, int color,
			     size_t n);
/* Append a point; low is only of areas. */
void plot_point(struct plot_series *s, double x, double y, double low);
/* A level or an upright at v. */
void plot_line_at(struct plot *p, enum plot_kind kind, const char *name, int color, double v);
/* NULL beyond PLOT_LANES. */
struct plot_lane *plot_add_lane(struct plot *p, const char *name, int color);
void plot_add_span(struct plot_lane *l, double from, double to, bool pale);
void plot_add_row(struct plot *p, const char *name);
/* Set the y axis (x too if x_max is not above x_min) so that all finite values are in it, from 0
 * on or, of a logarithmic one, from the decade of the least. Never empty afterwards. */
void plot_fit(struct plot *p);
/* Is there anything to draw? */
bool plot_has_data(const struct plot *p);
void plot_set_id(struct plot *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void plot_set_title(struct plot *p, const char *title);

/*
 * Ticks of an axis: round numbers from min to max, about 'about' of them, at most PLOT_TICKS_MAX;
 * decades (or every second, third ... one) on a logarithmic one. Returns how many.
 */
#define PLOT_TICKS_MAX 12
size_t plot_ticks(double min, double max, bool log, int about, double *ticks);
/* "0", "0.5", "1,500", "2e+09"; 32 bytes, returned. */
const char *plot_number(double v, char *buf);

#endif
