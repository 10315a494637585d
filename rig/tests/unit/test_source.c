/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of source/source with git: trees as they lie there, commits, filling and updating. */
#include "source_fixture.h"

/* Every name with all that tells a change, .git included. */
#define LISTING(dir) "find " dir " -printf '%p %y %m %s %T@ %C@ %l %i\\n' | sort"

static void test_bad_specs(void **state)
{
	static const struct {
		const char *spec, *tree, *message;
	} table[] = {
		{ "", NULL, "no source ''" },
		{ "linux-source-6.1", NULL, "there are debian:PACKAGE" },
		{ "svn:trunk", NULL, "no source 'svn:trunk'" },
		{ "deb:x", NULL, "no source" },
		{ "debian:", NULL, "'' is no name of a package" },
		{ "debian:-o", NULL, "'-o' is no name of a package" },
		{ "debian:a b", NULL, "is no name of a package" },
		{ "debian:../../x", NULL, "is no name of a package" },
		{ "debian:linux-source-6.1/-x", NULL, "is no name of a suite" },
		{ "debian:linux-source-6.1/../x", NULL, "is no name of a suite" },
		{ "debian:linux-source-6.1/", NULL, "is no name of a suite" },
		{ "debian:linux-source-6.1=1 2", NULL, "is no version" },
		{ "git:v1", NULL, "needs a repository" },
		{ "git:v1", "nowhere", "no repository in" },
		{ "git:v1", "plain", "no git repository in" },
		{ "git:", "repo", "'' is no name of a commit" },
		{ "git:--help", "repo", "'--help' is no name of a commit" },
		{ "git:a\nb", "repo", "'a\\x0ab' is no name of a commit" },
		{ "git:v2", "repo", "has no commit 'v2'" },
		{ "git:v1..main", "repo", "has no commit" },
		{ "git:v1:Makefile", "repo", "has no commit" },
		{ "git:nokernel", "repo", "no kernel tree in the commit 'nokernel': it has no Kconfig" },
		{ "tree:nowhere", NULL, "No such file" },
		{ "tree:repo/Makefile", NULL, "there is no such folder" },
		{ "tree:empty", NULL, "it has no Makefile" },
		{ "tree:nokconfig", NULL, "it has no Kconfig" },
		{ "tree:noversion", NULL, "sets no VERSION and PATCHLEVEL" },
	};

	(void)state;
	run("repo repo; kernel plain; mkdir empty; kernel nokconfig; rm nokconfig/Kconfig\n"
	    "kernel noversion; echo 'MY_VERSION = 1' >noversion/Makefile\n"
	    "cd repo; git checkout -q -b nokernel; git rm -q Kconfig; git commit -q -m x\n"
	    "git checkout -q main");
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		must_refuse(table[i].spec, table[i].tree, table[i].message);
}

/* Uncommitted, untracked and tracked-though-ignored files are there, products are not; nothing
 * of the user's changed. */
static void test_tree(void **state)
{
	struct source s = SOURCE_INIT, clean = SOURCE_INIT, again = SOURCE_INIT;
	char *before;

	(void)state;
	run("repo t; cd t; echo forced >mm/forced.o; git add -f mm/forced.o; git commit -q -m two");
	must_resolve(&clean, "tree:t", NULL);
	assert_string_equal(clean.version, "9.8.7-rc1");
	assert_non_null(strstr(clean.label, "tree t (v1-1-g"));
	assert_null(strstr(clean.label, "changed"));
	run("cd t; echo 'int a2;' >mm/a.c; rm mm/b.c; echo 'int n;' >mm/new.c\n"
	    "echo o >mm/a.o; echo x >vmlinux; echo y >.config; git update-index --refresh || :\n"
	    "mkfifo mm/pipe");
	before = sh(LISTING("t"));
	must_resolve(&s, "tree:t", NULL);
	must_fill(&s, "f", false);
	must_resolve(&again, "tree:t", NULL);
	expect_sh(LISTING("t"), before);
	assert_string_equal(s.id, again.id);
	assert_string_not_equal(s.id, clean.id);
	assert_string_equal(s.line, clean.line);
	assert_non_null(strstr(s.label, ", 3 files changed)"));
	expect_sh("cd f/tree; find . ! -type d | sort | tr '\\n' ' '; cat mm/a.c mm/forced.o;"
		  "stat -c %a scripts/run.sh mm/a.c; readlink scripts/mm",
		  "./.gitignore ./Kconfig ./Makefile ./drivers/base/c.c ./mm/a.c ./mm/forced.o "
		  "./mm/new.c ./scripts/mm ./scripts/run.sh int a2;\nforced\n755\n644\n../mm");
	expect_sh("tr '\\0' ' ' <f/files",
		  ".gitignore Kconfig Makefile drivers/base/c.c mm/a.c mm/forced.o mm/new.c "
		  "scripts/mm scripts/run.sh");
	/* What was taken once and is a product now is gone from the next look. */
	run("cd t; git rm -q --cached mm/forced.o; git add -u");
	must_resolve(&again, "tree:t", NULL);
	must_fill(&again, "f2", false);
	expect_sh("cd f2/tree; find . -name '*.o'", "");
	free(before);
	source_release(&s);
	source_release(&clean);
	source_release(&again);
}

/* The same files have the same id: a work tree, its commit, an unpacked copy built in place. */
static void test_same_content(void **state)
{
	struct source tree = SOURCE_INIT, commit = SOURCE_INIT, copy = SOURCE_INIT;

	(void)state;
	run("repo same; cp -a same copy; rm -rf copy/.git; echo o >copy/mm/a.o; echo v >copy/vmlinux");
	must_resolve(&tree, "tree:same", NULL);
	must_resolve(&commit, "git:v1", "same");
	must_resolve(&copy, "tree:copy", NULL);
	assert_string_equal(tree.id, commit.id);
	assert_string_equal(tree.id, copy.id);
	assert_string_equal(tree.line, commit.line);
	assert_string_not_equal(tree.line, copy.line);
	assert_non_null(strstr(commit.label, "git v1 ("));
	assert_string_equal(copy.label, "tree copy (9.8.7-rc1)");
	assert_string_equal(commit.version, "9.8.7-rc1");
	source_release(&tree);
	source_release(&commit);
	source_release(&copy);
}

/* Debian's source packages ignore all of the top folder. */
static void test_everything_ignored(void **state)
{
	struct source s = SOURCE_INIT;

	(void)state;
	run("kernel deb; printf '/*\\n!/debian/\\n' >>deb/.gitignore; cd deb\n"
	    "touch vmlinux System.map .config .vmlinux.cmd mm/a.o built-in.a Module.symvers");
	must_resolve(&s, "tree:deb", NULL);
	must_fill(&s, "debf", false);
	expect_sh("tr '\\0' ' ' <debf/files",
		  ".gitignore Kconfig Makefile drivers/base/c.c mm/a.c mm/b.c scripts/mm "
		  "scripts/run.sh");
	source_release(&s);
}

/* Only what differs is written, whether the folder is the one that was filled, or a copy of it. */
static void test_update(void **state)
{
	static const char times[] = "cd uf/tree; find . ! -type d ! -name '[abn].c' -printf "
				    "'%p %T@ %i\\n' | sort";
	struct source one = SOURCE_INIT, two = SOURCE_INIT;
	char *script, *before;

	(void)state;
	run("repo u; cd u; echo 'int aa;' >mm/a.c; git rm -q mm/b.c; echo 'int n;' >mm/n.c\n"
	    "commit . two; git tag v2");
	must_resolve(&one, "git:v1", "u");
	must_resolve(&two, "git:v2", "u");
	must_fill(&one, "uf", false);
	/* Products of a build, and a file of the source that a patch has replaced. */
	run("find uf/tree ! -type d -exec touch -h -d '2001-02-03 04:05:06.789' {} +\n"
	    "cd uf; echo o >tree/mm/a.o; cp -a . ../uc; mkdir ../ul; cp -al . ../ul\n"
	    "for d in ../uc ../ul; do echo patched >x; mv x $d/tree/drivers/base/c.c; done");
	before = sh(times);
	must_fill(&two, "uf", true);
	expect_sh(times, before);
	free(before);
	for (int i = 0; i < 2; i++) {
		const char *dir = i ? "ul" : "uc";

		must_fill(&two, dir, true);
		script = xstrfmt("cd %s/tree; cat mm/a.c mm/n.c drivers/base/c.c mm/a.o; ls mm;"
				 "find . -newermt 2002-01-01 ! -type d | sort; tr '\\0' ' ' <../files",
				 dir);
		expect_sh(script,
			  "int aa;\nint n;\nint c;\no\na.c\na.o\nn.c\n"
			  "./drivers/base/c.c\n./mm/a.c\n./mm/a.o\n./mm/n.c\n"
			  ".gitignore Kconfig Makefile drivers/base/c.c mm/a.c mm/n.c scripts/mm "
			  "scripts/run.sh");
		free(script);
	}
	/* And back; a file with two names is not written into. */
	run("rm -r ul; cp -al uf ul");
	must_fill(&one, "ul", true);
	expect_sh("cd ul/tree; cat mm/a.c mm/b.c; ls mm; cat ../../uf/tree/mm/a.c",
		  "int a;\nint b;\na.c\na.o\nb.c\nint aa;");
	source_release(&one);
	source_release(&two);
}

static void test_kinds_of_repository(void **state)
{
	static const struct {
		const char *spec, *tree;
	} table[] = {
		{ "git:v1", "k" },	    { "git:main~1", "k" },  { "git:v1", "bare.git" },
		{ "git:HEAD", "shallow" },  { "git:v1", "wt" },	    { "tree:wt", NULL },
		{ "tree:shallow", NULL },   { "git:v1", "link" },   { "tree:link/../wt", NULL },
	};
	struct source want = SOURCE_INIT;

	(void)state;
	run("repo k; git clone -q --bare k bare.git; git -C k worktree add -q ../wt v1\n"
	    "git clone -q --depth 1 file://$PWD/bare.git shallow; ln -s k link\n"
	    "echo 'int z;' >k/mm/z.c; commit k z");
	must_resolve(&want, "tree:wt", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		struct source s = SOURCE_INIT;
		char *dir = xstrfmt("kinds%zu", i);

		must_resolve(&s, table[i].spec, table[i].tree);
		if (strcmp(s.id, want.id) != 0)
			fail_msg("%s of %s is another tree", table[i].spec, table[i].tree);
		must_fill(&s, dir, false);
		free(dir);
		source_release(&s);
	}
	expect_sh("for i in 1 2 3 4 5 6 7 8; do diff -r kinds0/tree kinds$i/tree; done", "");
	source_release(&want);
}

/* Nothing that a repository's or a user's configuration names is run, and bytes stay bytes. */
static void test_hostile_configuration(void **state)
{
	struct source s = SOURCE_INIT;

	(void)state;
	run("repo h; cd h; printf 'a\\r\\nb\\n' >mm/crlf.c\n"
	    "printf '* filter=evil text eol=crlf\\n*.c ident\\n' >.gitattributes\n"
	    "printf '#!/bin/sh\\ntouch %s/ran\\ncat\\n' $PWD/.. >../evil; chmod 755 ../evil\n"
	    "printf '$Id$\\n' >mm/id.c; git add -f .; git commit -q -m attributes\n"
	    "for k in filter.evil.clean filter.evil.smudge filter.evil.process core.fsmonitor\\\n"
	    "	core.sshCommand diff.external core.editor; do git config $k $PWD/../evil; done\n"
	    "git config core.autocrlf true; git config filter.evil.required true\n"
	    "git config core.hooksPath $PWD/../hooks; mkdir -p ../hooks .git/hooks\n"
	    "for n in post-checkout post-index-change reference-transaction; do\n"
	    "	cp ../evil ../hooks/$n; cp ../evil .git/hooks/$n; done\n"
	    "printf 'x\\r\\n' >>mm/crlf.c");
	assert_int_equal(setenv("GIT_DIR", "/nonexistent", 1), 0);
	assert_int_equal(setenv("GIT_INDEX_FILE", "/nonexistent", 1), 0);
	assert_int_equal(setenv("GIT_EXTERNAL_DIFF", "/nonexistent", 1), 0);
	must_resolve(&s, "tree:h", NULL);
	must_fill(&s, "hf", false);
	unsetenv("GIT_DIR");
	unsetenv("GIT_INDEX_FILE");
	unsetenv("GIT_EXTERNAL_DIFF");
	expect_sh("for f in mm/crlf.c mm/id.c .gitattributes; do cmp h/$f hf/tree/$f; done; ls ran "
		  "2>/dev/null || :", "");
	must_resolve(&s, "git:HEAD", "h");
	must_fill(&s, "hg", false);
	expect_sh("od -An -c hg/tree/mm/crlf.c; cat hg/tree/mm/id.c; ls ran 2>/dev/null || :",
		  "a  \\n   b  \\n\n$Id$");
	source_release(&s);
}

/* Repositories inside of the tree count as folders; links are not followed. */
static void test_nested(void **state)
{
	struct source s = SOURCE_INIT;

	(void)state;
	run("repo n; repo inner; mv inner n/drivers/inner; echo x >n/drivers/inner/mm/x.o\n"
	    "repo lib; git -C n -c protocol.file.allow=always submodule add -q $PWD/lib sub\n"
	    "rm -rf n/sub/mm; echo 'int s;' >n/sub/s.c\n"
	    "mkdir n/real; echo 'int r;' >n/real/r.c; commit n real; mkdir away\n"
	    "mv n/real away; ln -s ../away/real n/real");
	must_resolve(&s, "tree:n", NULL);
	must_fill(&s, "nf", false);
	expect_sh("cd nf/tree; ls drivers/inner drivers/inner/mm sub; readlink real; find . -name "
		  ".git -o -name '*.o'",
		  "drivers/inner:\nKconfig\nMakefile\ndrivers\nmm\nscripts\n\n"
		  "drivers/inner/mm:\na.c\nb.c\n\nsub:\nKconfig\nMakefile\ndrivers\ns.c\nscripts\n"
		  "../away/real");
	must_resolve(&s, "git:HEAD", "n");
	must_fill(&s, "ng", false);
	expect_sh("cd ng; ls tree/sub; tr '\\0' '\\n' <files | grep -c sub || :", "0");
	source_release(&s);
}

/* A git that was killed leaves locks, a user's gc takes borrowed objects away: no harm. */
static void test_damage(void **state)
{
	struct source s = SOURCE_INIT, again = SOURCE_INIT;

	(void)state;
	run("repo d; echo 'int staged;' >d/mm/a.c; git -C d add -A");
	must_resolve(&s, "tree:d", NULL);
	run("cd cache/kernels/git; for i in */index-*; do touch $i.lock; done\n"
	    "cd $OLDPWD/d; git reset -q; git prune --expire=now; git gc -q --prune=now");
	must_resolve(&again, "tree:d", NULL);
	assert_string_equal(s.id, again.id);
	must_fill(&again, "df", false);
	expect_sh("cat df/tree/mm/a.c", "int staged;");
	run("for i in cache/kernels/git/*/index-*; do echo garbage >$i; done");
	must_resolve(&again, "tree:d", NULL);
	assert_string_equal(s.id, again.id);
	source_release(&s);
	source_release(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_specs),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_same_content),
		cmocka_unit_test(test_everything_ignored),
		cmocka_unit_test(test_update),
		cmocka_unit_test(test_kinds_of_repository),
		cmocka_unit_test(test_hostile_configuration),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
