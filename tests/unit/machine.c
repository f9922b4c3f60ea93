/* Decisions for machines that are described by hwloc's text, by a folder with /proc and /sys, or by Slurm's variables. */
#include "machine/machine.h"
#include "tests/unit/scratch.h"
#include "tests/unit/suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_HWLOC
/* Return the machine as a rank sees it on a synthetic machine. */
static struct sr_machine detect_machine(const char *machine, const char *mask, int ranks, struct sr_machine_node *node)
{
	struct sr_machine_query q = {.ranks_per_node = ranks, .synthetic = machine, .mask = mask};
	struct sr_machine m = {0};
	ck_assert_int_eq(sr_machine_detect(&q, node), SR_OK);
	sr_machine_fill(&q, node, &m);
	return m;
}

START_TEST(threads_by_machine_mask_and_ranks)
{
	static const struct {
		const char *machine, *mask;
		int ranks, threads;
	} rows[] = {
		{"core:2 pu:1", NULL, 1, 2},
		{"core:2 pu:1", NULL, 2, 1},
		{"core:2 pu:1", NULL, 8, 1},            /* there are more ranks than cores */
		{"core:2 pu:1", "0", 2, 1},             /* each rank is bound to one core */
		{"package:2 core:4 pu:2", NULL, 1, 8},  /* two threads of a core count as one core */
		{"package:2 core:4 pu:2", NULL, 3, 2},
		{"package:2 core:4 pu:2", "0-7", 2, 4}, /* each rank is bound to one package */
		{"package:2 core:4 pu:2", "0-1", 8, 1},
		{"package:2 core:32 pu:2", NULL, 8, 8},
		{"core:4 pu:1", "0-1", 4, 1},           /* two ranks are bound to each pair of cores */
		{"core:4 pu:1", NULL, 0, 4},            /* the number of ranks is unknown */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sr_machine_node node;
		struct sr_machine m = detect_machine(rows[i].machine, rows[i].mask, rows[i].ranks, &node);
		ck_assert_msg(sr_machine_threads(&m) == rows[i].threads, "%s, mask %s, %d ranks: %d threads, not %d", rows[i].machine,
			      rows[i].mask ? rows[i].mask : "all", rows[i].ranks, sr_machine_threads(&m), rows[i].threads);
	}
}
END_TEST

/* Eight ranks bound to the same eight of 64 cores, to one core each, or two to each of four cores. */
START_TEST(threads_by_ranks_that_share_the_mask)
{
	static const struct {
		int sharers, threads;
	} rows[] = {{8, 1}, {1, 8}, {2, 4}};
	struct sr_machine_query q = {.ranks_per_node = 8, .synthetic = "package:2 core:32 pu:1", .mask = "0-7"};
	struct sr_machine_node node;
	struct sr_machine m = {0};
	ck_assert_int_eq(sr_machine_detect(&q, &node), SR_OK);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		q.sharers = rows[i].sharers;
		sr_machine_fill(&q, &node, &m);
		ck_assert_int_eq(sr_machine_threads(&m), rows[i].threads);
	}
}
END_TEST

START_TEST(a_node_is_described)
{
	struct sr_machine_node node;
	struct sr_machine m = detect_machine("package:2 [numa(memory=1073741824)] l3:1(size=8388608) core:4 l2:1(size=262144) l1d:1(size=32768) pu:2", NULL, 4, &node);
	ck_assert_int_eq(node.cores, 8);
	ck_assert_int_eq(node.my_cores, 8);
	ck_assert_int_eq(node.numa_nodes, 2);
	ck_assert_int_eq(node.memory, (int64_t)2 << 30);
	ck_assert_int_eq(node.l3, 8 << 20);
	ck_assert_int_eq(node.last_level, 16 << 20);
	ck_assert_int_eq(node.l2, 256 << 10);
	ck_assert_int_eq(node.l1, 32 << 10);
	ck_assert_int_eq(m.memory_per_rank, (int64_t)1 << 29);
	ck_assert_int_eq(m.ranks_per_node, 4);
}
END_TEST

START_TEST(malformed_descriptions_are_refused)
{
	struct sr_machine_node node;
	ck_assert_int_eq(sr_machine_detect(&(struct sr_machine_query){.synthetic = "core:two"}, &node), SR_USAGE);
	ck_assert_int_eq(node.cores, 1);
	ck_assert_int_eq(sr_machine_detect(&(struct sr_machine_query){.synthetic = "core:2 pu:1", .mask = "x"}, &node), SR_USAGE);
}
END_TEST
#else
START_TEST(a_description_needs_hwloc)
{
	struct sr_machine_node node;
	ck_assert_int_eq(sr_machine_detect(&(struct sr_machine_query){.synthetic = "core:2 pu:1"}, &node), SR_UNSUPPORTED);
}
END_TEST
#endif

START_TEST(sharers_have_a_processor_in_common)
{
	static const struct sr_processors all[] = {{{1}}, {{2}}, {{3}}, {{0, 1}}, {{0}}};
	static const int sharers[] = {2, 2, 3, 1, 0};
	for (int i = 0; i < 5; i++)
		ck_assert_int_eq(sr_processors_count_sharers(&all[i], all, 5), sharers[i]);
}
END_TEST

START_TEST(this_machine_has_a_core_and_memory)
{
	struct sr_machine_query q = {.ranks_per_node = 1};
	struct sr_machine_node node;
	struct sr_machine m = {0};
	ck_assert_int_eq(sr_machine_detect(&q, &node), SR_OK);
	ck_assert_int_ge(node.my_cores, 1);
	ck_assert_int_ge(node.cores, node.my_cores);
	ck_assert_int_gt(node.memory, 0);
	sr_machine_fill(&q, &node, &m);
	ck_assert_int_ge(sr_machine_threads(&m), 1);
	ck_assert_int_gt(m.memory_per_rank, 0);
}
END_TEST

/* ---- limits ---- */

static char root_folder[SCRATCH_PATH];

static void put(const char *folder, const char *file, const char *text)
{
	char name[512];
	FILE *out;
	snprintf(name, sizeof name, "mkdir -p '%s%s'", root_folder, folder);
	ck_assert_int_eq(system(name), 0);
	snprintf(name, sizeof name, "%s%s/%s", root_folder, folder, file);
	out = fopen(name, "w");
	ck_assert_ptr_nonnull(out);
	fputs(text, out);
	fclose(out);
}

static void setup(void)
{
	make_scratch_folder(root_folder);
}

static void teardown(void)
{
	char command[SCRATCH_PATH + 16];
	snprintf(command, sizeof command, "rm -rf '%s'", root_folder);
	ck_assert_int_eq(system(command), 0);
}

/* Return the least limit of the groups that contain this process; 0: none. */
static int64_t least_limit(void)
{
	struct sr_memory_cgroups groups;
	int64_t limit = 0;
	sr_memory_cgroups_detect(root_folder, &groups);
	for (int i = 0; i < groups.n; i++)
		limit = limit && limit < groups.cgroups[i].limit ? limit : groups.cgroups[i].limit;
	return limit;
}

START_TEST(the_least_memory_limit_of_all_parent_groups_holds)
{
	put("/proc/self", "cgroup", "0::/job/step/task\n");
	ck_assert_int_eq(least_limit(), 0);
	put("/sys/fs/cgroup/job/step/task", "memory.max", "max\n");
	put("/sys/fs/cgroup/job/step", "memory.max", "4096000\n");
	put("/sys/fs/cgroup/job", "memory.max", "8192000\n");
	ck_assert_int_eq(least_limit(), 4096000);
	put("/sys/fs/cgroup", "memory.max", "1024000\n");
	ck_assert_int_eq(least_limit(), 1024000);
}
END_TEST

START_TEST(the_first_version_has_a_controller_of_its_own)
{
	put("/proc/self", "cgroup", "5:cpu,cpuacct:/c\n4:memory:/job\n");
	put("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "9223372036854771712\n");
	ck_assert_int_eq(least_limit(), 0);
	put("/sys/fs/cgroup/memory/job", "memory.limit_in_bytes", "2048000\n");
	ck_assert_int_eq(least_limit(), 2048000);
}
END_TEST

START_TEST(memory_is_read_from_proc)
{
	struct sr_machine_query q = {.root = root_folder};
	struct sr_machine_node node;
	ck_assert_int_gt(sr_machine_node_memory(NULL), 0);
	/* the root folder has none of the files, as on another system */
	ck_assert_int_eq(sr_machine_node_memory(root_folder), sr_machine_node_memory(NULL));
	ck_assert_int_eq(sr_machine_pss_bytes(root_folder), 0);
	put("/proc", "meminfo", "MemTotal:       1000 kB\nMemFree:         10 kB\n");
	put("/proc/self", "smaps_rollup", "00400000-7fff r--p [rollup]\nPss:  12 kB\nPss_Anon:  3 kB\n");
	put("/proc/self", "statm", "900 11 3 1 0 60 0\n");
	ck_assert_int_eq(sr_machine_pss_bytes(root_folder), 12 * 1024);
	ck_assert_int_eq(sr_machine_rss_bytes(root_folder), 11 * sysconf(_SC_PAGESIZE));
	ck_assert_int_eq(sr_machine_detect(&q, &node), SR_OK);
	ck_assert_int_eq(node.memory, 1000 * 1024);
}
END_TEST

START_TEST(a_limit_is_divided_among_ranks)
{
	struct sr_machine_query q = {.ranks_per_node = 4};
	struct sr_machine_node node = {.cores = 4, .my_cores = 4, .numa_nodes = 1, .memory = 64000, .limit = 16000};
	struct sr_machine m = {0};
	struct sr_arena *arena = sr_arena_new();
	struct sr_buf buf;
	sr_machine_fill(&q, &node, &m);
	ck_assert_int_eq(m.memory_per_rank, 4000);
	node.memory = 0; /* physical memory is unknown, so only the limit counts */
	sr_machine_fill(&q, &node, &m);
	ck_assert_int_eq(m.memory_per_rank, 4000);
	node.memory = 8000;
	sr_machine_fill(&q, &node, &m);
	ck_assert_int_eq(m.memory_per_rank, 2000);
	sr_buf_init(&buf, arena);
	sr_machine_print(&q, &node, &m, &buf);
	ck_assert_str_eq(sr_buf_string(&buf), "4 cores (1 for each of 4 ranks), 1 NUMA node, 0.0 GB");
	sr_arena_free(arena);
}
END_TEST

/* Three ranks of a node are in two groups of a job: all three share the job's limit, the ranks of a group its limit. */
START_TEST(control_group_is_divided_among_its_ranks)
{
	struct sr_machine_query q = {.ranks_per_node = 3};
	struct sr_machine_node node = {.cores = 4, .my_cores = 4, .numa_nodes = 1, .memory = 60000};
	struct sr_memory_cgroups all[3];
	const char *const in[] = {"0::/job/a\n", "0::/job/b\n", "0::/job/b\n"};
	static const int64_t shares[] = {4000, 3500, 3500}; /* a third of the job's 12000; half of group b's 7000 */
	put("/sys/fs/cgroup/job", "memory.max", "12000\n");
	put("/sys/fs/cgroup/job/a", "memory.max", "7000\n");
	put("/sys/fs/cgroup/job/b", "memory.max", "7000\n");
	for (int i = 0; i < 3; i++) {
		put("/proc/self", "cgroup", in[i]);
		sr_memory_cgroups_detect(root_folder, &all[i]);
	}
	for (int i = 0; i < 3; i++) {
		node.cgroups = all[i];
		sr_memory_cgroups_count_sharers(&node.cgroups, all, 3);
		struct sr_memory_share memory_share = sr_machine_memory_per_rank(&q, &node);
		ck_assert_int_eq(memory_share.bytes, shares[i]);
		ck_assert_int_eq(memory_share.ranks, i ? 2 : 3);
		ck_assert_ptr_nonnull(memory_share.group);
	}
	node.limit = 9000; /* Slurm's limit is for the job's ranks on the node */
	ck_assert_int_eq(sr_machine_memory_per_rank(&q, &node).bytes, 3000);
	ck_assert_ptr_null(sr_machine_memory_per_rank(&q, &node).group);
}
END_TEST

START_TEST(slurm_memory_limits_are_read)
{
	unsetenv("SLURM_MEM_PER_NODE");
	unsetenv("SLURM_MEM_PER_CPU");
	ck_assert_int_eq(sr_slurm_memory(), 0);
	setenv("SLURM_MEM_PER_CPU", "1000", 1);
	ck_assert_int_eq(sr_slurm_memory(), 0);
	setenv("SLURM_CPUS_ON_NODE", "4", 1);
	ck_assert_int_eq(sr_slurm_memory(), (int64_t)4000 << 20);
	setenv("SLURM_MEM_PER_NODE", "2000", 1);
	ck_assert_int_eq(sr_slurm_memory(), (int64_t)2000 << 20);
	setenv("SLURM_MEM_PER_NODE", "0", 1);
	ck_assert_int_eq(sr_slurm_memory(), (int64_t)4000 << 20);
	setenv("SLURM_MEM_PER_CPU", "99999999999999999999", 1);
	ck_assert_int_eq(sr_slurm_memory(), 0);
	unsetenv("SLURM_MEM_PER_NODE");
	unsetenv("SLURM_MEM_PER_CPU");
	unsetenv("SLURM_CPUS_ON_NODE");
}
END_TEST

/* A memory limit given to srun alone is in no variable; its tasks have it as their RSS limit. Outside of a job step a user's
 * own RSS limit is ignored. */
START_TEST(slurm_step_limit_is_read)
{
	struct rlimit old_limit, step = {.rlim_cur = 64 << 20};
	ck_assert_int_eq(getrlimit(RLIMIT_RSS, &old_limit), 0);
	step.rlim_max = old_limit.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_RSS, &step), 0);
	unsetenv("SLURM_STEP_ID");
	ck_assert_int_eq(sr_slurm_memory(), 0);
	setenv("SLURM_STEP_ID", "0", 1);
	ck_assert_int_eq(sr_slurm_memory(), 64 << 20);
	setenv("SLURM_MEM_PER_NODE", "32", 1);
	ck_assert_int_eq(sr_slurm_memory(), 32 << 20);
	setenv("SLURM_MEM_PER_NODE", "128", 1);
	ck_assert_int_eq(sr_slurm_memory(), 64 << 20);
	unsetenv("SLURM_MEM_PER_NODE");
	unsetenv("SLURM_STEP_ID");
	setrlimit(RLIMIT_RSS, &old_limit);
}
END_TEST

/* Without control groups Slurm counts a shared page for each rank that maps it. */
START_TEST(shared_pages_count_fully_without_control_groups)
{
	struct sr_machine_query q = {.ranks_per_node = 2};
	struct sr_machine_node node = {.cores = 4, .my_cores = 4, .numa_nodes = 1, .memory = 64000, .limit = 16000};
	ck_assert(sr_machine_memory_per_rank(&q, &node).counts_rss);
	node.cgroups = (struct sr_memory_cgroups){1, {{.limit = 16000, .sharers = 2}}};
	ck_assert(!sr_machine_memory_per_rank(&q, &node).counts_rss);
	ck_assert_int_eq(sr_machine_memory_per_rank(&q, &node).bytes, 8000);
	node.cgroups.n = 0, node.limit = 0;
	ck_assert(!sr_machine_memory_per_rank(&q, &node).counts_rss);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
#ifdef HAVE_HWLOC
		threads_by_machine_mask_and_ranks, threads_by_ranks_that_share_the_mask, a_node_is_described,
		malformed_descriptions_are_refused,
#else
		a_description_needs_hwloc,
#endif
		sharers_have_a_processor_in_common,
		this_machine_has_a_core_and_memory, the_least_memory_limit_of_all_parent_groups_holds, the_first_version_has_a_controller_of_its_own,
		memory_is_read_from_proc, a_limit_is_divided_among_ranks, control_group_is_divided_among_its_ranks, slurm_memory_limits_are_read,
		slurm_step_limit_is_read, shared_pages_count_fully_without_control_groups,
	};
	return sr_run_tests("machine", tests, sizeof tests / sizeof tests[0], setup, teardown);
}
