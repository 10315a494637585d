/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps of a bisect, and their JSON. */
#include "bisect/trail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "bisect/bisect.h"

#define STEPS_MAX 1000000
#define TRIED_MAX 1000000
#define TIME_MAX  1e9

static const char *const what_names[] = {
	[TRAIL_BOOTED] = "booted", [TRAIL_SKIPPED] = "skipped", [TRAIL_SAME] = "same",
};

void trail_init(struct trail *t, size_t n_commits)
{
	*t = (struct trail){ .c = xcalloc(n_commits, sizeof(*t->c)), .n = n_commits };
}

void trail_release(struct trail *t)
{
	free(t->c);
	free(t->s);
	*t = (struct trail)TRAIL_INIT;
}

void trail_add(struct trail *t, struct bisect *b, const struct trail_step *step)
{
	struct bisect_step believed = BISECT_STEP_INIT;
	struct trail_step *s = array_grow(t->s, t->n_steps);

	bisect_think(b);
	bisect_candidates(b, &believed);
	*s = *step;
	s->best = believed.commit;
	s->left = believed.n_set;
	s->p = b->p[believed.commit];
	bisect_step_release(&believed);
}

size_t trail_find(const struct trail *t, const char *image)
{
	for (size_t i = 0; *image && i < t->n; i++) {
		if (!strcmp(t->c[i].image, image))
			return i;
	}
	return t->n;
}

static json_t *step_to_json(const struct trail_step *s)
{
	json_t *j = json_pack("{s:s, s:I, s:I, s:I, s:f, s:f, s:I, s:I, s:f}",
			      "what", what_names[s->what], "commit", (json_int_t)s->commit,
			      "as", (json_int_t)s->as, "boots", (json_int_t)s->boots,
			      "build_s", s->build_s, "boot_s", s->boot_s,
			      "best", (json_int_t)s->best, "left", (json_int_t)s->left, "p", s->p);

	BUG_ON(!j);
	return j;
}

static json_t *commit_to_json(const struct trail *t, size_t i)
{
	json_t *j = json_pack("{s:I, s:s, s:I}", "commit", (json_int_t)i, "image", t->c[i].image,
			      "tried", (json_int_t)t->c[i].tried);

	BUG_ON(!j);
	return j;
}

json_t *trail_to_json(const struct trail *t)
{
	json_t *commits = json_array(), *steps = json_array(), *j;

	for (size_t i = 0; i < t->n; i++) {
		if (*t->c[i].image || t->c[i].tried)
			json_array_append_new(commits, commit_to_json(t, i));
	}
	for (size_t i = 0; i < t->n_steps; i++)
		json_array_append_new(steps, step_to_json(&t->s[i]));
	j = json_pack("{s:o, s:o}", "kernels", commits, "steps", steps);
	BUG_ON(!j);
	return j;
}

/* A whole number below end. */
static bool take_index(const json_t *object, const char *key, size_t end, size_t *v)
{
	const json_t *j = json_object_get(object, key);

	if (!json_is_integer(j) || json_integer_value(j) < 0 ||
	    (size_t)json_integer_value(j) >= end)
		return false;
	*v = (size_t)json_integer_value(j);
	return true;
}

static bool take_real(const json_t *object, const char *key, double max, double *v)
{
	const json_t *j = json_object_get(object, key);

	*v = json_number_value(j);
	return json_is_number(j) && *v >= 0 && *v <= max;
}

static bool take_what(const json_t *object, enum trail_what *what)
{
	const char *word = json_string_value(json_object_get(object, "what"));

	for (size_t i = 0; word && i < ARRAY_SIZE(what_names); i++) {
		*what = (enum trail_what)i;
		if (!strcmp(word, what_names[i]))
			return true;
	}
	return false;
}

/* NULL, or the key that is wrong. */
static const char *take_step(struct trail_step *s, const json_t *j, size_t n_commits,
			     size_t boots_left)
{
	if (!take_what(j, &s->what))
		return "what";
	if (!take_index(j, "commit", n_commits, &s->commit))
		return "commit";
	if (!take_index(j, "as", n_commits, &s->as))
		return "as";
	if (!take_index(j, "boots", boots_left + 1, &s->boots))
		return "boots";
	if (!take_real(j, "build_s", TIME_MAX, &s->build_s))
		return "build_s";
	if (!take_real(j, "boot_s", TIME_MAX, &s->boot_s))
		return "boot_s";
	if (!take_index(j, "best", n_commits, &s->best))
		return "best";
	if (!take_index(j, "left", n_commits + 1, &s->left))
		return "left";
	return take_real(j, "p", 1, &s->p) ? NULL : "p";
}

static int read_steps(struct trail *t, const json_t *list, size_t n_boots, struct err *err)
{
	if (!json_is_array(list) || json_array_size(list) > STEPS_MAX)
		return err_input(err, "about.steps is no list");
	for (size_t i = 0; i < json_array_size(list); i++) {
		struct trail_step s;
		const char *wrong = take_step(&s, json_array_get(list, i), t->n, n_boots);

		if (wrong)
			return err_input(err, "about.steps[%zu].%s is bad or missing", i, wrong);
		n_boots -= s.boots;
		*array_grow(t->s, t->n_steps) = s;
	}
	return n_boots ? err_input(err, "%zu boots belong to no step", n_boots) : 0;
}

static bool take_image(const json_t *j, char image[HASH_HEX])
{
	const char *s = json_string_value(json_object_get(j, "image"));
	size_t len = s ? strspn(s, "0123456789abcdef") : 0;

	if (!s || s[len] || (len && len != HASH_HEX - 1))
		return false;
	memcpy(image, s, len + 1);
	return true;
}

static int read_kernels(struct trail *t, const json_t *list, struct err *err)
{
	if (!json_is_array(list))
		return err_input(err, "about.kernels is no list");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *j = json_array_get(list, i);
		size_t commit;

		if (!take_index(j, "commit", t->n, &commit) || !take_image(j, t->c[commit].image) ||
		    !take_index(j, "tried", TRIED_MAX, &t->c[commit].tried))
			return err_input(err, "about.kernels[%zu] is bad", i);
	}
	return 0;
}

int trail_from_json(struct trail *t, const json_t *j, size_t n_commits, size_t n_boots,
		    struct err *err)
{
	int ret;

	trail_init(t, n_commits);
	ret = read_kernels(t, json_object_get(j, "kernels"), err);
	if (!ret)
		ret = read_steps(t, json_object_get(j, "steps"), n_boots, err);
	if (ret)
		trail_release(t);
	return ret;
}
