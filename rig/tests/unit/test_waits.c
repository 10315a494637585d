/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of judge/waits, report/waits and report/vmstat. */
#include "report_fixture.h"

#include "judge/waits.h"
#include "report/table.h"
#include "report/vmstat.h"
#include "report/waits.h"

/* As kernels print them. */
static const struct {
	const char *state, *stack;
	enum waits_kind kind;
} stacks[] = {
	/* 5.10 */
	{ "D", "balance_dirty_pages_ratelimited generic_perform_write __generic_file_write_iter "
	       "ext4_buffered_write_iter new_sync_write vfs_write ksys_write", WAITS_THROTTLED },
	{ "D", "wait_on_page_bit_common generic_file_buffered_read new_sync_read vfs_read",
	  WAITS_DEVICE },
	{ "D", "wbt_wait __rq_qos_throttle blk_mq_submit_bio submit_bio_noacct submit_bio",
	  WAITS_WBT },
	{ "D", "congestion_wait shrink_inactive_list shrink_lruvec shrink_node do_try_to_free_pages",
	  WAITS_RECLAIM },
	/* 6.1 */
	{ "D", "balance_dirty_pages balance_dirty_pages_ratelimited_flags "
	       "balance_dirty_pages_ratelimited generic_perform_write __generic_file_write_iter "
	       "generic_file_write_iter ext2_file_write_iter vfs_write", WAITS_THROTTLED },
	{ "D", "folio_wait_bit_common filemap_get_pages filemap_read generic_file_read_iter "
	       "ext2_file_read_iter vfs_read ksys_read __x64_sys_read", WAITS_DEVICE },
	{ "D", "__bread_gfp ext2_get_inode ext2_iget ext2_lookup path_openat do_filp_open",
	  WAITS_DEVICE },
	{ "D", "__bh_read read_block_bitmap ext2_new_blocks ext2_get_blocks.constprop.0 "
	       "ext2_get_block __block_write_begin_int", WAITS_DEVICE },
	{ "D", "blk_mq_get_tag __blk_mq_alloc_requests blk_mq_submit_bio submit_bio_noacct "
	       "mpage_readahead read_pages page_cache_ra_unbounded filemap_read", WAITS_TAGS },
	{ "D", "ext4_wait_block_bitmap ext4_mb_init_cache ext4_mb_init_group "
	       "ext4_mb_regular_allocator ext4_mb_new_blocks ext4_ind_map_blocks", WAITS_DEVICE },
	{ "D", "__ext4_get_inode_loc __ext4_get_inode_loc_noinmem __ext4_iget ext4_lookup",
	  WAITS_DEVICE },
	{ "D", "rq_qos_wait wbt_wait __rq_qos_throttle blk_mq_submit_bio", WAITS_WBT },
	{ "D", "wb_wait_for_completion sync_inodes_sb iterate_supers ksys_sync", WAITS_SYNC },
	{ "D", "folio_wait_writeback __filemap_fdatawait_range file_write_and_wait_range "
	       "__generic_file_fsync ext2_fsync", WAITS_DEVICE },
	{ "D", "folio_wait_bit_common folio_wait_writeback __filemap_fdatawait_range "
	       "filemap_fdatawait_keep_errors sync_inodes_sb", WAITS_SYNC },
	{ "D", "blk_mq_get_tag __blk_mq_alloc_requests blk_mq_submit_bio swap_writepage "
	       "shrink_folio_list.isra.0 shrink_inactive_list", WAITS_RECLAIM },
	{ "D", "jbd2_log_wait_commit ext4_sync_file do_fsync", WAITS_JOURNAL },
	{ "D", "rwsem_down_write_slowpath ext4_buffered_write_iter vfs_write", WAITS_LOCK },
	/* 6.12 and later */
	{ "D", "reclaim_throttle shrink_node do_try_to_free_pages try_to_free_pages",
	  WAITS_RECLAIM },
	{ "D", "balance_dirty_pages.constprop.0 balance_dirty_pages_ratelimited_flags "
	       "iomap_file_buffered_write", WAITS_THROTTLED },
	/* what is none of them */
	{ "R", "", WAITS_RUNNING },
	{ "S", "hrtimer_nanosleep common_nsleep __x64_sys_clock_nanosleep", WAITS_ASLEEP },
	{ "D", "", WAITS_OTHER },
	{ "other", "", WAITS_OTHER },
	{ "D", "my_blk_mq_get_tag blk_mq_get_tags", WAITS_OTHER },
	{ "", "  ", WAITS_OTHER },
};

static void test_stacks_have_mechanisms(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(stacks); i++) {
		enum waits_kind kind = waits_classify(stacks[i].state, stacks[i].stack);

		if (kind != stacks[i].kind)
			fail_msg("%s %s: %s", stacks[i].state, stacks[i].stack, waits_name(kind));
	}
}

static void add_wait(struct job_result *job, const char *kind, const char *stack, int64_t count)
{
	struct job_wait *w = array_grow(job->waits, job->n_waits);

	*w = (struct job_wait){ xstrdup(kind), xstrdup(stack), count };
}

static void test_shares_are_over_seeds(void **state)
{
	struct waits w;

	(void)state;
	for (uint32_t seed = 1; seed <= 2; seed++) {
		struct boot *b = add_boot("g/case", seed, 20 * SEC);

		add_wait(&b->jobs[0], "D", "balance_dirty_pages x", 30);
		add_wait(&b->jobs[0], "R", "", seed == 1 ? 10 : 30);
		add_wait(&b->jobs[0], "D", "blk_mq_get_tag", -5);
	}
	add_wait(&add_boot("g/other", 1, SEC)->jobs[0], "R", "", 1000);
	assert_true(waits_collect(&w, &run, "g/case", "hdd"));
	assert_int_equal((int)w.looks, 100);
	assert_true(w.share[WAITS_THROTTLED] > 0.599 && w.share[WAITS_THROTTLED] < 0.601);
	assert_true(w.share[WAITS_RUNNING] > 0.399 && w.share[WAITS_RUNNING] < 0.401);
	assert_true(w.share[WAITS_TAGS] == 0);
	assert_false(waits_collect(&w, &run, "g/case", "dvd"));
	assert_false(waits_collect(&w, &run, "g/none", "hdd"));
}

static void lines_fit(void)
{
	for (const char *line = out.buf; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 80);
}

static void test_section_names_shares(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);

	(void)state;
	add_verdict("g/case", "hdd", VERDICT_PASS, 20);
	add_verdict("g/case", "dvd", VERDICT_NONE, 20)->role = PLAN_LOAD;
	report_waits(&run, &out);
	assert_int_equal(out.len, 0);
	add_wait(&b->jobs[0], "D", "balance_dirty_pages generic_perform_write", 62);
	add_wait(&b->jobs[0], "D", "io_schedule", 38);
	add_wait(&b->jobs[1], "D", HOSTILE " a_rather_long_name a_rather_long_name a_long_name", 1);
	report_waits(&run, &out);
	has("\n  g/case\n     hdd            throttled 62 %, device 38 %\n    +dvd            other 100 %\n");
	has_not("generic_perform_write");
	has_not("\033");
	lines_fit();
	strbuf_reset(&out);
	report_run(&run, &out, false);
	has("throttled 62 %, device 38 %\n");
	strbuf_reset(&out);
	report_waits_stacks(&run, &out);
	has("62 throttled: balance_dirty_pages generic_perform_write\n");
	has_not("\033");
	lines_fit();
}

/* In words, for who does not know the mechanisms' names; what is rare is left out. */
static void test_words(void **state)
{
	struct boot *b = add_boot("g/case", 1, 20 * SEC);
	struct waits w;

	(void)state;
	add_wait(&b->jobs[0], "D", "balance_dirty_pages generic_perform_write", 62);
	add_wait(&b->jobs[0], "D", "io_schedule", 36);
	add_wait(&b->jobs[0], "R", "", 2);
	assert_true(waits_collect(&w, &run, "g/case", "hdd"));
	report_waits_words(&out, &w);
	assert_string_equal(out.buf, "62 % throttled at the dirty limit (balance_dirty_pages), 36 % "
				     "for a request that is on its way to the disk");
}

static void test_vmstat_has_its_layout(void **state)
{
	static const int64_t row[MSG_VMSTAT] = { 1,  1,	    3,	  6172, 3396, 164988, 0,  0,
						 12, 30156, 1163, 1411, 2,    96,     -1, 2 };

	(void)state;
	assert_false(report_vmstat(&run, "g/case", &out));
	assert_int_equal(out.len, 0);
	add_boot("g/case", 7, SEC);
	add_samples(add_boot("g/case", 2, SEC), 1);
	memcpy(run.boots[1].samples[0].vmstat, row, sizeof(row));
	assert_true(report_vmstat(&run, "g/case", &out));
	has("g/case, seed 2\n");
	has("\n r  b   swpd   free   buff  cache   si   so    bi    bo   in    cs us sy id wa\n"
	    " 1  1      3   6172   3396 164988    0    0    12 30156 1163  1411  2 96  -  2\n");
	lines_fit();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks_have_mechanisms),
		cmocka_unit_test_setup_teardown(test_shares_are_over_seeds, setup, teardown),
		cmocka_unit_test_setup_teardown(test_section_names_shares, setup, teardown),
		cmocka_unit_test_setup_teardown(test_words, setup, teardown),
		cmocka_unit_test_setup_teardown(test_vmstat_has_its_layout, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
