/* Schedules: the order of a block's ops and the memory that it takes. Internal to work.
 *
 * A graph describes a block without its terminator. Nodes are its ops in the given order; buffers hold their values. A view (a
 * reshape, a barrier, a slice that its readers fold) has no buffer of its own; values that live throughout (arguments,
 * constants, results of the program) count 0 bytes. Edges lead from earlier to later ops, so that any topological order is
 * valid. */
#ifndef SR_WORK_SCHEDULE_H
#define SR_WORK_SCHEDULE_H

#include "support/vec.h"
#include "work/work.h"

/* Lists of numbers in compressed rows: list i is entries[start[i]] to entries[start[i + 1] - 1]. */
struct sr_schedule_lists {
	int *start, *entries;
};

struct sr_schedule_buffer {
	struct sr_value *value; /* first value that is stored in the buffer */
	int64_t bytes;
	int node;               /* node that computes the value; -1: it is an argument of the block */
	/* buffer of a loop's state or a donated argument in which the value ends up; the value takes no memory of its own once
	 * that buffer is no longer read; -1: none */
	int destination;
	bool is_kept;              /* true if live until the end of the block */
};

/* A result of a node that may use the memory of an operand, of which the node is the last reader. */
struct sr_schedule_share {
	int operand, result;
};

struct sr_schedule_graph {
	struct sr_context *ctx;
	struct sr_arena *arena;
	struct sr_block *block;
	int n, n_memories;
	struct sr_op **ops;        /* [n] */
	int64_t *inner_bytes;           /* temporary bytes while each op is executed (the peak of its regions) */
	struct sr_schedule_buffer *memories;
	/* lists without duplicates: buffers that each node writes, buffers that each node reads, nodes that read each buffer,
	 * predecessors of each node, successors of each node */
	struct sr_schedule_lists written, reads, readers, predecessors, successors;
	struct sr_schedule_share *shares; /* shares of node i: those from first_share[i] to first_share[i + 1] - 1 */
	int *first_share;
};

/* Build the graph of a block. inner_peaks: maps an op to the peak bytes of its regions beyond its results. */
struct sr_schedule_graph *sr_schedule_graph_new(struct sr_context *ctx, struct sr_arena *arena, struct sr_block *block,
						const struct sr_map *inner_peaks);
/* Return the number of the operand of which result k of the op is a view; -1: the result has a buffer of its own. */
int sr_schedule_viewed_operand(struct sr_context *ctx, struct sr_op *op, int k);
/* Return the buffer of a value of the block; -1: it has none. */
int sr_schedule_buffer_of(const struct sr_schedule_graph *g, const struct sr_value *v);
/* Return true if results may be computed in the memory of the function's argument i. */
bool sr_schedule_is_donated(const struct sr_op *func, int i);
/* Return the peak of live bytes in this order, not counting values that are live throughout. at[i]: bytes live at position i;
 * may be NULL. */
int64_t sr_schedule_peak(const struct sr_schedule_graph *g, const int *order, int64_t *at);
/* Find the order with the lowest peak among a few candidates, one of which is the given order; return the peak. */
int64_t sr_schedule_best(const struct sr_schedule_graph *g, int *order);
/* Reorder so that collectives run while other ops compute, whatever memory that takes. Return false if there are no
 * collectives. */
bool sr_schedule_overlap(const struct sr_schedule_graph *g, int *order);
/* sr_schedule_communicates returns true for a collective that sends data. sr_schedule_seconds returns the duration of an op;
 * for a collective that sends data, of its transfer. */
bool sr_schedule_communicates(const struct sr_op *op);
double sr_schedule_seconds(const struct sr_machine *machine, const struct sr_op *op);
/* Rematerialize values near distant readers to lower the peak of the given order; return false if nothing changed. The graph is
 * invalid afterwards. goal: peak to reach at any cost; 0: lower the peak as far as little extra time allows. */
bool sr_schedule_rematerialize(struct sr_context *ctx, const struct sr_schedule_graph *g, int64_t goal);

#endif
