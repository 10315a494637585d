/* SPDX-License-Identifier: GPL-2.0-only */
/* What a guest's frames and console have said, and what came of its boot. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "case/case.h"
#include "record/record.h"
#include "run/follow.h"
#include "wire/frame.h"

/* A guest may talk nonsense for hours: more samples than this are counted as lost. */
#define SAMPLES_MAX 100000

void follow_init(struct follow *f, struct boot *b, const struct kase *c, int64_t now)
{
	*f = (struct follow){ .b = b, .c = c, .started = now };
	console_init(&f->console);
	b->stage = STAGE_BOOT;
}

void follow_release(struct follow *f)
{
	console_release(&f->console);
}

static struct job_result *find_job(struct boot *b, const char *name)
{
	for (size_t i = 0; i < b->n_jobs; i++)
		if (!strcmp(b->jobs[i].name, name))
			return &b->jobs[i];
	return NULL;
}

static void take_disk(struct follow *f, const struct msg_disk *d)
{
	if (f->b->n_disks >= f->c->n_disks)
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

static void take_sample(struct follow *f, const struct msg_sample *s)
{
	if (f->b->n_samples >= SAMPLES_MAX)
		f->b->frames_lost++;
	else
		*array_grow(f->b->samples, f->b->n_samples) = *s;
}

static void take_hello(struct follow *f, const struct msg *m, int64_t now)
{
	f->hello = true;
	f->b->stage = STAGE_SETUP;
	f->b->hello_ns = now - f->started;
	free(f->b->release);
	f->b->release = xstrdup(m->hello.release);
	f->b->mem_kb = m->hello.mem_kb;
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
		snprintf(f->why, sizeof(f->why), "%s", m->lacks.text);
		break;
	case MSG_FAIL:
		f->failed = true;
		if (!f->lacks)
			snprintf(f->why, sizeof(f->why), "%s: %s", m->fail.stage, m->fail.text);
		break;
	case MSG_READY:
		f->ready = true;
		f->b->stage = STAGE_JOBS;
		break;
	case MSG_END:
		take_end(f, &m->end);
		break;
	case MSG_SAMPLE:
		take_sample(f, &m->sample);
		break;
	case MSG_DONE:
		f->done = true;
		f->b->stage = STAGE_END;
		break;
	case MSG_MODULE:	/* what a failed one means shows when its disk is missing */
	case MSG_SET:
	case MSG_START:
	case MSG_UNKNOWN:
		break;
	}
	f->b->guest_ns = m->ns;
}

void follow_frame(struct follow *f, const char *line, size_t len, int64_t now)
{
	struct err ignored = ERR_INIT;
	struct frame frame;
	struct msg *m;

	if (frame_decode(line, len, &frame) != FRAME_OK) {
		f->b->frames_bad++;
		return;
	}
	if (frame.seq != f->next_seq)
		f->b->frames_lost += frame.seq - f->next_seq < 1000000
					     ? frame.seq - f->next_seq : 1;
	f->next_seq = frame.seq + 1;
	m = xmalloc(sizeof(*m));
	if (msg_parse(m, frame.json, frame.json_len, &ignored))
		f->b->frames_bad++;
	else
		take(f, m, now);
	free(m);
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
	json_t *j = json_loads(data, 0, NULL);
	const char *reason = json_string_value(json_object_get(j, "reason"));

	if (!strcmp(name, "SHUTDOWN") && reason)
		f->reset = !strcmp(reason, "guest-reset");
	else if (!strcmp(name, "BLOCK_IO_ERROR") && !f->host_failed)
		describe_host_error(f, j);
	json_decref(j);
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

	strvec_pushv(&f->b->evidence, lines->n ? lines->v : f->console.last.v);
}

static const char *first_line(const struct follow *f, enum console_fault fault)
{
	return f->console.lines[fault].n ? f->console.lines[fault].v[0] : "";
}

static char *gone_text(const struct follow *f, int status, int64_t silent_ns, const char *said)
{
	const char *during = f->done    ? "after the jobs"
			     : f->ready ? "while jobs ran"
			     : f->hello ? "while it set up"
			     : f->console.booted ? "before the agent's first frame"
						 : "before the kernel's first line";

	if (silent_ns)
		return xstrfmt("silence: the guest said nothing for %lld s %s",
			       (long long)(silent_ns / NS_PER_S), during);
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return xstrfmt("the guest %s %s",
			       f->reset ? "rebooted" : "powered off",
			       during);
	return xstrfmt("QEMU %s %s%s%s", proc_status_text(status), during, *said ? ": " : "", said);
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
