/* SPDX-License-Identifier: GPL-2.0-only */
/* Private apt states for Debian's suites. */
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/progress.h"
#include "base/tool.h"
#include "source/suite.h"

#define DAY_S	   86400
#define OUTPUT_MAX ((size_t)1 << 20)

/* What a system may have apt do after an update is about the system's lists, not about ours. */
#define CONFIG                                                                                     \
	"#clear APT::Update::Pre-Invoke;\n"                                                        \
	"#clear APT::Update::Post-Invoke;\n"                                                       \
	"#clear APT::Update::Post-Invoke-Success;\n"

/* Nothing of the system's but its mirrors, its proxies and its credentials. */
static const char *const settings[] = {
	"Dir::Etc::sourceparts=/dev/null",
	"Dir::Etc::preferences=/dev/null",
	"Dir::Etc::preferencesparts=/dev/null",
	"Dir::State::status=/dev/null",
	/* Some systems go without; reading the lists anew each time takes seconds. */
	"Dir::Cache::pkgcache=pkgcache.bin",
	"Acquire::Languages=none",
	/* As root apt would fetch as user _apt, who may not write here. */
	"APT::Sandbox::User=root",
};

/* Suites with a kernel of their own, the newest first, and whether their security updates have an
 * archive of their own. The kernel is NULL where it changes from month to month. */
static const struct known_suite {
	const char *name, *kernel;
	bool security;
} known_suites[] = {
	{ "sid", NULL, false },
	{ "trixie-backports", NULL, false },
	{ "trixie", "6.12", true },
	{ "bookworm-backports", NULL, false },
	{ "bookworm", "6.1", true },
	{ "bullseye", "5.10", true },
};

void apt_suite_release(struct apt_suite *s)
{
	free(s->name);
	free(s->dir);
	strvec_release(&s->options);
	*s = (struct apt_suite)APT_SUITE_INIT;
}

bool apt_suite_name_ok(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	size_t len = strlen(name);

	return len >= 2 && len <= 40 && strspn(name, letters) > 0 &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == len;
}

void apt_suites_for(const char *package, struct strvec *names)
{
	static const char prefix[] = "linux-source-";
	const char *version = strncmp(package, prefix, strlen(prefix)) ? "" :
									 package + strlen(prefix);

	for (int likely = 1; likely >= 0; likely--) {
		for (size_t i = 0; i < ARRAY_SIZE(known_suites); i++) {
			const struct known_suite *k = &known_suites[i];

			if ((k->kernel && !strcmp(k->kernel, version)) == likely)
				strvec_push(names, k->name);
		}
	}
}

/* A URI as it may stand in sources.list. */
static bool uri_ok(const char *uri)
{
	if (strncmp(uri, "cdrom:", 6) == 0 || !strchr(uri, ':'))
		return false;
	for (; *uri; uri++) {
		if (*uri <= ' ' || *uri > '~' || strchr("\"'\\#[]", *uri))
			return false;
	}
	return true;
}

void apt_suite_mirrors_parse(const char *text, char **debian, char **security)
{
	struct strvec lines __release(strvec) = STRVEC_INIT;

	*debian = *security = NULL;
	strvec_split(&lines, text, "\n");
	strvec_each (line, &lines) {
		struct strvec f __release(strvec) = STRVEC_INIT;
		char **to = NULL;

		strvec_split(&f, *line, "|");
		if (f.n != 3 || strcmp(f.v[0], "Debian") != 0 || !uri_ok(f.v[2]))
			continue;
		if (!strcmp(f.v[1], "Debian"))
			to = debian;
		else if (!strcmp(f.v[1], "Debian-Security"))
			to = security;
		if (to && !*to)
			*to = xstrdup(f.v[2]);
	}
}

/* An apt that gives no answer has no mirror to tell. */
static int own_mirrors(char **debian, char **security, struct err *err)
{
	struct deadline d = deadline_in("apt-get indextargets", 60 * NS_PER_S);
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct proc proc __release(proc) = PROC_INIT;
	struct err ignored = ERR_INIT;
	int ret;

	*debian = *security = NULL;
	strvec_pushl(&proc.argv, "apt-get", "indextargets", "--format",
		     "$(ORIGIN)|$(LABEL)|$(REPO_URI)", "Identifier: Packages", NULL);
	strvec_push(&proc.env, "LC_ALL=C");
	ret = proc_capture(&proc, &d, OUTPUT_MAX, &out, NULL, &ignored);
	if (ret == -EINTR)
		*err = ignored;
	if (ret == 0)
		apt_suite_mirrors_parse(out.buf, debian, security);
	return ret == -EINTR ? ret : 0;
}

/* Places to try, one after the other; each is a Debian archive and its security archive. */
struct mirror {
	const char *debian, *security, *option;
};

static int find_keyring(char **path, struct err *err)
{
	static const char *const names[] = { "gpg", "pgp" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char *p __free(ptr) =
			xstrfmt("/usr/share/keyrings/debian-archive-keyring.%s", names[i]);

		if (path_is_file(p)) {
			*path = no_free_ptr(p);
			return 0;
		}
	}
	return err_unable(err, "Debian's keys are not here: install debian-archive-keyring");
}

static bool has_security(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(known_suites); i++) {
		if (!strcmp(known_suites[i].name, name))
			return known_suites[i].security;
	}
	return !strcmp(name, "stable") || !strcmp(name, "oldstable") ||
	       !strcmp(name, "oldoldstable");
}

static int write_sources(const struct apt_suite *s, const struct mirror *m, const char *path,
			 struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	char *keyring __free(ptr) = NULL;
	int ret = find_keyring(&keyring, err);

	if (ret < 0)
		return ret;
	/* The kernels that run here are for one architecture; sources are for all. */
	strbuf_addf(&sb, "deb [arch=amd64 target=Packages signed-by=%s%s] %s %s main\n", keyring,
		    m->option, m->debian, s->name);
	if (has_security(s->name))
		strbuf_addf(&sb, "deb [arch=amd64 target=Packages signed-by=%s%s] %s %s-security "
			    "main\n", keyring, m->option, m->security, s->name);
	return file_write_atomic(path, sb.buf, sb.len, 0644, err);
}

/* Fetch the lists from one mirror. The old lists stay when it fails. */
static int update_from(const struct apt_suite *s, const struct mirror *m, struct err *err)
{
	struct deadline d = deadline_in("apt-get update", 900 * NS_PER_S);
	char *sources __free(ptr) = path_join(s->dir, "sources.list");
	char *tried __free(ptr) = path_join(s->dir, "sources.new");
	struct strbuf out __release(strbuf) = STRBUF_INIT;
	struct proc proc __release(proc) = PROC_INIT;
	int ret = write_sources(s, m, tried, err);

	if (ret < 0)
		return ret;
	progress("fetching Debian's list of packages for %s from %s", s->name, m->debian);
	strvec_pushl(&proc.argv, "apt-get", "-q", NULL);
	strvec_pushv(&proc.argv, s->options.v);
	strvec_push(&proc.argv, "-o");
	strvec_pushf(&proc.argv, "Dir::Etc::sourcelist=%s", tried);
	/* Without it apt takes what it could not fetch for no error. */
	strvec_pushl(&proc.argv, "-o", "APT::Update::Error-Mode=any", "-o",
		     "APT::Get::List-Cleanup=false", "-o", "Acquire::Retries=1", "-o",
		     "Acquire::http::Timeout=30", "-o", "Acquire::https::Timeout=30", "update",
		     NULL);
	strvec_push(&proc.env, "LC_ALL=C");
	ret = proc_capture(&proc, &d, OUTPUT_MAX, &out, NULL, err);
	if (ret == 0 && rename(tried, sources) < 0)
		ret = err_sys(err, -errno, "cannot move '%s' to '%s'", str_escape(tried),
			      str_escape(sources));
	return ret;
}

static int update(const struct apt_suite *s, struct err *err)
{
	char *debian __free(ptr) = NULL, *security __free(ptr) = NULL;
	char *stamp __free(ptr) = path_join(s->dir, "updated");
	struct err first = ERR_INIT;
	int ret = own_mirrors(&debian, &security, err);
	const struct mirror mirrors[] = {
		{ debian, security ? security : "http://deb.debian.org/debian-security", "" },
		{ "http://deb.debian.org/debian", "http://deb.debian.org/debian-security", "" },
		/* What lies there has outlived the date until which its lists were good. */
		{ "http://archive.debian.org/debian", "http://archive.debian.org/debian-security",
		  " check-valid-until=no" },
	};

	if (ret < 0)
		return ret;
	ret = -ENOENT;
	for (size_t i = 0; ret < 0 && ret != -EINTR && i < ARRAY_SIZE(mirrors); i++) {
		struct err mirror_err = ERR_INIT;

		if (!mirrors[i].debian)
			continue;
		ret = update_from(s, &mirrors[i], &mirror_err);
		/* The first place that failed is the one to hear about. */
		if (ret == -EINTR || (ret < 0 && !first.code))
			first = mirror_err;
	}
	if (ret < 0)
		*err = first;
	return ret < 0 ? ret : file_write_atomic(stamp, "", 0, 0644, err);
}

static int make_state(struct apt_suite *s, const char *kernels_dir, struct err *err)
{
	static const char *const folders[] = { "lists/partial", "archives/partial" };
	char *config __free(ptr) = NULL;
	int ret = 0;

	s->dir = xstrfmt("%s/apt/%s", kernels_dir, s->name);
	for (size_t i = 0; ret == 0 && i < ARRAY_SIZE(folders); i++) {
		char *path __free(ptr) = path_join(s->dir, folders[i]);

		ret = dir_make(path, err);
	}
	if (ret < 0)
		return ret;
	config = path_join(s->dir, "apt.conf");
	strvec_pushl(&s->options, "-c", config, NULL);
	for (size_t i = 0; i < 2; i++) {
		strvec_push(&s->options, "-o");
		strvec_pushf(&s->options, "Dir::%s=%s", i ? "Cache" : "State", s->dir);
	}
	strvec_push(&s->options, "-o");
	strvec_pushf(&s->options, "Dir::Etc::sourcelist=%s/sources.list", s->dir);
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		strvec_pushl(&s->options, "-o", settings[i], NULL);
	return file_write_atomic(config, CONFIG, strlen(CONFIG), 0644, err);
}

/* Seconds since the lists were fetched; -1 if never. A clock that was set back makes them old. */
static int64_t lists_age(const char *dir)
{
	char *stamp __free(ptr) = path_join(dir, "updated");
	struct stat st;
	int64_t age;

	if (stat(stamp, &st) < 0)
		return -1;
	age = time(NULL) - st.st_mtime;
	return age < 0 ? INT64_MAX : age;
}

int apt_suite_open(struct apt_suite *s, const char *name, const char *kernels_dir, int max_age_s,
	       struct err *err)
{
	struct err update_err = ERR_INIT;
	int64_t age;
	int ret;

	BUG_ON(!apt_suite_name_ok(name));
	s->name = xstrdup(name);
	ret = make_state(s, kernels_dir, err);
	if (ret < 0)
		return ret;
	age = lists_age(s->dir);
	if (age >= 0 && age <= max_age_s)
		return 0;
	ret = update(s, &update_err);
	if (ret == 0)
		return 0;
	if (ret == -EINTR) {
		*err = update_err;
		return ret;
	}
	if (age >= 0) {
		progress("cannot refresh Debian's list of packages for %s (%s); taking the old one",
			 s->name, update_err.msg);
		return 0;
	}
	return err_unable(err, "cannot fetch Debian's list of packages for '%s': %s", s->name,
			  update_err.msg);
}

void apt_suites_stamp(const char *kernels_dir, struct hash *h)
{
	char *apt __free(ptr) = path_join(kernels_dir, "apt");
	struct strvec names __release(strvec) = STRVEC_INIT;
	struct err ignored = ERR_INIT;

	if (dir_list(apt, NULL, &names, &ignored) < 0)
		return;
	strvec_each (name, &names) {
		char *dir __free(ptr) = path_join(apt, *name);
		int64_t today = time(NULL) / DAY_S, age = lists_age(dir), fetched;

		fetched = age < 0 || age > DAY_S ? today : time(NULL) - age;
		hash_add_str(h, *name);
		hash_add(h, &fetched, sizeof(fetched));
	}
}
