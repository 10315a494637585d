/* SPDX-License-Identifier: GPL-2.0-only */
/* Conditions of Kconfig files: parsed to a tree, evaluated, and searched for what is to blame. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "kconfig/kconfig.h"

#define DEPTH_MAX 64
#define CHAIN_MAX 200

enum op { OP_SYMBOL, OP_TEXT, OP_MACRO, OP_NOT, OP_AND, OP_OR, OP_COMPARE };

struct expr {
	enum op op;
	char *text;		/* of a symbol, a quoted text, a macro; a comparison's operator */
	struct expr *a, *b;
};

static void expr_free(struct expr *e)
{
	if (!e)
		return;
	expr_free(e->a);
	expr_free(e->b);
	free(e->text);
	free(e);
}
DEFINE_FREE(expr, struct expr *, expr_free(_T))

struct parser {
	const char *at;
	int depth;
	bool bad;
};

static struct expr *parse_or(struct parser *p);

static struct expr *node(enum op op, char *text, struct expr *a, struct expr *b)
{
	struct expr *e = xcalloc(1, sizeof(*e));

	*e = (struct expr){ .op = op, .text = text, .a = a, .b = b };
	return e;
}

static bool accept(struct parser *p, const char *token)
{
	p->at += strspn(p->at, " \t");
	if (strncmp(p->at, token, strlen(token)) != 0)
		return false;
	p->at += strlen(token);
	return true;
}

/* $(name,arguments), which may hold more of them. */
static struct expr *parse_macro(struct parser *p)
{
	const char *start = p->at;
	int open = 0;

	do {
		open += *p->at == '(';
		open -= *p->at == ')';
		p->at++;
	} while (*p->at && (open > 0 || p->at == start + 1));
	return node(OP_MACRO, xstrndup(start, (size_t)(p->at - start)), NULL, NULL);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("_-./", c));
}

static struct expr *parse_word(struct parser *p)
{
	size_t len;

	p->at += strspn(p->at, " \t");
	if (*p->at == '"' || *p->at == '\'') {
		const char *start = p->at + 1, *end = strchr(start, *p->at);

		p->bad |= !end;
		p->at = end ? end + 1 : start + strlen(start);
		return node(OP_TEXT, xstrndup(start, (size_t)(end ? end - start : 0)), NULL, NULL);
	}
	if (p->at[0] == '$' && p->at[1] == '(')
		return parse_macro(p);
	for (len = 0; is_word(p->at[len]); len++)
		;
	p->bad |= !len;
	p->at += len;
	return node(OP_SYMBOL, xstrndup(p->at - len, len), NULL, NULL);
}

static struct expr *parse_comparison(struct parser *p)
{
	static const char *const ops[] = { "!=", "<=", ">=", "=", "<", ">" };
	struct expr *a = parse_word(p);

	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		if (accept(p, ops[i]))
			return node(OP_COMPARE, xstrdup(ops[i]), a, parse_word(p));
	}
	return a;
}

static struct expr *parse_not(struct parser *p)
{
	struct expr *e;

	p->at += strspn(p->at, " \t");
	if (p->depth >= DEPTH_MAX || p->bad) {
		p->bad = true;
		return node(OP_TEXT, xstrdup("y"), NULL, NULL);
	}
	p->depth++;
	if (p->at[0] == '!' && p->at[1] != '=') {
		p->at++;
		e = node(OP_NOT, NULL, parse_not(p), NULL);
	} else if (accept(p, "(")) {
		e = parse_or(p);
		p->bad |= !accept(p, ")");
	} else {
		e = parse_comparison(p);
	}
	p->depth--;
	return e;
}

/* A chain is as deep on its left as it has members: evaluation recurses on it, so it is bounded. */
static struct expr *parse_and(struct parser *p)
{
	struct expr *e = parse_not(p);

	for (int n = 0; !p->bad && accept(p, "&&"); n++) {
		e = node(OP_AND, NULL, e, parse_not(p));
		p->bad |= n > CHAIN_MAX;
	}
	return e;
}

static struct expr *parse_or(struct parser *p)
{
	struct expr *e = parse_and(p);

	for (int n = 0; !p->bad && accept(p, "||"); n++) {
		e = node(OP_OR, NULL, e, parse_and(p));
		p->bad |= n > CHAIN_MAX;
	}
	return e;
}

/* NULL for what is no condition. */
static struct expr *parse(const char *text)
{
	struct parser p = { .at = text };
	struct expr *e = parse_or(&p);

	p.at += strspn(p.at, " \t");
	if (!p.bad && !*p.at)
		return e;
	expr_free(e);
	return NULL;
}

/* Where conditions are evaluated. */
struct scene {
	const struct kconfig *k;
	const char *config;
	struct strvec *macros;
};

static bool is_constant(const char *s)
{
	return !strcmp(s, "y") || !strcmp(s, "m") || !strcmp(s, "n");
}

static int tristate(const char *s)
{
	return !strcmp(s, "y") ? 2 : !strcmp(s, "m") ? 1 : 0;
}

/* What a word stands for in a comparison: an option's value without quotes, or the word itself. */
static char *string_of(const struct scene *s, const struct expr *e)
{
	char *name __free(ptr) = xstrfmt("CONFIG_%s", e->text);
	const struct kconfig_def *def = kconfig_find(s->k, e->text, NULL);
	char *value;

	if (e->op != OP_SYMBOL || is_constant(e->text))
		return xstrdup(e->text);
	value = kconfig_value(s->config, name);
	if (!value) {
		if (!def)
			return xstrdup(e->text);
		return xstrdup(def->type == KCONFIG_OTHER ? "" : "n");
	}
	if (*value == '"') {
		size_t len = strlen(value);

		memmove(value, value + 1, len);
		if (len > 1)
			value[len - 2] = '\0';
	}
	return value;
}

static bool number(const char *s, long long *n)
{
	char *end;

	*n = strtoll(s, &end, 0);
	return *s && !*end;
}

static int compare(const struct scene *s, const struct expr *e)
{
	char *a __free(ptr) = string_of(s, e->a), *b __free(ptr) = string_of(s, e->b);
	long long x, y;
	bool numbers = number(a, &x) && number(b, &y);
	int order = numbers ? (x > y) - (x < y) : strcmp(a, b);
	bool holds;

	if (e->a->op == OP_MACRO || e->b->op == OP_MACRO)
		return 2;
	if (e->text[0] == '!')
		holds = order != 0;
	else if (e->text[0] == '=')
		holds = order == 0;
	else if (e->text[0] == '<')
		holds = order < 0 || (e->text[1] && order == 0);
	else
		holds = order > 0 || (e->text[1] && order == 0);
	return holds ? 2 : 0;
}

static int eval_symbol(const struct scene *s, const char *text)
{
	char *name __free(ptr) = NULL, *value __free(ptr) = NULL;

	if (is_constant(text))
		return tristate(text);
	name = xstrfmt("CONFIG_%s", text);
	value = kconfig_value(s->config, name);
	return value ? tristate(value) : 0;
}

static int eval(const struct scene *s, const struct expr *e)
{
	int a, b;

	switch (e->op) {
	case OP_SYMBOL:
		return eval_symbol(s, e->text);
	case OP_TEXT:
		return tristate(e->text);
	case OP_MACRO:
		if (s->macros && !strvec_has(s->macros, e->text))
			strvec_push(s->macros, e->text);
		return 2;
	case OP_NOT:
		/* a macro may be anything, so its complement is not to blame either */
		return e->a->op == OP_MACRO ? eval(s, e->a) : 2 - eval(s, e->a);
	case OP_COMPARE:
		return compare(s, e);
	case OP_AND:
	case OP_OR:
		a = eval(s, e->a);
		b = eval(s, e->b);
		return (a < b) == (e->op == OP_AND) ? a : b;
	}
	return 2;
}

int kconfig_eval(const struct kconfig *k, const char *config, const char *text,
		 struct strvec *macros)
{
	const struct scene s = { .k = k, .config = config, .macros = macros };
	struct expr *e __free(expr) = parse(text);

	return e ? eval(&s, e) : 2;
}

/* The condition as text, for what cannot be said in simpler words. */
static void print(const struct expr *e, struct strbuf *sb)
{
	switch (e->op) {
	case OP_SYMBOL:
		if (!is_constant(e->text) && !isdigit((unsigned char)e->text[0]))
			strbuf_addstr(sb, "CONFIG_");
		strbuf_addstr(sb, e->text);
		return;
	case OP_TEXT:
		strbuf_addf(sb, "\"%s\"", e->text);
		return;
	case OP_MACRO:
		strbuf_addstr(sb, e->text);
		return;
	case OP_NOT:
		strbuf_addch(sb, '!');
		print(e->a, sb);
		return;
	case OP_AND:
	case OP_OR:
		strbuf_addch(sb, '(');
		print(e->a, sb);
		strbuf_addstr(sb, e->op == OP_AND ? " && " : " || ");
		print(e->b, sb);
		strbuf_addch(sb, ')');
		return;
	case OP_COMPARE:
		print(e->a, sb);
		strbuf_addf(sb, " %s ", e->text);
		print(e->b, sb);
	}
}

static void add_phrase(struct strvec *why, const char *phrase)
{
	if (!strvec_has(why, phrase))
		strvec_push(why, phrase);
}

static void join(const struct strvec *parts, struct strbuf *sb)
{
	strvec_each (part, parts)
		strbuf_addf(sb, "%s%s", sb->len ? " and " : "", *part);
}

static void blame_leaf(const struct scene *s, const struct expr *e, struct strvec *why)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	int value = eval(s, e);

	/* "A != n" is said of a tristate that may be a module */
	if (e->op == OP_COMPARE && !strcmp(e->text, "!=") && !strcmp(e->b->text, "n"))
		e = e->a;
	if (e->op == OP_SYMBOL && !is_constant(e->text)) {
		strbuf_addf(&sb, "CONFIG_%s %s", e->text,
			    !kconfig_find(s->k, e->text, NULL) ? "does not exist" :
			    value ? "is m" : "is off");
	} else if (e->op == OP_NOT && e->a->op == OP_SYMBOL && !is_constant(e->a->text)) {
		strbuf_addf(&sb, "CONFIG_%s is %s", e->a->text, value ? "m" : "on");
	} else {
		print(e, &sb);
		strbuf_addstr(&sb, " does not hold");
	}
	add_phrase(why, sb.buf);
}

static void blame(const struct scene *s, const struct expr *e, int need, struct strvec *why)
{
	if (eval(s, e) >= need)
		return;
	if (e->op == OP_AND) {
		blame(s, e->a, need, why);
		blame(s, e->b, need, why);
	} else if (e->op == OP_OR) {
		struct strvec parts __release(strvec) = STRVEC_INIT;
		struct strbuf sb __release(strbuf) = STRBUF_INIT;

		blame(s, e->a, need, &parts);
		blame(s, e->b, need, &parts);
		join(&parts, &sb);
		add_phrase(why, sb.buf);
	} else {
		blame_leaf(s, e, why);
	}
}

void kconfig_blame(const struct kconfig *k, const char *config, const char *text, int need,
		   struct strvec *why)
{
	const struct scene s = { .k = k, .config = config };
	struct expr *e __free(expr) = parse(text);

	if (e)
		blame(&s, e, need, why);
}
