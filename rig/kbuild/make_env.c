/* SPDX-License-Identifier: GPL-2.0-only */
/* A reduced environment for kbuild, and make's jobserver. */
#include "kbuild/make_env.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/proc.h"

/* Of our own environment. A name that ends with '_' stands for all that begin with it. */
static const char *const kept[] = { "PATH", "HOME", "TMPDIR", "CCACHE_" };

static const char *const fixed[] = {
	"LC_ALL=C",
	"TZ=UTC",
	/* kbuild hands it to date(1) in some places and puts it into the kernel in others */
	"KBUILD_BUILD_TIMESTAMP=Thu Jan  1 00:00:00 UTC 1970",
	"KBUILD_BUILD_USER=iorig",
	"KBUILD_BUILD_HOST=iorig",
	"KBUILD_BUILD_VERSION=1",
	/* set though empty: no "+" for a tree that is not a tagged commit */
	"LOCALVERSION=",
	/* the folder that trees are built in may lie inside of a repository */
	"GIT_DIR=/nonexistent",
};

static bool is_kept(const char *variable)
{
	size_t len = strcspn(variable, "=");

	for (size_t i = 0; i < ARRAY_SIZE(kept); i++) {
		size_t n = strlen(kept[i]);

		if (kept[i][n - 1] == '_' ? !strncmp(variable, kept[i], n) :
					    len == n && !memcmp(variable, kept[i], n))
			return true;
	}
	return false;
}

void make_env_set(struct proc *p)
{
	for (char **e = environ; *e; e++) {
		char *name __free(ptr) = xstrndup(*e, strcspn(*e, "="));

		if (!is_kept(*e))
			strvec_push(&p->env, name);
	}
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		strvec_push(&p->env, fixed[i]);
}

/* Not ours and not closed: whoever started us passed it on. */
static bool inherited_pipe(int fd)
{
	int flags = fd > STDERR_FILENO ? fcntl(fd, F_GETFD) : -1;
	struct stat st;

	return flags >= 0 && !(flags & FD_CLOEXEC) && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

static bool is_fifo(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode) && access(path, R_OK | W_OK) == 0;
}

/* The last option in the text that begins with one of these words. */
static const char *last_option(const char *text)
{
	static const char *const options[] = { "--jobserver-auth=", "--jobserver-fds=" };
	const char *found = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		for (const char *s = strstr(text, options[i]); s; s = strstr(s + 1, options[i])) {
			if (!found || s > found)
				found = s;
		}
	}
	return found;
}

bool make_env_jobserver(const char *makeflags, int fds[2], char **word)
{
	const char *option = makeflags ? last_option(makeflags) : NULL;
	char *copy __free(ptr) = option ? xstrndup(option, strcspn(option, " \t")) : NULL;
	char *value = copy ? strchr(copy, '=') + 1 : NULL, extra;
	int r, w;

	if (!value)
		return false;
	if (!strncmp(value, "fifo:", 5)) {
		if (!is_fifo(value + 5))
			return false;
		fds[0] = fds[1] = -1;
	} else {
		if (sscanf(value, "%d,%d%c", &r, &w, &extra) != 2 || r == w || !inherited_pipe(r) ||
		    !inherited_pipe(w))
			return false;
		fds[0] = r;
		fds[1] = w;
	}
	*word = no_free_ptr(copy);
	return true;
}

static int processors(void)
{
	cpu_set_t set;

	/* fails where there are more than fit into the set: then one job each for what is online */
	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return (int)sysconf(_SC_NPROCESSORS_ONLN);
	return CPU_COUNT(&set);
}

void make_env_jobs(struct proc *p)
{
	char *word __free(ptr) = NULL;
	int fds[2], n;

	if (make_env_jobserver(getenv("MAKEFLAGS"), fds, &word)) {
		p->keep[0] = fds[0];
		p->keep[1] = fds[1];
		strvec_pushf(&p->env, "MAKEFLAGS= -j %s", word);
		return;
	}
	n = processors();
	strvec_pushf(&p->argv, "-j%d", n > 0 ? n : 1);
}
