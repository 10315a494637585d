/* SPDX-License-Identifier: GPL-2.0-only */
/* What a guest's frames and console have said, and what came of its boot. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "kernel/version.h"
#include "record/record.h"
#include "run/follow.h"
#include "wire/frame.h"

/* A guest may talk nonsense for hours: more samples than this are counted as lost. */
#define SAMPLES_MAX 100000
/* No more frames than this are believed to have been lost at once. */
#define GAP_MAX 1000000

/* How QEMU's SHUTDOWN event says that it ended (qapi/run-state.json), and how we do. */
static const struct {
	const char *reason, *text;
} shutdowns[] = {
	{ "guest-shutdown", "the guest powered off" },
	{ "guest-reset", "the guest rebooted" },
	{ "guest-panic", "the guest told QEMU that it panicked" },
	{ "host-signal", "QEMU was ended by a signal from outside" },
	{ "host-error", "QEMU gave up after an error" },
};

DEFINE_FREE(json, json_t *, json_decref(_T))

void follow_init(struct follow *f, struct boot *b, const struct kase *c, int64_t now)
{
	*f = (struct follow){
		.b = b, .c = c, .document = DOCUMENT_INIT, .started = now,
		.ended = shutdowns[0].text,
	};
	console_init(&f->console);
	b->stage = STAGE_BOOT;
}

void follow_release(struct follow *f)
{
	console_release(&f->console);
	document_release(&f->document);
}

static struct job_result *find_job(struct boot *b, const char *name)
{
	for (size_t i = 0; i < b->n_jobs; i++)
		if (!strcmp(b->jobs[i].name, name))
			return &b->jobs[i];
	return NULL;
}

static bool has_disk(const struct boot *b, const char *name)
{
	for (size_t i = 0; i < b->n_disks; i++)
		if (!strcmp(b->disks[i].name, name))
			return true;
	return false;
}

/* Only forward, whatever a guest that has lost its mind says once more. */
static void advance(struct boot *b, enum stage stage)
{
	if (stage > b->stage)
		b->stage = stage;
}

static void take_disk(struct follow *f, const struct msg_disk *d)
{
	if (!kase_disk(f->c, d->name) || has_disk(f->b, d->name))
		f->b->frames_bad++;
	else
		*array_grow(f->b->disks, f->b->n_disks) = *d;
}

static void take_end(struct follow *f, const struct msg_end *end)
{
	struct job_result *job = find_job(f->b, end->job);

	if (!job || job->ended) {	/* a job this case does not have, or one twice */
		f->b->frames_bad++;
		return;
	}
	job->ended = true;
	job->end = *end;
}

/* Once, and before the job's end. */
static void take_result(struct follow *f, const struct msg_result *result)
{
	struct job_result *job = find_job(f->b, result->job);

	if (!job || job->ended || job->measured) {
		f->b->frames_bad++;
		return;
	}
	job->measured = true;
	job->result = *result;
}

static void take_stacks(struct follow *f, const struct msg_stacks *stacks)
{
	struct job_result *job = find_job(f->b, stacks->job);

	if (!job || job->wait_source) {
		f->b->frames_bad++;
		return;
	}
	job->wait_rounds = stacks->rounds;
	job->wait_source = xstrdup(stacks->source);
}

static bool has_wait(const struct job_result *job, const struct msg_stack *stack)
{
	for (size_t i = 0; i < job->n_waits; i++)
		if (!strcmp(job->waits[i].state, stack->state) &&
		    !strcmp(job->waits[i].stack, stack->stack))
			return true;
	return false;
}

/* After the job's "stacks"; kept in descending order, equal counts as they came. */
static void take_stack(struct follow *f, const struct msg_stack *stack)
{
	struct job_result *job = find_job(f->b, stack->job);
	size_t at;

	if (!job || !job->wait_source || job->n_waits >= MSG_STACKS_MAX || has_wait(job, stack)) {
		f->b->frames_bad++;
		return;
	}
	array_grow(job->waits, job->n_waits);
	for (at = job->n_waits - 1; at > 0 && job->waits[at - 1].count < stack->count; at--)
		job->waits[at] = job->waits[at - 1];
	job->waits[at] = (struct job_wait){
		.state = xstrdup(stack->state),
		.stack = xstrdup(stack->stack),
		.count = stack->count,
	};
}

/* Once for each disk of the guest. */
static void take_pauses(struct follow *f, const struct msg_pauses *pauses)
{
	bool again = !has_disk(f->b, pauses->disk);

	for (size_t i = 0; i < f->b->n_pauses; i++)
		again |= !strcmp(f->b->pauses[i].disk, pauses->disk);
	if (again)
		f->b->frames_bad++;
	else
		*array_grow(f->b->pauses, f->b->n_pauses) = *pauses;
}

static void take_sample(struct follow *f, const struct msg_sample *s)
{
	if (f->b->n_samples >= SAMPLES_MAX)
		f->b->frames_lost++;
	else
		*array_grow(f->b->samples, f->b->n_samples) = *s;
}

static void take_hello(struct follow *f, const struct msg *m, int64_t now)
{
	struct err err = ERR_INIT;

	if (f->hello) {
		f->b->frames_bad++;
		return;
	}
	f->hello = true;
	advance(f->b, STAGE_SETUP);
	f->b->hello_ns = now - f->started;
	free(f->b->release);
	f->b->release = xstrdup(m->hello.release);
	f->b->mem_kb = m->hello.mem_kb;
	if (kernel_check_age(f->b->release, &err) < 0) {
		f->failed = true;
		snprintf(f->why, sizeof(f->why), "%s", err.msg);
	}
}

static void take(struct follow *f, const struct msg *m, int64_t now)
{
	switch (m->kind) {
	case MSG_HELLO:
		take_hello(f, m, now);
		break;
	case MSG_DISK:
		take_disk(f, &m->disk);
		break;
	case MSG_LACKS:
		f->lacks = true;
		snprintf(f->why, sizeof(f->why), "%s%s", m->lacks.text,
			 strcmp(m->lacks.what, "disk") ? "" :
			 " (a driver that is not built in comes with 'modules =' in a *.kernel)");
		break;
	case MSG_FAIL:
		/* what comes later may be the consequence */
		if (!f->lacks && !f->failed)
			snprintf(f->why, sizeof(f->why), "%s: %s", m->fail.stage, m->fail.text);
		f->failed = true;
		break;
	case MSG_READY:
		f->ready = true;
		f->preparing = false;
		advance(f->b, STAGE_JOBS);
		break;
	case MSG_RESULT:
		take_result(f, &m->result);
		break;
	case MSG_END:
		take_end(f, &m->end);
		break;
	case MSG_STACKS:
		take_stacks(f, &m->stacks);
		break;
	case MSG_STACK:
		take_stack(f, &m->stack);
		break;
	case MSG_DOCUMENT:
		if (!document_take(&f->document, find_job(f->b, m->document.job), &m->document))
			f->b->frames_bad++;
		break;
	case MSG_TRACING:
		free(f->b->pauses_note);
		f->b->pauses_note = xstrdup(m->tracing.note);
		f->b->pauses_lost = m->tracing.lost;
		break;
	case MSG_PAUSES:
		take_pauses(f, &m->pauses);
		break;
	case MSG_SAMPLE:
		take_sample(f, &m->sample);
		break;
	case MSG_DONE:
		f->done = true;
		advance(f->b, STAGE_END);
		break;
	case MSG_START:
		f->preparing = !f->ready;
		break;
	case MSG_MODULE:	/* what a failed one means shows when its disk is missing */
	case MSG_SET:
	case MSG_UNKNOWN:
		break;
	}
	f->b->guest_ns = m->ns;
}

/* A gap counts what is missing in it; a number that is too low, or absurd, counts once. */
static void count_lost(struct follow *f, uint32_t seq)
{
	uint32_t gap = seq - f->next_seq;

	f->b->frames_lost += gap < GAP_MAX ? gap : 1;
	f->next_seq = seq + 1;
}

void follow_frame(struct follow *f, const char *line, size_t len, int64_t now)
{
	struct msg *m __free(ptr) = NULL;
	struct err ignored = ERR_INIT;
	struct frame frame;

	if (frame_decode(line, len, &frame) != FRAME_OK) {
		f->b->frames_bad++;
		return;
	}
	count_lost(f, frame.seq);
	m = xmalloc(sizeof(*m));
	if (msg_parse(m, frame.json, frame.json_len, &ignored))
		f->b->frames_bad++;
	else
		take(f, m, now);
}

void follow_console(struct follow *f, const char *line, size_t len)
{
	console_line(&f->console, line, len);
}

/* QEMU stops the machine when the host fails it (werror=stop): the guest is not to blame. */
static void describe_host_error(struct follow *f, const json_t *j)
{
	const char *node = json_string_value(json_object_get(j, "node-name"));
	const char *action = json_string_value(json_object_get(j, "action"));
	const char *reason = json_string_value(json_object_get(j, "reason"));

	if (!action || strcmp(action, "stop"))
		return;
	f->host_failed = true;
	snprintf(f->why, sizeof(f->why), "disk image '%s': %s",
		 node ? str_escape(node) : "?", reason ? str_escape(reason) : "I/O error");
}

void follow_qmp(struct follow *f, const char *name, const char *data)
{
	json_t *j __free(json) = json_loads(data, 0, NULL);
	const char *reason = json_string_value(json_object_get(j, "reason"));

	if (!strcmp(name, "BLOCK_IO_ERROR") && !f->host_failed)
		describe_host_error(f, j);
	if (strcmp(name, "SHUTDOWN") || !reason)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(shutdowns); i++)
		if (!strcmp(shutdowns[i].reason, reason))
			f->ended = shutdowns[i].text;
}

static void settle(struct boot *b, enum outcome outcome, char *reason)
{
	b->outcome = outcome;
	free(b->reason);
	b->reason = reason;
}

/* Console lines that show the fault, or, without one, the last ones. */
static void keep_evidence(struct follow *f, enum console_fault fault)
{
	const struct strvec *lines = &f->console.lines[fault];

	size_t skip = f->console.last.n > CONSOLE_CONTEXT ? f->console.last.n - CONSOLE_CONTEXT : 0;

	strvec_pushv(&f->b->evidence, lines->n ? lines->v : f->console.last.v + skip);
}

static const char *first_line(const struct follow *f, enum console_fault fault)
{
	return f->console.lines[fault].n ? f->console.lines[fault].v[0] : "";
}

/* A reason is one line. */
static void put_lines(struct strbuf *out, const char *lines)
{
	struct strvec each __release(strvec) = STRVEC_INIT;

	strvec_split(&each, lines, "\n");
	strvec_each (line, &each)
		strbuf_addf(out, "%s%s", line == each.v ? ": " : "; ", *line);
}

/* Why the guest is gone although it did not say that it was done. */
static char *gone_text(const struct follow *f, int status, int64_t silent_ns, const char *said)
{
	const char *during = f->ready		 ? "while jobs ran"
			     : f->hello		 ? "while it set up"
			     : f->console.booted ? "before the agent's first frame"
						 : "before the kernel's first line";
	struct strbuf sb = STRBUF_INIT;

	if (silent_ns)
		return xstrfmt("silence: the guest said nothing for %lld s %s",
			       (long long)(silent_ns / NS_PER_S), during);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return xstrfmt("%s %s", f->ended, during);
	strbuf_addf(&sb, "QEMU %s %s", proc_status_text(status), during);
	put_lines(&sb, said);
	return strbuf_detach(&sb, NULL);
}

void follow_settle(struct follow *f, int status, int64_t silent_ns, const char *qemu_said)
{
	enum console_fault worst = console_worst(&f->console);
	struct boot *b = f->b;

	memcpy(b->console_seen, f->console.seen, sizeof(b->console_seen));
	if (worst >= CONSOLE_OOM) {
		settle(b, OUTCOME_BROKEN, xstrfmt("%s: %s", console_fault_name(worst),
						  first_line(f, worst)));
		keep_evidence(f, worst);
	} else if (f->lacks) {
		settle(b, OUTCOME_SKIPPED, xstrfmt("the kernel lacks: %s", str_escape(f->why)));
	} else if (f->failed) {
		settle(b, OUTCOME_BROKEN, xstrdup(str_escape(f->why)));
		keep_evidence(f, CONSOLE_CLEAN);
	} else if (!f->done) {
		settle(b, OUTCOME_BROKEN, gone_text(f, status, silent_ns, qemu_said));
		keep_evidence(f, CONSOLE_CLEAN);
	} else if (b->frames_lost) {
		settle(b, OUTCOME_BROKEN, xstrfmt("%u of the agent's frames were lost",
						  b->frames_lost));
	} else {
		settle(b, OUTCOME_DONE, xstrdup(""));
	}
}
