/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of stalls in reports, and of the command that looks inside. */
#include "report_fixture.h"

#include "base/err.h"
#include "report/html.h"
#include "report/stalls.h"
#include "report/story.h"

/* dvd completes nothing from 6 s to 16 s. */
static struct boot *stalled(uint32_t seed)
{
	struct boot *b = add_boot("g/case@v", seed, 20 * SEC);

	for (int i = 5; i <= 15; i++)
		b->samples[i].disks[1].io[4] = 5;
	return b;
}

static void text(void)
{
	struct err err = ERR_INIT;

	strbuf_reset(&out);
	if (stalls_run(&out, &run, "/nonexistent", &err))
		fail_msg("%s", err.msg);
}

static void test_text(void **state)
{
	(void)state;
	add_boot("g/other", 1, 20 * SEC);
	text();
	assert_string_equal(out.buf, "");
	stalled(2);
	text();
	assert_string_equal(out.buf, "\ng/case@v, seed 2: 1 stall\n"
				     "  disk dvd completes nothing for 10 s, from guest time 6 s on\n"
				     "    iorig debug debian -c g/case@v --seed=2 --at=11.00s\n");
}

static void test_command(void **state)
{
	struct boot *b = stalled(3);

	(void)state;
	replace(&b->scale, "full");
	replace(&run.kernel.name, "debian-6.1+mm-fix");
	array_grow(run.kernel.patches, run.kernel.n_patches)->name = xstrdup("p/mm-fix.patch");
	strbuf_reset(&out);
	story_debug(&run, b, 41 * SEC, 41 * SEC + 40000000, &out);
	assert_string_equal(out.buf, "iorig debug debian-6.1 --patch=mm-fix.patch -c g/case@v "
				     "--seed=3 --scale=full --at=41.02s");
}

/* There is no going back to a moment of the host's clock. */
static void test_real_clock(void **state)
{
	(void)state;
	stalled(1);
	replace(&run.clock, "real");
	text();
	assert_non_null(strstr(out.buf, "1 stall\n"));
	assert_null(strstr(out.buf, "iorig debug"));
}

static void test_page(void **state)
{
	const struct run *runs[] = { &run };
	const char *dirs[] = { "/nonexistent" };
	struct err err = ERR_INIT;

	(void)state;
	stalled(1);
	strbuf_reset(&out);
	assert_int_equal(html_page(&out, runs, dirs, 1, &err), 0);
	assert_non_null(strstr(out.buf, "disk dvd completes nothing for 10 s, from guest time 6 s "
					"on<pre class=\"cmd\">"));
	has_text("iorig debug debian -c g/case@v --seed=1 --at=11.00s");
	has("<summary>1 stall</summary>");
}

/* The victim dirties nothing from 6 s to 11 s: that is told first, with the way to look at it. */
static void test_victim(void **state)
{
	const struct run *runs[] = { &run };
	const char *dirs[] = { "/nonexistent" };
	struct err err = ERR_INIT;
	struct boot *b = stalled(1);

	(void)state;
	for (int i = 6; i <= 10; i++)
		b->samples[i].disks[0].dirtied = b->samples[5].disks[0].dirtied;
	text();
	assert_string_equal(out.buf, "\ng/case@v, seed 1: 2 stalls\n"
				     "  victim hdd gets nothing done for 5 s, from guest time 6 s on\n"
				     "    iorig debug debian -c g/case@v --seed=1 --at=8.50s\n"
				     "  disk dvd completes nothing for 10 s, from guest time 6 s on\n"
				     "    iorig debug debian -c g/case@v --seed=1 --at=11.00s\n");
	strbuf_reset(&out);
	assert_int_equal(html_page(&out, runs, dirs, 1, &err), 0);
	has("<summary>2 stalls, 1 of them the victim's</summary>");
	has("<li>victim hdd gets nothing done for 5 s, from guest time 6 s on");
	has_text("iorig debug debian -c g/case@v --seed=1 --at=8.50s");
	has(">hdd stalls</text>");
	has(">dvd stalls</text>");
}

/* One call of a victim's was long, and nothing shows when: that is said, without a command. */
static void test_unplaced(void **state)
{
	const struct run *runs[] = { &run };
	const char *dirs[] = { "/nonexistent" };
	struct err err = ERR_INIT;
	struct boot *b = add_boot("g/case", 1, 20 * SEC);

	(void)state;
	b->jobs[0].measured = true;
	hist_add(&b->jobs[0].result.hist, SEC);
	text();
	assert_string_equal(out.buf, "");
	hist_add(&b->jobs[0].result.hist, 3 * SEC);
	text();
	assert_string_equal(out.buf, "\ng/case, seed 1: no stall that can be placed\n"
				     "  victim hdd's slowest call took 3 s; when that was cannot be "
				     "told: calls are counted, and its disk shows no gap of its "
				     "own\n");
	strbuf_reset(&out);
	assert_int_equal(html_page(&out, runs, dirs, 1, &err), 0);
	has("<p>victim hdd&#39;s slowest call took 3 s; when");
	/* where a stall is marked, that is the answer */
	for (int i = 6; i <= 10; i++)
		b->samples[i].disks[0].dirtied = b->samples[5].disks[0].dirtied;
	hist_add(&b->jobs[0].result.hist, 5 * SEC);
	text();
	assert_non_null(strstr(out.buf, "victim hdd gets nothing done for 5 s"));
	assert_null(strstr(out.buf, "slowest call"));
}

static void test_hostile(void **state)
{
	struct boot *b = stalled(1);

	(void)state;
	replace(&b->case_name, HOSTILE);
	replace(&run.kernel.name, HOSTILE);
	snprintf(b->disks[1].name, sizeof(b->disks[1].name), "\033[31m");
	for (size_t i = 0; i < b->n_samples; i++)
		snprintf(b->samples[i].disks[1].name, sizeof(b->samples[i].disks[1].name),
			 "\033[31m");
	text();
	assert_non_null(strstr(out.buf, "1 stall"));
	for (const char *c = out.buf; *c; c++)
		if (((unsigned char)*c < 0x20 && *c != '\n') || (unsigned char)*c == 0x7f)
			fail_msg("byte %d", *c);
}

static void test_many(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 2; seed++) {
		struct boot *b = stalled(seed);

		/* hda completes something every third second */
		for (size_t i = 0; i < b->n_samples; i++)
			b->samples[i].disks[0].io[4] = (int64_t)(i / 3);
	}
	text();
	assert_non_null(strstr(out.buf, "seed 1: 14 stalls\n"));
	assert_non_null(strstr(out.buf, "  and 2 more\n"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_text), TEST(test_command), TEST(test_real_clock), TEST(test_page),
		TEST(test_victim), TEST(test_unplaced), TEST(test_hostile), TEST(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
