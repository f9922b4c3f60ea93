/* Draw which device holds which shard of a value, as text, on any rank.
 *
 *	%arg0: tensor<8x16xf32> <@mesh, [{"x"}, {"y"}]>
 *	  4 shards of 4x8, each on 2 devices
 *	         0:8    8:16
 *	  0:4    0,1    4,5
 *	  4:8    2,3    6,7
 *
 * The last two sharded dimensions are rows and columns (a last dimension alone: columns); each combination of shards of the
 * other dimensions has a drawing of its own, headed by its ranges. Devices are listed in order, runs as 0-3. Long output is
 * truncated with a note. */
#include "driver/show_sharding.h"
#include "dialect/ops.h"
#include "partition/partition.h"
#include "propagate/explain.h"
#include "support/checked.h"
#include "text/text.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ROWS = 64, MAX_COLUMNS = 16, MAX_DRAWINGS = 16, MAX_MEASURED = 1024, MAX_VALUES = 2000 };

struct drawing {
	struct sr_context *ctx;
	struct sr_buf *out;
	const struct sr_type *type;
	const struct sr_sharding *s;
	const struct sr_mesh *mesh;
	int64_t n_dim_shards[SR_MAX_RANK],
		/* for each dimension: number of shards; extent of a shard (the dimension's last shard may be smaller) */
		shard_extents[SR_MAX_RANK];
	int64_t n_devices, n_shards;
	int64_t *shard_of; /* for each device: number of the shard on the device */
	int row_dim, column_dim;  /* dimension drawn as rows, and as columns; -1: none */
	int first_column_width, cell_width;   /* widths in characters of the first column, and of the other columns */
};

/* List the devices that hold a shard: "0,2-5". */
static const char *shard_devices(const struct drawing *p, int64_t shard)
{
	struct sr_buf text;
	int64_t first_device = -1;
	sr_buf_init(&text, p->ctx->arena);
	for (int64_t d = 0; d <= p->n_devices; d++) {
		bool holds_shard = d < p->n_devices && p->shard_of[d] == shard;
		if (holds_shard && first_device < 0)
			first_device = d;
		if (holds_shard || first_device < 0)
			continue;
		sr_buf_printf(&text,
			      d - first_device > 2    ? "%s%" PRId64 "-%" PRId64
			      : d - first_device == 2 ? "%s%" PRId64 ",%" PRId64
					      : "%s%" PRId64,
			      text.n ? "," : "", first_device, d - 1);
		first_device = -1;
	}
	return sr_buf_string(&text);
}

/* Return the index range of shard i of the dimension, "4:8"; "-" if it holds padding only. */
static const char *index_range(const struct drawing *p, int dim, int64_t i)
{
	int64_t n = p->type->shape[dim], begin = i * p->shard_extents[dim], end = begin + p->shard_extents[dim];
	if (begin >= n && n)
		return "-";
	return sr_printf(p->ctx->arena, "%" PRId64 ":%" PRId64, begin, end < n ? end : n);
}

static void select_dimensions(struct drawing *p)
{
	int rank = p->type->rank;
	p->row_dim = p->column_dim = -1;
	for (int d = 0; d < rank; d++)
		if (p->n_dim_shards[d] > 1) {
			p->row_dim = p->column_dim;
			p->column_dim = d;
		}
	if (p->row_dim < 0 && p->column_dim >= 0 && p->column_dim < rank - 1) {
		p->row_dim = p->column_dim; /* draw a single sharded dimension that is not the last as rows */
		p->column_dim = -1;
	}
}

static void find_shards(struct drawing *p)
{
	p->n_shards = 1;
	for (int d = 0; d < p->type->rank; d++) {
		int64_t n = p->type->shape[d];
		p->n_dim_shards[d] = d < p->s->rank ? sr_axes_size(p->s->dims[d].axes) : 1;
		p->shard_extents[d] = n / p->n_dim_shards[d] + (n % p->n_dim_shards[d] != 0);
		p->n_shards *= p->n_dim_shards[d]; /* no overflow: n_shards is at most the number of devices */
	}
	p->n_devices = sr_mesh_devices(p->mesh);
	p->shard_of = SR_NEW_ARRAY(p->ctx->arena, int64_t, (size_t)p->n_devices);
	for (int64_t device = 0; device < p->n_devices; device++)
		for (int d = 0; d < p->s->rank; d++)
			p->shard_of[device] =
				p->shard_of[device] * p->n_dim_shards[d] + sr_mesh_coordinate_along(p->mesh, device, p->s->dims[d].axes);
}

static int64_t shard_number(const struct drawing *p, const int64_t *at)
{
	int64_t shard = 0;
	for (int d = 0; d < p->type->rank; d++)
		shard = shard * p->n_dim_shards[d] + at[d];
	return shard;
}

static int max_width(int width, const char *text)
{
	int n = (int)strlen(text) + 2;
	return n > width ? n : width;
}

static void measure_cells(struct drawing *p)
{
	for (int64_t i = 0; p->row_dim >= 0 && i < p->n_dim_shards[p->row_dim] && i < MAX_ROWS; i++)
		p->first_column_width = max_width(p->first_column_width, index_range(p, p->row_dim, i));
	for (int64_t i = 0; p->column_dim >= 0 && i < p->n_dim_shards[p->column_dim] && i < MAX_COLUMNS; i++)
		p->cell_width = max_width(p->cell_width, index_range(p, p->column_dim, i));
	for (int64_t shard = 0; shard < p->n_shards && shard < MAX_MEASURED; shard++)
		p->cell_width = max_width(p->cell_width, shard_devices(p, shard));
}

/* Print a cell of the table, padded to the column's width unless it is the last of its line. */
static void put_cell(const struct drawing *p, int width, const char *text, bool is_last)
{
	sr_buf_printf(p->out, "%-*s", is_last ? 0 : width, text);
}

/* Draw one grid: the rows and columns for one combination of shards of the dimensions that are neither rows nor columns. */
static void put_grid(const struct drawing *p, int64_t *at)
{
	int64_t rows = p->row_dim < 0 ? 1 : p->n_dim_shards[p->row_dim], columns = p->column_dim < 0 ? 1 : p->n_dim_shards[p->column_dim];
	int64_t shown_rows = rows < MAX_ROWS ? rows : MAX_ROWS, shown_columns = columns < MAX_COLUMNS ? columns : MAX_COLUMNS;
	if (p->column_dim >= 0) {
		sr_buf_printf(p->out, "  %*s", p->first_column_width, "");
		for (int64_t c = 0; c < shown_columns; c++)
			put_cell(p, p->cell_width, index_range(p, p->column_dim, c), c + 1 == shown_columns);
		sr_buf_puts(p->out, shown_columns < columns ? " ...\n" : "\n");
	}
	for (int64_t r = 0; r < shown_rows; r++) {
		sr_buf_puts(p->out, "  ");
		if (p->row_dim >= 0) {
			at[p->row_dim] = r;
			put_cell(p, p->first_column_width, index_range(p, p->row_dim, r), false);
		}
		for (int64_t c = 0; c < shown_columns; c++) {
			if (p->column_dim >= 0)
				at[p->column_dim] = c;
			put_cell(p, p->cell_width, shard_devices(p, shard_number(p, at)), c + 1 == shown_columns);
		}
		sr_buf_puts(p->out, shown_columns < columns ? " ...\n" : "\n");
	}
	if (shown_rows < rows)
		sr_buf_printf(p->out, "  ... %" PRId64 " more rows\n", rows - shown_rows);
}

/* Print the ranges of the dimensions that are neither rows nor columns. */
static void put_heading(const struct drawing *p, const int64_t *at)
{
	sr_buf_puts(p->out, "  [");
	for (int d = 0; d < p->type->rank; d++) {
		bool is_fixed = d != p->row_dim && d != p->column_dim && p->n_dim_shards[d] > 1;
		sr_buf_printf(p->out, "%s%s", d ? ", " : "", is_fixed ? index_range(p, d, at[d]) : ":");
	}
	sr_buf_puts(p->out, "]\n");
}

/* Advance `at` to the next combination of shards of the dimensions that are neither rows nor columns; return false after the last
 * combination. */
static bool advance_shards(const struct drawing *p, int64_t *at)
{
	for (int d = p->type->rank - 1; d >= 0; d--) {
		if (d == p->row_dim || d == p->column_dim)
			continue;
		if (++at[d] < p->n_dim_shards[d])
			return true;
		at[d] = 0;
	}
	return false;
}

static void put_drawings(const struct drawing *p)
{
	int64_t at[SR_MAX_RANK] = {0}, shards_per_drawing = 1, n;
	shards_per_drawing *= p->row_dim < 0 ? 1 : p->n_dim_shards[p->row_dim];
	shards_per_drawing *= p->column_dim < 0 ? 1 : p->n_dim_shards[p->column_dim];
	n = p->n_shards / shards_per_drawing;
	for (int64_t i = 0; i < n; i++) {
		if (i == MAX_DRAWINGS) {
			sr_buf_printf(p->out, "  ... %" PRId64 " more pictures\n", n - i);
			return;
		}
		if (n > 1)
			put_heading(p, at);
		put_grid(p, at);
		(void)advance_shards(p, at);
	}
}

static void put_axes(const struct drawing *p, const char *prefix, struct sr_axes axes)
{
	sr_buf_puts(p->out, prefix);
	for (int i = 0; i < axes.n; i++) {
		struct sr_axis_ref ref = axes.refs[i];
		sr_buf_printf(p->out, "%s\"%s\"", i ? ", " : " ", ref.axis);
		if (ref.pre != 1 || ref.size != sr_mesh_axis_size(p->mesh, ref.axis))
			sr_buf_printf(p->out, ":(%" PRId64 ")%" PRId64, ref.pre, ref.size);
	}
}

static void put_summary(const struct drawing *p)
{
	int64_t copies = p->n_devices / p->n_shards;
	if (p->n_shards == 1)
		sr_buf_puts(p->out, "  replicated");
	else
		sr_buf_printf(p->out, "  %" PRId64 " shards of ", p->n_shards);
	for (int d = 0; d < p->type->rank && p->n_shards > 1; d++)
		sr_buf_printf(p->out, "%s%" PRId64, d ? "x" : "", p->shard_extents[d]);
	sr_buf_printf(p->out, p->n_shards == 1 ? " on %" PRId64 " device%s" : ", each on %" PRId64 " device%s", copies,
		      copies == 1 ? "" : "s");
	if (p->s->unreduced.n)
		put_axes(p, "; partial values, to be reduced over", p->s->unreduced);
	sr_buf_putc(p->out, '\n');
}

static void draw_sharding(struct sr_context *ctx, const struct sr_mesh *mesh, const struct sr_type *type,
			  const struct sr_sharding *s, struct sr_buf *out)
{
	struct drawing p = {.ctx = ctx, .out = out, .type = type, .s = s, .mesh = mesh};
	find_shards(&p);
	select_dimensions(&p);
	measure_cells(&p);
	put_summary(&p);
	if (p.n_shards > 1)
		put_drawings(&p);
}

/* ---- which values ---- */

struct show_request {
	struct sr_context *ctx;
	struct sr_op *module, *entry;
	const char *request;
	struct sr_buf *out;
	int n_shown, n_omitted;
};

static void put_title(const struct show_request *state, const struct sr_type *type, const char *name,
		      const struct sr_attr *sharding)
{
	struct sr_buf text;
	sr_buf_init(&text, state->ctx->arena);
	sr_type_print(type, &text);
	if (sharding) {
		sr_buf_putc(&text, ' ');
		sr_print_attr(state->ctx, sharding, &text);
	}
	sr_buf_printf(state->out, "%s%s: %s\n", state->n_shown ? "\n" : "", name, sr_buf_string(&text));
}

static void show_type(struct show_request *state, const struct sr_type *type, const char *name, const struct sr_attr *sharding)
{
	if (type->kind != SR_TYPE_TENSOR || !sr_type_is_static(type) || type->rank > SR_MAX_RANK)
		return;
	const struct sr_mesh *mesh = sharding ? sr_sharding_mesh(state->module, sharding->sharding) : sr_first_mesh(state->module);
	if (state->n_shown == MAX_VALUES)
		state->n_omitted++;
	if (state->n_shown == MAX_VALUES || !mesh)
		return;
	put_title(state, type, name, sharding);
	const struct sr_sdy_sharding replicated_sharding = sr_sdy_replicated_sharding(state->ctx->arena, NULL, type->rank, true);
	draw_sharding(state->ctx, mesh, type,
		      sr_sharding_resolve(state->ctx->arena, mesh, sharding ? sharding->sharding : &replicated_sharding), state->out);
	state->n_shown++;
}

static const char *value_name(const struct show_request *state, const struct sr_value *v)
{
	const char *name = sr_value_text_name(v);
	if (!name)
		return v->def ? v->def->info->name : sr_printf(state->ctx->arena, "argument %d", v->index);
	return v->def && v->def->n_results > 1 ? sr_printf(state->ctx->arena, "%s#%d", name, v->index) : name;
}

static void show_value(struct show_request *state, const struct sr_value *v)
{
	show_type(state, v->type, value_name(state, v), sr_value_sharding(state->ctx, v));
}

/* Return the global type of an argument or result of a partitioned module. */
static const struct sr_type *global_type(const struct sr_attr *global_type_attr, const struct sr_value *v)
{
	return global_type_attr && global_type_attr->kind == SR_ATTR_TYPE ? global_type_attr->type : v->type;
}

static void show_entry(struct show_request *state)
{
	struct sr_block *block = sr_func_entry(state->entry);
	for (int i = 0; i < block->n_args; i++)
		show_type(state, global_type(sr_func_arg_attr(state->entry, i, SR_GLOBAL_TYPE), block->args[i]),
			  value_name(state, block->args[i]), sr_value_sharding(state->ctx, block->args[i]));
	for (int i = 0; i < block->last->n_operands; i++)
		show_type(state, global_type(sr_func_result_attr(state->entry, i, SR_GLOBAL_TYPE), sr_operand(block->last, i)),
			  sr_printf(state->ctx->arena, "result %d", i), sr_result_sharding_of_func(state->entry, i));
}

static bool is_requested(const struct show_request *state, struct sr_value *v)
{
	if (!strcmp(state->request, "all"))
		return sr_value_sharding(state->ctx, v);
	return sr_value_matches_request(v, state->request);
}

static bool show_op(void *data, struct sr_op *op)
{
	struct show_request *state = data;
	bool is_edge = sr_op_is(op, SR_OP_sdy_data_flow_edge) || sr_op_is(op, SR_OP_sdy_func_data_flow_edge);
	for (int r = 0; r < op->n_regions; r++)
		for (struct sr_block *b = op->regions[r].first; b; b = b->next)
			for (int i = 0; i < b->n_args; i++)
				if (is_requested(state, b->args[i]))
					show_value(state, b->args[i]);
	for (int i = 0; i < op->n_results && !is_edge; i++)
		if (is_requested(state, sr_result(op, i)))
			show_value(state, sr_result(op, i));
	return true;
}

enum sr_status sr_show_sharding(struct sr_context *ctx, struct sr_op *module, const char *function, const char *request,
				struct sr_buf *out)
{
	enum sr_status status = SR_OK;
	struct show_request state = {.ctx = ctx, .module = module, .request = request, .out = out};
	state.entry = sr_find_entry_function(ctx, module, function, &status);
	if (!state.entry || !sr_func_entry(state.entry))
		return status;
	if (*request)
		sr_walk(module, show_op, &state);
	else
		show_entry(&state);
	if (state.n_omitted)
		sr_buf_printf(out, "\nand %d more values\n", state.n_omitted);
	if (!state.n_shown && *request && strcmp(request, "all"))
		return sr_error(
		    &ctx->diags, SR_USAGE, (struct sr_src_loc){0},
		    "--show-sharding=%s: no value has this name, comes from an op of this name, or is defined on this source line",
		    request);
	return SR_OK;
}
