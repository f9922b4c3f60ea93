/* Greedy rewriting: patterns are tried on every op until none applies, in the order of MLIR's driver.
 *
 * A pattern looks at one op and either leaves all as it is and returns false, or changes the module and returns true. It builds
 * with sr_rewrite_before, and tells the rewriter of what it makes, replaces and erases by the functions here. */
#ifndef SR_OPTIMIZE_REWRITE_H
#define SR_OPTIMIZE_REWRITE_H

#include "dialect/ops.h"
#include "support/vec.h"

struct sr_rewriter {
	struct sr_context *ctx;
	SR_VEC(struct sr_op *) work; /* a stack; NULL: taken out. An op's mark is its place + 1, 0: not in it */
	bool changed;
};

struct sr_pattern {
	enum sr_op_code code;
	const char *label; /* by which enable-patterns and disable-patterns name it */
	bool (*apply)(struct sr_rewriter *rw, struct sr_op *op);
};

extern const struct sr_pattern sr_canonical_patterns[]; /* ended by code 0 */

struct sr_builder sr_rewrite_before(struct sr_rewriter *rw, struct sr_op *anchor);
void sr_rewrite_made(struct sr_rewriter *rw, struct sr_op *op);
void sr_rewrite_changed(struct sr_rewriter *rw, struct sr_op *op);
/* The value's users see `to` from now on, and are looked at again. */
void sr_rewrite_replace_value(struct sr_rewriter *rw, struct sr_value *from, struct sr_value *to);
void sr_rewrite_replace(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *value); /* an op with one result; erased */
void sr_rewrite_erase(struct sr_rewriter *rw, struct sr_op *op);

#endif
