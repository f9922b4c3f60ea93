/* The order of a block's ops and the memory that it takes. Internal to work.
 *
 * A graph is a block without its terminator: nodes are its ops in the order given, memories are what values live in. A view (a
 * reshape, a barrier, a slice that its readers take from where it is) has no memory of its own; what lives all the time anyway
 * (arguments, constants, results of the program) counts nothing. An edge goes from an earlier op to a later one, so any order along the edges is as right as the order given. */
#ifndef SR_WORK_SCHEDULE_H
#define SR_WORK_SCHEDULE_H

#include "support/vec.h"
#include "work/work.h"

/* Lists of numbers, one after another: those of i are at[start[i]] to at[start[i + 1] - 1]. */
struct sr_schedule_lists {
	int *start, *at;
};

struct sr_schedule_buffer {
	struct sr_value *value; /* the first in it */
	int64_t bytes;
	int node;               /* that makes it; -1: an argument of the block */
	int home;               /* the argument's memory in which it ends: costs nothing where that is read no more; -1: none */
	bool kept;              /* to the block's end */
};

/* A result that may be made in the memory of an operand that is read no more. */
struct sr_schedule_share {
	int operand, result;
};

struct sr_schedule_graph {
	struct sr_context *ctx;
	struct sr_arena *arena;
	struct sr_block *block;
	int n, n_memories;
	struct sr_op **ops;        /* [n] */
	int64_t *inside;           /* [n]: bytes that live while the op runs, and only then */
	struct sr_schedule_buffer *memories;
	struct sr_schedule_lists made, read, readers, before, after; /* of nodes, nodes, memories, nodes, nodes; each number once */
	struct sr_schedule_share *shares; /* of node i from first_share[i] to first_share[i + 1] - 1 */
	int *first_share;
};

/* inside: op -> bytes beyond its results that its regions take at their peak (1 + bytes, as a pointer). */
struct sr_schedule_graph *sr_schedule_graph_new(struct sr_context *ctx, struct sr_arena *arena, struct sr_block *block, const struct sr_map *inside);
/* The operand whose memory result k of the op is; -1: its own. */
int sr_schedule_viewed_operand(struct sr_context *ctx, struct sr_op *op, int k);
/* The memory of a value of the block, -1: none. */
int sr_schedule_buffer_of(const struct sr_schedule_graph *g, const struct sr_value *v);
/* May results be made in the memory of the function's argument i? */
bool sr_schedule_is_donated(const struct sr_op *func, int i);
/* The most bytes that live at once, beyond those that live all the time. at: of each place in the order, may be NULL. */
int64_t sr_schedule_peak(const struct sr_schedule_graph *g, const int *order, int64_t *at);
/* The best of a few orders, no worse than the one given; its peak. */
int64_t sr_schedule_best(const struct sr_schedule_graph *g, int *order);
/* From `order` one in which collectives are under way while other ops run, whatever memory it takes; false: there are none. */
bool sr_schedule_overlap(const struct sr_schedule_graph *g, int *order);
/* A collective that sends; seconds of an op, of such a collective those that it is under way. */
bool sr_schedule_communicates(const struct sr_op *op);
double sr_schedule_seconds(const struct sr_machine *machine, const struct sr_op *op);
/* Values are made again near far readers where that lowers the peak of the order given; false: nothing was. The graph ends with it.
 * goal: the peak to reach, whatever that costs; 0: as low as costs little time. */
bool sr_schedule_rematerialize(struct sr_context *ctx, const struct sr_schedule_graph *g, int64_t goal);

#endif
