/* Fusion of loop nests: two nests become one that reads memory once. Internal to work.
 *
 * A fusion has a producer and a consumer side, whose loops are expressed in the loops of the new nest. Elements of the
 * producer's results that the consumer reads are computed in the new body. Composition (fuse_compose.c) keeps the consumer's
 * loops and results, and leaves the producer in place for its other users; merging (fuse_merge.c) computes the results of both
 * over common loops. fuse_cost.c alone decides what pays. */
#ifndef SR_WORK_FUSE_H
#define SR_WORK_FUSE_H

#include "kernels/nest/nest.h"
#include "work/work.h"

enum { SR_FUSE_MAX_BUFFERS = 60, SR_FUSE_MAX_OPS = 96 }; /* most operands plus results of a nest, and most ops of its body */

/* Split loop `loop` into two, the inner one of extent `by`; by = 0: no split. */
struct sr_fuse_split {
	int loop;
	int64_t by;
};

/* ---- fuse_build.c ---- */
struct sr_fuse_read {
	struct sr_value *value;
	struct sr_indexing_map access; /* over the new nest's loops; index and fill are operand numbers of the side's own op */
	int made_by;             /* number of the producer's result that replaces the read; -1: none */
};
struct sr_fuse_side {
	struct sr_op *op; /* a work.nest; NULL: the fusion has no such side */
	struct sr_work_nest nest;
	int64_t *to;      /* [nest.n_loops][n_loops + 1]: the side's loops in terms of the new loops */
	bool stays;       /* the op stays: its body is copied, not moved */
	struct sr_fuse_read *reads;        /* [nest.n_operands], set by sr_fuse_prepare */
	struct sr_indexing_map *result_indexing_maps; /* [nest.n_results], set by sr_fuse_prepare */
	bool same_loops;                   /* set by sr_fuse_prepare: true if its loops are the new nest's, one to one */
};
enum sr_fuse_role { SR_FUSE_PRODUCER, SR_FUSE_CONSUMER };
struct sr_fusion {
	struct sr_context *ctx;
	int64_t loops[SR_NEST_MAX_LOOPS];
	int n_loops, parallel;
	struct sr_fuse_side sides[2];
	struct sr_value *results[SR_NEST_MAX_BUFFERS]; /* results of either side's op that the new nest has */
	int n_results;
	bool given[SR_NEST_MAX_BUFFERS]; /* consumer's results that the new nest reads from memory instead of recomputing them */
};
/* Express the indexing maps of both sides in the new loops. False: overflow. */
bool sr_fuse_prepare(struct sr_fusion *f);
/* Return the fusion whose only side is nest c, over its own loops and with all its results. */
struct sr_fusion sr_fuse_single(struct sr_context *ctx, struct sr_op *c);
/* Create the new nest before `anchor`. */
struct sr_op *sr_fuse_create(struct sr_fusion *f, struct sr_op *anchor);
/* Create the new nest and replace f->results by its results. Sides without other users have lost their body's ops: erase them by
 * sr_fuse_sweep. */
struct sr_op *sr_fuse_build(struct sr_fusion *f, struct sr_op *anchor);
/* Erase a nest, reshape, concatenate or constant without users, and recursively its operands' definitions that have no other user. A retired
 * op is left alone. */
void sr_fuse_sweep(struct sr_context *ctx, struct sr_op *op);

/* ---- fuse_digits.c ---- */
/* Return true if the operand is the index or fill of another one: then it cannot be computed in the body. */
bool sr_fuse_is_index_or_fill(const struct sr_work_nest *nest, int operand);
/* Write a row as digits in mixed radix: out[k] is digit k as a row over the same loops, the last digit varies fastest. False: a
 * digit is not affine; *want says which loop split would make it so. */
bool sr_fuse_digits(const int64_t *loops, int n_loops, const int64_t *row, const int64_t *radix, int n, int64_t *out,
		    struct sr_fuse_split *split);
/* Find what operand i of nest c reads through reshapes, and its indexing map. False as above. */
bool sr_fuse_through_reshapes(struct sr_context *ctx, const struct sr_work_nest *c, int i, struct sr_value **v, struct sr_indexing_map *a,
		    struct sr_fuse_split *split);
/* Find the loops of p, in terms of `loops`, at which the element that the affine map `read` means is computed: to[l] for each
 * loop that the result's map names, whose known[l] is set. */
bool sr_fuse_loops_of(const struct sr_work_nest *p, int result, const struct sr_indexing_map *read, const int64_t *loops, int n_loops, int64_t *to,
		      bool *known, struct sr_fuse_split *split);

/* ---- fuse_reason.c ---- */
/* Why an operand that a nest produces stays a buffer. Later checks come later: the last reason says most. */
enum sr_fuse_reason {
	SR_FUSE_NO_REASON,
	SR_FUSE_RESHAPE,           /* read through a reshape whose digits are not affine */
	SR_FUSE_BY_INDEX,       /* read at run-time indices or with a fill value, or itself such an index or fill */
	SR_FUSE_TOO_LARGE,      /* the fused nest would have too many operands or ops */
	SR_FUSE_OTHER_LOOPS,    /* loops neither compose nor match */
	SR_FUSE_OTHER_ELEMENTS,   /* read at another iteration than it is computed at */
	SR_FUSE_OTHER_BLOCK,        /* produced in an enclosing block */
	SR_FUSE_OTHER_READER, /* an op that is no nest reads it too */
	SR_FUSE_RECOMPUTES,     /* fusion would compute too much twice */
	SR_FUSE_LONG_ROWS,      /* rows that two stages read do not fit in cache */
	SR_FUSE_EXPANDS,         /* expands few elements to many, and gains nothing from fusion */
	SR_FUSE_LIVE_MEMORY,    /* results computed together would be live together */
	SR_FUSE_READ_BETWEEN,        /* an op between the two reads it */
	SR_FUSE_REASONS
};
/* Set *why to the later of both reasons. */
void sr_fuse_raise_reason(enum sr_fuse_reason *why, enum sr_fuse_reason reason);
/* Set c's attribute shardrun.not_fused: a string per operand, "" without a reason. */
void sr_fuse_set_reasons(struct sr_context *ctx, struct sr_op *c, const enum sr_fuse_reason *why);
/* Copy the reasons of `from` for operands that `to` reads too. */
void sr_fuse_copy_reasons(struct sr_context *ctx, const struct sr_op *from, struct sr_op *to);

/* ---- the kinds of fusion: each returns the nest that replaces c, or NULL ---- */
struct sr_op *sr_fuse_split_loop(struct sr_context *ctx, struct sr_op *c, struct sr_fuse_split at);
struct sr_op *sr_fuse_read_through(struct sr_context *ctx, struct sr_op *c);
bool sr_fuse_is_reshape_of_nest(const struct sr_value *v); /* v is a reshape that a nest can read through */
/* `alone` is sr_fuse_single(c). Sets *left if the fusion should be tried again with last_resort, and *why if it is not done. */
struct sr_op *sr_fuse_compose(const struct sr_fusion *alone, int operand, bool last_resort, bool *left, enum sr_fuse_reason *why);
struct sr_op *sr_fuse_merge(const struct sr_fusion *alone, struct sr_op *p, enum sr_fuse_reason *why);
struct sr_op *sr_fuse_merge_siblings(const struct sr_fusion *alone, struct sr_op *p, int p_operand, int c_operand);

/* ---- fuse_backward_slice.c ---- */
struct sr_backward_slice { /* what one result of a nest depends on */
	bool reads[SR_NEST_MAX_BUFFERS];        /* operands */
	bool may_read[SR_NEST_MAX_BUFFERS], reads_result[SR_NEST_MAX_BUFFERS]; /* results */
	bool reduces;
};
/* Find what the result depends on. Ops of the body in the slice get mark 1, the others 0. False: the nest has too many operands. */
bool sr_fuse_backward_slice(struct sr_context *ctx, struct sr_op *nest, int result, struct sr_backward_slice *part);
/* Create a nest before `anchor` that computes this result alone; NULL: overflow. */
struct sr_op *sr_fuse_build_backward_slice(struct sr_context *ctx, struct sr_op *nest, int result, const struct sr_backward_slice *part, struct sr_op *anchor);

/* ---- fuse_cost.c ---- */
enum sr_fuse_verdict { SR_FUSE_NO, SR_FUSE_LAST_RESORT, SR_FUSE_YES };
struct sr_fuse_facts {
	int ops;      /* ops of the body, without constants and the yield */
	bool expensive, reduces;
};
/* Summary of a nest, cached in its mark; a pass starts with marks of 0. A search may use the bit SR_FUSE_MARKED of any op of a
 * block. */
enum { SR_FUSE_MARKED = 1 << 27 };
struct sr_fuse_facts sr_fuse_facts_of(struct sr_op *nest);
int64_t sr_fuse_iterations(const int64_t *loops, int n); /* iterations of n loops; INT64_MAX if they overflow */
bool sr_fuse_fits(struct sr_op *p, struct sr_op *c); /* the limits on operands and ops hold for the fused nest */
/* Decide whether composing the producer into the consumer, over the consumer's loops, pays; *why if not. */
enum sr_fuse_verdict sr_fuse_judge_composing(const struct sr_fusion *f, enum sr_fuse_reason *why);
/* Decide whether merging the nests pays. Returns SR_FUSE_NO_REASON if it does. */
enum sr_fuse_reason sr_fuse_judge_merging(const struct sr_fusion *f, bool siblings);

#endif
