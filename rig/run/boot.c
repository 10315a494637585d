/* SPDX-License-Identifier: GPL-2.0-only */
/* One boot: set up, start, follow to the end, keep what it left. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/units.h"
#include "case/case.h"
#include "kernel/kernel.h"
#include "record/record.h"
#include "run/boot.h"
#include "run/control.h"
#include "run/digest.h"
#include "run/follow.h"
#include "run/options.h"
#include "run/progress.h"
#include "run/setup.h"
#include "run/silence.h"
#include "vm/vm.h"

#define NEWS_NS	  (NS_PER_S / 4)
#define SIM_PREFIX "iorig-sim: "	/* rig/sim/fatal.h */

DEFINE_FREE(json, json_t *, json_decref(_T))

/* What was told last, and when. */
struct told {
	enum stage stage;
	int64_t at;
};

/* Half of them, so that no sum of what a guest says overflows. */
static int64_t pages_of(const struct msg_sample_disk *d)
{
	return (d->dirty > 0 ? d->dirty : 0) / 2 + (d->writeback > 0 ? d->writeback : 0) / 2;
}

/* The two disks with most pages in the last sample. */
static void tell_fullest(const struct boot *b, struct strbuf *line)
{
	const struct msg_sample *s = b->n_samples ? &b->samples[b->n_samples - 1] : NULL;
	int told = -1;

	for (int k = 0; s && k < PROGRESS_FULL; k++) {
		int most = -1;

		for (int i = 0; i < s->n_disks; i++)
			if (i != told &&
			    (most < 0 || pages_of(&s->disks[i]) > pages_of(&s->disks[most])))
				most = i;
		if (most < 0)
			return;
		strbuf_addf(line, " %s %lld", s->disks[most].name,
			    (long long)pages_of(&s->disks[most]) * 2);
		told = most;
	}
}

static void tell(const struct boot_task *t, const struct boot *b, struct told *last)
{
	int64_t now = clock_ns();
	struct strbuf line __release(strbuf) = STRBUF_INIT;

	if (t->news_fd < 0 || (b->stage == last->stage && now - last->at < NEWS_NS))
		return;
	*last = (struct told){ .stage = b->stage, .at = now };
	strbuf_addf(&line, "%d %lld", (int)b->stage, (long long)b->guest_ns);
	tell_fullest(b, &line);
	strbuf_addch(&line, '\n');
	/* Nobody reading any more is not this boot's problem: whoever reads is its parent. */
	(void)fd_write_all(t->news_fd, line.buf, line.len);
}

/* It is over: QEMU ended with this status, or was silent for silent_ns and is stopped. */
static void end_vm(struct follow *f, struct vm *vm, int status, int64_t silent_ns)
{
	char *said __free(ptr) = vm_stderr(vm);

	if (silent_ns)
		vm_stop(vm);
	follow_settle(f, status, silent_ns, said);
}

/* A frame proves life; a console that babbles does not, but for a panic, after which there is
 * little to wait for. */
static void heard(struct silence *s, const struct follow *f, const struct vm *vm,
		  const struct boot_task *t)
{
	silence_heard(s, f, t->c->sample_ns, vm_cpu_ns(vm));
}

/* The next event, or -ETIMEDOUT once the guest has been silent for too long. */
static int next_event(struct vm *vm, struct vm_event *e, struct silence *s, struct control *c,
		      struct err *err)
{
	for (;;) {
		struct deadline d = control_deadline(c, &s->limit);
		int ret = vm_next(vm, e, &d, err);

		if (ret != -ETIMEDOUT)
			return ret;
		control_look(c, c->begun, false, 0, clock_ns());
		if (deadline_passed(&s->limit) && !silence_goes_on(s, vm_cpu_ns(vm)))
			return ret;
		*err = (struct err)ERR_INIT;
	}
}

static int follow_vm(struct follow *f, struct vm *vm, struct control *c,
		     const struct boot_task *t, struct err *err)
{
	struct silence quiet = { .by_cpu = t->o->clock == CLOCK_SIM };
	struct vm_event e;
	bool panicked = false;
	struct told told = { .at = 0 };
	int ret;

	heard(&quiet, f, vm, t);
	tell(t, f->b, &told);
	while ((ret = next_event(vm, &e, &quiet, c, err)) == 0) {
		switch (e.kind) {
		case VM_FRAME:
			follow_frame(f, e.data, e.len, clock_ns());
			control_look(c, f->ready, f->done, f->b->guest_ns, clock_ns());
			heard(&quiet, f, vm, t);
			tell(t, f->b, &told);
			break;
		case VM_CONSOLE:
			follow_console(f, e.data, e.len);
			if (!panicked && f->console.seen[CONSOLE_PANIC]) {
				panicked = true;
				heard(&quiet, f, vm, t);
			}
			break;
		case VM_QMP:
			/* an error of the host stops a machine, too, and says so before */
			if (t->stop_ns && !strcmp(e.name, "STOP"))
				return t->stopped(vm, t->stopped_arg, err);
			follow_qmp(f, e.name, e.data);
			if (f->host_failed)
				return err_set(err, -EIO, "the host failed: %s", f->why);
			break;
		case VM_EXIT:
			end_vm(f, vm, e.status, 0);
			return 0;
		}
	}
	if (ret != -ETIMEDOUT)
		return ret;
	end_vm(f, vm, 0, silence_ns(&quiet));
	return 0;
}

void boot_describe(struct boot *b, const struct boot_task *t)
{
	b->case_name = xstrdup(t->c->name);
	b->scale = xstrdup(t->c->scale);
	b->case_sha256 = xstrdup(t->c->sha256);
	b->case_text = xstrdup(t->c->text);
	b->expect_text = xstrdup(t->expect_text ? t->expect_text : "");
	b->seed = t->seed;
	b->dir = xstrdup(t->dir);
	b->outcome = OUTCOME_BROKEN;
	b->stage = STAGE_IMAGES;
	b->reason = xstrdup("stopped before it ended");
	b->jobs = xcalloc(t->c->n_jobs, sizeof(*b->jobs));
	for (b->n_jobs = 0; b->n_jobs < t->c->n_jobs; b->n_jobs++) {
		b->jobs[b->n_jobs].name = xstrdup(t->c->jobs[b->n_jobs].name);
		b->jobs[b->n_jobs].role = t->c->jobs[b->n_jobs].role;
	}
}

static void describe_disks(struct boot *b, const struct setup *s)
{
	for (size_t i = 0; i < s->n_disks && i < MSG_DISKS; i++)
		*array_grow(b->profiles, b->n_profiles) = (struct boot_profile){
			.disk = xstrdup(s->disks[i].name),
			.profile = xstrdup(s->profiles[i].name),
			.title = xstrdup(s->profiles[i].title),
		};
}

static int write_samples(const struct boot *b, const char *dir, struct err *err)
{
	char *path __free(ptr) = path_join(dir, "samples.jsonl");
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	for (size_t i = 0; i < b->n_samples; i++) {
		json_t *j __free(json) = sample_to_json(&b->samples[i]);
		char *text __free(ptr) = json_dumps(j, JSON_COMPACT);

		strbuf_addstr(&sb, text);
		strbuf_addch(&sb, '\n');
	}
	return file_write_atomic(path, sb.buf, sb.len, 0644, err);
}

/* The pasteable command. What it prints goes beside what this boot printed, not into it. */
static int write_script(const struct setup *s, const struct kase *c, const char *dir,
			struct err *err)
{
	char *path __free(ptr) = path_join(dir, "qemu.sh");
	char *console __free(ptr) = path_join(dir, "again-console.log");
	char *frames __free(ptr) = path_join(dir, "again-frames.log");
	char *conf __free(ptr) = path_join(dir, "again-sim.conf");
	char *log __free(ptr) = path_join(dir, "again-requests.log");
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct machine again = s->machine;
	int ret = 0;

	again.console = console;
	again.frames = frames;
	if (again.sim_config) {
		again.sim_config = conf;
		setup_sim_config(s, c, log, &sb);
		ret = file_write_atomic(conf, sb.buf, sb.len, 0644, err);
		strbuf_reset(&sb);
	}
	if (!ret)
		ret = machine_script(&again, &sb, err);
	return ret ? ret : file_write_atomic(path, sb.buf, sb.len, 0755, err);
}

/*
 * The simulator's library ends QEMU with one line when a symbol or the handshake that it relies on
 * is not there (or got stuck): that is nobody's fault, and there is another clock.
 */
static int cannot_simulate(const struct vm *vm, const struct boot_task *t, int ret,
			   struct err *err)
{
	char *said __free(ptr) = vm_stderr(vm);
	const char *line = strstr(said, SIM_PREFIX);

	if (!line || t->o->timing != TIMING_MODEL)
		return ret;
	line += strlen(SIM_PREFIX);
	return err_unable(err, "this QEMU cannot be simulated: %.*s; use --clock=real%s",
			  (int)strcspn(line, "\n"), line,
			  t->o->clock == CLOCK_REAL ? " --timing=throttle" : "");
}

/* A QEMU that fell over at once has left no log: then that is the news, and there is no digest. */
static int add_digest(struct boot *b, const char *dir, struct err *err)
{
	char *log __free(ptr) = path_join(dir, SETUP_REQUESTS);
	char digest[HASH_HEX];
	int ret;

	if (b->outcome != OUTCOME_DONE && !path_is_file(log))
		return 0;
	ret = digest_boot(dir, digest, err);
	if (!ret)
		b->digest = xstrdup(digest);
	return ret;
}

static int run_vm(struct boot *b, const struct boot_task *t, struct setup *s, const char *dir,
		  struct err *err)
{
	struct vm vm __release(vm) = VM_INIT;
	struct follow f __release(follow);
	struct control control __release(control);
	int64_t start = clock_ns();
	int ret;

	follow_init(&f, b, t->c, start);
	control_init(&control, t->o->clock == CLOCK_REAL, 0);
	b->stage = STAGE_START;
	b->cmdline = xstrdup(s->machine.cmdline);
	ret = machine_argv(&s->machine, &b->argv, err);
	if (!ret)
		ret = vm_start(&vm, &s->machine, dir, err);
	if (ret)
		return cannot_simulate(&vm, t, ret, err);
	b->stage = STAGE_BOOT;
	control.pid = vm.proc.pid;
	ret = cannot_simulate(&vm, t, follow_vm(&f, &vm, &control, t, err), err);
	control_result(&control, b);
	b->wall_ns = clock_ns() - start;
	return ret || t->o->clock != CLOCK_SIM ? ret : add_digest(b, dir, err);
}

int boot_execute(struct boot *b, const struct boot_task *t, struct err *err)
{
	char *dir __free(ptr) = path_join(t->run_dir, t->dir);
	char *images __free(ptr) = path_join(dir, "images");
	char *initrd __free(ptr) = path_join(dir, "initramfs.cpio");
	struct setup s __release(setup) = SETUP_INIT;
	struct err later = ERR_INIT;
	int ret;

	boot_describe(b, t);
	s.stop_ns = t->stop_ns;
	ret = dir_make(dir, err);
	if (!ret)
		ret = setup_make(&s, t->o, t->k, t->c, t->seed, dir, err);
	if (!ret && s.lacks) {
		b->outcome = OUTCOME_SKIPPED;
		free(b->reason);
		b->reason = xstrdup(s.lacks);
		return 0;
	}
	if (!ret) {
		describe_disks(b, &s);
		ret = write_script(&s, t->c, dir, err);
	}
	if (!ret)
		ret = run_vm(b, t, &s, dir, err);
	/* What was measured is worth more than a tidy folder: the first error stays the error. */
	if (write_samples(b, dir, ret ? &later : err) && !ret)
		ret = err->code;
	if (!t->o->keep_images) {
		dir_remove(images, &later);
		unlink(initrd);
	}
	return ret;
}
