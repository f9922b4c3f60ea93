/* What this process may use of the machine: cores, memory, memory nodes. The only folder that knows hwloc; without hwloc it counts
 * what the kernel's affinity mask and /proc say.
 *
 * A machine that is not there can be described by text (hwloc's synthetic topologies), so that the choices made for a node of 128
 * cores are tested on a laptop:
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
	int ranks_per_node;    /* 0: unknown, taken as 1 */
	int sharers;           /* ranks of the node that may use logical processors of mine, me among them; 0: unknown */
	const char *synthetic; /* "package:2 core:4 pu:2"; NULL: this machine */
	const char *mask;      /* of a synthetic machine: the logical processors that I may use, "0-3,8"; NULL: all */
	const char *root;      /* where /proc and /sys are, for tests; NULL: "" */
};

/* A control group with a limit, mine or one above it. */
struct sr_memory_cgroup {
	uint64_t device, inode; /* of its folder: ranks that see the same folder share the limit */
	int64_t limit;
	int sharers; /* ranks of the node that are in it; 0: unknown, taken as all */
};
enum { SR_MAX_MEMORY_CGROUPS = 16 };
struct sr_memory_cgroups {
	int n;
	struct sr_memory_cgroup at[SR_MAX_MEMORY_CGROUPS];
};

/* A set of logical processors, a bit for each of the first 1,024. */
enum { SR_PROCESSOR_WORDS = 16 };
struct sr_processors {
	uint64_t words[SR_PROCESSOR_WORDS];
};

struct sr_machine_node {
	struct sr_processors mask; /* my affinity mask; empty: unknown */
	int cores;       /* of the node, as far as the job may see them; at least 1 */
	int my_cores;    /* that my affinity mask touches; at least 1 */
	int numa_nodes; /* NUMA nodes; at least 1 */
	int64_t memory;  /* bytes of the node, as the system says; 0: unknown */
	int64_t limit;   /* bytes that all my ranks on the node may have (Slurm); 0: none */
	struct sr_memory_cgroups groups;
	int64_t l1, l2, l3; /* bytes of a data cache; 0: unknown */
};

/* Not collective. SR_USAGE where the synthetic description or the mask is malformed,
 * SR_UNSUPPORTED for a description without hwloc. */
enum sr_status sr_machine_detect(const struct sr_machine_query *question, struct sr_machine_node *out);

/* The figures the compiler gets: cores per rank, memory per rank; link costs stay as they are in *out. */
void sr_machine_fill(const struct sr_machine_query *question, const struct sr_machine_node *node, struct sr_machine *out);

/* My part of the memory, the least of what may hold it: the node, Slurm's limit, each control group. */
struct sr_memory_share {
	int64_t bytes; /* 0: unknown */
	int ranks;     /* that have as much each */
	const struct sr_memory_cgroup *group; /* which says so; NULL: the node or Slurm */
	bool whole; /* Slurm says so, and no control group holds it: pages that ranks share count for each of them */
};
struct sr_memory_share sr_machine_memory_per_rank(const struct sr_machine_query *question, const struct sr_machine_node *node);

/* Count for each group of mine in how many of all it is; `all` are those of the node's ranks, mine among them. */
void sr_memory_cgroups_count_sharers(struct sr_memory_cgroups *mine, const struct sr_memory_cgroups *all, int n);

/* Return how many of n ranks' masks share a logical processor with mine; 0: mine is empty. `all` are those of the node's ranks,
 * mine among them. */
int sr_processors_count_sharers(const struct sr_processors *mine, const struct sr_processors *all, int n);

/* Threads that a rank's BLAS may have: its cores where ranks do not share any, the mask's cores divided among the sharers where
 * they do; at least 1. 8 ranks on 2 cores have 1 each. */
int sr_machine_threads(const struct sr_machine *machine);

/* My control group and those above it (version 2, or 1's memory controller) that have a limit, from below.
 * `root` as in a question. */
void sr_memory_cgroups_detect(const char *root, struct sr_memory_cgroups *out);
/* What Slurm gave the job of this node's memory (SLURM_MEM_PER_NODE, or _PER_CPU times the job's CPUs here; or the limit of
 * resident pages that its steps have, where srun alone was told), in bytes; 0: nothing said. */
int64_t sr_slurm_memory(void);

/* Bytes of the node's memory, as the kernel counts it; 0: unknown. */
int64_t sr_machine_node_memory(const char *root);
/* Bytes that this process has in memory, of pages that n processes share an n-th (Linux's PSS); 0: unknown. */
int64_t sr_machine_pss_bytes(const char *root);
int64_t sr_machine_rss_bytes(const char *root); /* the same with all pages counted whole (RSS) */

/* One line for -v: "64 cores (8 for each of 8 ranks), 2 memory nodes, 256.0 GB". */
void sr_machine_print(const struct sr_machine_query *question, const struct sr_machine_node *node,
		      const struct sr_machine *machine, struct sr_buf *out);

#endif
