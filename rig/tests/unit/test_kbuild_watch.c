/* SPDX-License-Identifier: GPL-2.0-only */
/* Unit tests of kbuild/watch: steps and errors in what builds print. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "kbuild/watch.h"

static void test_steps(void **state)
{
	static const struct {
		const char *line, *step;
		int compiled;
	} rows[] = {
		{ "  CC      mm/page-writeback.o", "CC mm/page-writeback.o", 1 },
		{ "  CC [M]  fs/ext4/inode.o", "CC fs/ext4/inode.o", 1 },
		{ "  AS      arch/x86/entry/entry_64.o", "AS arch/x86/entry/entry_64.o", 1 },
		{ "  HOSTCC  scripts/basic/fixdep", "HOSTCC scripts/basic/fixdep", 0 },
		{ "  LD      vmlinux", "LD vmlinux", 0 },
		{ "  VDSO2C  arch/x86/entry/vdso/vdso-image-64.c",
		  "VDSO2C arch/x86/entry/vdso/vdso-image-64.c", 0 },
		{ "  UPD     a\033[2J", "UPD a\\x1b[2J", 0 },
		{ "make[1]: Entering directory", "", 0 }, { "   CC x.o", "", 0 }, { "  CC", "", 0 },
		{ "  CC ", "", 0 }, { "  cc x.o", "", 0 }, { "", "", 0 }, { "  ", "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct watch w = WATCH_INIT;

		assert_int_equal(watch_line(&w, rows[i].line), *rows[i].step != '\0');
		assert_string_equal(w.step, rows[i].step);
		assert_int_equal(w.compiled, rows[i].compiled);
		watch_release(&w);
	}
}

/* Feed lines; the failure must read as expected. */
static void assert_failure(const char *text, const char *expected)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	struct strvec lines __release(strvec) = STRVEC_INIT;
	struct watch w = WATCH_INIT;

	strvec_split(&lines, text, "\n");
	strvec_each (line, &lines)
		watch_line(&w, *line);
	watch_errors(&w, &sb);
	assert_string_equal(sb.buf, expected);
	watch_release(&w);
	watch_release(&w);
}

/* As gcc 12, binutils 2.40, GNU make 4.3 and kernels from 5.10 to 7.2 print them. */
static void test_errors(void **state)
{
	(void)state;
	assert_failure("", "no message");
	assert_failure("something odd\n\n", "something odd");
	assert_failure("  CC      a.o\na.c: In function 'f':\na.c:3:9: warning: unused variable 'x'\n"
		       "a.c:5:2: error: 'y' undeclared (first use in this function)\n"
		       "    5 |  y = 1;\n      |  ^\n"
		       "make[2]: *** [scripts/Makefile.build:250: a.o] Error 1\n"
		       "make: *** [Makefile:2013: .] Error 2\n",
		       "a.c:5:2: error: 'y' undeclared (first use in this function)");
	assert_failure("a.c:1:10: fatal error: none.h: No such file or directory\n"
		       "b.c:7:1: error: expected ';'\nb.c:7:1: error: expected ';'\n",
		       "a.c:1:10: fatal error: none.h: No such file or directory; "
		       "b.c:7:1: error: expected ';'");
	assert_failure("ld: mm/page-writeback.o: in function `balance_dirty_pages':\n"
		       "page-writeback.c:(.text+0x12): undefined reference to `wb_gone'\n"
		       "collect2: error: ld returned 1 exit status\n"
		       "make[1]: *** [scripts/Makefile.vmlinux:34: vmlinux] Error 1\n",
		       "page-writeback.c:(.text+0x12): undefined reference to `wb_gone'");
	assert_failure("ld: warning: x has a LOAD segment with RWX permissions\n"
		       "/usr/bin/ld: cannot find -lelf: No such file or directory\n",
		       "/usr/bin/ld: cannot find -lelf: No such file or directory");
	assert_failure("entry.S: Assembler messages:\nentry.S:12: Error: no such instruction: `foo'\n",
		       "entry.S:12: Error: no such instruction: `foo'");
	assert_failure("make[3]: *** No rule to make target 'mm/gone.o', needed by "
		       "'mm/built-in.a'.  Stop.\nmake[2]: *** [Makefile:500: mm] Error 2\n",
		       "make[3]: *** No rule to make target 'mm/gone.o', needed by "
		       "'mm/built-in.a'.  Stop.");
	assert_failure("mm/Kconfig:5:error: recursive dependency detected!\n"
		       "mm/Kconfig:5:\tsymbol A depends on B\n",
		       "mm/Kconfig:5:error: recursive dependency detected!");
	assert_failure("mm/Kconfig:7: syntax error\nmake[1]: *** [x:77: allnoconfig] Error 1\n",
		       "mm/Kconfig:7: syntax error");
	assert_failure("vmlinux.o: error: objtool: f+0x1: unreachable instruction\n",
		       "vmlinux.o: error: objtool: f+0x1: unreachable instruction");
	assert_failure("error: objtool: can't find section\n", "error: objtool: can't find section");
	assert_failure("vmlinux.o: warning: objtool: f()+0x1: call to g() leaves .noinstr\n"
		       "ERROR: modpost: \"gone\" [fs/ext4/ext4.ko] undefined!\n",
		       "ERROR: modpost: \"gone\" [fs/ext4/ext4.ko] undefined!");
	assert_failure("FAILED unresolved symbol vfs_truncate\n",
		       "FAILED unresolved symbol vfs_truncate");
	assert_failure("/bin/sh: 1: bc: not found\nmake[1]: *** [Kbuild:24: timeconst.h] Error 127\n",
		       "/bin/sh: 1: bc: not found");
	assert_failure("make[1]: *** [Kbuild:24: timeconst.h] Error 1\nmake: *** [Makefile:1: x] Error 2",
		       "make[1]: *** [Kbuild:24: timeconst.h] Error 1; make: *** [Makefile:1: x] Error 2");
	/* with -j a consequence may be printed before its cause */
	assert_failure("make[2]: *** [Makefile:500: mm] Error 2\nb.c:1:1: error: late\n",
		       "b.c:1:1: error: late");
	assert_failure("Makefile:730: *** missing separator.  Stop.\n",
		       "Makefile:730: *** missing separator.  Stop.");
}

static void test_limits(void **state)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT, line __release(strbuf) = STRBUF_INIT;
	struct watch w = WATCH_INIT;

	(void)state;
	for (int i = 0; i < 100; i++) {
		strbuf_reset(&line);
		strbuf_addf(&line, "a.c:%d: error: \033[31m%0900d", i, 0);
		watch_line(&w, line.buf);
	}
	assert_int_equal(w.errors.n, WATCH_ERRORS);
	watch_errors(&w, &sb);
	assert_null(strchr(sb.buf, '\033'));
	assert_true(sb.len < 2000);
	assert_non_null(strstr(sb.buf, "a.c:0: error: "));
	watch_release(&w);
}

static void test_host_faults(void **state)
{
	struct watch w = WATCH_INIT;

	(void)state;
	watch_line(&w, "a.c:1: note: nothing wrong with memory or space");
	assert_false(w.disk_full || w.no_memory);
	watch_line(&w, "a.s: fatal error: error writing to /tmp/cc1.s: No space left on device");
	assert_true(w.disk_full);
	assert_false(w.no_memory);
	watch_line(&w, "gcc: fatal error: Killed signal terminated program cc1");
	assert_true(w.no_memory);
	watch_release(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_host_faults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
