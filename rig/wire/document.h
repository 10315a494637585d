/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A job's own document: a command may leave one JSON object in the file DOCUMENT_NAME of the folder
 * that IORIG_RESULT names, and the agent sends it in pieces when the job has ended (the frame
 * "document" of guest/msg.h). Shared by the agent and the rig.
 */
#ifndef WIRE_DOCUMENT_H
#define WIRE_DOCUMENT_H

#define DOCUMENT_NAME  "result.json"
#define DOCUMENT_MAX   (256 * 1024)	/* bytes; a longer one is not sent */
#define DOCUMENT_PIECE 4096		/* of one frame: fits whatever has to be escaped */

#endif
