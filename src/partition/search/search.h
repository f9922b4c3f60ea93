/* Search for the shardings of a whole function. Works on a graph beside the function, in scratch memory: nodes are ops, edges
 * are values.
 *
 * A node has a *strategy*: axes for each factor of its op's sharding rule and, if partial results are reduced, the dimensions of
 * the result that the reduced axes are scattered along. A strategy gives the layout (sharding) that each operand requires and
 * each result has. A value costs the reshards from its layout to those that its readers require, equal ones once; a node costs
 * its reductions and its computation. Fixed nodes, without a choice, are what users annotated (arguments, results, constraints,
 * manual computations) and ops without a rule. A loop-carried value, a branch's result or a barrier is an *equality constraint*:
 * a node without price whose values all have one layout; so are unconstrained arguments and results (SR_UNCONSTRAINED). Prices in a
 * loop's body are multiplied by its trip count.
 *
 *	search_graph.c    the function as a graph          op_classes.c    strategies of equal ops, and their prices
 *	equality.c        equality constraints             trip_counts.c   how often a block runs
 *	region.c          the nodes affected when an axis is added to, or removed from, a factor
 *	region_cut.c      the part of such a change to apply, by a minimum cut (flow_net.h)
 *	region_price.c    the price of such a change, and the network
 *	descent.c         coordinate descent: one node at a time
 *	group_moves.c     a value gets another layout, and the ops at it follow: for small programs
 *	search.c          the order of all this
 *	search_export.c   the problem and the answer as data for an exact solver
 *	search_explain.c  the choice and its alternatives as text
 *	search_write.c    the answer as shardings and reshards
 *
 * Prices are bytes on the wire per device, of the reshard plans that will be used and of the collectives of reductions;
 * computation counts as the bytes that take as long (cost/cost.h). Internal to partition. */
#ifndef SR_PARTITION_SEARCH_H
#define SR_PARTITION_SEARCH_H

#include "partition/form/form.h"
#include "partition/insert_reshards/insert_reshards.h"
#include "support/vec.h"

enum { SR_SEARCH_MAX_FACTORS = 16, SR_SEARCH_MAX_TENSORS = 64 }; /* ops with more have no choice */

struct sr_strategy {
	const int *axes;    /* [n_factors]: index in sr_search.lists; 0: no axes */
	/* [rank of the first result]: the same, axes scattered in addition to the factors' axes; NULL: nothing is scattered */
	const int *scatter;
	const struct sr_attr **layouts; /* [n_tensors]: required by operands, had by results */
	const struct sr_op_form *form;   /* computes the op with these layouts; NULL: by the rule alone */
	struct sr_strategy *possible; /* the strategy to take instead, if no form can compute the op; NULL: itself */
	struct sr_collective_price reductions; /* of the reductions and of the form */
	double operations;              /* per device */
	struct sr_strategy *next;       /* next in the hash bucket */
	struct sr_changed_strategy *changed; /* [mesh axes][SR_AXIS_CHANGES][n_factors] memoized by region.c; NULL: none yet */
};

/* The strategy after an axis is added to, or removed from, a factor. */
struct sr_changed_strategy {
	struct sr_strategy *strategy; /* NULL: impossible */
	bool is_known, may_scatter;   /* may_scatter: the change removes an axis where it could scatter along it, or the reverse */
};

struct sr_dim_of_factor {
	int tensor, dim;
};

/* Ops that are equal except for their operands. */
struct sr_op_class {
	struct sr_op_view view; /* of the first op; its projection is overwritten */
	struct sr_shardability shardability;
	bool is_equality;                   /* an equality constraint: computes nothing */
	int result_rank;                    /* rank of the only result of an op that can scatter its reduction; else 0 */
	SR_VEC(struct sr_strategy *) slots; /* hash buckets, a power of two */
	int n_strategies;
	/* dimensions whose first axes shard factor f, from factor_starts[f] to factor_starts[f + 1]; NULL: not found yet */
	struct sr_dim_of_factor *factor_dims;
	int *factor_starts;       /* [n_factors + 1] */
	struct sr_map best;       /* memoized best strategies of the ops alone, by hash of the surroundings */
	struct sr_map with_layouts; /* memoized sr_search_strategy_with_layout, by hash of its arguments */
	struct sr_op_class *next; /* next with the same hash */
};

struct sr_search_node {
	struct sr_op *op;               /* NULL: the function's boundary, or an equality constraint */
	struct sr_use **uses;           /* [n_operands]: uses that the node reads by; NULL: boundary */
	double runs;                    /* how often it runs */
	const struct sr_use *boundary;  /* of the boundary: the use */
	struct sr_op_class *kind;       /* NULL: no choice */
	struct sr_strategy *first;      /* best strategy of the op alone, where the search starts */
	struct sr_strategy *now, *next; /* next: strategy in the change under way */
	const struct sr_attr **fixed;   /* [n_tensors]: layouts of a node without choice */
	int *edges;                     /* [n_tensors]: index of the value; -1: its layout costs nothing */
	int n_tensors, n_operands;
	int seen, order;                /* stamp of the last change that reached the node; position in its region */
	int near;                       /* stamp of the last change with the node near to a changed one */
	int factor;                     /* factor by which the change reached it */
	bool indexed;                   /* gather or scatter: may change only after the rest has converged */
	int changed_tick, descent_tick; /* ticks: of the last change, and of the last visit by the descent */
	uint32_t reached_factors;       /* bit set: factors by which changes of the current axis reached it */
};

struct sr_search_reader {
	int node, tensor;
};

/* A layout that readers of a value require. */
struct sr_required_layout {
	const struct sr_attr *layout;
	int n[2];   /* number of readers, by current strategies [0] and by next ones [1] */
	int inside; /* of n[0]: readers in the region that is priced now */
};

/* How often changes passed through a dimension of a value. */
struct sr_dim_visits {
	int stamp;        /* of the last change */
	SR_VEC(int) open; /* values with many readers: indices of readers that no change of the current axis has reached */
};

struct sr_search_value {
	struct sr_value *value;
	double runs; /* how often the value is computed, and resharded */
	double lifetime, read_span; /* fractions of the function from definition to last reader, and from first to last reader */
	const struct sr_attr *given_layout; /* layout of a value that no node makes; NULL: its node's strategy has it */
	int node, tensor;           /* the node that makes it and its tensor number; -1: none */
	SR_VEC(struct sr_search_reader) readers;
	/* every layout that readers ever required; few, however many readers there are */
	SR_VEC(struct sr_required_layout) required;
	int seen, order;                  /* stamp of the last cut that reached the value; position in it */
	int changed_tick;                 /* tick when the maker or a reader last changed */
	struct sr_dim_visits *dim_visits; /* [rank] */
};

struct sr_reshard_price { /* memoized price of a reshard */
	const struct sr_type *type;
	const struct sr_attr *from, *to;
	struct sr_reshard_cost cost;
	double bytes; /* local bytes of the value with layout `to` */
};

struct sr_search {
	struct sr_context *ctx;
	struct sr_arena *arena; /* memory of the whole search; the context's scratch is for one change */
	struct sr_op *module, *func;
	struct sr_mesh_ref mesh;
	struct sr_cost_model *costs;
	double operation_price, latency_price; /* price of one operation and of one collective's latency, in bytes on the wire */
	/* count the latency of each collective of a reshard; false: of each step, which are fewer */
	bool count_collectives;
	bool count_once;          /* count each collective once, in a loop or not */
	double alone_wire;        /* bytes on the wire that the ops alone send; HUGE_VAL: not known */
	double alone_once;        /* the same, each collective counted once */
	double spare_bytes;       /* changes may send this much more; HUGE_VAL: as much as pays */
	double byte_price;        /* price of keeping one byte during the whole function */
	SR_VEC(struct sr_search_node) nodes;
	SR_VEC(struct sr_search_value) edges;
	SR_VEC(struct sr_axes) lists;           /* lists of axes, referred to by index */
	SR_VEC(struct sr_op_class *) classes;
	struct sr_map kinds, kinds_by_hash;     /* descriptions of equality constraints, hashes of ops -> struct sr_op_class */
	struct sr_map numbers;                  /* values -> index + 1 */
	struct sr_map plain_layouts;            /* shardings, and types of values without -> layout on the search's mesh */
	struct sr_map block_runs;               /* blocks -> double */
	SR_VEC(struct sr_reshard_price) prices; /* hash table, size a power of two */
	size_t n_prices;
	SR_VEC(int) region;        /* nodes of the change under way */
	bool may_change_indexed;   /* indexed nodes may change, too */
	bool keep_slice_shardings; /* dynamic slices and updates keep propagation's shardings */
	/* some argument or result is unconstrained: no bound on the bytes of a good solution is known */
	bool has_unconstrained;
	int stamp, value_stamp; /* number of the current change; of the set of values that it visits */
	int axis_stamp;         /* stamp before the first change of the current axis */
	int64_t visits;         /* readers, layouts and arcs visited; the search's time is proportional to it */
	int tick;               /* number of changes applied */
	bool may_scatter;       /* the current change removes an axis where it could scatter along it, or the reverse */
	struct sr_map no_gain;  /* hashes of changes without gain, of everything that the gain depends on */
	struct sr_region_pricing *pricing; /* NULL: no change was priced yet */
};

/* ---- search_graph.c ---- */
/* Build the graph of a function. arena: must outlive the search and be neither the context's arena nor its scratch. False:
 * nothing has a choice. */
bool sr_search_build_graph(struct sr_search *s, struct sr_context *ctx, struct sr_op *func, struct sr_arena *arena,
			   const struct sr_pass_options *options);
const struct sr_attr *sr_search_layout_of(const struct sr_search *s, const struct sr_search_value *e, bool next);
const struct sr_attr *sr_search_required_layout(const struct sr_search *s, struct sr_search_reader r, bool next);
/* Return the price of a value: its memory, and its reshards, equal ones once. */
double sr_search_value_cost(struct sr_search *s, const struct sr_search_value *e, bool next);
double sr_search_reshard_price(struct sr_search *s, const struct sr_search_value *e, const struct sr_attr *from,
			       const struct sr_attr *to);
/* Return the price of keeping a value with this layout in memory. */
double sr_search_memory_price(const struct sr_search *s, const struct sr_search_value *e, const struct sr_attr *current);
/* Return the index of the value in s->edges, added if needed; -1: its layout costs nothing. */
int sr_search_value_index(struct sr_search *s, struct sr_value *v);
/* Return the layout's index in the list of layouts that readers of the value require; it is added if needed. */
int sr_search_required_index(struct sr_search *s, struct sr_search_value *e, const struct sr_attr *layout);
/* Append a node without values to s->nodes. The pointer is valid until the next call. */
struct sr_search_node *sr_search_new_node(struct sr_search *s, int n_operands, int n_results);
/* Make the node read `use` as its tensor t, or make v as its tensor t. */
void sr_search_add_operand(struct sr_search *s, struct sr_search_node *n, int t, struct sr_use *use);
void sr_search_add_result(struct sr_search *s, struct sr_search_node *n, int t, struct sr_value *v);
/* Return the layout of a value before the search; NULL: on another mesh, or unreduced. */
const struct sr_attr *sr_search_initial_layout(struct sr_search *s, struct sr_value *v);
/* Price of the whole function, and the bytes on the wire alone. */
double sr_search_total_cost(struct sr_search *s), sr_search_wire_bytes(struct sr_search *s);
/* Bytes on the wire with each collective counted once, in a loop or not, if some op may have a form; else 0. A halo exchange in a
 * loop must not become a gather of everything before it. */
double sr_search_bytes_once(struct sr_search *s);
struct sr_search_prices {
	double operation_price, latency_price, byte_price;
};
/* Price bytes on the wire alone. Returns the prices for sr_search_restore_prices. */
struct sr_search_prices sr_search_price_bytes_alone(struct sr_search *s);
void sr_search_restore_prices(struct sr_search *s, struct sr_search_prices prices);
/* Return true if a change may send `more` bytes on the wire, negative for fewer, and subtract them from those to spare. */
bool sr_search_spend_bytes(struct sr_search *s, double more);
/* Return the price of collectives that run `times` times. Their latency counts each time. Their bytes count by half beyond the
 * first time: otherwise a loop that gathers a slice per iteration would gather the whole stack before the loop, which sends as
 * much and takes more memory. */
static inline double sr_search_collective_price(const struct sr_search *s, double times, struct sr_collective_price price)
{
	times = s->count_once ? 1 : times;
	return (1 + (times - 1) / 2) * price.bytes + times * s->latency_price * price.rounds;
}

/* Return the price of a node with strategy x, without its values. */
static inline double sr_search_node_cost(const struct sr_search *s, const struct sr_search_node *n, const struct sr_strategy *x)
{
	return sr_search_collective_price(s, n->runs, x->reductions) + n->runs * s->operation_price * x->operations;
}
/* Make x the node's next strategy (_set_next), or its current and next one (_set), and update the counts of required layouts.
 * While a region is collected, and for memoized changes without gain, next strategies are set without this. */
void sr_search_set_next(struct sr_search *s, struct sr_search_node *n, struct sr_strategy *x);
void sr_search_set(struct sr_search *s, struct sr_search_node *n, struct sr_strategy *x);
void sr_search_mark_changed(struct sr_search *s, struct sr_search_node *n); /* Record that the node's strategy changed. */
/* Return the tick when the node, or a node that shares a value with it, last changed. */
int sr_search_last_change(const struct sr_search *s, const struct sr_search_node *n);

/* ---- equality.c ---- */
/* Add the data-flow edges of a loop, branch or barrier as equality constraints. Edges that cannot be one are passed to
 * `otherwise`. */
void sr_search_add_equalities(struct sr_search *s, struct sr_op *op,
			      void (*otherwise)(struct sr_search *s, struct sr_op *op, int edge));
void sr_search_add_unconstrained(struct sr_search *s); /* Add the function's unconstrained arguments and results. */
/* Return the strategy with the layout before the search. */
struct sr_strategy *sr_search_equality_initial(struct sr_search *s, const struct sr_search_node *n);

/* ---- trip_counts.c ---- */
double sr_search_trip_count(struct sr_search *s, const struct sr_block *block);
double sr_search_trip_count_of_value(struct sr_search *s, const struct sr_value *v);

/* ---- op_classes.c ---- */
struct sr_op_class *sr_search_op_class(struct sr_search *s, struct sr_op *op); /* NULL: no choice */
struct sr_op_class *sr_search_new_op_class(struct sr_search *s); /* without strategies */
/* Count the links in all prices from now on; what is memoized is priced anew. */
void sr_search_set_links(struct sr_search *s, const struct sr_mesh_links *links);
/* Return the strategy with these axes, shortened to what the class supports. axes: [n_factors], scatter: [result_rank] or NULL;
 * both are copied. */
struct sr_strategy *sr_search_strategy(struct sr_search *s, struct sr_op_class *kind, const int *axes, const int *scatter);
int sr_search_axes_number(struct sr_search *s, struct sr_axes axes); /* Return the index of a list of axes in s->lists. */
/* Return the best strategy of the op alone, for the present shardings of its tensors. */
struct sr_strategy *sr_search_local_best(struct sr_search *s, struct sr_search_node *n);
/* Return the strategy in which tensor t has this layout; other factors keep the axes of `with` that are unused. NULL:
 * impossible. */
struct sr_strategy *sr_search_strategy_with_layout(struct sr_search *s, struct sr_op_class *kind, const struct sr_strategy *with,
						   int t, const struct sr_attr *layout);
/* The same, memoized. */
struct sr_strategy *sr_search_memoized_with_layout(struct sr_search *s, struct sr_op_class *kind, const struct sr_strategy *with,
						   int t, const struct sr_attr *layout);
/* Return x with its reduction scattered as far as that leads to the layout. */
struct sr_strategy *sr_search_scattered_strategy(struct sr_search *s, struct sr_op_class *kind, struct sr_strategy *x,
						 const struct sr_attr *layout);

/* Return true if the node may change its strategy now. */
static inline bool sr_search_may_change(const struct sr_search *s, const struct sr_search_node *n)
{
	return n->kind && (s->may_change_indexed || !n->indexed);
}

/* ---- region.c ---- */
enum sr_axis_change { SR_AXIS_ADD, SR_AXIS_ADD_SCATTERED, SR_AXIS_REMOVE, SR_AXIS_CHANGES };
/* Set s->region to the nodes that change if `axis` is added to (or removed from) a factor of a node and everything it
 * corresponds to. */
void sr_search_collect_region(struct sr_search *s, int node, int factor, struct sr_axis_ref axis, enum sr_axis_change change);
/* Set s->region to every node that may change, with next strategies without the axis; axis of size 0: without any axes. */
void sr_search_collect_without_axis(struct sr_search *s, struct sr_axis_ref axis);

/* ---- region_cut.c ---- */
/* Apply the part of the change that gains most. Returns the gain; 0: nothing changed. Components of the region in which nothing
 * changed after tick `since` were tried before, and are skipped. */
double sr_search_apply_best_part(struct sr_search *s, int since);

/* ---- descent.c ---- */
double sr_search_coordinate_descent(struct sr_search *s); /* Returns the gain. */
/* Return the price of the node's next strategy and of all values that it reads and makes. */
double sr_search_cost_around(struct sr_search *s, const struct sr_search_node *n);

/* ---- group_moves.c ---- */
double sr_search_group_moves(struct sr_search *s); /* Returns the gain. For small programs. */

void sr_search_improve(struct sr_search *s);

void sr_search_explain(struct sr_search *s);
void sr_search_put_layout(const struct sr_search *s, const struct sr_attr *layout, struct sr_buf *out); /* [{"x"}, {}] */

void sr_search_write(struct sr_search *s);

/* ---- search_export.c ---- */
/* Set the problem and its answer as an attribute of the function. */
void sr_search_export(struct sr_search *s);

#endif
