/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of source/commits: names, order and words of a repository's commits. */
#include "source_fixture.h"

#include "source/commits.h"

/* m is a merge of a branch with two commits into one with one. */
static void make_history(void)
{
	run("repo r\n"
	    "cd r\n"
	    "git checkout -q -b side && echo 1 >mm/d.c && commit . side-one\n"
	    "echo 2 >mm/d.c && commit . side-two\n"
	    "git checkout -q main && echo 3 >mm/e.c && commit . main-one\n"
	    "git merge -q --no-ff -m merged side && git tag m\n"
	    "git checkout -q --orphan alone && commit . alone\n");
}

static char *find(const char *git_dir, const char *rev)
{
	struct err err = ERR_INIT;
	char *id;

	if (commits_find(git_dir, "r", rev, &id, &err))
		fail_msg("%s: %s", rev, err.msg);
	return id;
}

static void count_between(const char *git_dir, const char *from, const char *to, bool first_parent,
			  size_t commits, size_t words)
{
	char *good = find(git_dir, from), *bad = find(git_dir, to);
	struct strbuf list = STRBUF_INIT;
	struct strvec lines = STRVEC_INIT, ids = STRVEC_INIT;
	struct err err = ERR_INIT;

	if (commits_between(git_dir, good, bad, first_parent, &list, &err))
		fail_msg("%s", err.msg);
	strvec_split(&lines, list.buf, "\n");
	strvec_split(&ids, list.buf, " \n");
	assert_int_equal(lines.n, commits);
	assert_int_equal(ids.n, words);
	/* the newest is the last, with its parents */
	assert_ptr_equal(strstr(lines.v[lines.n - 1], bad), lines.v[lines.n - 1]);
	strvec_release(&lines);
	strvec_release(&ids);
	strbuf_release(&list);
	free(good);
	free(bad);
}

static void refuse(int ret, const struct err *err, const char *what)
{
	assert_int_equal(ret, -EINVAL);
	assert_int_equal(err->kind, ERR_INPUT);
	if (!strstr(err->msg, what))
		fail_msg("'%s' has no '%s'", err->msg, what);
}

static void test_order(void **state)
{
	char *tree = path_join(top, "r"), *git_dir = NULL, *v1, *side, *id = NULL;
	struct strbuf list = STRBUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	make_history();
	assert_int_equal(commits_repository(tree, &git_dir, &err), 0);
	/* four commits, of which one has two parents */
	count_between(git_dir, "v1", "m", false, 4, 4 + 5);
	count_between(git_dir, "v1", "m", true, 2, 2 + 3);
	v1 = find(git_dir, "v1");
	side = find(git_dir, "side");
	assert_int_equal(strlen(v1), 40);
	id = find(git_dir, "main~1");
	refuse(commits_between(git_dir, id, side, false, &list, &err), &err,
	       "is not an ancestor of the bad one");
	assert_non_null(strstr(err.msg, "bisect from what both have"));
	free(id);
	id = find(git_dir, "alone");
	refuse(commits_between(git_dir, v1, id, false, &list, &err), &err,
	       "have no common ancestor");
	free(id);
	id = NULL;
	refuse(commits_find(git_dir, "r", "v9", &id, &err), &err, "'r' has no commit 'v9'");
	refuse(commits_find(git_dir, "r", "v1:mm", &id, &err), &err, "has no commit");
	refuse(commits_find(git_dir, "r", "--all", &id, &err), &err, "is no name of a commit");
	refuse(commits_find(git_dir, "r", "v1\n", &id, &err), &err, "is no name of a commit");
	assert_null(id);
	assert_int_equal(list.len, 0);
	free(v1);
	free(side);
	free(git_dir);
	refuse(commits_repository(top, &git_dir, &err), &err, "no git repository in");
	refuse(commits_repository("/nonexistent/r", &git_dir, &err), &err, "no repository in");
	free(tree);
}

static void test_words(void **state)
{
	char *tree = path_join(top, "w"), *git_dir = NULL, *id;
	struct commit_words w = COMMIT_WORDS_INIT;
	struct err err = ERR_INIT;

	(void)state;
	run("repo w\ncd w\necho 9 >mm/a.c\ngit add -A\n"
	    "printf 'mm: \\033[31mred\\nsecond line\\n\\nbody\\n' >../message\n"
	    "GIT_AUTHOR_DATE='2024-02-29T12:00:00 +0000' git commit -q --cleanup=verbatim -F ../message\n"
	    "git commit -q --allow-empty --allow-empty-message -m ''\n");
	assert_int_equal(commits_repository(tree, &git_dir, &err), 0);
	id = find(git_dir, "main~1");
	assert_int_equal(commits_words(git_dir, id, &w, &err), 0);
	/* git's subject is the first paragraph in one line */
	assert_string_equal(w.subject, "mm: \033[31mred second line");
	assert_string_equal(w.author, "a <a@b>");
	assert_string_equal(w.date, "2024-02-29");
	free(id);
	id = find(git_dir, "main");
	assert_int_equal(commits_words(git_dir, id, &w, &err), 0);
	assert_string_equal(w.subject, "");
	assert_string_equal(w.author, "a <a@b>");
	commit_words_release(&w);
	commit_words_release(&w);
	free(id);
	free(git_dir);
	free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order), cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests_name("commits", tests, setup, teardown);
}
