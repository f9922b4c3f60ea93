/* Fusing tiles: two become one that goes over memory once. Internal to work.
 *
 * A fusion has a producer and a consumer side, each with its loops as numbers of the new tile's loops. What the consumer reads of the
 * producer's results is made in the body instead. Composing (fuse_compose.c) keeps the consumer's loops and results, and leaves the
 * producer to its other users; merging (fuse_merge.c) makes the results of both over the same loops. Whether it is worth it is said by
 * fuse_cost.c alone. */
#ifndef SR_WORK_FUSE_H
#define SR_WORK_FUSE_H

#include "kernels/nest/nest.h"
#include "work/work.h"

enum { SR_FUSE_MAX_BUFFERS = 60, SR_FUSE_MAX_OPS = 96 }; /* the most operands and results, and ops of a body */

/* Loop `loop` is to become two, the inner one of extent `by`; by 0: no need. */
struct sr_fuse_split {
	int loop;
	int64_t by;
};

/* ---- fuse_build.c ---- */
struct sr_fuse_read {
	struct sr_value *value;
	struct sr_indexing_map access; /* over the new tile's loops; index and fill by the side's own operand numbers */
	int made_by;             /* the producer's result that it is instead; -1: none */
};
struct sr_fuse_side {
	struct sr_op *op; /* a work.nest; NULL: there is no such side */
	struct sr_work_nest tile;
	int64_t *to;      /* [tile.n_loops][n_loops + 1] */
	bool stays;       /* the new body has copies of its ops; else the ops themselves, and it is to be erased */
	struct sr_fuse_read *reads;        /* [tile.n_operands], by sr_fuse_prepare */
	struct sr_indexing_map *result_indexing_maps; /* likewise */
	bool same_loops;                   /* likewise: they are the new tile's, one by one */
};
enum sr_fuse_role { SR_FUSE_PRODUCER, SR_FUSE_CONSUMER };
struct sr_fusion {
	struct sr_context *ctx;
	int64_t loops[SR_NEST_MAX_LOOPS];
	int n_loops, parallel;
	struct sr_fuse_side sides[2];
	struct sr_value *results[SR_NEST_MAX_BUFFERS]; /* of either side's op, that the new tile has */
	int n_results;
	bool given[SR_NEST_MAX_BUFFERS]; /* the consumer's results that are read as they are, where its other results need them */
};
/* Accesses of both sides over the new loops; false: overflow. */
bool sr_fuse_prepare(struct sr_fusion *f);
/* A fusion of tile c alone, over its own loops, with all its results. */
struct sr_fusion sr_fuse_single(struct sr_context *ctx, struct sr_op *c);
/* The new tile before `anchor`. */
struct sr_op *sr_fuse_create(struct sr_fusion *f, struct sr_op *anchor);
/* The same in place of the results given. Sides that nothing reads any more have given it their bodies' ops: sweep them. */
struct sr_op *sr_fuse_build(struct sr_fusion *f, struct sr_op *anchor);
/* Erase a tile, reshape or constant without users (one that stands nowhere any more stays so), and those of its operands that nothing else uses. */
void sr_fuse_sweep(struct sr_context *ctx, struct sr_op *op);

/* ---- fuse_digits.c ---- */
/* Does the operand give others their index or fill? Then it cannot be made in the body. */
bool sr_fuse_is_index_or_fill(const struct sr_work_nest *t, int operand);
/* The row's number in mixed radix: out[k] are its digits, the last one the fastest, as rows over the same loops. False: the digits are not
 * affine, unless loop want->loop were split. */
bool sr_fuse_digits(const int64_t *loops, int n_loops, const int64_t *row, const int64_t *radix, int n, int64_t *out, struct sr_fuse_split *want);
/* What tile c's operand i is read of behind reshapes, as an access of that; false as above. */
bool sr_fuse_through_reshapes(struct sr_context *ctx, const struct sr_work_nest *c, int i, struct sr_value **v, struct sr_indexing_map *a,
		    struct sr_fuse_split *want);
/* The loops of p at which the element that `read` (an affine access over loops) means is made: to[l] for the loops that the result's access
 * has, whose known[l] is set. */
bool sr_fuse_loops_of(const struct sr_work_nest *p, int result, const struct sr_indexing_map *read, const int64_t *loops, int n_loops, int64_t *to,
		      bool *known, struct sr_fuse_split *want);

/* ---- fuse_reason.c ---- */
/* Why a tile's operand, which a tile makes, stays a buffer: from what is looked at first to what is judged last, which says most. */
enum sr_fuse_reason {
	SR_FUSE_NO_REASON,
	SR_FUSE_RESHAPE,           /* it is read behind a reshape whose digits are not affine */
	SR_FUSE_BY_INDEX,       /* it is read at places, or with a fill, that a run knows alone, or is such a place */
	SR_FUSE_TOO_LARGE,      /* for one tile, both together */
	SR_FUSE_OTHER_LOOPS,    /* the loops do not compose, and are not the same */
	SR_FUSE_OTHER_ELEMENTS,   /* it is read at another point than it is made at */
	SR_FUSE_OTHER_BLOCK,        /* it is made in a block around this one */
	SR_FUSE_OTHER_READER, /* it is a buffer for others than tiles */
	SR_FUSE_RECOMPUTES,     /* too much work would be done twice */
	SR_FUSE_LONG_ROWS,      /* rows that are gone over twice do not stay near */
	SR_FUSE_EXPANDS,         /* few elements that many are made of are no work for each of them */
	SR_FUSE_LIVE_MEMORY,    /* results made together would live together */
	SR_FUSE_READ_BETWEEN,        /* something between the two needs it */
	SR_FUSE_REASONS
};
/* The later of both. */
void sr_fuse_raise_reason(enum sr_fuse_reason *why, enum sr_fuse_reason reason);
/* c's attribute shardrun.not_fused: a text for each operand, empty where there is no reason. */
void sr_fuse_set_reasons(struct sr_context *ctx, struct sr_op *c, const enum sr_fuse_reason *why);
/* Those of `from` on what `to` reads, too. */
void sr_fuse_copy_reasons(struct sr_context *ctx, const struct sr_op *from, struct sr_op *to);

/* ---- the kinds; NULL: it stays as it is; else the tile that stands in c's place ---- */
struct sr_op *sr_fuse_split_loop(struct sr_context *ctx, struct sr_op *c, struct sr_fuse_split at);
struct sr_op *sr_fuse_read_through(struct sr_context *ctx, struct sr_op *c);
bool sr_fuse_is_reshape_of_nest(const struct sr_value *v); /* a reshape, behind which it would look */
/* alone: a fusion of c alone. *left is set where it could be done if all else fails, *why where it is not done. */
struct sr_op *sr_fuse_compose(const struct sr_fusion *alone, int operand, bool last_resort, bool *left, enum sr_fuse_reason *why);
struct sr_op *sr_fuse_merge(const struct sr_fusion *alone, struct sr_op *p, enum sr_fuse_reason *why);
struct sr_op *sr_fuse_merge_siblings(const struct sr_fusion *alone, struct sr_op *p, int p_operand, int c_operand);

/* ---- fuse_backward_slice.c ---- */
struct sr_backward_slice { /* what one result of a tile is made of */
	bool reads[SR_NEST_MAX_BUFFERS];        /* operands */
	bool may_read[SR_NEST_MAX_BUFFERS], reads_result[SR_NEST_MAX_BUFFERS]; /* results */
	bool reduces;
};
/* Ops of the body that are needed are marked 1, the others 0. False: the tile has too many operands. */
bool sr_fuse_backward_slice(struct sr_context *ctx, struct sr_op *tile, int result, struct sr_backward_slice *part);
/* A tile before `anchor` that has that result alone; NULL: overflow. */
struct sr_op *sr_fuse_build_backward_slice(struct sr_context *ctx, struct sr_op *tile, int result, const struct sr_backward_slice *part, struct sr_op *anchor);

/* ---- fuse_cost.c ---- */
enum sr_fuse_verdict { SR_FUSE_NO, SR_FUSE_LAST_RESORT, SR_FUSE_YES };
struct sr_fuse_facts {
	int ops;      /* of the body that compute */
	bool dear, reduces;
};
/* Once for a tile, whose mark keeps it; a pass begins with marks of 0. The bit SR_FUSE_MARKED of any op of a block is free for a search. */
enum { SR_FUSE_MARKED = 1 << 27 };
struct sr_fuse_facts sr_fuse_facts_of(struct sr_op *tile);
int64_t sr_fuse_iterations(const int64_t *loops, int n); /* INT64_MAX where there are more */
bool sr_fuse_fits(struct sr_op *p, struct sr_op *c); /* the limits hold for both in one */
/* The producer into the consumer, over its loops. *why, where it is not done. */
enum sr_fuse_verdict sr_fuse_judge_composing(const struct sr_fusion *f, enum sr_fuse_reason *why);
enum sr_fuse_reason sr_fuse_judge_merging(const struct sr_fusion *f, bool siblings); /* SR_FUSE_NO_REASON: it pays */

#endif
