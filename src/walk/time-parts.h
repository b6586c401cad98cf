/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * time-parts.h - the cycles of a lookup's parts, one component at a time
 *
 * For histograms as kernels were measured by: from the hash of a name and its parent to the
 * bucket (d_hash), and from there to a referenced dentry (d_lookup, which computes the bucket
 * itself, as Linux's does). The counter is read between fences, so a reading waits for
 * what is before it; an empty part has a cost of its own, which is told beside.
 *
 * It walks by references whatever the engine's walk is, and ends at what is not a plain
 * name in a directory. Not an operation that is ever timed as a whole.
 */
#ifndef WALK_TIME_PARTS_H
#define WALK_TIME_PARTS_H

#include "walk/locked.h"

#if defined(__x86_64__)

static force_inline uint64_t cycle_counter(void)
{
	uint64_t now;

	__builtin_ia32_lfence();
	now = __builtin_ia32_rdtsc();
	__builtin_ia32_lfence();
	return now;
}

static force_inline void part_add(uint64_t bins[DCS_PART_BINS], uint64_t begin, uint64_t end)
{
	uint64_t bin = (end - begin) / DCS_PART_CYCLES;

	bins[bin < DCS_PART_BINS ? bin : DCS_PART_BINS - 1]++;
}

/* The child of @dir by the component at *@path, referenced in place of it; NULL: none. */
static struct dentry *timed_step(struct dcs_task *task, struct dentry *dir, const char **path,
				 struct dcs_parts *parts)
{
	uint64_t hash_len = hash_component(task->cache, dir, *path);
	uint64_t empty = cycle_counter(), begin = cycle_counter(), middle, end;
	struct bucket *bucket = hash_bucket(task->cache, dir, hash_len);
	struct dentry *d;

	asm volatile("" ::"r"(bucket)); /* it is computed before the counter is read */
	middle = cycle_counter();
	d = d_lookup(task->cache, dir, *path, hash_len, &task->counters);
	end = cycle_counter();
	part_add(parts->empty, empty, begin);
	part_add(parts->hash, begin, middle);
	part_add(parts->lookup, middle, end);
	dput(dir);
	*path += hash_len_len(hash_len);
	return d;
}

static int op_time_parts(struct dcs_task *task, const char *path, struct dcs_parts *parts)
{
	struct pathname name;
	struct dentry *d;
	int err = getname(&name, path);

	if (err)
		return err;
	path = name.bytes;
	op_enter(task);
	d = fs_get(task, *path == '/' ? &task->fs->root : &task->fs->pwd);
	while (d) {
		struct place at;

		ref_place(&at, d);
		if (!(at.flags & D_DIR))
			break;
		while (*path == '/')
			path++;
		if (!*path)
			break;
		d = timed_step(task, d, &path, parts);
	}
	if (d)
		dput(d);
	op_exit(task);
	return d && !*path ? 0 : -ENOENT;
}

#else

static int op_time_parts(struct dcs_task *task, const char *path, struct dcs_parts *parts)
{
	(void)task, (void)path, (void)parts;
	return -EOPNOTSUPP;
}

#endif
#endif
