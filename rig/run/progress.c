/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that tells how far a run is. */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "run/progress.h"
#include "run/schedule.h"

#define EVERY_NS NS_PER_S
#define TEXT_MAX 1024

void run_progress_init(struct run_progress *p, size_t slots)
{
	*p = (struct run_progress){ .pid = getpid(), .started = clock_ns(), .n_slots = slots };
	p->slots = xcalloc(slots ? slots : 1, sizeof(*p->slots));
}

void run_progress_release(struct run_progress *p)
{
	for (size_t i = 0; i < p->n_slots; i++)
		free(p->slots[i].case_name);
	for (size_t i = 0; i < p->n_last; i++) {
		free(p->last[i].case_name);
		free(p->last[i].reason);
	}
	free(p->slots);
	free(p->last);
	*p = (struct run_progress){ .pid = 0 };
}

static void note_ended(struct run_progress *p, const struct schedule_news *n)
{
	struct progress_ended *e;

	if (p->n_last == PROGRESS_KEPT) {
		free(p->last[0].case_name);
		free(p->last[0].reason);
		memmove(p->last, p->last + 1, --p->n_last * sizeof(*p->last));
	}
	e = array_grow(p->last, p->n_last);
	e->number = n->done;
	e->case_name = xstrdup(n->case_name);
	e->reason = xstrndup(n->boot->reason ? n->boot->reason : "", TEXT_MAX);
	e->seed = n->seed;
	e->outcome = n->boot->outcome;
	e->wall_ns = n->wall_ns;
}

void run_progress_note(struct run_progress *p, const struct schedule_news *n)
{
	struct progress_slot *slot = &p->slots[n->slot];

	BUG_ON(n->slot >= p->n_slots);
	p->done = n->done;
	p->total = n->total;
	p->simulated = n->simulated;
	free(slot->case_name);
	*slot = (struct progress_slot){ .case_name = NULL };
	if (n->event == BOOT_ENDED) {
		note_ended(p, n);
		return;
	}
	slot->case_name = xstrdup(n->case_name);
	slot->seed = n->seed;
	slot->stage = n->stage;
	slot->guest_ns = n->guest_ns;
	slot->wall_ns = n->wall_ns;
	for (int i = 0; i < PROGRESS_FULL; i++)
		slot->full[i] = n->full ? n->full[i] : (struct progress_disk){ .kib = -1 };
}

/* Escaped it is valid UTF-8, too. */
static json_t *text(const char *s)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	strbuf_add_escaped(&sb, s, strlen(s), TEXT_MAX);
	return json_string(sb.buf);
}

static json_t *slot_to_json(const struct progress_slot *s)
{
	json_t *full = json_array();

	for (int i = 0; i < PROGRESS_FULL && s->case_name; i++)
		if (s->full[i].kib >= 0)
			json_array_append_new(full, json_pack("{s:o, s:I}", "name",
							      text(s->full[i].name), "kib",
							      (json_int_t)s->full[i].kib));
	return json_pack("{s:o, s:I, s:i, s:I, s:I, s:o}", "case_name",
			 text(s->case_name ? s->case_name : ""), "seed", (json_int_t)s->seed,
			 "stage", (int)s->stage, "guest_ns", (json_int_t)s->guest_ns, "wall_ns",
			 (json_int_t)s->wall_ns, "full", full);
}

static json_t *to_json(const struct run_progress *p)
{
	json_t *slots = json_array(), *last = json_array();

	for (size_t i = 0; i < p->n_slots; i++)
		json_array_append_new(slots, slot_to_json(&p->slots[i]));
	for (size_t i = 0; i < p->n_last; i++) {
		const struct progress_ended *e = &p->last[i];

		json_array_append_new(last, json_pack("{s:I, s:o, s:o, s:I, s:i, s:I}",
						      "number", (json_int_t)e->number, "case_name",
						      text(e->case_name), "reason", text(e->reason),
						      "seed", (json_int_t)e->seed, "outcome",
						      (int)e->outcome, "wall_ns",
						      (json_int_t)e->wall_ns));
	}
	return json_pack("{s:i, s:I, s:I, s:b, s:b, s:I, s:I, s:o, s:o}", "iorig", RECORD_VERSION,
			 "pid", (json_int_t)p->pid, "age_ns", (json_int_t)(p->written - p->started),
			 "simulated", (int)p->simulated, "ended", (int)p->ended, "done",
			 (json_int_t)p->done, "total", (json_int_t)p->total, "slots", slots,
			 "last", last);
}

/* As file_write_atomic(), without its two syncs: once a second they would disturb what runs. */
static int replace(const char *path, const char *data, size_t len, struct err *err)
{
	char *temp __free(ptr) = xstrfmt("%s.new", path);
	int fd __free(fd) = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
	int ret;

	if (fd < 0)
		return err_sys(err, -errno, "cannot write '%s'", str_escape(temp));
	ret = fd_write_all(fd, data, len);
	if (!ret && rename(temp, path))
		ret = -errno;
	if (ret) {
		unlink(temp);
		return err_sys(err, ret, "cannot write '%s'", str_escape(path));
	}
	return 0;
}

int run_progress_write(struct run_progress *p, const char *dir, bool now, struct err *err)
{
	char *path __free(ptr) = NULL, *json __free(ptr) = NULL;
	json_t *doc;

	if (!now && p->written && clock_ns() - p->written < EVERY_NS)
		return 0;
	p->written = clock_ns();
	doc = to_json(p);
	json = doc ? json_dumps(doc, JSON_COMPACT) : NULL;
	BUG_ON(!json);
	json_decref(doc);
	path = path_join(dir, PROGRESS_FILE);
	return replace(path, json, strlen(json), err);
}

int64_t run_progress_left(const struct run_progress *p)
{
	double each, left;

	if (!p->done || p->done > p->total)
		return -1;
	each = (double)(p->written - p->started) / (double)p->done;
	left = each * (double)(p->total - p->done);
	return left < 9e18 ? (int64_t)left : -1;
}
