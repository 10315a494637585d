/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of the pure parts of run/setup: the guest's plan, its command line, the simulator's
 * configuration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "kernel/kernel.h"
#include "run/setup.h"
#include "wire/plan.h"

static struct case_disk disks[3];
static struct case_job jobs[2];
static struct case_set sets[1];
static struct kase c;
static struct module_set modules;
static struct plan *plan;

static struct case_disk disk(const char *name, enum machine_bus bus, const char *fs)
{
	return (struct case_disk){
		.name = (char *)name, .bus = bus, .fs = (char *)fs, .scheduler = "", .options = "",
		.nr_requests = -1, .max_request = -1, .read_ahead = -1, .wbt_latency_ns = -1,
		.max_ratio = -1, .timeout_ns = -1,
	};
}

static int setup(void **state)
{
	(void)state;
	disks[0] = disk("hda", BUS_IDE, "ext2");
	disks[1] = disk("cd", BUS_ATAPI, "iso9660");
	disks[2] = disk("vd", BUS_VIRTIO, "");
	jobs[0] = (struct case_job){
		.name = "hdd", .run = "dd if=/dev/zero", .sync = "hda", .role = PLAN_VICTIM,
		.stop = PLAN_STOP_END, .start_ns = 5 * NS_PER_S, .deadline_ns = 600 * NS_PER_S,
	};
	jobs[1] = (struct case_job){
		.name = "cd", .run = "cat /mnt/cd/content", .role = PLAN_LOAD,
		.stop = PLAN_STOP_VICTIMS, .deadline_ns = NS_PER_S,
	};
	sets[0] = (struct case_set){ .path = "vm/dirty_ratio", .value = "20" };
	c = (struct kase){
		.name = "g/c", .memory = 128 << 20, .cpus = 2, .sample_ns = NS_PER_S,
		.deadline_ns = 900 * NS_PER_S, .disks = disks, .n_disks = 3, .jobs = jobs,
		.n_jobs = 2, .sets = sets, .n_sets = 1,
	};
	modules = (struct module_set)MODULE_SET_INIT;
	plan = xmalloc(sizeof(*plan));
	memset(plan, 0x5a, sizeof(*plan));
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	module_set_release(&modules);
	free(plan);
	return 0;
}

static void make(uint32_t seed, int64_t window)
{
	setup_plan(plan, &c, &modules, seed, window);
}

static void test_whole_plan(void **state)
{
	static char text[PLAN_MAX_BYTES], why[200];
	struct plan *again = xmalloc(sizeof(*again));
	long len;

	(void)state;
	strvec_pushl(&modules.names, "ata_piix", "esp_scsi", "usb_storage", NULL);
	make(1, 0);
	assert_string_equal(plan->case_name, "g/c");
	assert_int_equal(plan->sample_ns, NS_PER_S);
	assert_int_equal(plan->deadline_ns, 900 * NS_PER_S);
	assert_int_equal(plan->n_modules, 3);
	assert_string_equal(plan->modules[0].path, "/lib/modules/ata_piix.ko");
	assert_string_equal(plan->modules[0].args, "");
	assert_string_equal(plan->modules[1].args, "esp_bus_reset_settle=0");
	assert_string_equal(plan->modules[2].args, "delay_use=0");
	assert_int_equal(plan->n_sets, 1);
	assert_string_equal(plan->sets[0].path, "/proc/sys/vm/dirty_ratio");
	assert_string_equal(plan->sets[0].value, "20");
	assert_int_equal(plan->n_jobs, 2);
	assert_string_equal(plan->jobs[0].name, "hdd");
	assert_string_equal(plan->jobs[0].sync_disk, "hda");
	assert_int_equal(plan->jobs[0].start_ns, 5 * NS_PER_S);
	assert_int_equal(plan->jobs[0].deadline_ns, 600 * NS_PER_S);
	assert_string_equal(plan->jobs[1].sync_disk, "");
	assert_int_equal(plan->jobs[1].role, PLAN_LOAD);
	assert_int_equal(plan->jobs[1].stop, PLAN_STOP_VICTIMS);
	/* the guest reads the same */
	len = plan_format(plan, text, sizeof(text));
	assert_true(len > 0);
	if (plan_parse(again, text, (size_t)len, why, sizeof(why)))
		fail_msg("%s", why);
	assert_string_equal(again->jobs[1].run, "cat /mnt/cd/content");
	assert_int_equal(again->n_disks, 3);
	free(again);
}

static void test_disks(void **state)
{
	(void)state;
	make(1, 0);
	assert_int_equal(plan->n_disks, 3);
	assert_string_equal(plan->disks[0].name, "hda");
	assert_string_equal(plan->disks[0].bus, "ide");
	assert_string_equal(plan->disks[0].serial, SETUP_SERIAL "hda");
	assert_string_equal(plan->disks[0].mount, "/mnt/hda");
	assert_false(plan->disks[0].ro);
	assert_int_equal(plan->disks[0].timeout_s, 600);
	assert_int_equal(plan->disks[0].nr_requests, 0);
	assert_int_equal(plan->disks[0].max_request_kb, 0);
	assert_int_equal(plan->disks[0].read_ahead_kb, -1);
	assert_int_equal(plan->disks[0].wbt_lat_us, -1);
	assert_int_equal(plan->disks[0].max_ratio, -1);
	assert_true(plan->disks[1].ro);
	assert_false(plan->disks[2].ro);
	/* either alone makes it read-only: the drive, or what is on it */
	disks[1].fs = "";
	disks[2].fs = "iso9660";
	make(1, 0);
	assert_true(plan->disks[1].ro);
	assert_true(plan->disks[2].ro);
	disks[2].fs = "";
	make(1, 0);
	/* no filesystem, no mount; virtio has no SCSI timeout to raise */
	assert_string_equal(plan->disks[2].mount, "");
	assert_int_equal(plan->disks[2].timeout_s, 0);
}

static void test_disk_settings(void **state)
{
	(void)state;
	disks[0].scheduler = "bfq";
	disks[0].options = "data=writeback";
	disks[0].nr_requests = 64;
	disks[0].max_request = 512 * 1024;
	disks[0].read_ahead = 128 * 1024;
	disks[0].wbt_latency_ns = 2 * NS_PER_MS;
	disks[0].max_ratio = 20;
	disks[0].timeout_ns = 60 * NS_PER_S;
	disks[2].timeout_ns = 7 * NS_PER_S;
	make(1, 0);
	assert_string_equal(plan->disks[0].scheduler, "bfq");
	assert_string_equal(plan->disks[0].options, "data=writeback");
	assert_int_equal(plan->disks[0].nr_requests, 64);
	assert_int_equal(plan->disks[0].max_request_kb, 512);
	assert_int_equal(plan->disks[0].read_ahead_kb, 128);
	assert_int_equal(plan->disks[0].wbt_lat_us, 2000);
	assert_int_equal(plan->disks[0].max_ratio, 20);
	assert_int_equal(plan->disks[0].timeout_s, 60);
	assert_int_equal(plan->disks[2].timeout_s, 7);
	disks[0].read_ahead = disks[0].wbt_latency_ns = 0;	/* off is not unset */
	make(1, 0);
	assert_int_equal(plan->disks[0].read_ahead_kb, 0);
	assert_int_equal(plan->disks[0].wbt_lat_us, 0);
}

/* Starts move by less than the window, each job's by its own, and a seed always moves them alike. */
static void test_seed_window(void **state)
{
	enum { SEEDS = 1000, TENTHS = 10 };
	int64_t window = 10 * NS_PER_MS;
	int hits[TENTHS] = { 0 }, same = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		int64_t first, second;

		make(seed, window);
		first = plan->jobs[0].start_ns - jobs[0].start_ns;
		second = plan->jobs[1].start_ns - jobs[1].start_ns;
		assert_true(first >= 0 && first < window && second >= 0 && second < window);
		hits[first * TENTHS / window]++;
		same += first == second;
		make(seed, window);
		assert_true(plan->jobs[0].start_ns == jobs[0].start_ns + first);
		assert_true(plan->jobs[1].start_ns == jobs[1].start_ns + second);
	}
	/* 100 are expected in every tenth; 50 would be five standard deviations away */
	for (int i = 0; i < TENTHS; i++)
		assert_in_range(hits[i], 50, 150);
	assert_true(same < 5);
	/* nothing else moves */
	make(7, 0);
	assert_int_equal(plan->jobs[0].start_ns, 5 * NS_PER_S);
	assert_int_equal(plan->jobs[1].start_ns, 0);
}

/* A job that prepares has no start to move; limits and stacks reach the plan. */
static void test_prepare_and_limits(void **state)
{
	(void)state;
	jobs[1].role = PLAN_PREPARE;
	jobs[0].cgroup_memory = 64 << 20;
	c.stack_ns = 200 * NS_PER_MS;
	c.pauses = true;
	make(3, 250 * NS_PER_MS);
	assert_int_equal(plan->jobs[1].role, PLAN_PREPARE);
	assert_int_equal(plan->jobs[1].start_ns, 0);
	assert_int_equal(plan->jobs[1].cgroup_memory, 0);
	assert_int_equal(plan->jobs[0].cgroup_memory, 64 << 20);
	assert_int_equal(plan->stack_ns, 200 * NS_PER_MS);
	assert_true(plan->pauses);
}

/* The words of a line, as whole words. */
static bool has_word(const char *line, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = line; (p = strstr(p, word)); p++)
		if ((p == line || p[-1] == ' ') && (p[len] == ' ' || !p[len]))
			return true;
	return false;
}

static void test_cmdline(void **state)
{
	static const char *const words[] = {
		"console=ttyS0", "panic=-1", "oops=panic", "nokaslr", "norandmaps", "nr_cpus=2",
		"esp_scsi.esp_bus_reset_settle=0", "usb_storage.delay_use=0",
	};
	struct kernel k = { .cmdline = "extra words=last" };
	char *line = setup_cmdline(&k, &c, CLOCK_SIM);
	size_t len = strlen(line);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!has_word(line, words[i]))
			fail_msg("no '%s' in '%s'", words[i], line);
	assert_string_equal(line + len - strlen(" extra words=last"), " extra words=last");
	assert_null(strstr(line, "  "));
	assert_true(len < 1024);	/* half of what x86 takes */
	free(line);
	k.cmdline = NULL;
	line = setup_cmdline(&k, &c, CLOCK_SIM);
	assert_int_equal(strlen(line), len - strlen(" extra words=last"));
	free(line);
}

/* One CPU alone on the simulated clock does without the APIC's timer: what machine_argv() gives it
 * instead, the HPET, is tested there. */
static void test_cmdline_timer(void **state)
{
	struct kernel k = { .cmdline = NULL };
	int cpus = c.cpus;

	(void)state;
	for (int i = 0; i < 4; i++) {
		enum machine_clock clock = i & 1 ? CLOCK_SIM : CLOCK_REAL;
		char *line;

		c.cpus = i & 2 ? 2 : 1;
		line = setup_cmdline(&k, &c, clock);
		assert_int_equal(has_word(line, "lpj=400000"), clock == CLOCK_SIM);
		assert_int_equal(has_word(line, "nolapic_timer"), i == 1);
		assert_int_equal(has_word(line, "initcall_blacklist=hpet_late_init"), i == 1);
		free(line);
	}
	c.cpus = cpus;
}

static void test_sim_config(void **state)
{
	struct machine_disk machine_disks[2] = {
		{ .name = "hda", .image = "/a b/hda.img" }, { .name = "cd", .image = "/cd.img" },
	};
	struct profile profiles[2] = {
		{ .timing = { .rate = 1000, .rate_end = 500, .queue_depth = 1 } },
		{ .timing = { .rate = 7, .queue_depth = 1, .rpm = 5400 } },
	};
	struct setup s = { .machine = { .clock = CLOCK_SIM, .seed = 42 }, .disks = machine_disks,
			   .profiles = profiles, .n_disks = 2 };
	struct strbuf out = STRBUF_INIT;

	(void)state;
	disks[0].faults = (struct case_faults){
		.f = { { CASE_FAULT_STOP, 10 * NS_PER_S, 20 * NS_PER_S, 0 },
		       { CASE_FAULT_SLOW, 5, 6, 7 } }, .n = 2,
	};
	disks[1].faults = (struct case_faults){ .f = { { CASE_FAULT_ERROR, 8, 9, 0 } }, .n = 1 };
	setup_sim_config(&s, &c, "/r/requests.log", &out);
	assert_string_equal(out.buf, "clock sim\nseed 42\nlog /r/requests.log\n"
				     "disk hda rate=1000 rate-end=500 queue-depth=1 \n"
				     "image hda /a b/hda.img\n"
				     "disk cd rate=7 rpm=5400 queue-depth=1 \n"
				     "image cd /cd.img\n"
				     "fault hda stop 10000000000 20000000000\n"
				     "fault hda slow 5 6 7\n"
				     "fault cd error 8 9\n");
	strbuf_reset(&out);
	s.machine.clock = CLOCK_REAL;
	s.n_disks = 0;
	c.n_disks = 0;
	setup_sim_config(&s, &c, "/l", &out);
	assert_string_equal(out.buf, "clock real\nseed 42\nlog /l\n");
	strbuf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_whole_plan, setup, teardown),
		cmocka_unit_test_setup_teardown(test_disks, setup, teardown),
		cmocka_unit_test_setup_teardown(test_disk_settings, setup, teardown),
		cmocka_unit_test_setup_teardown(test_seed_window, setup, teardown),
		cmocka_unit_test_setup_teardown(test_prepare_and_limits, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cmdline, setup, teardown),
		cmocka_unit_test_setup_teardown(test_cmdline_timer, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sim_config, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
