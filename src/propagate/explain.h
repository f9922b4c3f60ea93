/* Explanations: the chain from a value's axis back through ops, factors and edges to the annotation that it comes from.
 *
 *	%2 = stablehlo.dot_general: tensor<8x16xf32>, at /home/me/mlp.py:14:8
 *	  sharding <@mesh, [{"x"}, {}]>
 *	  dimension 0 of 8 over "x" (2):
 *	    %2[0] from %1[0] through stablehlo.dot_general (operand 0 to result 0, factor i), at mlp.py:14:8
 *	    %1[0] from %arg0[0] through stablehlo.tanh (factor i), at mlp.py:13:4
 *	    %arg0[0] is annotated: argument 0 of @main, at mlp.py:10:0
 *	  dimension 1 of 16: not sharded
 *
 * The propagation passes write them from their provenance, where the context asks (sr_context.explain). Values are called by the names
 * they were read with (sr_context.keep_names). */
#ifndef SR_PROPAGATE_EXPLAIN_H
#define SR_PROPAGATE_EXPLAIN_H

#include "ir/ir.h"
#include "propagate/projection.h"
#include "support/buf.h"

/* A request and its answer. Which values: "%12", "%12#1"; "stablehlo.dot_general", "dot_general" or the last part of the name that
 * JAX gave; "41" or "train.py:41", of the source or the module's text. */
struct sr_explain {
	const char *what;
	struct sr_buf *out;
	int n_found; /* explanations written */
};

/* ---- explain_reduction.c: what an op reduces over devices ---- */
int sr_factor_dim(const struct sr_tensor_mapping *map, int factor); /* the dimension that has it; -1: none */
void sr_put_written_axes(struct sr_context *ctx, struct sr_sdy_axes axes, struct sr_buf *out); /* "x", "y":(1)2 */
void sr_put_axes(struct sr_context *ctx, const struct sr_mesh *mesh, struct sr_axes axes, struct sr_buf *out);
/* `dimension 1 of %1 over "x" and dimension 0 of %2 over "x"`: the operands' dimensions of a reduction factor, names[operands].
 * over: its axes; none: nothing is written. False: the operands are sharded differently. */
bool sr_put_reduced(struct sr_context *ctx, const struct sr_projection *p, int factor, const char *const *names, struct sr_buf *out,
		    struct sr_axes *over);

/* ---- words that explanations share ---- */
const char *sr_explain_name(struct sr_context *ctx, const struct sr_value *v); /* %1#0, or what it is of which op */
/* `, at mlp.py:14:8`; whole: with the file's whole path, as in an explanation's first line. */
void sr_explain_put_place(struct sr_buf *out, const struct sr_attr *loc, bool whole);
/* The first line. */
void sr_explain_put_head(struct sr_context *ctx, const struct sr_value *v, const char *name, struct sr_buf *out);

bool sr_value_matches_request(const struct sr_value *v, const char *what);

#endif
