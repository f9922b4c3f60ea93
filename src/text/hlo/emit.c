/* Emit HLO computations as IR. Computations that are called become functions; other computations are emitted at the ops that use
 * them. */
#include "text/hlo/hlo.h"
#include <string.h>

/* maximum number of emitted instructions; a computation that is emitted inline counts at each use */
enum { MAX_INSTRUCTIONS = 1 << 23 };

/* ---------------------------------------------------------------- attributes of an op */

static void add_attr(struct sr_hlo *h, sr_named_attrs *out, const char *name, const struct sr_attr *value)
{
	if (value)
		sr_push(h->arena, out, (struct sr_named_attr){sr_intern(h->ctx, name), value});
}

/* Build a structure attribute from the attributes whose names have the form "structure.field". */
static const struct sr_attr *build_structure(struct sr_hlo *h, const struct sr_attr_slot *slot, const struct sr_hlo_instruction *in)
{
	const struct sr_attr **fields = SR_NEW_ARRAY(h->arena, const struct sr_attr *, slot->def->n_fields);
	size_t prefix_length = strlen(slot->name);
	bool has_field = false;
	for (size_t i = 0; i < in->values.n; i++) {
		const struct sr_hlo_attr_value *v = &in->values.data[i];
		const char *target = v->n_stablehlo_attrs ? v->stablehlo_attrs[0].name : "";
		if (strncmp(target, slot->name, prefix_length) != 0 || target[prefix_length] != '.')
			continue;
		for (int f = 0; f < slot->def->n_fields; f++)
			if (!strcmp(slot->def->fields[f].name, target + prefix_length + 1)) {
				has_field = true;
				fields[f] = sr_field_is_default(&slot->def->fields[f], v->stablehlo_attrs[0].value)
						? NULL
						: v->stablehlo_attrs[0].value;
			}
	}
	return has_field ? sr_attr_struct(h->ctx, slot->def, fields) : NULL;
}

static const struct sr_attr *called_functions(struct sr_hlo *h, const struct sr_hlo_attr_value *v)
{
	sr_attrs list = {0};
	for (size_t i = 0; i < v->names.n; i++) {
		const struct sr_op *function = sr_hlo_emit_function(h, sr_hlo_find_computation(h, v->names.data[i], v->position),
								    v->position);
		sr_push(h->arena, &list, sr_attr_symbol(h->ctx, sr_symbol_name(function)));
	}
	return sr_attr_array(h->ctx, list.data, (int)list.n);
}

void sr_hlo_attrs(struct sr_hlo *h, const struct sr_hlo_instruction *in, const struct sr_named_attr *extra_attrs, int n_extra_attrs,
		  sr_named_attrs *out)
{
	const struct sr_signature *sig = sr_hlo_opcode_state_of(h, in->opcode)->signature;
	bool has_groups = false;
	for (size_t i = 0; i < in->values.n; i++) {
		const struct sr_hlo_attr_value *v = &in->values.data[i];
		for (int a = 0; a < v->n_stablehlo_attrs; a++)
			if (!strchr(v->stablehlo_attrs[a].name, '.'))
				add_attr(h, out, v->stablehlo_attrs[a].name, v->stablehlo_attrs[a].value);
		has_groups = has_groups || (v->n_stablehlo_attrs && v->slot->kind->read == sr_hlo_read_groups);
		if (v->slot->kind->role == SR_HLO_FUNCTIONS)
			add_attr(h, out, "called_computations", called_functions(h, v));
	}
	for (int i = 0; sig && i < sig->n_attrs; i++)
		if (sig->attrs[i].kind == SR_KIND_struct && sig->attrs[i].def)
			add_attr(h, out, sig->attrs[i].name, build_structure(h, &sig->attrs[i], in));
	const struct sr_hlo_attr_value *groups_attr = has_groups ? NULL : sr_hlo_find_attr(in, "replica_groups");
	if (groups_attr && sr_hlo_has_attr(groups_attr, "replica_groups"))
		add_attr(h, out, "replica_groups", sr_hlo_group_of_all_devices(h, in));
	for (int i = 0; i < n_extra_attrs; i++)
		add_attr(h, out, extra_attrs[i].name, extra_attrs[i].value);
	add_attr(h, out, "mhlo.frontend_attributes", in->frontend_attrs);
	if (in->sharding && !h->is_partitioned)
		add_attr(h, out, "mhlo.sharding", sr_attr_string(h->ctx, in->sharding, strlen(in->sharding)));
}

/* Split the sharding "{{a}, {b}}" of a tuple into one sharding per leaf; another sharding applies to all leaves. Returns NULL if
 * the number of elements differs from n. */
static const char **shardings_of(struct sr_hlo *h, const char *text, int n)
{
	const char **list = SR_NEW_ARRAY(h->arena, const char *, n), *s = text + 1;
	int n_found = 0, depth = 0;
	while (*s == ' ')
		s++;
	if (*s != '{' && *s != '}') {
		for (int i = 0; i < n; i++)
			list[i] = text;
		return list;
	}
	for (const char *start = NULL; *s; s++) {
		if (*s == '{' && depth++ == 0)
			start = s;
		if (*s != '}' || depth-- == 0 || depth)
			continue;
		if (n_found < n)
			list[n_found] = sr_intern_n(h->ctx, start, (size_t)(s - start) + 1);
		n_found++;
	}
	return n_found == n ? list : NULL;
}

/* ---------------------------------------------------------------- ops */

void sr_hlo_append_results(struct sr_hlo *h, struct sr_op *op, sr_hlo_values *out)
{
	for (int i = 0; i < op->n_results; i++)
		sr_push(h->arena, out, sr_result(op, i));
}

void sr_hlo_check_operand_count(struct sr_hlo *h, const struct sr_hlo_instruction *in, size_t n, bool is_exact)
{
	if (in->operands.n < n || (is_exact && in->operands.n > n))
		sr_parser_fail(&h->p, in->position, "'%s' takes %s%zu operand%s, but has %zu", in->opcode->name,
			       is_exact ? "" : "at least ", n, n == 1 ? "" : "s", in->operands.n);
}

struct sr_op *sr_hlo_emit_op(struct sr_hlo *h, struct sr_hlo_frame *f, const struct sr_hlo_instruction *in, enum sr_op_code code,
			     const sr_hlo_values *operands, const sr_types *types, const struct sr_named_attr *extra_attrs,
			     int n_extra_attrs)
{
	const struct sr_hlo_opcode_state *state = sr_hlo_opcode_state_of(h, in->opcode);
	sr_named_attrs attrs = {0};
	sr_hlo_attrs(h, in, extra_attrs, n_extra_attrs, &attrs);
	struct sr_op *op =
		sr_build(&f->b, code, operands->data, (int)operands->n, attrs.data, (int)attrs.n, types->data, (int)types->n);
	int region = 0;
	/* Visit the slots in the order of ops.def, which is the order of the op's regions. */
	for (int i = 0; i < state->n_slots; i++) {
		if (state->slots[i].kind->role != SR_HLO_REGION)
			continue;
		const struct sr_hlo_attr_value *v = sr_hlo_find_attr(in, state->slots[i].name);
		sr_hlo_emit_region(h, &op->regions[region++], v->names.data[0], v->position, NULL, 0);
	}
	return op;
}

/* Build an op whose operands are all leaves of the instruction's operands, and whose results are all leaves of its result. */
void sr_hlo_build_plain(struct sr_hlo *h, struct sr_hlo_frame *f, const struct sr_hlo_instruction *in,
			const sr_hlo_values *operands, sr_hlo_values *out)
{
	sr_types types = {0};
	sr_hlo_leaf_types(h, in->shape, &types);
	sr_hlo_append_results(h, sr_hlo_emit_op(h, f, in, in->opcode->code, operands, &types, NULL, 0), out);
}

/* ---------------------------------------------------------------- computations */

static void check_types(struct sr_hlo *h, const struct sr_hlo_instruction *in, const sr_hlo_values *values)
{
	sr_types types = {0};
	sr_hlo_leaf_types(h, in->shape, &types);
	if (types.n != values->n)
		sr_parser_fail(&h->p, in->position, "the shape of %%%s has %zu elements, but '%s' returns %zu", in->name, types.n,
			       in->opcode->name, values->n);
	for (size_t i = 0; i < types.n; i++)
		if (types.data[i] != values->data[i]->type)
			sr_parser_fail(&h->p, in->position, "the shape of %%%s has type %s, but '%s' returns %s", in->name,
				       sr_type_string(h->ctx, types.data[i]), in->opcode->name,
				       sr_type_string(h->ctx, values->data[i]->type));
}

/* Return the location from an instruction's metadata or, without metadata, its position in the HLO text. If ctx->keep_names is set,
 * wrap the location in the instruction's name. */
static const struct sr_attr *final_location(struct sr_hlo *h, const struct sr_hlo_instruction *in, const struct sr_attr *text_loc)
{
	const struct sr_attr *loc = in->loc ? in->loc : text_loc;
	return h->ctx->keep_names ? sr_loc_name(h->ctx, sr_printf(h->arena, "%%%s", in->name), loc) : loc;
}

/* Record the final location of the ops emitted for `in`. Until the module is verified, ops have their position in the HLO text as
 * location, for error messages. */
static void record_locations(struct sr_hlo *h, const struct sr_hlo_frame *f, const struct sr_hlo_instruction *in,
			     struct sr_op *last_op_before)
{
	const struct sr_attr *loc = final_location(h, in, f->b.loc);
	for (struct sr_op *op = last_op_before ? last_op_before->next : f->b.block->first; op && loc != f->b.loc; op = op->next)
		if (op->loc == f->b.loc)
			sr_push(h->arena, &h->final_locs, (struct sr_hlo_final_loc){op, loc});
}

static void emit_instruction(struct sr_hlo *h, struct sr_hlo_frame *f, const struct sr_hlo_instruction *in, sr_hlo_values *out)
{
	sr_hlo_values operands = {0};
	struct sr_op *last_op_before = f->b.block->last;
	const char *outer_subject = h->p.subject;
	if (outer_subject)
		h->p.subject = sr_printf(h->arena, "%%%s", in->name);
	if (++h->n_emitted > MAX_INSTRUCTIONS)
		sr_parser_fail(&h->p, in->position, "the module has more than %d instructions after inlining its computations",
			       MAX_INSTRUCTIONS);
	f->b.loc = sr_hlo_text_loc(h, in->position);
	if (outer_subject) /* binary input has no text in which instructions have positions */
		f->b.loc = final_location(h, in, sr_loc_name(h->ctx, in->name, f->b.loc));
	if (in->operands.n == 1) /* share the list of values: a tuple of thousands of elements may have thousands of users */
		operands = *sr_hlo_operand(f, in, 0);
	for (size_t i = 0; in->operands.n > 1 && i < in->operands.n; i++)
		for (size_t j = 0; j < sr_hlo_operand(f, in, i)->n; j++)
			sr_push(h->arena, &operands, sr_hlo_operand(f, in, i)->data[j]);
	if (in->phase == SR_HLO_SYNC || in->phase == SR_HLO_START) {
		in->opcode->build(h, f, in, &operands, out);
	} else {
		sr_hlo_check_operand_count(h, in, 1, true);
		*out = *sr_hlo_operand(f, in, 0);
	}
	if (in->phase != SR_HLO_UPDATE)
		check_types(h, in, out);
	if (!outer_subject)
		record_locations(h, f, in, last_op_before);
	h->p.subject = outer_subject;
}

void sr_hlo_inline(struct sr_hlo *h, const struct sr_builder *b, struct sr_hlo_computation *c, const char *position,
		   const sr_hlo_values *parameters, size_t n, sr_hlo_values *out)
{
	struct sr_hlo_frame f = {.computation = c,
				 .b = *b,
				 .parameters = parameters,
				 .values = SR_NEW_ARRAY(h->arena, sr_hlo_values, c->instructions.n)};
	if (n != c->parameters.n)
		sr_parser_fail(&h->p, position, "%%%s has %zu parameter%s, but gets %zu", c->name, c->parameters.n,
			       c->parameters.n == 1 ? "" : "s", n);
	if (c->is_being_emitted)
		sr_parser_fail(&h->p, position, "%%%s calls itself", c->name);
	if (++h->p.depth > SR_MAX_NESTING)
		sr_parser_fail(&h->p, position, "computations are nested more than %d levels deep", SR_MAX_NESTING);
	c->is_being_emitted = true;
	for (size_t i = 0; i < c->instructions.n; i++)
		emit_instruction(h, &f, &c->instructions.data[i], &f.values[i]);
	c->is_being_emitted = false;
	h->p.depth--;
	*out = f.values[c->root];
}

/* Return the location of an argument of the entry, named like the parameter unless its metadata has a name: "x.1", or "x.1{0}"
 * for a tuple element. */
static const struct sr_attr *argument_loc(struct sr_hlo *h, const struct sr_hlo_instruction *in, size_t n_leaves, size_t leaf,
					  const struct sr_attr *loc)
{
	if (h->ctx->keep_names || loc->kind == SR_LOC_NAME)
		return loc;
	return sr_loc_name(h->ctx, n_leaves > 1 ? sr_printf(h->arena, "%s{%zu}", in->name, leaf) : in->name, loc);
}

/* Add the computation's parameters as block arguments. */
static sr_hlo_values *add_block_arguments(struct sr_hlo *h, const struct sr_hlo_computation *c, struct sr_block *block)
{
	sr_hlo_values *list = SR_NEW_ARRAY(h->arena, sr_hlo_values, c->parameters.n);
	for (size_t i = 0; i < c->parameters.n; i++) {
		const struct sr_hlo_instruction *in = &c->instructions.data[c->parameters.data[i]];
		sr_types types = {0};
		sr_hlo_leaf_types(h, in->shape, &types);
		const struct sr_attr *loc = final_location(h, in, sr_hlo_text_loc(h, in->position));
		for (size_t t = 0; t < types.n; t++)
			sr_push(h->arena, &list[i],
				sr_block_add_arg(h->ctx, block, types.data[t],
						 c == h->entry ? argument_loc(h, in, types.n, t, loc) : loc));
	}
	return list;
}

void sr_hlo_emit_region(struct sr_hlo *h, struct sr_region *region, const char *name, const char *position,
			const sr_hlo_values *captured_values,
			size_t n)
{
	struct sr_hlo_computation *c = sr_hlo_find_computation(h, name, position);
	struct sr_builder b = {h->ctx, sr_block_new(h->ctx, region), NULL, sr_hlo_text_loc(h, position)};
	sr_hlo_values results = {0};
	if (!captured_values)
		n = c->parameters.n;
	sr_hlo_inline(h, &b, c, position, captured_values ? captured_values : add_block_arguments(h, c, b.block), n, &results);
	sr_build(&b, SR_OP_stablehlo_return, results.data, (int)results.n, NULL, 0, NULL, 0);
}

/* ---------------------------------------------------------------- functions */

static void argument_attrs(struct sr_hlo *h, struct sr_op *function, const struct sr_hlo_computation *c)
{
	const struct sr_attr **dicts = sr_func_arg_dicts(h->ctx, function);
	int arg = 0;
	for (size_t i = 0; i < c->parameters.n; i++) {
		const struct sr_hlo_instruction *in = &c->instructions.data[c->parameters.data[i]];
		int n = in->shape->n_leaves;
		const char **shardings = in->sharding && !h->is_partitioned ? shardings_of(h, in->sharding, n) : NULL;
		if (in->sharding && !h->is_partitioned && !shardings)
			sr_parser_fail(&h->p, in->position, "the sharding of %%%s does not have the %d elements of its shape",
				       in->name, n);
		for (int k = 0; k < n; k++, arg++) {
			if (shardings)
				dicts[arg] = sr_dict_with(h->ctx, dicts[arg], "mhlo.sharding",
							  sr_attr_string(h->ctx, shardings[k], strlen(shardings[k])));
			if (in->frontend_attrs)
				dicts[arg] = sr_dict_with(h->ctx, dicts[arg], "mhlo.frontend_attributes", in->frontend_attrs);
		}
	}
	sr_func_set_arg_dicts(h->ctx, function, dicts);
}

static void result_attrs(struct sr_hlo *h, struct sr_op *function, const struct sr_hlo_computation *c)
{
	const struct sr_hlo_instruction *root = &c->instructions.data[c->root];
	int n = root->shape->n_leaves;
	if (!root->sharding || h->is_partitioned)
		return;
	const char **shardings = shardings_of(h, root->sharding, n);
	if (!shardings)
		sr_parser_fail(&h->p, root->position, "the sharding of %%%s does not have the %d elements of its shape", root->name,
			       n);
	const struct sr_attr **list = SR_NEW_ARRAY(h->arena, const struct sr_attr *, n);
	for (int i = 0; i < n; i++)
		list[i] = sr_attr_string(h->ctx, shardings[i], strlen(shardings[i]));
	sr_func_set_result_attrs(h->ctx, function, "mhlo.sharding", list);
}

/* Return "main" for the entry computation, and a unique name other than "main" for other computations. */
static const char *function_name(struct sr_hlo *h, const struct sr_hlo_computation *c)
{
	const char *name = c == h->entry ? "main" : c->name;
	for (int i = 0; c != h->entry && (!strcmp(name, "main") || (i && sr_map_has(&h->computations, name))); i++)
		name = sr_intern(h->ctx, sr_printf(h->arena, "%s_%d", c->name, i));
	return name;
}

struct sr_op *sr_hlo_emit_function(struct sr_hlo *h, struct sr_hlo_computation *c, const char *position)
{
	struct sr_builder b = {.ctx = h->ctx, .loc = sr_hlo_text_loc(h, c->position)};
	sr_types in = {0}, out = {0};
	sr_hlo_values results = {0};
	const char *name = function_name(h, c);
	if (c->function)
		return c->function;
	for (size_t i = 0; i < c->parameters.n; i++)
		sr_hlo_leaf_types(h, c->instructions.data[c->parameters.data[i]].shape, &in);
	sr_hlo_leaf_types(h, c->instructions.data[c->root].shape, &out);
	struct sr_named_attr attrs[] = {
		{"sym_name", sr_attr_string(h->ctx, name, strlen(name))},
		{"function_type", sr_attr_type(h->ctx, sr_type_function(h->ctx, in.data, (int)in.n, out.data, (int)out.n))},
		{"sym_visibility", c == h->entry ? NULL : sr_attr_string(h->ctx, "private", 7)}};
	struct sr_op *function = sr_build(&b, SR_OP_func_func, NULL, 0, attrs, 3, NULL, 0);
	b.block = sr_block_new(h->ctx, &function->regions[0]);
	sr_hlo_inline(h, &b, c, position, add_block_arguments(h, c, b.block), c->parameters.n, &results);
	sr_build(&b, SR_OP_func_return, results.data, (int)results.n, NULL, 0, NULL, 0);
	argument_attrs(h, function, c);
	result_attrs(h, function, c);
	sr_op_append(sr_module_body(h->module), function);
	return c->function = function;
}
