/* Custom form of stablehlo.reduce: `(%x init: %c) applies stablehlo.add across dimensions = [1]` if the body is that single op,
 * otherwise with a reducer region. */
#include "text/mlir/form/form.h"
#include <string.h>

static void parse_pairs(struct sr_parser *p, struct sr_op_state *s)
{
	sr_ssa_names inits = {0};
	s->loc_position = s->operands_position = p->tok;
	while (sr_parser_accept(p, '(')) {
		struct sr_ssa_name name = sr_parser_ssa_name(p);
		sr_push(p->scratch, &s->operands, name);
		sr_parser_expect_word(p, "init");
		sr_parser_expect(p, ':');
		name = sr_parser_ssa_name(p);
		sr_push(p->scratch, &inits, name);
		sr_parser_expect(p, ')');
		if (!sr_parser_accept(p, ','))
			break;
	}
	for (size_t i = 0; i < inits.n; i++)
		sr_push(p->scratch, &s->operands, inits.data[i]);
}

static void parse_dimensions_and_type(struct sr_parser *p, struct sr_op_state *s)
{
	sr_integers dims = {0};
	sr_parser_expect_word(p, "across");
	sr_parser_expect_word(p, "dimensions");
	sr_parser_expect(p, '=');
	sr_parser_integers(p, &dims);
	sr_parser_optional_dict(p, s);
	sr_parser_set_attr(p, s, "dimensions", sr_attr_i64s(p->ctx, dims.data, (int64_t)dims.n));
	sr_parser_expect(p, ':');
	const char *position = p->tok;
	if (p->kind != '(')
		sr_parser_fail(p, position, "expected function type");
	sr_parser_function_types(p, &s->operand_types, &s->results);
	s->has_operand_types = true;
	if (s->operand_types.n == 0)
		sr_parser_fail(p, position, "input types missing in reduce-op function type");
}

/* Parse "reducer(%a: t, %b: t) (...)". In the block, the first arguments of all pairs precede the second ones. */
static void parse_reducer(struct sr_parser *p, struct sr_op_state *s)
{
	sr_arguments args = {0}, accumulators = {0};
	sr_parser_expect_word(p, "reducer");
	while (sr_parser_accept(p, '(')) {
		struct sr_argument arg = sr_parser_argument(p, false);
		sr_push(p->scratch, &args, arg);
		sr_parser_expect(p, ',');
		arg = sr_parser_argument(p, false);
		sr_push(p->scratch, &accumulators, arg);
		sr_parser_expect(p, ')');
	}
	for (size_t i = 0; i < accumulators.n; i++)
		sr_push(p->scratch, &args, accumulators.data[i]);
	sr_parser_add_region(p, s, sr_parser_region(p, &args, false, ""));
}

static bool can_apply(const struct sr_op_info *info)
{
	const struct sr_signature *sig = info->signature;
	return (info->traits & SR_COMMUTATIVE) && sig && sig->n_operands == 2 && sig->n_results == 1 && sig->n_regions == 0 &&
	       !strcmp(info->dialect, "stablehlo");
}

/* Build the body of a reduce that applies one op, `applied_info`. All ops of the body have the location `loc`. */
static struct sr_region *build_body(struct sr_parser *p, const struct sr_op_info *applied_info, const struct sr_type *input,
				    const struct sr_attr *loc)
{
	struct sr_region *region = SR_NEW(p->arena, struct sr_region);
	struct sr_block *block = sr_block_new(p->ctx, region);
	const struct sr_type *element = input->element ? input->element : input;
	const struct sr_type *scalar = sr_type_tensor_of(p->ctx, element, 0, NULL, NULL);
	struct sr_value *args[2];
	args[0] = sr_block_add_arg(p->ctx, block, scalar, loc);
	args[1] = sr_block_add_arg(p->ctx, block, scalar, loc);
	struct sr_op_spec spec = {
	    .info = applied_info, .loc = loc, .operands = args, .n_operands = 2, .results = &scalar, .n_results = 1};
	struct sr_op *op = sr_op_new(p->ctx, &spec);
	sr_op_append(block, op);
	struct sr_value *result = sr_result(op, 0);
	struct sr_op_spec return_spec = {
	    .info = sr_info(p->ctx, SR_OP_stablehlo_return), .loc = loc, .operands = &result, .n_operands = 1};
	sr_op_append(block, sr_op_new(p->ctx, &return_spec));
	return region;
}

void sr_parse_reduce(struct sr_parser *p, struct sr_op_state *s)
{
	parse_pairs(p, s);
	if (!sr_parser_accept_word(p, "applies")) {
		parse_dimensions_and_type(p, s);
		parse_reducer(p, s);
		return;
	}
	const char *position = p->tok;
	const struct sr_op_info *applied_info = sr_op_info_of(p->ctx, sr_parser_word(p, "operation name"));
	if (applied_info->code == SR_OP_UNREGISTERED || !can_apply(applied_info))
		sr_parser_fail(p, position,
			       "expected the inner-op to be a commutative binary-op from the stablehlo dialect, with zero region, producing single "
			       "result");
	parse_dimensions_and_type(p, s);
	const char *alias, *type_end = p->tok;
	/* Parse the trailing location, which the caller parses again as the location of the reduce op. */
	const struct sr_attr *loc = sr_parser_trailing_loc(p, &alias);
	if (!loc)
		loc = sr_parser_loc_at(p, s->loc_position);
	struct sr_region *region = build_body(p, applied_info, s->operand_types.data[0], loc);
	if (alias) {
		struct sr_block *block = region->first;
		sr_parser_defer_loc(p, &block->args[0]->loc, alias, type_end);
		sr_parser_defer_loc(p, &block->args[1]->loc, alias, type_end);
		sr_parser_defer_loc(p, &block->first->loc, alias, type_end);
		sr_parser_defer_loc(p, &block->last->loc, alias, type_end);
	}
	sr_parser_restart(p, type_end);
	sr_parser_add_region(p, s, region);
}

/* Return the only op of a reduce's body if it can be printed as "applies <op>"; NULL otherwise. */
static const struct sr_op *applied_op(const struct sr_op *op)
{
	const struct sr_block *block = op->regions[0].first;
	if (!block || block != op->regions[0].last || !block->first || block->first->next != block->last)
		return NULL;
	const struct sr_op *body_op = block->first, *terminator = block->last;
	if (body_op == terminator || !can_apply(body_op->info) || op->n_operands == 0 || block->n_args != 2)
		return NULL;
	const struct sr_type *input = sr_operand(op, 0)->type, *t = body_op->results[0].type;
	if (body_op->n_operands != 2 || sr_operand(body_op, 0)->type != t || sr_operand(body_op, 1)->type != t)
		return NULL;
	if (t->kind != SR_TYPE_TENSOR || t->rank != 0 || t->encoding || t->element != input->element)
		return NULL;
	if (sr_operand(body_op, 0) != block->args[0] || sr_operand(body_op, 1) != block->args[1])
		return NULL;
	if (!strstr(terminator->info->name, ".return") || terminator->n_operands != 1 ||
	    sr_operand(terminator, 0) != sr_result(body_op, 0))
		return NULL;
	return body_op;
}

static void print_reducer(struct sr_printer *out, const struct sr_op *op, int n)
{
	const struct sr_block *block = op->regions[0].first;
	sr_print_newline(out);
	sr_buf_puts(out->out, " reducer");
	for (int i = 0; block && i < n && i + n < block->n_args; i++) {
		sr_buf_putc(out->out, '(');
		sr_print_argument(out, block->args[i], NULL);
		sr_buf_puts(out->out, ", ");
		sr_print_argument(out, block->args[i + n], NULL);
		sr_buf_puts(out->out, ") ");
	}
	sr_buf_putc(out->out, ' ');
	sr_print_region(out, &op->regions[0], false, true);
}

void sr_print_reduce(struct sr_printer *out, const struct sr_op *op)
{
	static const char *const elided_attrs[] = {"dimensions", NULL};
	int n = op->n_operands / 2;
	const struct sr_op *body_op = applied_op(op);
	for (int i = 0; i < n; i++) {
		sr_buf_puts(out->out, i ? ", (" : "(");
		sr_print_value(out, sr_operand(op, i));
		sr_buf_puts(out->out, " init: ");
		sr_print_value(out, sr_operand(op, i + n));
		sr_buf_putc(out->out, ')');
	}
	if (body_op)
		sr_buf_printf(out->out, " applies %s", body_op->info->name);
	sr_buf_puts(out->out, " across dimensions = [");
	if (sr_op_attr(op, "dimensions"))
		sr_print_integers(out, sr_op_attr(op, "dimensions"));
	sr_buf_putc(out->out, ']');
	sr_print_attr_dict(out, op, NULL, elided_attrs);
	sr_buf_puts(out->out, " : ");
	sr_print_function_types(out, op);
	if (!body_op)
		print_reducer(out, op, n);
}
