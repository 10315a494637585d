/* SPDX-License-Identifier: GPL-2.0-only */
/* One git command, in an environment of its own. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/tool.h"
#include "source/source_run.h"

#define OUTPUT_MAX ((size_t)64 << 20)

/* What a repository's own configuration must not decide here. */
static const char *const settings[] = {
	"core.hooksPath=/dev/null",
	"core.fsmonitor=false",
	"core.untrackedCache=false",
	"core.splitIndex=false",
	"core.sparseCheckout=false",
	"core.autocrlf=false",
	"core.safecrlf=false",
	"core.attributesFile=/dev/null",
	"core.excludesFile=/dev/null",
	/* A hard link to a file changes its ctime, not the file. */
	"core.trustctime=false",
	"gc.auto=0",
	"protocol.allow=never",
};

static const char *const variables[] = {
	"GIT_CONFIG_NOSYSTEM=1",
	"GIT_CONFIG_GLOBAL=/dev/null",
	"GIT_ATTR_NOSYSTEM=1",
	"GIT_NO_REPLACE_OBJECTS=1",
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_NO_LAZY_FETCH=1",
	"GIT_TERMINAL_PROMPT=0",
	/* Where versions before GIT_CONFIG_GLOBAL look. */
	"HOME=/nonexistent",
	"XDG_CONFIG_HOME=/nonexistent",
	"LC_ALL=C",
};

static void set_environment(struct strvec *env, const struct git *g)
{
	for (char **e = environ; *e; e++) {
		if (!strncmp(*e, "GIT_", strlen("GIT_")))
			strvec_push_nodup(env, xstrndup(*e, strcspn(*e, "=")));
	}
	for (size_t i = 0; i < ARRAY_SIZE(variables); i++)
		strvec_push(env, variables[i]);
	strvec_pushf(env, "GIT_DIR=%s", g->dir);
	if (g->work_tree)
		strvec_pushf(env, "GIT_WORK_TREE=%s", g->work_tree);
	if (g->index)
		strvec_pushf(env, "GIT_INDEX_FILE=%s", g->index);
}

/* A file in memory with the paths; -errno. */
static int input_file(const struct strvec *input)
{
	int fd = memfd_create("paths", MFD_CLOEXEC), ret = 0;
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	if (fd < 0)
		return -errno;
	for (size_t i = 0; i < input->n; i++)
		strbuf_add(&sb, input->v[i], strlen(input->v[i]) + 1);
	ret = fd_write_all(fd, sb.buf, sb.len);
	if (ret == 0 && lseek(fd, 0, SEEK_SET) < 0)
		ret = -errno;
	if (ret == 0)
		return fd;
	close(fd);
	return ret;
}

int git_run(const struct git *g, const char *const *args, const struct strvec *input,
	    struct strbuf *out, struct err *err)
{
	struct deadline d = deadline_in("git", 1800 * NS_PER_S);
	struct proc proc __release(proc) = PROC_INIT;
	char *program __free(ptr) = NULL;
	int fd __free(fd) = -1;
	const char *where = g->work_tree ? g->work_tree : g->dir;
	int ret = tool_find("git", "git", &program, err);

	if (ret < 0)
		return ret;
	strvec_push(&proc.argv, program);
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		strvec_pushl(&proc.argv, "-c", settings[i], NULL);
	for (; *args; args++)
		strvec_push(&proc.argv, *args);
	set_environment(&proc.env, g);
	/* Not where the caller happens to be: that may be gone, or a repository. */
	proc.dir = g->work_tree ? g->work_tree : "/";
	if (input) {
		fd = input_file(input);
		if (fd < 0)
			return err_sys(err, fd, "cannot pass paths to git");
		proc.in_fd = fd;
	}
	ret = proc_capture(&proc, &d, OUTPUT_MAX, out, NULL, err);
	if (ret == -EIO && path_disk_full(where))
		ret = err_set(err, -ENOSPC, "the disk of '%s' is full", str_escape(where));
	return ret;
}

int git_line(const struct git *g, const char *const *args, char **line, struct err *err)
{
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	int ret = git_run(g, args, NULL, &out, err);

	if (ret == 0)
		*line = xstrndup(out.buf, strcspn(out.buf, "\n"));
	return ret;
}
