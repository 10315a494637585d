/* SPDX-License-Identifier: GPL-2.0-only */
/* What a kernel struct owns. */
#include "kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/strbuf.h"

void kernel_release(struct kernel *k)
{
	free(k->name);
	free(k->title);
	free(k->image);
	free(k->bzimage);
	free(k->vmlinux);
	free(k->release);
	free(k->package);
	free(k->config);
	free(k->modules_dir);
	free(k->cmdline);
	free(k->source);
	free(k->compiler);
	free(k->build_log);
	for (size_t i = 0; i < k->n_patches; i++) {
		free(k->patches[i].name);
		free(k->patches[i].subject);
	}
	free(k->patches);
	*k = (struct kernel)KERNEL_INIT;
}

bool kernel_same(const struct kernel *a, const struct kernel *b)
{
	return !a->modules_dir && !b->modules_dir && *a->image_sha256 &&
	       !strcmp(a->image_sha256, b->image_sha256) &&
	       !strcmp(a->cmdline ? a->cmdline : "", b->cmdline ? b->cmdline : "");
}

int kernel_use_bzimage(struct kernel *k, struct err *err)
{
	if (!k->bzimage)
		return err_input(err, "the kernel '%s' has no bzImage", str_escape(k->name));
	free(k->image);
	k->image = xstrdup(k->bzimage);
	return hash_file(k->image, k->image_sha256, err);
}
