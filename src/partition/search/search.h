/* Search for the shardings of a whole function. The search works on a graph of the function in scratch memory: nodes are ops, edges
 * are values.
 *
 * A node has a *strategy*: axes for each factor of its op's sharding rule and, if partial results are reduced, the dimensions of
 * the result that the reduced axes are scattered along. A strategy gives the layout (sharding) that each operand requires and each
 * result has. The cost of a value is that of the reshards from its layout to those that its readers require, where equal reshards
 * count once; the cost of a node is that of its reductions and its computation. Fixed nodes, without a choice, are values that
 * users annotated (arguments, results, constraints, manual computations) and ops without a rule. A loop-carried value, a branch's
 * result or a barrier is an *equality constraint*: a node without cost whose values all have one layout; so are unconstrained
 * arguments and results (SR_UNCONSTRAINED). Costs in a loop's body are multiplied by its trip count.
 *
 *	search_graph.c    the function as a graph          op_classes.c    strategies of equal ops, and their costs
 *	equality.c        equality constraints             trip_counts.c   how often a block runs
 *	region.c          the nodes affected when an axis is added to, or removed from, a factor
 *	region_cut.c      the part of such a change to apply, by a minimum cut (flow_net.h)
 *	region_cost.c     the cost of such a change, and the network
 *	descent.c         coordinate descent: one node at a time
 *	group_moves.c     an op gets another strategy, and other ops follow: for small programs
 *	exhaustive.c      all answers of a tiny program
 *	search.c          the order of all this
 *	search_export.c   the problem and the answer as data for an exact solver
 *	search_explain.c  the choice and its alternatives as text
 *	search_write.c    the answer as shardings and reshards
 *
 * Costs are bytes on the wire per device, of the reshard plans that will be used and of the collectives of reductions;
 * computation counts as the bytes that take as long (cost/cost.h). Internal to partition. */
#ifndef SR_PARTITION_SEARCH_H
#define SR_PARTITION_SEARCH_H

#include "partition/form/form.h"
#include "partition/insert_reshards/insert_reshards.h"
#include "support/vec.h"

/* maximum number of factors and of tensors; an op with more has no choice */
enum { SR_SEARCH_MAX_FACTORS = 16, SR_SEARCH_MAX_TENSORS = 64 };

struct sr_strategy {
	const int *axes;    /* index in sr_search.lists of the axes of each factor, 0: no axes; length: n_factors */
	/* index of the list of axes that are scattered along each dimension of the first result, in addition to the factors' axes;
	 * length: rank of the first result; NULL: no axes are scattered */
	const int *scatter;
	const struct sr_attr **layouts; /* layout that each operand requires and each result has; length: n_tensors */
	/* form that computes the op with these layouts; NULL: the op is computed by its rule alone */
	const struct sr_op_form *form;
	/* strategy to use instead if no form can compute the op with these layouts; NULL: this one is possible */
	struct sr_strategy *fallback;
	struct sr_wire_cost reductions; /* cost of the reductions and of the form */
	double operations;              /* number of operations that the op executes on one device */
	struct sr_strategy *next;       /* next strategy in the same hash bucket */
	/* strategies after changes of this one, memoized by region.c: [mesh axes][SR_AXIS_CHANGES][n_factors]; NULL: none yet */
	struct sr_changed_strategy *changed_strategies;
};

/* Memoized strategy after an axis is added to, or removed from, a factor. */
struct sr_changed_strategy {
	struct sr_strategy *strategy; /* strategy after the change; NULL: the change is impossible */
	/* true if `strategy` is set; true if adding the axis with a scattered reduction gives another strategy */
	bool is_known, may_scatter;
};

struct sr_dim_of_factor {
	int tensor, dim;
};

/* A class of ops that are equal except for their operands. */
struct sr_op_class {
	struct sr_op_view view; /* view of the first op of the class, whose projection is overwritten */
	struct sr_shardability shardability;
	bool is_equality;                   /* true for an equality constraint, which computes nothing */
	int result_rank;                    /* rank of the op's only result if its reduction can be scattered; else 0 */
	SR_VEC(struct sr_strategy *) slots; /* hash table of the strategies; its size is a power of two */
	int n_strategies;
	int strategies_limit;               /* largest limit of sr_search_make_strategies so far */
	bool has_all_strategies;            /* true if that limit sufficed */
	/* dimensions whose first axes shard factor f, at indices factor_starts[f] to factor_starts[f + 1]; NULL: not computed
	 * yet */
	struct sr_dim_of_factor *factor_dims;
	int *factor_starts;       /* for each factor: index of its first entry in factor_dims; length: n_factors + 1 */
	struct sr_map best_alone; /* memoized strategies that are best for an op alone, by hash of the op's surroundings */
	struct sr_map strategies_by_layout; /* memoized results of sr_search_strategy_with_layout, by hash of its arguments */
	double min_operations;    /* lower bound on the operations of any strategy: all devices share them; -1: not computed yet */
	struct sr_op_class *next; /* next class with the same hash */
};

struct sr_search_node {
	struct sr_op *op;               /* the op; NULL: the function's boundary, or an equality constraint */
	struct sr_use **uses;           /* uses by which the node reads its operands, length: n_operands; NULL for the boundary */
	double executions;                    /* how often the op runs per execution of the function */
	const struct sr_use *boundary;  /* for a node of the function's boundary: the use that it stands for */
	struct sr_op_class *kind;       /* class of the op; NULL: the node has no choice */
	struct sr_strategy *first;      /* strategy that is best for the op alone, where the search starts */
	struct sr_strategy *current, *next; /* present strategy, and strategy in the change being tried */
	const struct sr_attr **fixed_layouts;   /* layouts of the tensors of a node without a choice; length: n_tensors */
	int *edges;                     /* index of the value of each tensor, -1: its layout costs nothing; length: n_tensors */
	int n_tensors, n_operands;
	/* number of the last change (`stamp` of the search) that reached the node; the node's position in that change's region */
	int seen_stamp, order;
	int near_stamp;                       /* stamp of the last change in which the node was near to a changed one */
	int factor;                     /* factor by which the last change reached the node */
	bool indexed; /* true for a gather or scatter, which may only change after all other nodes have converged */
	int changed_tick, descent_tick; /* ticks of the node's last change, and of the last visit by coordinate descent */
	uint32_t reached_factors;       /* set of the factors by which changes of the current axis reached the node, one bit each */
};

struct sr_search_reader {
	int node, tensor;
};

/* A layout that readers of a value require, with the number of these readers. */
struct sr_required_layout {
	const struct sr_attr *layout;
	int n[2];   /* number of readers by their present strategies [0], and by their next strategies [1] */
	int n_in_region; /* number of the readers n[0] that are in the region being evaluated */
};

/* Record of the changes that passed through a dimension of a value. */
struct sr_dim_visits {
	int stamp;        /* number of the last change (`stamp` of the search) that visited the dimension */
	SR_VEC(int) open; /* for values with many readers: indices of the readers that no change of the current axis has reached */
};

struct sr_search_value {
	struct sr_value *value;
	double executions; /* how often the value is computed, and resharded, per execution of the function */
	/* fractions of the function from the definition to the last reader, and from the first to the last reader */
	double lifetime, read_span;
	/* layout of a value that no node defines; NULL: the strategy of its node determines it */
	const struct sr_attr *external_layout;
	int node, tensor;           /* node that defines the value, and the value's tensor number there; -1: none */
	SR_VEC(struct sr_search_reader) readers;
	/* every layout that readers have required so far; there are few, even if there are many readers */
	SR_VEC(struct sr_required_layout) required;
	int seen_stamp, order;                  /* stamp of the last evaluation that reached the value; value's position in it */
	int changed_tick;                 /* tick when the strategy of the defining node or of a reader last changed */
	struct sr_dim_visits *dim_visits; /* for each dimension: which change visited it last; length: rank */
};

/* The evaluation of a change: its gain, and if that is positive, which of the n nodes of the region change. */
struct sr_known_change {
	double gain;
	bool *chosen;
	size_t n;
};

struct sr_memoized_reshard {
	const struct sr_type *type;
	const struct sr_attr *layout_before, *layout_after;
	struct sr_reshard_cost cost;
	double bytes; /* bytes on a device of the value with layout_after */
};

struct sr_search {
	struct sr_context *ctx;
	struct sr_arena *arena; /* arena of the entire search; the context's scratch memory is for a single change */
	struct sr_op *module, *func;
	struct sr_mesh_ref mesh;
	struct sr_cost_model *costs;
	double operation_weight, latency_weight; /* cost of one operation, and of one collective's latency, in bytes on the wire */
	/* true: count the latency of each collective of a reshard; false: of each step, which can become several collectives */
	bool count_collectives;
	bool count_once;          /* true: count a collective in a loop once, not once for each iteration */
	double wire_bytes_alone;        /* bytes on the wire if each op has the strategy that is best for it alone; HUGE_VAL: not known */
	double wire_bytes_alone_once;        /* wire_bytes_alone with each collective counted once, even in a loop */
	double remaining_bytes;   /* number of additional bytes that changes may send; HUGE_VAL: no limit */
	/* lowest_costs[count_collectives]: no answer is cheaper than this at the present weights; 0 if no bound was computed */
	double lowest_costs[2];
	double memory_price;        /* price of storing one byte during the entire function, in bytes on the wire */
	SR_VEC(struct sr_search_node) nodes;
	SR_VEC(struct sr_search_value) edges;
	SR_VEC(struct sr_axes) lists;           /* lists of axes, to which strategies refer by index */
	SR_VEC(struct sr_op_class *) classes;
	/* maps to struct sr_op_class: from descriptions of equality constraints, and from hashes of ops */
	struct sr_map kinds, kinds_by_hash;
	struct sr_map numbers;                  /* map from value to 1 + its index */
	/* map from shardings, and from types of values without sharding, to layouts on the search's mesh */
	struct sr_map plain_layouts;
	struct sr_map block_runs;               /* map from block to how often it runs (double) */
	SR_VEC(struct sr_memoized_reshard) reshards; /* hash table of the costs of reshards; its size is a power of two */
	size_t n_reshards;
	const struct sr_search_node *pinned_node; /* node that coordinate descent does not change; NULL: none */
	SR_VEC(int) region;        /* indices of the nodes of the change being tried */
	bool may_change_indexed;   /* true: gathers and scatters may change their strategies, too */
	bool keep_slice_shardings; /* true: dynamic slices and updates keep the shardings of propagation */
	/* true: some argument or result is unconstrained, so that no bound on the bytes of a good answer is known */
	bool has_unconstrained;
	int stamp, value_stamp; /* number of the current change; number of the current evaluation of its values */
	int axis_stamp;         /* value of `stamp` before the first change of the current axis */
	int64_t visits;         /* number of readers, layouts and arcs visited, to which the search's time is proportional */
	int64_t max_visits;     /* group moves end when `visits` exceeds this; 0: the answer is not being refined */
	int tick;               /* number of changes that the search has applied so far */
	bool may_scatter;       /* true: SR_AXIS_ADD and SR_AXIS_ADD_SCATTERED give different strategies in the current change */
	/* map from the hash of a change, which covers everything on which its gain depends, to struct sr_known_change */
	struct sr_map known_changes;
	/* memory of region_cost.c, reused from change to change; NULL: no change was evaluated yet */
	struct sr_region_cost_state *evaluation;
};

/* ---- search_graph.c ---- */
/* Build the graph of a function. arena: must outlive the search and be neither the context's arena nor its scratch memory. Returns
 * false if no node has a choice. */
bool sr_search_build_graph(struct sr_search *s, struct sr_context *ctx, struct sr_op *func, struct sr_arena *arena,
			   const struct sr_pass_options *options);
const struct sr_attr *sr_search_layout_of(const struct sr_search *s, const struct sr_search_value *e, bool next);
const struct sr_attr *sr_search_required_layout(const struct sr_search *s, struct sr_search_reader r, bool next);
/* Return the cost of a value: of its memory, and of its reshards, where equal ones count once. */
double sr_search_value_cost(struct sr_search *s, const struct sr_search_value *e, bool next);
double sr_search_reshard_cost(struct sr_search *s, const struct sr_search_value *e, const struct sr_attr *from,
			      const struct sr_attr *to);
/* Return the cost of keeping a value with this layout in memory. */
double sr_search_memory_cost(const struct sr_search *s, const struct sr_search_value *e, const struct sr_attr *current_layout);
/* Return the layout's index in the list of layouts that readers of the value require; it is added if needed. */
int sr_search_required_index(struct sr_search *s, struct sr_search_value *e, const struct sr_attr *layout);
/* Append a node without values to s->nodes. The pointer is valid until the next call. */
struct sr_search_node *sr_search_new_node(struct sr_search *s, int n_operands, int n_results);
/* Make the operand that `use` reads tensor t of the node; sr_search_add_result makes the result v tensor t. */
void sr_search_add_operand(struct sr_search *s, struct sr_search_node *n, int t, struct sr_use *use);
void sr_search_add_result(struct sr_search *s, struct sr_search_node *n, int t, struct sr_value *v);
/* Return the layout of a value before the search; NULL if it is on another mesh, or unreduced. */
const struct sr_attr *sr_search_initial_layout(struct sr_search *s, struct sr_value *v);
/* Return the cost of the entire function; sr_search_wire_bytes returns only its bytes on the wire. */
double sr_search_total_cost(struct sr_search *s), sr_search_wire_bytes(struct sr_search *s);
/* Return the bytes on the wire with each collective counted once, even in a loop, if some op may have a form; else 0. This bounds
 * answers, so that a halo exchange in a loop does not become a gather before the loop. */
double sr_search_bytes_once(struct sr_search *s);
struct sr_search_weights {
	double operation_weight, latency_weight, memory_price;
};
/* Use weights that count only bytes on the wire from now on. Returns the old weights for sr_search_restore_weights. */
struct sr_search_weights sr_search_count_bytes_alone(struct sr_search *s);
void sr_search_restore_weights(struct sr_search *s, struct sr_search_weights weights);
/* Return true if a change may send `extra_bytes` additional bytes on the wire (negative: fewer), and subtract them from
 * s->remaining_bytes. */
bool sr_search_try_spend_bytes(struct sr_search *s, double extra_bytes);
/* Return the cost of collectives that run `times` times. The latency counts each time. The bytes beyond the first time count half:
 * otherwise a loop that gathers a slice per iteration would gather the whole stack before the loop, which sends as much and takes
 * more memory. */
static inline double sr_search_collective_cost(const struct sr_search *s, double times, struct sr_wire_cost cost)
{
	times = s->count_once ? 1 : times;
	return (1 + (times - 1) / 2) * cost.bytes + times * s->latency_weight * cost.rounds;
}

/* Return the cost of a node with strategy x, without the costs of its values. */
static inline double sr_search_node_cost(const struct sr_search *s, const struct sr_search_node *n, const struct sr_strategy *x)
{
	return sr_search_collective_cost(s, n->executions, x->reductions) + n->executions * s->operation_weight * x->operations;
}
/* Make x the node's next strategy (_set_next), or its current and next one (_set), and update the counts of required layouts. While
 * a region is collected, and for memoized changes, `next` is set without updating the counts. */
void sr_search_set_next(struct sr_search *s, struct sr_search_node *n, struct sr_strategy *x);
void sr_search_set(struct sr_search *s, struct sr_search_node *n, struct sr_strategy *x);
void sr_search_mark_changed(struct sr_search *s, struct sr_search_node *n); /* Record that the node's strategy changed. */
/* Return the tick when the node, or a node that shares a value with it, last changed. */
int sr_search_last_change(const struct sr_search *s, const struct sr_search_node *n);

/* ---- equality.c ---- */
/* Add the data-flow edges of a loop, branch or barrier as equality constraints. Edges that cannot be equality constraints are
 * passed to `otherwise`. */
void sr_search_add_equalities(struct sr_search *s, struct sr_op *op,
			      void (*otherwise)(struct sr_search *s, struct sr_op *op, int edge));
void sr_search_add_unconstrained(struct sr_search *s); /* Add the function's unconstrained arguments and results. */
/* Return the strategy of an equality constraint with the layout that its values have before the search. */
struct sr_strategy *sr_search_equality_initial(struct sr_search *s, const struct sr_search_node *n);

/* ---- trip_counts.c ---- */
double sr_search_trip_count(struct sr_search *s, const struct sr_block *block);
double sr_search_trip_count_of_value(struct sr_search *s, const struct sr_value *v);

/* ---- op_classes.c ---- */
/* Return the op's class; NULL if the op has no choice. */
struct sr_op_class *sr_search_op_class(struct sr_search *s, struct sr_op *op);
struct sr_op_class *sr_search_new_op_class(struct sr_search *s); /* Return a new class without strategies. */
/* Use these links in all costs from now on; memoized costs are recomputed. */
void sr_search_set_links(struct sr_search *s, const struct sr_mesh_links *links);
/* Return the strategy with these axes, shortened to those that the class supports. axes: [n_factors], scatter: [result_rank] or
 * NULL; both are copied. */
struct sr_strategy *sr_search_strategy(struct sr_search *s, struct sr_op_class *kind, const int *axes, const int *scatter);
/* Create every strategy of the class in which each full axis of the mesh is assigned to one factor, in any order, or to none, with
 * reductions scattered along any dimension; at most `limit` assignments are tried. Returns true if none was left out. */
bool sr_search_make_strategies(struct sr_search *s, struct sr_op_class *kind, int limit);
int sr_search_axes_number(struct sr_search *s, struct sr_axes axes); /* Return the index of a list of axes in s->lists. */
/* Return a lower bound on the cost of the node: every device computes an equal share, and nothing is communicated. */
double sr_search_min_node_cost(struct sr_search *s, const struct sr_search_node *n);
double sr_search_min_total_cost(struct sr_search *s); /* Return the sum of sr_search_min_node_cost of all nodes. */
/* Return the strategy that is best for the op alone, with the present shardings of its tensors. */
struct sr_strategy *sr_search_local_best(struct sr_search *s, struct sr_search_node *n);
/* Return the strategy in which tensor t has this layout; other factors keep the axes of `base` that remain unused. Returns NULL if
 * there is none. */
struct sr_strategy *sr_search_strategy_with_layout(struct sr_search *s, struct sr_op_class *kind, const struct sr_strategy *base,
						   int t, const struct sr_attr *layout);
/* Return what sr_search_strategy_with_layout returns, from a memo if possible. */
struct sr_strategy *sr_search_memoized_with_layout(struct sr_search *s, struct sr_op_class *kind, const struct sr_strategy *base,
						   int t, const struct sr_attr *layout);
/* Return x with its reduction scattered as far as needed for the layout. */
struct sr_strategy *sr_search_scattered_strategy(struct sr_search *s, struct sr_op_class *kind, struct sr_strategy *x,
						 const struct sr_attr *layout);

/* Return true if the node may change its strategy at this stage of the search. */
static inline bool sr_search_may_change(const struct sr_search *s, const struct sr_search_node *n)
{
	return n->kind && (s->may_change_indexed || !n->indexed);
}

/* ---- region.c ---- */
enum sr_axis_change { SR_AXIS_ADD, SR_AXIS_ADD_SCATTERED, SR_AXIS_REMOVE, SR_AXIS_CHANGES };
/* Set s->region to the nodes that change if `axis` is added to (or removed from) a factor of a node and all corresponding
 * dimensions. */
void sr_search_collect_region(struct sr_search *s, int node, int factor, struct sr_axis_ref axis, enum sr_axis_change change);
/* Set s->region to every node that may change, with next strategies without the axis; an axis of size 0 stands for all axes. */
void sr_search_collect_without_axis(struct sr_search *s, struct sr_axis_ref axis);

/* ---- region_cut.c ---- */
/* Apply the part of the change with the largest gain. Returns the gain; 0 if no node changed. Components of the region in which
 * nothing changed after tick `last_tick` were tried before, and are skipped. */
double sr_search_apply_best_subset(struct sr_search *s, int last_tick);

/* ---- descent.c ---- */
double sr_search_coordinate_descent(struct sr_search *s); /* Run coordinate descent; return the gain. */
/* Give the node strategy x and run coordinate descent of the other nodes, without a limit on bytes. Returns the gain, which may be
 * negative. */
double sr_search_pinned_descent(struct sr_search *s, struct sr_search_node *n, struct sr_strategy *x);
/* Return the cost of the node's next strategy and of all values that it reads or defines. */
double sr_search_cost_around(struct sr_search *s, const struct sr_search_node *n);

/* ---- group_moves.c ---- */
double sr_search_group_moves(struct sr_search *s); /* Try group moves, in small programs; return the gain. */

/* ---- exhaustive.c ---- */
/* What an answer must meet to replace the present one. */
struct sr_answer_limits {
	double cost, wire_bytes;                   /* of the present answer */
	double ratio; /* maximum ratio of costs if the answer sends more bytes or arguments are unconstrained */
	double max_wire_bytes, max_wire_bytes_once; /* maximum bytes on the wire: over all trips of loops, and in one trip */
};
/* Return true if the function's present answer, of this cost, meets the limits. */
bool sr_search_answer_fits(struct sr_search *s, const struct sr_answer_limits *limits, double cost);
/* Find the cheapest answer that meets the limits; the present one stays if there is none. Returns false, and changes nothing, if
 * the program is too large to try all answers. */
bool sr_search_exhaustively(struct sr_search *s, const struct sr_answer_limits *limits);
/* Return a lower bound on the cost of all answers, with what each op must communicate; 0 if the program is not tiny. */
double sr_search_lowest_cost(struct sr_search *s);
/* Return the highest cost of a reshard of the value from the layout to one that a reader without a choice requires. */
double sr_search_max_fixed_reshard(struct sr_search *s, const struct sr_search_value *e, const struct sr_attr *layout);

void sr_search_improve(struct sr_search *s);

void sr_search_explain(struct sr_search *s);
/* Append a layout as text: [{"x"}, {}]. */
void sr_search_put_layout(const struct sr_search *s, const struct sr_attr *layout, struct sr_buf *out);

void sr_search_write(struct sr_search *s);

/* ---- search_export.c ---- */
/* Set the problem and its answer as an attribute of the function (SR_SEARCH_PROBLEM). */
void sr_search_export(struct sr_search *s);

#endif
