/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kbuild/patchset_apply: what gets into a tree, and why something does not. */
#include "patch_fixture.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/proc.h"

#define GIT_NEW(name, mode, body) "diff --git a/" name " b/" name "\nnew file mode " mode "\n" body

static void test_plain(void **state)
{
	(void)state;
	put_numbers("tree/f");
	applies(PATCH_5);
	assert_string_equal(text_of("tree/f"), "1\n2\n3\n4\nfive\n6\n7\n8\n9\n");
}

static void test_hard_links(void **state)
{
	char *a __free(ptr) = path_join(dir, "tree/f"), *b __free(ptr) = path_join(dir, "pristine");

	(void)state;
	put_numbers("tree/f");
	assert_int_equal(link(a, b), 0);
	applies(PATCH_5);
	assert_non_null(strstr(text_of("tree/f"), "five"));
	assert_null(strstr(text_of("pristine"), "five"));
}

static void test_offset(void **state)
{
	struct strvec notes __release(strvec) = STRVEC_INIT;
	struct err err = ERR_INIT;

	(void)state;
	put("tree/f", "a\nb\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
	assert_int_equal(apply(PATCH_5, &notes, &err), 0);
	assert_int_equal(notes.n, 1);
	assert_string_equal(notes.v[0],
			    "p: f: hunk 1 found at line 6, 2 lines lower than it says");
	put("tree/f", "2\n3\n4\n5\n6\n7\n8\n9\n");
	assert_int_equal(apply(PATCH_5, &notes, &err), 0);
	assert_int_equal(notes.n, 2);
	assert_string_equal(notes.v[1],
			    "p: f: hunk 1 found at line 3, 1 line higher than it says");
}

static void test_needs_fuzz(void **state)
{
	struct strvec notes __release(strvec) = STRVEC_INIT;
	const char *text = "--- a/f\n+++ b/f\n@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+\tfive\n 6\n 7\n";

	(void)state;
	put("tree/f", "1\n2\n3\n4\n5\n6\nseven\n8\n9\n");
	misfits(text, "'p' does not apply: f: hunk 1 (line 3): needs fuzz 1", &notes);
	assert_int_equal(notes.n, 7);
	assert_string_equal(notes.v[0], "@@ -3,5 +3,5 @@");
	assert_string_equal(notes.v[4], "+        five");
	assert_string_equal(text_of("tree/f"), "1\n2\n3\n4\n5\n6\nseven\n8\n9\n");
}

static void test_no_context(void **state)
{
	struct strvec notes __release(strvec) = STRVEC_INIT;
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	(void)state;
	put("tree/f", "one\n");
	put("tree/g", "one\n");
	misfits(PATCH_5, "f: hunk 1 (line 4): context not found", &notes);
	misfits(PATCH_5 PATCH_OF("g"), "context not found (and 1 more file)", &notes);
	strvec_release(&notes);
	/* the second hunk of two, a long one */
	put("tree/f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
	strbuf_addstr(&sb, PATCH_5 "@@ -20,50 +20,49 @@\n-x\033\n");
	for (int i = 0; i < 49; i++)
		strbuf_addf(&sb, " %d\n", i);
	misfits(sb.buf, "f: hunk 2 (line 20): context not found", &notes);
	assert_int_equal(notes.n, 41);
	assert_string_equal(notes.v[1], "-x\\x1b");
	assert_string_equal(notes.v[40], "...");
	assert_string_equal(text_of("tree/f"), "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
}

static void test_without_patch_program(void **state)
{
	struct strvec notes __release(strvec) = STRVEC_INIT;
	char *bin __free(ptr) = path_join(dir, "bin"), *git __free(ptr) = path_join(bin, "git");
	char *path __free(ptr) = xstrdup(getenv("PATH")), *found __free(ptr) = proc_find("git");
	struct err err = ERR_INIT;

	(void)state;
	put("tree/f", "1\n2\n3\n4\n5\n6\nseven\n8\n9\n");
	assert_int_equal(dir_make(bin, &err), 0);
	assert_int_equal(symlink(found, git), 0);
	setenv("PATH", bin, 1);
	misfits("--- a/f\n+++ b/f\n@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+five\n 6\n 7\n", "context not found",
		&notes);
	setenv("PATH", path, 1);
}

static void test_applied_already(void **state)
{
	struct strvec notes __release(strvec) = STRVEC_INIT;

	(void)state;
	put_numbers("tree/f");
	applies(PATCH_5);
	misfits(PATCH_5, "'p' does not apply: already applied", &notes);
	assert_int_equal(notes.n, 0);
	applies(GIT_NEW("n", "100644", "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"));
	misfits(GIT_NEW("n", "100644", "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"),
		"already applied", &notes);
	misfits(GIT_NEW("n", "100644", "--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+y\n"),
		"n: already exists", &notes);
	misfits(PATCH_OF("none"), "none: No such file", &notes);
}

static void test_new_and_deleted(void **state)
{
	char *x __free(ptr) = path_join(dir, "tree/bin/x");
	struct stat st;

	(void)state;
	put("tree/old", "gone\n");
	applies(GIT_NEW("bin/x", "100755", "--- /dev/null\n+++ b/bin/x\n@@ -0,0 +1 @@\n+x\n")
		"--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n"
		GIT_NEW("empty", "100644", ""));
	assert_string_equal(text_of("tree/bin/x"), "x\n");
	assert_int_equal(stat(x, &st), 0);
	assert_true(st.st_mode & 0100);
	assert_null(text_of("tree/old"));
	assert_string_equal(text_of("tree/empty"), "");
}

static void test_rename_copy_mode(void **state)
{
	char *m __free(ptr) = path_join(dir, "tree/m");
	struct stat st;

	(void)state;
	put_numbers("tree/f");
	put("tree/m", "m\n");
	applies("diff --git a/f b/d/g\nsimilarity index 90%\nrename from f\nrename to d/g\n"
		"--- a/f\n+++ b/d/g\n" HUNK_5
		"diff --git a/m b/c\nsimilarity index 100%\ncopy from m\ncopy to c\n"
		"diff --git a/m b/m\nold mode 100644\nnew mode 100755\n");
	assert_null(text_of("tree/f"));
	assert_non_null(strstr(text_of("tree/d/g"), "five"));
	assert_string_equal(text_of("tree/c"), "m\n");
	assert_int_equal(stat(m, &st), 0);
	assert_true(st.st_mode & 0100);
}

/* As git diff --binary writes a new file with the bytes a, NUL, b and a newline. */
static void test_binary(void **state)
{
	char *path __free(ptr) = path_join(dir, "tree/b");
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	put_numbers("tree/f");
	applies("diff --git a/b b/b\nnew file mode 100644\n"
		"index 0000000000000000000000000000000000000000.."
		"1a23e4be731d2f539deeea324686d000ccdfbfcd\n"
		"GIT binary patch\nliteral 4\nLcmYdfNa6wj0#*Rd\n\nliteral 0\nHcmV?d00001\n\n" PATCH_5);
	assert_int_equal(file_read(path, 100, &sb, &err), 0);
	assert_int_equal(sb.len, 4);
	assert_memory_equal(sb.buf, "a\0b\n", 4);
	assert_non_null(strstr(text_of("tree/f"), "five"));
}

static void test_quoted_name(void **state)
{
	(void)state;
	put("tree/a \"b\"\303\244", "old\n");
	applies("diff --git \"a/a \\\"b\\\"\\303\\244\" \"b/a \\\"b\\\"\\303\\244\"\n"
		"--- \"a/a \\\"b\\\"\\303\\244\"\n+++ \"b/a \\\"b\\\"\\303\\244\"\n"
		"@@ -1 +1 @@\n-old\n+new\n");
	assert_string_equal(text_of("tree/a \"b\"\303\244"), "new\n");
}

static void test_line_ends(void **state)
{
	struct strvec notes __release(strvec) = STRVEC_INIT;

	(void)state;
	/* the file's own CRs are part of its lines */
	put("tree/dos", "a\r\nb\r\n");
	applies("--- a/dos\n+++ b/dos\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
	assert_string_equal(text_of("tree/dos"), "a\r\nc\r\n");
	misfits("--- a/dos\n+++ b/dos\n@@ -1,2 +1,2 @@\n a\n-c\n+d\n", "context not found", &notes);
	/* those that a whole patch got on its way are not */
	put("tree/unix", "a\nb\n");
	applies("Subject: x\r\n\r\n--- a/unix\r\n+++ b/unix\r\n@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n");
	assert_string_equal(text_of("tree/unix"), "a\nc\n");
	/* no newline at the end */
	put("tree/n", "x");
	applies("--- a/n\n+++ b/n\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+y\n"
		"\\ No newline at end of file\n");
	assert_string_equal(text_of("tree/n"), "y");
}

static void test_symlinks(void **state)
{
	struct strvec notes __release(strvec) = STRVEC_INIT;
	struct err err = ERR_INIT;
	char *out __free(ptr) = path_join(dir, "outside");
#define LINK(name, to)                                                                             \
	GIT_NEW(name, "120000", "--- /dev/null\n+++ b/" name "\n@@ -0,0 +1 @@\n+" to               \
				"\n\\ No newline at end of file\n")
#define NEW(name) GIT_NEW(name, "100644", "--- /dev/null\n+++ b/" name "\n@@ -0,0 +1 @@\n+x\n")

	(void)state;
	put("tree/d/f", "f\n");
	assert_int_equal(dir_make(out, &err), 0);
	applies(LINK("d/good", "../d/f"));
	assert_string_equal(text_of("tree/d/good"), "f\n");
	misfits(LINK("l1", "../outside"), "makes a symbolic link out of the tree: 'l1'", &notes);
	misfits(LINK("l2", "/etc"), "symbolic link out of the tree", &notes);
	misfits(LINK("d/l3", "../d/../../nothing"), "symbolic link out of the tree", &notes);
	/* inside by its words, outside by where it leads */
	applies(LINK("d/top", "..") LINK("d/inside", "top/d/f"));
	misfits(LINK("d/l4", "top/../outside"), "symbolic link out of the tree", &notes);
	/* writing through a link, made by the same patch or one before */
	misfits(LINK("l5", "../outside") NEW("l5/x"), "does not apply", &notes);
	misfits(NEW("l1/x"), "beyond a symbolic link", &notes);
	assert_null(text_of("outside/x"));
}

/* Neither a repository around the tree nor the user's settings matter. */
static void test_isolation(void **state)
{
	struct strvec notes __release(strvec) = STRVEC_INIT;
	char *home __free(ptr) = path_join(dir, "home");

	(void)state;
	put(".git/HEAD", "ref: refs/heads/x\n");
	put(".git/config", "[core]\n\tbare = true\n\trepositoryformatversion = 99\n");
	put(".git/objects/x", "");
	put(".git/refs/x", "");
	put("home/.gitconfig", "[apply]\n\twhitespace = error\n[broken\n");
	put("home/.config/git/attributes", "* text eol=crlf\n");
	setenv("HOME", home, 1);
	setenv("GIT_CONFIG_COUNT", "1", 1);
	setenv("GIT_CONFIG_KEY_0", "apply.ignorewhitespace", 1);
	setenv("GIT_CONFIG_VALUE_0", "change", 1);
	put_numbers("tree/f");
	applies("--- a/f\n+++ b/f\n@@ -4,3 +4,3 @@\n 4\n-5\n+trailing blank \n 6\n");
	assert_string_equal(text_of("tree/f"), "1\n2\n3\n4\ntrailing blank \n6\n7\n8\n9\n");
	put("tree/f", "1\n2\n3\n4 \n5\n6\n7\n8\n9\n");
	misfits(PATCH_5, "needs fuzz 1", &notes);
	unsetenv("GIT_CONFIG_COUNT");
}

static void test_series(void **state)
{
	struct patchset set __release(patchset) = PATCHSET_INIT;
	struct strvec notes __release(strvec) = STRVEC_INIT;
	char *tree __free(ptr) = path_join(dir, "tree");
	struct err err = ERR_INIT;

	(void)state;
	put_numbers("tree/f");
	put("d/1.patch", PATCH_5);
	put("d/2.patch", "--- f\n+++ f\n@@ -4,3 +4,3 @@\n 4\n-five\n+FIVE\n 6\n");
	put("d/3.patch", PATCH_5);
	put("d/series", "1.patch\n2.patch -p0\n3.patch\n");
	add_well(&set, "d");
	assert_int_equal(patchset_apply(&set, tree, &notes, &err), -EINVAL);
	assert_string_equal(err.msg, "'3.patch' does not apply: f: hunk 1 (line 4): context not found");
	assert_non_null(strstr(text_of("tree/f"), "FIVE"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_plain, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_hard_links, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_offset, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_needs_fuzz, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_no_context, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_without_patch_program, patch_setup,
						patch_teardown),
		cmocka_unit_test_setup_teardown(test_applied_already, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_new_and_deleted, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_rename_copy_mode, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_binary, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_quoted_name, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_line_ends, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_symlinks, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_isolation, patch_setup, patch_teardown),
		cmocka_unit_test_setup_teardown(test_series, patch_setup, patch_teardown),
	};

	return cmocka_run_group_tests_name("kbuild/patchset_apply", tests, NULL, NULL);
}
