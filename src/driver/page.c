/* Collect the contents of the HTML page during compilation. */
#include "driver/page.h"
#include "text/text.h"
#include <string.h>

/* ---- shardings before ---- */

static void record_sharding(struct sr_page *page, struct sr_value *v)
{
	const struct sr_attr *sharding = sr_value_sharding(page->ctx, v);
	if (sharding)
		sr_map_put(&page->shardings_before, v, (void *)sharding);
}

static bool record_shardings(void *data, struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++)
		record_sharding(data, sr_result(op, i));
	for (int r = 0; r < op->n_regions; r++)
		for (struct sr_block *block = op->regions[r].first; block; block = block->next)
			for (int i = 0; i < block->n_args; i++)
				record_sharding(data, block->args[i]);
	return true;
}

void sr_page_record_input(struct sr_page *page, struct sr_context *ctx, const char *model, struct sr_op *module)
{
	*page = (struct sr_page){.ctx = ctx, .model = model};
	sr_map_init(&page->shardings_before, ctx->arena);
	sr_map_init(&page->row_of, ctx->arena);
	sr_map_init(&page->cause_of, ctx->arena);
	sr_map_init(&page->files, ctx->arena);
	sr_walk(module, record_shardings, page);
}

/* ---- the program after propagation ---- */

void sr_page_put_value(struct sr_buf *out, struct sr_value *v)
{
	/* the page shows the operand in place of a data-flow edge */
	while (v->def && sr_op_is(v->def, SR_OP_sdy_data_flow_edge))
		v = sr_operand(v->def, 0);
	const char *name = sr_value_text_name(v);
	const struct sr_op *owner = v->def ? NULL : v->block->region->op;
	const char *source_name = owner && sr_op_is(owner, SR_OP_func_func) ? sr_func_arg_name(owner, v->index) : NULL;
	sr_buf_puts(out, name ? name : v->def ? v->def->info->name : "argument");
	if (v->def ? v->def->n_results > 1 : !name)
		sr_buf_printf(out, "#%d", v->index);
	if (source_name)
		sr_buf_printf(out, " (%s)", source_name);
}

static const char *text_of_sharding(struct sr_page *page, const struct sr_attr *sharding)
{
	struct sr_buf text;
	if (!sharding)
		return NULL;
	sr_buf_init(&text, page->ctx->arena);
	sr_print_attr(page->ctx, sharding, &text);
	const char *angle_bracket = strchr(sr_buf_string(&text), '<');
	return angle_bracket ? angle_bracket : sr_buf_string(&text);
}

static const char *text_of_type(struct sr_page *page, const struct sr_type *type)
{
	struct sr_buf text;
	sr_buf_init(&text, page->ctx->arena);
	sr_type_print(type, &text);
	return sr_buf_string(&text);
}

static const char *location_text(struct sr_page *page, const struct sr_attr *loc)
{
	struct sr_src_loc at = sr_loc_source(loc);
	return at.file && at.line > 0 ? sr_printf(page->ctx->arena, "%s:%d", at.file, at.line) : NULL;
}

static struct sr_page_row *add_row(struct sr_page *page, int depth, const struct sr_attr *loc)
{
	sr_push(page->ctx->arena, &page->rows,
		(struct sr_page_row){.depth = depth,
				     .function = page->function,
				     .source_name = sr_loc_source_name(loc),
				     .place = location_text(page, loc),
				     .source = sr_page_source(page, sr_loc_source(loc))});
	return &page->rows.data[page->rows.n - 1];
}

static void add_value(struct sr_page *page, struct sr_page_row *row, struct sr_value *v)
{
	row->type = text_of_type(page, v->type);
	row->shardings_before = text_of_sharding(page, sr_map_get(&page->shardings_before, v));
	row->sharding = sr_value_sharding(page->ctx, v);
	row->sharding_after = text_of_sharding(page, row->sharding);
}

/* Map the location to the last row of the table, unless an earlier row has the same location. A reshard that propagation inserted
 * has the location of its operand. */
static void map_location(struct sr_page *page, const struct sr_attr *loc)
{
	const struct sr_attr *name = sr_loc_text_name(loc);
	if (name && !sr_map_has(&page->row_of, name))
		sr_map_put(&page->row_of, name, (void *)(intptr_t)page->rows.n);
}

size_t sr_page_row_of(const struct sr_page *page, const struct sr_attr *loc)
{
	const struct sr_attr *name = sr_loc_text_name(loc);
	return (size_t)(intptr_t)(name ? sr_map_get(&page->row_of, name) : NULL) - 1;
}

static void add_arguments(struct sr_page *page, const struct sr_block *block, int depth)
{
	for (int i = 0; i < block->n_args; i++) {
		struct sr_buf name;
		sr_buf_init(&name, page->ctx->arena);
		sr_page_put_value(&name, block->args[i]);
		struct sr_page_row *row = add_row(page, depth, block->args[i]->loc);
		row->name = sr_buf_string(&name);
		row->text = row->op = "";
		map_location(page, block->args[i]->loc);
		add_value(page, row, block->args[i]);
	}
}

static void add_block(struct sr_page *page, const struct sr_block *block, int depth);

static void add_op(struct sr_page *page, struct sr_op *op, int depth)
{
	struct sr_buf text, name;
	const char *symbol = sr_symbol_name(op);
	if (sr_op_is(op, SR_OP_sdy_data_flow_edge) || sr_op_is(op, SR_OP_sdy_mesh))
		return;
	sr_buf_init(&text, page->ctx->arena);
	sr_buf_puts(&text, op->info->name);
	if (symbol)
		sr_buf_printf(&text, " @%s", symbol);
	for (int i = 0; i < op->n_operands; i++) {
		sr_buf_puts(&text, i ? ", " : " ");
		sr_page_put_value(&text, sr_operand(op, i));
	}
	for (int i = 0; i < (op->n_results ? op->n_results : 1); i++) {
		struct sr_page_row *row = add_row(page, depth, op->loc);
		row->text = i ? "" : sr_buf_string(&text);
		row->op = op->info->name;
		row->is_heading = sr_op_is(op, SR_OP_func_func);
		if (!i)
			map_location(page, op->loc);
		if (!op->n_results)
			continue;
		sr_buf_init(&name, page->ctx->arena);
		sr_page_put_value(&name, sr_result(op, i));
		row->name = sr_buf_string(&name);
		add_value(page, row, sr_result(op, i));
	}
	/* values in the bodies of reducers and comparators have no shardings */
	for (int r = 0; r < op->n_regions && op->info->traits & (SR_DATA_FLOW_EDGE | SR_SYMBOL); r++)
		for (const struct sr_block *block = op->regions[r].first; block; block = block->next)
			add_block(page, block, depth + 1);
}

static void add_block(struct sr_page *page, const struct sr_block *block, int depth)
{
	add_arguments(page, block, depth);
	for (struct sr_op *op = block->first; op; op = op->next)
		add_op(page, op, depth);
}

enum sr_status sr_page_record_propagated(struct sr_page *page, struct sr_op *module, const char *entry)
{
	enum sr_status status = SR_OK;
	const struct sr_op *entry_func = sr_find_entry_function(page->ctx, module, entry, &status);
	if (!entry_func)
		return status;
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next) {
		const char *symbol = op == entry_func ? NULL : sr_symbol_name(op);
		page->function = symbol ? sr_printf(page->ctx->arena, "@%s", symbol) : NULL;
		add_op(page, op, 0);
	}
	return SR_OK;
}

/* ---- the collectives of the local module ---- */

/* Describe the cause of a collective that resolves no sharding conflict, or that the input program contains. */
static const char *describe_plain_cause(struct sr_page *page, const struct sr_op *op)
{
	const struct sr_attr *cause = sr_op_attr(op, "shardrun.cause");
	if (!cause || cause->kind != SR_ATTR_STRING)
		return "as written";
	return strcmp(cause->s, "halo") ? sr_printf(page->ctx->arena, "as written: %s", cause->s)
					: "halo exchange: the op reads the edges of neighbouring shards";
}

static bool add_collective(void *data, struct sr_op *op)
{
	struct sr_page *page = data;
	struct sr_page_collective c = {0};
	c.kind = sr_plan_collective_cost(page->ctx, op, &c.cost, &c.group_size);
	if (c.kind == SR_COLL_COUNT)
		return true;
	const struct sr_page_cause *cause = sr_page_cause_of(page, op->loc);
	c.row = cause && cause->row != SIZE_MAX ? cause->row : sr_page_row_of(page, op->loc);
	c.cause = cause ? cause->description : describe_plain_cause(page, op);
	c.type = op->n_results ? text_of_type(page, sr_result(op, 0)->type) : "";
	if (c.row != SIZE_MAX)
		page->rows.data[c.row].wire_bytes += c.cost.wire_bytes;
	sr_push(page->ctx->arena, &page->collectives, c);
	return true;
}

void sr_page_record_collectives(struct sr_page *page, struct sr_op *local_module)
{
	sr_walk(local_module, add_collective, page);
}
