/* SPDX-License-Identifier: GPL-2.0-only */
/* Debug info for a kernel: given, at hand, or built. */
#include "kbuild/symbols.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "kbuild/resolve.h"
#include "kernel/bzimage.h"
#include "kernel/dwarf.h"
#include "kernel/kernel.h"

static int take_given(char **vmlinux, const char *given, struct err *err)
{
	bool present;
	int ret = dwarf_present(given, &present, err);

	if (ret == 0 && !present)
		ret = err_input(err, "'%s' has no debug info", str_escape(given));
	if (ret == 0)
		*vmlinux = xstrdup(given);
	else
		err->kind = ERR_INPUT;
	return ret;
}

static int build(char **vmlinux, const struct kernel_ask *ask, struct err *err)
{
	struct kernel_ask with = *ask;
	struct kernel k __release(kernel) = KERNEL_INIT;
	int ret;

	with.debug_info = true;
	ret = kernel_resolve(&k, &with, err);
	if (ret == 0)
		*vmlinux = no_free_ptr(k.vmlinux);
	return ret < 0 ? err_wrap(err, "with debug info") : 0;
}

static int nowhere(const struct kernel *k, struct err *err)
{
	return err_unable(err, "the kernel '%s' is not built here and has no debug info: take one "
			  "with a source, such as debian-6.1, or give its unstripped vmlinux with "
			  "--vmlinux (Debian's is in the package linux-image-%s-dbg)",
			  str_escape(k->name), str_escape(k->release));
}

static int find(char **vmlinux, const struct kernel_ask *ask, const struct kernel *k,
		const char *given, struct err *err)
{
	bool present = false;
	int ret;

	if (given)
		return take_given(vmlinux, given, err);
	ret = k->vmlinux ? dwarf_present(k->vmlinux, &present, err) : 0;
	if (ret < 0)
		return ret;
	if (present)
		*vmlinux = xstrdup(k->vmlinux);
	else if (k->source)
		return build(vmlinux, ask, err);
	else
		return nowhere(k, err);
	return 0;
}

/* Is it the one that is booted? */
static int check(const char *vmlinux, const struct kernel *k, const char *dir, struct err *err)
{
	char *unpacked __free(ptr) = path_join(dir, "vmlinux");
	struct bzimage bz;
	int ret;

	if (k->vmlinux)
		return dwarf_fits(vmlinux, k->vmlinux, err);
	ret = bzimage_extract(k->bzimage, unpacked, &bz, err);
	if (ret == 0)
		ret = dwarf_fits(vmlinux, unpacked, err);
	unlink(unpacked);
	return ret;
}

char *symbols_source(const struct kernel *k, const char *cache_dir)
{
	char *dir __free(ptr) = xstrfmt("%s/kernels/sources/%s/tree", cache_dir, k->source_id);

	return *k->source_id && path_is_dir(dir) ? no_free_ptr(dir) : NULL;
}

int symbols_find(char **vmlinux, const struct kernel_ask *ask, const struct kernel *k,
		 const char *given, const char *dir, struct err *err)
{
	int ret = find(vmlinux, ask, k, given, err);

	return ret < 0 ? ret : check(*vmlinux, k, dir, err);
}
