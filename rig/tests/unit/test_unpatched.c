/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of report/unpatched: which run is the patched one's base. */
#include "report_fixture.h"

#include "base/err.h"
#include "base/file.h"
#include "report/unpatched.h"

static char *results, *dir;
static struct run base;
static char *base_dir;

static int begin(void **state)
{
	struct err err = ERR_INIT;

	setup(state);
	run_init(&base);
	base_dir = NULL;
	replace(&run.kernel.name, "debian-6.1+mm-fix");
	array_grow(run.kernel.patches, run.kernel.n_patches)->name = xstrdup("mm-fix.patch");
	memset(run.kernel.source_id, 'a', HASH_HEX - 1);
	add_boot("g/case", 1, SEC);
	if (dir_temp("/tmp/iorig-unpatched-", &results, &err))
		return -1;
	dir = path_join(results, "20261130T170405Z-debian-6.1_mm-fix");
	return dir_make(dir, &err);
}

static int end(void **state)
{
	struct err err = ERR_INIT;

	run_release(&base);
	free(base_dir);
	dir_remove(results, &err);
	free(results);
	free(dir);
	return teardown(state);
}

/* Write the run as it would be without the patch; what is changed before is put back after. */
static void leave(const char *folder)
{
	char *path = path_join(results, folder), *doc = path_join(path, "run.json");
	char *name = run.kernel.name, *id = run.id;
	size_t patches = run.kernel.n_patches;
	struct err err = ERR_INIT;

	run.kernel.name = (char *)"debian-6.1";
	run.kernel.n_patches = 0;
	run.id = (char *)folder;
	if (dir_make(path, &err) || run_write(&run, doc, &err))
		fail_msg("%s", err.msg);
	run.kernel.name = name;
	run.kernel.n_patches = patches;
	run.id = id;
	free(path);
	free(doc);
}

static bool find(void)
{
	run_release(&base);
	free(base_dir);
	return unpatched_find(&run, dir, &base, &base_dir);
}

static void test_none(void **state)
{
	(void)state;
	assert_false(find());
	assert_null(base_dir);
	leave("20261130T170400Z-debian-6.1");
	run.kernel.n_patches = 0;
	assert_false(find());	/* not patched: there is none */
	run.kernel.n_patches = 1;
	assert_true(find());
}

static void test_newest(void **state)
{
	struct err err = ERR_INIT;
	char *doc;

	(void)state;
	leave("20261130T170400Z-debian-6.1");
	leave("20261130T170401Z-debian-6.1");
	leave("20261130T170402Z-debian-6.12");	/* another one's folder */
	leave("20261130T170403Z-debian");
	leave("notes-debian-6.1");
	assert_true(find());
	assert_string_equal(base.id, "20261130T170401Z-debian-6.1");
	assert_non_null(strstr(base_dir, "20261130T170401Z-debian-6.1"));
	leave("20261130T170401Z-debian-6.1.02");
	assert_true(find());
	assert_string_equal(base.id, "20261130T170401Z-debian-6.1.02");
	/* one that cannot be read is none, and the next is taken */
	doc = xstrfmt("%s/run.json", base_dir);
	if (file_write_atomic(doc, "{\n", 2, 0666, &err))
		fail_msg("%s", err.msg);
	free(doc);
	assert_true(find());
	assert_string_equal(base.id, "20261130T170401Z-debian-6.1");
}

/* A run that measured something else does not stand beside it. */
static void test_differs(void **state)
{
	static const struct { size_t at; const char *value; } strings[] = {
		{ offsetof(struct run, clock), "real" }, { offsetof(struct run, scale), "full" },
		{ offsetof(struct run, timing), "throttle" },
		{ offsetof(struct run, accel), "kvm" },
		{ offsetof(struct run, qemu.version), "10.0" },
		{ offsetof(struct run, rig_version), "0.2" },
		{ offsetof(struct run, kernel.cmdline), "nosmp" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(strings); i++) {
		char **field = (char **)((char *)&run + strings[i].at), *kept = *field;

		*field = (char *)strings[i].value;
		leave("20261130T170400Z-debian-6.1");
		*field = kept;
		if (find())
			fail_msg("%s", strings[i].value);
	}
	run.kernel.source_id[0] = 'b';
	leave("20261130T170400Z-debian-6.1");
	run.kernel.source_id[0] = 'a';
	assert_false(find());
	run.tools_sha256[0] = 'b';
	leave("20261130T170400Z-debian-6.1");
	run.tools_sha256[0] = '\0';
	assert_false(find());
	leave("20261130T170400Z-debian-6.1");
	assert_true(find());
	/* it has not all of the cases, or another text of one */
	replace(&run.boots[0].case_sha256, "other");
	assert_false(find());
	replace(&run.boots[0].case_sha256, "c");
	add_boot("g/other", 1, SEC);
	assert_false(find());
	/* a kernel that was not built here has no source that could be the same */
	leave("20261130T170400Z-debian-6.1");
	assert_true(find());
	run.kernel.source_id[0] = '\0';
	leave("20261130T170400Z-debian-6.1");
	assert_false(find());
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = { TEST(test_none), TEST(test_newest), TEST(test_differs) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
