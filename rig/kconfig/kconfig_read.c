/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading a tree's Kconfig files, line by line. */
#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "kconfig/kconfig.h"

#define FILE_MAX    ((size_t)1 << 20)
#define FILES_MAX   20000
#define TOTAL_MAX   ((size_t)64 << 20)
#define DEPTH_MAX   32
#define OPTIONS_MAX 200000

/* The architecture's folder, and its place in names. */
static const char *const macros[][2] = {
	{ "$(SRCARCH)", "x86" }, { "$SRCARCH", "x86" }, { "$(HEADER_ARCH)", "x86" },
	{ "$(srctree)/", "" },
};

struct reader {
	struct kconfig *k;
	const char *tree;
	struct kconfig_scope *scope;	/* innermost */
	/* what the attributes below belong to; defs grow, so by number */
	enum { ON_NOTHING, ON_OPTION, ON_SCOPE } on;
	size_t def;
	size_t total;			/* bytes read */
	int depth;
};

/* A file being read: the position, and the help text that is skipped. */
struct lines {
	char *at;
	bool help;
	size_t help_indent;	/* of its first line; 0: not seen yet */
};

void kconfig_release(struct kconfig *k)
{
	for (size_t i = 0; i < k->n_defs; i++) {
		free(k->defs[i].name);
		free(k->defs[i].prompt_if);
		free(k->defs[i].range);
		strvec_release(&k->defs[i].depends);
	}
	for (size_t i = 0; i < k->n_selects; i++) {
		free(k->selects[i].by);
		free(k->selects[i].target);
		free(k->selects[i].only_if);
	}
	while (k->scopes) {
		struct kconfig_scope *s = k->scopes;

		k->scopes = s->next;
		strvec_release(&s->depends);
		strvec_release(&s->visible);
		free(s);
	}
	free(k->defs);
	free(k->selects);
	*k = (struct kconfig)KCONFIG_INIT;
}

const struct kconfig_def *kconfig_find(const struct kconfig *k, const char *name,
				       const struct kconfig_def *def)
{
	for (size_t i = def ? (size_t)(def - k->defs) + 1 : 0; i < k->n_defs; i++) {
		if (!strcmp(k->defs[i].name, name))
			return &k->defs[i];
	}
	return NULL;
}

static void push_scope(struct reader *r, bool choice)
{
	struct kconfig_scope *s = xcalloc(1, sizeof(*s));

	*s = (struct kconfig_scope){ .up = r->scope, .next = r->k->scopes, .choice = choice };
	strvec_init(&s->depends);
	strvec_init(&s->visible);
	r->k->scopes = s;
	r->scope = s;
	r->on = ON_SCOPE;
}

/* A comment starts anywhere outside of quotes. */
static void cut_comment(char *s)
{
	for (char quote = 0; *s; s++) {
		if (quote && *s == '\\' && s[1])
			s++;
		else if (quote)
			quote = *s == quote ? 0 : quote;
		else if (*s == '"' || *s == '\'')
			quote = *s;
		else if (*s == '#')
			break;
	}
	*s = '\0';
}

/* Width of the white space in front, tabs at every eighth column. */
static size_t indent(const char *s)
{
	size_t width = 0;

	for (; *s == ' ' || *s == '\t'; s++)
		width = *s == '\t' ? (width | 7) + 1 : width + 1;
	return width;
}

/* The line belongs to the help text. The text ends where the indentation falls. */
static bool in_help(struct lines *l, const char *line)
{
	size_t width = indent(line);

	if (!l->help || line[strspn(line, " \t\r")] == '\0')
		return l->help;
	if (!l->help_indent)
		l->help_indent = width;
	if (!width || width < l->help_indent)
		l->help = false;
	return l->help;
}

/* The next line that is not help, continued lines joined, without comment and outer blanks; NULL
 * at the end. It lies in the text, which is cut up for it. */
static char *next_line(struct lines *l)
{
	while (*l->at) {
		char *line = l->at, *end = line + strcspn(line, "\n");
		size_t len;

		while (*end && end > line && end[-1] == '\\' && !l->help) {
			end[-1] = ' ';
			*end = ' ';
			end += strcspn(end, "\n");
		}
		l->at = *end ? end + 1 : end;
		*end = '\0';
		if (in_help(l, line))
			continue;
		cut_comment(line);
		line += strspn(line, " \t");
		for (len = strlen(line); len && isspace((unsigned char)line[len - 1]); len--)
			line[len - 1] = '\0';
		if (*line)
			return line;
	}
	return NULL;
}

/* Split "REST if CONDITION" at the last such word outside of quotes and parentheses; returns the
 * condition or NULL. */
static char *split_if(char *s)
{
	char *found = NULL;
	int open = 0;

	for (char quote = 0; *s; s++) {
		if (quote)
			quote = *s == quote ? 0 : quote;
		else if (*s == '"' || *s == '\'')
			quote = *s;
		else if (*s == '(' || *s == ')')
			open += *s == '(' ? 1 : -1;
		else if (!open && isspace((unsigned char)*s) && !strncmp(s + 1, "if", 2) &&
			 (isspace((unsigned char)s[3]) || s[3] == '('))
			found = s;
	}
	if (!found)
		return NULL;
	*found = '\0';
	return found + 3 + strspn(found + 3, " \t");
}

static void add_prompt(struct reader *r, char *rest)
{
	struct kconfig_def *def = &r->k->defs[r->def];
	char *condition = split_if(rest);

	if (r->on != ON_OPTION || (*rest != '"' && *rest != '\''))
		return;
	def->prompt = true;
	free(def->prompt_if);
	def->prompt_if = condition ? xstrdup(condition) : NULL;
}

/* "depends on A", and since 7.0 "depends on A if B": A, or B not. */
static void add_depends(struct reader *r, char *rest)
{
	char *only_if;

	if (r->on == ON_NOTHING || strncmp(rest, "on", 2) != 0)
		return;
	rest += 2 + strspn(rest + 2, " \t");
	only_if = split_if(rest);
	char *text __free(ptr) = only_if ? xstrfmt("(%s) || !(%s)", rest, only_if) : xstrdup(rest);

	strvec_push(r->on == ON_SCOPE ? &r->scope->depends : &r->k->defs[r->def].depends, text);
}

static void add_select(struct reader *r, char *rest)
{
	char *condition = split_if(rest);
	struct kconfig_select *s;

	if (r->on != ON_OPTION)
		return;
	rest[strcspn(rest, " \t")] = '\0';
	s = array_grow(r->k->selects, r->k->n_selects);
	s->by = xstrdup(r->k->defs[r->def].name);
	s->target = xstrdup(rest);
	s->only_if = condition ? xstrdup(condition) : NULL;
}

static void set_type(struct reader *r, const char *word)
{
	static const struct {
		const char *word;
		enum kconfig_type type;
	} types[] = {
		{ "bool", KCONFIG_BOOL },	  { "boolean", KCONFIG_BOOL },
		{ "def_bool", KCONFIG_BOOL },	  { "tristate", KCONFIG_TRISTATE },
		{ "def_tristate", KCONFIG_TRISTATE }, { "string", KCONFIG_OTHER },
		{ "int", KCONFIG_OTHER },	  { "hex", KCONFIG_OTHER },
	};

	for (size_t i = 0; r->on == ON_OPTION && i < ARRAY_SIZE(types); i++) {
		if (!strcmp(types[i].word, word))
			r->k->defs[r->def].type = types[i].type;
	}
}

static int add_option(struct reader *r, const char *name, struct err *err)
{
	struct kconfig_def *def;

	if (r->k->n_defs >= OPTIONS_MAX)
		return err_input(err, "'%s': its Kconfig files have more than %d options",
				 str_escape(r->tree), OPTIONS_MAX);
	def = array_grow(r->k->defs, r->k->n_defs);
	def->name = xstrdup(name);
	def->scope = r->scope;
	strvec_init(&def->depends);
	r->def = r->k->n_defs - 1;
	r->on = ON_OPTION;
	return 0;
}

static int read_file(struct reader *r, const char *name, struct err *err);

/* source "PATH": known macros filled in; anything that leads out of the tree is passed over. */
static int source(struct reader *r, char *rest, struct err *err)
{
	struct strbuf path __release(strbuf) = STRBUF_INIT;
	size_t len = *rest == '"' ? strcspn(rest + 1, "\"") : 0;

	for (const char *s = rest + 1; s < rest + 1 + len; s++) {
		const char *as = NULL;

		for (size_t i = 0; i < ARRAY_SIZE(macros) && !as; i++) {
			if (strncmp(s, macros[i][0], strlen(macros[i][0])) != 0)
				continue;
			as = macros[i][1];
			s += strlen(macros[i][0]) - 1;
		}
		if (as)
			strbuf_addstr(&path, as);
		else
			strbuf_addch(&path, *s);
	}
	r->on = ON_NOTHING;
	if (!path.len || path.buf[0] == '/' || strstr(path.buf, ".."))
		return 0;
	return read_file(r, path.buf, err);
}

static void pop_scope(struct reader *r, const struct kconfig_scope *outer)
{
	/* what a file did not open it cannot close */
	if (r->scope != outer)
		r->scope = r->scope->up;
	r->on = ON_NOTHING;
}

static int do_line(struct reader *r, struct lines *l, char *line,
		   const struct kconfig_scope *outer, struct err *err)
{
	char *rest = line + strcspn(line, " \t\"(");

	/* a quote or a parenthesis may follow a word at once */
	char *word __free(ptr) = xstrndup(line, (size_t)(rest - line));

	rest += strspn(rest, " \t");
	if (!strcmp(word, "config") || !strcmp(word, "menuconfig"))
		return add_option(r, rest, err);
	if (!strcmp(word, "source") || !strcmp(word, "osource"))
		return source(r, rest, err);
	if (!strcmp(word, "if")) {
		push_scope(r, false);
		strvec_push(&r->scope->depends, rest);
		r->on = ON_NOTHING;
	} else if (!strcmp(word, "menu") || !strcmp(word, "choice")) {
		push_scope(r, *word == 'c');
	} else if (!strncmp(word, "end", 3)) {
		pop_scope(r, outer);
	} else if (!strcmp(word, "comment")) {
		r->on = ON_NOTHING;
	} else if (!strcmp(word, "help") || !strcmp(word, "---help---")) {
		*l = (struct lines){ .at = l->at, .help = true };
	} else if (!strcmp(word, "depends")) {
		add_depends(r, rest);
	} else if (!strcmp(word, "visible") && r->on == ON_SCOPE && !strncmp(rest, "if", 2)) {
		strvec_push(&r->scope->visible, rest + 2);
	} else if (!strcmp(word, "select")) {
		add_select(r, rest);
	} else if (!strcmp(word, "range") && r->on == ON_OPTION) {
		free(r->k->defs[r->def].range);
		r->k->defs[r->def].range = xstrdup(rest);
	} else if (!strcmp(word, "prompt")) {
		add_prompt(r, rest);
	} else {
		set_type(r, word);
		if (r->on == ON_OPTION && r->k->defs[r->def].type && strncmp(word, "def", 3) != 0)
			add_prompt(r, rest);
	}
	return 0;
}

static int read_file(struct reader *r, const char *name, struct err *err)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	char *path __free(ptr) = path_join(r->tree, name);
	struct kconfig_scope *outer = r->scope;
	struct lines l;
	int ret = 0;

	if (!path_is_file(path))
		return 0;
	if (++r->k->n_files > FILES_MAX || r->depth >= DEPTH_MAX)
		return err_input(err, "'%s': more than %d Kconfig files, or more than %d deep",
				 str_escape(path), FILES_MAX, DEPTH_MAX);
	ret = file_read(path, FILE_MAX, &text, err);
	if (ret < 0)
		return ret;
	r->total += text.len;
	if (r->total > TOTAL_MAX)
		return err_input(err, "'%s': the tree has more than %zu MiB of Kconfig files",
				 str_escape(path), TOTAL_MAX >> 20);
	r->depth++;
	r->on = ON_NOTHING;
	l = (struct lines){ .at = text.buf };
	for (char *line = next_line(&l); line && ret >= 0; line = next_line(&l))
		ret = do_line(r, &l, line, outer, err);
	r->depth--;
	r->scope = outer;
	r->on = ON_NOTHING;
	return ret < 0 ? ret : 0;
}

int kconfig_read(struct kconfig *k, const char *tree, struct err *err)
{
	struct reader r = { .k = k, .tree = tree };
	char *top __free(ptr) = path_join(tree, "Kconfig");

	if (!path_is_file(top))
		return err_input(err, "'%s' is no kernel tree: it has no Kconfig",
				 str_escape(tree));
	return read_file(&r, "Kconfig", err);
}
