/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Patches that came by mail: one message or an mbox of them. Splitting and decoding is done by git
 * (mailsplit, mailinfo) in a temporary folder, as git am would.
 */
#ifndef PATCH_PATCHSET_MAIL_H
#define PATCH_PATCHSET_MAIL_H

#include <stdbool.h>
#include <stddef.h>

struct err;

struct mail {
	char *subject;		/* decoded, with its "[PATCH 2/3]" */
	char *text;		/* decoded if the message is encoded or has parts, else as it is */
	size_t len;
	int number;		/* of the message in the mbox, from 1 */
};

struct mbox {
	struct mail *mails;	/* those with a diff */
	size_t n;
	size_t messages;	/* how many there are in all */
};

#define MBOX_INIT { .mails = NULL }
void mbox_release(struct mbox *m);

/* Does the text begin like an mbox, or with a mail's header? */
bool mbox_is_mail(const char *text);
/*
 * Take the messages apart and put those with a diff in the order that their subjects tell (see
 * patchset.h). ERR_INPUT if none has a diff, or if some of a series are missing or there twice;
 * name is for messages.
 */
int mbox_read(struct mbox *m, const char *name, const char *text, size_t len, struct err *err);

#endif
