/* Divide a node's resources among its ranks. Pure arithmetic on struct sr_machine_node; detection is in detect.c. */
#include "machine/machine.h"

static int ranks_of(const struct sr_machine_query *q)
{
	return q->ranks_per_node > 0 ? q->ranks_per_node : 1;
}

int sr_processors_count_sharers(const struct sr_processors *own, const struct sr_processors *all, int n)
{
	int sharers = 0;
	for (int i = 0; i < n; i++) {
		uint64_t common_bits = 0;
		for (int k = 0; k < SR_PROCESSOR_WORDS; k++)
			common_bits |= own->words[k] & all[i].words[k];
		sharers += common_bits != 0;
	}
	return sharers;
}

/* Return the number of ranks that share this rank's cores. If the masks of other ranks are unknown, estimate it: a launcher that
 * binds gives each rank its own cores, so all masks fit on the node; if they do not, ceil(ranks * my_cores / cores) ranks share
 * each core. 8 unbound ranks on 2 cores: 8 * 2 / 2 = 8; 2 ranks bound to one core each: 2 * 1 / 2 = 1. */
static int estimate_sharers(const struct sr_machine_query *q, const struct sr_machine_node *node)
{
	if (q->sharers)
		return q->sharers;
	int64_t wanted_cores = (int64_t)ranks_of(q) * node->my_cores;
	int64_t n = (wanted_cores + node->cores - 1) / node->cores;
	return n < 1 ? 1 : n > ranks_of(q) ? ranks_of(q) : (int)n;
}

struct sr_memory_share sr_machine_memory_per_rank(const struct sr_machine_query *query, const struct sr_machine_node *node)
{
	bool is_slurm_limit = node->limit && (!node->memory || node->limit < node->memory);
	struct sr_memory_share smallest_share = {(is_slurm_limit ? node->limit : node->memory) / ranks_of(query), ranks_of(query),
						 NULL, is_slurm_limit};
	for (int i = 0; i < node->cgroups.n; i++) {
		const struct sr_memory_cgroup *group = &node->cgroups.cgroups[i];
		int ranks = group->sharers > 0 ? group->sharers : ranks_of(query);
		if (!smallest_share.bytes || group->limit / ranks <= smallest_share.bytes)
			smallest_share = (struct sr_memory_share){group->limit / ranks, ranks, group, false};
	}
	return smallest_share;
}

void sr_machine_fill(const struct sr_machine_query *query, const struct sr_machine_node *node, struct sr_machine *out)
{
	int cores = node->my_cores / estimate_sharers(query, node);
	out->cores_per_rank = cores > 0 ? cores : 1;
	out->ranks_per_node = query->ranks_per_node;
	out->memory_per_rank = sr_machine_memory_per_rank(query, node).bytes;
}

int sr_machine_threads(const struct sr_machine *machine)
{
	return machine->cores_per_rank > 0 ? machine->cores_per_rank : 1;
}

void sr_machine_print(const struct sr_machine_query *query, const struct sr_machine_node *node, const struct sr_machine *machine,
		      struct sr_buf *out)
{
	sr_buf_printf(out, "%d core%s (%d for each of %d rank%s), %d NUMA node%s", node->cores, node->cores == 1 ? "" : "s",
		      sr_machine_threads(machine), ranks_of(query), ranks_of(query) == 1 ? "" : "s", node->numa_nodes,
		      node->numa_nodes == 1 ? "" : "s");
	if (node->memory)
		sr_buf_printf(out, ", %.1f GB", (double)node->memory / 1e9);
	struct sr_memory_share share = sr_machine_memory_per_rank(query, node);
	if (share.group)
		sr_buf_printf(out, " (control group: %.1f GB for %d rank%s)", (double)share.group->limit / 1e9, share.ranks, share.ranks == 1 ? "" : "s");
	else if (node->limit && (!node->memory || node->limit < node->memory))
		sr_buf_printf(out, " (limit %.1f GB)", (double)node->limit / 1e9);
}
