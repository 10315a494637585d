/* SPDX-License-Identifier: GPL-2.0-only */
/* Children that read a patch from a file in memory. */
#include "patch/patchset_git.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/tool.h"

#define OUTPUT_MAX ((size_t)64 << 20)
#define TIME_MAX   (120 * NS_PER_S)

int patch_git_init(struct proc *p, struct err *err)
{
	char *git __free(ptr) = NULL;
	int ret = tool_find("git", "git", &git, err);

	if (ret < 0)
		return ret;
	strvec_pushl(&p->argv, git, "-c", "core.attributesFile=/dev/null", NULL);
	for (char **e = environ; *e; e++) {
		if (!strncmp(*e, "GIT_", 4))
			strvec_push_nodup(&p->env, strndup(*e, strcspn(*e, "=")));
	}
	/* A GIT_DIR that is none keeps it from looking for a repository further up. */
	strvec_pushl(&p->env, "LC_ALL=C", "GIT_DIR=/dev/null/none", "GIT_CONFIG_NOSYSTEM=1",
		     "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ATTR_NOSYSTEM=1", NULL);
	return 0;
}

int patch_git_feed(struct proc *p, const void *text, size_t len, int *status, struct strbuf *out,
		   struct strbuf *errout, struct err *err)
{
	struct deadline d = deadline_in("a patch", TIME_MAX);
	struct err failed = ERR_INIT;
	int fd __free(fd) = memfd_create("patch", MFD_CLOEXEC), ret;

	if (fd < 0)
		return err_sys(err, -errno, "cannot make a file in memory");
	ret = fd_write_all(fd, text, len);
	if (ret < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return err_sys(err, ret < 0 ? ret : -errno, "cannot write a file in memory");
	p->in_fd = fd;
	ret = proc_capture(p, &d, OUTPUT_MAX, out, errout, &failed);
	p->in_fd = -1;
	*status = !p->pid && WIFEXITED(p->status) ? WEXITSTATUS(p->status) : 0;
	/* a status other than 0 is the caller's to understand */
	if (ret == -EIO && *status)
		return 0;
	if (ret < 0)
		*err = failed;
	return ret;
}
