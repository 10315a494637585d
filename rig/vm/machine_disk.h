/* SPDX-License-Identifier: GPL-2.0-only */
/* The disks' part of machine.c: block nodes, devices and their places on the buses. */
#ifndef VM_MACHINE_DISK_H
#define VM_MACHINE_DISK_H

struct err;
struct machine;
struct strbuf;
struct strvec;

/* Append the options of all disks and of the controllers that they need, in the disks' order. */
int machine_push_disks(const struct machine *m, struct strvec *argv, struct err *err);
/* Append a value as QEMU's option parsers want it: every comma doubled. */
void machine_add_value(struct strbuf *sb, const char *value);

#endif
