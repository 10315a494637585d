/* SPDX-License-Identifier: GPL-2.0-only */
/* iorig doctor: what this machine has and lacks. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/tool.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "host/host.h"
#include "run/options.h"

static const struct argp argp = {
	.doc = "Say what this machine has and lacks: QEMU, KVM, tools, folders. Exit status 128 "
	       "if something that 'iorig run' needs is missing.",
};

static const struct {
	const char *program, *package, *what;
	bool needed;
} tools[] = {
	{ "mke2fs", "e2fsprogs", "filesystems of the disks", true },
	{ "xorriso", "xorriso", "the CD of the ATAPI cases", true },
	{ "depmod", "kmod", "index of kernel modules", true },
	{ "apt-get", "apt", "fetching packaged kernels", false },
};

static void print_host(void)
{
	struct host_facts f;
	char memory[32], why[160];

	host_facts_read(&f);
	printf("host      %s, Linux %s\n", f.os, f.kernel);
	printf("          %d CPUs (%s), %s, load %.2f\n", f.cpus, f.cpu,
	       format_size(f.memory >> 20 << 20, memory), f.load);
	printf("kvm       %s: ", host_kvm_usable(why) ? "usable" : "not usable");
	printf("%s\n", why);
}

static bool print_tools(void)
{
	bool ok = true;

	for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
		char *path __free(ptr) = NULL;
		struct err err = ERR_INIT;

		if (!tool_find(tools[i].program, tools[i].package, &path, &err)) {
			printf("%-9s %s\n", tools[i].program, path);
			continue;
		}
		printf("%-9s MISSING, for %s: %s\n", tools[i].program, tools[i].what, err.msg);
		ok = ok && !tools[i].needed;
	}
	return ok;
}

static bool print_folders(struct run_options *o)
{
	const struct {
		const char *name;
		int (*find)(char **path, struct err *err);
		char **path;
	} folders[] = { { "data", path_data, &o->data_dir },
			{ "programs", path_lib, &o->lib_dir },
			{ "cache", path_cache, &o->cache_dir } };
	bool ok = true;

	for (size_t i = 0; i < ARRAY_SIZE(folders); i++) {
		struct err err = ERR_INIT;

		if (folders[i].find(folders[i].path, &err)) {
			printf("%-9s MISSING: %s\n", folders[i].name, err.msg);
			ok = false;
		} else {
			printf("%-9s %s\n", folders[i].name, *folders[i].path);
		}
	}
	return ok;
}

int cmd_doctor(int argc, char **argv)
{
	struct run_options o __release(run_options);
	struct err err = ERR_INIT;
	bool ok;

	run_options_init(&o);
	argp_parse(&argp, argc, argv, 0, NULL, NULL);
	printf("iorig     %s\n", IORIG_VERSION);
	print_host();
	ok = print_tools();
	ok &= print_folders(&o);
	if (!o.lib_dir) {
		ok = false;
	} else if (run_options_resolve(&o, &err)) {
		printf("MISSING   %s\n", err.msg);
		ok = false;
	} else {
		printf("qemu      %s, %s\n", o.qemu.path, o.qemu.version);
		printf("busybox   %s, %zu commands\n", o.busybox, o.applets.n);
		printf("a run would use %s: %s\n", o.accel == ACCEL_KVM ? "KVM" : "TCG",
		       o.accel_why);
	}
	puts(ok ? "all that 'iorig run' needs is here" : "something is missing: see above");
	return ok ? EXIT_PASS : EXIT_RIG;
}
