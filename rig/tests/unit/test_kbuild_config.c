/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kbuild/config: fragments, what kconfig starts from, the check, and a whole run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "kbuild/config.h"
#include "kernel_fixture.h"

static char *write_file(void **state, const char *name, const char *text)
{
	char *path = path_join(*state, name);

	fixture_write(path, text, strlen(text));
	return path;
}

static void put(void **state, const char *name, const char *text)
{
	free(write_file(state, name, text));
}

static void add(void **state, struct config *c, const char *name, const char *text)
{
	char *path __free(ptr) = write_file(state, name, text);
	struct err err = ERR_INIT;

	if (config_add(c, path, &err) < 0)
		fail_msg("%s", err.msg);
}

static void assert_option(const struct config *c, size_t i, const char *name, const char *value,
			  bool optional, int line)
{
	assert_true(i < c->n);
	assert_string_equal(c->options[i].name, name);
	assert_string_equal(c->options[i].value, value);
	assert_int_equal(c->options[i].optional, optional);
	assert_int_equal(c->options[i].line, line);
}

static void test_add(void **state)
{
	struct config c __release(config) = CONFIG_INIT;

	add(state, &c, "a.config",
	    "# a comment\n#CONFIG_X=y\n\nCONFIG_A=y\n  CONFIG_B=m  # optional\r\n"
	    "# CONFIG_C is not set\n# CONFIG_D is not set # optional\nCONFIG_E=-12\n"
	    "CONFIG_F=0x1fF\nCONFIG_G=\"a \\\"b # c\"\nCONFIG_H=n");
	assert_int_equal(c.n, 8);
	assert_option(&c, 0, "CONFIG_A", "y", false, 4);
	assert_option(&c, 1, "CONFIG_B", "m", true, 5);
	assert_option(&c, 2, "CONFIG_C", "n", false, 6);
	assert_option(&c, 3, "CONFIG_D", "n", true, 7);
	assert_option(&c, 4, "CONFIG_E", "-12", false, 8);
	assert_option(&c, 5, "CONFIG_F", "0x1fF", false, 9);
	assert_option(&c, 6, "CONFIG_G", "\"a \\\"b # c\"", false, 10);
	assert_option(&c, 7, "CONFIG_H", "n", false, 11);
	assert_string_equal(c.options[7].file, "a.config");
}

static void test_bad_lines(void **state)
{
	static const char *const lines[] = {
		"CONFIG_A", "CONFIG_=y", "A=y", "CONFIG_A =y", "CONFIG_A=yes", "CONFIG_A=",
		"CONFIG_A=y # why", "CONFIG_A=\"open", "CONFIG_A=\"a\"b\"", "CONFIG_A=0x",
		"CONFIG_A=\"a\\", "CONFIG_A=1 2", "source \"x\"", "CONFIG_A=$(shell,x)",
		"CONFIG_A=\"a\033b\"", "CONFIG_A=y# optional", "# optional\t=",
	};

	/* the last one is a comment, as a control */
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct config c __release(config) = CONFIG_INIT;
		char *text __free(ptr) = xstrfmt("CONFIG_OK=y\n%s\n", lines[i]);
		char *path __free(ptr) = write_file(state, "bad.config", text);
		struct err err = ERR_INIT;
		int ret = config_add(&c, path, &err);

		if (i == ARRAY_SIZE(lines) - 1) {
			assert_int_equal(ret, 0);
			continue;
		}
		if (ret != -EINVAL)
			fail_msg("taken: %s", lines[i]);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_non_null(strstr(err.msg, "bad.config:2: "));
		assert_null(strchr(err.msg, '\033'));
	}
}

static void test_bad_files(void **state)
{
	struct config c __release(config) = CONFIG_INIT;
	char *path __free(ptr) = path_join(*state, "none.config");
	char *big __free(ptr) = path_join(*state, "big.config");
	char *line __free(ptr) = xcalloc(1, (2 << 20) + 1);
	struct err err = ERR_INIT;

	assert_true(config_add(&c, path, &err) < 0);
	assert_int_equal(err.kind, ERR_INPUT);
	fixture_write(path, "CONFIG_A=y\n\0\n", 13);
	assert_true(config_add(&c, path, &err) < 0);
	assert_non_null(strstr(err.msg, "NUL"));
	memset(line, '#', 2 << 20);
	fixture_write(big, line, 2 << 20);
	assert_true(config_add(&c, big, &err) < 0);
	assert_int_equal(err.kind, ERR_INPUT);
	fixture_write(big, line, 5000);
	assert_true(config_add(&c, big, &err) < 0);
	assert_non_null(strstr(err.msg, "big.config:1: longer"));
	assert_true(config_add(&c, *state, &err) < 0);
	assert_int_equal(c.n, 0);
}

static void start_of(const struct config *c, const char *expected)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	config_start(c, &sb);
	assert_string_equal(sb.buf, expected);
}

static void test_override(void **state)
{
	struct config c __release(config) = CONFIG_INIT;

	add(state, &c, "a.config", "CONFIG_A=y\nCONFIG_B=y\nCONFIG_A=m\nCONFIG_C=\"x\"\n");
	add(state, &c, "b.config", "# CONFIG_B is not set\nCONFIG_D=5\n");
	config_seal(&c);
	assert_int_equal(c.n, 4);
	assert_option(&c, 0, "CONFIG_A", "m", false, 3);
	assert_option(&c, 2, "CONFIG_B", "n", false, 1);
	assert_string_equal(c.options[2].file, "b.config");
	start_of(&c, "CONFIG_A=m\nCONFIG_C=\"x\"\n# CONFIG_B is not set\nCONFIG_D=5\n");
	/* it can still grow */
	add(state, &c, "c.config", "CONFIG_E=y\nCONFIG_F=y\n");
	config_seal(&c);
	assert_int_equal(c.n, 6);
}

static void test_hash(void **state)
{
	struct config a __release(config) = CONFIG_INIT, b __release(config) = CONFIG_INIT;

	add(state, &a, "a.config", "CONFIG_A=y\nCONFIG_B=m\n");
	add(state, &b, "b.config", "# other words\n\nCONFIG_A=n\nCONFIG_A=y\n  CONFIG_B=m");
	config_seal(&a);
	config_seal(&b);
	assert_string_equal(a.sha256, b.sha256);
	b.trim = true;
	config_seal(&b);
	assert_string_not_equal(a.sha256, b.sha256);
	b.trim = false;
	b.base = xstrdup("");
	config_seal(&b);
	assert_string_not_equal(a.sha256, b.sha256);
	add(state, &a, "c.config", "CONFIG_B=m # optional\n");
	memcpy(b.sha256, a.sha256, HASH_HEX);
	config_seal(&a);
	assert_string_not_equal(a.sha256, b.sha256);
}

static void test_base(void **state)
{
	struct config c __release(config) = CONFIG_INIT;

	c.base = xstrdup("#\n# Automatically generated\n#\nCONFIG_A=y\nCONFIG_B=m\nCONFIG_C=m\n"
			 "# CONFIG_D is not set\nCONFIG_S=\"=m\"\nrm -rf\nCONFIG_AB=m");
	add(state, &c, "a.config", "CONFIG_B=m\nCONFIG_D=y\n");
	config_seal(&c);
	start_of(&c, "CONFIG_A=y\nCONFIG_C=m\nCONFIG_S=\"=m\"\nCONFIG_AB=m\n"
		     "CONFIG_B=m\nCONFIG_D=y\n");
	c.trim = true;
	start_of(&c, "CONFIG_A=y\n# CONFIG_C is not set\nCONFIG_S=\"=m\"\n"
		     "# CONFIG_AB is not set\nCONFIG_B=m\nCONFIG_D=y\n");
}

static const char kconfig[] = "config BLOCK\n\tbool \"b\"\nconfig SR\n\ttristate \"s\"\n"
			      "\tdepends on BLOCK\nconfig MOD\n\ttristate \"m\"\n";

static void test_check(void **state)
{
	struct config c __release(config) = CONFIG_INIT;
	struct strvec notes __release(strvec) = STRVEC_INIT;
	struct err err = ERR_INIT;

	put(state, "Kconfig", kconfig);
	add(state, &c, "a.config",
	    "CONFIG_BLOCK=y\nCONFIG_SR=y\nCONFIG_MOD=m\n# CONFIG_NONE is not set\n"
	    "CONFIG_NEW=y # optional\n");
	config_seal(&c);
	assert_int_equal(config_check(&c, *state, "CONFIG_BLOCK=y\nCONFIG_SR=y\nCONFIG_MOD=y\n",
				      &notes, &err), 0);
	assert_int_equal(notes.n, 2);
	assert_string_equal(notes.v[0], "CONFIG_MOD=m (a.config:3) is built in");
	assert_string_equal(notes.v[1], "CONFIG_NEW=y (a.config:5, optional): this kernel has no "
					"such option");
	assert_int_equal(config_check(&c, *state, "CONFIG_MOD=m\n", &notes, &err), -EINVAL);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_string_equal(err.msg, "config: 2 options cannot be set: CONFIG_BLOCK=y "
				     "(a.config:1): kconfig decided otherwise; CONFIG_SR=y "
				     "(a.config:2): CONFIG_BLOCK is off");
}

/* Stands in for kconfig: shows what it was called with, and drops CONFIG_SR without a word. */
static const char makefile[] =
	"allnoconfig:\n"
	"\t@grep -v SR $$KCONFIG_ALLCONFIG >$$KCONFIG_CONFIG\n"
	"\t@touch $$KCONFIG_CONFIG.old\n"
	"olddefconfig:\n"
	"\t@test -z \"$$KCONFIG_ALLCONFIG\" && grep BASE $$KCONFIG_CONFIG && "
	"sed -i -e /SR/d -e /BLOCK/d $$KCONFIG_CONFIG\n";

static int apply(void **state, const struct config *c, struct err *err)
{
	struct strvec notes __release(strvec) = STRVEC_INIT;
	char *log __free(ptr) = path_join(*state, "log");

	return config_apply(c, *state, log, &notes, err);
}

static void assert_names(void **state, const char *expected)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	struct err err = ERR_INIT;
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	assert_int_equal(dir_list(*state, NULL, &names, &err), 0);
	strvec_each (name, &names) {
		if ((*name)[0] == '.')
			strbuf_addf(&sb, "%s ", *name);
	}
	assert_string_equal(sb.buf, expected);
}

static void test_apply(void **state)
{
	struct config c __release(config) = CONFIG_INIT;
	char *dot __free(ptr) = path_join(*state, ".config");
	struct strbuf text __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct stat a, b;

	put(state, "Makefile", makefile);
	put(state, "Kconfig", kconfig);
	/* variables of the environment must not reach kconfig */
	setenv("KCONFIG_CONFIG", "/nonexistent/leak", 1);
	add(state, &c, "a.config", "CONFIG_BLOCK=y\n");
	config_seal(&c);
	if (apply(state, &c, &err) < 0)
		fail_msg("%s", err.msg);
	assert_int_equal(file_read(dot, 100, &text, &err), 0);
	assert_string_equal(text.buf, "CONFIG_BLOCK=y\n");
	assert_names(state, ".config ");
	/* the same again leaves the file alone */
	assert_int_equal(stat(dot, &a), 0);
	assert_int_equal(apply(state, &c, &err), 0);
	assert_int_equal(stat(dot, &b), 0);
	assert_int_equal(a.st_ino, b.st_ino);
	add(state, &c, "b.config", "CONFIG_SR=y\n");
	config_seal(&c);
	assert_int_equal(apply(state, &c, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "CONFIG_SR=y (b.config:1)"));
	assert_names(state, ".config ");
	c.base = xstrdup("CONFIG_BASE=y\n");
	assert_int_equal(apply(state, &c, &err), -EINVAL);
	assert_non_null(strstr(err.msg, "2 options"));
	unsetenv("KCONFIG_CONFIG");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_add),	  cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_bad_files), cmocka_unit_test(test_override),
		cmocka_unit_test(test_hash),	  cmocka_unit_test(test_base),
		cmocka_unit_test(test_check),	  cmocka_unit_test(test_apply),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
