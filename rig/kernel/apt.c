/* SPDX-License-Identifier: GPL-2.0-only */
/* apt-cache and apt-get download. */
#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/tool.h"
#include "kernel/apt.h"

#define SHOW_MAX (1 << 20)
#define LISTS	 "/var/lib/apt/lists"
/* As much as surely fits into 64 bits. */
#define SIZE_DIGITS 18

static const char *const part_prefixes[] = { "linux-image-", "linux-binary-", "linux-modules-",
					     "linux-source-" };

void apt_package_release(struct apt_package *p)
{
	free(p->name);
	free(p->version);
	strvec_release(&p->parts);
	*p = (struct apt_package)APT_PACKAGE_INIT;
}

static bool word_ok(const char *s, const char *extra)
{
	if (!isalnum((unsigned char)s[0]))
		return false;
	for (; *s; s++) {
		if (!isalnum((unsigned char)*s) && !strchr(extra, *s))
			return false;
	}
	return true;
}

bool apt_name_ok(const char *name)
{
	return strlen(name) >= 2 && word_ok(name, "+.-");
}

bool apt_version_ok(const char *version)
{
	return word_ok(version, "+.-~:");
}

/* One dependency, "a (= 1.2) | b": its first alternative, if it is part of a kernel. */
static void add_part(struct apt_package *p, const char *dep)
{
	struct strvec words __release(strvec) = STRVEC_INIT;
	bool part = false;

	strvec_split(&words, dep, " ()");
	if (words.n == 0 || !apt_name_ok(words.v[0]))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(part_prefixes); i++)
		part |= !strncmp(words.v[0], part_prefixes[i], strlen(part_prefixes[i]));
	if (!part)
		return;
	if (words.n >= 3 && !strcmp(words.v[1], "=") && apt_version_ok(words.v[2]))
		strvec_pushf(&p->parts, "%s=%s", words.v[0], words.v[2]);
	else
		strvec_push(&p->parts, words.v[0]);
}

static void take_field(struct apt_package *p, const char *key, const char *value)
{
	struct strvec deps __release(strvec) = STRVEC_INIT;

	if (!strcmp(key, "Package") && !p->name) {
		p->name = xstrdup(value);
	} else if (!strcmp(key, "Version") && !p->version) {
		p->version = xstrdup(value);
	} else if (!strcmp(key, "SHA256") && strlen(value) == HASH_HEX - 1) {
		memcpy(p->sha256, value, HASH_HEX);
	} else if (!strcmp(key, "Size") && strlen(value) <= SIZE_DIGITS) {
		p->size = strtoll(value, NULL, 10);
	} else if (!strcmp(key, "Depends")) {
		strvec_split(&deps, value, ",");
		strvec_each(dep, &deps)
			add_part(p, *dep);
	}
}

int apt_show_parse(struct apt_package *p, const char *text, struct err *err)
{
	while (*text && *text != '\n') {
		size_t len = strcspn(text, "\n");
		char *line __free(ptr) = xstrndup(text, len);
		char *colon = strchr(line, ':');

		/* Lines that start with white space continue a description. */
		if (colon && !isspace((unsigned char)line[0])) {
			*colon = '\0';
			take_field(p, line, colon + 1 + strspn(colon + 1, " \t"));
		}
		text += len + (text[len] == '\n');
	}
	if (!p->name || !apt_name_ok(p->name) || !p->version || !apt_version_ok(p->version) ||
	    strspn(p->sha256, "0123456789abcdef") != HASH_HEX - 1)
		return err_set(err, -EPROTO, "apt-cache's answer lacks a name, version or SHA-256");
	return 0;
}

static int no_package(const char *name, const char *why, struct err *err)
{
	err_unable(err,
		   "the package '%s' cannot be had (%s): run apt-get update or 'make deps', or "
		   "give a kernel's path (KERNEL=path)",
		   str_escape(name), why);
	err->code = -ENOENT;
	return err->code;
}

int apt_show(struct apt_package *p, const struct strvec *options, const char *name,
	     struct err *err)
{
	struct deadline d = deadline_in("apt-cache show", 60 * NS_PER_S);
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct strbuf errout __release(strbuf) = STRBUF_INIT;
	struct proc proc __release(proc) = PROC_INIT;
	struct err apt_err = ERR_INIT;
	char *program __free(ptr) = NULL;
	int ret;

	if (tool_find("apt-cache", "apt", &program, &apt_err) < 0)
		return no_package(name, "there is no apt here", err);
	strvec_pushl(&proc.argv, program, "show", "--no-all-versions", name, NULL);
	if (options)
		strvec_pushv(&proc.argv, options->v);
	strvec_push(&proc.env, "LC_ALL=C");
	ret = proc_capture(&proc, &d, SHOW_MAX, &out, &errout, &apt_err);
	if (ret == -EINTR) {
		*err = apt_err;
		return ret;
	}
	if (ret < 0 || out.len == 0)
		return no_package(name, "apt's lists do not know it", err);
	return apt_show_parse(p, out.buf, err);
}

/* How much of the package is there, at most every few seconds and only when it is more. */
static void tell_how_far(const struct apt_package *p, const char *dir, int64_t *told)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	struct err ignored = ERR_INIT;
	char *path __free(ptr) = NULL;
	int64_t size;

	if (p->size <= 0 || dir_list(dir, ".deb", &names, &ignored) < 0 || names.n != 1)
		return;
	path = path_join(dir, names.v[0]);
	size = file_size(path);
	if (size <= *told || size > p->size)
		return;
	*told = size;
	progress("fetching %s: %d of %d MB", p->name, (int)(size / 1000000),
		 (int)(p->size / 1000000));
}

/* Wait for its end, with news. */
static int follow_download(struct proc *proc, const struct apt_package *p, const char *dir,
			   struct err *err)
{
	struct deadline d = deadline_in("the download of a kernel package", 1800 * NS_PER_S);
	int64_t told = 0;

	for (;;) {
		struct deadline step = deadline_in("news", 3 * NS_PER_S);
		struct err step_err = ERR_INIT;
		int ret = proc_wait(proc, &step, &step_err);

		if (ret < 0 && ret != -ETIMEDOUT)
			*err = step_err;
		if (ret != -ETIMEDOUT)
			return ret;
		if (deadline_passed(&d))
			return deadline_error(&d, err);
		tell_how_far(p, dir, &told);
	}
}

static int run_download(const struct apt_package *p, const struct strvec *options, const char *dir,
			struct err *err)
{
	struct strbuf words __release(strbuf) = STRBUF_INIT;
	struct proc proc __release(proc) = PROC_INIT;
	char *program __free(ptr) = NULL;
	char *log __free(ptr) = path_join(dir, "apt-says");
	int fd __free(fd) = open(log, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int ret = tool_find("apt-get", "apt", &program, err);
	const char *line;

	if (ret < 0)
		return ret;
	if (fd < 0)
		return err_sys(err, -errno, "cannot create '%s'", str_escape(log));
	strvec_pushl(&proc.argv, program, "-q", NULL);
	/* As root apt would fetch as user _apt, who may not write here, and warn about it. */
	if (geteuid() == 0)
		strvec_pushl(&proc.argv, "-o", "APT::Sandbox::User=root", NULL);
	if (options)
		strvec_pushv(&proc.argv, options->v);
	strvec_push(&proc.argv, "download");
	strvec_pushf(&proc.argv, "%s=%s", p->name, p->version);
	strvec_push(&proc.env, "LC_ALL=C");
	proc.dir = dir;
	proc.err_fd = fd;
	ret = proc_start(&proc, err);
	if (ret == 0)
		ret = follow_download(&proc, p, dir, err);
	if (ret < 0 || proc.status == 0)
		return ret;
	ret = file_read(log, SHOW_MAX, &words, err);
	if (ret < 0)
		return ret;
	strbuf_trim(&words);
	line = strrchr(words.buf, '\n');
	return err_set(err, -EIO, "apt-get %s: %s", proc_status_text(proc.status),
		       str_escape(line ? line + 1 : words.buf));
}

int apt_download(const struct apt_package *p, const struct strvec *options, const char *dir,
		 char **deb, struct err *err)
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	char hex[HASH_HEX];
	struct err apt_err = ERR_INIT;
	int ret;

	progress("fetching %s %s", p->name, p->version);
	ret = run_download(p, options, dir, &apt_err);
	if (ret == -EINTR) {
		*err = apt_err;
		return ret;
	}
	if (ret < 0) {
		err_unable(err,
			   "cannot fetch %s %s (%s): run apt-get update, or give a kernel's "
			   "path (KERNEL=path)",
			   p->name, p->version, apt_err.msg);
		return err->code;
	}
	ret = dir_list(dir, ".deb", &names, err);
	if (ret < 0)
		return ret;
	if (names.n != 1)
		return err_unable(err, "apt-get download left %zu packages instead of one",
				  names.n);
	*deb = path_join(dir, names.v[0]);
	ret = hash_file(*deb, hex, err);
	if (ret == 0 && strcmp(hex, p->sha256) != 0)
		ret = err_unable(err,
				 "%s %s was fetched, but its SHA-256 is not what apt's lists say",
				 p->name, p->version);
	if (ret < 0) {
		free(*deb);
		*deb = NULL;
	}
	return ret;
}

void apt_lists_stamp(char hex[HASH_HEX])
{
	struct strvec names __release(strvec) = STRVEC_INIT;
	struct err ignored = ERR_INIT;
	struct hash h;
	size_t used = 0;

	hex[0] = '\0';
	if (dir_list(LISTS, NULL, &names, &ignored) < 0)
		return;
	hash_init(&h);
	strvec_each(name, &names) {
		char *path __free(ptr) = path_join(LISTS, *name);
		struct stat st;

		/* Folders and the lock change without news. */
		if (!strcmp(*name, "lock") || stat(path, &st) < 0 || !S_ISREG(st.st_mode))
			continue;
		hash_add_str(&h, *name);
		hash_add(&h, &st.st_size, sizeof(st.st_size));
		hash_add(&h, &st.st_mtim, sizeof(st.st_mtim));
		used++;
	}
	if (used)
		hash_hex(&h, hex);
}
