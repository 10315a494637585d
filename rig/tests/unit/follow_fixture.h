/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of run/follow share: a case with two disks and two jobs, and a guest that talks. */
#ifndef UNIT_FOLLOW_FIXTURE_H
#define UNIT_FOLLOW_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "case/case.h"
#include "record/record.h"
#include "run/boot.h"
#include "run/follow.h"
#include "wire/frame.h"

#define HELLO_OF(release)                                                                          \
	"{\"t\":\"hello\",\"ns\":1000,\"proto\":1,\"release\":\"" release "\",\"machine\":\"x86_64\","  \
	"\"mem_kb\":120000,\"cpus\":1}"
#define HELLO HELLO_OF("6.1.0")
#define READY "{\"t\":\"ready\",\"ns\":2000}"
#define DONE  "{\"t\":\"done\",\"ns\":9000}"
#define END(job, wall)                                                                             \
	"{\"t\":\"end\",\"ns\":8000,\"job\":\"" job "\",\"start_ns\":1,\"wall_ns\":" #wall            \
	",\"user_ns\":1,\"sys_ns\":1,\"exit\":0,\"signal\":0,\"timeout\":0,\"stopped\":0,"         \
	"\"output\":\"\"}"
#define DISK(name)                                                                                 \
	"{\"t\":\"disk\",\"ns\":1500,\"name\":\"" name "\",\"dev\":\"sda\",\"major\":8,"          \
	"\"minor\":0,\"bytes\":1048576,\"sector\":512}"
#define SAMPLE                                                                                     \
	"{\"t\":\"sample\",\"ns\":3000,\"disks\":{},\"vm\":{},"                                      \
	"\"vmstat\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}"
#define FAIL  "{\"t\":\"fail\",\"ns\":1600,\"stage\":\"mount\",\"text\":\"cannot mount hda\",\"error\":5}"
#define LACKS                                                                                      \
	"{\"t\":\"lacks\",\"ns\":1500,\"what\":\"filesystem\",\"name\":\"ext2\","                  \
	"\"text\":\"no filesystem ext2\"}"

struct talk {
	struct case_disk disks[2];
	struct case_job jobs[2];
	struct kase c;
	struct boot b;
	struct follow f;
	uint32_t seq;
};

static inline void init(struct talk *t)
{
	*t = (struct talk){ 0 };
	t->disks[0].name = "hda";
	t->disks[1].name = "dvd";
	t->jobs[0] = (struct case_job){ .name = "hdd", .role = PLAN_VICTIM };
	t->jobs[1] = (struct case_job){ .name = "dvd", .role = PLAN_LOAD };
	t->c = (struct kase){
		.name = "g/both", .scale = "quick", .text = "text", .disks = t->disks,
		.n_disks = 2, .jobs = t->jobs, .n_jobs = 2,
	};
	boot_init(&t->b);
	boot_describe(&t->b, &(struct boot_task){ .c = &t->c, .seed = 3, .dir = "g-both.3" });
	follow_init(&t->f, &t->b, &t->c, 5 * NS_PER_S);
}

static inline void done(struct talk *t)
{
	follow_release(&t->f);
	boot_release(&t->b);
}

/* A frame with a sequence number of its own, 6 s after the host started at 5 s. */
static inline void say_as(struct talk *t, uint32_t seq, const char *json)
{
	static char line[FRAME_MAX];
	int len = frame_encode(line, sizeof(line), seq, json, strlen(json));

	assert_true(len > 1);
	follow_frame(&t->f, line, (size_t)len - 1, 11 * NS_PER_S);
}

static inline void say(struct talk *t, const char *json)
{
	say_as(t, t->seq++, json);
}

static inline void console(struct talk *t, const char *line)
{
	follow_console(&t->f, line, strlen(line));
}

static inline void expect_boot(const struct talk *t, enum outcome outcome, enum stage stage,
			       const char *reason)
{
	const struct boot *b = &t->b;

	if (b->outcome != outcome || b->stage != stage || strcmp(b->reason, reason) != 0)
		fail_msg("got %s at %s '%s', wanted %s at %s '%s'", outcome_name(b->outcome),
			 stage_name(b->stage), b->reason, outcome_name(outcome),
			 stage_name(stage), reason);
	assert_true(!strchr(b->reason, '\n') && !strchr(b->reason, '\033'));
}

#endif
