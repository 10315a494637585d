/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters of the agent's own jobs, in files of the tmpfs. */
#include "agent/slot.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/boot.h"
#include "agent/text.h"

#define MAGIC 0x10516001

static struct slot *map_file(const char *folder)
{
	char path[TEXT_PATH];
	struct slot *slot;
	int fd;

	snprintf(path, sizeof(path), "%s/%d", folder, (int)getpid());
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return NULL;
	if (ftruncate(fd, sizeof(*slot)) < 0) {
		close(fd);
		return NULL;
	}
	slot = mmap(NULL, sizeof(*slot), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return slot == MAP_FAILED ? NULL : slot;
}

struct slot *slot_open(void)
{
	const char *folder = getenv(SLOT_ENV);
	struct slot *slot = folder ? map_file(folder) : NULL;

	if (!slot)
		slot = calloc(1, sizeof(*slot));
	if (slot)
		slot->magic = MAGIC;
	return slot;
}

void slot_add(struct slot *slot, int64_t start_ns, int64_t end_ns, int64_t bytes)
{
	if (!slot->first_ns)
		slot->first_ns = start_ns;
	slot->last_ns = end_ns;
	slot->bytes += bytes;
	hist_add(&slot->hist, end_ns - start_ns);
	slot->ops++;
}

/* A process can be killed between any two of its stores. */
static void repair(struct slot *slot)
{
	struct hist *h = &slot->hist;
	int64_t count = 0;
	unsigned int i;

	for (i = 0; i < HIST_BUCKETS; i++)
		count += h->n[i];
	h->count = count;
	if (!count)
		h->sum = h->min = h->max = 0;
	if (h->min > h->max)
		h->min = h->max;
	if (!slot->ops)
		slot->first_ns = slot->last_ns = 0;
	if (slot->last_ns < slot->first_ns)
		slot->last_ns = slot->first_ns;
}

void slot_merge(struct slot *sum, const struct slot *more)
{
	static struct slot sound;	/* too large for a stack */

	sound = *more;
	repair(&sound);
	if (sound.ops && (!sum->ops || sound.first_ns < sum->first_ns))
		sum->first_ns = sound.first_ns;
	if (sound.last_ns > sum->last_ns)
		sum->last_ns = sound.last_ns;
	sum->ops += sound.ops;
	sum->bytes += sound.bytes;
	sum->errors += sound.errors;
	hist_merge(&sum->hist, &sound.hist);
}

void slot_folder(char *path, const char *job)
{
	snprintf(path, SLOT_PATH, "%s/%s", SLOT_FOLDER, job);
	boot_mkdir(path);	/* without it the job counts in vain, and its result is missed */
}

int slot_collect(const char *folder, struct slot *sum)
{
	static struct slot slot;
	DIR *dir = opendir(folder);
	struct dirent *entry;
	int n = 0;

	memset(sum, 0, sizeof(*sum));
	while (dir && (entry = readdir(dir))) {
		char path[TEXT_PATH];
		int fd;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%.32s", folder, entry->d_name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && read(fd, &slot, sizeof(slot)) == sizeof(slot) &&
		    slot.magic == MAGIC) {
			slot_merge(sum, &slot);
			n++;
		}
		if (fd >= 0)
			close(fd);
		unlink(path);
	}
	if (dir)
		closedir(dir);
	return n;
}
