/* SPDX-License-Identifier: GPL-2.0-only */
/* Configuring a kernel tree, and checking what kconfig made of it. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "kbuild/config.h"
#include "kconfig/kconfig.h"
#include "kbuild/make.h"

#define CONFIG_MAX ((size_t)4 << 20)
#define NAMED_MAX  10
/* Below the tree; kconfig writes there, and .config is replaced only by something else. */
#define WANTED ".iorig-wanted"
#define RESULT ".iorig-config"

/* What a .config says of an option is what was wanted; what it does not have is off. */
static bool survived(const struct config_option *o, const char *value)
{
	return !strcmp(value ? value : "n", o->value);
}

/* A module that kconfig built in, since something that is built in needs it. */
static bool built_in(const struct config_option *o, const char *value)
{
	return !strcmp(o->value, "m") && value && !strcmp(value, "y");
}

/* Compares and tells; the Kconfig files are read when the first reason is asked for. */
struct checker {
	const char *tree, *text;
	struct kconfig kconfig;
	bool read;
	struct strbuf lost;
	size_t n_lost;
};

static int why(struct checker *ch, const struct config_option *o, struct strbuf *sb,
	       struct err *err)
{
	int ret = 0;

	if (!ch->read)
		ret = kconfig_read(&ch->kconfig, ch->tree, err);
	ch->read = true;
	if (ret == 0)
		kconfig_why(&ch->kconfig, ch->text, o->name, o->value, sb);
	return ret;
}

static int check_option(struct checker *ch, const struct config_option *o, struct strvec *notes,
			struct err *err)
{
	char *value __free(ptr) = kconfig_value(ch->text, o->name);
	struct strbuf reason __release(strbuf) = STRBUF_INIT;
	int ret;

	if (survived(o, value))
		return 0;
	if (built_in(o, value)) {
		strvec_pushf(notes, "%s=m (%s:%d) is built in", o->name, o->file, o->line);
		return 0;
	}
	if (!o->optional && ++ch->n_lost > NAMED_MAX)
		return 0;
	ret = why(ch, o, &reason, err);
	if (ret < 0)
		return ret;
	if (o->optional)
		strvec_pushf(notes, "%s=%s (%s:%d, optional): %s", o->name, o->value,
			     o->file, o->line, reason.buf);
	else
		strbuf_addf(&ch->lost, "%s%s=%s (%s:%d): %s", ch->lost.len ? "; " : "", o->name,
			    str_escape(o->value), str_escape(o->file), o->line, reason.buf);
	return 0;
}

int config_check(const struct config *c, const char *tree, const char *text, struct strvec *notes,
		 struct err *err)
{
	struct checker ch = { .tree = tree, .text = text };
	int ret = 0;

	strbuf_init(&ch.lost);
	for (size_t i = 0; ret == 0 && i < c->n; i++)
		ret = check_option(&ch, &c->options[i], notes, err);
	if (ret == 0 && ch.n_lost > NAMED_MAX)
		strbuf_addf(&ch.lost, "; and %zu more", ch.n_lost - NAMED_MAX);
	if (ret == 0 && ch.n_lost)
		ret = err_input(err, "config: %zu option%s cannot be set: %s", ch.n_lost,
				ch.n_lost == 1 ? "" : "s", ch.lost.buf);
	strbuf_release(&ch.lost);
	kconfig_release(&ch.kconfig);
	return ret;
}

/* Let kconfig make RESULT of what is wanted. */
static int run_kconfig(const struct config *c, const char *tree, const char *log, struct err *err)
{
	const struct make_task t = { .tree = tree, .log = log, .what = "configuration" };
	char *wanted __free(ptr) = path_join(tree, WANTED);
	char *result __free(ptr) = path_join(tree, RESULT);
	const char *const off[] = { "KCONFIG_CONFIG=" RESULT, "KCONFIG_ALLCONFIG=" WANTED,
				    "allnoconfig", NULL };
	const char *const based[] = { "KCONFIG_CONFIG=" RESULT, "olddefconfig", NULL };
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	int ret;

	config_start(c, &sb);
	/* allnoconfig warns of an old result that does not fit, olddefconfig starts from it */
	unlink(result);
	ret = file_write_atomic(c->base ? result : wanted, sb.buf, sb.len, 0644, err);
	if (ret == 0)
		ret = make_target(&t, c->base ? based : off, err);
	unlink(wanted);
	return ret;
}

/* Give the result its name, unless .config has the same text already. */
static int put(const char *tree, const struct strbuf *text, struct err *err)
{
	struct strbuf old __release(strbuf) = STRBUF_INIT;
	char *path __free(ptr) = path_join(tree, ".config");
	struct err ignored = ERR_INIT;

	if (file_read(path, CONFIG_MAX, &old, &ignored) == 0 && old.len == text->len &&
	    !memcmp(old.buf, text->buf, old.len))
		return 0;
	return file_write_atomic(path, text->buf, text->len, 0644, err);
}

int config_apply(const struct config *c, const char *tree, const char *log, struct strvec *notes,
		 struct err *err)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	char *result __free(ptr) = path_join(tree, RESULT);
	char *backup __free(ptr) = xstrfmt("%s.old", result); /* kconfig's */
	int ret = run_kconfig(c, tree, log, err);

	if (ret == 0)
		ret = file_read(result, CONFIG_MAX, &text, err);
	if (ret == 0)
		ret = config_check(c, tree, text.buf, notes, err);
	if (ret == 0)
		ret = put(tree, &text, err);
	unlink(result);
	unlink(backup);
	return ret;
}
