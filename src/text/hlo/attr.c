/* Kinds of attributes in HLO text: the syntax of each kind, and the StableHLO attributes that it becomes. */
#include "text/hlo/hlo.h"
#include <stdlib.h>
#include <string.h>

void sr_hlo_add_attr(struct sr_hlo_attr_value *v, const char *target, const struct sr_attr *attr)
{
	v->stablehlo_attrs[v->n_stablehlo_attrs++] = (struct sr_named_attr){target, attr};
}

bool sr_hlo_has_attr(const struct sr_hlo_attr_value *v, const char *name)
{
	for (int i = 0; v->signature && i < v->signature->n_attrs; i++)
		if (!strcmp(v->signature->attrs[i].name, name))
			return true;
	return false;
}

static void add_target(struct sr_hlo_attr_value *v, const struct sr_attr *attr)
{
	sr_hlo_add_attr(v, v->slot->target, attr);
}

void sr_hlo_skip_value(struct sr_hlo *h)
{
	if (sr_hlo_is(h, "{"))
		sr_hlo_balanced(h);
	else if (sr_hlo_is(h, "\""))
		sr_hlo_string(h);
	else
		sr_hlo_name(h, "a value");
}

static void skip_attr(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	(void)v;
	sr_hlo_skip_value(h);
}

/* ---------------------------------------------------------------- numbers, words, text */

static void read_i64s(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	sr_integers list = {0};
	sr_hlo_integers(h, &list);
	add_target(v, sr_attr_i64s(h->ctx, list.data, (int64_t)list.n));
}

/* Read a list of exactly one dimension, e.g. {3}. */
static void read_single_dim(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	sr_integers list = {0};
	sr_hlo_integers(h, &list);
	if (list.n != 1)
		sr_parser_fail(&h->p, v->position, "expected one dimension in %s, found %zu", v->slot->name, list.n);
	v->i = list.data[0];
	add_target(v, sr_attr_i64(h->ctx, v->i));
}

static void read_i64(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	add_target(v, sr_attr_i64(h->ctx, sr_hlo_integer(h)));
}

static void read_i32(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	int64_t i = sr_hlo_integer(h);
	if (i < INT32_MIN || i > INT32_MAX)
		sr_parser_fail(&h->p, v->position, "the number does not fit into i32");
	add_target(v, sr_attr_i32(h->ctx, i));
}

static void read_number(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	v->i = sr_hlo_is_digit(h) ? sr_hlo_integer(h) : sr_hlo_bool(h);
}

static void read_boolean(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	add_target(v, sr_attr_bool(h->ctx, sr_hlo_bool(h)));
}

static void read_unit_attr(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	v->i = sr_hlo_bool(h);
	add_target(v, v->i ? sr_attr_unit(h->ctx) : NULL);
}

static void read_f32(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	char text[64], *number_end;
	size_t n = 0;
	while (n < sizeof text - 1 && h->at + n < h->p.end && strchr("0123456789+-.einfa", h->at[n]) && h->at[n])
		n++;
	memcpy(text, h->at, n);
	text[n] = '\0';
	double d = strtod(text, &number_end);
	if (!n || *number_end)
		sr_hlo_expected(h, "a number");
	h->at += n;
	sr_hlo_skip(h);
	add_target(v, sr_attr_float(h->ctx, d, sr_type_scalar(h->ctx, SR_F32)));
}

static void read_string(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	const char *s = sr_hlo_string(h);
	sr_push(h->arena, &v->names, s);
	add_target(v, sr_attr_string(h->ctx, s, sr_interned_length(s)));
}

/* Read an enumerator in any case, with or without HLO's prefix: rng_three_fry, GE, highest. */
static const struct sr_attr *read_enumerator(struct sr_hlo *h, const struct sr_attr_def *def)
{
	const char *position = h->at, *word = sr_hlo_word(h, "a word");
	char *upper_case_name = sr_strdup(h->arena, strncmp(word, "rng_", 4) ? word : word + 4);
	struct sr_buf enumerators;
	for (char *c = upper_case_name; *c; c++)
		if (*c >= 'a' && *c <= 'z')
			*c = (char)(*c - 'a' + 'A');
	const struct sr_attr *attr = sr_attr_enum(h->ctx, def->dialect, def->name, upper_case_name);
	if (attr)
		return attr;
	sr_buf_init(&enumerators, h->arena);
	for (int i = 0; def->values[i]; i++)
		sr_buf_printf(&enumerators, "%s%s", i ? ", " : "", def->values[i]);
	sr_parser_fail(&h->p, position, "expected one of %s, found '%s'", sr_buf_string(&enumerators), word);
}

static void read_enum_attr(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	for (int i = 0; i < v->signature->n_attrs; i++)
		if (!strcmp(v->signature->attrs[i].name, v->slot->target))
			add_target(v, read_enumerator(h, v->signature->attrs[i].def));
}

static void read_precisions(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	sr_attrs list = {0};
	sr_hlo_expect(h, "{");
	while (!sr_hlo_accept(h, "}")) {
		if (list.n)
			sr_hlo_expect(h, ",");
		sr_push(h->arena, &list, read_enumerator(h, sr_attr_def_find("stablehlo", "precision")));
	}
	add_target(v, sr_attr_array(h->ctx, list.data, (int)list.n));
}

/* Read a dot algorithm, e.g. dot_bf16_bf16_f32_x3: operand types, accumulation type, components per operand, number of primitive
 * operations. */
static void read_algorithm(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	static const struct {
		const char *name, *operand_type, *sum_type;
		int components, products;
		bool is_imprecise;
	} algorithms[] = {
		{"dot_any_f8_any_f8_f32", "f8E5M2", "f32", 1, 1, false},
		{"dot_any_f8_any_f8_f32_fast_accum", "f8E5M2", "f32", 1, 1, true},
		{"dot_f16_f16_f16", "f16", "f16", 1, 1, false},
		{"dot_f16_f16_f32", "f16", "f32", 1, 1, false},
		{"dot_bf16_bf16_bf16", "bf16", "bf16", 1, 1, false},
		{"dot_bf16_bf16_f32", "bf16", "f32", 1, 1, false},
		{"dot_bf16_bf16_f32_x3", "bf16", "f32", 1, 3, false},
		{"dot_bf16_bf16_f32_x6", "bf16", "f32", 1, 6, false},
		{"dot_bf16_bf16_f32_x9", "bf16", "f32", 1, 9, false},
		{"dot_tf32_tf32_f32", "tf32", "f32", 1, 1, false},
		{"dot_tf32_tf32_f32_x3", "tf32", "f32", 1, 3, false},
		{"dot_f32_f32_f32", "f32", "f32", 1, 1, false},
		{"dot_f64_f64_f64", "f64", "f64", 1, 1, false},
	};
	const char *word = sr_hlo_word(h, "an algorithm");
	const struct sr_type *operand_element = NULL, *sum_element = NULL;
	size_t i = 0, n = sizeof algorithms / sizeof *algorithms;
	while (i < n && strcmp(algorithms[i].name, word) != 0)
		i++;
	if (!strcmp(word, "dot_unset"))
		return;
	if (i == n || sr_parse_type(h->ctx, algorithms[i].operand_type, &operand_element) ||
	    sr_parse_type(h->ctx, algorithms[i].sum_type, &sum_element))
		sr_parser_fail(&h->p, v->position, "expected a dot algorithm, found '%s'", word);
	const struct sr_attr *type = sr_attr_type(h->ctx, operand_element),
			     *components = sr_attr_i64(h->ctx, algorithms[i].components);
	const struct sr_attr *fields[] = {type,
					  type,
					  sr_attr_type(h->ctx, sum_element),
					  components,
					  components,
					  sr_attr_i64(h->ctx, algorithms[i].products),
					  sr_attr_bool(h->ctx, algorithms[i].is_imprecise)};
	add_target(v, sr_attr_struct(h->ctx, sr_attr_def_find("stablehlo", "dot_algorithm"), fields));
}

static void read_channel(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	const struct sr_attr *fields[] = {sr_attr_i64(h->ctx, sr_hlo_integer(h)), sr_attr_i64(h->ctx, 1)};
	add_target(v, sr_attr_struct(h->ctx, sr_attr_def_find("stablehlo", "channel_handle"), fields));
}

/* ---------------------------------------------------------------- computations */

static void read_computation_name(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	sr_push(h->arena, &v->names, sr_hlo_name(h, "a computation"));
}

static void read_computation_names(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	if (!sr_hlo_accept(h, "{")) {
		read_computation_name(h, v);
		return;
	}
	while (!sr_hlo_accept(h, "}")) {
		if (v->names.n)
			sr_hlo_expect(h, ",");
		read_computation_name(h, v);
	}
}

/* ---------------------------------------------------------------- custom calls */

static const struct sr_attr *make_layout(struct sr_hlo *h, const struct sr_hlo_shape *leaf)
{
	int rank = leaf->type->rank;
	int64_t n = rank, *order = SR_NEW_ARRAY(h->arena, int64_t, rank);
	for (int i = 0; i < rank; i++)
		order[i] = leaf->minor_to_major ? leaf->minor_to_major[i] : rank - 1 - i;
	const struct sr_type *index = sr_type_intern(h->ctx, &(struct sr_type){.kind = SR_TYPE_INDEX});
	return sr_attr_dense(h->ctx, sr_type_tensor_of(h->ctx, index, 1, &n, NULL), order, n * (int64_t)sizeof *order);
}

/* Return the layouts of all leaves: [dense<[1, 0]>, ...]. */
static const struct sr_attr *layouts_of(struct sr_hlo *h, const sr_hlo_shapes *shapes)
{
	sr_attrs list = {0};
	for (size_t i = 0; i < shapes->n; i++)
		for (int leaf = 0; leaf < shapes->data[i]->n_leaves; leaf++)
			sr_push(h->arena, &list, make_layout(h, sr_hlo_leaf(shapes->data[i], leaf)));
	return sr_attr_array(h->ctx, list.data, (int)list.n);
}

static void read_layouts(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	sr_hlo_shapes shapes = {0};
	sr_hlo_expect(h, "{");
	while (!sr_hlo_accept(h, "}")) {
		if (shapes.n)
			sr_hlo_expect(h, ",");
		sr_push(h->arena, &shapes, sr_hlo_read_shape(h));
	}
	add_target(v, layouts_of(h, &shapes));
	shapes.n = 0;
	sr_push(h->arena, &shapes, v->instruction->shape);
	sr_hlo_add_attr(v, "result_layouts", layouts_of(h, &shapes));
}

/* Read output_to_operand_aliasing, e.g. {{0}: (1, {})}: element {0} of the result aliases operand 1. */
static void read_aliases(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	const struct sr_attr_def *def = sr_attr_def_find("stablehlo", "output_operand_alias");
	sr_attrs list = {0};
	sr_hlo_expect(h, "{");
	while (!sr_hlo_accept(h, "}")) {
		sr_integers output = {0}, index = {0};
		if (list.n)
			sr_hlo_expect(h, ",");
		sr_hlo_integers(h, &output);
		sr_hlo_expect(h, ":");
		sr_hlo_expect(h, "(");
		int64_t operand = sr_hlo_count(h, "an operand's number");
		sr_hlo_expect(h, ",");
		sr_hlo_integers(h, &index);
		sr_hlo_expect(h, ")");
		const struct sr_attr *fields[] = {sr_attr_i64s(h->ctx, output.data, (int64_t)output.n),
						  sr_attr_i64(h->ctx, operand),
						  sr_attr_i64s(h->ctx, index.data, (int64_t)index.n)};
		sr_push(h->arena, &list, sr_attr_struct(h->ctx, def, fields));
	}
	add_target(v, sr_attr_array(h->ctx, list.data, (int)list.n));
}

/* Read backend_config: "text" or {...}. {...} becomes a dictionary for calls with API_VERSION_TYPED_FFI, otherwise it stays text.
 */
static void read_backend_config(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	bool has_braces = sr_hlo_is(h, "{");
	const char *text = has_braces ? sr_hlo_balanced(h) : sr_hlo_string(h);
	const struct sr_hlo_attr_value *version = sr_hlo_find_attr(v->instruction, "api_version");
	const struct sr_attr *attr = sr_attr_string(h->ctx, text, sr_interned_length(text));
	const char *typed_ffi = "API_VERSION_TYPED_FFI";
	if (has_braces && version && version->n_stablehlo_attrs &&
	    !strcmp(sr_attr_enum_name(version->stablehlo_attrs[0].value), typed_ffi))
		if (sr_parse_attr(h->ctx, text, &attr) || attr->kind != SR_ATTR_DICT)
			sr_parser_fail(&h->p, v->position, "the backend_config of a custom call with %s is not a dictionary",
				       typed_ffi);
	add_target(v, attr);
}

/* ---------------------------------------------------------------- attributes of any instruction */

const struct sr_attr *sr_hlo_frontend(struct sr_hlo *h)
{
	sr_named_attrs list = {0};
	sr_hlo_expect(h, "{");
	while (!sr_hlo_accept(h, "}")) {
		if (list.n)
			sr_hlo_expect(h, ",");
		const char *name = sr_hlo_is(h, "\"") ? sr_hlo_string(h) : sr_hlo_word(h, "the name of an attribute");
		sr_hlo_expect(h, "=");
		const char *text = sr_hlo_is(h, "{") ? sr_hlo_balanced(h) : sr_hlo_string(h);
		sr_push(h->arena, &list, (struct sr_named_attr){name, sr_attr_string(h->ctx, text, sr_interned_length(text))});
	}
	return list.n ? sr_attr_dict(h->ctx, list.data, (int)list.n) : NULL;
}

static void read_frontend(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	v->instruction->frontend_attrs = sr_hlo_frontend(h);
}

static void read_sharding(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	v->instruction->sharding = sr_hlo_balanced(h);
}

static const struct sr_hlo_attr_kind kinds[] = {
	{"aliases", read_aliases, SR_HLO_TARGET},
	{"algorithm", read_algorithm, SR_HLO_TARGET},
	{"bool", read_boolean, SR_HLO_TARGET},
	{"channel", read_channel, SR_HLO_TARGET},
	{"computation", read_computation_name, SR_HLO_OTHER},
	{"computations", read_computation_names, SR_HLO_OTHER},
	{"config", read_backend_config, SR_HLO_TARGET},
	{"enum", read_enum_attr, SR_HLO_TARGET},
	{"f32", read_f32, SR_HLO_TARGET},
	{"first", read_single_dim, SR_HLO_TARGET},
	{"frontend", read_frontend, SR_HLO_OTHER},
	{"groups", sr_hlo_read_groups, SR_HLO_TARGET},
	{"i32", read_i32, SR_HLO_TARGET},
	{"i64", read_i64, SR_HLO_TARGET},
	{"i64s", read_i64s, SR_HLO_TARGET},
	{"labels", sr_hlo_read_labels, SR_HLO_OTHER},
	{"layouts", read_layouts, SR_HLO_TARGET},
	{"metadata", sr_hlo_read_metadata, SR_HLO_OTHER},
	{"number", read_number, SR_HLO_OTHER},
	{"padding", sr_hlo_read_padding, SR_HLO_OTHER},
	{"pairs", sr_hlo_read_pairs, SR_HLO_TARGET},
	{"precisions", read_precisions, SR_HLO_TARGET},
	{"region", read_computation_name, SR_HLO_REGION},
	{"sharding", read_sharding, SR_HLO_OTHER},
	{"skip", skip_attr, SR_HLO_OTHER},
	{"slices", sr_hlo_read_slices, SR_HLO_OTHER},
	{"string", read_string, SR_HLO_TARGET},
	{"symbols", read_computation_names, SR_HLO_FUNCTIONS},
	{"unit", read_unit_attr, SR_HLO_TARGET},
	{"window", sr_hlo_read_window, SR_HLO_OTHER},
};

const struct sr_hlo_attr_kind *sr_hlo_attr_kind_find(const char *name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}
