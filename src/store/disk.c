/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * disk.c - a tree as a journalling file system has it on one disk, in simulated time
 *
 * The names and attributes are those of the store in memory (memory.c). In front of it stands
 * a count of what a disk would have to do for them, by the caller's clock (dcs_config.clock):
 *
 *	blocks		inode numbers rise as files are made, and inodes lie in blocks in that
 *			order, so what is made together, a directory say, lies together. A
 *			directory's names are one block, a file's data lie in a run, near its inode
 *	page cache	a block that was read or written stays, until dcs_disk_drop()
 *	seeks		none to the next block of inodes, or to the names or data of the next file;
 *a short one to what else lies near (`near` blocks of inodes); an average one elsewhere and to the
 *journal; half a turn after each writes		what changes an inode makes its block dirty.
 *Each `commit` seconds, and at a sync, the dirty blocks go to the journal in one run; those that
 *the journal has are written in place each `writeback` seconds, in the order of the disk
 *
 * The disk does one thing at a time. Who reads waits until it is done with what it has (`wait`),
 * and for the read; nobody waits for a write. Nothing is slept.
 *
 * Left out: the data of files that are written, bitmaps, read-ahead beyond a file, a full
 * journal, memory that runs out.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "dcs/store.h"

#define BLOCKS ((uint64_t)1 << 16) /* of inodes, that are told apart */

/* Where the head stands: behind a block of inodes, or the names or data of a file. */
struct place {
	enum { JOURNAL, INODES, NAMES, DATA } kind;
	uint64_t at;	/* the block's number, or the file's */
	uint64_t block; /* of inodes, that it lies near */
};

/* What is known of the block of 32 inodes (or what fits), of a directory's names, of a file. */
enum { INODES_CACHED = 1, INODES_DIRTY = 2, INODES_LOGGED = 4 };
enum { NAMES_CACHED = 1, DATA_CACHED = 2 };

struct disk {
	struct dcs_disk model;
	struct dcs_store_ops under; /* the store in memory */
	void *data;
	const uint64_t *clock;
	struct dcs_disk_usage *usage;
	pthread_mutex_t lock; /* of all that follows, and of *usage */
	uint64_t busy_until, next_commit, next_writeback;
	uint64_t dirty, logged; /* blocks of inodes */
	struct place head;	/* behind what was read or written last */
	uint8_t *inodes;	/* [BLOCKS] */
	uint8_t *files;		/* [files_room], by inode number */
	uint64_t files_room;
};

const struct dcs_disk dcs_disks[] = {
	{
		.name = "ide-2005",
		.description = "60 GB, 2.5 inch, 4200 turns a minute, ext3",
		.seek_ns = 12000000,
		.near_seek_ns = 2500000,
		.near = 256,
		.half_turn_ns = 7140000,
		.block_ns = 136000,
		.block_size = 4096,
		.inodes_per_block = 32,
		.commit_s = 5,
		.writeback_s = 30,
	},
	{
		.name = "ssd-2015",
		.description = "SATA flash, ext4",
		.seek_ns = 60000,
		.near_seek_ns = 60000,
		.near = 0,
		.half_turn_ns = 0,
		.block_ns = 8000,
		.block_size = 4096,
		.inodes_per_block = 16,
		.commit_s = 5,
		.writeback_s = 30,
	},
	{.name = NULL},
};

static uint64_t now(const struct disk *d)
{
	return __atomic_load_n(d->clock, __ATOMIC_RELAXED);
}

static uint64_t block_of(const struct disk *d, uint64_t ino)
{
	return ino / d->model.inodes_per_block % BLOCKS;
}

static struct place inodes_place(uint64_t block)
{
	return (struct place){INODES, block, block};
}

static struct place file_place(const struct disk *d, int kind, uint64_t ino)
{
	return (struct place){kind, ino, block_of(d, ino)};
}

/* What it takes to get from the head to @to. */
static uint64_t seek(const struct disk *d, const struct place *to)
{
	const struct place *from = &d->head;
	uint64_t apart =
		to->block > from->block ? to->block - from->block : from->block - to->block;

	if (to->kind == from->kind && (to->at == from->at || to->at == from->at + 1))
		return 0;
	if (to->kind == JOURNAL || from->kind == JOURNAL || apart > d->model.near)
		return d->model.seek_ns + d->model.half_turn_ns;
	return d->model.near_seek_ns + d->model.half_turn_ns;
}

/* What it takes to have @blocks from @place on under the head. */
static uint64_t moves(struct disk *d, struct place place, uint64_t blocks)
{
	uint64_t ns = seek(d, &place) + blocks * d->model.block_ns;

	d->head = place;
	return ns;
}

/* The disk works for @ns from @begin on, or when it is done with what it has. */
static void work(struct disk *d, uint64_t begin, uint64_t ns)
{
	if (d->busy_until < begin)
		d->busy_until = begin;
	d->busy_until += ns;
	d->usage->busy_ns += ns;
}

static void commit(struct disk *d, uint64_t at)
{
	uint64_t n = d->dirty;

	for (uint64_t b = 0; d->dirty; b++)
		if (d->inodes[b] & INODES_DIRTY) {
			d->logged += !(d->inodes[b] & INODES_LOGGED);
			d->inodes[b] = INODES_CACHED | INODES_LOGGED;
			d->dirty--;
		}
	if (!n)
		return;
	d->usage->commits++;
	d->usage->journal_blocks += n;
	/* A descriptor before, a commit block behind. */
	work(d, at, moves(d, (struct place){.kind = JOURNAL}, n + 2));
}

static void write_back(struct disk *d, uint64_t at)
{
	for (uint64_t b = 0; d->logged; b++)
		if (d->inodes[b] & INODES_LOGGED) {
			d->inodes[b] &= (uint8_t)~INODES_LOGGED;
			d->logged--;
			d->usage->written_blocks++;
			work(d, at, moves(d, inodes_place(b), 1));
		}
}

/* What was due up to now. Under the lock, as all that follows. */
static void catch_up(struct disk *d)
{
	uint64_t commit_ns = d->model.commit_s * 1000000000;
	uint64_t writeback_ns = d->model.writeback_s * 1000000000, t = now(d);

	while (d->next_commit <= t && (d->dirty || d->logged)) {
		commit(d, d->next_commit);
		if (d->next_writeback <= d->next_commit) {
			write_back(d, d->next_commit);
			d->next_writeback = d->next_commit + writeback_ns;
		}
		d->next_commit += commit_ns;
	}
	if (d->next_commit <= t) { /* there was nothing to do for long */
		d->next_commit = t + commit_ns;
		d->next_writeback = t + writeback_ns;
	}
}

/* A thread reads: it waits for the disk, which is at rest then. */
static void read_blocks(struct disk *d, struct place place, uint64_t blocks)
{
	uint64_t t = now(d) + d->usage->unclaimed_ns;

	work(d, t, moves(d, place, blocks));
	d->usage->reads++;
	d->usage->read_blocks += blocks;
	d->usage->wait_ns += d->busy_until - t;
	d->usage->unclaimed_ns += d->busy_until - t;
}

static void need_inode(struct disk *d, uint64_t ino)
{
	uint64_t b = block_of(d, ino);

	if (d->inodes[b] & INODES_CACHED)
		return;
	read_blocks(d, inodes_place(b), 1);
	d->inodes[b] |= INODES_CACHED;
}

/* The bits of a file; false where there is no memory for them: then it is not kept. */
static uint8_t *file_bits(struct disk *d, uint64_t ino)
{
	static uint8_t none;
	uint64_t room = d->files_room ? d->files_room : 4096;
	uint8_t *grown;

	while (room <= ino)
		room *= 2;
	if (room != d->files_room) {
		grown = realloc(d->files, room);
		if (!grown)
			return &none;
		memset(grown + d->files_room, 0, room - d->files_room);
		d->files = grown;
		d->files_room = room;
	}
	return &d->files[ino];
}

static void need_names(struct disk *d, uint64_t dir)
{
	uint8_t *bits = file_bits(d, dir);

	if (!(*bits & NAMES_CACHED))
		read_blocks(d, file_place(d, NAMES, dir), 1);
	*bits |= NAMES_CACHED;
}

/* Who changes an inode has its block first. */
static void dirty_inode(struct disk *d, uint64_t ino)
{
	uint8_t *bits = &d->inodes[block_of(d, ino)];

	need_inode(d, ino);
	d->dirty += !(*bits & INODES_DIRTY);
	*bits |= INODES_DIRTY;
}

static void enter(struct disk *d)
{
	pthread_mutex_lock(&d->lock);
	catch_up(d);
}

static void leave(struct disk *d)
{
	pthread_mutex_unlock(&d->lock);
}

/* Around a change that worked: the directory's inode and the file's are written. */
static int changed(struct disk *d, int err, uint64_t dir, uint64_t ino)
{
	if (err)
		return err;
	enter(d);
	dirty_inode(d, dir);
	dirty_inode(d, ino);
	leave(d);
	return 0;
}

/* ---- the functions of a store, over those of the store in memory */

static int root(void *store, struct dcs_stat *attr)
{
	struct disk *d = store;

	return d->under.root(d->data, attr);
}

static int lookup(void *store, uint64_t dir, const char *name, size_t len, struct dcs_stat *attr)
{
	struct disk *d = store;
	int err = d->under.lookup(d->data, dir, name, len, attr);

	enter(d);
	need_names(d, dir);
	if (!err)
		need_inode(d, attr->ino);
	leave(d);
	return err;
}

/* A short body lies in the inode, which the lookup has read. */
static ssize_t read_link(void *store, uint64_t ino, char *buf, size_t size)
{
	struct disk *d = store;

	return d->under.readlink(d->data, ino, buf, size);
}

static int read_dir(void *store, uint64_t dir, uint64_t cookie, dcs_emit *emit, void *context)
{
	struct disk *d = store;

	enter(d);
	need_names(d, dir);
	leave(d);
	return d->under.readdir(d->data, dir, cookie, emit, context);
}

static int create(void *store, uint64_t dir, const char *name, size_t len, const char *target,
		  struct dcs_stat *attr)
{
	struct disk *d = store;
	int err = d->under.create(d->data, dir, name, len, target, attr);

	if (!err) {
		enter(d);
		*file_bits(d, attr->ino) = NAMES_CACHED | DATA_CACHED;
		leave(d);
	}
	return changed(d, err, dir, attr->ino);
}

static int make_link(void *store, uint64_t ino, uint64_t dir, const char *name, size_t len)
{
	struct disk *d = store;

	return changed(d, d->under.link(d->data, ino, dir, name, len), dir, ino);
}

static int remove_name(void *store, uint64_t dir, const char *name, size_t len, uint64_t ino)
{
	struct disk *d = store;

	return changed(d, d->under.remove(d->data, dir, name, len, ino), dir, ino);
}

static int rename_name(void *store, uint64_t dir, const char *name, size_t len, uint64_t to_dir,
		       const char *to, size_t to_len, unsigned flags)
{
	struct disk *d = store;

	return changed(d, d->under.rename(d->data, dir, name, len, to_dir, to, to_len, flags), dir,
		       to_dir);
}

static int set_attr(void *store, uint64_t ino, const struct dcs_stat *attr, unsigned what)
{
	struct disk *d = store;

	return changed(d, d->under.setattr(d->data, ino, attr, what), ino, ino);
}

static void touch(void *store, uint64_t ino, const struct timespec *atime)
{
	struct disk *d = store;

	d->under.touch(d->data, ino, atime);
	changed(d, 0, ino, ino);
}

static int sync_all(void *store)
{
	struct disk *d = store;

	enter(d);
	commit(d, now(d));
	write_back(d, now(d));
	leave(d);
	return 0;
}

static void forget(void *store, uint64_t ino, uint64_t lookups)
{
	struct disk *d = store;

	d->under.forget(d->data, ino, lookups);
}

static void disk_free(void *store)
{
	struct disk *d = store;

	d->under.free(d->data);
	pthread_mutex_destroy(&d->lock);
	free(d->inodes);
	free(d->files);
	free(d);
}

static const struct dcs_store_ops disk_ops = {
	.name = "disk",
	.root = root,
	.lookup = lookup,
	.readlink = read_link,
	.readdir = read_dir,
	.create = create,
	.link = make_link,
	.remove = remove_name,
	.rename = rename_name,
	.setattr = set_attr,
	.touch = touch,
	.sync = sync_all,
	.forget = forget,
	.free = disk_free,
};

void dcs_disk_read(void *store, uint64_t ino, uint64_t size)
{
	struct disk *d = store;
	uint64_t blocks = (size + d->model.block_size - 1) / d->model.block_size;
	uint8_t *bits;

	enter(d);
	bits = file_bits(d, ino);
	if (blocks && !(*bits & DATA_CACHED))
		read_blocks(d, file_place(d, DATA, ino), blocks);
	*bits |= DATA_CACHED;
	leave(d);
}

void dcs_disk_drop(void *store)
{
	struct disk *d = store;

	enter(d);
	for (uint64_t b = 0; b < BLOCKS; b++)
		if (!(d->inodes[b] & (INODES_DIRTY | INODES_LOGGED)))
			d->inodes[b] = 0;
	if (d->files)
		memset(d->files, 0, d->files_room);
	leave(d);
}

int dcs_store_disk(struct dcs_config *config, const struct dcs_disk *model,
		   struct dcs_disk_usage *usage)
{
	struct disk *d;
	int err;

	if (!config->clock)
		return -EINVAL;
	d = calloc(1, sizeof(*d));
	if (!d || !(d->inodes = calloc(BLOCKS, 1))) {
		free(d);
		return -ENOMEM;
	}
	err = dcs_store_memory(config);
	if (err) {
		free(d->inodes);
		free(d);
		return err;
	}
	pthread_mutex_init(&d->lock, NULL);
	d->model = *model;
	d->under = *config->store;
	d->data = config->store_data;
	d->clock = config->clock;
	d->usage = usage;
	config->store = &disk_ops;
	config->store_data = d;
	return 0;
}
