/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys of a scale or a variant, put over what the other sections say. */
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "case/load.h"

static int override_disk(struct kase *c, const char *name, const char *key,
			 const struct ini *ini, const struct ini_entry *e, struct err *err)
{
	const struct case_disk *disk = kase_disk(c, name);

	if (!disk)
		return ini_error(ini, e->line, err, "there is no disk '%s'", str_escape(name));
	return keys_apply(&kase_disk_table, &c->disks[disk - c->disks], ini, e, key, err);
}

static int override_job(struct kase *c, const char *name, const char *key, const struct ini *ini,
			const struct ini_entry *e, struct err *err)
{
	const struct case_job *job = kase_job(c, name);

	if (!job)
		return ini_error(ini, e->line, err, "there is no job '%s'", str_escape(name));
	return keys_apply(&kase_job_table, &c->jobs[job - c->jobs], ini, e, key, err);
}

/* "disk.hda.size", "job.hdd.run", "set.vm.dirty_ratio" or a key of [case]. */
static int override(struct kase *c, const struct ini *ini, const struct ini_entry *e,
		    struct err *err)
{
	struct strvec part __release(strvec) = STRVEC_INIT;

	if (strncmp(e->key, "set.", strlen("set.")) == 0)
		return kase_fill_set(c, ini, e, e->key + strlen("set."), err);
	strvec_split(&part, e->key, ".");
	if (part.n == 1)
		return keys_apply(&kase_case_table, c, ini, e, part.v[0], err);
	if (part.n == 3 && strcmp(part.v[0], "disk") == 0)
		return override_disk(c, part.v[1], part.v[2], ini, e, err);
	if (part.n == 3 && strcmp(part.v[0], "job") == 0)
		return override_job(c, part.v[1], part.v[2], ini, e, err);
	return ini_error(ini, e->line, err, "'%s' is none of KEY, disk.NAME.KEY, job.NAME.KEY "
			 "and set.SYSCTL", str_escape(e->key));
}

int kase_override(struct kase *c, const struct ini *ini, const struct ini_section *s,
		  struct err *err)
{
	for (size_t i = 0; i < s->n; i++) {
		int ret = override(c, ini, &s->entries[i], err);

		if (ret < 0)
			return ret;
	}
	return 0;
}
