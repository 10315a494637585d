/* SPDX-License-Identifier: GPL-2.0-only */
/* gdb as a child with a machine to look at. */
#include "run/gdb.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "vm/vm.h"

/* A person may look for as long as he likes; reading the debug info of a large kernel and a stack
 * takes seconds. */
#define PERSON_NS (7 * 24 * 3600 * NS_PER_S)
#define BATCH_NS  (600 * NS_PER_S)

static void build_argv(const struct gdb *g, const char *socket, struct strvec *argv)
{
	strvec_pushl(argv, g->program, "-q", NULL);
	if (g->batch)
		strvec_pushl(argv, "-nx", "-batch", NULL);
	if (g->source) {
		strvec_push(argv, "-d");
		strvec_push(argv, g->source);
	}
	/* nothing is asked of the network, and nothing runs that lies beside the vmlinux */
	strvec_pushl(argv, "-iex", "set debuginfod enabled off", "-iex", "set auto-load no",
		     "-iex", "set pagination off", "-iex", "set style enabled off", g->vmlinux,
		     "-x", g->commands, "-ex", NULL);
	strvec_pushf(argv, "%s %s", g->batch ? "iorig batch" : "target remote", socket);
	if (!g->batch)
		strvec_pushl(argv, "-ex", "help iorig", "-ex", "set confirm off", NULL);
}

/*
 * Hand the terminal to a group of processes, as a shell does, so that ^C reaches it and not us. A
 * member that asked for the terminal before it had it was stopped: let it go on. TTOU is what
 * the terminal sends to those in its background who want to change that.
 */
static void give_terminal(pid_t group)
{
	sigset_t ttou, old;

	sigemptyset(&ttou);
	sigaddset(&ttou, SIGTTOU);
	sigprocmask(SIG_BLOCK, &ttou, &old);
	tcsetpgrp(STDIN_FILENO, group);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (group != getpgrp())
		kill(-group, SIGCONT);
}

static int run(struct proc *p, const struct gdb *g, struct err *err)
{
	struct deadline d = deadline_in("gdb", g->batch ? BATCH_NS : PERSON_NS);
	bool terminal = !g->batch && isatty(STDIN_FILENO);
	int ret;

	p->in_fd = g->batch ? -1 : STDIN_FILENO;
	p->out_fd = STDOUT_FILENO;
	p->own_group = terminal;
	ret = proc_start(p, err);
	if (ret)
		return ret;
	if (terminal)
		give_terminal(p->pid);
	ret = proc_wait(p, &d, err);
	if (terminal)
		give_terminal(getpgrp());
	if (!ret && p->status)
		ret = err_set(err, -EIO, "gdb %s", proc_status_text(p->status));
	return ret;
}

int gdb_run(const struct gdb *g, struct vm *vm, struct err *err)
{
	struct proc p __release(proc) = PROC_INIT;
	char *dir __free(ptr) = NULL, *socket __free(ptr) = NULL;
	struct err ignored = ERR_INIT;
	/* not below the results: a socket's path has to be short; nobody else may look inside */
	int ret = dir_temp("/tmp/iorig-gdb-", &dir, err);

	if (ret)
		return ret;
	socket = path_join(dir, "gdb");
	ret = vm_gdbserver(vm, socket, err);
	if (!ret) {
		build_argv(g, socket, &p.argv);
		ret = run(&p, g, err);
	}
	dir_remove(dir, &ignored);
	return ret;
}
