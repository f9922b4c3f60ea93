/* The provenance of a pass that gives values shardings: which annotation of the program an axis came from, and through which op it came
 * to which value in which step. It is kept where somebody asks (upstream's options debug-sharding-origins and
 * debug-propagation-edge-sharding, and explanations), and answers as attributes or to propagate/explain.c.
 *
 *	%1 = stablehlo.add %arg0, %0
 *	     {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"x" = operand-0 -> [result-0]}]}]>,
 *	      sdy.sharding_origins = [{x = "input: 0"}]}
 *
 * A step is one look at an op that changed something. Begun before anything is changed: annotations are the shardings found then.
 * */
#ifndef SR_IMPORT_PROVENANCE_PROVENANCE_H
#define SR_IMPORT_PROVENANCE_PROVENANCE_H

#include "dialect/ops.h"
#include "ir/pass.h"
#include "support/vec.h"

enum sr_annotation_kind {
	SR_ANNOTATION_INPUT,      /* a function's argument */
	SR_ANNOTATION_OUTPUT,     /* its result */
	SR_ANNOTATION_CONSTRAINT, /* an sdy.sharding_constraint, or its operand */
	SR_ANNOTATION_MC_INPUT,   /* an operand of a manual computation */
	SR_ANNOTATION_MC_OUTPUT   /* its result */
};

/* A sharding that the program came with. */
struct sr_annotation {
	enum sr_annotation_kind kind;
	const struct sr_op *op; /* the function, constraint or manual computation */
	int index;        /* of the argument, operand or result; of a constraint 0 */
	int id;           /* constraints are numbered, and manual computations */
};

/* An axis that a value has from an annotation. */
struct sr_annotated_axis {
	struct sr_axis_ref axis;
	const struct sr_mesh *mesh;
	struct sr_annotation by;
};
typedef SR_VEC(struct sr_annotated_axis) sr_annotated_axes;

/* An axis that came to a value. */
struct sr_propagated_axis {
	int64_t step;
	struct sr_op *op;            /* through which; a function: between what it returns and its result; NULL: a sharding group */
	int func_result;             /* of a function */
	const struct sr_mesh *mesh;
	struct sr_axis_ref axis;
	int factor;                  /* along which */
	int source, target;          /* of the tensors that the step looks at: operands, then results */
	int n_operands;              /* of them */
	struct sr_value *from, *to;  /* where their shardings are kept */
};

struct sr_provenance {
	struct sr_context *ctx;
	struct sr_op *module;
	int64_t step;                /* the next one's number */
	SR_VEC(struct sr_propagated_axis) gains; /* in order */
	struct sr_map annotated;     /* value -> sr_annotated_axes */
};

/* Steps go on behind those that the module has as attributes already. name: constraints and manual computations are given
 * sdy.sharding_origin_name. */
void sr_provenance_init(struct sr_provenance *provenance, struct sr_context *ctx, struct sr_op *module, bool name);
/* What the value has from annotations; NULL: nothing. */
const sr_annotated_axes *sr_provenance_annotated_axes(const struct sr_provenance *provenance, const struct sr_value *v);
void sr_provenance_record(struct sr_provenance *provenance, const struct sr_propagated_axis *gain);

/* What the options of a pass ask for. */
struct sr_provenance_request {
	bool origins, edges;
};
struct sr_provenance_request sr_provenance_request_read(const struct sr_pass_options *options);
/* As attributes, sdy.propagation_edges and sdy.sharding_origins, when the pass has written its shardings. */
void sr_provenance_write(const struct sr_provenance *provenance, struct sr_provenance_request request);
void sr_provenance_write_edges(const struct sr_provenance *provenance);
void sr_provenance_write_origins(const struct sr_provenance *provenance);
/* "constraint_0", "input: 1"; in the arena */
const char *sr_annotation_name(struct sr_arena *arena, const struct sr_annotation *a);

#endif
