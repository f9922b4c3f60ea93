/* Padding: functions shared by the padding methods of single ops (PAD column of the op table). Internal to partition.
 *
 * The padded type of a value has each extent rounded up to a multiple of its shards. Elements beyond the exact extent are
 * undefined; an op that would mix them into other elements masks them first. */
#ifndef SR_PARTITION_PAD_H
#define SR_PARTITION_PAD_H

#include "dialect/ops.h"
#include "ir/pass.h"

struct sr_pad_value {
	const struct sr_type *unpadded_type, *padded_type;
	const struct sr_attr *sharding; /* sharding of the value; NULL: replicated */
};

struct sr_padding {
	struct sr_context *ctx;
	struct sr_op *module;
	struct sr_map values; /* map from value to struct sr_pad_value */
	struct sr_builder builder; /* builder that inserts before the op being padded */
};
typedef enum sr_status sr_pad_fn(struct sr_padding *p, struct sr_op *op);

/* Return the entry of a value; NULL if the pass created the value. */
const struct sr_pad_value *sr_pad_find(const struct sr_padding *p, const struct sr_value *v);
const struct sr_attr *sr_pad_scalar(struct sr_padding *p, enum sr_dtype type, int64_t i, double d);
/* Return the replicated sharding on the mesh of `like`. */
const struct sr_attr *sr_pad_replicated(struct sr_padding *p, const struct sr_sdy_sharding *like);

/* Return true for LAPACK calls, which compute on the padding without mixing it into other elements. */
bool sr_pad_is_library_call(const struct sr_op *op);

sr_pad_fn sr_pad_collective;
/* Apply the init value of a reduction over sharded dimensions after the collective, if it is not the identity, so that it is
 * combined only once. */
enum sr_status sr_pad_apply_init_once(struct sr_padding *p, struct sr_op *op);

#endif
