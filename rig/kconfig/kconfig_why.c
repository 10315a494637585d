/* SPDX-License-Identifier: GPL-2.0-only */
/* Why an option did not come out of kconfig as it was wanted. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "kconfig/kconfig.h"

#define PREFIX	    "CONFIG_"
#define NAMED_MAX   6	/* options named in one list */
#define REASON_MAX  ((size_t)400)
#define FOLLOW_MAX  2	/* how far the reasons of reasons are followed */

/* An option in the tree and the .config that came out. */
struct question {
	const struct kconfig *k;
	const char *config;
};

char *kconfig_value(const char *config, const char *name)
{
	size_t len = strlen(name);

	for (const char *line = config; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, len) && line[len] == '=')
			return xstrndup(line + len + 1, strcspn(line + len + 1, "\n"));
		if (!strncmp(line, "# ", 2) && !strncmp(line + 2, name, len) &&
		    !strncmp(line + 2 + len, " is not set", strlen(" is not set")))
			return xstrdup("n");
	}
	return NULL;
}

static int value_of(const struct question *q, const char *name)
{
	return kconfig_eval(q->k, q->config, name, NULL);
}

/* The conditions that stand around and at a definition, and those of its prompt if asked for. */
static void conditions(const struct kconfig_def *def, bool prompt, struct strvec *out)
{
	strvec_pushv(out, def->depends.v);
	for (const struct kconfig_scope *s = def->scope; s; s = s->up) {
		strvec_pushv(out, s->depends.v);
		if (prompt)
			strvec_pushv(out, s->visible.v);
	}
	if (prompt && def->prompt_if)
		strvec_push(out, def->prompt_if);
}

static void blame_all(const struct question *q, const struct strvec *exprs, int need,
		      struct strvec *why)
{
	strvec_each (expr, exprs)
		kconfig_blame(q->k, q->config, *expr, need, why);
}

static void list(const struct strvec *names, struct strbuf *sb)
{
	for (size_t i = 0; i < names->n && i < NAMED_MAX; i++)
		strbuf_addf(sb, "%s%s", i ? ", " : "", names->v[i]);
	if (names->n > NAMED_MAX)
		strbuf_addf(sb, " and %zu more", names->n - NAMED_MAX);
}

/* Who selects it; active: only those that do so in this configuration. */
static void selectors(const struct question *q, const char *name, bool active, struct strvec *out)
{
	for (size_t i = 0; i < q->k->n_selects; i++) {
		const struct kconfig_select *s = &q->k->selects[i];
		char *by __free(ptr) = NULL;

		if (strcmp(s->target, name) != 0)
			continue;
		if (active && (!value_of(q, s->by) ||
			       (s->only_if && !kconfig_eval(q->k, q->config, s->only_if, NULL))))
			continue;
		by = xstrfmt(PREFIX "%s", s->by);
		if (!strvec_has(out, by))
			strvec_push(out, by);
	}
}

/* Append "; nobody can set it by itself", and who could. */
static void no_prompt(const struct question *q, const char *name, struct strbuf *sb)
{
	struct strvec by __release(strvec) = STRVEC_INIT;

	strbuf_addstr(sb, "nobody can set it by itself");
	selectors(q, name, false, &by);
	if (by.n)
		strbuf_addstr(sb, ", it is selected by ");
	list(&by, sb);
}

/* The definition that comes nearest to being settable: the one with the fewest reasons. */
static const struct kconfig_def *nearest(const struct question *q, const char *name, int need,
					 struct strvec *why)
{
	const struct kconfig_def *best = NULL;

	for (const struct kconfig_def *d = kconfig_find(q->k, name, NULL); d;
	     d = kconfig_find(q->k, name, d)) {
		struct strvec all __release(strvec) = STRVEC_INIT;
		struct strvec reasons __release(strvec) = STRVEC_INIT;

		conditions(d, true, &all);
		blame_all(q, &all, need, &reasons);
		if (best && (best->prompt > d->prompt ||
			     (best->prompt == d->prompt && why->n <= reasons.n)))
			continue;
		best = d;
		strvec_release(why);
		strvec_pushv(why, reasons.v);
	}
	return best;
}

/* For a reason "CONFIG_X is off" append in parentheses why X itself is off, if it could not be
 * switched on either. */
static void follow(const struct question *q, const char *reason, int depth, struct strbuf *sb)
{
	size_t len = strcspn(reason, " ");
	char *name __free(ptr) = NULL;
	struct strvec why __release(strvec) = STRVEC_INIT;
	const struct kconfig_def *def;

	if (depth >= FOLLOW_MAX || strncmp(reason, PREFIX, strlen(PREFIX)) != 0 ||
	    strcmp(reason + len, " is off") != 0)
		return;
	name = xstrndup(reason + strlen(PREFIX), len - strlen(PREFIX));
	def = nearest(q, name, 1, &why);
	if (def && !def->prompt) {
		strbuf_addstr(sb, " (");
		no_prompt(q, name, sb);
		strbuf_addch(sb, ')');
	} else if (why.n) {
		strbuf_addf(sb, " (%s", why.v[0]);
		follow(q, why.v[0], depth + 1, sb);
		strbuf_addch(sb, ')');
	}
}

/* Something stands in the way of an option that is to be on. */
static bool blocked(const struct question *q, const struct kconfig_def *def,
		    const struct strvec *why, struct strbuf *sb)
{
	for (size_t i = 0; i < why->n && i < NAMED_MAX; i++) {
		if (sb->len)
			strbuf_addstr(sb, ", ");
		strbuf_addstr(sb, why->v[i]);
		follow(q, why->v[i], 0, sb);
	}
	if (!why->n && !def->prompt)
		no_prompt(q, def->name, sb);
	return sb->len > 0;
}

static const struct kconfig_scope *choice_of(const struct kconfig_def *def)
{
	const struct kconfig_scope *s = def->scope;

	while (s && !s->choice)
		s = s->up;
	return s;
}

/* Another member of its choice was taken. */
static bool other_chosen(const struct question *q, const struct kconfig_def *def,
			 struct strbuf *sb)
{
	const struct kconfig_scope *choice = choice_of(def);

	for (size_t i = 0; choice && i < q->k->n_defs; i++) {
		const struct kconfig_def *other = &q->k->defs[i];

		if (choice_of(other) != choice || !strcmp(other->name, def->name) ||
		    value_of(q, other->name) < 2)
			continue;
		strbuf_addf(sb, PREFIX "%s of the same choice is on", other->name);
		return true;
	}
	return false;
}

/* Only the compiler and its tools are left. */
static void suspects(const struct question *q, const struct kconfig_def *def, struct strbuf *sb)
{
	struct strvec all __release(strvec) = STRVEC_INIT, macros __release(strvec) = STRVEC_INIT;

	conditions(def, true, &all);
	strvec_each (expr, &all)
		kconfig_eval(q->k, q->config, *expr, &macros);
	if (macros.n) {
		strbuf_addstr(sb, "the compiler or its tools may lack what it asks for: ");
		list(&macros, sb);
	} else if (def->range) {
		strbuf_addf(sb, "its range is %s", def->range);
	} else {
		strbuf_addstr(sb, "kconfig decided otherwise");
	}
}

/* It was to be off, and is on. */
static void why_on(const struct question *q, const struct kconfig_def *def, struct strbuf *sb)
{
	struct strvec by __release(strvec) = STRVEC_INIT, all __release(strvec) = STRVEC_INIT;
	struct strvec why __release(strvec) = STRVEC_INIT;

	selectors(q, def->name, true, &by);
	if (by.n) {
		strbuf_addstr(sb, "selected by ");
		list(&by, sb);
		return;
	}
	conditions(def, true, &all);
	blame_all(q, &all, 1, &why);
	strbuf_addstr(sb, "its default is on and nobody can change it");
	if (why.n) {
		strbuf_addstr(sb, ", since ");
		list(&why, sb);
	}
}

static void explain(const struct question *q, const char *name, const char *wanted,
		    struct strbuf *sb)
{
	struct strvec why __release(strvec) = STRVEC_INIT;
	const struct kconfig_def *def = kconfig_find(q->k, name, NULL);
	int need;

	if (!def) {
		strbuf_addstr(sb, "this kernel has no such option");
		return;
	}
	if (!strcmp(wanted, "n")) {
		why_on(q, def, sb);
		return;
	}
	if (def->type == KCONFIG_BOOL && strcmp(wanted, "y") != 0) {
		strbuf_addstr(sb, "it can only be y or n");
		return;
	}
	/* a bool is y where what it depends on is m; a tristate is not */
	need = def->type == KCONFIG_TRISTATE && !strcmp(wanted, "y") ? 2 : 1;
	def = nearest(q, name, need, &why);
	if (blocked(q, def, &why, sb))
		return;
	if (def->type == KCONFIG_TRISTATE && !strcmp(wanted, "m") && !value_of(q, "MODULES"))
		strbuf_addstr(sb, PREFIX "MODULES is off");
	else if (!other_chosen(q, def, sb))
		suspects(q, def, sb);
}

void kconfig_why(const struct kconfig *k, const char *config, const char *name, const char *wanted,
		 struct strbuf *sb)
{
	const struct question q = { .k = k, .config = config };
	struct strbuf reason __release(strbuf) = STRBUF_INIT;

	if (!strncmp(name, PREFIX, strlen(PREFIX)))
		name += strlen(PREFIX);
	explain(&q, name, wanted, &reason);
	/* names and conditions are the tree's text */
	strbuf_add_escaped(sb, reason.buf, reason.len, REASON_MAX);
}
