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
 * The propagation passes write them from their ledger, where the context asks (sr_context.explain). Values are called by the names
 * they were read with (sr_context.keep_names). */
#ifndef SR_PROPAGATE_EXPLAIN_H
#define SR_PROPAGATE_EXPLAIN_H

#include "ir/ir.h"
#include "support/buf.h"

/* A request and its answer. Which values: "%12", "%12#1"; "stablehlo.dot_general", "dot_general" or the last part of the name that
 * JAX gave; "41" or "train.py:41", of the source or the module's text. */
struct sr_explain {
	const char *what;
	struct sr_buf *out;
	int n_found; /* explanations written */
};

bool sr_value_is_meant(const struct sr_value *v, const char *what);
/* The name that the value was read with, where the context keeps them; NULL: none. */
const char *sr_value_kept_name(const struct sr_value *v);

#endif
