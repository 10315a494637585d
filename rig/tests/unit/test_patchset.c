/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of patch/patchset: what a path stands for, and what is refused without a tree. */
#include "patch_fixture.h"

static void test_file(void **state)
{
	static const char text[] = "mm: fix it\n\nLong story.\n---\n" PATCH_5;
	struct patchset set __release(patchset) = PATCHSET_INIT;
	char hex[HASH_HEX];

	(void)state;
	put("a.patch", text);
	add_well(&set, "a.patch");
	assert_int_equal(set.n, 1);
	assert_string_equal(set.patches[0].name, "a.patch");
	assert_string_equal(set.patches[0].subject, "mm: fix it");
	assert_string_equal(set.patches[0].text, text);
	assert_int_equal(set.patches[0].len, strlen(text));
	assert_int_equal(set.patches[0].strip, 1);
	hash_mem(text, strlen(text), hex);
	assert_string_equal(set.patches[0].sha256, hex);
}

static void test_subjects(void **state)
{
	static const struct {
		const char *before, *subject;
	} table[] = {
		{ "", "a.patch" },
		{ "\n \nmm: one\nmore\n", "mm: one" },
		{ "From: A <a@b>\n\nmm: two\n", "mm: two" },
		{ "Author: A\nSubject: [PATCH v2 3/4] mm:\n  folded  text\nDate: x\n\nbody\n",
		  "mm: folded text" },
		{ "Subject: Re: [RFC] [PATCH] x\n", "x" },
		{ "Description: for Debian\n of two lines\nOrigin: x\n\n", "for Debian of two lines" },
		{ "Subject: \n\n", "a.patch" },
		{ "a\033[31mb\n", "a [31mb" },
		{ "Index: f\n=====\n", "a.patch" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct patchset set __release(patchset) = PATCHSET_INIT;
		char *text __free(ptr) = xstrfmt("%s%s", table[i].before, PATCH_5);

		put("a.patch", text);
		add_well(&set, "a.patch");
		assert_string_equal(set.patches[0].subject, table[i].subject);
	}
}

static void test_long_subject(void **state)
{
	struct patchset set __release(patchset) = PATCHSET_INIT;
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	(void)state;
	strbuf_addstr(&sb, "x");
	for (int i = 0; i < 300; i++)
		strbuf_addstr(&sb, "\303\244");
	strbuf_addstr(&sb, "\n" PATCH_5);
	put("a.patch", sb.buf);
	add_well(&set, "a.patch");
	/* not in the middle of a character */
	assert_int_equal(strlen(set.patches[0].subject), 199);
}

static void test_bad_files(void **state)
{
	static const struct {
		const char *text, *says;
	} table[] = {
		{ "", "p: no diff in it" },
		{ "just words\n", "p: no diff in it" },
		{ "--- a/f\n+++ b/f\n", "no diff" },
		{ PATCH_OF("../f"), "p:1: a path that leads out of the tree" },
		{ PATCH_OF("x/../../f"), "leads out" },
		{ "--- a/f\n+++ b/../f\n@@ -1 +1 @@\n-a\n+b\n", "p:2: a path that leads out" },
		{ "--- x//etc/passwd\n+++ ../../x\n@@ -1 +1 @@\n-a\n+b\n", "p:2: a path that leads" },
		{ "--- \"a/\\056\\056/f\"\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", "p:1: a path that leads" },
		{ PATCH_OF(".git/config"), "inside of a .git" },
		{ PATCH_OF("x/.GIT/config"), "inside of a .git" },
		{ PATCH_OF("./f"), "empty part" },
		{ "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n", "too few leading parts" },
		{ "--- /dev/null\n+++ /dev/null\n@@ -1 +1 @@\n-a\n+b\n", "without a name" },
		{ "--- \"a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", "badly quoted" },
		{ "diff --git a/f b/f\nrename from ../f\nrename to f\n", "p:2: a path that leads" },
		{ "diff --git a/../f b/../f\nold mode 100644\n", "p:1: a path that leads" },
		{ "diff --git a/f b/f\nnew file mode 160000\n", "submodule" },
		{ "diff --git a/f b/f\nindex 1234567..1234568 160000\n", "submodule" },
		{ "diff --git a/f b/f\nnew file mode 020644\n", "neither a file's" },
		{ "diff --git a/f b/f\nindex 1..2\nBinary files a/f and b/f differ\n",
		  "p:3: a binary change without its data" },
		{ PATCH_5 "Only in b: g\n", "p:8: a file that diff left out" },
		{ "@@ -1 +1 @@\n-a\n+b\n", "p:1: a hunk of no file" },
		{ "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n 1\n-2\n+3\n", "p:7: a hunk's line is missing" },
		{ "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n 1\nwrapped by a mailer\n-2\n+3\n",
		  "p:5: a hunk's line is missing or broken" },
		{ "--- a/f\n+++ b/f\n@@ -1 +99999999999 @@\n-a\n+b\n", "numbers" },
		{ "--- a/f\n+++ b/f\n@@ -x +1 @@\n-a\n+b\n", "numbers" },
		{ "--- a/f\n+++ b/f\n@@ -1,0 @@\n", "numbers" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		put("p", table[i].text);
		refused("p", table[i].says);
	}
	put_bytes("p", "\037\213\0x", 4);
	refused("p", "no text");
	refused("nothing", "No such file");
	put("p", PATCH_OF("\033[31m/../.."));
	refused("p", "leads out");
}

static void test_folder(void **state)
{
	struct patchset set __release(patchset) = PATCHSET_INIT;

	(void)state;
	put("d/0002-b.patch", PATCH_5);
	put("d/0001-a.patch", PATCH_5);
	put("d/notes.txt", "no patch");
	add_well(&set, "d");
	assert_int_equal(set.n, 2);
	assert_string_equal(set.patches[0].name, "0001-a.patch");
	assert_string_equal(set.patches[1].name, "0002-b.patch");
	put("e/notes.txt", "no patch");
	refused("e", "neither a series file nor");
	put("d/0003-c.patch", "words\n");
	refused("d", "0003-c.patch: no diff");
}

static void test_series(void **state)
{
	struct patchset set __release(patchset) = PATCHSET_INIT;
	char *link __free(ptr) = path_join(dir, "d/link.patch");

	(void)state;
	put("d/a.patch", PATCH_5);
	put("d/sub/b.patch", "--- f\n+++ f\n" HUNK_5);
	put("d/c#1.patch", PATCH_5);
	put("d/unused.patch", PATCH_5);
	put("outside.patch", PATCH_5);
	put("d/series", "# first\n\n  sub/b.patch -p0 # why\r\nc#1.patch\na.patch -p1\n");
	add_well(&set, "d");
	assert_int_equal(set.n, 3);
	assert_string_equal(set.patches[0].name, "b.patch");
	assert_int_equal(set.patches[0].strip, 0);
	assert_string_equal(set.patches[1].name, "c#1.patch");
	assert_int_equal(set.patches[2].strip, 1);

	put("d/series", "a.patch\nmissing.patch\n");
	refused("d", "d/series:2: no such file");
	put("d/series", "../outside.patch\n");
	refused("d", "d/series:1: ");
	refused("d", "outside of the folder");
	assert_int_equal(symlink("../outside.patch", link), 0);
	put("d/series", "link.patch\n");
	refused("d", "outside of the folder");
	put("d/series", "a.patch -R\n");
	refused("d", "series:1: unknown word '-R'");
	put("d/series", "a.patch -p12\n");
	refused("d", "unknown word '-p12'");
	put("d/series", "# nothing\n");
	refused("d", "no patch in the series");
}

static void test_too_many(void **state)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	(void)state;
	put("d/a.patch", PATCH_5);
	for (int i = 0; i < 1001; i++)
		strbuf_addstr(&sb, "a.patch\n");
	put("d/series", sb.buf);
	refused("d", "series:1001: a.patch: more than 1000 patches");
}

static void choose(const char *version, const char *name)
{
	struct patchset set __release(patchset) = PATCHSET_INIT;
	struct err err = ERR_INIT;

	add_well(&set, "before.patch");
	add_well(&set, "d");
	add_well(&set, "after.patch");
	if (patchset_choose(&set, version, &err) < 0)
		fail_msg("%s: %s", version, err.msg);
	assert_int_equal(set.n, 3);
	assert_string_equal(set.patches[0].name, "before.patch");
	assert_string_equal(set.patches[1].name, name);
	assert_string_equal(set.patches[2].name, "after.patch");
	assert_int_equal(set.bytes, 3 * strlen(PATCH_5));
	/* it is chosen: nothing to do */
	assert_int_equal(patchset_choose(&set, version, &err), 0);
	assert_int_equal(set.n, 3);
}

static void test_forms(void **state)
{
	struct patchset set __release(patchset) = PATCHSET_INIT;
	struct err err = ERR_INIT;

	(void)state;
	put("before.patch", PATCH_5);
	put("after.patch", PATCH_5);
	put("d/6.1.patch", PATCH_5);
	put("d/6.12.patch", PATCH_5);
	put("d/5.10.patch", PATCH_5);
	put("d/mutant", "[mutant]\n");
	choose("6.1.192", "6.1.patch");
	choose("6.1", "6.1.patch");
	choose("6.11.0-rc3", "6.1.patch");
	choose("6.12.0", "6.12.patch");
	choose("7.2", "6.12.patch");
	choose("5.15.1", "5.10.patch");
	add_well(&set, "d");
	assert_int_equal(patchset_choose(&set, "5.4.1", &err), -ENOTSUP);
	assert_int_equal(err.kind, ERR_UNABLE);
	assert_non_null(strstr(err.msg, "for Linux 5.4.1, only for 5.10, 6.1, 6.12"));
	err = (struct err)ERR_INIT;
	assert_int_equal(patchset_choose(&set, "six", &err), -EINVAL);
	/* a folder with any other name in it is an ordinary one */
	put("d/x.patch", PATCH_5);
	patchset_release(&set);
	add_well(&set, "d");
	assert_int_equal(patchset_choose(&set, "6.1", &err), 0);
	assert_int_equal(set.n, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_file, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_subjects, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_long_subject, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_bad_files, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_folder, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_series, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_too_many, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_forms, patch_setup, patch_teardown),
	};

	return cmocka_run_group_tests_name("patch/patchset", tests, NULL, NULL);
}
