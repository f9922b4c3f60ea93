/* Greedy pattern rewriting: patterns are applied to all ops until none applies, in the order of MLIR's greedy driver.
 *
 * A pattern gets one op. It either changes nothing and returns false, or changes the module and returns true. It builds ops with
 * sr_rewrite_before, and reports every op that it inserts, replaces or erases through the functions below. */
#ifndef SR_OPTIMIZE_REWRITE_H
#define SR_OPTIMIZE_REWRITE_H

#include "dialect/ops.h"
#include "support/vec.h"

struct sr_rewriter;
struct sr_folder;

typedef bool sr_pattern_fn(struct sr_rewriter *rw, struct sr_op *op);

struct sr_pattern {
	/* op code to which the pattern applies; SR_OP_UNREGISTERED: it applies to every op, after the patterns of the op's own
	 * code */
	enum sr_op_code code;
	sr_pattern_fn *apply;
	const char *label; /* name in the options enable-patterns and disable-patterns; NULL: none */
};

enum { SR_REWRITE_TABLES = 4 };
struct sr_rewrite_config {
	const struct sr_pattern
		/* tables of patterns, each ended by a row without function; patterns of an op are tried in this order */
		*tables[SR_REWRITE_TABLES];
	const char *enabled, *disabled; /* comma-separated labels of patterns; NULL or "": all are enabled, none is disabled */
	int64_t max_rounds;
	bool bottom_up;        /* true: process ops from the last to the first */
	bool keeps_shardings; /* true: a value replaces only values of equal sharding, and constants are not merged */
	bool assume_pure;      /* true: assume that ops have only the side effects that they declare, and that calls have none */
	struct sr_folder *folder; /* folder for patterns that fold constants; NULL: these patterns are disabled */
};

struct sr_rewriter {
	struct sr_context *ctx;
	const struct sr_rewrite_config *config;
	/* stack of ops; NULL entries were removed. An op's mark is its index + 1, or 0 if it is not on the stack */
	SR_VEC(struct sr_op *) worklist;
	bool has_changed;
};

void sr_rewrite_greedily(struct sr_context *ctx, struct sr_op *root, const struct sr_rewrite_config *config);

struct sr_builder sr_rewrite_before(struct sr_rewriter *rw, struct sr_op *anchor);
void sr_rewrite_notify_inserted(struct sr_rewriter *rw, struct sr_op *op);
void sr_rewrite_notify_modified(struct sr_rewriter *rw, struct sr_op *op);
/* Replace all uses of a value and put its users on the worklist. */
void sr_rewrite_replace_value(struct sr_rewriter *rw, struct sr_value *old_value, struct sr_value *new_value);
/* Replace op, which has one result, by a value and erase it. */
void sr_rewrite_replace(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *value);
void sr_rewrite_erase(struct sr_rewriter *rw, struct sr_op *op);
/* Move the block's ops before op, and replace op's results by the values that the block yields. The terminator stays. */
void sr_rewrite_inline_block(struct sr_rewriter *rw, struct sr_op *op, struct sr_block *block);
/* Create an op with one result before the anchor. */
struct sr_op *sr_rewrite_create(struct sr_rewriter *rw, struct sr_op *anchor, enum sr_op_code code,
				struct sr_value *const *operands, int n_operands, const struct sr_named_attr *attrs,
				int n_attrs, const struct sr_type *type);
/* Replace op, which has one result, by a new op with the same result type and op's discardable attributes. Returns true. */
bool sr_rewrite_replace_with(struct sr_rewriter *rw, struct sr_op *op, enum sr_op_code code, struct sr_value *const *operands,
			     int n_operands, const struct sr_named_attr *attrs, int n_attrs);
/* Replace op by the ops that `decompose` builds before it (decompose.h). Returns false if it has changed nothing. */
bool sr_rewrite_decompose(struct sr_rewriter *rw, struct sr_op *op, bool (*decompose)(struct sr_builder *b, struct sr_op *op));

#endif
