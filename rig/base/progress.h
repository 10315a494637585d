/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * News about long work (a download, a build) for whoever watches. Work code calls progress();
 * cmd/ decides where it goes by setting the one sink; without a sink it is dropped.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

/* One line without a newline; lower case, "fetching linux-image-6.1.0-57-amd64". */
void progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void progress_set_sink(void (*sink)(const char *line));

#endif
