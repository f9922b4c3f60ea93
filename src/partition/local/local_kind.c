/* Lookup of the LOCAL column of the op table. */
#include "partition/partition.h"

static const unsigned char words[SR_OP_COUNT] = {
#define OP(dialect, name, signature, attributes) [SR_OP_##dialect##_##name] =
#define LOCAL(word) SR_LOCAL_##word,
#include "dialect/table/all.ops"
};

enum sr_local_kind sr_local_kind_of(const struct sr_op *op)
{
	return (enum sr_local_kind)words[sr_op_code_of(op)];
}
