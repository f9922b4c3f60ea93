/* Permute, hierarchical: a target on the source's node reads the source's input in place, another target gets a message.
 *
 * Source: StableHLO specification, collective_permute. Requires members on several nodes; not in place. r bytes per member that has
 * a target.
 *
 * n = 5, nodes {0 1 2} {3 4}, pairs (0,1) (1,3) (4,2), member 1: x1 -> 3; wait for 0; x0 is read; 0 is signalled */
#include "collectives/hierarchy.h"
#include "collectives/algorithms.h"

enum sr_status sr_permute_hierarchical(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out)
{
	struct sr_schedule_builder b;
	struct sr_hierarchy l;
	if (!sr_hierarchy_find(call, arena, &l))
		return SR_NEXT;
	bool sends = call->to >= 0 && call->to != call->member, receives = call->from >= 0 && call->from != call->member;
	bool is_read = sends && call->node[call->to] == l.my_node, reads = receives && call->node[call->from] == l.my_node;
	sr_build_begin(&b, call, arena);
	struct sr_area in = sr_build_in(&b), result = sr_build_out(&b);
	b.shared[SR_IN] = true;
	if (receives && !reads)
		sr_build_recv(&b, call->from, 0, result, 0, call->count);
	if (sends && !is_read)
		sr_build_send(&b, call->to, 0, in, 0, call->count);
	if (call->from < 0)
		sr_build_zero(&b, result, 0, call->count);
	else if (!receives)
		sr_build_copy(&b, result, 0, in, 0, call->count);
	sr_build_signal(&b, 1);
	if (reads)
		sr_build_wait(&b, call->from, 1);
	sr_build_round(&b);
	if (reads)
		sr_build_read(&b, result, 0, call->from, in, 0, call->count);
	sr_build_round(&b);
	sr_build_signal(&b, 2);
	if (is_read)
		sr_build_wait(&b, call->to, 2);
	sr_build_count_read_bytes(&b, is_read, call->count);
	return sr_build_end(&b, out);
}
