/* Read memory limits from control groups and Slurm, and memory use from /proc. */
#include "machine/machine.h"
#include "support/checked.h"
#include "support/knobs/knobs.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* Return the number in a file. Return 0 if there is no file, or for "max", or for version 1's "no limit" (close to the largest
 * number). */
static int64_t read_number(const char *path)
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

/* Collect the limits of a group and its ancestors, whose limits apply to it as well. Truncates `path` on the way. */
static void collect_ancestors(const char *root, const char *mount, char *path, const char *file, struct sr_memory_cgroups *out)
{
	for (;;) {
		char folder[PATH_MAX / 2], name[PATH_MAX];
		struct stat info;
		int n = snprintf(folder, sizeof folder, "%s%s%s", root, mount, strcmp(path, "/") ? path : "");
		snprintf(name, sizeof name, "%s/%s", folder, file);
		int64_t limit = n < (int)sizeof folder ? read_number(name) : 0;
		char *slash = strrchr(path, '/');
		if (limit && out->n < SR_MAX_MEMORY_CGROUPS && !stat(folder, &info))
			out->cgroups[out->n++] = (struct sr_memory_cgroup){(uint64_t)info.st_dev, (uint64_t)info.st_ino, limit, 0};
		if (!slash || !*path)
			return;
		*slash = '\0';
	}
}

/* Parse a line of /proc/self/cgroup, number:controllers:path; version 2 has one line, 0::path. */
static void collect_from_line(const char *root, char *line, struct sr_memory_cgroups *out)
{
	char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!path)
		return;
	*controllers++ = '\0';
	*path++ = '\0';
	path[strcspn(path, "\n")] = '\0';
	if (!*controllers && !strcmp(line, "0"))
		collect_ancestors(root, "/sys/fs/cgroup", path, "memory.max", out);
	else if (!strcmp(controllers, "memory"))
		collect_ancestors(root, "/sys/fs/cgroup/memory", path, "memory.limit_in_bytes", out);
}

void sr_memory_cgroups_detect(const char *root, struct sr_memory_cgroups *out)
{
	char name[PATH_MAX], line[PATH_MAX];
	FILE *in;
	root = root ? root : "";
	memset(out, 0, sizeof *out);
	snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
	in = fopen(name, "r");
	while (in && fgets(line, sizeof line, in))
		collect_from_line(root, line, out);
	if (in)
		fclose(in);
}

/* Return the value of the line "KEY: N kB" of a file below `root`, in bytes; 0 if it is missing. */
static int64_t read_kilobytes(const char *root, const char *file, const char *key)
{
	char name[PATH_MAX], line[256];
	long long kilobytes = 0;
	size_t n = strlen(key);
	snprintf(name, sizeof name, "%s%s", root ? root : "", file);
	FILE *in = fopen(name, "r");
	while (in && !kilobytes && fgets(line, sizeof line, in))
		if (!strncmp(line, key, n) && line[n] == ':')
			kilobytes = strtoll(line + n + 1, NULL, 10);
	if (in)
		fclose(in);
	return kilobytes > 0 && kilobytes < INT64_MAX / 1024 ? (int64_t)kilobytes * 1024 : 0;
}

int64_t sr_machine_pss_bytes(const char *root)
{
	return read_kilobytes(root, "/proc/self/smaps_rollup", "Pss");
}

/* Reads /proc/self/statm, whose fields are in pages; the kernel takes several times as long to write /proc/self/status. */
int64_t sr_machine_rss_bytes(const char *root)
{
	char name[PATH_MAX];
	long long pages = 0;
	snprintf(name, sizeof name, "%s/proc/self/statm", root ? root : "");
	FILE *in = fopen(name, "r");
	if (!in)
		return 0;
	if (fscanf(in, "%*s %lld", &pages) != 1)
		pages = 0;
	fclose(in);
	return pages > 0 && pages < INT64_MAX >> 32 ? (int64_t)pages * sysconf(_SC_PAGESIZE) : 0;
}

int64_t sr_machine_node_memory(const char *root)
{
	long n_pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
	int64_t total = read_kilobytes(root, "/proc/meminfo", "MemTotal");
	return total ? total : n_pages > 0 && page_bytes > 0 ? (int64_t)n_pages * page_bytes : 0;
}

static bool has_group(const struct sr_memory_cgroup *group, const struct sr_memory_cgroups *groups)
{
	for (int i = 0; i < groups->n; i++)
		if (groups->cgroups[i].device == group->device && groups->cgroups[i].inode == group->inode)
			return true;
	return false;
}

void sr_memory_cgroups_count_sharers(struct sr_memory_cgroups *own, const struct sr_memory_cgroups *all, int n)
{
	for (int i = 0; i < own->n; i++) {
		own->cgroups[i].sharers = 0;
		for (int k = 0; k < n; k++)
			own->cgroups[i].sharers += has_group(&own->cgroups[i], &all[k]);
	}
}

/* Return the value of an environment variable of Slurm in units of 2^20 bytes, as bytes. Return 0, which Slurm uses for "all of
 * the node", if it is unset. */
static int64_t env_megabytes(const char *name)
{
	const char *text = sr_env(name);
	char *end;
	long long n = text ? strtoll(text, &end, 10) : 0;
	int64_t bytes;
	return text && end != text && n > 0 && !sr_mul_overflows((int64_t)n, (int64_t)1 << 20, &bytes) ? bytes : 0;
}

/* Return the limit that slurmstepd set for all tasks of a job step on this node; 0: none. Tasks are killed when their resident
 * memory exceeds it. */
static int64_t slurm_step_memory(void)
{
	struct rlimit rss_limit;
	if (!sr_env("SLURM_STEP_ID") || getrlimit(RLIMIT_RSS, &rss_limit) || rss_limit.rlim_cur == RLIM_INFINITY ||
	    rss_limit.rlim_cur > INT64_MAX)
		return 0;
	return (int64_t)rss_limit.rlim_cur;
}

static int64_t slurm_job_memory(void)
{
	const char *cpus = sr_env("SLURM_CPUS_ON_NODE");
	int64_t per_node = env_megabytes("SLURM_MEM_PER_NODE"), per_cpu = env_megabytes("SLURM_MEM_PER_CPU"), all;
	if (per_node)
		return per_node;
	return cpus && per_cpu && atoi(cpus) > 0 && !sr_mul_overflows(per_cpu, (int64_t)atoi(cpus), &all) ? all : 0;
}

int64_t sr_slurm_memory(void)
{
	int64_t job_bytes = slurm_job_memory(), step_bytes = slurm_step_memory();
	return step_bytes && (!job_bytes || step_bytes < job_bytes) ? step_bytes : job_bytes;
}
