/* Describe reductions over devices: the operand dimensions that are sharded and reduced. */
#include "dialect/sdy/sdy_check.h"
#include "propagate/explain.h"

int sr_factor_dim(const struct sr_tensor_mapping *map, int factor)
{
	for (int d = 0; d < map->rank; d++)
		for (int i = 0; i < map->dims[d].n; i++)
			if (map->dims[d].factors[i] == factor)
				return d;
	return -1;
}

void sr_put_written_axes(struct sr_context *ctx, struct sr_sdy_axes axes, struct sr_buf *out)
{
	for (int i = 0; i < axes.n; i++)
		sr_buf_printf(out, "%s%s", i ? ", " : "", sr_axis_str(ctx, axes.refs[i]));
}

void sr_put_axes(struct sr_context *ctx, const struct sr_mesh *mesh, struct sr_axes axes, struct sr_buf *out)
{
	sr_put_written_axes(ctx, sr_axes_to_sdy(ctx->arena, mesh, axes), out);
}

bool sr_put_reduced(struct sr_context *ctx, const struct sr_projection *p, int factor, const char *const *names, struct sr_buf *out,
		    struct sr_axes *reduced_axes)
{
	bool is_agreed = true, is_first = true;
	*reduced_axes = (struct sr_axes){0};
	for (int t = 0; t < p->n_operands; t++) {
		struct sr_axes axes = p->tensors[t].factors[factor].axes;
		is_agreed = is_agreed && (!axes.n || !reduced_axes->n || sr_axes_equal(axes, *reduced_axes));
		*reduced_axes = reduced_axes->n ? *reduced_axes : axes;
	}
	for (int t = 0; t < p->n_operands && reduced_axes->n; t++) {
		struct sr_axes axes = p->tensors[t].factors[factor].axes;
		int d = sr_factor_dim(sr_projection_mapping(p, t), factor);
		if (d < 0)
			continue;
		sr_buf_printf(out, "%sdimension %d of %s", is_first ? "" : " and ", d, names[t]);
		sr_buf_puts(out, axes.n ? " over " : ", which is not sharded");
		sr_put_axes(ctx, p->mesh, axes, out);
		is_first = false;
	}
	return is_agreed;
}
