/* SPDX-License-Identifier: GPL-2.0-only */
/* The agent's own jobs on the host: what they do to files, what they count, how they end. */
#include "agent/boot.c"
#include "agent/order.c"
#include "agent/text.c"

#define SLOT_FOLDER slot_folder_of_test
static char slot_folder_of_test[80];

#include "agent/slot.c"
#include "agent/work.c"
#include "agent/job_cpu.c"
#include "agent/job_create.c"
#include "agent/job_fsync.c"
#include "agent/job_light_write.c"
#include "agent/job_make_files.c"
#include "agent/job_pipe_ring.c"
#include "agent/job_read.c"
#include "agent/job_repeat.c"
#include "agent/job_small_read.c"
#include "agent/job_sync.c"
#include "agent/job_touch_memory.c"
#include "agent/job_write.c"
#include "agent/applet.c"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/wait.h>

#include <cmocka.h>

#define WORDS_MAX 16

static char dir[64], results[SLOT_PATH], said[512];
static struct slot sum;

static int set_up(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/iorig-work-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(slot_folder_of_test, sizeof(slot_folder_of_test), "%s/slots", dir);
	slot_folder(results, "j");
	return setenv(SLOT_ENV, results, 1);
}

static int tear_down(void **state)
{
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		execlp("rm", "rm", "-rf", dir, (char *)NULL);
	return waitpid(pid, NULL, 0) == pid ? 0 : -1;
}

/* Start a job; "@" stands for the test's folder. *out: read end of what it prints. */
static pid_t start(const char *line, int *out)
{
	static char words[2048];
	char *argv[WORDS_MAX], *save = NULL;
	int ends[2], argc = 0;
	size_t used = 0;
	pid_t pid;

	for (; *line && used < sizeof(words) - sizeof(dir); line++) {
		if (*line == '@')
			used += snprintf(words + used, sizeof(words) - used, "%s", dir);
		else
			words[used++] = *line;
	}
	words[used] = '\0';
	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		dup2(ends[1], STDOUT_FILENO);
		dup2(ends[1], STDERR_FILENO);
		applet_run(argc, argv);
		_exit(99);
	}
	close(ends[1]);
	*out = ends[0];
	return pid;
}

/* Its exit status, or the negative signal; what it said and counted is in said and sum. */
static int finish(pid_t pid, int out)
{
	size_t len = 0;
	ssize_t n;
	int status;

	while ((n = read(out, said + len, sizeof(said) - 1 - len)) > 0)
		len += n;
	said[len] = '\0';
	close(out);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	slot_collect(results, &sum);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int run(const char *line)
{
	int out;
	pid_t pid = start(line, &out);

	return finish(pid, out);
}

static void ok(const char *line, int64_t ops, int64_t bytes)
{
	int status = run(line);

	if (status || said[0])
		fail_msg("'%s': status %d: %s", line, status, said);
	if (sum.ops != ops || sum.bytes != bytes || sum.errors || sum.hist.count != ops)
		fail_msg("'%s': ops %lld bytes %lld errors %lld", line, (long long)sum.ops,
			 (long long)sum.bytes, (long long)sum.errors);
	assert_true(sum.last_ns > sum.first_ns && sum.hist.max > 0);
	assert_true(sum.hist.sum <= sum.last_ns - sum.first_ns);
}

static int64_t size_of(const char *name)
{
	char path[128];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return stat(path, &st) == 0 ? st.st_size : -1;
}

static void put(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void jobs(void **state)
{
	(void)state;
	ok("iorig-write file=@/a size=256K block=16K", 16, 262144);
	assert_int_equal(size_of("a"), 262144);
	ok("iorig-write file=@/b size=64K block=4K mode=shuffle fsync-every=4 fsync=end", 16, 65536);
	assert_int_equal(size_of("b"), 65536);
	/* wraps around, and what is there stays */
	ok("iorig-write file=@/b size=128K block=4K span=8K keep", 32, 131072);
	assert_int_equal(size_of("b"), 65536);
	ok("iorig-write file=@/b size=8K block=4K", 2, 8192);
	assert_int_equal(size_of("b"), 8192);
	ok("iorig-read file=@/a block=4K", 64, 262144);
	ok("iorig-read file=@/a block=4K mode=shuffle span=64K", 16, 65536);
	ok("iorig-read file=@/a block=4K mode=random size=1M", 256, 1048576);
	ok("iorig-make-files dir=@/small files=5 size=1000B spread=50000B", 5, 5000);
	assert_int_equal(size_of("small/f000004"), 1000);
	assert_int_equal(size_of("small/f000005"), -1);
	assert_int_equal(size_of("small/filler"), 50000);
	ok("iorig-small-read dir=@/small files=5", 5, 5000);
	ok("iorig-small-read dir=@/small files=5 mode=shuffle count=7", 7, 7000);
	ok("iorig-light-write file=@/l count=5 period=1ms", 5, 5 * 4096);
	assert_int_equal(size_of("l"), 5 * 4096);
	ok("iorig-light-write file=@/l count=9 period=1ms mode=overwrite span=8K", 9, 9 * 4096);
	assert_int_equal(size_of("l"), 5 * 4096);
	ok("iorig-fsync file=@/f size=64K period=1ms count=3", 3, 3 * 65536);
	assert_int_equal(size_of("f"), 3 * 65536);
	ok("iorig-fsync file=@/g size=64K period=1ms count=3 mode=overwrite", 3, 3 * 65536);
	assert_int_equal(size_of("g"), 65536);
	ok("iorig-sync path=@", 1, 0);
	ok("iorig-touch-memory size=64K chunk=8K", 8, 65536);
	ok("iorig-touch-memory size=64K chunk=8K count=20 fresh", 20, 20 * 8192);
	ok("iorig-create dir=@/c/d count=4 size=100B fsync", 4, 400);
	ok("iorig-cpu count=3", 3, 0);
	ok("iorig-pipe-ring count=100", 100, 6400);
	ok("iorig-pipe-ring count=3 processes=2 block=4K", 3, 3 * 4096);
	put("script", "echo x >>$0.log\n");
	ok("iorig-repeat script=@/script count=3", 3, 0);
	assert_int_equal(size_of("script.log"), 3 * 2);
}

static void failures(void **state)
{
	static const struct {
		const char *line;
		int status;
		const char *said;
	} rows[] = {
		{ "iorig-write", 2, "iorig-write: iorig-write needs 'file'\n" },
		{ "iorig-write file=/a sice=1K", 2, "iorig-write: iorig-write has no parameter 'sice'\n" },
		{ "iorig-write file=@/no/such", 1, "/no/such': No such file or directory\n" },
		{ "iorig-write file=/dev/iorig/nonesuch", 1,
		  "iorig-write: cannot open '/dev/iorig/nonesuch': No such file or directory\n" },
		{ "iorig-write file=@/x mode=random", 1, "it needs 'span' or 'size'" },
		{ "iorig-write file=/dev/full size=64K", 1,
		  "iorig-write: call 1: No space left on device\n" },
		{ "iorig-read file=@/nonesuch", 1, "nonesuch': No such file or directory\n" },
		{ "iorig-read file=/dev/null", 1, "iorig-read: '/dev/null' has only 0 bytes\n" },
		{ "iorig-small-read dir=@ files=3", 1, "/f000002' is not there: iorig-make-files" },
		{ "iorig-touch-memory size=4K chunk=8K", 1, "'size' is less than 'chunk'" },
		{ "iorig-sync path=@/nonesuch", 1, "cannot open" },
		{ "iorig-make-files dir=/dev/null/x files=1 size=1K", 1, "cannot make '/dev/null/x'" },
		{ "iorig-create dir=/dev/null/x count=1", 1, "cannot make '/dev/null/x'" },
		{ "iorig-repeat script=@/nonesuch", 1, "/nonesuch' exited with " },
		{ "iorig-repeat script=@/killed", 1, "run 1 of '" },
		{ "iorig-repeat script=@/killed", 1, "/killed' was killed by signal 9\n" },
		{ "iorig-nonesuch", 99, "" },
		{ "sh -c true", 99, "" },
	};
	size_t i;

	(void)state;
	put("killed", "kill -9 $$\n");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int status = run(rows[i].line);

		if (status != rows[i].status || !strstr(said, rows[i].said))
			fail_msg("'%s': status %d, said '%s'", rows[i].line, status, said);
	}
	/* counted instead: the job goes on to its end */
	assert_int_equal(run("iorig-write file=/dev/full size=64K block=4K errors=count"), 0);
	assert_int_equal(sum.errors, 16);
	assert_int_equal(sum.ops, 0);
	assert_int_equal(sum.bytes, 0);
	assert_int_equal(sum.first_ns, 0);
}

static void paces(void **state)
{
	int64_t before = now_ns();

	(void)state;
	ok("iorig-light-write file=@/l count=4 period=50ms", 4, 4 * 4096);
	assert_in_range(sum.last_ns - sum.first_ns, 150 * MS, now_ns() - before);
	before = now_ns();
	ok("iorig-write file=@/a size=64K block=16K rate=640K", 4, 65536);
	/* the fourth block has to wait for the three before it, and the end for all */
	assert_in_range(sum.last_ns - sum.first_ns, 75 * MS, now_ns() - before);
	assert_true(now_ns() - before >= 100 * MS);
	before = now_ns();
	assert_int_equal(run("iorig-cpu time=100ms"), 0);
	assert_true(now_ns() - before >= 100 * MS && sum.ops > 1);
	before = now_ns();
	assert_int_equal(run("iorig-light-write file=@/l period=1h time=50ms"), 0);
	assert_true(now_ns() - before >= 50 * MS);
	assert_int_equal(sum.ops, 1);
}

/* Wait until a job has counted something. */
static void wait_for_ops(pid_t pid)
{
	char path[TEXT_PATH];
	struct slot slot = { 0 };
	int tries;

	snprintf(path, sizeof(path), "%s/%d", results, (int)pid);
	for (tries = 0; tries < 2000 && !slot.ops; tries++) {
		int fd = open(path, O_RDONLY | O_CLOEXEC);

		if (fd >= 0 && read(fd, &slot, sizeof(slot)) != sizeof(slot))
			slot.ops = 0;
		if (fd >= 0)
			close(fd);
		poll(NULL, 0, 5);
	}
	assert_true(slot.ops > 0);
}

/* TERM ends a job that waits and one that works; even KILL leaves what was counted. */
static void stops(void **state)
{
	static const char *const lines[] = {
		"iorig-light-write file=@/l period=1h", "iorig-cpu",
		"iorig-write file=@/w size=1G rate=4K block=4K", "iorig-touch-memory size=1M time=1h",
	};
	size_t i;
	int out;

	(void)state;
	for (i = 0; i < 2 * sizeof(lines) / sizeof(lines[0]); i++) {
		int sig = i % 2 ? SIGKILL : SIGTERM;
		int64_t before;
		pid_t pid = start(lines[i / 2], &out);

		wait_for_ops(pid);
		before = now_ns();
		kill(pid, sig);
		assert_int_equal(finish(pid, out), sig == SIGTERM ? 0 : -SIGKILL);
		assert_true(now_ns() - before < 20 * SEC);
		assert_string_equal(said, "");
		assert_true(sum.ops > 0 && sum.hist.count >= sum.ops);
	}
}

/* Two processes of one command add up; their files are gone then. */
static void several(void **state)
{
	int out_a, out_b;
	pid_t a = start("iorig-write file=@/a size=64K block=4K", &out_a);
	pid_t b = start("iorig-write file=@/b size=32K block=4K", &out_b);
	int status;

	(void)state;
	assert_int_equal(waitpid(a, &status, 0), a);
	assert_int_equal(finish(b, out_b), 0);
	close(out_a);
	assert_int_equal(sum.ops, 24);
	assert_int_equal(sum.bytes, 96 * 1024);
	assert_int_equal(sum.hist.count, 24);
	assert_int_equal(slot_collect(results, &sum), 0);
	assert_int_equal(sum.ops, 0);
}

/* Slots as a kill between two stores can leave them, and files that are none. */
static void torn(void **state)
{
	static struct slot half;
	char path[TEXT_PATH];
	int fd;

	(void)state;
	memset(&half, 0, sizeof(half));
	memset(&sum, 0, sizeof(sum));
	half.hist.min = 9;		/* min set, max and the bucket not yet */
	half.first_ns = 5;
	slot_merge(&sum, &half);
	assert_int_equal(sum.hist.count, 0);
	assert_int_equal(sum.first_ns, 0);
	slot_add(&half, 10, 30, 7);
	half.hist.n[3]++;		/* the bucket, not the count */
	half.last_ns = 4;
	slot_merge(&sum, &half);
	assert_int_equal(sum.hist.count, 2);
	assert_true(sum.first_ns <= sum.last_ns && sum.hist.min <= sum.hist.max);
	snprintf(path, sizeof(path), "%s/1", results);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_true(write(fd, "x", 1) == 1);
	close(fd);
	snprintf(path, sizeof(path), "%s/2", results);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(ftruncate(fd, sizeof(half)), 0);	/* made, nothing in it yet */
	close(fd);
	assert_int_equal(slot_collect(results, &sum), 0);
	assert_int_equal(sum.ops, 0);
}

/* In no guest the figures are printed. */
static void by_hand(void **state)
{
	(void)state;
	unsetenv(SLOT_ENV);
	assert_int_equal(run("iorig-cpu count=2"), 0);
	assert_int_equal(strncmp(said, "iorig-cpu: ops 2 bytes 0 errors 0 ns: p50 ", 42), 0);
	assert_int_equal(run("/bin/iorig-cpu count=1"), 0);
}

#define WORK_TEST(NAME) cmocka_unit_test_setup_teardown(NAME, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WORK_TEST(jobs),
		WORK_TEST(failures),
		WORK_TEST(paces),
		WORK_TEST(stops),
		WORK_TEST(several),
		WORK_TEST(torn),
		WORK_TEST(by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
