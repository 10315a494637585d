/* SPDX-License-Identifier: GPL-2.0-only */
/* Mechanisms of stacks, and their shares. */
#include "judge/waits.h"

#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "record/record.h"

#define NAMES_MAX 24

/*
 * Functions of the scheduler and those marked __sched (__wait_on_buffer, say) are left out of
 * /proc/PID/stack, so their callers have to be named as well. A '*' at the end of a name stands
 * for any rest.
 */
static const struct {
	const char *name;
	const char *functions[NAMES_MAX];
} kinds[WAITS_N] = {
	[WAITS_RECLAIM] = { "reclaim",
			    { "reclaim_throttle", "shrink_*", "try_to_free_pages",
			      "try_to_free_mem_cgroup_pages", "throttle_direct_reclaim",
			      "wait_iff_congested", "congestion_wait",
			      "mem_cgroup_handle_over_high", "__mem_cgroup_handle_over_high",
			      "balance_pgdat" } },
	[WAITS_THROTTLED] = { "throttled", { "balance_dirty_pages*" } },
	[WAITS_WBT] = { "wbt", { "wbt_wait", "rq_qos_wait", "__rq_qos_throttle" } },
	[WAITS_TAGS] = { "tags",
			 { "blk_mq_get_tag", "blk_mq_get_request", "get_request",
			   "__bio_queue_enter", "bio_queue_enter", "blk_queue_enter" } },
	[WAITS_JOURNAL] = { "journal",
			    { "jbd2_log_wait_commit", "jbd2_journal_commit_transaction",
			      "wait_transaction_locked", "wait_transaction_switching",
			      "__jbd2_log_wait_for_space", "do_get_write_access",
			      "jbd2_complete_transaction", "xlog_wait*", "xfs_log_force*" } },
	[WAITS_SYNC] = { "sync",
			 { "wb_wait_for_completion", "sync_inodes_sb", "wait_sb_inodes",
			   "__writeback_inodes_sb_nr", "sync_bdevs", "iterate_bdevs" } },
	[WAITS_LOCK] = { "lock",
			 { "rwsem_down_*", "__mutex_lock*", "mutex_lock*", "__down*",
			   "ww_mutex_lock*", "percpu_rwsem_wait", "__percpu_down_read",
			   "inode_wait_for_writeback", "__inode_wait_for_writeback",
			   "__wait_on_freeing_inode" } },
	[WAITS_DEVICE] = { "device",
			   { "folio_wait_*", "wait_on_page_*", "__folio_lock*", "__lock_page*",
			     "put_and_wait_on_page_locked", "__wait_on_buffer", "__bread_gfp",
			     "__bh_read*", "bh_submit_read", "submit_bio_wait",
			     "blkdev_issue_flush", "blk_execute_rq", "__blkdev_direct_IO*",
			     "__iomap_dio_rw", "filemap_read", "generic_file_buffered_read",
			     "__filemap_fdatawait_range", "io_schedule*", "blk_io_schedule",
			     "__ext4_get_inode_loc", "ext4_wait_block_bitmap", "ext4_read_bh*",
			     "__ext4_find_entry", "read_block_bitmap" } },
	[WAITS_RUNNING] = { "running", { NULL } },
	[WAITS_ASLEEP] = { "asleep", { NULL } },
	[WAITS_OTHER] = { "other", { NULL } },
};

static bool matches(const char *name, size_t len, const char *pattern)
{
	size_t n = strlen(pattern);

	if (n && pattern[n - 1] == '*')
		return len >= n - 1 && strncmp(name, pattern, n - 1) == 0;
	return len == n && strncmp(name, pattern, n) == 0;
}

static bool stack_has(const char *stack, const char *const *patterns)
{
	for (const char *at = stack; *at;) {
		size_t len = strcspn(at, " "), stem = strcspn(at, " .");

		for (int i = 0; i < NAMES_MAX && patterns[i]; i++) {
			if (matches(at, stem, patterns[i]))
				return true;
		}
		at += len;
		at += strspn(at, " ");
	}
	return false;
}

enum waits_kind waits_classify(const char *state, const char *stack)
{
	if (strcmp(state, "R") == 0)
		return WAITS_RUNNING;
	for (int kind = 0; kind < WAITS_RUNNING; kind++) {
		if (stack_has(stack, kinds[kind].functions))
			return (enum waits_kind)kind;
	}
	return strcmp(state, "S") == 0 ? WAITS_ASLEEP : WAITS_OTHER;
}

const char *waits_name(enum waits_kind kind)
{
	BUG_ON((unsigned int)kind >= WAITS_N);
	return kinds[kind].name;
}

static void add_job(struct waits *w, const struct job_result *job)
{
	for (size_t i = 0; i < job->n_waits; i++) {
		const struct job_wait *seen = &job->waits[i];

		if (seen->count <= 0)
			continue;
		w->looks += (double)seen->count;
		w->share[waits_classify(seen->state ? seen->state : "",
					seen->stack ? seen->stack : "")] += (double)seen->count;
	}
}

bool waits_collect(struct waits *w, const struct run *run, const char *case_name, const char *job)
{
	*w = (struct waits){ .looks = 0 };
	for (size_t i = 0; i < run->n_boots; i++) {
		const struct boot *b = &run->boots[i];

		if (strcmp(b->case_name, case_name) != 0)
			continue;
		for (size_t k = 0; k < b->n_jobs; k++) {
			if (strcmp(b->jobs[k].name, job) == 0)
				add_job(w, &b->jobs[k]);
		}
	}
	for (int kind = 0; kind < WAITS_N && w->looks > 0; kind++)
		w->share[kind] /= w->looks;
	return w->looks > 0;
}
