/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* config.h - from a dcs_config to a cache: for cache.c */
#ifndef CONFIG_H
#define CONFIG_H

#include "dcache/cache.h"

/* Checks @config and sets what @cache reads of it. Returns NULL or what is wrong, one line. */
const char *configure(struct dcs_cache *cache, const struct dcs_config *config);

/* Dentries that there is room for. */
uint64_t config_capacity(const struct dcs_config *config, const struct engine *engine);

/* Bytes of the table. */
size_t cache_table_bytes(const struct dcs_cache *cache);

/* Of the RAM disk, in bytes. */
uint32_t config_block_size(const struct dcs_config *config);

#endif
