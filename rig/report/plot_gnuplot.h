/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pictures as files: ID.dat (the numbers), ID.gp (how gnuplot draws them; change it and
 * run 'gnuplot ID.gp' in its folder), ID.svg and ID.png.
 *
 * Text in a script is hostile: gnuplot would run what stands in back quotes and expand macros. All
 * is put into single quotes, where neither happens, with 'noenhanced' set, and of what is not
 * letters, digits, blanks and ".,:;+-/%()=" nothing is left but '?'. Data files hold numbers only.
 */
#ifndef REPORT_PLOT_GNUPLOT_H
#define REPORT_PLOT_GNUPLOT_H

#include <stddef.h>

struct err;
struct plot;
struct strbuf;
struct strvec;

/*
 * Write ID.dat and ID.gp below dir/sub (sub "" = dir itself; both names are ours or checked: plain
 * letters, digits and "+-._@") and push the script's
 * place, "sub/ID.gp", for gnuplot_draw(). Files of these names are replaced, symbolic links
 * not followed.
 */
int gnuplot_write(const struct plot *p, const char *dir, const char *sub, struct strvec *scripts,
		  struct err *err);
/* Draw them all, in one process. -ENOENT naming the package if there is no gnuplot. */
int gnuplot_draw(const char *dir, const struct strvec *scripts, struct err *err);
/* The two files' content, for tests; name is the part of the file names before the dot. */
void gnuplot_script(const struct plot *p, const char *name, struct strbuf *out);
void gnuplot_data(const struct plot *p, struct strbuf *out);
/* Text as it may stand between single quotes. */
void gnuplot_text(const char *text, struct strbuf *out);

#endif
