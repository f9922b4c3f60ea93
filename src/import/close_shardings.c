/* Implement sdy-close-shardings: close every dimension of every sharding and drop the explicitly replicated axes.
 *
 *	[{"x", ?}, {?}], replicated={"y"}   becomes   [{"x"}, {}] */
#include "import/import_passes.h"
#include "import/sharding_walk.h"

static const struct sr_attr *close_sharding(void *data, const struct sr_attr *attr)
{
	struct sr_context *ctx = data;
	struct sr_sdy_sharding s = *attr->sharding;
	struct sr_sdy_dim *dims = sr_dup(ctx->arena, s.dims, (size_t)s.rank, sizeof *dims);
	for (int d = 0; d < s.rank; d++)
		dims[d].closed = true;
	s.dims = dims;
	s.replicated = (struct sr_sdy_axes){0};
	return sr_attr_sharding(ctx, &s);
}

enum sr_status sr_pass_close_shardings(struct sr_context *ctx, struct sr_op *module, const struct sr_pass_options *options)
{
	sr_shardings_map(ctx, module, close_sharding, ctx);
	return SR_OK;
}
