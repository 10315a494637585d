/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unit tests of source/source with packages: found, fetched, unpacked, from the cache, offline, and
 * packages that want to write elsewhere. In place of apt two scripts answer out of a folder with
 * one folder per suite, because what apt and the network do when they fail cannot be had otherwise.
 */
#include "source_fixture.h"

#include <archive_entry.h>
#include <unistd.h>
#include <utime.h>

#include "base/hash.h"
#include "kernel_fixture.h"

#define SOURCE_TAR "./usr/src/linux-source-9.8.tar.xz"

static const struct fixture_file honest[] = {
	{ .path = "linux-source-9.8/", .type = AE_IFDIR },
	{ .path = "linux-source-9.8/Makefile", .type = AE_IFREG,
	  .data = "# x\nVERSION = 9\nPATCHLEVEL = 8\nSUBLEVEL = 7\nEXTRAVERSION =\n" },
	{ .path = "linux-source-9.8/Kconfig", .type = AE_IFREG, .data = "mainmenu\n" },
	{ .path = "linux-source-9.8/mm/a.c", .type = AE_IFREG, .data = "int a;\n" },
	{ .path = "linux-source-9.8/arch/x/link", .type = AE_IFLNK, .data = ".././../mm/a.c" },
	{ .path = "linux-source-9.8/arch/x/up", .type = AE_IFLNK, .data = "../.." },
	{ .path = "linux-source-9.8/arch/.gitignore", .type = AE_IFREG, .data = "*.o\n" },
};

/* A .deb with the source in the form of Debian's. */
static void make_deb(struct strbuf *deb, const char *about, const struct fixture_file *files, size_t n)
{
	struct strbuf tar = STRBUF_INIT;

	fixture_archive(&tar, archive_write_set_format_pax_restricted, archive_write_add_filter_xz,
			files, n);
	const struct fixture_file data[] = {
		{ .path = "./usr/share/doc/x", .type = AE_IFREG, .data = about },
		{ .path = SOURCE_TAR, .type = AE_IFREG, .data = tar.buf, .len = tar.len },
	};
	fixture_deb(deb, "data.tar.xz", archive_write_add_filter_xz, data, ARRAY_SIZE(data));
	strbuf_release(&tar);
}

/* Offer the package in a folder of apt/ ("system" or a suite's name). */
static void offer(const char *where, const char *name, const char *version, const char *depends,
		  const struct fixture_file *files, size_t n)
{
	struct strbuf deb = STRBUF_INIT, text = STRBUF_INIT;
	char hex[HASH_HEX], *dir = xstrfmt("%s/apt/%s", top, where);
	char *file = xstrfmt("%s/%s.deb", dir, name), *show = path_join(dir, name);
	char *exact = xstrfmt("%s=%s", show, version);
	struct err err = ERR_INIT;

	assert_int_equal(dir_make(dir, &err), 0);
	make_deb(&deb, exact, files, n);
	hash_mem(deb.buf, deb.len, hex);
	fixture_write(file, deb.buf, deb.len);
	strbuf_addf(&text, "Package: %s\nVersion: %s\nDepends: %s\nSize: %zu\nSHA256: %s\n", name,
		    version, depends, deb.len, hex);
	fixture_write(show, text.buf, text.len);
	fixture_write(exact, text.buf, text.len);
	strbuf_release(&deb);
	strbuf_release(&text);
	free(dir);
	free(file);
	free(show);
	free(exact);
}

static int setup_apt(void **state)
{
	int ret = setup(state);
	char *path;

	if (ret < 0)
		return ret;
	/* Both: which suite is it about? The one of Dir::State, else the system's. */
	run("mkdir bin apt apt/system; cd bin; cat >common <<'E'\n"
	    "here=$(dirname \"$0\")/../apt; suite=system; echo \"$*\" >>$here/calls\n"
	    "for a; do case $a in Dir::State=*) suite=${a##*/};; esac; last=$a; done\n"
	    "E\n"
	    "cat >apt-cache <<'E'\n#!/bin/sh\n. ${0%/*}/common\ncat \"$here/$suite/$3\" || exit 100\nE\n"
	    "cat >apt-get <<'E'\n#!/bin/sh\n. ${0%/*}/common\n"
	    "case \" $* \" in\n"
	    "*' indextargets '*) cat $here/targets 2>/dev/null; exit 0;;\n"
	    "esac\n"
	    "[ ! -e $here/offline ] || { echo 'E: no network' >&2; exit 100; }\n"
	    "case \" $* \" in\n"
	    "*' update ') [ -d $here/$suite ] || { echo 'E: no such suite' >&2; exit 100; };;\n"
	    "*' download '*) cp $here/$suite/${last%%=*}.deb .;;\n"
	    "*) exit 99;;\nesac\nE\n"
	    "chmod 755 apt-get apt-cache");
	path = xstrfmt("%s/bin:%s", top, getenv("PATH"));
	setenv("PATH", path, 1);
	free(path);
	return 0;
}

/* A fresh apt that knows nothing, and a fresh cache. */
static int fresh(void **state)
{
	(void)state;
	run("rm -rf cache apt; mkdir -p apt/system; touch apt/calls");
	return 0;
}

static void expect_calls(const char *pattern, const char *n)
{
	char *script = xstrfmt("grep -c -- '%s' apt/calls || :", pattern);

	expect_sh(script, n);
	free(script);
}

static void must_fail(const char *spec, const char *message)
{
	struct source s = SOURCE_INIT;
	struct err err = ERR_INIT;

	assert_true(resolve(&s, spec, NULL, &err) < 0);
	if (err.kind != ERR_UNABLE || !strstr(err.msg, message))
		fail_msg("'%s': kind %d '%s', wanted '%s'", spec, err.kind, err.msg, message);
	source_release(&s);
}

static void test_first_and_again(void **state)
{
	struct source s = SOURCE_INIT, again = SOURCE_INIT;

	(void)state;
	offer("system", "linux-source-9.8", "9.8.7-1", "binutils", honest, ARRAY_SIZE(honest));
	must_resolve(&s, "debian:linux-source-9.8", NULL);
	assert_string_equal(s.label, "linux-source-9.8 9.8.7-1");
	assert_string_equal(s.version, "9.8.7");
	must_fill(&s, "first", false);
	expect_sh("cd first; tr '\\0' ' ' <files; readlink tree/arch/x/link tree/arch/x/up;"
		  "cat tree/mm/a.c; stat -c %h tree/mm/a.c; ls ../cache/kernels/debs",
		  "Kconfig Makefile arch/.gitignore arch/x/link arch/x/up mm/a.c .././../mm/a.c\n"
		  "../..\nint a;\n2");
	/* Half a source is none. */
	run("rm cache/kernels/sources/*/files");
	must_resolve(&again, "debian:linux-source-9.8", NULL);
	assert_string_equal(s.id, again.id);
	expect_calls(" download ", "2");
	run("rm -f apt/calls; touch apt/calls");
	must_resolve(&again, "debian:linux-source-9.8", NULL);
	expect_calls("", "0");
	source_release(&s);
	source_release(&again);
}

static void test_meta_and_version(void **state)
{
	struct source s = SOURCE_INIT;

	(void)state;
	offer("system", "linux-source", "9.8.7-1", "x, linux-source-9.8 (= 9.8.7-1)", honest, 0);
	offer("system", "linux-source-9.8", "9.8.7-1", "x", honest, ARRAY_SIZE(honest));
	must_resolve(&s, "debian:linux-source", NULL);
	assert_string_equal(s.label, "linux-source-9.8 9.8.7-1");
	must_resolve(&s, "debian:linux-source-9.8=9.8.7-1", NULL);
	assert_string_equal(s.label, "linux-source-9.8 9.8.7-1");
	must_fail("debian:linux-source-9.8=9.8.7-2", "'linux-source-9.8=9.8.7-2' cannot be had");
	source_release(&s);
}

/* What the system's lists lack is looked for where it is likeliest; a suite that is named is the
 * only one that is asked. */
static void test_suites(void **state)
{
	struct source s = SOURCE_INIT;

	(void)state;
	offer("bullseye", "linux-source-5.10", "5.10.1-1", "x", honest, ARRAY_SIZE(honest));
	must_resolve(&s, "debian:linux-source-5.10", NULL);
	assert_string_equal(s.label, "linux-source-5.10 5.10.1-1");
	expect_sh("ls cache/kernels/apt; grep -c bullseye cache/kernels/apt/bullseye/sources.list",
		  "bullseye\n2");
	offer("system", "linux-source", "1.0-1", "x", honest, ARRAY_SIZE(honest));
	offer("sid", "linux-source", "9.8.7-1", "linux-source-9.8 (= 9.8.7-1)", honest, 0);
	offer("sid", "linux-source-9.8", "9.8.7-1", "x", honest, ARRAY_SIZE(honest));
	must_resolve(&s, "debian:linux-source/sid", NULL);
	assert_string_equal(s.label, "linux-source-9.8 9.8.7-1");
	/* The lists are a day old at most, unless they do not know the package. */
	expect_calls(" update$", "2");
	must_fail("debian:linux-source-1.2/sid", "neither apt's own lists nor Debian's sid know it");
	expect_calls(" update$", "2");
	run("touch -d '1 hour ago' cache/kernels/apt/sid/updated");
	must_resolve(&s, "debian:linux-source/sid", NULL);
	expect_calls(" update$", "2");
	must_fail("debian:linux-source-1.2/sid", "know it");
	expect_calls(" update$", "3");
	run("touch -d '25 hours ago' cache/kernels/apt/sid/updated");
	must_resolve(&s, "debian:linux-source/sid", NULL);
	expect_calls(" update$", "4");
	must_resolve(&s, "debian:linux-source/sid", NULL);
	expect_calls(" update$", "4");
	source_release(&s);
}

static void test_offline(void **state)
{
	struct source s = SOURCE_INIT;

	(void)state;
	offer("system", "linux-source-9.8", "9.8.7-1", "x", honest, ARRAY_SIZE(honest));
	offer("sid", "linux-source-9.9", "9.9.1-1", "x", honest, ARRAY_SIZE(honest));
	run("touch apt/offline");
	must_fail("debian:linux-source-9.8", "E: no network");
	must_fail("debian:linux-source-9.9/sid", "cannot fetch Debian's list of packages for 'sid'");
	expect_sh("ls cache/kernels | grep new- || :; ls cache/kernels/sources 2>/dev/null || :", "");
	run("rm apt/offline");
	must_resolve(&s, "debian:linux-source-9.8", NULL);
	must_resolve(&s, "debian:linux-source-9.9/sid", NULL);
	run("touch apt/offline; touch -d '2 days ago' cache/kernels/apt/sid/updated");
	must_resolve(&s, "debian:linux-source-9.9/sid", NULL);
	assert_non_null(strstr(last_progress, "taking the old one"));
	/* A newer one is known, but cannot be had. */
	offer("sid", "linux-source-9.9", "9.9.2-1", "x", honest, ARRAY_SIZE(honest) - 1);
	run("touch -d '2 hours ago' cache/kernels/apt/sid/updated");
	must_resolve(&s, "debian:linux-source-9.9/sid", NULL);
	assert_string_equal(s.label, "linux-source-9.9 9.9.1-1");
	assert_non_null(strstr(last_progress, "taking linux-source-9.9 9.9.1-1 from the cache"));
	source_release(&s);
}

static void test_hostile(void **state)
{
#define TREE "linux-source-9.8/"
	static const struct {
		struct fixture_file file;
		const char *message;
	} table[] = {
		{ { TREE "../../x", AE_IFREG, "x", 0, false }, "leads out of the tree" },
		{ { "/abs/x", AE_IFREG, "x", 0, false }, "leads out of the tree" },
		{ { TREE "l", AE_IFLNK, "/etc/passwd", 0, false }, "link that leads out" },
		{ { TREE "l", AE_IFLNK, "..", 0, false }, "link that leads out" },
		{ { TREE "d/l", AE_IFLNK, "../../x", 0, false }, "link that leads out" },
		{ { TREE "d/l", AE_IFLNK, "up/../../x", 0, false }, "link that leads out" },
		{ { TREE "d/l", AE_IFLNK, "../x/..", 0, false }, "link that leads out" },
		{ { TREE "mm/a.c", AE_IFREG, "x", 0, false }, "twice" },
		{ { TREE "mm/a.c", AE_IFLNK, "x", 0, false }, "twice" },
		{ { TREE "mm", AE_IFLNK, "arch", 0, false }, "twice" },
		{ { TREE "mm/a.c/x", AE_IFREG, "x", 0, false }, "below something that is no folder" },
		{ { TREE "arch/x/up/evil", AE_IFREG, "x", 0, false }, "twice" },
		{ { TREE "h", AE_IFREG, "/etc/passwd", 0, true }, "hard link" },
		{ { TREE "fifo", AE_IFIFO, NULL, 0, false }, "neither a file nor a symbolic link" },
		{ { TREE "dev", AE_IFBLK, NULL, 0, false }, "neither a file nor a symbolic link" },
	};
	struct fixture_file files[ARRAY_SIZE(honest) + 1];

	(void)state;
	memcpy(files, honest, sizeof(honest));
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		files[ARRAY_SIZE(honest)] = table[i].file;
		offer("system", "linux-source-9.8", "9.8.7-1", "x", files, ARRAY_SIZE(files));
		must_refuse("debian:linux-source-9.8", NULL, table[i].message);
		expect_sh("ls cache/kernels | grep new- || :; ls cache/kernels/sources 2>/dev/null || :;"
			  "find . -name x ! -type d -o -name evil", "");
	}
	offer("system", "linux-source-9.8", "9.8.7-1", "x", honest, 2);
	must_refuse("debian:linux-source-9.8", NULL, "it has no Kconfig");
}

/* A build folder with a patch in it gets the source back; its objects and others' names stay. */
static void test_restore(void **state)
{
	struct source s = SOURCE_INIT;

	(void)state;
	offer("system", "linux-source-9.8", "9.8.7-1", "x", honest, ARRAY_SIZE(honest));
	must_resolve(&s, "debian:linux-source-9.8", NULL);
	must_fill(&s, "r", false);
	run("find r/tree ! -type d -exec touch -h -d '2001-02-03 04:05:06.789' {} +; cd r/tree\n"
	    "echo o >mm/a.o; echo patched >x; mv x mm/a.c; rm -r arch\n"
	    "touch -d '1 hour ago' ../before mm/a.o");
	must_fill(&s, "r", true);
	expect_sh("cd r/tree; cat mm/a.c mm/a.o arch/.gitignore; readlink arch/x/up;"
		  "find . -type f -newer ../before | sort; stat -c %h Kconfig mm/a.c",
		  "int a;\no\n*.o\n../..\n./arch/.gitignore\n./mm/a.c\n2\n1");
	source_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_first_and_again, fresh),
		cmocka_unit_test_setup(test_meta_and_version, fresh),
		cmocka_unit_test_setup(test_suites, fresh),
		cmocka_unit_test_setup(test_offline, fresh),
		cmocka_unit_test_setup(test_hostile, fresh),
		cmocka_unit_test_setup(test_restore, fresh),
	};

	return cmocka_run_group_tests(tests, setup_apt, teardown);
}
