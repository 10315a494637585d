/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Disk images: raw files with a filesystem made on the host, the same bytes for the same
 * specification on every host that has the same version of the tools.
 *
 * ext2, ext3, ext4: by mke2fs, sparse, with 4 KiB blocks (which every logical sector divides), a
 * fixed list of features and no configuration file, so that the host's mke2fs.conf does not
 * matter; UUID and hash seed derive from the label, times are fixed; nothing is left to be
 * initialised later in the guest; no blocks are reserved for root.
 * udf: by mkudffs, revision 2.01 for a disk, with blocks of the logical sector's size; the UUID
 * derives from the label, times are fixed by faketime.
 * iso9660: by xorriso, with Rock Ridge, holding one file "content" of pseudo-random bytes.
 *
 * The bytes of "content" are the outputs of SplitMix64, each as 8 bytes, lowest first: output n
 * (from 1) is mix(seed + n * 0x9e3779b97f4a7c15), and mix is
 *	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9
 *	z = (z ^ z >> 27) * 0x94d049bb133111eb
 *	z ^ z >> 31
 * (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
 */
#ifndef IMAGE_DISK_H
#define IMAGE_DISK_H

#include <stddef.h>
#include <stdint.h>

struct err;

#define DISK_LABEL_MAX 16

struct disk_image {
	const char *name;	/* label, 1 to 16 bytes of [A-Za-z0-9_-] */
	const char *fs;		/* "ext2", "ext3", "ext4", "udf", "iso9660", "" for none */
	int64_t size;		/* bytes; of iso9660 those of its one file, "content" */
	int sector;		/* logical sector the size must be a multiple of (not iso9660) */
	uint32_t seed;		/* of iso9660's file content */
};

/*
 * Make the image at path, replacing one, complete or not at all ("PATH.new" is renamed at the
 * end). ERR_INPUT for a label, sector or size the filesystem cannot have: ext2 from 1 MiB, udf
 * from 2 MiB, ext3 and ext4 from 16 MiB, all up to 1 TiB; content from 1 byte to below 4 GiB. A
 * host without room for the whole image (sparse or not: the guest may fill it) is a rig error,
 * -ENOSPC, that names both figures and comes before anything is made; the old image is removed
 * first.
 */
int disk_image_make(const struct disk_image *d, const char *path, struct err *err);
/* SHA-256 of the "content" file that an iso9660 image with this size and seed holds. */
void disk_image_content_sha256(int64_t size, uint32_t seed, char hex[65]);

#endif
