/* Sharding provenance: which annotation of the program each propagated axis comes from, and through which op and step it reached
 * each value. Recorded on request (upstream's options debug-sharding-origins and debug-propagation-edge-sharding, and --explain);
 * written as attributes or read by propagate/explain.c.
 *
 *	%1 = stablehlo.add %arg0, %0
 *	     {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"x" = operand-0 -> [result-0]}]}]>,
 *	      sdy.sharding_origins = [{x = "input: 0"}]}
 *
 * A step is one update of an op that changed a sharding. Initialize before changing any sharding: annotations are the shardings
 * found then. */
#ifndef SR_IMPORT_PROVENANCE_PROVENANCE_H
#define SR_IMPORT_PROVENANCE_PROVENANCE_H

#include "dialect/ops.h"
#include "ir/pass.h"
#include "support/vec.h"

enum sr_annotation_kind {
	SR_ANNOTATION_INPUT,      /* sharding of a function argument */
	SR_ANNOTATION_OUTPUT,     /* sharding of a function result */
	SR_ANNOTATION_CONSTRAINT, /* sharding of an sdy.sharding_constraint or of its operand */
	SR_ANNOTATION_MC_INPUT,   /* in_sharding of a manual computation */
	SR_ANNOTATION_MC_OUTPUT   /* out_sharding of a manual computation */
};

/* A sharding that the input program contains. */
struct sr_annotation {
	enum sr_annotation_kind kind;
	const struct sr_op *op; /* the annotated op: a function, sharding constraint or manual computation */
	int index; /* index of the function's argument or result, or of the computation's operand or result; 0 for a constraint */
	int id;           /* number of the constraint or of the manual computation in the module */
};

/* An axis of a value's sharding and the annotation it comes from. */
struct sr_annotated_axis {
	struct sr_axis_ref axis;
	const struct sr_mesh *mesh;
	struct sr_annotation annotation;
};
typedef SR_VEC(struct sr_annotated_axis) sr_annotated_axes;

/* One axis propagated from one value to another. */
struct sr_propagated_axis {
	int64_t step;
	/* op through which the axis was propagated; a function for propagation from its returned value to its result; NULL: a
	 * sharding group */
	struct sr_op *op;
	int func_result;             /* index of the result, if `op` is a function */
	const struct sr_mesh *mesh;
	struct sr_axis_ref axis;
	int factor;                  /* index of the factor that the axis shards */
	int source, target;          /* indices of the source and target tensor in the op's rule: operands first, then results */
	int n_operands;              /* number of operands in the op's rule */
	struct sr_value *from, *to;  /* the values whose shardings are those of the source and of the target */
};

struct sr_provenance {
	struct sr_context *ctx;
	struct sr_op *module;
	int64_t step;                /* number of the next propagation step, from 0 */
	SR_VEC(struct sr_propagated_axis) propagated; /* propagated axes, in the order of propagation */
	struct sr_map annotated;     /* maps a value to its sr_annotated_axes * */
};

/* Initialize from the module's annotations. Continue the step numbers of existing sdy.propagation_edges. If `names_origins` is set,
 * give constraints and manual computations an sdy.sharding_origin_name. */
void sr_provenance_init(struct sr_provenance *provenance, struct sr_context *ctx, struct sr_op *module, bool names_origins);
/* Return v's axes whose annotation is known; NULL if there are none. */
const sr_annotated_axes *sr_provenance_annotated_axes(const struct sr_provenance *provenance, const struct sr_value *v);
void sr_provenance_record(struct sr_provenance *provenance, const struct sr_propagated_axis *event);

/* The attributes that the options of a pass request. */
struct sr_provenance_request {
	bool origins, edges;
};
struct sr_provenance_request sr_provenance_request_read(const struct sr_pass_options *options);
/* Write the requested attributes sdy.propagation_edges and sdy.sharding_origins. Call after the pass has written its shardings. */
void sr_provenance_write(const struct sr_provenance *provenance, struct sr_provenance_request request);
void sr_provenance_write_edges(const struct sr_provenance *provenance);
void sr_provenance_write_origins(const struct sr_provenance *provenance);
/* Return upstream's name of the annotation, e.g. "constraint_0" or "input: 1", in `arena`. */
const char *sr_annotation_name(struct sr_arena *arena, const struct sr_annotation *a);

#endif
