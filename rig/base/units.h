/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sizes, times, rates, percentages with units, as people write them in case files. A number
 * without a unit is refused where a unit changes its meaning; negative numbers, overflow,
 * and trailing text are refused with a message that quotes the value (no file:line; the caller
 * wraps that in front).
 *
 *	size   bytes: 512B 64K 128M 1G 2T (powers of 1024), 1KB 27MB (powers of 1000)
 *	time   ns:    250ns 5us 20ms 1.15s 2min 1h
 *	rate   bytes per second: 1M/s (1024^2) 27.4MB/s (10^6) 512K/s
 *	ratio  1.5 or 150%
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdint.h>

struct err;
struct strbuf;

int parse_size(const char *s, int64_t *bytes, struct err *err);
int parse_time(const char *s, int64_t *ns, struct err *err);
int parse_rate(const char *s, int64_t *bytes_per_s, struct err *err);
int parse_ratio(const char *s, double *ratio, struct err *err);
/* A plain whole number between min and max. */
int parse_int(const char *s, int64_t min, int64_t max, int64_t *v, struct err *err);
/* yes/no, true/false, on/off, 1/0. */
int parse_bool(const char *s, int *v, struct err *err);

/* "512M", "1G": the largest binary unit that divides it. 32 bytes. */
const char *format_size(int64_t bytes, char *buf);
/* Rounded, for people: "534M", "1.2G". 32 bytes. */
const char *format_bytes(int64_t bytes, char *buf);
/* Three or four significant digits: "1.15 s", "48.8 s", "1,220 s", "250 ms". 32 bytes. */
const char *format_time(int64_t ns, char *buf);

#endif
