/* The resources this process may use: cores, memory, NUMA nodes. The only component that uses hwloc; without hwloc it relies on
 * the kernel's affinity mask and /proc.
 *
 * A machine can also be described by text (hwloc's synthetic topologies), so that decisions for a node of 128 cores can be
 * tested on a laptop:
 *
 *	struct sr_machine_query q = {.ranks_per_node = 8, .synthetic = "package:2 core:32 pu:2"};
 *	struct sr_machine_node node;
 *	struct sr_machine m;
 *	sr_machine_detect(&q, &node);          node.cores 64, node.my_cores 64
 *	sr_machine_fill(&q, &node, &m);      m.cores_per_rank 8
 *	sr_machine_threads(&m);              8
 */
#ifndef SR_MACHINE_MACHINE_H
#define SR_MACHINE_MACHINE_H

#include "support/buf.h"
#include "support/machine.h"
#include <shardrun/status.h>
#include <stdbool.h>

struct sr_machine_query {
	int ranks_per_node;    /* number of ranks on the node; 0: unknown, assumed to be 1 */
	/* number of the node's ranks, this one included, whose affinity masks overlap this rank's; 0: unknown */
	int sharers;
	const char *synthetic; /* hwloc's description of a synthetic machine: "package:2 core:4 pu:2"; NULL: this machine */
	const char *mask;      /* affinity mask on a synthetic machine, "0-3,8"; NULL: all logical processors */
	const char *root;      /* prefix of the paths /proc and /sys, for tests; NULL: "" */
};

/* A memory control group (cgroup) with a limit: this process's or an ancestor of it. */
struct sr_memory_cgroup {
	uint64_t device, inode; /* device and inode of the group's directory: ranks that see the same directory share the limit */
	int64_t limit;
	int sharers; /* number of the node's ranks in the group; 0: unknown, assumed to be all */
};
enum { SR_MAX_MEMORY_CGROUPS = 16 };
struct sr_memory_cgroups {
	int n;
	struct sr_memory_cgroup cgroups[SR_MAX_MEMORY_CGROUPS];
};

/* A set of logical processors: a bit for each of the first 1,024. */
enum { SR_PROCESSOR_WORDS = 16 };
struct sr_processors {
	uint64_t words[SR_PROCESSOR_WORDS];
};

struct sr_machine_node {
	struct sr_processors mask; /* this rank's affinity mask; empty: unknown */
	int cores;       /* cores of the node that the job may see; at least 1 */
	int my_cores;    /* number of cores in this rank's affinity mask; at least 1 */
	int numa_nodes; /* number of NUMA nodes; at least 1 */
	int64_t memory;  /* physical memory of the node in bytes; 0: unknown */
	int64_t limit;   /* Slurm's limit in bytes for all of the job's ranks on the node; 0: none */
	struct sr_memory_cgroups cgroups;
	int64_t l1, l2, l3; /* bytes of one data cache of each level; 0: unknown */
	int64_t last_level; /* bytes of all caches of the last level together; 0: unknown */
};

/* Detect the node's resources, without communication. Return SR_USAGE if the synthetic description or the mask is malformed,
 * SR_UNSUPPORTED for a synthetic machine without hwloc. */
enum sr_status sr_machine_detect(const struct sr_machine_query *query, struct sr_machine_node *out);

/* Set cores and memory per rank in *out; leaves link costs unchanged. */
void sr_machine_fill(const struct sr_machine_query *query, const struct sr_machine_node *node, struct sr_machine *out);

/* The memory of one rank: its share of the node, of Slurm's limit, or of a control group, whichever is least. */
struct sr_memory_share {
	int64_t bytes; /* share of the limit for one rank, in bytes; 0: unknown */
	int ranks;     /* number of ranks among which the limit is divided */
	/* the control group that sets the limit; NULL: the limit is the node's memory or Slurm's */
	const struct sr_memory_cgroup *group;
	bool counts_rss; /* true if Slurm's limit applies without a control group: shared pages count fully for every rank (RSS) */
};
struct sr_memory_share sr_machine_memory_per_rank(const struct sr_machine_query *query, const struct sr_machine_node *node);

/* Set `sharers` of each group in `own`. `all` holds the groups of the node's n ranks, including this one's. */
void sr_memory_cgroups_count_sharers(struct sr_memory_cgroups *own, const struct sr_memory_cgroups *all, int n);

/* Return the number of ranks, of n, whose mask overlaps this rank's; 0 if this rank's mask is empty. `all` holds the masks of
 * the node's ranks, including this one's. */
int sr_processors_count_sharers(const struct sr_processors *own, const struct sr_processors *all, int n);

/* Return the number of threads for a rank's computation: its cores if ranks do not share cores, else the cores of its mask
 * divided by the number of sharers; at least 1. 8 ranks on 2 cores get 1 each. */
int sr_machine_threads(const struct sr_machine *machine);

/* Find the control groups with a memory limit, from this process's group upwards (cgroup version 2, or the memory controller of
 * version 1). `root` as in sr_machine_query. */
void sr_memory_cgroups_detect(const char *root, struct sr_memory_cgroups *out);
/* Return Slurm's memory limit of the job on this node in bytes; 0: none. It is SLURM_MEM_PER_NODE, or SLURM_MEM_PER_CPU times
 * the job's CPUs here, or the RSS limit of a job step if only srun was given one. */
int64_t sr_slurm_memory(void);

/* Return the node's memory in bytes according to the kernel; 0: unknown. */
int64_t sr_machine_node_memory(const char *root);
/* Return this process's resident memory in bytes, where a page shared by n processes counts 1/n (PSS); 0: unknown. */
int64_t sr_machine_pss_bytes(const char *root);
/* Return this process's resident memory in bytes, where shared pages count fully (RSS); 0: unknown. */
int64_t sr_machine_rss_bytes(const char *root);

/* Print one line for -v: "64 cores (8 for each of 8 ranks), 2 NUMA nodes, 256.0 GB". */
void sr_machine_print(const struct sr_machine_query *query, const struct sr_machine_node *node,
		      const struct sr_machine *machine, struct sr_buf *out);

#endif
