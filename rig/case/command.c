/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which commands a line of shell calls, as far as that shows without running it: enough to find a
 * misspelt or missing applet before a guest boots, not a parser of sh.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "case/load.h"

#define SEPARATORS ";|&()`\n"

/* After these comes a command ... */
static const char *const openers[] = {
	"if", "then", "else", "elif", "while", "until", "do", "!", "{", "time", NULL
};
/* ... and these are the shell's own. "for" is followed by words that run nothing. */
static const char *const own_words[] = {
	"for", "fi", "done", "}", "in", ":", ".", "[", "break", "cd", "continue",
	"echo", "eval", "exec", "exit", "export", "false", "kill", "local", "printf", "read",
	"return", "set", "shift", "test", "times", "trap", "true", "type", "ulimit", "umask",
	"unset", "wait", NULL
};

static bool in_list(const char *const *list, const char *word)
{
	for (; *list; list++) {
		if (strcmp(*list, word) == 0)
			return true;
	}
	return false;
}

/* Take one word off *p, quotes removed; *expands: the shell will make something else of it. */
static void take_word(const char **p, struct strbuf *word, bool *expands)
{
	char quote = '\0';

	strbuf_reset(word);
	*expands = false;
	for (; **p; ++*p) {
		char c = **p;

		if (!quote && strchr(" \t<>" SEPARATORS, c))
			return;
		if (c == '$' && quote != '\'') {
			*expands = true;
			/* arithmetic runs nothing */
			if (strncmp(*p, "$((", 3) == 0 && strstr(*p, "))")) {
				*p = strstr(*p, "))") + 1;
				continue;
			}
		}
		if (c == quote) {
			quote = '\0';
			continue;
		}
		if (!quote && (c == '"' || c == '\'')) {
			quote = c;
			continue;
		}
		if (c == '\\' && quote != '\'' && (*p)[1])
			c = *++*p;
		strbuf_addch(word, c);
	}
}

/* ">file", "2>&1", "<<x": the operator and its operand, which is no command. */
static void skip_redirection(const char **p)
{
	struct strbuf word __release(strbuf) = STRBUF_INIT;
	bool expands;

	*p += strspn(*p, "<>&|");
	*p += strspn(*p, " \t");
	take_word(p, &word, &expands);
}

static bool is_assignment(const char *word)
{
	size_t len = strcspn(word, "=");

	return len && word[len] && len == strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
						       "abcdefghijklmnopqrstuvwxyz0123456789");
}

static bool is_known(const char *word, bool expands, const struct strvec *applets)
{
	return expands || *word == '/' || in_list(own_words, word) || strvec_has(applets, word);
}

char *command_unknown(const char *run, const struct strvec *applets)
{
	struct strbuf word __release(strbuf) = STRBUF_INIT;
	bool command = true, expands;

	for (const char *p = run; *p;) {
		const char *start = p;

		if (strchr(" \t", *p)) {
			p++;
		} else if (strchr("<>", *p)) {
			skip_redirection(&p);
		} else if (strchr(SEPARATORS, *p)) {
			command = true;
			p++;
		} else if (*p == '#') {
			p += strcspn(p, "\n");
		} else {
			take_word(&p, &word, &expands);
			if (!command || is_assignment(word.buf) || in_list(openers, word.buf))
				continue;
			/* the descriptor of "2>file" */
			if (strchr("<>", *p) && *p && strspn(start, "0123456789") == word.len)
				continue;
			/* patterns and functions need a real parser: no more is said */
			if (strcmp(word.buf, "case") == 0 || *p == '(')
				return NULL;
			if (!is_known(word.buf, expands, applets))
				return strbuf_detach(&word, NULL);
			command = false;
		}
	}
	return NULL;
}
