// SPDX-License-Identifier: LGPL-2.1-or-later
/* dcb-parts.c - how many cycles the parts of dcachebench's lookups take: --parts */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dcb.h"

static const struct {
	const char *name;
	size_t offset;
} series[] = {
	{"hash", offsetof(struct dcs_parts, hash)},
	{"lookup", offsetof(struct dcs_parts, lookup)},
	{"empty", offsetof(struct dcs_parts, empty)},
};
#define SERIES (sizeof(series) / sizeof(series[0]))

static const uint64_t *bins_of(const struct dcs_parts *parts, size_t which)
{
	return (const uint64_t *)((const char *)parts + series[which].offset);
}

void dcb_parts_add(struct dcs_parts *parts, struct sut *sut, struct dcs_task *task,
		   const struct plan *plan)
{
	int err = dcs_thread_register(sut->cache);

	for (size_t i = 0; i < plan->n && !err; i++) {
		err = dcs_time_parts(task, plan->step[i].path, parts);
		if (err == -ENOENT) /* a miss, or what is yet to be created */
			err = 0;
	}
	dcs_thread_unregister(sut->cache);
	if (err)
		fail(EXIT_LACKS, "--parts: %s",
		     err == -EOPNOTSUPP ? "the cycle counter of this machine is not known; right "
					  "is an x86-64"
					: strerror(-err));
}

void dcb_parts_json(const struct dcs_parts *parts, struct json_t *result)
{
	json_t *j = json_pack("{s:i}", "cycles_a_bin", DCS_PART_CYCLES);

	for (size_t s = 0; s < SERIES; s++) {
		json_t *bins = json_array();

		for (size_t i = 0; i < DCS_PART_BINS; i++)
			json_array_append_new(bins, json_integer((json_int_t)bins_of(parts, s)[i]));
		json_object_set_new(j, series[s].name, bins);
	}
	json_object_set_new(result, "parts", j);
}

size_t dcb_parts_quantile(const uint64_t *bins, double share)
{
	uint64_t all = 0, below = 0;
	size_t i = 0;

	for (size_t k = 0; k < DCS_PART_BINS; k++)
		all += bins[k];
	while (i < DCS_PART_BINS - 1 && (double)(below += bins[i]) < share * (double)all)
		i++;
	return i;
}

void dcb_parts_print(const struct dcs_parts *parts, const char *label)
{
	printf("%s: cycles of a component's", label);
	for (size_t s = 0; s < SERIES; s++) {
		const uint64_t *bins = bins_of(parts, s);

		printf("%s %s: half below %zu, 90 %% below %zu", s ? ";" : "", series[s].name,
		       (dcb_parts_quantile(bins, 0.5) + 1) * DCS_PART_CYCLES,
		       (dcb_parts_quantile(bins, 0.9) + 1) * DCS_PART_CYCLES);
	}
	putchar('\n');
}
