/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading a .deb: an ar archive that holds data.tar.*, which is opened by a second libarchive
 * reader that is fed by the first. An archive inside of the package is opened by a third.
 */
#ifndef KERNEL_DEB_READ_H
#define KERNEL_DEB_READ_H

#include <archive.h>
#include <stdbool.h>
#include <stdint.h>

#define DEB_CHUNK 65536

struct err;

/* A tar reader on top of another reader's current member. Does not move while it is open. */
struct deb_layer {
	struct archive *below, *tar;
	char chunk[DEB_CHUNK];	/* what tar was given last */
};

struct deb_reader {
	const char *deb;	/* borrowed, for messages */
	struct archive *ar;
	struct deb_layer data;	/* data.tar's members: read from data.tar */
};

#define DEB_READER_INIT { .deb = NULL }
/* Open the package up to data.tar. ERR_INPUT if it is none. */
int deb_open(struct deb_reader *r, const char *deb, struct err *err);
void deb_reader_release(struct deb_reader *r);
/* Bytes of the package's file that were read so far. */
int64_t deb_position(const struct deb_reader *r);

/* Open the tar archive, compressed or not, that is the current member of 'below', a reader of r.
 * ERR_INPUT if it is none. */
int deb_layer_open(struct deb_layer *l, const struct deb_reader *r, struct archive *below,
		   struct err *err);
void deb_layer_release(struct deb_layer *l);

/* ERR_INPUT: why libarchive gave up on a part of the package. */
int deb_broken(const struct deb_reader *r, struct archive *a, struct err *err);
/* Does a member's name hold a ".." part? */
bool deb_has_dotdot(const char *path);
/*
 * Write the content of the current member of a to the new file path with this mode. *bytes counts
 * what members held in all; above max it is ERR_INPUT, as is a file that is there already.
 */
int deb_write_file(const struct deb_reader *r, struct archive *a, const char *path,
		   unsigned int mode, int64_t *bytes, int64_t max, struct err *err);

#endif
