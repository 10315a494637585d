/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the guest ends. Everything that it cannot go on without ends here, from wherever it was
 * found: PID 1 has no caller to return to.
 */
#ifndef AGENT_END_H
#define AGENT_END_H

/* Say on the console why, and power off; for what happens before there is a port. */
_Noreturn void end_silent(const char *why);
/* All jobs have ended: "done", and power off. */
_Noreturn void end_done(void);
/* "fail" with a stage, an errno or 0, and a text; and power off. */
_Noreturn void end_fail(const char *stage, int error, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* As end_fail(), after a "lacks" frame that says which thing (disk, filesystem, file, setting)
 * this kernel or machine does not have. */
_Noreturn void end_lacks(const char *stage, const char *what, const char *name, int error,
			 const char *fmt, ...) __attribute__((format(printf, 5, 6)));

#endif
