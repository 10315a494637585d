/* SPDX-License-Identifier: GPL-2.0-only */
/* What the frames hold, as tables; private to guest/msg*.c. */
#ifndef GUEST_MSG_FIELDS_H
#define GUEST_MSG_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "guest/msg.h"

/* One field of a JSON object, and where it goes. */
struct msg_field {
	const char *key;	/* NULL ends a table */
	size_t offset;
	size_t size;	/* of a string's array; 0: it is a whole number */
	bool optional;	/* missing: "" or MSG_NONE */
};

struct msg_kind_fields {
	const char *name;	/* NULL ends the table */
	enum msg_kind kind;
	const struct msg_field *fields;	/* offsets in struct msg */
};

extern const struct msg_kind_fields msg_kinds[];
extern const struct msg_field msg_vm_fields[];		/* "vm" of a sample: in struct msg_sample */
extern const struct msg_field msg_sample_disk_fields[];	/* in struct msg_sample_disk */

#endif
