/* SPDX-License-Identifier: GPL-2.0-only */
/* Parser for the simulator's configuration. */
#include "sim/model_config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS	 " \t"
#define WATCHDOG 30

/* Cut the next word off *s; "" at the end of the line. */
static char *word(char **s)
{
	char *w = *s + strspn(*s, BLANKS);

	*s = w + strcspn(w, BLANKS);
	if (**s)
		*(*s)++ = '\0';
	return w;
}

static bool number(char **s, int64_t *v)
{
	char *w = word(s), *end;

	errno = 0;
	*v = strtoll(w, &end, 10);
	return *w && !*end && !errno && *v >= 0;
}

static bool at_end(const char *s)
{
	return !s[strspn(s, BLANKS)];
}

static bool name_is_sane(const char *name)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789._-";

	return *name && strlen(name) < MODEL_NAME && !name[strspn(name, good)];
}

static struct model_config_disk *find(struct model_config *c, const char *name)
{
	for (int i = 0; i < c->n_disks; i++)
		if (!strcmp(c->disks[i].name, name))
			return &c->disks[i];
	return NULL;
}

static const char *parse_disk(struct model_config *c, char *rest, char *why, size_t why_size)
{
	const char *name = word(&rest);
	struct model_config_disk *d = &c->disks[c->n_disks];

	if (!name_is_sane(name) || find(c, name))
		return "the disk's name is bad or taken";
	if (c->n_disks == MODEL_DISKS_MAX)
		return "too many disks";
	snprintf(d->name, sizeof(d->name), "%s", name);
	if (model_params_parse(&d->params, rest, why, why_size) < 0)
		return why;
	c->n_disks++;
	return NULL;
}

static const char *parse_image(struct model_config *c, char *rest)
{
	struct model_config_disk *d = find(c, word(&rest));

	if (!d)
		return "no such disk";
	rest += strspn(rest, BLANKS);
	if (!*rest || d->image)
		return "one image for each disk";
	d->image = strdup(rest);
	return d->image ? NULL : "out of memory";
}

static const char *parse_fault(struct model_config *c, char *rest)
{
	struct model_config_disk *d = find(c, word(&rest));
	const char *kind = word(&rest);
	struct model_fault f = { .rate = 1 };

	if (!d)
		return "no such disk";
	if (d->n_faults == MODEL_FAULTS_MAX)
		return "too many faults";
	if (!strcmp(kind, "stop"))
		f.kind = MODEL_STOP;
	else if (!strcmp(kind, "slow"))
		f.kind = MODEL_SLOW;
	else if (!strcmp(kind, "error"))
		f.kind = MODEL_ERROR;
	else
		return "a fault is stop, slow or error";
	if (!number(&rest, &f.at) || !number(&rest, &f.length) ||
	    (f.kind == MODEL_SLOW && !number(&rest, &f.rate)) || !f.rate || !at_end(rest) ||
	    f.at > INT64_MAX / 4 || f.length > INT64_MAX / 4)
		return "a fault needs its moment and length in ns, slow also a rate";
	d->faults[d->n_faults++] = f;
	return NULL;
}

static const char *parse_clock(struct model_config *c, char *rest)
{
	const char *kind = word(&rest);

	if ((strcmp(kind, "sim") && strcmp(kind, "real")) || !at_end(rest))
		return "the clock is sim or real";
	c->real_clock = !strcmp(kind, "real");
	return NULL;
}

static const char *parse_number(char *rest, int64_t *v)
{
	return number(&rest, v) && at_end(rest) ? NULL : "a number is missing";
}

static const char *parse_stop(struct model_config *c, char *rest)
{
	if (!number(&rest, &c->stop) || !c->stop || !at_end(rest))
		return "a stop needs its moment in ns";
	return NULL;
}

static const char *parse_log(struct model_config *c, const char *rest)
{
	rest += strspn(rest, BLANKS);
	if (!*rest || c->log)
		return "one log, with a path";
	c->log = strdup(rest);
	return c->log ? NULL : "out of memory";
}

/* NULL or what is wrong. */
static const char *parse_line(struct model_config *c, char *line, char *why, size_t why_size)
{
	const char *key = word(&line);
	const char *wrong;
	int64_t v = 0;

	if (!*key || *key == '#')
		return NULL;
	if (!strcmp(key, "disk"))
		return parse_disk(c, line, why, why_size);
	if (!strcmp(key, "image"))
		return parse_image(c, line);
	if (!strcmp(key, "fault"))
		return parse_fault(c, line);
	if (!strcmp(key, "clock"))
		return parse_clock(c, line);
	if (!strcmp(key, "log"))
		return parse_log(c, line);
	if (!strcmp(key, "watchdog"))
		return parse_number(line, &c->watchdog);
	if (!strcmp(key, "stop"))
		return parse_stop(c, line);
	if (strcmp(key, "seed"))
		return "unknown word";
	wrong = parse_number(line, &v);
	c->seed = (uint64_t)v;
	return wrong;
}

int model_config_parse(struct model_config *c, char *text, char *why, size_t why_size)
{
	char detail[200] = "", *next;
	int n = 0;

	*c = (struct model_config){ .watchdog = WATCHDOG };
	for (char *line = text; line; line = next) {
		const char *wrong;

		n++;
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		wrong = parse_line(c, line, detail, sizeof(detail));
		if (wrong) {
			snprintf(why, why_size, "line %d: %s", n, wrong);
			return -EINVAL;
		}
	}
	if (c->stop && c->real_clock) {
		snprintf(why, why_size, "line %d: only a simulated clock can be stopped", n);
		return -EINVAL;
	}
	for (int i = 0; i < c->n_disks; i++) {
		if (!c->disks[i].image) {
			snprintf(why, why_size, "line %d: disk '%s' has no image", n,
				 c->disks[i].name);
			return -EINVAL;
		}
	}
	return 0;
}

void model_config_release(struct model_config *c)
{
	free(c->log);
	c->log = NULL;
	for (int i = 0; i < c->n_disks; i++) {
		free(c->disks[i].image);
		c->disks[i].image = NULL;
	}
	c->n_disks = 0;
}
