/* The partition searched as a whole: a side graph of a function, in scratch memory, whose nodes are ops and whose edges are values.
 *
 * A node has a *strategy*: axes for each factor of its op's rule, and, where partial results are reduced, the dimensions of the
 * result that the reduced axes are scattered along. A strategy says how each operand is wanted and how each result lies. An edge
 * costs the reshards between how a value lies and how its readers want it, equal ones once; a node costs its reductions and what is
 * left to compute. What users fixed (arguments, results, constraints, manual computations) and what no rule describes is a node
 * that has no choice. What a loop carries, a branch yields or a barrier passes on is a node too, a *tie*: all its values lie alike,
 * and it costs nothing by itself; so are arguments and results that are free (SR_UNCONSTRAINED). What a loop's body computes counts as often
 * as it runs.
 *
 *	search_graph.c     a function as a graph            op_classes.c    strategies of equal ops, and their costs
 *	equality.c       values that lie alike            trip_counts.c    how often what stands in a block runs
 *	region.c    an axis given to, or taken from, all that a dimension is tied to
 *	region_cut.c       which part of such a change to make, by a minimum cut (flow_net.h)
 *	descent.c   one node at a time, from what its neighbours have
 *	search.c    the order of all this
 *	search_explain.c   what was chosen, what else was looked at
 *	search_write.c     the answer as shardings and reshards
 *
 * Costs are bytes on the wire of the routes that will be taken, and bytes for what is computed (cost/cost.h). Internal to
 * partition. */
#ifndef SR_PARTITION_SEARCH_H
#define SR_PARTITION_SEARCH_H

#include "partition/insert_reshards/insert_reshards.h"
#include "support/vec.h"

enum { SR_SEARCH_MAX_FACTORS = 16, SR_SEARCH_MAX_TENSORS = 64 }; /* ops with more have no choice */

struct sr_strategy {
	const int *axes;    /* [n_factors] numbers of lists of axes; 0: none */
	const int *scatter; /* [rank of the first result] the same, behind what the factors give; NULL: nothing is scattered */
	const struct sr_attr **layouts; /* [n_tensors] how operands are wanted and results lie */
	double wire, points; /* bytes that its reductions send; what is left to compute */
	int rounds;          /* collectives of its reductions */
	struct sr_strategy *next; /* with the same hash */
};

/* Ops that differ in nothing but their operands. */
struct sr_op_class {
	struct sr_op_view view; /* of the first of them; its projection is written over */
	struct sr_shardability limits;
	bool is_tie;     /* computes nothing */
	int result_rank; /* of what scatters: the only result of an op that reduces; else 0 */
	SR_VEC(struct sr_strategy *) slots; /* by hash, a power of two */
	int n_strategies;
};

struct sr_search_node {
	struct sr_op *op;     /* NULL: the function's border, or a tie */
	struct sr_use **uses; /* [n_operands] by which it reads; NULL: of the border */
	double times;         /* how often it runs */
	const struct sr_use *border;  /* of the border: what reads there */
	struct sr_op_class *kind; /* NULL: no choice */
	struct sr_strategy *first;      /* what the op would do alone */
	struct sr_strategy *now, *next; /* next: what a change under way would make of it */
	const struct sr_attr **fixed;   /* [n_tensors] without a kind */
	int *edges;                     /* [n_tensors] numbers of values; -1: costs nothing however it lies */
	int n_tensors, n_operands;
	int seen, order;                /* of the last change that came here; its place in it */
	int factor;                     /* that the change is about */
	bool indexed;                   /* looks up, or writes, by index: changes when all else has settled */
	int touched, looked;            /* ticks: of the search's start; of descent's last look */
	uint32_t covered;               /* factors that changes with this axis have been about */
};

struct sr_search_reader {
	int node, tensor;
};

/* A layout that readers of a value require. */
struct sr_required_layout {
	const struct sr_attr *layout;
	int n[2];   /* readers that require it, [0] with their current strategies, [1] with their next ones */
	int inside; /* of n[0], the readers in the region of the cut under way */
};

/* Changes that went through a dimension of a value. */
struct sr_dim_visits {
	int stamp;        /* of the last one */
	SR_VEC(int) open; /* where readers are many: those that no change with the axis has been about, as indices */
};

struct sr_search_value {
	struct sr_value *value;
	double times; /* how often it is made, and resharded */
	double held, read; /* the parts of the function from where it is made to its last reader, and from the first one */
	const struct sr_attr *lies; /* of what no node makes; NULL: said by its node */
	int node, tensor;           /* what makes it; -1: none */
	SR_VEC(struct sr_search_reader) readers;
	SR_VEC(struct sr_required_layout) required; /* every layout that readers ever required; few, however many readers there are */
	int seen, order;                     /* of the last cut that came here; its place in it */
	int touched;                         /* the tick when the maker or a reader last changed */
	struct sr_dim_visits *through;          /* [rank] */
};

struct sr_reshard_price { /* of a reshard */
	const struct sr_type *type;
	const struct sr_attr *from, *to;
	struct sr_reshard_cost cost;
	double bytes; /* of the value as `to` has it */
};

struct sr_search {
	struct sr_context *ctx;
	struct sr_arena *arena; /* of what stays while it lasts; the context's scratch is of one change */
	struct sr_op *module, *func;
	struct sr_mesh_ref mesh;
	struct sr_cost_model *costs;
	double weight, round; /* bytes on the wire that computing a point more, and a collective more, is worth */
	bool exact;           /* a reshard's latency is that of its collectives; else of its steps, which are fewer */
	double memory;        /* ... that holding a byte all the while is worth */
	SR_VEC(struct sr_search_node) nodes;
	SR_VEC(struct sr_search_value) edges;
	SR_VEC(struct sr_axes) lists; /* lists of axes by number */
	struct sr_map kinds, numbers; /* of ops' descriptions; of values */
	struct sr_map times;          /* of blocks: pointers to doubles */
	SR_VEC(struct sr_reshard_price) prices; /* a hash table, a power of two */
	size_t n_prices;
	SR_VEC(int) region;           /* nodes of the change under way */
	bool settled;                 /* nodes that are indexed change, too */
	bool keep_slice_shardings;             /* dynamic slices and updates keep propagation's shardings */
	bool is_free;                 /* arguments or results are: nothing is known of what a good answer sends */
	int stamp, value_stamp;       /* of the change under way; of the values that its cut came to */
	int pass;                     /* the stamp before the first change with this axis */
	int64_t visits;               /* readers, layouts and arcs looked at: what the search's time is proportional to */
	int tick;                     /* counts changes made */
	bool may_scatter;             /* the change under way could scatter where it takes the axis away, or the other way round */
	struct sr_map vain;           /* hashes of changes that gained nothing, with all that they depend on */
};

/* ---- search_graph.c ---- */
/* What lasts as long as it lies in the arena, which is not the context's or its scratch. False: there is no choice in it. */
bool sr_search_build_graph(struct sr_search *s, struct sr_context *ctx, struct sr_op *func, struct sr_arena *arena,
		    const struct sr_pass_options *options);
const struct sr_attr *sr_search_layout_of(const struct sr_search *s, const struct sr_search_value *e, bool next);
const struct sr_attr *sr_search_required_layout(const struct sr_search *s, struct sr_search_reader r, bool next);
/* Reshards of a value, equal ones once. */
double sr_search_value_cost(struct sr_search *s, const struct sr_search_value *e, bool next);
double sr_search_reshard_price(struct sr_search *s, const struct sr_search_value *e, const struct sr_attr *from, const struct sr_attr *to);
/* What the memory of a value that lies so is worth. */
double sr_search_memory_price(const struct sr_search *s, const struct sr_search_value *e, const struct sr_attr *lies);
/* For equality.c: an edge for each value, -1: it costs nothing however it lies; a node without edges; what it reads and makes; how a
 * value was given. */
int sr_search_value_index(struct sr_search *s, struct sr_value *v);
struct sr_search_node *sr_search_new_node(struct sr_search *s, int n_operands, int n_results);
void sr_search_add_operand(struct sr_search *s, struct sr_search_node *n, int t, struct sr_use *use);
void sr_search_add_result(struct sr_search *s, struct sr_search_node *n, int t, struct sr_value *v);
const struct sr_attr *sr_search_initial_layout(struct sr_search *s, struct sr_value *v); /* NULL: on another mesh, or unreduced */
/* Of the whole function: what it costs, and the bytes of that. */
double sr_search_total_cost(struct sr_search *s), sr_search_wire_bytes(struct sr_search *s);
/* Return the price of collectives that run `times` times. Their latency counts each time. Their bytes count by half beyond the
 * first time: a loop that gathers a slice per iteration would else gather the whole stack before it, which sends as much and
 * takes more memory. */
static inline double sr_search_collective_price(const struct sr_search *s, double times, double bytes, int rounds)
{
	return (1 + (times - 1) / 2) * bytes + times * s->round * rounds;
}

/* Of a node, with one of its strategies. */
static inline double sr_search_node_cost(const struct sr_search *s, const struct sr_search_node *n, const struct sr_strategy *x)
{
	return sr_search_collective_price(s, n->times, x->wire, x->rounds) + n->times * s->weight * x->points;
}
/* Make x the node's next strategy, or its current and next one, and count the layouts that it requires. While a region grows, and in a
 * change that was in vain before, next strategies are set without this. */
void sr_search_set_next(struct sr_search *s, struct sr_search_node *n, struct sr_strategy *x);
void sr_search_set(struct sr_search *s, struct sr_search_node *n, struct sr_strategy *x);
void sr_search_mark_changed(struct sr_search *s, const struct sr_search_node *n); /* its strategy has changed */
/* Return the tick when the node, or a node that shares a value with it, last changed. */
int sr_search_last_change(const struct sr_search *s, const struct sr_search_node *n);

/* ---- equality.c ---- */
/* The edges of a loop, a branch or a barrier as ties. Those that cannot be are left: wanted as their owners lie. */
void sr_search_add_equalities(struct sr_search *s, struct sr_op *op, void (*otherwise)(struct sr_search *s, struct sr_op *op, int edge));
void sr_search_add_unconstrained(struct sr_search *s); /* the function's free arguments and results */
struct sr_strategy *sr_search_equality_initial(struct sr_search *s, const struct sr_search_node *n); /* as it lies before the search */

/* ---- trip_counts.c ---- */
double sr_search_trip_count(struct sr_search *s, const struct sr_block *block);
double sr_search_trip_count_of_value(struct sr_search *s, const struct sr_value *v);

/* ---- op_classes.c ---- */
struct sr_op_class *sr_search_op_class(struct sr_search *s, struct sr_op *op); /* NULL: no choice */
struct sr_op_class *sr_search_new_op_class(struct sr_search *s); /* without strategies */
/* The strategy with these axes, cut to what the limits allow. Both are copied; scatter NULL: none. */
struct sr_strategy *sr_search_strategy(struct sr_search *s, struct sr_op_class *kind, const int *axes, const int *scatter);
int sr_search_axes_number(struct sr_search *s, struct sr_axes axes); /* its number */
/* What the op's own best is, given how its tensors lie. */
struct sr_strategy *sr_search_local_best(struct sr_search *s, struct sr_search_node *n);
/* The strategy that takes tensor t as it lies and keeps of `with` what is free. NULL: it cannot. */
struct sr_strategy *sr_search_strategy_with_layout(struct sr_search *s, struct sr_op_class *kind, const struct sr_strategy *with, int t,
				      const struct sr_attr *layout);
/* With the same axes, and what is reduced scattered as far as it leads to the layout. */
struct sr_strategy *sr_search_scattered_strategy(struct sr_search *s, struct sr_op_class *kind, struct sr_strategy *x,
					const struct sr_attr *layout);

/* It may change now. */
static inline bool sr_search_may_change(const struct sr_search *s, const struct sr_search_node *n)
{
	return n->kind && (s->settled || !n->indexed);
}

/* ---- region.c ---- */
enum sr_axis_change { SR_AXIS_ADD, SR_AXIS_ADD_SCATTERED, SR_AXIS_REMOVE };
/* Fill the region with what changes where `axis` is given to (or taken from) a factor of a node and all that is tied to it. */
void sr_search_collect_region(struct sr_search *s, int node, int factor, struct sr_axis_ref axis, enum sr_axis_change change);
/* Fill the region with every node that may change, each without the axis; an axis of size 0: without any axis. */
void sr_search_collect_without_axis(struct sr_search *s, struct sr_axis_ref axis);

/* ---- region_cut.c ---- */
/* Make the part of the change that gains most. Returns what it gained, 0: nothing was changed. Where nothing of the region was
 * touched after tick `since`, it gains what it gained then: nothing. */
double sr_search_apply_best_part(struct sr_search *s, int since);

/* ---- descent.c ---- */
double sr_search_coordinate_descent(struct sr_search *s); /* what it gained */
/* Of the node's next strategy, with all that its operands and results have to do with. */
double sr_search_cost_around(struct sr_search *s, const struct sr_search_node *n);

/* ---- search.c ---- */
void sr_search_improve(struct sr_search *s);

/* ---- search_explain.c ---- */
void sr_search_explain(struct sr_search *s); /* as the context asks */

/* ---- search_write.c ---- */
void sr_search_write(struct sr_search *s);

#endif
