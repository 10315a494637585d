/* SPDX-License-Identifier: GPL-2.0-only */
/* From features to modules in loading order, by libkmod. */
#include <libkmod.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "kernel/config.h"
#include "kernel/kernel.h"
#include "kernel/ko.h"
#include "kernel/modules.h"

#define CHOICES	  2
#define DEPTH_MAX 64

/* One thing a feature needs: any of these modules (or aliases), or its symbol built in. */
struct need {
	const char *feature;
	struct {
		const char *module, *symbol;
	} any[CHOICES];
};

/* The hardware is the one that rig/vm puts into a machine for these buses. */
static const struct need needs[] = {
	{ "ide", { { "ata_piix", "CONFIG_ATA_PIIX" } } },
	{ "ide", { { "sd_mod", "CONFIG_BLK_DEV_SD" } } },
	{ "atapi", { { "ata_piix", "CONFIG_ATA_PIIX" } } },
	{ "atapi", { { "sr_mod", "CONFIG_BLK_DEV_SR" } } },
	{ "scsi", { { "am53c974", "CONFIG_SCSI_AM53C974" } } },
	{ "scsi", { { "sd_mod", "CONFIG_BLK_DEV_SD" } } },
	{ "usb", { { "uhci_hcd", "CONFIG_USB_UHCI_HCD" } } },
	{ "usb", { { "usb_storage", "CONFIG_USB_STORAGE" } } },
	{ "usb", { { "sd_mod", "CONFIG_BLK_DEV_SD" } } },
	{ "ahci", { { "ahci", "CONFIG_SATA_AHCI" } } },
	{ "ahci", { { "sd_mod", "CONFIG_BLK_DEV_SD" } } },
	{ "virtio", { { "virtio_pci", "CONFIG_VIRTIO_PCI" } } },
	{ "virtio", { { "virtio_blk", "CONFIG_VIRTIO_BLK" } } },
	/* ext4 has the aliases only where it was built to stand in for ext2 and ext3. */
	{ "ext2", { { "ext2", "CONFIG_EXT2_FS" }, { "fs-ext2", "CONFIG_EXT4_USE_FOR_EXT2" } } },
	{ "ext3", { { "ext3", "CONFIG_EXT3_FS" }, { "fs-ext3", "CONFIG_EXT4_FS" } } },
	{ "ext4", { { "ext4", "CONFIG_EXT4_FS" } } },
	{ "iso9660", { { "isofs", "CONFIG_ISO9660_FS" } } },
	{ "udf", { { "udf", "CONFIG_UDF_FS" } } },
	{ "mq-deadline", { { "mq-deadline", "CONFIG_MQ_IOSCHED_DEADLINE" } } },
	{ "kyber", { { "kyber-iosched", "CONFIG_MQ_IOSCHED_KYBER" } } },
	{ "bfq", { { "bfq", "CONFIG_IOSCHED_BFQ" } } },
};

DEFINE_FREE(kmod_ctx, struct kmod_ctx *, if (_T) kmod_unref(_T))
DEFINE_FREE(kmod_list, struct kmod_list *, if (_T) kmod_module_unref_list(_T))
DEFINE_FREE(kmod_module, struct kmod_module *, if (_T) kmod_module_unref(_T))

/* One walk over a modules tree. */
struct walk {
	struct module_set *set;
	const char *cache_dir;
	struct err *err;
};

static int visit(struct walk *w, struct kmod_module *mod, int depth);

void module_set_release(struct module_set *set)
{
	strvec_release(&set->paths);
	strvec_release(&set->names);
	strvec_release(&set->missing);
}

bool module_feature_known(const char *feature)
{
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++) {
		if (!strcmp(needs[i].feature, feature))
			return true;
	}
	return false;
}

static int visit_list(struct walk *w, const struct kmod_list *list, int depth)
{
	const struct kmod_list *item;
	int ret = 0;

	kmod_list_foreach(item, list)
	{
		struct kmod_module *mod __free(kmod_module) = kmod_module_get_module(item);

		ret = visit(w, mod, depth);
		if (ret < 0)
			break;
	}
	return ret;
}

/* Soft dependencies first: those that a module asks to be loaded before it. */
static int visit_before(struct walk *w, struct kmod_module *mod, int depth)
{
	struct kmod_list *hard __free(kmod_list) = kmod_module_get_dependencies(mod);
	struct kmod_list *pre __free(kmod_list) = NULL;
	struct kmod_list *post __free(kmod_list) = NULL;
	int ret;

	if (kmod_module_get_softdeps(mod, &pre, &post) < 0)
		return err_set(w->err, -EIO, "cannot read the soft dependencies of the module '%s'",
			       str_escape(kmod_module_get_name(mod)));
	ret = visit_list(w, pre, depth);
	return ret < 0 ? ret : visit_list(w, hard, depth);
}

/* Append the module after all that must be loaded before it. */
static int visit(struct walk *w, struct kmod_module *mod, int depth)
{
	const char *name = kmod_module_get_name(mod), *path = kmod_module_get_path(mod);
	char *plain = NULL;
	int ret;

	/* A soft dependency that is built in, or was not built at all, has no path. */
	if (!path || strvec_has(&w->set->names, name))
		return 0;
	if (depth > DEPTH_MAX)
		return err_set(w->err, -ELOOP, "the modules tree has a dependency loop at '%s'",
			       str_escape(name));
	ret = visit_before(w, mod, depth + 1);
	if (ret == 0)
		ret = ko_plain(path, w->cache_dir, &plain, w->err);
	if (ret < 0)
		return ret;
	strvec_push(&w->set->names, name);
	strvec_push_nodup(&w->set->paths, plain);
	return 0;
}

/* Whether an alias led to anything: a module's file, or something built in. */
static bool present(const struct kmod_list *list)
{
	const struct kmod_list *item;
	bool found = false;

	kmod_list_foreach(item, list)
	{
		struct kmod_module *mod __free(kmod_module) = kmod_module_get_module(item);

		found |= kmod_module_get_path(mod) ||
			 kmod_module_get_initstate(mod) == KMOD_MODULE_BUILTIN;
	}
	return found;
}

static void add_missing(struct module_set *set, const struct need *need, const char *why)
{
	struct strbuf sb __release(strbuf) = STRBUF_INIT;

	strbuf_addf(&sb, "%s: none of %s", need->feature, need->any[0].module);
	for (int i = 1; i < CHOICES && need->any[i].module; i++)
		strbuf_addf(&sb, ", %s", need->any[i].module);
	strbuf_addstr(&sb, why);
	if (!strvec_has(&set->missing, sb.buf))
		strvec_push(&set->missing, sb.buf);
}

static int add_from_tree(struct walk *w, struct kmod_ctx *ctx, const struct need *need)
{
	for (int i = 0; i < CHOICES && need->any[i].module; i++) {
		struct kmod_list *list __free(kmod_list) = NULL;
		int ret = kmod_module_new_from_lookup(ctx, need->any[i].module, &list);

		if (ret < 0 && ret != -ENOENT && ret != -ENOSYS)
			return err_sys(w->err, ret, "cannot look up the module '%s'",
				       need->any[i].module);
		if (present(list))
			return visit_list(w, list, 0);
	}
	add_missing(w->set, need, "");
	return 0;
}

/* There is no modules tree: the configuration must have it built in. */
static void check_config(struct module_set *set, const char *config, const struct need *need)
{
	bool module = false;

	for (int i = 0; i < CHOICES && need->any[i].module; i++) {
		switch (kernel_config_get(config, need->any[i].symbol)) {
		case KERNEL_CONFIG_YES:
			return;
		case KERNEL_CONFIG_MODULE:
			module = true;
			break;
		case KERNEL_CONFIG_NO:
			break;
		}
	}
	add_missing(set, need,
		    module ? " (a module, and the kernel came without its modules)" : "");
}

static int open_tree(const char *dir, struct kmod_ctx **ctx, struct err *err)
{
	/* No configuration folders: the host's blacklists and options are not the guest's. */
	static const char *const no_folders[] = { NULL };
	int ret;

	*ctx = kmod_new(dir, no_folders);
	if (!*ctx)
		return err_set(err, -ENOMEM, "libkmod does not start");
	/* libkmod would write to stderr. */
	kmod_set_log_priority(*ctx, -1);
	ret = kmod_load_resources(*ctx);
	if (ret < 0)
		return err_sys(err, ret, "cannot read the module indexes in '%s'", str_escape(dir));
	return 0;
}

int module_set_add(struct module_set *set, const struct kernel *k, const char *cache_dir,
		   const char *feature, struct err *err)
{
	struct walk w = { .set = set, .cache_dir = cache_dir, .err = err };
	struct strbuf config __release(strbuf) = STRBUF_INIT;
	struct kmod_ctx *ctx __free(kmod_ctx) = NULL;
	int ret = 0;

	if (!module_feature_known(feature))
		BUG("unknown feature '%s'", feature);
	if (k->modules_dir)
		ret = open_tree(k->modules_dir, &ctx, err);
	else if (k->config)
		ret = kernel_config_read(k, &config, err);
	for (size_t i = 0; ret == 0 && i < ARRAY_SIZE(needs); i++) {
		if (strcmp(needs[i].feature, feature) != 0)
			continue;
		if (ctx)
			ret = add_from_tree(&w, ctx, &needs[i]);
		else if (k->config)
			check_config(set, config.buf, &needs[i]);
	}
	return ret;
}
