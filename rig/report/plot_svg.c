/* SPDX-License-Identifier: GPL-2.0-only */
/* Pictures as inline SVG. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/strbuf.h"
#include "report/html_text.h"
#include "report/palette.h"
#include "report/plot.h"
#include "report/plot_svg.h"

/* Sizes in CSS pixels of a picture 460 wide; what is drawn has ten units for each of them. */
#define WIDTH 460
#define RIGHT 10
#define HEIGHT 170
#define SMALL_HEIGHT 60
#define ROW_HEIGHT 22
#define LANE_HEIGHT 13
#define TOP 24
#define UNITS 10
#define CHAR_WIDTH 7.2		/* of a name in the left margin, about */
#define LANE_LEFT 100		/* the margin for lanes' names */
#define ROW_LEFT_MAX 240

struct canvas {
	const struct plot *p;
	bool small;
	int left, width, height;	/* of the axes' box, pixels */
	int last_x, last_y;		/* of the path that is being drawn, units */
};

static int clip(double part, int size)
{
	double v = part * size * UNITS;

	return v > 0 ? v < size * UNITS ? (int)lround(v) : size * UNITS : 0;
}

static int x_of(const struct canvas *c, double x)
{
	return clip((x - c->p->x_min) / (c->p->x_max - c->p->x_min), c->width);
}

static int y_of(const struct canvas *c, double y)
{
	const struct plot *p = c->p;
	double part;

	if (p->log_y)
		part = y > p->y_min ? log(y / p->y_min) / log(p->y_max / p->y_min) : 0;
	else
		part = (y - p->y_min) / (p->y_max - p->y_min);
	/* rows are counted from the top */
	return clip(p->n_rows ? part : 1 - part, c->height);
}

static bool outside(const struct canvas *c, double x, double y)
{
	return !isfinite(x) || !isfinite(y) || x < c->p->x_min || x > c->p->x_max;
}

/* "c2", or the class of a colour that is no disk's; disks beyond the palette are dashed ("w"). */
static void add_class(struct strbuf *out, const char *kind, int color, bool pale)
{
	static const char *const special[] = { "", "ki", "kl", "ks", "kg" };

	strbuf_addf(out, " class=\"%s ", kind);
	if (color >= 0)
		strbuf_addf(out, "c%d%s", color % PALETTE_N, color >= PALETTE_N ? " w" : "");
	else
		strbuf_addstr(out, special[-color]);
	strbuf_addf(out, "%s\"", pale ? " p" : "");
}

static void move_to(struct canvas *c, struct strbuf *out, int x, int y)
{
	strbuf_addf(out, "M%d %d", x, y);
	c->last_x = x;
	c->last_y = y;
}

static void line_to(struct canvas *c, struct strbuf *out, int x, int y)
{
	int dx = x - c->last_x, dy = y - c->last_y;

	if (dx && dy)
		strbuf_addf(out, dy < 0 ? "l%d%d" : "l%d %d", dx, dy);
	else if (dx)
		strbuf_addf(out, "h%d", dx);
	else if (dy)
		strbuf_addf(out, "v%d", dy);
	c->last_x = x;
	c->last_y = y;
}

static void draw_area(struct canvas *c, const struct plot_series *s, struct strbuf *out)
{
	bool begun = false;

	for (size_t i = 0; i < s->n; i++) {
		if (outside(c, s->x[i], s->y[i]))
			continue;
		if (begun)
			line_to(c, out, x_of(c, s->x[i]), y_of(c, s->y[i]));
		else
			move_to(c, out, x_of(c, s->x[i]), y_of(c, s->y[i]));
		begun = true;
	}
	for (size_t i = s->n; i; i--)
		if (!outside(c, s->x[i - 1], s->y[i - 1]))
			line_to(c, out, x_of(c, s->x[i - 1]), y_of(c, s->low[i - 1]));
	if (begun)
		strbuf_addch(out, 'z');
}

static void draw_line(struct canvas *c, const struct plot_series *s, struct strbuf *out)
{
	bool begun = false;

	for (size_t i = 0; i < s->n; i++) {
		int x, y;

		if (outside(c, s->x[i], s->y[i]))
			continue;
		x = x_of(c, s->x[i]);
		y = y_of(c, s->y[i]);
		if (!begun) {
			move_to(c, out, x, y);
		} else {
			if (s->kind == PLOT_STEPS)
				line_to(c, out, c->last_x, y);
			line_to(c, out, x, y);
		}
		begun = true;
	}
}

static void draw_marks(struct canvas *c, const struct plot_series *s, struct strbuf *out)
{
	bool ticks = s->kind == PLOT_TICKS;

	for (size_t i = 0; i < s->n; i++) {
		if (outside(c, s->x[i], s->y[i]))
			continue;
		strbuf_addf(out, ticks ? "M%d %dv40" : "M%d %dh0", x_of(c, s->x[i]),
			    y_of(c, s->y[i]) - (ticks ? 20 : 0));
	}
}

static void draw_series(struct canvas *c, const struct plot_series *s, struct strbuf *out)
{
	static const char *const kinds[] = {
		[PLOT_AREA] = "a", [PLOT_LINE] = "l", [PLOT_STEPS] = "l", [PLOT_DOTS] = "d",
		[PLOT_TICKS] = "t", [PLOT_LEVEL] = "l", [PLOT_UPRIGHT] = "l",
	};

	if (!s->n)
		return;
	strbuf_addstr(out, "<path");
	add_class(out, c->p->n_rows && s->kind == PLOT_DOTS ? "b" : kinds[s->kind], s->color,
		  s->pale);
	strbuf_addstr(out, " d=\"");
	switch (s->kind) {
	case PLOT_AREA:
		draw_area(c, s, out);
		break;
	case PLOT_LINE:
	case PLOT_STEPS:
		draw_line(c, s, out);
		break;
	case PLOT_DOTS:
	case PLOT_TICKS:
		draw_marks(c, s, out);
		break;
	case PLOT_LEVEL:
		if (isfinite(s->y[0]))
			strbuf_addf(out, "M0 %dh%d", y_of(c, s->y[0]), c->width * UNITS);
		break;
	case PLOT_UPRIGHT:
		if (isfinite(s->x[0]))
			strbuf_addf(out, "M%d 0v%d", x_of(c, s->x[0]), c->height * UNITS);
		break;
	}
	strbuf_addstr(out, "\"/>\n");
}

static const char end_anchor[] = " text-anchor=\"end\"", mid_anchor[] = " text-anchor=\"middle\"";

static void add_text(struct strbuf *out, double x, double y, const char *anchor, const char *text)
{
	strbuf_addf(out, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, anchor);
	html_add(out, text);
	strbuf_addstr(out, "</text>\n");
}

static size_t chars(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (*text & 0xc0) != 0x80;
	return n;
}

/* A name in the left margin, cut where that ends. */
static void add_name(const struct canvas *c, struct strbuf *out, double y, const char *text)
{
	size_t room = (size_t)((c->left - 5) / CHAR_WIDTH), n = 0, i = 0;
	char *cut = NULL;

	for (; chars(text) > room && text[i]; i++) {
		n += (text[i] & 0xc0) != 0x80;
		if (n + 3 > room)
			break;
	}
	if (i)
		cut = xstrfmt("%.*s...", (int)i, text);
	add_text(out, c->left - 5, y, end_anchor, cut ? cut : text);
	free(cut);
}

/* As wide as the longest row's name needs it, within reason. */
static int row_margin(const struct plot *p)
{
	size_t most = 8;

	for (size_t i = 0; i < p->n_rows; i++)
		most = chars(p->rows[i]) > most ? chars(p->rows[i]) : most;
	return most * CHAR_WIDTH + 10 < ROW_LEFT_MAX ? (int)(most * CHAR_WIDTH) + 10 : ROW_LEFT_MAX;
}

static void draw_y_axis(struct canvas *c, struct strbuf *out)
{
	const struct plot *p = c->p;
	double ticks[PLOT_TICKS_MAX];
	size_t n =
		p->n_rows ? 0 : plot_ticks(p->y_min, p->y_max, p->log_y, c->small ? 2 : 4, ticks);
	char buf[32];

	for (size_t i = 0; i < n; i++) {
		double y = TOP + y_of(c, ticks[i]) / (double)UNITS;

		strbuf_addf(out, "<path class=\"g\" d=\"M%d %.1fh%d\"/>", c->left, y, c->width);
		add_text(out, c->left - 5, y + 4, end_anchor, plot_number(ticks[i], buf));
	}
	for (size_t i = 0; i < p->n_rows; i++) {
		double y = TOP + y_of(c, (double)i) / (double)UNITS;

		strbuf_addf(out, "<path class=\"g\" d=\"M%d %.1fh%d\"/>", c->left, y, c->width);
		add_name(c, out, y + 4, p->rows[i]);
	}
	if (!p->n_rows && !c->small)
		add_text(out, 0, 11, "", p->y_label);
}

static void draw_x_axis(struct canvas *c, int below, struct strbuf *out)
{
	const struct plot *p = c->p;
	double ticks[PLOT_TICKS_MAX];
	size_t n = plot_ticks(p->x_min, p->x_max, false, 6, ticks);
	int y = TOP + c->height;
	char buf[32];

	strbuf_addf(out, "<path class=\"x\" d=\"M%d %dh%d\"/>", c->left, y, c->width);
	for (size_t i = 0; i < n; i++) {
		double x = c->left + x_of(c, ticks[i]) / (double)UNITS;

		strbuf_addf(out, "<path class=\"x\" d=\"M%.1f %dv4\"/>", x, below);
		add_text(out, x, below + 15, mid_anchor, plot_number(ticks[i], buf));
	}
	if (!c->small)
		add_text(out, c->left + c->width, below + 28, end_anchor, p->x_label);
}

static void draw_lanes(struct canvas *c, struct strbuf *out)
{
	for (size_t i = 0; i < c->p->n_lanes; i++) {
		const struct plot_lane *l = &c->p->lanes[i];
		int y = TOP + c->height + 8 + (int)i * LANE_HEIGHT;

		add_name(c, out, y + 9, l->name);
		strbuf_addstr(out, "<path");
		add_class(out, "a", l->color, false);
		strbuf_addstr(out, " d=\"");
		for (int pale = 0; pale < 2; pale++) {
			for (size_t k = 0; k < l->n; k++) {
				int from = x_of(c, l->spans[k].from), to = x_of(c, l->spans[k].to);

				if (l->spans[k].pale != pale || to < from)
					continue;
				strbuf_addf(out, "M%.1f %dh%.1fv%dh-%.1fz",
					    c->left + from / (double)UNITS, y + 1,
					    (to - from) / (double)UNITS + 0.4, LANE_HEIGHT - 4,
					    (to - from) / (double)UNITS + 0.4);
			}
			if (!pale) {
				strbuf_addstr(out, "\"/><path");
				add_class(out, "a", l->color, true);
				strbuf_addstr(out, " d=\"");
			}
		}
		strbuf_addstr(out, "\"/>\n");
	}
}

static void add_caption(const struct plot *p, struct strbuf *out)
{
	strbuf_addstr(out, "<figcaption><b>");
	html_add(out, p->title);
	strbuf_addstr(out, "</b>");
	for (size_t i = 0; i < p->n_series; i++) {
		const struct plot_series *s = &p->series[i];
		bool filled = s->kind == PLOT_AREA;

		if (!s->name)
			continue;
		strbuf_addstr(out, " <span");
		add_class(out,
			  filled		  ? "key f"
			  : s->kind == PLOT_DOTS  ? "key o"
			  : s->kind == PLOT_TICKS ? "key i"
						  : "key n",
			  s->color, s->pale);
		strbuf_addstr(out, "><i></i>");
		html_add(out, s->name);
		strbuf_addstr(out, "</span>");
	}
	strbuf_addstr(out, "</figcaption>\n");
}

void plot_svg(struct strbuf *out, const struct plot *p, bool small)
{
	struct canvas c = { .p = p, .small = small };
	int lanes = small ? 0 : (int)p->n_lanes * LANE_HEIGHT + (p->n_lanes ? 10 : 0);
	int below;

	c.left = p->n_rows ? row_margin(p) : p->n_lanes && !small ? LANE_LEFT : 50;
	c.width = WIDTH - c.left - RIGHT;
	c.height = p->n_rows ? (int)p->n_rows * ROW_HEIGHT : small ? SMALL_HEIGHT : HEIGHT;
	below = TOP + c.height + lanes;
	strbuf_addf(out, "<figure class=\"plot%s\">\n",
		    small	? " small"
		    : p->n_rows ? " strip"
				: "");
	if (!small)
		add_caption(p, out);
	strbuf_addf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH,
		    below + 32);
	html_add(out, p->title);
	strbuf_addstr(out, "\">\n");
	draw_y_axis(&c, out);
	strbuf_addf(out, "<g transform=\"translate(%d %d) scale(.1)\">\n", c.left, TOP);
	for (size_t i = 0; i < p->n_series; i++)
		draw_series(&c, &p->series[i], out);
	strbuf_addstr(out, "</g>\n");
	if (!small)
		draw_lanes(&c, out);
	draw_x_axis(&c, below, out);
	strbuf_addstr(out, "</svg>\n");
	if (small)
		html_addf(out, "<figcaption>%s</figcaption>\n", p->title);
	strbuf_addstr(out, "</figure>\n");
}

void plot_svg_style(struct strbuf *out)
{
	for (int i = 0; i < PALETTE_N; i++)
		strbuf_addf(out, ".c%d{--c:%s}\n", i, palette_colors[i].light);
	strbuf_addstr(out, "@media (prefers-color-scheme:dark){@media screen{\n");
	for (int i = 0; i < PALETTE_N; i++)
		strbuf_addf(out, ".c%d{--c:%s}\n", i, palette_colors[i].dark);
	strbuf_addstr(
		out,
		"}}\n"
		".ki{--c:var(--ink)}.kl{--c:var(--bad)}.ks{--c:var(--soft)}.kg{--c:var(--good)}\n"
		"svg{display:block;width:100%;height:auto}svg "
		"text{font-size:12px;fill:var(--soft)}\n"
		"svg path{fill:none;stroke:var(--c);vector-effect:non-scaling-stroke}\n"
		"svg .a{fill:var(--c);stroke:none}svg .a.p{fill-opacity:.45}\n"
		"svg .l{stroke-width:1.6;stroke-linejoin:round}svg .l.p{stroke-dasharray:2 3}\n"
		"svg .kl.l{stroke-dasharray:7 3}svg .ks.l{stroke-dasharray:2 3}svg "
		".w{stroke-dasharray:5 2}\n"
		"svg .kg.l{stroke-dasharray:10 3 2 3}\n"
		"svg .d{stroke-width:3;stroke-linecap:round}svg .t{stroke-width:1.3}\n"
		"svg .b{stroke-width:9;stroke-linecap:round;stroke-opacity:.65}\n"
		"svg .g{stroke:var(--grid)}svg .x{stroke:var(--soft)}\n"
		".key{display:inline-block;margin-left:.7em;font-weight:400}\n"
		".key i{display:inline-block;width:1em;margin-right:.3em;vertical-align:middle;"
		"border-top:2px solid var(--c)}\n"
		".key.f i{border:0;height:.75em;background:var(--c)}.key.f.p i{opacity:.45}"
		".key.n.p i{border-top-style:dotted}\n"
		".key.kl i,.key.ks i,.key.kg i{border-top-style:dashed}\n"
		".key.o i{border:0;width:.5em;height:.5em;border-radius:50%;background:var(--c)}\n"
		".key.i i{border:0;width:2px;height:.8em;background:var(--c)}\n");
}
