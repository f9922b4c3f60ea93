/* Greedy rewriting: patterns are tried on every op until none applies, in the order of MLIR's driver.
 *
 * A pattern looks at one op and either leaves all as it is and returns false, or changes the module and returns true. It builds
 * with sr_rewrite_before, and tells the rewriter of what it makes, replaces and erases by the functions here. */
#ifndef SR_OPTIMIZE_REWRITE_H
#define SR_OPTIMIZE_REWRITE_H

#include "dialect/ops.h"
#include "support/vec.h"

struct sr_rewriter;
struct sr_folder;

typedef bool sr_pattern_fn(struct sr_rewriter *rw, struct sr_op *op);

struct sr_pattern {
	enum sr_op_code code; /* SR_OP_UNREGISTERED: every op; these are tried last */
	sr_pattern_fn *apply;
	const char *label; /* by which enable-patterns and disable-patterns name it; NULL: none */
};

enum { SR_REWRITE_TABLES = 4 };
struct sr_rewrite_config {
	const struct sr_pattern
		*tables[SR_REWRITE_TABLES]; /* each ended by a row without function; an op's patterns are tried in this order */
	const char *only, *never; /* comma-separated labels; NULL or "": all, none */
	int64_t max_rounds;
	bool bottom_up;        /* the last op first */
	bool sharded;          /* values have shardings: a value replaces only one of the same sharding, constants are not merged */
	bool assume_pure;      /* an op has only the effects that it declares: calls have none */
	struct sr_folder *folder; /* of patterns that compute; NULL: none does */
};

struct sr_rewriter {
	struct sr_context *ctx;
	const struct sr_rewrite_config *config;
	SR_VEC(struct sr_op *) work; /* a stack; NULL: taken out. An op's mark is its place + 1, 0: not in it */
	bool changed;
};

void sr_rewrite_greedily(struct sr_context *ctx, struct sr_op *root, const struct sr_rewrite_config *config);

struct sr_builder sr_rewrite_before(struct sr_rewriter *rw, struct sr_op *anchor);
void sr_rewrite_notify_inserted(struct sr_rewriter *rw, struct sr_op *op);
void sr_rewrite_notify_modified(struct sr_rewriter *rw, struct sr_op *op);
/* The value's users see `to` from now on, and are looked at again. */
void sr_rewrite_replace_value(struct sr_rewriter *rw, struct sr_value *from, struct sr_value *to);
void sr_rewrite_replace(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *value); /* an op with one result; erased */
void sr_rewrite_erase(struct sr_rewriter *rw, struct sr_op *op);
/* The ops of a region's block before its op, and what the block yields for the op's results. The terminator stays. */
void sr_rewrite_inline_block(struct sr_rewriter *rw, struct sr_op *op, struct sr_block *block);
/* A new op with one result before the anchor. */
struct sr_op *sr_rewrite_create(struct sr_rewriter *rw, struct sr_op *anchor, enum sr_op_code code, struct sr_value *const *operands,
			     int n_operands, const struct sr_named_attr *attrs, int n_attrs, const struct sr_type *type);
/* The same in the place of op, which has one result: of its type, with its discardable attributes. Returns true. */
bool sr_rewrite_replace_with(struct sr_rewriter *rw, struct sr_op *op, enum sr_op_code code, struct sr_value *const *operands,
		     int n_operands, const struct sr_named_attr *attrs, int n_attrs);
/* By a function that builds before op what replaces its result's uses, or changes nothing and returns false (decompose.h). */
bool sr_rewrite_decompose(struct sr_rewriter *rw, struct sr_op *op, bool (*decompose)(struct sr_builder *b, struct sr_op *op));

#endif
