/* SPDX-License-Identifier: GPL-2.0-only */
/* The document that a job's command may leave behind (wire/document.h). */
#ifndef AGENT_DOCUMENT_H
#define AGENT_DOCUMENT_H

/* Send what the job has left in its folder, if anything, and remove it. One that is too long, or
 * that cannot be read, is announced without its text. */
void document_send(const char *folder, const char *job);

#endif
