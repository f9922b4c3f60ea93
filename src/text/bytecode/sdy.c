/* Read Shardy's attributes from bytecode. Each is a code followed by its fields; axes, dimensions and mappings are separate table
 * entries. */
#include "text/bytecode/bytecode.h"

typedef void sdy_reader(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out);

static struct sr_sdy_nested *new_nested(struct sr_bytecode *b, struct sr_bytecode_entry *out, enum sr_sdy_nested_kind kind)
{
	struct sr_sdy_nested *nested = SR_NEW(b->arena, struct sr_sdy_nested);
	nested->kind = kind;
	out->nested = nested;
	return nested;
}

static struct sr_sdy_axes read_axis_refs(struct sr_bytecode *b, struct sr_cursor *c)
{
	int n = sr_cursor_count(b, c);
	struct sr_sdy_axis *refs = SR_NEW_ARRAY(b->arena, struct sr_sdy_axis, n);
	for (int i = 0; i < n; i++)
		refs[i] = sr_bytecode_sdy_nested(b, c, SR_SDY_NESTED_REF)->ref;
	return (struct sr_sdy_axes){refs, n};
}

static void read_manual_axes(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	int n = sr_cursor_count(b, c);
	struct sr_sdy_axis *refs = SR_NEW_ARRAY(b->arena, struct sr_sdy_axis, n);
	for (int i = 0; i < n; i++)
		refs[i] = (struct sr_sdy_axis){sr_bytecode_attr_of(b, c, SR_ATTR_STRING, "the name of an axis")->s, 1, 0};
	out->attr = sr_attr_axes(b->ctx, refs, n);
}

static void read_mesh_axis(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	const char *name = sr_cursor_string(b, c);
	new_nested(b, out, SR_SDY_NESTED_AXIS)->axis = (struct sr_axis){name, sr_cursor_signed(b, c)};
}

/* Read a mesh. Identity device ids are dropped, as the text parser does. */
static void read_mesh(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	int n = sr_cursor_count(b, c), n_ids;
	struct sr_axis *axes = SR_NEW_ARRAY(b->arena, struct sr_axis, n);
	for (int i = 0; i < n; i++)
		axes[i] = sr_bytecode_sdy_nested(b, c, SR_SDY_NESTED_AXIS)->axis;
	const int64_t *ids = sr_cursor_signed_list(b, c, &n_ids);
	struct sr_mesh m = {axes, n, NULL, 0};
	bool is_identity = n > 0;
	for (int i = 0; i < n_ids; i++)
		is_identity = is_identity && ids[i] == i;
	if (n_ids && !(is_identity && n_ids == sr_mesh_devices(&m))) {
		m.device_ids = ids;
		m.n_device_ids = n_ids;
	}
	out->attr = sr_attr_mesh(b->ctx, &m);
}

static void read_sub_axis(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	const uint8_t *at = c->at;
	struct sr_sdy_nested *nested = new_nested(b, out, SR_SDY_NESTED_SUB_AXIS);
	nested->pre = sr_cursor_signed(b, c);
	nested->size = sr_cursor_signed(b, c);
	if (nested->pre < 1 || nested->size < 2)
		sr_bytecode_fail(b, at, "invalid sub-axis (%lld)%lld", (long long)nested->pre, (long long)nested->size);
}

static void read_axis_ref(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	struct sr_sdy_axis ref = {sr_cursor_string(b, c), 1, 0};
	const struct sr_sdy_nested *sub = sr_bytecode_optional_sdy_nested(b, c, SR_SDY_NESTED_SUB_AXIS);
	if (sub) {
		ref.pre = sub->pre;
		ref.size = sub->size;
	}
	new_nested(b, out, SR_SDY_NESTED_REF)->ref = ref;
}

static void read_dim_sharding(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	struct sr_sdy_dim dim = {.axes = read_axis_refs(b, c)};
	dim.closed = sr_cursor_bool(b, c);
	dim.priority = -1;
	const uint8_t *at = c->at;
	uint64_t priority;
	if (sr_cursor_varint_with_flag(b, c, &priority)) {
		if (priority > INT32_MAX)
			sr_bytecode_fail(b, at, "invalid priority %llu", (unsigned long long)priority);
		dim.priority = (int)priority;
	}
	new_nested(b, out, SR_SDY_NESTED_DIM)->dim = dim;
}

/* Read a sharding. Version 2 adds the unreduced axes, version 3 their reduction kind. */
static void read_sharding(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out, int version)
{
	const uint8_t *at = c->at;
	struct sr_sdy_sharding s = {0};
	const struct sr_attr *m = sr_bytecode_attr(b, c);
	if (m->kind == SR_ATTR_MESH)
		s.mesh = m->mesh;
	else if (m->kind == SR_ATTR_SYMBOL)
		s.mesh_name = m->s;
	else
		sr_bytecode_fail(b, at, "the mesh of a sharding is neither a mesh nor a mesh name");
	s.rank = sr_cursor_count(b, c);
	struct sr_sdy_dim *dims = SR_NEW_ARRAY(b->arena, struct sr_sdy_dim, s.rank);
	for (int i = 0; i < s.rank; i++)
		dims[i] = sr_bytecode_sdy_nested(b, c, SR_SDY_NESTED_DIM)->dim;
	s.dims = dims;
	s.replicated = read_axis_refs(b, c);
	if (version >= 2)
		s.unreduced = read_axis_refs(b, c);
	if (version >= 3) {
		static const enum sr_unreduced_kind kinds[] = {SR_UNREDUCED_SUM, SR_UNREDUCED_MAX, SR_UNREDUCED_MIN};
		at = c->at;
		int64_t kind = sr_cursor_signed(b, c);
		if (kind < 0 || kind > 2)
			sr_bytecode_fail(b, at, "unknown reduction kind %lld", (long long)kind);
		s.unreduced_kind = kinds[kind];
	}
	out->attr = sr_attr_sharding(b->ctx, &s);
}

static void read_sharding_v1(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	read_sharding(b, c, out, 1);
}

static void read_sharding_v2(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	read_sharding(b, c, out, 2);
}

static void read_sharding_v3(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	read_sharding(b, c, out, 3);
}

static const struct sr_attr *const *read_attr_list(struct sr_bytecode *b, struct sr_cursor *c, enum sr_attr_kind kind,
						   const char *expected,
						   int *n)
{
	*n = sr_cursor_count(b, c);
	const struct sr_attr **list = SR_NEW_ARRAY(b->arena, const struct sr_attr *, *n);
	for (int i = 0; i < *n; i++)
		list[i] = sr_bytecode_attr_of(b, c, kind, expected);
	return list;
}

static void read_sharding_per_value(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	int n;
	const struct sr_attr *const *list = read_attr_list(b, c, SR_ATTR_SHARDING, "a sharding", &n);
	out->attr = sr_attr_shardings(b->ctx, list, n);
}

/* ---------------------------------------------------------------- sharding rules */

enum { MAX_FACTORS = 1 << 20 };

static struct sr_index_list read_factors(struct sr_bytecode *b, struct sr_cursor *c)
{
	const uint8_t *at = c->at;
	int n;
	const int64_t *factors = sr_cursor_signed_list(b, c, &n);
	int32_t *indices = SR_NEW_ARRAY(b->arena, int32_t, n);
	for (int i = 0; i < n; i++) {
		if (factors[i] < 0 || factors[i] >= MAX_FACTORS)
			sr_bytecode_fail(b, at, "invalid factor %lld in a sharding rule", (long long)factors[i]);
		indices[i] = (int32_t)factors[i];
	}
	return (struct sr_index_list){indices, n};
}

static void read_dim_mapping(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	struct sr_index_list factors = read_factors(b, c);
	new_nested(b, out, SR_SDY_NESTED_DIM_MAPPING)->dim_mapping = (struct sr_dim_mapping){factors.indices, factors.n};
}

static void read_tensor_mapping(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	int n = sr_cursor_count(b, c);
	struct sr_dim_mapping *dims = SR_NEW_ARRAY(b->arena, struct sr_dim_mapping, n);
	for (int i = 0; i < n; i++)
		dims[i] = sr_bytecode_sdy_nested(b, c, SR_SDY_NESTED_DIM_MAPPING)->dim_mapping;
	new_nested(b, out, SR_SDY_NESTED_TENSOR_MAPPING)->mapping = (struct sr_tensor_mapping){dims, n};
}

static const struct sr_tensor_mapping *read_mappings(struct sr_bytecode *b, struct sr_cursor *c, int *n)
{
	*n = sr_cursor_count(b, c);
	struct sr_tensor_mapping *mappings = SR_NEW_ARRAY(b->arena, struct sr_tensor_mapping, *n);
	for (int i = 0; i < *n; i++)
		mappings[i] = sr_bytecode_sdy_nested(b, c, SR_SDY_NESTED_TENSOR_MAPPING)->mapping;
	return mappings;
}

static void check_factors(struct sr_bytecode *b, const uint8_t *at, const struct sr_sharding_rule *rule,
			  const struct sr_tensor_mapping *mappings, int n)
{
	for (int i = 0; i < n; i++)
		for (int d = 0; d < mappings[i].rank; d++)
			for (int k = 0; k < mappings[i].dims[d].n; k++)
				if (mappings[i].dims[d].factors[k] >= rule->n_factors)
					sr_bytecode_fail(b, at, "a sharding rule with %d factors refers to factor %d",
							 rule->n_factors,
							 mappings[i].dims[d].factors[k]);
}

static void read_sharding_rule(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	const uint8_t *at = c->at;
	struct sr_sharding_rule rule = {0};
	rule.sizes = sr_cursor_signed_list(b, c, &rule.n_factors);
	rule.operands = read_mappings(b, c, &rule.n_operands);
	rule.results = read_mappings(b, c, &rule.n_results);
	struct sr_index_list *const kinds[] = {&rule.reduction, &rule.need_replication, &rule.permutation, &rule.blocked};
	for (int i = 0; i < 4; i++) {
		*kinds[i] = read_factors(b, c);
		for (int k = 0; k < kinds[i]->n; k++)
			if (kinds[i]->indices[k] >= rule.n_factors)
				sr_bytecode_fail(b, at, "a sharding rule with %d factors refers to factor %d", rule.n_factors,
						 kinds[i]->indices[k]);
	}
	rule.custom = sr_cursor_bool(b, c);
	check_factors(b, at, &rule, rule.operands, rule.n_operands);
	check_factors(b, at, &rule, rule.results, rule.n_results);
	out->attr = sr_attr_rule(b->ctx, &rule);
}

/* ---------------------------------------------------------------- lists of axes */

static void read_axis_list(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	struct sr_sdy_axes axes = read_axis_refs(b, c);
	out->attr = sr_attr_axes(b->ctx, axes.refs, axes.n);
}

static void read_axis_lists(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	int n;
	const struct sr_attr *const *list = read_attr_list(b, c, SR_ATTR_AXES, "a list of axes", &n);
	out->attr = sr_attr_axes_list(b->ctx, list, n);
}

static void read_all_to_all_param(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	struct sr_sdy_axes axes = read_axis_refs(b, c);
	const struct sr_attr *fields[3] = {sr_attr_axes(b->ctx, axes.refs, axes.n)};
	fields[1] = sr_attr_i64(b->ctx, sr_cursor_signed(b, c));
	fields[2] = sr_attr_i64(b->ctx, sr_cursor_signed(b, c));
	out->attr = sr_attr_struct(b->ctx, sr_attr_def_find("sdy", "all_to_all_param"), fields);
}

static void read_all_to_all_params(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	int n;
	const struct sr_attr *const *list = read_attr_list(b, c, SR_ATTR_STRUCT, "a parameter of an all-to-all", &n);
	out->attr = sr_attr_array(b->ctx, list, n);
}

static sdy_reader *const readers[] = {
    read_manual_axes,	 read_mesh_axis,	  read_mesh,
    read_sub_axis,	 read_axis_ref,		  read_dim_sharding,
    read_sharding_v1,	 read_sharding_per_value, read_dim_mapping,
    read_tensor_mapping, read_sharding_rule,	  read_axis_list,
    read_axis_lists,	 read_all_to_all_param,	  read_all_to_all_params,
    read_sharding_v2,	 read_sharding_per_value, read_sharding_v3,
};

void sr_bytecode_sdy_attr(struct sr_bytecode *b, struct sr_cursor *c, struct sr_bytecode_entry *out)
{
	const uint8_t *at = c->at;
	uint64_t code = sr_cursor_varint(b, c);
	if (code >= sizeof readers / sizeof readers[0])
		sr_bytecode_unsupported(b, at, "sdy attribute code %llu is not supported", (unsigned long long)code);
	readers[code](b, c, out);
}
