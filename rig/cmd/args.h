/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parsers of several commands share. Each prints argp's usage error and exits on a bad
 * argument, so what they return is good. */
#ifndef CMD_ARGS_H
#define CMD_ARGS_H

#include <stdint.h>

struct argp_state;
struct err;
struct run;
struct run_options;
struct suite;

/* The place of the argument among the words, NULL at their end. option: without its dashes. */
int args_one_of(struct argp_state *state, const char *option, const char *arg,
		const char *const *words);
/* A whole number from 1 to max, which is at most INT_MAX. */
int args_count(struct argp_state *state, const char *option, const char *arg, int64_t max);

/* A percentage or ratio from min to max. */
double args_share(struct argp_state *state, const char *option, const char *arg, double min,
		  double max);

/* Keep a copy of the argument in place of what *to had. */
void args_text(char **to, const char *arg);
/* The folder of --out or of --resume, of which only one can be given. */
void args_folder(struct argp_state *state, char **dir, const char *arg);

/* Ask for the cases that the run has boots of. */
void args_add_cases(struct run_options *o, const struct run *run);
/* After the options: data, programs and cache where they lie, then run_options_resolve(). */
int args_resolve(struct run_options *o, struct err *err);
/* The same, and then the suite of the cases that were asked for, or of the default set, and the
 * folder for results. Release the suite in any case. */
int args_suite(struct run_options *o, struct suite *suite, struct err *err);

/* For args_one_of(): in the order of enum machine_clock, machine_timing, accel_choice. */
extern const char *const args_clocks[], *const args_timings[], *const args_accels[];

#endif
