/* SPDX-License-Identifier: GPL-2.0-only */
/* Disk images through mke2fs, mkudffs and xorriso. */
#include <ctype.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/proc.h"
#include "base/tool.h"
#include "image/content.h"
#include "image/disk.h"

#define MIB	    (1LL << 20)
#define EXT_MAX	    (1LL << 40)
#define UDF_MIN	    (2 * MIB)	/* 258 blocks of any size */
#define CONTENT_MAX ((1LL << 32) - 2048) /* ISO 9660's limit for one extent */
#define CHUNK	    (1 << 20)
#define OUTPUT_MAX  (1 << 20)
#define UUID_TEXT   37
/* 2001-09-09: a date before any guest's, so that nothing lies in its future. */
#define FIXED_TIME	1000000000
#define FIXED_TIME_TEXT "1000000000"
#define FIXED_TIME_DATE "2001-09-09 01:46:40"

/* Fixed lists, so that neither mke2fs.conf nor a newer mke2fs decides. */
static const struct ext {
	const char *fs, *features;
	int64_t min;
} exts[] = {
	{ "ext2", "none,ext_attr,dir_index,filetype,sparse_super,large_file", 1 * MIB },
	{ "ext3", "none,ext_attr,dir_index,filetype,sparse_super,large_file,has_journal",
	  16 * MIB },
	{ "ext4",
	  "none,ext_attr,dir_index,filetype,sparse_super,large_file,has_journal,extent,"
	  "flex_bg,huge_file,dir_nlink,extra_isize,metadata_csum,64bit",
	  16 * MIB },
};

static const struct ext *find_ext(const char *fs)
{
	for (size_t i = 0; i < ARRAY_SIZE(exts); i++) {
		if (!strcmp(exts[i].fs, fs))
			return &exts[i];
	}
	return NULL;
}

static bool is_iso(const struct disk_image *d)
{
	return !strcmp(d->fs, "iso9660");
}

static bool is_udf(const struct disk_image *d)
{
	return !strcmp(d->fs, "udf");
}

static int check_size(const struct disk_image *d, struct err *err)
{
	const struct ext *ext = find_ext(d->fs);
	int64_t min = ext ? ext->min : is_udf(d) ? UDF_MIN : 1;
	int64_t max = is_iso(d) ? CONTENT_MAX : EXT_MAX;

	if (!ext && !is_iso(d) && !is_udf(d) && *d->fs)
		return err_input(err, "unknown filesystem '%s'", str_escape(d->fs));
	if (d->size < min || d->size > max)
		return err_input(err,
				 "disk '%s': %s of %lld bytes is impossible, it has %lld to "
				 "%lld",
				 d->name, *d->fs ? d->fs : "a disk", (long long)d->size,
				 (long long)min, (long long)max);
	if (!is_iso(d) && d->size % d->sector)
		return err_input(err,
				 "disk '%s': the size %lld is no multiple of the sector size %d",
				 d->name, (long long)d->size, d->sector);
	return 0;
}

static int check(const struct disk_image *d, struct err *err)
{
	size_t len = strlen(d->name), good = 0;

	while (isalnum((unsigned char)d->name[good]) || d->name[good] == '-' ||
	       d->name[good] == '_')
		good++;
	if (len == 0 || len > DISK_LABEL_MAX || good != len || d->name[0] == '-')
		return err_input(err, "'%s' is no label of a disk: 1 to %d of [A-Za-z0-9_-]",
				 str_escape(d->name), DISK_LABEL_MAX);
	if (d->sector != 512 && d->sector != 1024 && d->sector != 2048 && d->sector != 4096)
		return err_input(err, "disk '%s': a sector cannot have %d bytes", d->name,
				 d->sector);
	return check_size(d, err);
}

static int check_room(const struct disk_image *d, const char *path, struct err *err)
{
	char *dir __free(ptr) = xstrfmt("%.*s.", (int)(path_base(path) - path), path);
	/* xorriso copies the content from a file of its own. */
	int64_t need = is_iso(d) ? 2 * d->size + 2 * MIB : d->size, room;
	struct statvfs st;

	if (statvfs(dir, &st) < 0)
		return err_sys(err, -errno, "cannot stat '%s'", str_escape(dir));
	room = (int64_t)st.f_bavail * (int64_t)st.f_frsize;
	if (room >= need)
		return 0;
	return err_set(err, -ENOSPC,
		       "no room for the disk '%s' in '%s': it needs %lld MiB, free are "
		       "%lld MiB",
		       d->name, str_escape(dir), (long long)((need + MIB - 1) / MIB),
		       (long long)(room / MIB));
}

static void make_uuid(const char *name, char uuid[UUID_TEXT])
{
	char h[HASH_HEX];
	struct hash hash;

	hash_init(&hash);
	hash_add_str(&hash, "disk image");
	hash_add_str(&hash, name);
	hash_hex(&hash, h);
	/* Version 4, variant 1, so that nothing takes it for nonsense. */
	snprintf(uuid, UUID_TEXT, "%.8s-%.4s-4%.3s-a%.3s-%.12s", h, h + 8, h + 12, h + 15, h + 18);
}

static int run(struct proc *p, const struct disk_image *d, const char *what, struct err *err)
{
	struct deadline deadline = deadline_in(what, 600 * NS_PER_S);
	int ret = proc_capture(p, &deadline, OUTPUT_MAX, NULL, NULL, err);

	return ret < 0 ? err_wrap(err, "cannot make the disk '%s'", d->name) : 0;
}

static int make_raw(const struct disk_image *d, const char *path, struct err *err)
{
	int fd __free(fd) = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (fd < 0 || ftruncate(fd, d->size) < 0)
		return err_sys(err, -errno, "cannot create '%s'", str_escape(path));
	return 0;
}

static int make_ext(const struct disk_image *d, const struct ext *ext, const char *path,
		    struct err *err)
{
	struct proc p __release(proc) = PROC_INIT;
	char *program __free(ptr) = NULL;
	char uuid[UUID_TEXT];
	int ret = tool_find("mke2fs", "e2fsprogs", &program, err);

	if (ret == 0)
		ret = make_raw(d, path, err);
	if (ret < 0)
		return ret;
	make_uuid(d->name, uuid);
	strvec_pushl(&p.argv, program, "-q", "-F", "-t", ext->fs, "-O", ext->features, "-b", "4096",
		     "-I", "256", "-i", "16384", "-m", "0", "-L", d->name, "-U", uuid, NULL);
	strvec_push(&p.argv, "-E");
	strvec_pushf(&p.argv,
		     "hash_seed=%s,root_owner=0:0,nodiscard,lazy_itable_init=0,"
		     "lazy_journal_init=0",
		     uuid);
	strvec_pushl(&p.argv, "--", path, NULL);
	strvec_pushl(&p.env, "LC_ALL=C", "MKE2FS_CONFIG=/dev/null", "MKE2FS_SYNC",
		     "E2FSPROGS_FAKE_TIME=" FIXED_TIME_TEXT, "SOURCE_DATE_EPOCH=" FIXED_TIME_TEXT,
		     NULL);
	return run(&p, d, "mke2fs", err);
}

/* The size of a block is that of a sector: the kernel looks for no other. mkudffs takes its times
 * from the clock, so it gets one that stands still. */
static int make_udf(const struct disk_image *d, const char *path, struct err *err)
{
	struct proc p __release(proc) = PROC_INIT;
	char *program __free(ptr) = NULL, *clock __free(ptr) = NULL;
	char uuid[UUID_TEXT];
	int ret = tool_find("mkudffs", "udftools", &program, err);

	if (ret == 0)
		ret = tool_find("faketime", "faketime", &clock, err);
	if (ret == 0)
		ret = make_raw(d, path, err);
	if (ret < 0)
		return ret;
	make_uuid(d->name, uuid);
	strvec_pushl(&p.argv, clock, "-f", FIXED_TIME_DATE, program, "--media-type=hd",
		     "--udfrev=2.01", NULL);
	strvec_pushf(&p.argv, "--blocksize=%d", d->sector);
	strvec_pushf(&p.argv, "--label=%s", d->name);
	/* sixteen digits: of those of the UUID, which has dashes after the 8th and the 12th */
	strvec_pushf(&p.argv, "--uuid=%.8s%.4s%.4s", uuid, uuid + 9, uuid + 14);
	strvec_push(&p.argv, path);
	strvec_pushl(&p.env, "LC_ALL=C", "TZ=UTC", NULL);
	return run(&p, d, "mkudffs", err);
}

static int write_content(const struct disk_image *d, const char *path, struct err *err)
{
	int fd __free(fd) = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	const struct timespec times[2] = { { .tv_sec = FIXED_TIME }, { .tv_sec = FIXED_TIME } };
	char *buf __free(ptr) = xmalloc(CHUNK);
	struct content c;

	if (fd < 0)
		return err_sys(err, -errno, "cannot create '%s'", str_escape(path));
	content_init(&c, d->seed);
	for (int64_t left = d->size; left > 0; left -= CHUNK) {
		size_t len = left < CHUNK ? (size_t)left : CHUNK;
		int ret;

		content_next(&c, buf, len);
		ret = fd_write_all(fd, buf, len);
		if (ret < 0)
			return err_sys(err, ret,
				       "cannot write the content of the disk '%s' to "
				       "'%s'",
				       d->name, str_escape(path));
	}
	/* SOURCE_DATE_EPOCH makes xorriso give all files the one date that they say. */
	if (futimens(fd, times) < 0)
		return err_sys(err, -errno, "cannot set the times of '%s'", str_escape(path));
	return 0;
}

static int make_iso(const struct disk_image *d, const char *path, struct err *err)
{
	char *content __free(ptr) = xstrfmt("%s-content", path);
	struct proc p __release(proc) = PROC_INIT;
	char *program __free(ptr) = NULL;
	int ret = tool_find("xorriso", "xorriso", &program, err);

	unlink(content);
	if (ret == 0)
		ret = write_content(d, content, err);
	if (ret == 0) {
		/* -no_rc: xorriso's start-up files are the host's; the publisher and application
		 * fields would name xorriso's version. */
		strvec_pushl(&p.argv, program, "-no_rc", "-as", "mkisofs", "-quiet", "-r", "-V",
			     d->name, "-p", "iorig", "-A", "iorig", "-o", path, "-graft-points",
			     NULL);
		strvec_pushf(&p.argv, "/content=%s", content);
		strvec_pushl(&p.env, "LC_ALL=C", "TZ=UTC", "SOURCE_DATE_EPOCH=" FIXED_TIME_TEXT,
			     NULL);
		ret = run(&p, d, "xorriso", err);
	}
	unlink(content);
	return ret;
}

static int make(const struct disk_image *d, const char *path, struct err *err)
{
	const struct ext *ext = find_ext(d->fs);

	if (ext)
		return make_ext(d, ext, path, err);
	if (is_udf(d))
		return make_udf(d, path, err);
	return is_iso(d) ? make_iso(d, path, err) : make_raw(d, path, err);
}

int disk_image_make(const struct disk_image *d, const char *path, struct err *err)
{
	char *fresh __free(ptr) = xstrfmt("%s.new", path);
	int ret = check(d, err);

	if (ret < 0)
		return ret;
	unlink(path);
	unlink(fresh);
	ret = check_room(d, path, err);
	if (ret == 0)
		ret = make(d, fresh, err);
	if (ret == 0 && rename(fresh, path) < 0)
		ret = err_sys(err, -errno, "cannot move '%s' to '%s'", str_escape(fresh),
			      str_escape(path));
	if (ret < 0)
		unlink(fresh);
	return ret;
}

void disk_image_content_sha256(int64_t size, uint32_t seed, char hex[65])
{
	char *buf __free(ptr) = xmalloc(CHUNK);
	struct content c;
	struct hash h;

	content_init(&c, seed);
	hash_init(&h);
	for (int64_t left = size; left > 0; left -= CHUNK) {
		size_t len = left < CHUNK ? (size_t)left : CHUNK;

		content_next(&c, buf, len);
		hash_add(&h, buf, len);
	}
	hash_hex(&h, hex);
}
