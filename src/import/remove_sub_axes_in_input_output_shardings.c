/* Implement sdy-remove-sub-axes-in-input-output-shardings: truncate open dimensions of the entry's arguments and results at the
 * first sub-axis, so that callers see only sub-axes that the program specifies.
 *
 *	[{"x", "y":(1)2, ?}]   becomes   [{"x", ?}] */
#include "import/calls/call_graph.h"
#include "dialect/attr_names.h"
#include "import/import_passes.h"
#include "import/sharding_walk.h"

static const struct sr_attr *remove_sub_axes(void *data, const struct sr_attr *attr)
{
	struct sr_context *ctx = data;
	struct sr_sdy_sharding s = *attr->sharding;
	struct sr_sdy_dim *dims = sr_dup(ctx->arena, s.dims, (size_t)s.rank, sizeof *dims);
	for (int d = 0; d < s.rank; d++) {
		int n = 0;
		while (n < dims[d].axes.n && dims[d].axes.refs[n].size == 0)
			n++;
		if (!dims[d].closed)
			dims[d].axes.n = n;
	}
	s.dims = dims;
	return sr_attr_sharding(ctx, &s);
}

enum sr_status sr_pass_remove_sub_axes_in_input_output_shardings(struct sr_context *ctx, struct sr_op *module,
								 const struct sr_pass_options *options)
{
	struct sr_op *entry = sr_main_func(module);
	if (entry) {
		sr_func_shardings_map(ctx, entry, SR_NAME_arg_attrs, remove_sub_axes, ctx);
		sr_func_shardings_map(ctx, entry, SR_NAME_res_attrs, remove_sub_axes, ctx);
	}
	return SR_OK;
}
