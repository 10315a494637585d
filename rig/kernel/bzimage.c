/* SPDX-License-Identifier: GPL-2.0-only */
/* Parsing a bzImage's header and unpacking its payload. */
#include <archive.h>
#include <archive_entry.h>
#include <endian.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "kernel/bzimage.h"

#define BZIMAGE_MAX (256 << 20)
#define VMLINUX_MAX (1LL << 30)

#define HEADER_END     0x250 /* behind the last field that is read here */
#define AT_SETUP_SECTS 0x1f1
#define AT_MAGIC       0x202
#define AT_PROTOCOL    0x206
#define AT_VERSION     0x20e
#define AT_XLOADFLAGS  0x236
#define AT_PAYLOAD     0x248
#define AT_PAYLOAD_LEN 0x24c
#define XLF_KERNEL_64  1
#define SECTOR	       512

DEFINE_FREE(archive, struct archive *, if (_T) archive_read_free(_T))

static uint16_t get16(const unsigned char *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return le16toh(v);
}

static uint32_t get32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return le32toh(v);
}

/* "6.1.0-57-amd64 (debian-kernel@...) #1 SMP ...": the first word, inside the setup code. */
static void parse_release(struct bzimage *bz, const unsigned char *d, size_t setup_end)
{
	size_t at = get16(d + AT_VERSION), n = 0;

	if (at == 0 || at + SECTOR >= setup_end)
		return;
	at += SECTOR;
	while (at + n < setup_end && d[at + n] > ' ' && d[at + n] < 0x7f && d[at + n] != '/')
		n++;
	if (n >= sizeof(bz->release) || at + n == setup_end)
		return;
	memcpy(bz->release, d + at, n);
	bz->release[n] = '\0';
}

int bzimage_parse(struct bzimage *bz, const char *path, const void *data, size_t len,
		  struct err *err)
{
	const unsigned char *d = data;
	size_t setup_end;

	*bz = (struct bzimage){ .protocol = 0 };
	if (len < HEADER_END || memcmp(d + AT_MAGIC, "HdrS", 4) != 0)
		return err_input(err, "'%s' is no bzImage", str_escape(path));
	setup_end = ((d[AT_SETUP_SECTS] ? d[AT_SETUP_SECTS] : 4) + (size_t)1) * SECTOR;
	if (setup_end >= len)
		return err_input(err, "'%s': the bzImage is cut off in its setup code",
				 str_escape(path));
	bz->protocol = get16(d + AT_PROTOCOL);
	parse_release(bz, d, setup_end);
	if (bz->protocol >= 0x20c && !(get16(d + AT_XLOADFLAGS) & XLF_KERNEL_64))
		return err_input(err,
				 "'%s' is a bzImage for 32-bit x86; kernels for x86-64 are "
				 "needed",
				 str_escape(path));
	if (bz->protocol < 0x208)
		return 0;
	bz->payload = setup_end + get32(d + AT_PAYLOAD);
	bz->payload_len = get32(d + AT_PAYLOAD_LEN);
	if (bz->payload_len < 8 || bz->payload > len || bz->payload_len > len - bz->payload)
		return err_input(err, "'%s': the bzImage is cut off in its payload",
				 str_escape(path));
	return 0;
}

static const struct compression {
	const char *magic;
	size_t magic_len;
	const char *name;
	int (*support)(struct archive *);
} compressions[] = {
	{ "\x1f\x8b", 2, "gzip", archive_read_support_filter_gzip },
	{ "\xfd\x37zXZ", 5, "xz", archive_read_support_filter_xz },
	{ "\x28\xb5\x2f\xfd", 4, "zstd", archive_read_support_filter_zstd },
	{ "\x02\x21\x4c\x18", 4, "lz4", archive_read_support_filter_lz4 },
	{ "BZh", 3, "bzip2", archive_read_support_filter_bzip2 },
	{ "\x5d\x00\x00", 3, "lzma", archive_read_support_filter_lzma },
	{ "\x89LZO", 4, "lzo", archive_read_support_filter_lzop },
};

static int unsupported(const char *path, const char *why, struct err *err)
{
	err_unable(err, "'%s': %s", str_escape(path), why);
	err->code = -EOPNOTSUPP;
	return err->code;
}

static int open_payload(struct archive *a, const char *path, const unsigned char *payload,
			size_t len, struct err *err)
{
	const struct compression *c = NULL;
	struct archive_entry *entry;

	for (size_t i = 0; !c && i < ARRAY_SIZE(compressions); i++) {
		if (!memcmp(payload, compressions[i].magic, compressions[i].magic_len))
			c = &compressions[i];
	}
	/* ARCHIVE_WARN would mean that libarchive starts a program to unpack it. */
	if (!c || c->support(a) != ARCHIVE_OK)
		return unsupported(path,
				   c ? "packed with LZO, which libarchive cannot unpack here"
				     : "its payload is packed in an unknown way",
				   err);
	/* All but gzip are followed by the size, which is no part of the packed stream. */
	if (c->support != archive_read_support_filter_gzip)
		len -= 4;
	if (archive_read_support_format_raw(a) != ARCHIVE_OK ||
	    archive_read_open_memory(a, payload, len) != ARCHIVE_OK ||
	    archive_read_next_header(a, &entry) != ARCHIVE_OK)
		return err_input(err, "'%s': cannot unpack its %s payload: %s", str_escape(path),
				 c->name, str_escape(archive_error_string(a)));
	return 0;
}

static int copy_payload(struct archive *a, const char *path, int fd, int64_t expected,
			struct err *err)
{
	char *buf __free(ptr) = xmalloc(1 << 20);
	int64_t total = 0;

	for (;;) {
		ssize_t n = archive_read_data(a, buf, 1 << 20);
		int ret;

		if (n < 0)
			return err_input(err, "'%s': its payload is broken: %s", str_escape(path),
					 str_escape(archive_error_string(a)));
		if (n == 0)
			break;
		total += n;
		if (total > expected)
			break;
		ret = fd_write_all(fd, buf, (size_t)n);
		if (ret < 0)
			return err_sys(err, ret, "cannot write the vmlinux of '%s'",
				       str_escape(path));
	}
	if (total != expected)
		return err_input(err, "'%s': its payload is not the %lld bytes that it says",
				 str_escape(path), (long long)expected);
	return 0;
}

static int extract(const char *path, const char *out, const unsigned char *payload, size_t len,
		   struct err *err)
{
	struct archive *a __free(archive) = archive_read_new();
	int fd __free(fd) = -1;
	int64_t expected = get32(payload + len - 4);
	int ret;

	if (!a)
		return err_set(err, -ENOMEM, "libarchive gives no reader");
	if (expected > VMLINUX_MAX)
		return err_input(err, "'%s': its payload says it is larger than 1 GiB",
				 str_escape(path));
	ret = open_payload(a, path, payload, len, err);
	if (ret < 0)
		return ret;
	fd = open(out, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0)
		return err_sys(err, -errno, "cannot create '%s'", str_escape(out));
	ret = copy_payload(a, path, fd, expected, err);
	if (ret < 0)
		unlink(out);
	return ret;
}

int bzimage_extract(const char *path, const char *out, struct bzimage *bz, struct err *err)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;
	int ret = file_read(path, BZIMAGE_MAX, &sb, err);

	if (ret == 0)
		ret = bzimage_parse(bz, path, sb.buf, sb.len, err);
	if (ret < 0)
		return ret;
	if (!bz->payload_len)
		return unsupported(path, "boot protocol before 2.08, its vmlinux cannot be found",
				   err);
	return extract(path, out, (unsigned char *)sb.buf + bz->payload, bz->payload_len, err);
}
