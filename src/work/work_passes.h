/* Run functions of the passes that this folder defines. Internal to work. */
#ifndef SR_WORK_WORK_PASSES_H
#define SR_WORK_WORK_PASSES_H

#include "work/work.h"

/* Compute matrix products of few rows of a block at once. Defined in chunk/merge_products.c. */
enum sr_status sr_run_merge_products(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options);
/* Compute the matrix products of several iterations of a loop at once. Defined in chunk/chunk_loops.c. */
enum sr_status sr_run_chunk_loops(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options);
/* Compute groups of ops between matrix products block by block. Defined in strip/strip_mine.c. */
enum sr_status sr_run_strip_mine(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options);
/* Lower ops to loop nests. Defined in lower_to_work.c. */
enum sr_status sr_run_lower_to_work(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options);
/* Store the data of convolutions with channels last. Defined in channels_last.c. */
enum sr_status sr_run_channels_last(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options);
/* Fuse loop nests. Defined in fuse.c. */
enum sr_status sr_run_fuse(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options);
/* Order the ops of each block by live memory. Defined in schedule.c. */
enum sr_status sr_run_schedule(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options);

#endif
