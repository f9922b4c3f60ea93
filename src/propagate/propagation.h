/* State of one propagation: shardings, the ops that depend on them, and the worklist. The order of the worklist decides conflicts,
 * so it is upstream's: a stack that initially holds all ops, the first on top. When a sharding changes, the ops that use it are
 * pushed, each followed by the ops around it, unless they are on the stack already.
 *
 * An op is only processed if its shardings changed since its last visit, or the round allows more directions; otherwise a round
 * only tests a flag of the op. Shardings are plain structs during propagation, and become attributes in sr_propagation_write. */
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
	struct sr_value *value; /* the value; NULL for the sharding of a function result */
	struct sr_op *func;     /* the function, for the sharding of its result number `result` */
	int result;
	const struct sr_sharding *sharding; /* NULL: there is no sharding yet */
	const struct sr_mesh *mesh;         /* mesh on which the value is sharded */
	bool has_changed;
	int version;                        /* number of changes of the sharding so far */
};

enum { SR_DIRECTIONS_ALL = 4, SR_DIRECTIONS_COUNT = 5 };

struct sr_propagation_op {
	struct sr_op *op; /* the op of the entry; NULL: it was erased */
	const struct sr_sharding_rule *rule;
	/* shardings of the rule's operands, then results; NULL for a value that cannot have a sharding */
	struct sr_sharding_holder **holders;
	bool is_initialized;             /* true if rule, holders and directions are set */
	bool is_live;              /* true if the op was not dead when last popped, and its results have lost no use since */
	bool is_pending;           /* true if the op is on the worklist's stack */
	bool in_callee; /* for a call: true while a change is being passed on to the callee, which guards against recursion */
	bool has_changed_sharding;             /* true if a sharding changed since the last visit */
	uint8_t directions[SR_DIRECTIONS_COUNT]; /* result of sr_op_directions at each level */
	uint8_t last_directions;         /* result of sr_op_directions at the last visit */
	sr_factor_strategy_fn *strategy;  /* strategy used at the last visit */
};

/* A result of the main function, with the value that main returns for it. */
struct sr_propagation_result {
	struct sr_sharding_holder *result;
	int versions[2];        /* numbers of changes of both shardings at the last visit */
	sr_factor_strategy_fn *strategy;  /* strategy used at the last visit */
};

struct sr_value_group {
	int64_t id;
	SR_VEC(struct sr_value *) members;
};

struct sr_propagation {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_arena *scratch; /* arena for one visit; replaced when it has grown large */
	struct sr_provenance *provenance; /* where provenance is recorded; NULL: it is not */
	bool is_conservative;
	sr_factor_strategy_fn *strategy;
	int level; /* level of op priority; SR_DIRECTIONS_ALL: all directions */

	struct sr_map holders;   /* maps a value to its struct sr_sharding_holder */
	struct sr_map callers; /* maps a func op to the struct sr_value_group of the first results of its calls */
	struct sr_map groups;  /* maps a value to its struct sr_value_group, whose members must have the same sharding */
	SR_VEC(struct sr_propagation_result) func_results; /* results of the main function */
	struct sr_op *main;

	struct sr_propagation_op *ops; /* ops in preorder; op->mark is the index; length n_ops */
	int n_ops, next;        /* number of ops; ops from `next` on are on the stack, below those in `pushed` */
	SR_VEC(int) pushed;
	const struct sr_op *current_op; /* op being visited; changes that the visit makes do not add it to the worklist again */
	bool mark_only;              /* true: changes mark ops as dirty but do not push them */
};

/* Initialize the state from the module. Return SR_INVALID, after reporting it, for types that propagation does not support. */
enum sr_status sr_propagation_init(struct sr_propagation *state, struct sr_context *ctx, struct sr_op *module, bool conservative);
/* Run one round with the current strategy and level. */
void sr_propagation_run(struct sr_propagation *state);
/* Write the changed shardings to the module's attributes; with keep_rules also the sharding rules. */
void sr_propagation_write(struct sr_propagation *state, bool keep_rules);
void sr_propagation_done(struct sr_propagation *state);

/* ---- internal to propagate ---- */
/* Return the holder of v's sharding; NULL if v cannot have a sharding. */
struct sr_sharding_holder *sr_propagation_holder(struct sr_propagation *state, struct sr_value *v);
/* Set the sharding of a value and of all members of its sharding group, and push the ops that use them. The sharding is copied. */
void sr_propagation_set(struct sr_propagation *state, struct sr_sharding_holder *holder, const struct sr_sharding *sharding);
/* Set the sharding of one value between rounds: ops that use the value are marked dirty but not pushed, and its group is
 * ignored. */
void sr_propagation_assign(struct sr_propagation *state, struct sr_sharding_holder *holder, const struct sr_sharding *sharding);
void sr_propagation_visit(struct sr_propagation *state, struct sr_propagation_op *at); /* Process an op of the worklist. */
bool sr_propagation_has_work(const struct sr_propagation *state,
			     const struct sr_propagation_op *at); /* Return true if a visit of the op could change anything. */
/* Return true unless the op is a data-flow edge or a barrier, whose rule is an identity. */
bool sr_op_rule_is_own(const struct sr_op *op);
/* Propagate between the values that main returns and the results of main. */
void sr_propagation_func_results(struct sr_propagation *state);

/* ---- record_provenance.c: provenance ---- */
/* One application of a sharding rule to tensors. */
struct sr_rule_application {
	struct sr_op *op; /* the op, or a function if the rule is applied between a returned value and the function's result */
	int func_result;
	const struct sr_sharding_rule *rule;
	struct sr_sharding_holder **holders; /* holders of the shardings of operands, then results; length n */
	int n;
	const struct sr_sharding **shardings; /* present sharding of each operand and result; NULL: none; length n */
	const enum sr_direction *directions;
	bool is_conservative, is_elementwise;
	/* value that owns the data-flow edge, if the edge crosses the boundary of a manual computation; else NULL */
	const struct sr_value *manual_owner;
};
/* Return a copy of the projection's factor shardings. */
struct sr_tensor_factors *sr_copy_factors(struct sr_arena *arena, const struct sr_projection *p);
/* Record which axes each tensor received from which other tensor, between `factors_before` and `projection_after`. */
void sr_record_rule_application(struct sr_provenance *provenance, const struct sr_rule_application *s,
				const struct sr_tensor_factors *factors_before,
				const struct sr_projection *projection_after);

/* Record that a member of a sharding group gets another member's sharding. */
void sr_record_group(struct sr_provenance *provenance, const struct sr_sharding_holder *source,
		     const struct sr_sharding_holder *target, const struct sr_sharding *now);

/* ---- explain.c ---- */
/* Answer the context's explain request from the recorded provenance. */
void sr_propagation_explain(struct sr_propagation *state);

/* ---- directions.c: op priorities ---- */
/* Compute directions[n_factors] of an op at a level of op priority. Return a number that identifies the directions among those
 * of the same op; 0: no factor has a direction. */
int sr_op_directions(const struct sr_op *op, const struct sr_sharding_rule *rule, int level, enum sr_direction *directions);

/* ---- sharding_groups.c: before propagation ---- */
void sr_value_groups_read(struct sr_context *ctx, struct sr_op *module, struct sr_map *groups);

#endif
