/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A picture as a <figure> with inline SVG for a page: caption and legend are text above the
 * picture, colours are classes that the page's style sheet defines (plot_svg_style), so that they
 * follow its dark and light. Pure; everything is escaped.
 */
#ifndef REPORT_PLOT_SVG_H
#define REPORT_PLOT_SVG_H

#include <stdbool.h>

struct plot;
struct strbuf;

/* small: a low picture without caption, legend, lanes and axes' names, for many side by side,
 * below one that has them; its title stands below. */
void plot_svg(struct strbuf *out, const struct plot *p, bool small);
/* The rules for the classes that the pictures use; the colours of dark pages are in variables that
 * the page sets (--ink, --soft, --grid, --bad, --good), those of the palette are here. */
void plot_svg_style(struct strbuf *out);

#endif
