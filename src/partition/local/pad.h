/* Padding: what the functions of the PAD column share. Internal to partition.
 *
 * The padded type of a value rounds each extent up to a multiple of its shards. Elements behind the true extent hold anything;
 * an op that would mix them into true elements masks them first. */
#ifndef SR_PARTITION_PAD_H
#define SR_PARTITION_PAD_H

#include "dialect/ops.h"
#include "ir/pass.h"

struct sr_pad_value {
	const struct sr_type *exact, *padded;
	const struct sr_attr *sharding; /* NULL: replicated */
};

struct sr_padding {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_map values; /* value -> struct sr_pad_value */
	struct sr_builder at; /* before the op at work */
};
typedef enum sr_status sr_pad_fn(struct sr_padding *p, struct sr_op *op);

const struct sr_pad_value *sr_pad_find(const struct sr_padding *p, const struct sr_value *v); /* NULL: made by the pass */
bool sr_pad_dim_is_padded(const struct sr_padding *p, const struct sr_value *v, int dim);
bool sr_pad_is_padded(const struct sr_padding *p, const struct sr_value *v);
/* v with what lies behind its true extents in the dims of `dims` (bit set) replaced by the scalar constant `fill` (rank 0
 * dense). */
struct sr_value *sr_pad_mask(struct sr_padding *p, struct sr_value *v, uint32_t dims, const struct sr_attr *fill);
const struct sr_attr *sr_pad_scalar(struct sr_padding *p, enum sr_dtype type, int64_t i, double d);
/* replicated on the mesh of another */
const struct sr_attr *sr_pad_replicated(struct sr_padding *p, const struct sr_sdy_sharding *like);
/* v, sharded and padded, to the whole exact value on every device: all_gather and slice. */
struct sr_value *sr_pad_gather_exact(struct sr_padding *p, struct sr_value *v);
/* A whole exact value to a padded one of this sharding: pad and all_slice. */
struct sr_value *sr_pad_slice_exact(struct sr_padding *p, struct sr_value *v, const struct sr_attr *sharding);
/* The op on whole exact values: operands leave, results enter. Right for every op. */
enum sr_status sr_pad_replicate(struct sr_padding *p, struct sr_op *op);

/* A call into LAPACK, which computes on padding beside the rest. */
bool sr_pad_is_library_call(const struct sr_op *op);

sr_pad_fn sr_pad_collective; /* pad_collective.c */
/* Reductions with an init value that is not the identity, over sharded dimensions: the init enters once. */
enum sr_status sr_pad_apply_init_once(struct sr_padding *p, struct sr_op *op);

#endif
