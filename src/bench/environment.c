// SPDX-License-Identifier: LGPL-2.1-or-later
/* environment.c - where and how figures were made, to travel with them */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "bench/build.h"
#include "bench/commit.h"
#include "bench/output.h"

/* The first line of a file without its newline, as JSON; null where there is none. */
static json_t *first_line(const char *path)
{
	char line[256];
	FILE *f = fopen(path, "re");
	json_t *value = NULL;

	if (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		value = json_string(line);
	}
	if (f)
		fclose(f);
	return value ? value : json_null();
}

static json_t *processor(void)
{
	char line[256];
	FILE *f = fopen("/proc/cpuinfo", "re");
	json_t *value = NULL;

	while (f && !value && fgets(line, sizeof(line), f)) {
		char *colon = strstr(line, ": ");

		line[strcspn(line, "\n")] = '\0';
		if (colon && (!strncmp(line, "model name", 10) || !strncmp(line, "Model", 5)))
			value = json_string(colon + 2);
	}
	if (f)
		fclose(f);
	return value ? value : json_null();
}

static json_t *utc_now(void)
{
	char text[32];
	time_t now = time(NULL);
	struct tm tm;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	return json_string(text);
}

json_t *report_environment(const struct bench *b)
{
	struct utsname u = {0};

	uname(&u);
	return json_pack("{s:o, s:i, s:i, s:o, s:s++, s:s, s:s, s:s, s:s, s:I, s:o}", "processor",
			 processor(), "cores", (int)sysconf(_SC_NPROCESSORS_ONLN), "cores_allowed",
			 (int)crew_cores(), "governor",
			 first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
			 "kernel", u.sysname, " ", u.release, "architecture", u.machine, "compiler",
			 BUILD_COMPILER, "flags", BUILD_FLAGS, "commit", BUILD_COMMIT, "seed",
			 (json_int_t)b->opt->seed, "date", utc_now());
}
