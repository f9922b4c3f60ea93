/* Groups for --levels: members that share a node, or one member of each node. */
#include "collectives/bench/bench.h"

const char *const bench_level_names[BENCH_LEVELS] = {"all", "inside a node", "across nodes"};

/* Return an array of the lowest rank on each rank's node, which identifies the node. Length: number of ranks. */
static int *find_nodes(struct bench *b)
{
	int *nodes = SR_NEW_ARRAY(b->arena, int, b->ranks), own_rank = b->rank;
	MPI_Comm node;
	if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, b->rank, MPI_INFO_NULL, &node) == MPI_SUCCESS) {
		MPI_Bcast(&own_rank, 1, MPI_INT, 0, node);
		MPI_Comm_free(&node);
	}
	MPI_Allgather(&own_rank, 1, MPI_INT, nodes, 1, MPI_INT, MPI_COMM_WORLD);
	return nodes;
}

struct group_position {
	int64_t group, index; /* group number -1 if this rank is in no group of the level */
};

/* Return this rank's index in the group of the members on its node. A group is identified by its first member. */
static struct group_position position_within_node(const struct bench *b, const int *nodes, const int64_t *members)
{
	struct group_position p = {-1, 0};
	for (int64_t i = 0; members[i] != b->rank || p.group < 0; i++) {
		if (nodes[members[i]] != nodes[b->rank])
			continue;
		p.group = p.group < 0 ? members[i] : p.group;
		p.index += members[i] != b->rank;
		if (members[i] == b->rank)
			break;
	}
	return p;
}

/* Return how many members are on member k's node, and in *n_before how many of these have an index below k. */
static int64_t count_on_node(const struct bench *b, const int *nodes, const int64_t *members, int64_t k, int64_t *n_before)
{
	int64_t n = 0;
	*n_before = 0;
	for (int64_t i = 0; i < b->groups.group_size; i++) {
		n += nodes[members[i]] == nodes[members[k]];
		*n_before += i < k && nodes[members[i]] == nodes[members[k]];
	}
	return n;
}

/* Return the position of this rank in the group of the members that have the same index on their nodes, if every node has a member
 * with that index. */
static struct group_position place_across_nodes(const struct bench *b, const int *nodes, const int64_t *members)
{
	struct group_position p = {-1, 0};
	int64_t own_index = 0, min_members = b->groups.group_size, own_position, position;
	while (members[own_index] != b->rank)
		own_index++;
	count_on_node(b, nodes, members, own_index, &own_position);
	for (int64_t i = 0; i < b->groups.group_size; i++) {
		int64_t n = count_on_node(b, nodes, members, i, &position);
		min_members = n < min_members ? n : min_members;
		if (position != own_position)
			continue;
		p.group = p.group < 0 ? members[i] : p.group;
		p.index += i < own_index;
	}
	return own_position < min_members ? p : (struct group_position){-1, 0};
}

bool bench_select_level(struct bench *b, enum bench_level level, enum sr_status *status)
{
	const int64_t *members = b->groups.ids + b->group_number * b->groups.group_size;
	b->level = level;
	if (level == BENCH_ALL_MEMBERS) {
		*status = sr_group_make(b->transport, b->groups.ids, b->groups.n_groups, b->groups.group_size, &b->group);
	} else {
		const int *nodes = find_nodes(b);
		struct group_position p = level == BENCH_WITHIN_NODE ? position_within_node(b, nodes, members)
								     : place_across_nodes(b, nodes, members);
		*status = sr_group_join(b->transport, &p.group, &p.index, &b->group);
	}
	int largest_group = b->group ? sr_group_size(b->group) : 0, participates = b->group != NULL;
	MPI_Allreduce(MPI_IN_PLACE, &largest_group, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	MPI_Allreduce(&participates, &b->n_participants, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	return largest_group > 1 || level == BENCH_ALL_MEMBERS;
}
