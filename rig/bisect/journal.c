/* SPDX-License-Identifier: GPL-2.0-only */
/* The bisect's state as a JSON document, and back. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "bisect/bisect.h"

#define JOURNAL_VERSION	1
#define JOURNAL_MAX	((size_t)64 << 20)
#define WHY_MAX		4096

DEFINE_FREE(json, json_t *, json_decref(_T))
DEFINE_FREE(text, char *, free(_T))

static const char *const values_names[] = {
	[BISECT_FIGURES] = "figures", [BISECT_PASS_FAIL] = "pass-fail",
};

static json_t *made(json_t *j)
{
	BUG_ON(!j);
	return j;
}

static void put(json_t *object, const char *key, json_t *value)
{
	BUG_ON(json_object_set_new(object, key, made(value)));
}

static void append(json_t *array, json_t *value)
{
	BUG_ON(json_array_append_new(array, made(value)));
}

static json_t *options_to_json(const struct bisect_options *o)
{
	json_t *j = made(json_object());

	put(j, "values", json_string(values_names[o->values]));
	put(j, "sure", json_real(o->sure));
	put(j, "cost_build", json_real(o->cost_build));
	put(j, "cost_boot", json_real(o->cost_boot));
	put(j, "correlation", json_real(o->correlation));
	put(j, "proof_boots", json_integer((json_int_t)o->proof_boots));
	put(j, "commit_boots", json_integer((json_int_t)o->commit_boots));
	put(j, "all_boots", json_integer((json_int_t)o->all_boots));
	return j;
}

static json_t *commit_to_json(const struct bisect *b, size_t i)
{
	const struct history_commit *h = &b->h.c[i];
	json_t *j = made(json_object()), *parents = made(json_array());

	put(j, "id", json_string(h->id));
	for (size_t k = 0; k < h->n_parents; k++)
		append(parents, json_integer((json_int_t)h->parents[k]));
	put(j, "parents", parents);
	if (b->c[i].skipped) {
		/* a compiler's last words may be any bytes */
		struct strbuf why __release(strbuf) = STRBUF_INIT;

		strbuf_add_escaped(&why, b->c[i].skipped, strlen(b->c[i].skipped), WHY_MAX);
		put(j, "skipped", json_string(why.buf));
	}
	if (b->c[i].same_as != i)
		put(j, "same_as", json_integer((json_int_t)b->c[i].same_as));
	return j;
}

int bisect_write(const struct bisect *b, const json_t *about, const char *path, struct err *err)
{
	json_t *j __free(json) = made(json_object()), *commits = made(json_array());
	json_t *boots = made(json_array());
	char *text __free(text) = NULL;

	put(j, "iorig-bisect", json_integer(JOURNAL_VERSION));
	if (about)
		put(j, "about", json_deep_copy(about));
	put(j, "options", options_to_json(&b->o));
	for (size_t i = 0; i < b->h.n; i++)
		append(commits, commit_to_json(b, i));
	put(j, "commits", commits);
	for (size_t i = 0; i < b->n_boots; i++)
		append(boots, json_pack("[I, f]", (json_int_t)b->boots[i].commit,
					b->boots[i].value));
	put(j, "boots", boots);
	text = json_dumps(j, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
	BUG_ON(!text);
	return file_write_atomic(path, text, strlen(text), 0666, err);
}

static int read_real(const json_t *o, const char *key, double *v, struct err *err)
{
	const json_t *j = json_object_get(o, key);

	if (!json_is_number(j))
		return err_input(err, "options.%s is not a number", key);
	*v = json_number_value(j);
	return 0;
}

static int read_index(const json_t *j, const char *what, size_t end, size_t *v, struct err *err)
{
	if (!json_is_integer(j) || json_integer_value(j) < 0 ||
	    (size_t)json_integer_value(j) >= end)
		return err_input(err, "%s is not a whole number below %zu", what, end);
	*v = (size_t)json_integer_value(j);
	return 0;
}

static int read_options(struct bisect_options *o, const json_t *j, struct err *err)
{
	const json_t *values = json_object_get(j, "values");
	struct { const char *key; double *v; } reals[] = {
		{ "sure", &o->sure }, { "cost_build", &o->cost_build },
		{ "cost_boot", &o->cost_boot }, { "correlation", &o->correlation },
	};
	struct { const char *key; size_t *v; } counts[] = {
		{ "proof_boots", &o->proof_boots }, { "commit_boots", &o->commit_boots },
		{ "all_boots", &o->all_boots },
	};
	int ret = 0;

	if (!json_is_string(values))
		return err_input(err, "options.values is not a word");
	o->values = strcmp(json_string_value(values), values_names[BISECT_PASS_FAIL]) ?
			    BISECT_FIGURES : BISECT_PASS_FAIL;
	if (strcmp(json_string_value(values), values_names[o->values]) != 0)
		return err_input(err, "options.values is neither '%s' nor '%s'", values_names[0],
				 values_names[1]);
	for (size_t i = 0; i < ARRAY_SIZE(reals) && !ret; i++)
		ret = read_real(j, reals[i].key, reals[i].v, err);
	for (size_t i = 0; i < ARRAY_SIZE(counts) && !ret; i++)
		ret = read_index(json_object_get(j, counts[i].key), counts[i].key, 1000001,
				 counts[i].v, err);
	return ret;
}

static int read_commit(struct history *h, const json_t *j, struct err *err)
{
	const json_t *id = json_object_get(j, "id"), *list = json_object_get(j, "parents");
	size_t parents[HISTORY_PARENTS];
	int ret = 0;

	if (!json_is_string(id) || !json_is_array(list) || json_array_size(list) > HISTORY_PARENTS)
		return err_input(err, "commits[%zu] has no id or no list of parents", h->n);
	for (size_t i = 0; i < json_array_size(list) && !ret; i++)
		ret = read_index(json_array_get(list, i), "a parent", h->n, &parents[i], err);
	return ret ? ret : history_add(h, json_string_value(id), parents, json_array_size(list),
				       err);
}

static int read_history(struct history *h, const json_t *commits, struct err *err)
{
	int ret = json_is_array(commits) ? 0 : err_input(err, "commits is not a list");

	for (size_t i = 0; i < json_array_size(commits) && !ret; i++)
		ret = read_commit(h, json_array_get(commits, i), err);
	return ret ? ret : history_finish(h, err);
}

/* Links must end, so each has to lead to another root than its own. */
static int read_same(struct bisect *b, size_t i, const json_t *j, struct err *err)
{
	size_t as = 0;
	int ret = read_index(j, "same_as", b->h.n, &as, err);

	if (ret)
		return ret;
	if (b->c[i].same_as != i || bisect_root(b, as) == i)
		return err_input(err, "commits[%zu].same_as leads back to itself", i);
	bisect_same(b, i, as);
	return 0;
}

static int read_states(struct bisect *b, const json_t *commits, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < b->h.n && !ret; i++) {
		const json_t *j = json_array_get(commits, i), *why = json_object_get(j, "skipped");
		const json_t *same = json_object_get(j, "same_as");

		if (why && !json_is_string(why))
			ret = err_input(err, "commits[%zu].skipped is not a text", i);
		else if (why)
			bisect_skip(b, i, json_string_value(why));
		if (same && !ret)
			ret = read_same(b, i, same, err);
	}
	return ret;
}

static int read_boots(struct bisect *b, const json_t *boots, struct err *err)
{
	int ret = json_is_array(boots) ? 0 : err_input(err, "boots is not a list");

	for (size_t i = 0; i < json_array_size(boots) && !ret; i++) {
		const json_t *pair = json_array_get(boots, i), *v = json_array_get(pair, 1);
		double value = json_number_value(v);
		size_t commit = 0;

		ret = read_index(json_array_get(pair, 0), "a boot's commit", b->h.n, &commit, err);
		if (ret)
			break;
		if (!json_is_number(v) || !isfinite(value) ||
		    (b->o.values == BISECT_PASS_FAIL && fabs(value - 0.5) != 0.5))
			ret = err_input(err, "boots[%zu] has no value", i);
		else
			bisect_add(b, commit, value);
	}
	return ret;
}

static int from_json(struct bisect *b, const json_t *j, struct err *err)
{
	const json_t *version = json_object_get(j, "iorig-bisect");
	struct bisect_options o = BISECT_OPTIONS_INIT;
	struct history h __release(history) = HISTORY_INIT;
	int ret;

	if (!json_is_integer(version) || json_integer_value(version) != JOURNAL_VERSION)
		return err_input(err, "it is no journal of a bisect, or of another version");
	ret = read_options(&o, json_object_get(j, "options"), err);
	if (!ret)
		ret = read_history(&h, json_object_get(j, "commits"), err);
	if (!ret)
		ret = bisect_init(b, &h, &o, err);
	if (!ret)
		ret = read_states(b, json_object_get(j, "commits"), err);
	if (!ret)
		ret = read_boots(b, json_object_get(j, "boots"), err);
	return ret;
}

int bisect_read(struct bisect *b, json_t **about, const char *path, struct err *err)
{
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	json_t *j __free(json) = NULL;
	json_error_t error;
	int ret;

	*b = (struct bisect)BISECT_INIT;
	if (about)
		*about = NULL;
	ret = file_read(path, JOURNAL_MAX, &text, err);
	if (ret)
		return ret;
	j = json_loadb(text.buf, text.len, JSON_REJECT_DUPLICATES, &error);
	ret = j ? from_json(b, j, err) : err_input(err, "line %d: %s", error.line,
						   str_escape(error.text));
	if (!ret && about)
		*about = json_incref(json_object_get(j, "about"));
	if (!ret)
		return 0;
	bisect_release(b);
	return err_wrap(err, "%s", str_escape(path));
}
