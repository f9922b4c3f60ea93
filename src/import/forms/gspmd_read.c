/* Parse the mhlo.sharding attributes of a module. Each distinct string is parsed once; errors are reported on the op that has it
 * first. */
#include "import/forms/gspmd.h"
#include <inttypes.h>

void sr_gspmd_set_subject(struct sr_gspmd *g, const struct sr_func_value_kind *value_kind, int i)
{
	g->subject = sr_printf(g->ctx->arena, "%s %d ", value_kind->name, i);
}

static enum sr_status check_device_count(struct sr_gspmd *g, struct sr_op *op, int64_t n, const char *text)
{
	if (g->n_devices && n != g->n_devices)
		return sr_op_error(op, &g->ctx->diags, SR_INVALID,
				   "%shas sharding '%s' over %" PRId64 " devices, but the module is for %" PRId64,
				   g->subject, text, n, g->n_devices);
	g->n_devices = n;
	return SR_OK;
}

/* Add the TILED shardings in t to g->tiled, from which the meshes are made. */
static void add_tiled(struct sr_gspmd *g, struct sr_op *op, const struct sr_tiling *t, const char *text)
{
	for (int i = 0; i < t->n_elements; i++)
		add_tiled(g, op, &t->elements[i], text);
	if (t->kind != SR_TILING_TILED || g->status)
		return;
	g->status = check_device_count(g, op, sr_tiling_devices(t), text);
	for (size_t i = 0; i < g->tiled.n; i++)
		if (sr_tiling_equal(g->ctx->arena, g->tiled.data[i], t))
			return;
	sr_push(g->ctx->arena, &g->tiled, t);
}

/* Return the sharding as text, decoding a serialized OpSharding proto if necessary; NULL if the string is neither text nor a
 * proto. */
static const char *sharding_text(struct sr_gspmd *g, const struct sr_attr *string)
{
	size_t n = sr_interned_length(string->s);
	return n > 0 && string->s[0] == '{' ? string->s : sr_tiling_text_of_proto(g->ctx->arena, string->s, n);
}

static void read_sharding_attr(struct sr_gspmd *g, struct sr_op *op, const struct sr_attr *string)
{
	const char *problem, *text;
	struct sr_tiling *t = SR_NEW(g->ctx->arena, struct sr_tiling);
	if (!string || g->status || sr_map_has(&g->tilings, string))
		return;
	text = string->kind == SR_ATTR_STRING ? sharding_text(g, string) : NULL;
	if (!text) {
		g->status = sr_op_error(op, &g->ctx->diags, SR_INVALID,
					"%shas a sharding that is neither text nor a serialized OpSharding",
					g->subject);
		return;
	}
	if (!sr_tiling_parse(g->ctx->arena, text, t, &problem)) {
		g->status = sr_op_error(op, &g->ctx->diags, SR_INVALID, "%shas malformed sharding '%s': %s", g->subject, text,
					problem);
		return;
	}
	*t = sr_tiling_canonical(g->ctx->arena, t);
	sr_map_put(&g->tilings, string, t);
	add_tiled(g, op, t, text);
}

static bool read_op(void *data, struct sr_op *op)
{
	struct sr_gspmd *g = data;
	read_sharding_attr(g, op, sr_op_attr(op, SR_MHLO_SHARDING));
	for (int s = 0; s < 2 && sr_op_is(op, SR_OP_func_func); s++)
		for (int i = 0; i < sr_func_value_kinds[s].count(op); i++) {
			sr_gspmd_set_subject(g, &sr_func_value_kinds[s], i);
			read_sharding_attr(g, op, sr_func_value_kinds[s].get(op, i, SR_MHLO_SHARDING));
		}
	g->subject = "";
	return !g->status;
}

bool sr_gspmd_read(struct sr_gspmd *g)
{
	int64_t n_partitions = sr_op_int(g->module, "mhlo.num_partitions", 1);
	g->n_devices = n_partitions > 1 ? n_partitions : 0;
	g->subject = "";
	sr_map_init(&g->tilings, g->ctx->arena);
	sr_walk(g->module, read_op, g);
	return !g->status && g->tilings.n > 0;
}

const struct sr_tiling *sr_gspmd_tile(const struct sr_gspmd *g, const struct sr_attr *text)
{
	return text ? sr_map_get(&g->tilings, text) : NULL;
}
