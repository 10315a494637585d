/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kconfig/kconfig: conditions, reading a tree's Kconfig files, and reasons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "kconfig/kconfig.h"
#include "kernel_fixture.h"

static const char top[] =
	"# a comment\n"
	"mainmenu \"Test $(KERNELVERSION)\"\n"
	"source \"scripts/Kconfig.include\"\n"
	"source \"arch/$(SRCARCH)/Kconfig\"\n"
	"osource \"missing/Kconfig\"\n"
	"source \"../outside/Kconfig\"\n"
	"source \"/etc/Kconfig\"\n"
	"menuconfig BLK_DEV\n"
	"\tbool \"Block devices\"\n"
	"\tdepends on BLOCK\n"
	"\tdefault y\n"
	"\thelp\n"
	"\t  Say Y.\n"
	"\n"
	"\t    config FAKE\n"
	"\t  if NOTHING\n"
	"if BLK_DEV\n"
	"source \"drivers/Kconfig\"\n"
	"endif # BLK_DEV\n"
	"choice\n"
	"\tprompt \"Timer\"\n"
	"\tdefault HZ_250\n"
	"config HZ_100\n"
	"\tbool \"100 HZ\"\n"
	"config HZ_250\n"
	"\tbool \"250 HZ\"\n"
	"endchoice\n"
	"config AFTER\n"
	"\tbool \"After the choice\"\n"
	"menu \"Hidden\"\n"
	"\tdepends on NET && \\\n"
	"\t\t(A || B)\n"
	"\tvisible if SHOWN\n"
	"config IN_MENU\n"
	"\ttristate\n"
	"\tprompt \"x # no comment if this\" if EXPERT\n"
	"endmenu\n"
	"config HELPER\n"
	"\ttristate\n"
	"config BLOCK\n"
	"\tbool \"B\"\n"
	"config NET\n"
	"\tbool \"N\"\n"
	"config WIFI\n"
	"\tbool \"W\"\n"
	"\tdepends on NET\n"
	"config RADIO\n"
	"\tbool \"R\"\n"
	"\tdepends on WIFI\n"
	"config A\n"
	"\tbool \"a\"\n"
	"config B\n"
	"\tbool \"b\"\n"
	"config EXPERT\n"
	"\tbool \"e\"\n"
	"config SHOWN\n"
	"\tbool \"s\"\n"
	"config MODULES\n"
	"\tbool \"m\"\n"
	"\tmodules\n"
	"config CPUS\n"
	"\tint \"Number\" if BLOCK\n"
	"\trange 2 512\n"
	"config COMPILER\n"
	"\tbool \"c\"\n"
	"\tdepends on $(cc-option,-mfoo=(x))\n"
	"config LATER\n"
	"\tbool \"l\"\n"
	"\tdepends on A if BLOCK\n"
	"config USER\n"
	"\tbool \"u\"\n"
	"\tselect HELPER if BLOCK\n"
	"\tselect FORCED\n"
	"config FORCED\n"
	"\tbool\n"
	"config ALWAYS\n"
	"\tdef_bool y\n"
	"config TWICE\n"
	"\tbool \"t\"\n"
	"\tdepends on A && B && NET\n"
	"config TWICE\n"
	"\tbool \"t\"\n"
	"\tdepends on RADIO\n";

static const char drivers[] =
	"config SR\n"
	"\ttristate \"SCSI CD-ROM\"\n"
	"\tdepends on SCSI && !TINY\n"
	"config SCSI\n"
	"\ttristate \"SCSI\"\n"
	"config TINY\n"
	"\tbool \"t\"\n"
	"endif\n"	/* not its own: must not close the outer one */
	"config DEEP\n"
	"\tbool \"d\"\n";

struct fixture {
	char *dir;
	struct kconfig k;
};

static void put(const char *dir, const char *folder, const char *name, const char *text)
{
	struct err err = ERR_INIT;
	char *sub __free(ptr) = path_join(dir, folder), *path __free(ptr) = path_join(sub, name);

	assert_int_equal(dir_make(sub, &err), 0);
	fixture_write(path, text, strlen(text));
}

static int setup(void **state)
{
	static struct fixture f;
	struct err err = ERR_INIT;
	void *dir = NULL;

	if (fixture_setup(&dir) < 0)
		return -1;
	f.dir = dir;
	f.k = (struct kconfig)KCONFIG_INIT;
	put(f.dir, ".", "Kconfig", top);
	put(f.dir, "drivers", "Kconfig", drivers);
	put(f.dir, "scripts", "Kconfig.include", "cc-option = $(success,true)\nconfig := x\n");
	put(f.dir, "arch/x86", "Kconfig", "config X86\n\tdef_bool y\n\tselect PERF if X86\n"
					  "config PERF\n\tbool \"p\"\n");
	*state = &f;
	return kconfig_read(&f.k, f.dir, &err);
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	void *dir = f->dir;

	kconfig_release(&f->k);
	kconfig_release(&f->k);
	return fixture_teardown(&dir);
}

static void test_read(void **state)
{
	const struct kconfig *k = &((struct fixture *)*state)->k;
	const struct kconfig_def *def = kconfig_find(k, "IN_MENU", NULL);

	assert_int_equal(k->n_files, 4);
	assert_non_null(def);
	assert_true(def->prompt);
	assert_string_equal(def->prompt_if, "EXPERT");
	assert_int_equal(def->type, KCONFIG_TRISTATE);
	assert_null(kconfig_find(k, "FAKE", NULL));
	assert_false(kconfig_find(k, "HELPER", NULL)->prompt);
	assert_false(kconfig_find(k, "ALWAYS", NULL)->prompt);
	assert_string_equal(kconfig_find(k, "CPUS", NULL)->range, "2 512");
	assert_null(kconfig_find(k, "AFTER", NULL)->scope);
	assert_non_null(kconfig_find(k, "DEEP", NULL)->scope);
	def = kconfig_find(k, "TWICE", NULL);
	assert_non_null(kconfig_find(k, "TWICE", def));
	assert_null(kconfig_find(k, "TWICE", kconfig_find(k, "TWICE", def)));
}

static void test_eval(void **state)
{
	static const char config[] = "CONFIG_A=y\nCONFIG_SCSI=m\n# CONFIG_B is not set\n"
				     "CONFIG_CPUS=8\nCONFIG_TEXT=\"abc\"\nCONFIG_AB=y\n";
	static const struct {
		const char *expr;
		int value;
	} rows[] = {
		{ "A", 2 }, { "B", 0 }, { "SCSI", 1 }, { "NONE", 0 }, { "y", 2 }, { "!A", 0 },
		{ "!SCSI", 1 }, { "A && SCSI", 1 }, { "B || SCSI", 1 }, { "A && !B", 2 },
		{ "B && A || A", 2 }, { "B && (A || A)", 0 }, { "!(A || B)", 0 },
		{ "SCSI = m", 2 }, { "SCSI != n", 2 }, { "A=y", 2 }, { "B = n", 2 },
		{ "CPUS > 4", 2 }, { "CPUS <= 7", 0 }, { "CPUS >= 8", 2 }, { "CPUS < 10", 2 },
		{ "TEXT = \"abc\"", 2 }, { "TEXT != \"\"", 2 }, { "$(cc-option,-m(x)) && B", 0 },
		{ "!$(success,x)", 2 }, { "$(a,b) = y", 2 }, { "A &&", 2 }, { "(A", 2 }, { "", 2 },
		{ "A ) B", 2 }, { "\"open", 2 }, { "A B", 2 }, { "$(", 2 },
	};
	const struct kconfig *k = &((struct fixture *)*state)->k;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (kconfig_eval(k, config, rows[i].expr, NULL) != rows[i].value)
			fail_msg("'%s' is not %d", rows[i].expr, rows[i].value);
	}
}

/* Nesting and chains without end neither overflow the stack nor take long. */
static void test_hostile_conditions(void **state)
{
	const struct kconfig *k = &((struct fixture *)*state)->k;
	struct strvec why __release(strvec) = STRVEC_INIT;
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	for (int i = 0; i < 100000; i++)
		strbuf_addch(&sb, i % 2 ? '!' : '(');
	assert_int_equal(kconfig_eval(k, "", sb.buf, NULL), 2);
	strbuf_reset(&sb);
	for (int i = 0; i < 100000; i++)
		strbuf_addstr(&sb, "A || ");
	strbuf_addstr(&sb, "A");
	assert_int_equal(kconfig_eval(k, "", sb.buf, NULL), 2);
	kconfig_blame(k, "", sb.buf, 2, &why);
	assert_int_equal(why.n, 0);
}

static void test_value(void **state)
{
	static const char config[] = "# CONFIG_B is not set\nCONFIG_AB=y\nCONFIG_A=\"x=y\"\n"
				     "CONFIG_C=12";
	static const char *const rows[][2] = {
		{ "CONFIG_A", "\"x=y\"" }, { "CONFIG_B", "n" }, { "CONFIG_C", "12" },
		{ "CONFIG_AB", "y" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *value __free(ptr) = kconfig_value(config, rows[i][0]);

		assert_string_equal(value, rows[i][1]);
	}
	assert_null(kconfig_value(config, "CONFIG_X"));
	assert_null(kconfig_value("", "CONFIG_X"));
}

static void test_why(void **state)
{
	static const struct {
		const char *name, *wanted, *config, *reason;
	} rows[] = {
		{ "SR", "y", "CONFIG_SCSI=y\n",
		  "CONFIG_BLK_DEV is off (CONFIG_BLOCK is off)" },
		{ "SR", "y", "CONFIG_BLK_DEV=y\nCONFIG_SCSI=m\n", "CONFIG_SCSI is m" },
		{ "SR", "m", "CONFIG_BLK_DEV=y\nCONFIG_SCSI=m\n", "CONFIG_MODULES is off" },
		{ "SR", "y", "CONFIG_BLK_DEV=y\nCONFIG_SCSI=y\nCONFIG_TINY=y\n",
		  "CONFIG_TINY is on" },
		{ "DEEP", "y", "CONFIG_BLOCK=y\n", "CONFIG_BLK_DEV is off" },
		{ "NOSUCH", "y", "", "this kernel has no such option" },
		{ "HELPER", "y", "",
		  "nobody can set it by itself, it is selected by CONFIG_USER" },
		{ "ALWAYS", "n", "CONFIG_ALWAYS=y\n",
		  "its default is on and nobody can change it" },
		{ "PERF", "n", "CONFIG_X86=y\nCONFIG_PERF=y\n", "selected by CONFIG_X86" },
		{ "FORCED", "n", "CONFIG_USER=y\nCONFIG_FORCED=y\n", "selected by CONFIG_USER" },
		{ "HZ_100", "y", "CONFIG_HZ_250=y\n", "CONFIG_HZ_250 of the same choice is on" },
		{ "IN_MENU", "y", "CONFIG_NET=y\nCONFIG_EXPERT=y\nCONFIG_SHOWN=y\n",
		  "CONFIG_A is off and CONFIG_B is off" },
		{ "IN_MENU", "y", "CONFIG_NET=y\nCONFIG_A=y\nCONFIG_EXPERT=y\n",
		  "CONFIG_SHOWN is off" },
		{ "IN_MENU", "y", "CONFIG_NET=y\nCONFIG_B=y\nCONFIG_SHOWN=y\n",
		  "CONFIG_EXPERT is off" },
		{ "CPUS", "600", "CONFIG_BLOCK=y\nCONFIG_CPUS=512\n", "its range is 2 512" },
		{ "COMPILER", "y", "",
		  "the compiler or its tools may lack what it asks for: $(cc-option,-mfoo=(x))" },
		{ "LATER", "y", "CONFIG_BLOCK=y\n", "CONFIG_A is off and CONFIG_BLOCK is on" },
		{ "LATER", "y", "", "kconfig decided otherwise" },
		{ "NET", "m", "CONFIG_NET=y\n", "it can only be y or n" },
		{ "RADIO", "y", "", "CONFIG_WIFI is off (CONFIG_NET is off)" },
		{ "TWICE", "y", "", "CONFIG_RADIO is off (CONFIG_WIFI is off (CONFIG_NET is off))" },
	};
	const struct kconfig *k = &((struct fixture *)*state)->k;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf sb __release(strbuf) = STRBUF_INIT;
		char name[64];

		snprintf(name, sizeof(name), "CONFIG_%s", rows[i].name);
		kconfig_why(k, rows[i].config, name, rows[i].wanted, &sb);
		assert_string_equal(sb.buf, rows[i].reason);
	}
}

static int read_tree(const char *dir, const char *text, struct err *err)
{
	struct kconfig k = KCONFIG_INIT;
	int ret;

	put(dir, ".", "Kconfig", text);
	ret = kconfig_read(&k, dir, err);
	kconfig_release(&k);
	return ret;
}

static void test_hostile_tree(void **state)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct kconfig k = KCONFIG_INIT;
	void *dir = NULL;

	(void)state;
	assert_int_equal(fixture_setup(&dir), 0);
	assert_int_equal(kconfig_read(&k, dir, &err), -EINVAL);
	assert_int_equal(err.kind, ERR_INPUT);
	assert_non_null(strstr(err.msg, "it has no Kconfig"));
	/* a file that sources itself */
	assert_int_equal(read_tree(dir, "source \"Kconfig\"\n", &err), -EINVAL);
	assert_non_null(strstr(err.msg, "deep"));
	for (int i = 0; i < 70000; i++)
		strbuf_addstr(&sb, "config A\n");
	assert_int_equal(read_tree(dir, sb.buf, &err), 0);
	/* attributes of nothing, ends of nothing, a help without end */
	assert_int_equal(read_tree(dir, "depends on A\nselect B\nrange 1 2\nbool \"x\"\nprompt\n"
					"endif\nendmenu\nendchoice\nsource\nsource \"\nconfig\n"
					"config \nif\nmenu\nvisible\ndepends\nselect\n\\\n\thelp\\", &err),
			 0);
	assert_int_equal(fixture_teardown(&dir), 0);
}

/* Names come from the tree: what a terminal would obey is escaped. */
static void test_escaped(void **state)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct kconfig k = KCONFIG_INIT;
	void *dir = NULL;

	(void)state;
	assert_int_equal(fixture_setup(&dir), 0);
	put(dir, ".", "Kconfig", "config A\n\tbool \"a\"\n\tdepends on $(x,\033[2J)\n");
	assert_int_equal(kconfig_read(&k, dir, &err), 0);
	kconfig_why(&k, "", "CONFIG_A", "y", &sb);
	assert_null(strchr(sb.buf, '\033'));
	assert_non_null(strstr(sb.buf, "\\x1b[2J"));
	kconfig_release(&k);
	assert_int_equal(fixture_teardown(&dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_eval),
		cmocka_unit_test(test_hostile_conditions),
		cmocka_unit_test(test_value),
		cmocka_unit_test(test_why),
		cmocka_unit_test(test_hostile_tree),
		cmocka_unit_test(test_escaped),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
