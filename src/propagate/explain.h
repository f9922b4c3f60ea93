/* Explanations: the chain from an axis of a value's sharding back through ops, factors and edges to the user's annotation.
 *
 *	%2 = stablehlo.dot_general: tensor<8x16xf32>, at /home/me/mlp.py:14:8
 *	  sharding <@mesh, [{"x"}, {}]>
 *	  dimension 0 of 8 over "x" (2):
 *	    %2[0] from %1[0] through stablehlo.dot_general (operand 0 to result 0, factor i), at mlp.py:14:8
 *	    %1[0] from %arg0[0] through stablehlo.tanh (factor i), at mlp.py:13:4
 *	    %arg0[0] is annotated: argument 0 of @main, at mlp.py:10:0
 *	  dimension 1 of 16: not sharded
 *
 * Propagation passes write them from the recorded provenance if requested (sr_context.explain). Values have the names of the source
 * text (sr_context.keep_names). */
#ifndef SR_PROPAGATE_EXPLAIN_H
#define SR_PROPAGATE_EXPLAIN_H

#include "ir/ir.h"
#include "propagate/projection.h"
#include "support/buf.h"

/* A request for explanations, and its answer. `request` selects values: "%12", "%12#1"; "stablehlo.dot_general", "dot_general" or
 * the last component of the name that JAX gave; "41" or "train.py:41", a line of the Python source or of the module's text. */
struct sr_explain {
	const char *request;
	struct sr_buf *out;
	int n_found; /* number of explanations that were written to `out` */
};

/* ---- explain_reduction.c: reductions over devices ---- */
int sr_factor_dim(const struct sr_tensor_mapping *map, int factor); /* Return the dimension that has the factor; -1: none. */
/* Append axes as text: "x", "y":(1)2. */
void sr_put_written_axes(struct sr_context *ctx, struct sr_sdy_axes axes, struct sr_buf *out);
void sr_put_axes(struct sr_context *ctx, const struct sr_mesh *mesh, struct sr_axes axes, struct sr_buf *out);
/* Append `dimension 1 of %1 over "x" and dimension 0 of %2 over "x"`: the operand dimensions of a reduction factor.
 * names[operands]. *reduced_axes: its axes; if empty, nothing is appended. Return false if the operands are sharded differently. */
bool sr_put_reduced(struct sr_context *ctx, const struct sr_projection *p, int factor, const char *const *names, struct sr_buf *out,
		    struct sr_axes *reduced_axes);

/* ---- shared with other explanations ---- */
/* Return the name of a value: "%1#0", or "result 0 of stablehlo.add" if the name is not known. */
const char *sr_explain_name(struct sr_context *ctx, const struct sr_value *v);
/* Append a location: `, at mlp.py:14:8`; full_path: with the full path. */
void sr_explain_put_place(struct sr_buf *out, const struct sr_attr *loc, bool full_path);
/* Append the first line of an explanation. */
void sr_explain_put_head(struct sr_context *ctx, const struct sr_value *v, const char *name, struct sr_buf *out);

bool sr_value_matches_request(const struct sr_value *v, const char *request);

#endif
