/* Print GSPMD shardings as XLA does. */
#include "mesh/tiling.h"

const char *const sr_tiling_kind_names[] = {
	[SR_TILING_MANUAL] = "manual", [SR_TILING_UNREDUCED] = "unreduced", [SR_TILING_REPLICATED] = "replicated",
	[SR_TILING_MAXIMAL] = "maximal", [SR_TILING_UNKNOWN] = "unknown",
};

static void print_list(struct sr_buf *out, const int64_t *values, int64_t n)
{
	for (int64_t i = 0; i < n; i++) {
		if (i > 0)
			sr_buf_putc(out, ',');
		sr_buf_int(out, values[i]);
	}
}

static void print_devices(const struct sr_tiling *t, struct sr_buf *out)
{
	sr_buf_puts(out, "devices=[");
	print_list(out, t->dims, t->n_dims);
	sr_buf_putc(out, ']');
	if (t->ids) {
		print_list(out, t->ids, sr_tiling_devices(t));
		return;
	}
	sr_buf_puts(out, "<=[");
	print_list(out, t->reshape, t->n_reshape);
	sr_buf_putc(out, ']');
	for (int i = 0; t->n_reshape > 1 && i < t->n_reshape; i++)
		sr_buf_printf(out, "%s%d", i > 0 ? "," : "T(", t->perm ? t->perm[i] : i);
	if (t->n_reshape > 1)
		sr_buf_putc(out, ')');
}

static void print_subgroups(const struct sr_tiling *t, struct sr_buf *out)
{
	if (t->n_subgroups == 1 && t->subgroups[0] == SR_TILING_REPLICATED) {
		sr_buf_puts(out, " last_tile_dim_replicate");
		return;
	}
	for (int i = 0; i < t->n_subgroups; i++)
		sr_buf_printf(out, "%s%s", i > 0 ? ", " : " last_tile_dims={", sr_tiling_kind_names[t->subgroups[i]]);
	if (t->n_subgroups > 0)
		sr_buf_putc(out, '}');
}

void sr_tiling_print(const struct sr_tiling *t, struct sr_buf *out)
{
	enum { INDEX_INTERVAL = 5 }; /* XLA numbers every fifth element of a tuple */
	sr_buf_putc(out, '{');
	if (t->kind == SR_TILING_TUPLE) {
		for (int i = 0; i < t->n_elements; i++) {
			if (i > 0)
				sr_buf_puts(out, ", ");
			if (i > 0 && i % INDEX_INTERVAL == 0)
				sr_buf_printf(out, "/*index=%d*/", i);
			sr_tiling_print(&t->elements[i], out);
		}
	} else if (t->kind == SR_TILING_TILED) {
		print_devices(t, out);
		print_subgroups(t, out);
	} else if (t->kind == SR_TILING_MAXIMAL) {
		sr_buf_printf(out, "maximal device=%lld", (long long)t->device);
	} else {
		sr_buf_puts(out, sr_tiling_kind_names[t->kind]);
	}
	if (t->group)
		sr_buf_printf(out, " %s %lld", t->group == SR_TILING_SHARD_AS ? "shard_as" : "shard_like", (long long)t->group_id);
	if (t->metadata)
		sr_buf_printf(out, " metadata={%s}", t->metadata);
	sr_buf_putc(out, '}');
}
