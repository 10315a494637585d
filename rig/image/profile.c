/* SPDX-License-Identifier: GPL-2.0-only */
/* Reader for timing profiles: one table of keys, then checks that need several of them. */
#include "image/profile.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/ini.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "base/units.h"

#define MAX_RATE (100LL * 1000 * 1000 * 1000)
#define MAX_TIME (3600 * NS_PER_S)
#define MAX_SIZE (64LL << 40)

enum kind { RATE, SIZE, TIME, COUNT, SWITCH, ORDER };

static const struct timing_key {
	const char *name;
	size_t offset;
	enum kind kind;
	int64_t max;
	bool model;	/* part of profile_sim_line() */
} timing_keys[] = {
#define KEY(name, field, ...) { name, offsetof(struct profile_timing, field), __VA_ARGS__ }
	KEY("rate", rate, RATE, MAX_RATE, true),
	KEY("rate-end", rate_end, RATE, MAX_RATE, true),
	KEY("rate-write", rate_write, RATE, MAX_RATE, true),
	KEY("interface", interface, RATE, MAX_RATE, true),
	KEY("span", span, SIZE, MAX_SIZE, true),
	KEY("overhead", overhead, TIME, MAX_TIME, true),
	KEY("overhead-write", overhead_write, TIME, MAX_TIME, true),
	KEY("seek-track", seek_track, TIME, MAX_TIME, true),
	KEY("seek-average", seek_average, TIME, MAX_TIME, true),
	KEY("seek-full", seek_full, TIME, MAX_TIME, true),
	KEY("rpm", rpm, COUNT, 100000, true),
	KEY("write-verify", write_verify, SWITCH, 1, true),
	KEY("write-cache", write_cache, SIZE, 1LL << 30, true),
	KEY("read-ahead", read_ahead, SIZE, 1LL << 30, true),
	KEY("queue-depth", queue_depth, COUNT, 1024, true),
	KEY("queue-order", queue_order, ORDER, 1, true),
	KEY("flush", flush, TIME, MAX_TIME, true),
	KEY("discard", discard, TIME, MAX_TIME, true),
	KEY("stall-every", stall_every, TIME, MAX_TIME, true),
	KEY("stall-for", stall_for, TIME, MAX_TIME, true),
	KEY("stream-read", stream_read, RATE, MAX_RATE, false),
	KEY("stream-write", stream_write, RATE, MAX_RATE, false),
#undef KEY
};

static int64_t *timing_field(struct profile_timing *t, const struct timing_key *key)
{
	return (int64_t *)(void *)((char *)t + key->offset);
}

static const struct timing_key *timing_key(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(timing_keys); i++)
		if (!strcmp(timing_keys[i].name, name))
			return &timing_keys[i];
	return NULL;
}

static int parse_order(const char *s, int64_t *v, struct err *err)
{
	if (strcmp(s, "fifo") && strcmp(s, "nearest"))
		return err_input(err, "'%s' is neither fifo nor nearest", str_escape(s));
	*v = strcmp(s, "fifo") ? PROFILE_NEAREST : PROFILE_FIFO;
	return 0;
}

static int parse_switch(const char *s, int64_t *v, struct err *err)
{
	int on = 0, ret = parse_bool(s, &on, err);

	if (!ret)
		*v = on;
	return ret;
}

static int parse_kind(enum kind kind, const char *s, int64_t *v, struct err *err)
{
	switch (kind) {
	case RATE:
		return parse_rate(s, v, err);
	case SIZE:
		return parse_size(s, v, err);
	case TIME:
		return parse_time(s, v, err);
	case COUNT:
		return parse_int(s, 0, INT64_MAX, v, err);
	case SWITCH:
		return parse_switch(s, v, err);
	case ORDER:
		return parse_order(s, v, err);
	}
	BUG("kind of key %d", (int)kind);
}

/* One value; what is wrong with it is reported as 'file:line: key: ...'. */
static int read_value(const struct ini *ini, const struct ini_entry *e,
		      const struct timing_key *key, int64_t *v, struct err *err)
{
	struct err why = ERR_INIT;

	if (parse_kind(key->kind, e->value, v, &why) < 0)
		return ini_error(ini, e->line, err, "%s: %s", e->key, why.msg);
	if (*v < 0 || *v > key->max)
		return ini_error(ini, e->line, err, "%s: '%s' is out of range", e->key,
				 str_escape(e->value));
	return 0;
}

static int read_bool(const struct ini *ini, const struct ini_entry *e, bool *b, struct err *err)
{
	static const struct timing_key yes_no = { "", 0, SWITCH, 1, false };
	int64_t v = 0;
	int ret = read_value(ini, e, &yes_no, &v, err);

	if (!ret)
		*b = v;
	return ret;
}

static int read_size(const struct ini *ini, const struct ini_entry *e, int64_t *v,
		     struct err *err)
{
	static const struct timing_key size = { "", 0, SIZE, MAX_SIZE, false };

	return read_value(ini, e, &size, v, err);
}

static int read_sector(const struct ini *ini, const struct ini_entry *e, int64_t *v,
		       struct err *err)
{
	int ret = read_size(ini, e, v, err);

	if (ret < 0)
		return ret;
	if (*v != 512 && *v != 1024 && *v != 2048 && *v != 4096)
		return ini_error(ini, e->line, err, "sector: '%s' is none of 512B, 1K, 2K, 4K",
				 str_escape(e->value));
	return 0;
}

static int read_disk_key(struct profile *p, const struct ini *ini, const struct ini_entry *e,
			 struct err *err)
{
	char **text = !strcmp(e->key, "title")    ? &p->title
		      : !strcmp(e->key, "source") ? &p->source
						  : NULL;

	if (text) {
		*text = xstrdup(e->value);
		return 0;
	}
	if (!strcmp(e->key, "size"))
		return read_size(ini, e, &p->size, err);
	if (!strcmp(e->key, "sector"))
		return read_sector(ini, e, &p->sector, err);
	if (!strcmp(e->key, "rotational"))
		return read_bool(ini, e, &p->rotational, err);
	if (!strcmp(e->key, "removable"))
		return read_bool(ini, e, &p->removable, err);
	if (!strcmp(e->key, "read-only"))
		return read_bool(ini, e, &p->read_only, err);
	return ini_error(ini, e->line, err, "unknown key '%s' in [disk]", str_escape(e->key));
}

static int read_timing(struct profile *p, const struct ini *ini, const struct ini_section *s,
		       struct err *err)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct timing_key *key = timing_key(s->entries[i].key);
		int ret;

		if (!key)
			return ini_error(ini, s->entries[i].line, err,
					 "unknown key '%s' in [timing]",
					 str_escape(s->entries[i].key));
		ret = read_value(ini, &s->entries[i], key, timing_field(&p->timing, key), err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/*
 * The curve through the three times is track + b * sqrt(d) + c * d, d in 0..1; it rises
 * everywhere and never bends upward as long as average lies between the straight line
 * (c alone) and the square root (b alone).
 */
static bool seeks_make_sense(const struct profile_timing *t)
{
	int64_t average = t->seek_average - t->seek_track;
	int64_t full = t->seek_full - t->seek_track;

	if (!t->seek_track && !t->seek_average && !t->seek_full)
		return true;
	return average >= 0 && average * 3 >= full && average * 1000 <= full * 577;
}

/* What only shows when all keys are known. NULL or the complaint. */
static const char *complaint(const struct profile *p)
{
	const struct profile_timing *t = &p->timing;

	if (!p->title || !p->source || !p->size)
		return "[disk] needs title, source and size";
	if (p->size % p->sector)
		return "size is not a multiple of sector";
	if (!t->rate)
		return "[timing] needs rate";
	if (t->rate_write && (t->rpm || t->rate_end))
		return "rate-write goes with neither rpm nor rate-end";
	if (!seeks_make_sense(t))
		return "seek-track, seek-average and seek-full make no curve: average - track "
		       "must be 0.333 to 0.577 of full - track";
	if (!t->stall_every != !t->stall_for)
		return "stall-every and stall-for need each other";
	return NULL;
}

static void fill_defaults(struct profile_timing *t)
{
	if (!t->rate_end)
		t->rate_end = t->rate;
	if (!t->rate_write)
		t->rate_write = t->rate;
	if (!t->overhead_write)
		t->overhead_write = t->overhead;
	if (!t->queue_depth)
		t->queue_depth = 1;
	if (!t->stream_read)
		t->stream_read = (t->rate + t->rate_end) / 2;
	if (!t->stream_write && t->rate_write != t->rate)
		t->stream_write = t->rate_write;
	if (!t->stream_write)
		t->stream_write = (t->rate + t->rate_end) / 2 / (t->write_verify ? 2 : 1);
}

static int read_sections(struct profile *p, const struct ini *ini, struct err *err)
{
	const struct ini_section *disk = ini_find(ini, "disk", NULL);
	const struct ini_section *timing = ini_find(ini, "timing", NULL);
	const char *wrong;
	int ret;

	for (size_t i = 0; i < ini->n; i++)
		if (&ini->sections[i] != disk && &ini->sections[i] != timing)
			return ini_error(ini, ini->sections[i].line, err,
					 "unknown section '%s'",
					 str_escape(ini->sections[i].name));
	if (!disk || !timing)
		return ini_error(ini, 1, err, "a profile has a [disk] and a [timing] section");
	ret = read_timing(p, ini, timing, err);
	if (ret < 0)
		return ret;
	p->rotational = p->timing.rpm != 0;
	for (size_t i = 0; i < disk->n; i++) {
		ret = read_disk_key(p, ini, &disk->entries[i], err);
		if (ret < 0)
			return ret;
	}
	wrong = complaint(p);
	if (wrong)
		return ini_error(ini, disk->line, err, "%s", wrong);
	fill_defaults(&p->timing);
	return 0;
}

static int load_flat(struct profile *p, const char *name, struct err *err)
{
	char *text __free(ptr) = xstrfmt("%s/s", name + strlen("flat-"));
	int ret = parse_rate(text, &p->timing.rate, err);

	if (ret < 0)
		return err_wrap(err, "profile '%s'", str_escape(name));
	if (p->timing.rate < 1 || p->timing.rate > MAX_RATE)
		return err_input(err, "profile '%s': the rate is out of range", str_escape(name));
	p->title = xstrfmt("every byte costs the same, %s", text);
	p->source = xstrdup("made up, for comparison with a throttle");
	p->size = 1LL << 30;
	p->rotational = true;
	fill_defaults(&p->timing);
	return 0;
}

static bool name_is_sane(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/') && strlen(name) < 200;
}

static int no_such_profile(const char *disks_dir, const char *name, struct err *err)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	struct strbuf list __release(strbuf) = STRBUF_INIT;
	struct err ignored = ERR_INIT;

	if (dir_list(disks_dir, ".disk", &names, &ignored) == 0)
		strvec_each(s, &names)
			strbuf_addf(&list, "%.*s, ", (int)(strlen(*s) - strlen(".disk")), *s);
	return err_input(err, "no disk profile '%s'; there are %sand flat-RATE",
			 str_escape(name), list.buf);
}

int profile_load(struct profile *p, const char *disks_dir, const char *name, struct err *err)
{
	struct ini ini __release(ini) = INI_INIT;
	char *path __free(ptr) = NULL;
	int ret;

	*p = (struct profile)PROFILE_INIT;
	p->name = xstrdup(name);
	p->sector = 512;
	if (!strncmp(name, "flat-", strlen("flat-")))
		return load_flat(p, name, err);
	path = xstrfmt("%s/%s.disk", disks_dir, name);
	if (!name_is_sane(name) || !path_is_file(path))
		return no_such_profile(disks_dir, name, err);
	ret = ini_read(&ini, path, err);
	if (ret < 0)
		return ret;
	return read_sections(p, &ini, err);
}

void profile_release(struct profile *p)
{
	free(p->name);
	free(p->title);
	free(p->source);
	*p = (struct profile)PROFILE_INIT;
}

void profile_throttle(const struct profile *p, struct profile_limits *limits)
{
	*limits = (struct profile_limits){
		.bps_read = p->timing.stream_read,
		.bps_write = p->timing.stream_write,
		.iops = p->timing.overhead ? NS_PER_S / p->timing.overhead : 0,
	};
}

void profile_sim_line(const struct profile *p, struct strbuf *sb)
{
	struct profile_timing t = p->timing;

	for (size_t i = 0; i < ARRAY_SIZE(timing_keys); i++) {
		const struct timing_key *key = &timing_keys[i];
		int64_t v = *timing_field(&t, key);

		if (key->model && v)
			strbuf_addf(sb, "%s=%" PRId64 " ", key->name, v);
	}
}
