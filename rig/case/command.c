/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which commands a line of shell calls, as far as that shows without running it: enough to find a
 * misspelt or missing applet or a wrong argument of one of the agent's jobs before a guest boots,
 * not a parser of sh.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "case/load.h"
#include "wire/jobargs.h"

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

struct scan {
	const struct strvec *applets, *bring;
	/* the job of the agent's whose arguments follow; job NULL = none */
	struct jobargs args;
	struct strvec words;		/* what args points into */
	struct strbuf why;		/* the first thing that is wrong */
};

static bool is_known(const struct scan *s, const char *word, bool expands)
{
	if (expands || *word == '/' || in_list(own_words, word) || strvec_has(s->applets, word))
		return true;
	for (size_t i = 0; i < s->bring->n; i++) {
		if (strcmp(path_base(s->bring->v[i]), word) == 0)
			return true;
	}
	return false;
}

static void blame_job(struct scan *s, int failed, const char *why)
{
	if (failed && !s->why.len)
		strbuf_addf(&s->why, "%s: %s", s->args.job->name, why);
}

/* Nothing more belongs to the job's call. */
static void end_job(struct scan *s)
{
	char why[JOBARGS_WHY] = "";

	if (s->args.job)
		blame_job(s, jobargs_finish(&s->args, why), why);
	s->args.job = NULL;
	strvec_release(&s->words);
}

/* A job's name may stand anywhere: "ionice -c3 iorig-write". Other words behind it are its. */
static void take_argument(struct scan *s, const char *word, bool expands)
{
	const struct jobargs_job *job = expands ? NULL : jobargs_find(word);
	char why[JOBARGS_WHY] = "";

	if (s->args.job) {
		word = strvec_push(&s->words, word);
		blame_job(s, jobargs_take(&s->args, word, expands, why), why);
	} else if (job) {
		jobargs_begin(&s->args, job);
	} else if (!expands && strncmp(word, JOBARGS_PREFIX, strlen(JOBARGS_PREFIX)) == 0 &&
		   !strchr(word, ' ') && !s->why.len) {
		strbuf_addf(&s->why, "the agent has no job '%s'", str_escape(word));
	}
}

static void take_command(struct scan *s, const char *word, bool expands)
{
	bool job = strncmp(word, JOBARGS_PREFIX, strlen(JOBARGS_PREFIX)) == 0;

	if (job)
		take_argument(s, word, expands);
	else if (!is_known(s, word, expands) && !s->why.len)
		strbuf_addf(&s->why, "'%s' is no applet of the guest's busybox",
			    str_escape(word));
}

/* One step along the line; *command: a command's name may come next. False: no more is said. */
static bool step(struct scan *s, const char **p, bool *command)
{
	struct strbuf word __release(strbuf) = STRBUF_INIT;
	const char *start = *p;
	bool expands;

	if (strchr(" \t", **p)) {
		++*p;
	} else if (strchr("<>", **p)) {
		skip_redirection(p);
	} else if (strchr(SEPARATORS, **p)) {
		end_job(s);
		*command = true;
		++*p;
	} else if (**p == '#') {
		*p += strcspn(*p, "\n");
	} else {
		take_word(p, &word, &expands);
		/* the descriptor of "2>file" */
		if (**p && strchr("<>", **p) && word.len &&
		    strspn(start, "0123456789") == word.len)
			return true;
		if (!*command) {
			take_argument(s, word.buf, expands);
			return true;
		}
		if (is_assignment(word.buf) || in_list(openers, word.buf))
			return true;
		/* patterns and functions need a real parser */
		if (strcmp(word.buf, "case") == 0 || **p == '(')
			return false;
		take_command(s, word.buf, expands);
		*command = false;
	}
	return true;
}

char *command_complaint(const char *run, const struct strvec *applets,
			const struct strvec *bring)
{
	struct scan s = {
		.applets = applets, .bring = bring, .words = STRVEC_INIT, .why = STRBUF_INIT,
	};
	bool command = true;

	for (const char *p = run; *p && !s.why.len;) {
		if (!step(&s, &p, &command))
			break;
	}
	end_job(&s);
	if (s.why.len)
		return strbuf_detach(&s.why, NULL);
	strbuf_release(&s.why);
	return NULL;
}
