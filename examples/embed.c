/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* embed - a program that keeps a directory cache: make names, ask, rename, ask again */
#include <dcs/dcs.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static void show(struct dcs_task *task, const char *path)
{
	struct dcs_stat st;
	int err = dcs_stat(task, path, 0, &st);

	printf("%s: %s\n", path, err ? strerror(-err) : S_ISDIR(st.mode) ? "directory" : "file");
}

int main(void)
{
	struct dcs_config config = {.walk = "rcu-walk", .flavour = "urcu-memb"};
	struct dcs_cache *cache;
	struct dcs_task *task;
	const char *why;

	if (dcs_cache_new(&config, &cache, &why))
		return fprintf(stderr, "embed: %s\n", why), 1;
	if (dcs_thread_register(cache) || dcs_task_new(cache, NULL, 0, &task))
		return 1;
	if (dcs_mkdir(task, "/src", 0755) || dcs_create(task, "/src/a.c", 0644))
		return 1;
	show(task, "/src/a.c");
	if (dcs_rename(task, "/src/a.c", "/src/b.c", 0))
		return 1;
	show(task, "/src/a.c"); /* a negative dentry answers from now on */
	show(task, "/src/b.c");
	dcs_task_free(task);
	dcs_cache_free(cache);
	return 0;
}
