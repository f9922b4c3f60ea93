/* State of one propagation: shardings, the ops that depend on them, and the worklist. The order of the worklist decides conflicts,
 * so it is upstream's: a stack that initially holds all ops, the first on top. When a sharding changes, the ops that use it are
 * pushed, each followed by the ops around it, unless they are on the stack already.
 *
 * An op is only processed if its shardings changed since its last visit, or the round allows more directions; otherwise it costs
 * one test per round. Shardings are plain structs during propagation, and become attributes in sr_propagation_write. */
#ifndef SR_PROPAGATE_PROPAGATION_H
#define SR_PROPAGATE_PROPAGATION_H

#include "import/calls/call_graph.h"
#include "import/provenance/provenance.h"
#include "import/op_class.h"
#include "dialect/ops.h"
#include "propagate/factors.h"
#include "propagate/propagate.h"
#include "support/vec.h"

/* The sharding of a value or of a function result. */
struct sr_sharding_holder {
	struct sr_value *value; /* NULL: the sharding of a function result */
	struct sr_op *func;     /* the function; `result` is the number of its result */
	int result;
	const struct sr_sharding *sharding; /* NULL: no sharding yet */
	const struct sr_mesh *mesh;         /* mesh of the sharding */
	bool changed;
	int version;                        /* number of changes so far */
};

enum { SR_DIRECTIONS_ALL = 4, SR_DIRECTIONS_COUNT = 5 };

struct sr_propagation_op {
	struct sr_op *op; /* NULL: the op was erased */
	const struct sr_sharding_rule *rule;
	struct sr_sharding_holder **holders; /* [operands, results] of the rule; NULL for what cannot have a sharding */
	bool known;             /* rule, holders and directions are set */
	bool live;              /* was not dead when last popped, and its results have lost no use since */
	bool pending;           /* on the worklist's stack */
	bool in_callee;           /* a call: a change is being passed on to its callee, which guards against recursion */
	bool dirty;             /* a sharding changed since the last visit */
	uint8_t directions[SR_DIRECTIONS_COUNT]; /* return value of sr_op_directions at each level */
	uint8_t last_directions;         /* value of sr_op_directions at the last visit */
	sr_factor_strategy_fn *strategy;  /* strategy used at the last visit */
};

/* A result of the main function, and the value that is returned for it. */
struct sr_propagation_result {
	struct sr_sharding_holder *result;
	int versions[2];        /* versions of both shardings at the last visit */
	sr_factor_strategy_fn *strategy;  /* strategy used at the last visit */
};

struct sr_value_group {
	int64_t id;
	SR_VEC(struct sr_value *) members;
};

struct sr_propagation {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_arena *scratch; /* memory of one visit; replaced when it has grown large */
	struct sr_provenance *provenance; /* NULL: provenance is not recorded */
	bool conservative;
	sr_factor_strategy_fn *strategy;
	int level; /* level of op priority; SR_DIRECTIONS_ALL: all directions */

	struct sr_map holders;   /* map from value to struct sr_sharding_holder */
	struct sr_map callers; /* func op -> struct sr_value_group of the first results of its calls */
	struct sr_map groups;  /* value -> struct sr_value_group: values that must have the same sharding */
	SR_VEC(struct sr_propagation_result) func_results; /* results of the main function */
	struct sr_op *main;

	struct sr_propagation_op *ops; /* [n_ops] in preorder; op->mark is the index */
	int n_ops, next;        /* ops from `next` on are on the stack, below those in `pushed` */
	SR_VEC(int) pushed;
	const struct sr_op *current; /* op being visited, which its own changes do not push */
	bool mark_only;              /* changes mark ops as dirty but do not push them */
};

/* Initialize from the module. Return SR_INVALID, reported, for types that propagation does not support. */
enum sr_status sr_propagation_init(struct sr_propagation *state, struct sr_context *ctx, struct sr_op *module, bool conservative);
/* Run one round with the current strategy and level. */
void sr_propagation_run(struct sr_propagation *state);
/* Write changed shardings to the module's attributes; with keep_rules also sharding rules. */
void sr_propagation_write(struct sr_propagation *state, bool keep_rules);
void sr_propagation_done(struct sr_propagation *state);

/* ---- internal to propagate ---- */
/* Return the sharding of v; NULL: v cannot have a sharding. */
struct sr_sharding_holder *sr_propagation_holder(struct sr_propagation *state, struct sr_value *v);
/* Set a sharding, which is copied, also for all members of its group, and push the ops that use it. */
void sr_propagation_set(struct sr_propagation *state, struct sr_sharding_holder *holder, const struct sr_sharding *sharding);
/* The same between rounds, for this value alone: ops that use it are marked dirty, groups are ignored. */
void sr_propagation_assign(struct sr_propagation *state, struct sr_sharding_holder *holder, const struct sr_sharding *sharding);
void sr_propagation_visit(struct sr_propagation *state, struct sr_propagation_op *at); /* process an op of the worklist */
bool sr_propagation_has_work(const struct sr_propagation *state,
			     const struct sr_propagation_op *at); /* true if a visit could change anything */
/* false for data-flow edges and barriers, whose rule is an identity */
bool sr_op_rule_is_own(const struct sr_op *op);
/* propagate between the values that main returns and its results */
void sr_propagation_func_results(struct sr_propagation *state);

/* ---- record_provenance.c: provenance ---- */
/* One application of a sharding rule to tensors. */
struct sr_rule_application {
	struct sr_op *op; /* a function: between a returned value and the function result */
	int func_result;
	const struct sr_sharding_rule *rule;
	struct sr_sharding_holder **holders; /* [n] shardings of operands, then results */
	int n;
	const struct sr_sharding **shardings; /* [n] present shardings, NULL: none */
	const enum sr_direction *directions;
	bool conservative, elementwise;
	const struct sr_value *manual; /* value that owns the data-flow edge, if that crosses the boundary of a manual computation;
				        * else NULL */
};
/* Return a copy of the projection's factor shardings. */
struct sr_tensor_factors *sr_copy_factors(struct sr_arena *arena, const struct sr_projection *p);
/* Record which tensor gave which axis to which other one, between `before` and `after`. */
void sr_record_rule_application(struct sr_provenance *provenance, const struct sr_rule_application *s,
				const struct sr_tensor_factors *before,
		    const struct sr_projection *after);

/* Record that a member of a sharding group gets another member's sharding. */
void sr_record_group(struct sr_provenance *provenance, const struct sr_sharding_holder *from, const struct sr_sharding_holder *to,
		     const struct sr_sharding *now);

/* ---- explain.c ---- */
/* Answer the context's explain request from the recorded provenance. */
void sr_propagation_explain(struct sr_propagation *state);

/* ---- directions.c: op priorities ---- */
/* Set directions[n_factors] for a level. Return a number that is different for different directions of the same op; 0: no direction
 * in any factor. */
int sr_op_directions(const struct sr_op *op, const struct sr_sharding_rule *rule, int level, enum sr_direction *directions);

/* ---- sharding_groups.c: before propagation ---- */
void sr_value_groups_read(struct sr_context *ctx, struct sr_op *module, struct sr_map *groups);

#endif
