/* SPDX-License-Identifier: GPL-2.0-only */
/* Finding QEMU and asking for its version. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "host/host.h"

#define PROGRAM "qemu-system-x86_64"
#define INSTALL "install the package qemu-system-x86"

void host_qemu_release(struct host_qemu *qemu)
{
	free(qemu->path);
	*qemu = (struct host_qemu){ .path = NULL };
}

/* "QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b5)\nCopyright ..." */
static int parse_version(struct host_qemu *qemu, char *text, struct err *err)
{
	static const char prefix[] = "QEMU emulator version ";
	char *v = text + sizeof(prefix) - 1;

	if (strncmp(text, prefix, sizeof(prefix) - 1) != 0 ||
	    sscanf(v, "%3d.%3d", &qemu->major, &qemu->minor) != 2)
		return err_set(err, -EPROTO, "'%s --version' does not look like QEMU's",
			       str_escape(qemu->path));
	v[strcspn(v, "\n")] = '\0';
	snprintf(qemu->version, sizeof(qemu->version), "%s", str_escape(v));
	return 0;
}

static int ask_version(struct host_qemu *qemu, struct err *err)
{
	struct deadline d = deadline_in("qemu --version", 20 * NS_PER_S);
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct proc p __release(proc) = PROC_INIT;
	int ret;

	strvec_pushl(&p.argv, qemu->path, "--version", NULL);
	ret = proc_capture(&p, &d, 65536, &out, NULL, err);
	return ret < 0 ? ret : parse_version(qemu, out.buf, err);
}

int host_qemu_find(struct host_qemu *qemu, struct err *err)
{
	const char *given = getenv("IORIG_QEMU");
	const char *name = given && *given ? given : PROGRAM;
	int ret;

	*qemu = (struct host_qemu){ .path = NULL };
	qemu->path = strchr(name, '/') ? xstrdup(name) : proc_find(name);
	if (!qemu->path)
		return err_set(err, -ENOENT, "'%s' not found: " INSTALL, str_escape(name));
	ret = ask_version(qemu, err);
	if (ret < 0) {
		host_qemu_release(qemu);
		return err_wrap(err, "cannot use QEMU (" INSTALL ", or set IORIG_QEMU)");
	}
	return 0;
}
