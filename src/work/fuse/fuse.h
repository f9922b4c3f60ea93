/* Fusion of loop nests: two nests become one that reads memory once. Internal to work.
 *
 * A fusion has a producer and a consumer side, whose loops are expressed in the loops of the new nest. Elements of the
 * producer's results that the consumer reads are computed in the new body. Composition (fuse_compose.c) keeps the consumer's
 * loops and results, and leaves the producer in place for its other users; merging (fuse_merge.c) computes the results of both
 * over common loops. fuse_cost.c alone decides whether a fusion saves time. */
#ifndef SR_WORK_FUSE_H
#define SR_WORK_FUSE_H

#include "kernels/nest/nest.h"
#include "work/work.h"

enum { SR_FUSE_MAX_BUFFERS = 60, SR_FUSE_MAX_OPS = 192 }; /* maxima of a nest: operands and results; ops in the body */

/* Split loop `loop` into two, the inner one of extent `factor`; factor = 0: no split. */
struct sr_fuse_split {
	int loop;
	int64_t factor;
};

/* ---- fuse_build.c ---- */
/* Read the indexing map of a work.index in a nest of n_loops loops; return false for other ops. */
bool sr_fuse_index_map(struct sr_context *ctx, const struct sr_op *op, int n_loops, struct sr_indexing_map *a);
struct sr_fuse_read {
	struct sr_value *value;
	/* indexing map of the read over the loops of the new nest; operands in index and fill have their numbers in the side's own
	 * op */
	struct sr_indexing_map access;
	int producer_result;             /* number of the producer's result that replaces the read; -1: the read is from memory */
};
struct sr_fuse_side {
	struct sr_op *op; /* the work.nest that is fused; NULL if the fusion has no such side */
	struct sr_work_nest nest;
	int64_t *new_loops;      /* the side's loops in terms of the new loops; dimensions [nest.n_loops][n_loops + 1] */
	bool is_kept;       /* true if the op is kept: its body is copied, not moved */
	struct sr_fuse_read *reads;        /* the side's reads, one per operand; set by sr_fuse_prepare */
	struct sr_indexing_map *result_indexing_maps; /* maps of the side's results; set by sr_fuse_prepare */
	bool has_same_loops;                   /* true if the side's loops are the new nest's, one to one; set by sr_fuse_prepare */
};
enum sr_fuse_role { SR_FUSE_PRODUCER, SR_FUSE_CONSUMER };
struct sr_fusion {
	struct sr_context *ctx;
	int64_t loops[SR_NEST_MAX_LOOPS];
	int n_loops, parallel;
	struct sr_fuse_side sides[2];
	struct sr_value *results[SR_NEST_MAX_BUFFERS]; /* results of either side that the new nest has */
	int n_results;
	/* for each result of the consumer: true if the new nest reads it from memory instead of recomputing it */
	bool is_read[SR_NEST_MAX_BUFFERS];
};
/* Express the indexing maps of both sides in the new loops. Return false on overflow. */
bool sr_fuse_prepare(struct sr_fusion *f);
/* Return a fusion whose only side is nest c, over c's own loops and with all its results. */
struct sr_fusion sr_fuse_single(struct sr_context *ctx, struct sr_op *c);
/* Create the new nest before `anchor`. */
struct sr_op *sr_fuse_create(struct sr_fusion *f, struct sr_op *anchor);
/* Create the new nest and replace f->results by its results. Sides that are not kept have lost the ops of their bodies: erase
 * them by sr_fuse_sweep. */
struct sr_op *sr_fuse_build(struct sr_fusion *f, struct sr_op *anchor);
/* Erase a nest, reshape, concatenate or constant without users, and then the definitions of its operands that have no other
 * user, and so on. A retired op is left alone. */
void sr_fuse_sweep(struct sr_context *ctx, struct sr_op *op);

/* ---- fuse_digits.c ---- */
/* Return true if an indexing map uses the operand as an index. */
bool sr_fuse_is_index(const struct sr_work_nest *nest, int operand);
/* Find the value that operand i of nest c reads through reshapes, and its indexing map. Return false if the map is not affine;
 * *loop_split then names the loop split that would make it affine. */
bool sr_fuse_through_reshapes(struct sr_context *ctx, const struct sr_work_nest *c, int i, struct sr_value **v, struct sr_indexing_map *a,
			      struct sr_fuse_split *loop_split);
/* Find the iteration of p that computes the element read by the affine map `read_map`, in terms of `loops`: to[l] for each loop
 * that the map of p's result names, for which is_known[l] is set. */
bool sr_fuse_loops_of(const struct sr_work_nest *p, int result, const struct sr_indexing_map *read_map, const int64_t *loops,
		      int n_loops, int64_t *to, bool *is_known, struct sr_fuse_split *loop_split);

/* ---- fuse_reason.c ---- */
/* Reason why an operand that a nest produces stays a buffer, in the order of the checks. Of several reasons the last one is
 * recorded. */
enum sr_fuse_reason {
	SR_FUSE_NO_REASON,
	SR_FUSE_RESHAPE,           /* the consumer reads the producer through a reshape whose index map is not affine */
	/* the operand is read at run-time indices or with a fill value, or it is a fill value or an index that selects rows */
	SR_FUSE_BY_INDEX,
	SR_FUSE_TOO_LARGE,      /* the fused nest would have too many operands or ops */
	SR_FUSE_OTHER_LOOPS,    /* the loops of the two nests are neither equal nor composable through an indexing map */
	SR_FUSE_OTHER_ELEMENTS,   /* the consumer reads an element in another iteration than the producer computes it in */
	SR_FUSE_OTHER_BLOCK,        /* the producer is in a block that encloses the consumer's */
	SR_FUSE_OTHER_READER, /* an op that is not a nest also reads the producer's result */
	SR_FUSE_RECOMPUTES,     /* fusion would compute too many values twice */
	SR_FUSE_TRANSPOSES,     /* a result would be written with large strides along the rows that a reduction reads */
	SR_FUSE_LONG_ROWS,      /* rows that two stages read do not fit in cache */
	SR_FUSE_EXPANDS,         /* fusion would not save memory traffic, since a nest expands few elements to many */
	SR_FUSE_LIVE_MEMORY,    /* the fused nest's results would be live at the same time */
	SR_FUSE_READ_BETWEEN,        /* an op between producer and consumer reads the producer's result */
	SR_FUSE_REASONS
};
/* Set *why to the reason that comes later in the enum. */
void sr_fuse_raise_reason(enum sr_fuse_reason *why, enum sr_fuse_reason reason);
/* Set c's attribute shardrun.not_fused: one string per operand, "" if there is no reason. */
void sr_fuse_set_reasons(struct sr_context *ctx, struct sr_op *c, const enum sr_fuse_reason *why);
/* Copy to `target` the reasons of `source` for operands that both read. */
void sr_fuse_copy_reasons(struct sr_context *ctx, const struct sr_op *source, struct sr_op *target);

/* ---- the kinds of fusion: each returns the nest that replaces c, or NULL ---- */
struct sr_op *sr_fuse_read_through(struct sr_context *ctx, struct sr_op *c);
bool sr_fuse_is_reshape_of_nest(const struct sr_value *v); /* Return true if v is a reshape that a nest can read through. */
/* Fuse the producer of an operand into c by composition. `unfused_nest` is sr_fuse_single(c). Sets *has_last_resort if the fusion
 * should be tried again with last_resort; sets *why if nothing was fused. */
struct sr_op *sr_fuse_compose(const struct sr_fusion *unfused_nest, int operand, bool last_resort, bool *has_last_resort,
			      enum sr_fuse_reason *why);
struct sr_op *sr_fuse_merge(const struct sr_fusion *unfused_nest, struct sr_op *first, enum sr_fuse_reason *why);
struct sr_op *sr_fuse_merge_siblings(const struct sr_fusion *unfused_nest, struct sr_op *first, int producer_operand,
				     int consumer_operand);

/* ---- fuse_backward_slice.c ---- */
struct sr_backward_slice { /* the ops and operands on which one result of a nest depends */
	bool reads[SR_NEST_MAX_BUFFERS];        /* for each operand of the nest: true if the result depends on it */
	/* for each result: true if the slice may read it from memory; true if the slice reads it instead of recomputing it */
	bool may_read[SR_NEST_MAX_BUFFERS], reads_result[SR_NEST_MAX_BUFFERS];
	bool has_reduction;
};
/* Find the ops and operands on which one result of a nest depends. These ops of the body get mark 1, the others 0. Return false
 * if the nest has too many operands. */
bool sr_fuse_backward_slice(struct sr_context *ctx, struct sr_op *nest, int result, struct sr_backward_slice *slice);
/* Create a nest before `anchor` that computes this result alone; return NULL on overflow. */
struct sr_op *sr_fuse_build_backward_slice(struct sr_context *ctx, struct sr_op *nest, int result,
					   const struct sr_backward_slice *slice, struct sr_op *anchor);

/* ---- fuse_cost.c ---- */
/* Return the number of iterations of n loops; INT64_MAX on overflow. */
int64_t sr_fuse_count_iterations(const int64_t *loops, int n);
enum sr_fuse_verdict { SR_FUSE_NO, SR_FUSE_LAST_RESORT, SR_FUSE_YES };
struct sr_fuse_facts {
	int ops;      /* number of ops in the body, without constants and the yield */
	bool is_expensive, has_reduction;
};
/* Return a summary of a nest, which is cached in the op's mark; when a pass begins, all marks are 0. A search may use the bit
 * SR_FUSE_MARKED of any op of a block. */
enum { SR_FUSE_MARKED = 1 << 27 };
struct sr_fuse_facts sr_fuse_facts_of(struct sr_op *nest);
/* Return true if the operand is read from memory in any case, not computed in the body: it is the fill value of an indexing map, or
 * an index that is equal in many iterations. */
bool sr_fuse_is_from_memory(const struct sr_work_nest *nest, int operand);
/* Return true if the fused nest would not exceed the limits on operands and ops. */
bool sr_fuse_fits(struct sr_op *p, struct sr_op *c);
/* Decide whether composing the producer into the consumer, over the consumer's loops, saves time; *why is set if not. */
enum sr_fuse_verdict sr_fuse_judge_composing(const struct sr_fusion *f, enum sr_fuse_reason *why);
/* Decide whether merging the nests saves time. Return SR_FUSE_NO_REASON if it does. */
enum sr_fuse_reason sr_fuse_judge_merging(const struct sr_fusion *f, bool are_siblings);

/* ---- fuse_update_in_place.c ---- */
/* If the nest updates an array that a loop carries and reads a few other elements of it, let it read a copy of these that is made
 * before; return the nest, or NULL if nothing changed. */
struct sr_op *sr_fuse_copy_before_update(struct sr_context *ctx, struct sr_op *op);
/* ---- fuse_order_loops.c ---- */
/* Let the last parallel loop of a nest that reduces large arrays be the one over their adjacent elements; return the nest, or NULL
 * if nothing changed. */
struct sr_op *sr_fuse_order_loops(struct sr_context *ctx, struct sr_op *op);
/* ---- fuse_divide_sums.c ---- */
enum { SR_FUSE_MIN_TERMS = 2048 }; /* fewest terms of an accumulator if a sum is divided */
/* Replace a nest with long sums of f32 by a nest that computes the sums of blocks of terms and one that adds them; return
 * the second, or NULL if the nest stays. */
struct sr_op *sr_fuse_divide_sums(struct sr_context *ctx, struct sr_op *op);

#endif
