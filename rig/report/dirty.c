/* SPDX-License-Identifier: GPL-2.0-only */
/* Dirty pages by the console's lines and by the samples. */
#include "report/dirty.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "record/record.h"
#include "report/files.h"
#include "report/plot_private.h"

#define PAGE_KIB   4.0
#define READ_BYTES 65536

int dirty_disk(const struct boot *b, const char *device)
{
	for (size_t i = 0; b && i < b->n_disks; i++)
		if (!strcmp(b->disks[i].dev, device))
			return (int)i;
	return -1;
}

static int by_time(const void *a, const void *b)
{
	const struct dirty_point *x = a, *y = b;

	return (x->ns > y->ns) - (x->ns < y->ns);
}

void dirty_track_make(struct dirty_track *t, const struct boot *b, int disk)
{
	*t = (struct dirty_track)DIRTY_TRACK_INIT;
	if (disk < 0 || !b->n_samples)
		return;
	t->v = xcalloc(b->n_samples, sizeof(*t->v));
	for (size_t i = 0; i < b->n_samples; i++) {
		const struct msg_sample *s = &b->samples[i];
		const struct msg_sample_disk *d = plot_boot_disk(s, b->disks[disk].name);

		if (!d || d->dirty < 0 || d->writeback < 0 || s->ns < 0)
			continue;
		t->v[t->n++] = (struct dirty_point){
			s->ns, ((double)d->dirty + (double)d->writeback) / PAGE_KIB,
		};
	}
	qsort(t->v, t->n, sizeof(*t->v), by_time);
}

void dirty_track_release(struct dirty_track *t)
{
	free(t->v);
	*t = (struct dirty_track)DIRTY_TRACK_INIT;
}

double dirty_track_at(const struct dirty_track *t, int64_t ns)
{
	const struct dirty_point *a, *b;
	size_t low = 0, high = t->n;

	if (!t->n || ns < t->v[0].ns || ns > t->v[t->n - 1].ns)
		return -1;
	/* the last point that is not after ns */
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (t->v[middle].ns <= ns)
			low = middle;
		else
			high = middle;
	}
	a = &t->v[low];
	if (a->ns == ns)
		return a->pages;
	b = a + 1;
	return a->pages + (b->pages - a->pages) * ((double)(ns - a->ns) / (double)(b->ns - a->ns));
}

struct dirty_compared dirty_compare(const struct dirtylines *d, size_t device,
				    const struct dirty_track *t)
{
	struct dirty_compared c = { .mean = -1, .max = -1, .sampled_mean = -1, .sampled_max = -1 };
	double sum = 0, sampled = 0;

	for (size_t i = 0; i < d->n; i++) {
		double pages = (double)d->v[i].pages, there;

		if (d->v[i].device != device)
			continue;
		there = dirty_track_at(t, d->v[i].ns);
		if (there < 0)
			continue;
		c.n++;
		sum += pages;
		sampled += there;
		c.max = pages > c.max ? pages : c.max;
		c.sampled_max = there > c.sampled_max ? there : c.sampled_max;
	}
	if (c.n) {
		c.mean = sum / (double)c.n;
		c.sampled_mean = sampled / (double)c.n;
	}
	return c;
}

int dirty_read(struct dirtylines *d, const char *path, struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	int fd __free(fd) = file_open(path, err);
	ssize_t n;

	if (fd < 0)
		return fd;
	do {
		strbuf_reserve(&sb, READ_BYTES);
		n = read(fd, sb.buf + sb.len, READ_BYTES);
		if (n < 0)
			return err_sys(err, -errno, "reading '%s'", str_escape(path));
		strbuf_grown(&sb, (size_t)n);
	} while (n && sb.len < DIRTY_BYTES);
	dirtylines_parse(d, sb.buf, sb.len);
	d->cut = d->cut || n;
	return 0;
}

int dirty_read_boot(struct dirtylines *d, const char *dir, const struct boot *b, struct err *err)
{
	char *folder __free(ptr) = files_boot_folder(dir, b);
	char *path __free(ptr) = folder ? path_join(folder, "console.log") : NULL;

	return path && !access(path, F_OK) ? dirty_read(d, path, err) : 0;
}

static int boot_lines(struct strbuf *out, const struct run *run, const struct boot *b,
		      const char *dir, bool csv, bool *any, struct err *err)
{
	struct dirtylines d __release(dirtylines) = DIRTYLINES_INIT;
	char *title __free(ptr) = xstrfmt("%s, seed %u", str_escape(b->case_name), b->seed);
	int ret = dirty_read_boot(&d, dir, b, err);

	if (ret || (!d.lines && !d.bad))
		return ret;
	if (csv) {
		dirty_csv(out, run, b, &d);
	} else {
		if (*any)
			strbuf_addch(out, '\n');
		dirty_text(out, title, &d, b);
	}
	*any = true;
	return 0;
}

int dirty_run(struct strbuf *out, const struct run *run, const char *dir, bool csv,
	      struct err *err)
{
	bool any = false;
	int ret = 0;

	for (size_t i = 0; i < run->n_boots && !ret; i++)
		ret = boot_lines(out, run, &run->boots[i], dir, csv, &any, err);
	if (!ret && !any)
		return err_input(err,
				 "no console of run '%s' has a line about dirty pages: that "
				 "takes kernels/patches/dirty-per-device and iorig_dirty on the "
				 "kernel's command line",
				 str_escape(run->id));
	return ret;
}

int dirty_file(struct strbuf *out, const char *path, bool csv, struct err *err)
{
	struct dirtylines d __release(dirtylines) = DIRTYLINES_INIT;
	int ret = dirty_read(&d, path, err);

	if (!ret && !d.lines && !d.bad)
		return err_input(err, "'%s' has no line about dirty pages", str_escape(path));
	if (ret)
		return ret;
	if (csv)
		dirty_csv(out, NULL, NULL, &d);
	else
		dirty_text(out, str_escape(path), &d, NULL);
	return 0;
}
