/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Debian's other suites than those that this system's apt knows, without root and without a change
 * to /etc or /var/lib/apt: each has an apt state of its own in the cache.
 *
 *	CACHE/kernels/apt/SUITE/
 *		sources.list	one or two lines: SUITE, and SUITE-security if there is one
 *		apt.conf	switches off what a system's configuration does after an update
 *		lists/		the index of main, nothing else; checked with Debian's own keyring
 *		updated		its time: when the lists were fetched
 *
 * The mirror is the one that the system's own lists come from if those are Debian's, else, or if
 * that one does not have the suite, deb.debian.org, and archive.debian.org for suites that were
 * moved there. The system's apt.conf counts (proxies). Used under the lock of the kernel cache.
 */
#ifndef SOURCE_SUITE_H
#define SOURCE_SUITE_H

#include <stdbool.h>

#include "base/hash.h"
#include "base/strvec.h"

struct err;

struct apt_suite {
	char *name;
	char *dir;
	struct strvec options;	/* for apt_show() and apt_download() */
};

#define APT_SUITE_INIT { .name = NULL, .options = STRVEC_INIT }
void apt_suite_release(struct apt_suite *s);

/* A name of a suite, so never an option or a path: [a-z][a-z0-9-]+ */
bool apt_suite_name_ok(const char *name);
/*
 * Have its lists: fetched if there are none, or if they are older than max_age_s. If they cannot
 * be fetched the old ones serve, and progress() says so; without old ones it is ERR_UNABLE.
 */
int apt_suite_open(struct apt_suite *s, const char *name, const char *kernels_dir, int max_age_s,
	       struct err *err);
/* The suites that may know the package, the likeliest first. */
void apt_suites_for(const char *package, struct strvec *names);
/* Changes whenever the lists of a suite do, and once a day when some are older than a day. */
void apt_suites_stamp(const char *kernels_dir, struct hash *h);
/* Mirrors of Debian and of its security updates out of the lines that mirrors' question to apt
 * gives, "ORIGIN|LABEL|URI"; NULL where there is none. Both are the caller's to free. */
void apt_suite_mirrors_parse(const char *text, char **debian, char **security);

#endif
