/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frames' way out: the guest's second serial port. There is one port and one frame in the
 * making at a time, so both live in port.c. Only PID 1 may send: the sequence number is its.
 */
#ifndef AGENT_PORT_H
#define AGENT_PORT_H

struct jsonw;

/* Open it raw and blocking. 0 or negative errno. Needs /dev; makes the node if it is missing. */
int port_open(void);
/* Begin a frame of this kind, stamped with the time. */
struct jsonw *port_begin(const char *kind);
/* Send what was begun: one write, which blocks while the host does not read. */
void port_send(void);
/* Wait until the last byte has left. */
void port_drain(void);

#endif
