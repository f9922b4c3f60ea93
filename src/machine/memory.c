/* Memory limits that are not the machine's own: the control group's and Slurm's. */
#include "machine/machine.h"
#include "support/checked.h"
#include "support/knobs.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number in a file; 0 where there is none, or "max", or version 1's "no limit" (close to the largest number). */
static int64_t number_in(const char *path)
{
	FILE *in = fopen(path, "r");
	long long n = 0;
	if (!in)
		return 0;
	if (fscanf(in, "%lld", &n) != 1 || n < 0 || n >= LLONG_MAX / 2)
		n = 0;
	fclose(in);
	return n;
}

/* The least limit of a group and the groups above it: a parent's holds for its children. `path` is cut on the way. */
static int64_t least_up(const char *root, const char *mount, char *path, const char *file)
{
	int64_t least = 0;
	for (;;) {
		char name[PATH_MAX];
		int n = snprintf(name, sizeof name, "%s%s%s/%s", root, mount, strcmp(path, "/") ? path : "", file);
		int64_t limit = n < (int)sizeof name ? number_in(name) : 0;
		char *slash = strrchr(path, '/');
		if (limit && (!least || limit < least))
			least = limit;
		if (!slash || !*path)
			return least;
		*slash = '\0';
	}
}

/* A line of /proc/self/cgroup is number:controllers:path; version 2 has one line, 0::path. */
static int64_t limit_of_line(const char *root, char *line)
{
	char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!path)
		return 0;
	*controllers++ = '\0';
	*path++ = '\0';
	path[strcspn(path, "\n")] = '\0';
	if (!*controllers && !strcmp(line, "0"))
		return least_up(root, "/sys/fs/cgroup", path, "memory.max");
	if (strcmp(controllers, "memory"))
		return 0;
	return least_up(root, "/sys/fs/cgroup/memory", path, "memory.limit_in_bytes");
}

int64_t sr_cgroup_memory(const char *root)
{
	char name[PATH_MAX], line[PATH_MAX];
	int64_t least = 0;
	FILE *in;
	root = root ? root : "";
	snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
	in = fopen(name, "r");
	while (in && fgets(line, sizeof line, in)) {
		int64_t limit = limit_of_line(root, line);
		if (limit && (!least || limit < least))
			least = limit;
	}
	if (in)
		fclose(in);
	return least;
}

/* Slurm's figures are megabytes of 1024 * 1024; 0 means all of the node. */
static int64_t megabytes(const char *name)
{
	const char *text = sr_env(name);
	char *end;
	long long n = text ? strtoll(text, &end, 10) : 0;
	int64_t bytes;
	return text && end != text && n > 0 && !sr_mul_overflows((int64_t)n, (int64_t)1 << 20, &bytes) ? bytes : 0;
}

int64_t sr_slurm_memory(void)
{
	const char *cpus = sr_env("SLURM_CPUS_ON_NODE");
	int64_t per_node = megabytes("SLURM_MEM_PER_NODE"), per_cpu = megabytes("SLURM_MEM_PER_CPU"), all;
	if (per_node)
		return per_node;
	return cpus && per_cpu && atoi(cpus) > 0 && !sr_mul_overflows(per_cpu, (int64_t)atoi(cpus), &all) ? all : 0;
}
