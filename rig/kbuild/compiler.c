/* SPDX-License-Identifier: GPL-2.0-only */
/* What kernels are compiled with, and whether it is all there. */
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "kbuild/make.h"
#include "kbuild/make_env.h"

#define TOOL_TIME  (60 * NS_PER_S)
#define OUTPUT_MAX ((size_t)1 << 20)

static const struct {
	const char *program, *package;
} tools[] = {
	{ "make", "make" }, { "gcc", "gcc" },	  { "ld", "binutils" },
	{ "flex", "flex" }, { "bison", "bison" }, { "bc", "bc" },
};

static void add_word(struct strbuf *sb, const char *word)
{
	strbuf_addf(sb, "%s%s", sb->len ? " " : "", word);
}

static int run_tool(struct proc *p, struct strbuf *out, struct err *err)
{
	struct deadline d = deadline_in("a version", TOOL_TIME);
	struct strbuf ignored __release(strbuf) = STRBUF_INIT;

	make_env_set(p);
	return proc_capture(p, &d, OUTPUT_MAX, out, &ignored, err);
}

/* The first line of PROGRAM --version. */
static int first_line(const char *program, struct strbuf *sb, struct err *err)
{
	struct proc p __release(proc) = PROC_INIT;
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	int ret;

	strvec_pushl(&p.argv, program, "--version", NULL);
	ret = run_tool(&p, &out, err);
	if (ret == 0)
		strbuf_add_escaped(sb, out.buf, strcspn(out.buf, "\n"), 200);
	return ret;
}

/* Does the compiler find libelf's header? */
static bool has_libelf(void)
{
	struct proc p __release(proc) = PROC_INIT;
	struct err ignored = ERR_INIT;

	strvec_pushl(&p.argv, "gcc", "-E", "-include", "gelf.h", "-x", "c", "/dev/null", NULL);
	return run_tool(&p, NULL, &ignored) == 0;
}

static int check_tools(struct err *err)
{
	struct strbuf missing __release(strbuf) = STRBUF_INIT;
	struct strbuf packages __release(strbuf) = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
		char *path __free(ptr) = proc_find(tools[i].program);

		if (path)
			continue;
		add_word(&missing, tools[i].program);
		add_word(&packages, tools[i].package);
	}
	/* without a compiler there is nobody to ask */
	if (!strstr(packages.buf, "gcc") && !has_libelf()) {
		add_word(&missing, "<gelf.h>");
		add_word(&packages, "libelf-dev");
	}
	if (!missing.len)
		return 0;
	err_unable(err, "kernels cannot be built without %s: install the packages %s, or run "
			"'make deps'", missing.buf, packages.buf);
	err->code = -ENOENT;
	return err->code;
}

int make_compiler(char **label, char hex[HASH_HEX], struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	int ret = check_tools(err);

	if (ret == 0)
		ret = first_line("gcc", &sb, err);
	strbuf_addstr(&sb, ", ");
	if (ret == 0)
		ret = first_line("ld", &sb, err);
	if (ret < 0)
		return ret;
	hash_mem(sb.buf, sb.len, hex);
	*label = strbuf_detach(&sb, NULL);
	return 0;
}
