/* What the page tells, gathered from the module on its way. */
#include "driver/page.h"
#include "text/text.h"
#include <string.h>

/* ---- shardings before ---- */

static void keep(struct sr_page *page, struct sr_value *v)
{
	const struct sr_attr *sharding = sr_value_sharding(page->ctx, v);
	if (sharding)
		sr_map_put(&page->before, v, (void *)sharding);
}

static bool keep_op(void *data, struct sr_op *op)
{
	for (int i = 0; i < op->n_results; i++)
		keep(data, sr_result(op, i));
	for (int r = 0; r < op->n_regions; r++)
		for (struct sr_block *block = op->regions[r].first; block; block = block->next)
			for (int i = 0; i < block->n_args; i++)
				keep(data, block->args[i]);
	return true;
}

void sr_page_before(struct sr_page *page, struct sr_context *ctx, struct sr_op *module)
{
	*page = (struct sr_page){.ctx = ctx};
	sr_map_init(&page->before, ctx->arena);
	sr_map_init(&page->row_of, ctx->arena);
	sr_walk(module, keep_op, page);
}

/* ---- the program after propagation ---- */

static void put_value(struct sr_buf *out, const struct sr_value *v)
{
	/* an edge stands for its operand */
	while (v->def && sr_op_is(v->def, SR_OP_sdy_data_flow_edge))
		v = sr_operand(v->def, 0);
	const struct sr_attr *name = sr_loc_read_as(sr_value_loc(v));
	sr_buf_puts(out, name ? name->s : v->def ? v->def->info->name : "argument");
	if (v->def ? v->def->n_results > 1 : !name)
		sr_buf_printf(out, "#%d", v->index);
}

static const char *text_of_sharding(struct sr_page *page, const struct sr_attr *sharding)
{
	struct sr_buf text;
	if (!sharding)
		return NULL;
	sr_buf_init(&text, page->ctx->arena);
	sr_print_attr(page->ctx, sharding, &text);
	const char *angle = strchr(sr_buf_string(&text), '<');
	return angle ? angle : sr_buf_string(&text);
}

static const char *text_of_type(struct sr_page *page, const struct sr_type *type)
{
	struct sr_buf text;
	sr_buf_init(&text, page->ctx->arena);
	sr_type_print(type, &text);
	return sr_buf_string(&text);
}

static const char *place(struct sr_page *page, const struct sr_attr *loc)
{
	struct sr_place at = sr_loc_place(loc);
	return at.file && at.line > 0 ? sr_printf(page->ctx->arena, "%s:%d", at.file, at.line) : NULL;
}

static struct sr_page_row *add_row(struct sr_page *page, int depth, const struct sr_attr *loc)
{
	sr_push(page->ctx->arena, &page->rows,
		(struct sr_page_row){.depth = depth, .said = sr_loc_said(loc), .place = place(page, loc)});
	return &page->rows.data[page->rows.n - 1];
}

static void add_value(struct sr_page *page, struct sr_page_row *row, struct sr_value *v)
{
	row->type = text_of_type(page, v->type);
	row->before = text_of_sharding(page, sr_map_get(&page->before, v));
	row->after = text_of_sharding(page, sr_value_sharding(page->ctx, v));
}

static void add_arguments(struct sr_page *page, const struct sr_block *block, int depth)
{
	for (int i = 0; i < block->n_args; i++) {
		struct sr_buf name;
		sr_buf_init(&name, page->ctx->arena);
		put_value(&name, block->args[i]);
		struct sr_page_row *row = add_row(page, depth, block->args[i]->loc);
		row->name = sr_buf_string(&name);
		row->text = "";
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
		put_value(&text, sr_operand(op, i));
	}
	for (int i = 0; i < (op->n_results ? op->n_results : 1); i++) {
		struct sr_page_row *row = add_row(page, depth, op->loc);
		row->text = i ? "" : sr_buf_string(&text);
		row->heading = sr_op_is(op, SR_OP_func_func);
		if (!i && sr_loc_read_as(op->loc))
			sr_map_put(&page->row_of, sr_loc_read_as(op->loc), (void *)(intptr_t)page->rows.n);
		if (!op->n_results)
			continue;
		sr_buf_init(&name, page->ctx->arena);
		put_value(&name, sr_result(op, i));
		row->name = sr_buf_string(&name);
		add_value(page, row, sr_result(op, i));
	}
	/* bodies of reductions and comparators hold nothing that is sharded */
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

void sr_page_after(struct sr_page *page, struct sr_op *module)
{
	for (struct sr_op *op = sr_module_body(module)->first; op; op = op->next)
		add_op(page, op, 0);
}

/* ---- the collectives of the local module ---- */

static bool add_collective(void *data, struct sr_op *op)
{
	struct sr_page *page = data;
	struct sr_page_collective c = {.row = SIZE_MAX};
	if (!sr_collective_cost(page->ctx, op, &c.cost, &c.group_size))
		return true;
	const struct sr_attr *cause = sr_op_attr(op, "shardrun.cause"), *name = sr_loc_read_as(op->loc);
	intptr_t row = name ? (intptr_t)sr_map_get(&page->row_of, name) : 0;
	c.cause = cause && cause->kind == SR_ATTR_STRING ? cause->s : NULL;
	c.type = op->n_results ? text_of_type(page, sr_result(op, 0)->type) : "";
	if (row) {
		c.row = (size_t)row - 1;
		page->rows.data[c.row].wire_bytes += c.cost.wire_bytes;
	}
	sr_push(page->ctx->arena, &page->collectives, c);
	return true;
}

void sr_page_collectives(struct sr_page *page, struct sr_op *local)
{
	sr_walk(local, add_collective, page);
}
