/* The state of one propagation: where shardings are kept, which ops read them, and the worklist that decides in which order ops are
 * looked at. That order decides conflicts, so it is upstream's: a stack that starts with all ops, the first on top; an op whose
 * operand or result changed, and after it the ops around it, are put on top unless they are in the stack already.
 *
 * Work is done for ops whose shardings changed since they were last looked at, or that a round allows more to; the others cost one
 * test each a round, which touches nothing but the list. Shardings are plain structs while this lasts, and attributes again
 * after sr_propagation_write. */
#ifndef SR_PROPAGATE_PROPAGATION_H
#define SR_PROPAGATE_PROPAGATION_H

#include "import/calls/call_graph.h"
#include "import/provenance/provenance.h"
#include "import/op_class.h"
#include "dialect/ops.h"
#include "propagate/factors.h"
#include "propagate/propagate.h"
#include "support/vec.h"

/* Where a sharding is kept: at a value, or at a function's result. */
struct sr_sharding_holder {
	struct sr_value *value; /* NULL: a function's result */
	struct sr_op *func;     /* and its number */
	int result;
	const struct sr_sharding *sharding; /* NULL: none */
	const struct sr_mesh *mesh;         /* of it */
	bool changed;
	int version;                        /* counts changes */
};

enum { SR_DIRECTIONS_ALL = 4, SR_DIRECTIONS_COUNT = 5 };

struct sr_propagation_op {
	struct sr_op *op; /* NULL: erased */
	const struct sr_sharding_rule *rule;
	struct sr_sharding_holder **holders; /* [operands, results] of the rule; an entry is NULL where no sharding can be */
	bool known;             /* rule, holders and directions are set */
	bool live;              /* was not dead when last popped, and its results have lost no user since */
	bool pending;           /* in the stack */
	bool passing;           /* a call: a change is being told to those inside its function */
	bool dirty;             /* something changed since the last look */
	uint8_t directions[SR_DIRECTIONS_COUNT]; /* sr_op_directions' number at each level */
	uint8_t looked;         /* that of the last look */
	sr_factor_strategy_fn *strategy;  /* of the last look */
};

/* A result of the main function, and what is returned for it. */
struct sr_propagation_result {
	struct sr_sharding_holder *result;
	int versions[2];        /* of both at the last look */
	sr_factor_strategy_fn *strategy;  /* of the last look */
};

struct sr_value_group {
	int64_t id;
	SR_VEC(struct sr_value *) members;
};

struct sr_propagation {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_arena *scratch; /* of one look; replaced when large */
	struct sr_provenance *provenance; /* NULL: nobody asks */
	bool conservative;
	sr_factor_strategy_fn *strategy;
	int level; /* of op priorities; SR_DIRECTIONS_ALL: all directions */

	struct sr_map holders;   /* value -> struct sr_sharding_holder */
	struct sr_map callers; /* func op -> struct sr_value_group of first results: see propagation.c */
	struct sr_map groups;  /* value -> struct sr_value_group: values that are to be sharded alike */
	SR_VEC(struct sr_propagation_result) func_results; /* of the main function */
	struct sr_op *main;

	struct sr_propagation_op *ops; /* [n_ops] in preorder; op->mark is the index */
	int n_ops, next;        /* ops from `next` on are still in the stack, below `pushed` */
	SR_VEC(int) pushed;
	const struct sr_op *current; /* is not put back by its own changes */
	bool only_mark;              /* changes mark ops but do not put them on the stack */
};

/* SR_INVALID, reported, where a type cannot be propagated through. */
enum sr_status sr_propagation_init(struct sr_propagation *flow, struct sr_context *ctx, struct sr_op *module, bool conservative);
/* One round at the flow's strategy and level. */
void sr_propagation_run(struct sr_propagation *flow);
/* Changed shardings back onto the ops; rules too if asked. */
void sr_propagation_write(struct sr_propagation *flow, bool keep_rules);
void sr_propagation_done(struct sr_propagation *flow);

/* ---- for the parts of this folder ---- */
struct sr_sharding_holder *sr_propagation_holder(struct sr_propagation *flow, struct sr_value *v); /* NULL: v cannot have a sharding */
/* copied; readers are put back */
void sr_propagation_set(struct sr_propagation *flow, struct sr_sharding_holder *holder, const struct sr_sharding *sharding);
/* The same for this holder alone, between rounds: readers are marked, groups left out. */
void sr_propagation_assign(struct sr_propagation *flow, struct sr_sharding_holder *holder, const struct sr_sharding *sharding);
void sr_propagation_visit(struct sr_propagation *flow, struct sr_propagation_op *at); /* look at an op */
bool sr_propagation_has_work(const struct sr_propagation *flow, const struct sr_propagation_op *at); /* would a look do anything? */
bool sr_op_rule_is_own(const struct sr_op *op);                 /* the rule is the op's, not that of an edge or barrier */
void sr_propagation_func_results(struct sr_propagation *flow);                /* pass shardings between main's return and its results */

/* ---- record_provenance.c: for the provenance ---- */
/* What is propagated through: tensors with a rule between them. */
struct sr_rule_application {
	struct sr_op *op; /* a function: between what it returns and its result */
	int func_result;
	const struct sr_sharding_rule *rule;
	struct sr_sharding_holder **holders; /* [n] operands, then results */
	int n;
	const struct sr_sharding **shardings; /* [n], NULL: none */
	const enum sr_direction *directions;
	bool conservative, elementwise;
	const struct sr_value *manual; /* the owner of an edge at the border of a manual computation; NULL */
};
/* The projection's factors as they are now. */
struct sr_tensor_factors *sr_copy_factors(struct sr_arena *arena, const struct sr_projection *p);
/* Who gave whom which axis, between then and now. */
void sr_record_rule_application(struct sr_provenance *provenance, const struct sr_rule_application *s, const struct sr_tensor_factors *before,
		    const struct sr_projection *after);

/* A member of a sharding group gets what another one got in this step. */
void sr_record_group(struct sr_provenance *provenance, const struct sr_sharding_holder *from, const struct sr_sharding_holder *to,
		     const struct sr_sharding *now);

/* ---- explain.c ---- */
/* Answers the context's request from the flow's provenance. */
void sr_propagation_explain(struct sr_propagation *flow);

/* ---- directions.c: op priorities ---- */
/* directions[n_factors] at a level; returns a number that tells two outcomes for one op apart, 0: none in any. */
int sr_op_directions(const struct sr_op *op, const struct sr_sharding_rule *rule, int level, enum sr_direction *directions);

/* ---- sharding_groups.c: before the flow is made ---- */
void sr_value_groups_read(struct sr_context *ctx, struct sr_op *module, struct sr_map *groups);

#endif
