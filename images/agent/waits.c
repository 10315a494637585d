/* SPDX-License-Identifier: GPL-2.0-only */
/* Looking at where jobs wait. */
#include "agent/waits.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "agent/jsonw.h"
#include "agent/now.h"
#include "agent/port.h"
#include "agent/stack.h"
#include "agent/text.h"
#include "wire/plan.h"

#define PIDS	  32768		/* pid_max of a guest with less than 33 CPUs */
#define FOUND_MAX 1024
#define FORGET_NS (5 * SEC)	/* numbers of processes come back */

struct entry {
	uint32_t count;
	uint16_t text;
	char state;
};

struct watched {
	pid_t group, single;	/* written by PID 1 alone; all else by the looker alone */
	int64_t rounds;
	uint32_t n, other;
	struct entry entries[WAITS_STACKS];
};

struct shared {
	char source[8];
	uint32_t n_texts;
	char texts[WAITS_TEXTS][WAITS_TEXT];
	struct watched jobs[PLAN_MAX_JOBS];
};

static const struct plan *plan;
static struct shared *shared;
static pid_t looker;

/* Below: the looker's own. */
/* Whose a process is: a job's number in the plan and 1, FOREIGN, or 0 if it is not known yet. */
#define FOREIGN -1
static int16_t owners[PIDS];
static int64_t forget_at;
static size_t turn;		/* the job that is the first of the next round */
static int looks;

/* The texts' number of this one, which is added if it is new; -1 if they are full. */
static int text_number(const char *text)
{
	uint32_t i;

	for (i = 0; i < shared->n_texts; i++) {
		if (strcmp(shared->texts[i], text) == 0)
			return i;
	}
	if (i == WAITS_TEXTS)
		return -1;
	snprintf(shared->texts[i], WAITS_TEXT, "%s", text);
	shared->n_texts++;
	return i;
}

static void count(struct watched *job, char state, const char *text)
{
	int number = text_number(text);
	struct entry *entry = job->entries, *end = entry + job->n;

	while (entry < end && (entry->state != state || entry->text != number))
		entry++;
	if (number < 0 || (entry == end && job->n == WAITS_STACKS)) {
		job->other++;
		return;
	}
	if (entry == end) {
		*entry = (struct entry){ .text = number, .state = state };
		job->n++;
	}
	entry->count++;
}

/* The state and process group of /proc/PID/stat; false if it is gone. */
static bool read_state(pid_t pid, char *state, pid_t *group)
{
	char path[64], text[512];
	const char *at;
	int parent, got_group;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (text_read(path, text, sizeof(text)) <= 0)
		return false;
	/* the name before it may hold anything, parentheses as well */
	at = strrchr(text, ')');
	if (!at || sscanf(at + 1, " %c %d %d", state, &parent, &got_group) != 3)
		return false;
	*group = got_group;
	return true;
}

static void look(struct watched *job, pid_t pid)
{
	static char text[4096], names[WAITS_TEXT];
	char path[64], state;
	pid_t group;

	looks++;
	if (!read_state(pid, &state, &group))
		return;
	names[0] = '\0';
	if ((state == 'S' || state == 'D') && strcmp(shared->source, "none") != 0) {
		snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, shared->source);
		if (text_read(path, text, sizeof(text)) < 0)
			return;		/* it has gone in between */
		stack_names(text, names, sizeof(names));
	}
	if (state == 'S' && stack_is_parent(names))
		return;
	count(job, state, names);
}

/* What this kernel has; the looker's own files show it. */
static const char *find_source(void)
{
	char text[4096];

	if (text_read("/proc/self/stack", text, sizeof(text)) >= 0)
		return "stack";
	return text_read("/proc/self/wchan", text, sizeof(text)) >= 0 ? "wchan" : "none";
}

static int16_t owner_of(pid_t pid)
{
	int16_t owner = FOREIGN;
	pid_t group;
	char state;
	size_t i;

	if (pid < PIDS && owners[pid])
		return owners[pid];
	if (!read_state(pid, &state, &group))
		return FOREIGN;
	for (i = 0; group > 1 && owner == FOREIGN && i < plan->n_jobs; i++) {
		if (shared->jobs[i].group == group)
			owner = i + 1;
	}
	if (pid < PIDS)
		owners[pid] = owner;
	return owner;
}

/* The jobs' processes of this round. */
static struct found {
	pid_t pid;
	int16_t owner;
} found[FOUND_MAX];
static size_t n_found;

static void find_processes(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;

	n_found = 0;
	while (dir && n_found < FOUND_MAX && (entry = readdir(dir))) {
		pid_t pid = atoi(entry->d_name);
		int16_t owner = pid > 1 ? owner_of(pid) : FOREIGN;

		if (owner != FOREIGN)
			found[n_found++] = (struct found){ pid, owner };
	}
	if (dir)
		closedir(dir);
}

/* Has a job come that was not there before? Then all may be somebody else's. */
static void forget(int64_t now)
{
	static pid_t known[PLAN_MAX_JOBS];
	bool changed = now >= forget_at;
	size_t i;

	for (i = 0; i < plan->n_jobs; i++) {
		changed |= known[i] != shared->jobs[i].group;
		known[i] = shared->jobs[i].group;
	}
	if (!changed)
		return;
	memset(owners, 0, sizeof(owners));
	forget_at = now + FORGET_NS;
}

static void look_at_job(size_t number)
{
	struct watched *job = &shared->jobs[number];
	size_t i;

	if (!job->group && !job->single)
		return;
	job->rounds++;
	if (job->single)
		look(job, job->single);
	for (i = 0; job->group && i < n_found; i++) {
		if (found[i].owner == (int16_t)(number + 1))
			look(job, found[i].pid);
	}
}

static void round_of_looks(int64_t now)
{
	size_t i;

	forget(now);
	find_processes();
	looks = 0;
	for (i = 0; i < plan->n_jobs && looks < WAITS_LOOKS; i++)
		look_at_job((turn + i) % plan->n_jobs);
	turn = (turn + i) % plan->n_jobs;
}

static _Noreturn void look_for_ever(int64_t next)
{
	for (;;) {
		struct timespec at = { .tv_sec = next / SEC, .tv_nsec = next % SEC };
		int64_t now;

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		now = now_ns();
		if (now < next)
			continue;
		round_of_looks(now);
		/* rounds that were missed are not made up for */
		next += ((now - next) / plan->stack_ns + 1) * plan->stack_ns;
	}
}

void waits_open(const struct plan *the_plan)
{
	void *memory;

	if (!the_plan->stack_ns || !the_plan->n_jobs)
		return;
	memory = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (memory == MAP_FAILED)
		return;
	plan = the_plan;
	shared = memory;
	snprintf(shared->source, sizeof(shared->source), "%s", find_source());
}

void waits_start(int64_t ready_ns)
{
	if (!shared)
		return;
	looker = fork();
	if (looker == 0)
		look_for_ever(ready_ns + plan->stack_ns);
}

void waits_watch(size_t job, pid_t group, pid_t single)
{
	if (!shared)
		return;
	shared->jobs[job].group = group;
	shared->jobs[job].single = single;
}

static void send_stack(const char *job, const char *state, uint32_t number, const char *text)
{
	struct jsonw *json = port_begin("stack");

	jsonw_string(json, "job", job);
	jsonw_string(json, "state", state);
	jsonw_number(json, "count", number);
	jsonw_string(json, "stack", text);
	port_send();
}

static void send_job(const char *name, const struct watched *job)
{
	struct jsonw *json = port_begin("stacks");
	uint32_t i;

	jsonw_string(json, "job", name);
	jsonw_number(json, "rounds", job->rounds);
	jsonw_string(json, "source", shared->source);
	port_send();
	for (i = 0; i < job->n; i++) {
		const char state[2] = { job->entries[i].state, '\0' };

		send_stack(name, state, job->entries[i].count,
			   shared->texts[job->entries[i].text]);
	}
	if (job->other)
		send_stack(name, "other", job->other, "");
}

void waits_send(void)
{
	size_t i;

	if (!shared || looker <= 0)
		return;
	kill(looker, SIGKILL);
	looker = 0;
	for (i = 0; i < plan->n_jobs; i++) {
		if (shared->jobs[i].rounds)
			send_job(plan->jobs[i].name, &shared->jobs[i]);
	}
}
