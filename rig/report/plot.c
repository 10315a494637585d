/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures as data. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "report/plot.h"

void plot_init(struct plot *p, const char *id, const char *title, const char *x_label,
	       const char *y_label)
{
	*p = (struct plot){
		.id = xstrdup(id), .title = xstrdup(title), .x_label = xstrdup(x_label),
		.y_label = xstrdup(y_label),
	};
}

void plot_release(struct plot *p)
{
	for (size_t i = 0; i < p->n_series; i++) {
		free(p->series[i].name);
		free(p->series[i].x);
		free(p->series[i].y);
		free(p->series[i].low);
	}
	for (size_t i = 0; i < p->n_lanes; i++) {
		free(p->lanes[i].name);
		free(p->lanes[i].spans);
	}
	for (size_t i = 0; i < p->n_rows; i++)
		free(p->rows[i]);
	free(p->series);
	free(p->lanes);
	free(p->rows);
	free(p->id);
	free(p->title);
	free(p->x_label);
	free(p->y_label);
	*p = (struct plot){ .id = NULL };
}

struct plot_series *plot_add(struct plot *p, enum plot_kind kind, const char *name, int color,
			     size_t n)
{
	struct plot_series *s = array_grow(p->series, p->n_series);

	s->kind = kind;
	s->name = name ? xstrdup(name) : NULL;
	s->color = color;
	s->x = xcalloc(n ? n : 1, sizeof(*s->x));
	s->y = xcalloc(n ? n : 1, sizeof(*s->y));
	s->low = kind == PLOT_AREA ? xcalloc(n ? n : 1, sizeof(*s->low)) : NULL;
	return s;
}

void plot_point(struct plot_series *s, double x, double y, double low)
{
	s->x[s->n] = x;
	s->y[s->n] = y;
	if (s->low)
		s->low[s->n] = low;
	s->n++;
}

void plot_line_at(struct plot *p, enum plot_kind kind, const char *name, int color, double v)
{
	plot_point(plot_add(p, kind, name, color, 1), v, v, 0);
}

struct plot_lane *plot_add_lane(struct plot *p, const char *name, int color)
{
	struct plot_lane *l;

	if (p->n_lanes >= PLOT_LANES)
		return NULL;
	l = array_grow(p->lanes, p->n_lanes);
	l->name = xstrdup(name);
	l->color = color;
	return l;
}

void plot_add_span(struct plot_lane *l, double from, double to, bool pale)
{
	if (l)
		*array_grow(l->spans, l->n) = (struct plot_span){ from, to, pale };
}

void plot_add_row(struct plot *p, const char *name)
{
	char **row = array_grow(p->rows, p->n_rows);

	*row = xstrdup(name);
}

void plot_set_id(struct plot *p, const char *fmt, ...)
{
	struct strbuf id = STRBUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&id, fmt, ap);
	va_end(ap);
	free(p->id);
	p->id = strbuf_detach(&id, NULL);
}

void plot_set_title(struct plot *p, const char *title)
{
	char *copy = xstrdup(title);

	free(p->title);
	p->title = copy;
}

struct extent {
	double min, max;
};

static void extend(struct extent *e, double v)
{
	if (!isfinite(v))
		return;
	e->min = v < e->min ? v : e->min;
	e->max = v > e->max ? v : e->max;
}

static void extents(const struct plot *p, struct extent *x, struct extent *y)
{
	for (size_t i = 0; i < p->n_series; i++) {
		const struct plot_series *s = &p->series[i];

		for (size_t k = 0; k < s->n; k++) {
			if (s->kind != PLOT_LEVEL)
				extend(x, s->x[k]);
			if (s->kind != PLOT_UPRIGHT && (!p->log_y || s->y[k] > 0))
				extend(y, s->y[k]);
		}
	}
	for (size_t i = 0; i < p->n_lanes; i++)
		for (size_t k = 0; k < p->lanes[i].n; k++)
			extend(x, p->lanes[i].spans[k].to);
}

void plot_fit(struct plot *p)
{
	struct extent x = { INFINITY, -INFINITY }, y = { INFINITY, -INFINITY };

	extents(p, &x, &y);
	if (!(p->x_max > p->x_min)) {
		p->x_min = 0;
		p->x_max = x.max > 0 ? x.max : 1;
	}
	if (p->n_rows) {
		p->y_min = -0.5;
		p->y_max = (double)p->n_rows - 0.5;
	} else if (p->log_y) {
		double low = isfinite(y.min) ? pow(10, floor(log10(y.min))) : 1;
		double high = isfinite(y.max) ? pow(10, ceil(log10(y.max))) : 10;

		p->y_min = low > 0 ? low : 1e-300;
		p->y_max = isfinite(high) ? high : 1e300;
		if (!(p->y_max > p->y_min))
			p->y_max = p->y_min * 10;
	} else {
		p->y_min = 0;
		p->y_max = y.max > 0 ? (y.max < 1e300 ? y.max * 1.05 : 1e300) : 1;
	}
}

bool plot_has_data(const struct plot *p)
{
	for (size_t i = 0; i < p->n_series; i++)
		if (p->series[i].n && p->series[i].kind != PLOT_LEVEL &&
		    p->series[i].kind != PLOT_UPRIGHT)
			return true;
	return false;
}

static size_t log_ticks(double min, double max, double *ticks)
{
	int low = (int)ceil(log10(min) - 1e-9), high = (int)floor(log10(max) + 1e-9);
	int step = 1 + (high - low) / 6;
	size_t n = 0;

	for (int d = low; d <= high && n < PLOT_TICKS_MAX; d += step)
		ticks[n++] = pow(10, d);
	return n;
}

size_t plot_ticks(double min, double max, bool log, int about, double *ticks)
{
	double raw, size, step;
	size_t n = 0;

	if (!(max > min) || !isfinite(max - min))
		return 0;
	if (log)
		return log_ticks(min, max, ticks);
	raw = (max - min) / about;
	size = pow(10, floor(log10(raw)));
	if (!(size > 0))
		return 0;
	step = raw / size < 1.5 ? 1 : raw / size < 3.5 ? 2 : raw / size < 7.5 ? 5 : 10;
	step *= size;
	for (double k = ceil(min / step - 1e-9); n < PLOT_TICKS_MAX; k++) {
		if (k * step > max + step * 1e-9)
			break;
		ticks[n++] = k * step + 0.0;	/* -0 would be shown with its sign */
	}
	return n;
}

const char *plot_number(double v, char *buf)
{
	double whole = fabs(v);

	if (whole >= 1e6 || (whole < 1e-3 && whole > 0))
		snprintf(buf, 32, "%.3g", v);
	else if (whole >= 1000)
		snprintf(buf, 32, "%s%d,%03d", v < 0 ? "-" : "", (int)whole / 1000,
			 (int)whole % 1000);
	else
		snprintf(buf, 32, "%.4g", v);
	return buf;
}
