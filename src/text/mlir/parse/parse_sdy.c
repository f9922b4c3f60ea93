/* Parse Shardy's attributes. Each function starts at the attribute's body: after #sdy.name, or at the beginning if a form omits
 * that prefix. */
#include "text/mlir/parse/parser.h"
#include <string.h>

/* Text of upstream's follow-up message for an error inside a parameter of an attribute. */
#define FAILURE(attr, parameter) "failed to parse Sdy_" attr " parameter '" parameter "'"
#define FAILURE_TYPE(attr, parameter, type) FAILURE(attr, parameter) " which is to be a `::llvm::" type "`"

static struct sr_sdy_axis parse_axis_ref(struct sr_parser *p)
{
	struct sr_parse_context r;
	sr_parser_push_context(p, &r, FAILURE_TYPE("AxisRef", "name", "StringRef"));
	struct sr_sdy_axis ref = {sr_parser_string(p), 1, 0};
	sr_parser_pop_context(p);
	if (sr_parser_accept(p, ':')) {
		const char *position = p->tok;
		sr_parser_expect(p, '(');
		ref.pre = sr_parser_integer(p);
		sr_parser_expect(p, ')');
		ref.size = sr_parser_integer(p);
		const char *error = ref.pre < 1 ? "pre-size must be at least 1" : ref.size <= 1 ? "sizes must be greater than 1" : NULL;
		if (error) {
			sr_parser_report(p, position, "sub-axis %s: \"%s\":(%lld)%lld", error, ref.axis, (long long)ref.pre,
					 (long long)ref.size);
			ref = (struct sr_sdy_axis){ref.axis, 1, 0};
		}
	}
	return ref;
}

typedef SR_VEC(struct sr_sdy_axis) axis_refs;

/* Parse {"x", "y":(1)2}; also {"x", ?} if `is_open` is not NULL. `failure_note` is the follow-up message for errors in an axis;
 * NULL: none. */
static struct sr_sdy_axes parse_axis_list(struct sr_parser *p, bool *is_open, const char *failure_note)
{
	axis_refs refs = {0};
	struct sr_parse_context r;
	sr_parser_expect(p, '{');
	while (p->kind != '}') {
		if (is_open && sr_parser_accept(p, '?')) {
			*is_open = true;
			break;
		}
		sr_parser_push_context(p, &r, failure_note);
		struct sr_sdy_axis ref = parse_axis_ref(p);
		sr_parser_pop_context(p);
		sr_push(p->arena, &refs, ref);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, '}');
	return (struct sr_sdy_axes){refs.data, (int)refs.n};
}

static struct sr_sdy_axes parse_axes_with_note(struct sr_parser *p)
{
	return parse_axis_list(p, NULL, "failed to parse axis list which is expected to be an `ArrayRef<AxisRefAttr>`");
}

const struct sr_attr *sr_parser_axis(struct sr_parser *p)
{
	struct sr_sdy_axis ref = parse_axis_ref(p);
	return sr_attr_axes(p->ctx, &ref, 1);
}

const struct sr_attr *sr_parser_axes(struct sr_parser *p)
{
	struct sr_sdy_axes axes = parse_axis_list(p, NULL, NULL);
	return sr_attr_axes(p->ctx, axes.refs, axes.n);
}

/* Parse [a, b, ...], optionally in <>, with `item` for each element. */
static sr_attrs parse_bracketed_list(struct sr_parser *p, const struct sr_attr *(*item)(struct sr_parser *p))
{
	sr_attrs list = {0};
	bool has_angles = sr_parser_accept(p, '<');
	sr_parser_expect(p, '[');
	while (p->kind != ']') {
		const struct sr_attr *a = item(p);
		sr_push(p->arena, &list, a);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ']');
	if (has_angles)
		sr_parser_expect(p, '>');
	return list;
}

const struct sr_attr *sr_parser_axes_list(struct sr_parser *p)
{
	sr_attrs list = parse_bracketed_list(p, sr_parser_axes);
	return sr_attr_axes_list(p->ctx, list.data, (int)list.n);
}

/* Parse one parameter of an all_to_all: {"x"}: 0 -> 1. */
static const struct sr_attr *parse_all_to_all_param(struct sr_parser *p)
{
	const struct sr_attr *fields[3] = {sr_parser_axes(p), NULL, NULL};
	sr_parser_expect(p, ':');
	fields[1] = sr_attr_i64(p->ctx, sr_parser_integer(p));
	sr_parser_expect(p, SR_TOK_ARROW);
	fields[2] = sr_attr_i64(p->ctx, sr_parser_integer(p));
	return sr_attr_struct(p->ctx, sr_attr_def_find("sdy", "all_to_all_param"), fields);
}

const struct sr_attr *sr_parser_all_to_all_params(struct sr_parser *p)
{
	sr_attrs list = parse_bracketed_list(p, parse_all_to_all_param);
	return sr_attr_array(p->ctx, list.data, (int)list.n);
}

const struct sr_attr *sr_parser_mesh(struct sr_parser *p)
{
	SR_VEC(struct sr_axis) axes = {0};
	sr_integers ids = {0};
	bool has_ids = false;
	struct sr_parse_context r;
	sr_parser_expect(p, '<');
	sr_parser_expect(p, '[');
	sr_parser_push_context(p, &r, FAILURE_TYPE("Mesh", "axes", "ArrayRef<MeshAxisAttr>"));
	while (p->kind != ']') {
		struct sr_axis axis = {sr_parser_string(p), 0};
		sr_parser_expect(p, '=');
		const char *position = p->tok;
		axis.size = sr_parser_integer(p);
		if (axis.size < 1)
			sr_parser_fail(p, position, "axis size must be at least 1, got: %lld", (long long)axis.size);
		sr_push(p->arena, &axes, axis);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_pop_context(p);
	sr_parser_expect(p, ']');
	if (sr_parser_accept(p, ',')) {
		sr_parser_expect_word(p, "device_ids");
		sr_parser_expect(p, '=');
		sr_parser_integers(p, &ids);
		has_ids = ids.n > 0;
	}
	sr_parser_expect(p, '>');
	bool is_identity = axes.n > 0;
	for (size_t i = 0; i < ids.n; i++)
		is_identity = is_identity && ids.data[i] == (int64_t)i;
	struct sr_mesh mesh = {axes.data, (int)axes.n, NULL, 0};
	if (has_ids && !(is_identity && (int64_t)ids.n == sr_mesh_devices(&mesh))) {
		mesh.device_ids = ids.data;
		mesh.n_device_ids = (int)ids.n;
	}
	return sr_attr_mesh(p->ctx, &mesh);
}

/* Parse a dimension's priority, p<number>; return -1 if there is none. */
static int parse_priority(struct sr_parser *p)
{
	if (p->kind != SR_TOK_BARE)
		return -1;
	bool is_valid = p->len >= 2 && p->tok[0] == 'p', fits_64_bits = true;
	int v = 0;
	for (size_t i = 1; i < p->len && is_valid; i++) {
		is_valid = p->tok[i] >= '0' && p->tok[i] <= '9';
		fits_64_bits = fits_64_bits && !__builtin_mul_overflow(v, 10, &v) &&
			       !__builtin_add_overflow(v, p->tok[i] - '0', &v);
	}
	if (!is_valid)
		sr_parser_fail(p, p->tok, "expecting priority in format 'p<number>', got: %.*s", (int)p->len, p->tok);
	if (p->len > 2 && p->tok[1] == '0')
		sr_parser_fail(p, p->tok, "priorities with leading zeros are not allowed, got: %.*s", (int)p->len, p->tok);
	if (!fits_64_bits)
		sr_parser_fail(p, p->tok, "expecting integer priority, got: %.*s", (int)p->len, p->tok);
	sr_parser_next(p);
	return v;
}

static void parse_sharding_tail(struct sr_parser *p, struct sr_sdy_sharding *s)
{
	struct sr_parse_context r;
	while (sr_parser_accept(p, ',')) {
		if (s->replicated.n == 0 && sr_parser_accept_word(p, "replicated")) {
			sr_parser_push_context(p, &r, FAILURE("TensorSharding", "replicated_axes"));
			sr_parser_expect(p, '=');
			s->replicated = parse_axes_with_note(p);
			sr_parser_pop_context(p);
		} else if (s->unreduced.n == 0 && sr_parser_accept_word(p, "unreduced")) {
			sr_parser_push_context(p, &r, FAILURE("TensorSharding", "unreduced_axes"));
			sr_parser_accept(p, '=');
			if (sr_parser_accept_word(p, "max"))
				s->unreduced_kind = SR_UNREDUCED_MAX;
			else if (sr_parser_accept_word(p, "min"))
				s->unreduced_kind = SR_UNREDUCED_MIN;
			else
				sr_parser_accept_word(p, "sum");
			s->unreduced = parse_axes_with_note(p);
			sr_parser_pop_context(p);
		} else {
			sr_parser_fail(p, p->tok, "failed to parse Sdy_TensorSharding, expected valid named axis list after comma");
		}
	}
}

const struct sr_attr *sr_parser_sharding(struct sr_parser *p)
{
	struct sr_sdy_sharding s = {0};
	struct sr_parse_context r;
	SR_VEC(struct sr_sdy_dim) dims = {0};
	sr_parser_expect(p, '<');
	if (sr_parser_accept_word(p, "mesh")) {
		s.mesh = sr_parser_mesh(p)->mesh;
	} else {
		if (p->kind != SR_TOK_AT)
			sr_parser_expected(p, "a mesh or the name of one");
		s.mesh_name = sr_parser_symbol(p);
	}
	sr_parser_expect(p, ',');
	sr_parser_expect(p, '[');
	sr_parser_push_context(p, &r, FAILURE_TYPE("TensorSharding", "dim_shardings", "ArrayRef<DimensionShardingAttr>"));
	while (p->kind != ']') {
		bool is_open = false;
		struct sr_sdy_dim dim = {.axes = parse_axis_list(p, &is_open, NULL)};
		dim.closed = !is_open;
		dim.priority = parse_priority(p);
		sr_push(p->arena, &dims, dim);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_pop_context(p);
	sr_parser_expect(p, ']');
	s.dims = dims.data;
	s.rank = (int)dims.n;
	parse_sharding_tail(p, &s);
	sr_parser_expect(p, '>');
	return sr_attr_sharding(p->ctx, &s);
}

const struct sr_attr *sr_parser_shardings(struct sr_parser *p)
{
	sr_attrs list = {0};
	struct sr_parse_context r;
	sr_parser_expect(p, '[');
	sr_parser_push_context(p, &r, FAILURE_TYPE("TensorShardingPerValue", "shardings", "ArrayRef<TensorShardingAttr>"));
	while (p->kind != ']') {
		const struct sr_attr *a = p->kind == SR_TOK_HASH ? sr_parser_attr(p, NULL) : sr_parser_sharding(p);
		if (a->kind != SR_ATTR_SHARDING)
			sr_parser_fail(p, p->tok, "expected a sharding");
		sr_push(p->arena, &list, a);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_pop_context(p);
	sr_parser_expect(p, ']');
	return sr_attr_shardings(p->ctx, list.data, (int)list.n);
}

/* ---------------------------------------------------------------- sharding rules: factors are i..z, then z_1, z_2, ... */

enum { LAST_LETTER = 'z' - 'i', MAX_FACTORS = 1 << 20 };

/* Parse one factor symbol at *at and advance *at. */
static int32_t parse_factor(struct sr_parser *p, const char **at, const char *end)
{
	const char *s = *at;
	if (end - s < 2 || s[0] != 'z' || s[1] != '_') {
		if (*s < 'i' || *s > 'z')
			sr_parser_fail(p, s, "expecting symbol from 'i' to 'z'. Received: '%c'", *s);
		*at = s + 1;
		return *s - 'i';
	}
	int64_t v = 0;
	bool fits_64_bits = true;
	const char *digits = s += 2;
	for (; s < end && *s >= '0' && *s <= '9'; s++)
		fits_64_bits = fits_64_bits && !__builtin_mul_overflow(v, 10, &v) && !__builtin_add_overflow(v, *s - '0', &v);
	if (s == digits)
		sr_parser_fail(p, *at, "expecting integer after 'z_'. Received: '%.*s'", (int)(end - *at), *at);
	if (*digits == '0')
		sr_parser_fail(p, *at, "expecting positive integer without leading zeros. Received: '%.*s'", (int)(s - digits), digits);
	if (!fits_64_bits)
		sr_parser_report(p, *at, "expecting symbol index <=2^63-1. Received: '%.*s'", (int)(s - digits), digits);
	*at = s;
	return LAST_LETTER + (fits_64_bits && v < MAX_FACTORS ? (int32_t)v : MAX_FACTORS);
}

static const char *factor_symbol(struct sr_parser *p, int32_t factor_index)
{
	if (factor_index <= LAST_LETTER)
		return sr_printf(p->arena, "%c", 'i' + factor_index);
	return sr_printf(p->arena, "z_%d", factor_index - LAST_LETTER);
}

typedef SR_VEC(int32_t) factors;

static struct sr_tensor_mapping parse_tensor_mapping(struct sr_parser *p)
{
	SR_VEC(struct sr_dim_mapping) dims = {0};
	struct sr_parse_context r;
	sr_parser_expect(p, '[');
	if (sr_parser_accept(p, ']'))
		return (struct sr_tensor_mapping){0};
	sr_parser_push_context(p, &r, FAILURE("TensorMapping", "dim_mappings"));
	do {
		factors list = {0};
		if (p->kind == SR_TOK_BARE) {
			const char *at = p->tok, *end = p->tok + p->len;
			while (at < end) {
				int32_t f = parse_factor(p, &at, end);
				sr_push(p->arena, &list, f);
			}
			sr_parser_next(p);
		}
		struct sr_dim_mapping dim = {list.data, (int)list.n};
		sr_push(p->arena, &dims, dim);
	} while (sr_parser_accept(p, ','));
	sr_parser_pop_context(p);
	sr_parser_expect(p, ']');
	return (struct sr_tensor_mapping){dims.data, (int)dims.n};
}

static const struct sr_tensor_mapping *parse_mappings(struct sr_parser *p, const char *failure_note, int *n)
{
	SR_VEC(struct sr_tensor_mapping) list = {0};
	struct sr_parse_context r;
	sr_parser_expect(p, '(');
	sr_parser_push_context(p, &r, failure_note);
	do {
		struct sr_tensor_mapping m = parse_tensor_mapping(p);
		sr_push(p->arena, &list, m);
	} while (sr_parser_accept(p, ','));
	sr_parser_pop_context(p);
	sr_parser_expect(p, ')');
	*n = (int)list.n;
	return list.data;
}

static void parse_factor_sizes(struct sr_parser *p, struct sr_sharding_rule *rule)
{
	sr_integers sizes = {0};
	if (!sr_parser_accept(p, '{'))
		return;
	while (p->kind != '}') {
		const char *position = p->tok;
		if (p->kind != SR_TOK_BARE)
			sr_parser_expected(p, "factor symbol");
		const char *at = p->tok;
		int32_t f = parse_factor(p, &at, p->tok + p->len);
		if (f != (int32_t)sizes.n)
			sr_parser_fail(p, position,
				       "expecting factor indices to be ordered like an iota ([0,1,2,...], e.g. {i=#, j=#, ...}). Expecting "
				       "factor index symbol '%s', received: '%.*s'",
				       factor_symbol(p, (int32_t)sizes.n), (int)(at - position), position);
		if (at != p->tok + p->len)
			sr_parser_fail(p, at, "expecting single factor symbol: %.*s", (int)(p->tok + p->len - at), at);
		sr_parser_next(p);
		sr_parser_expect(p, '=');
		int64_t size = sr_parser_integer(p);
		sr_push(p->arena, &sizes, size);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, '}');
	rule->sizes = sizes.data;
	rule->n_factors = (int)sizes.n;
}

static struct sr_index_list parse_special_factors(struct sr_parser *p, const char *word)
{
	factors list = {0};
	if (!sr_parser_accept_word(p, word))
		return (struct sr_index_list){0};
	sr_parser_expect(p, '=');
	sr_parser_expect(p, '{');
	while (p->kind == SR_TOK_BARE) {
		const char *at = p->tok;
		int32_t f = parse_factor(p, &at, p->tok + p->len);
		sr_push(p->arena, &list, f);
		sr_parser_next(p);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, '}');
	return (struct sr_index_list){list.data, (int)list.n};
}

/* Parse <([i, j])->([i, j]) {i=2, j=2}>. */
static const struct sr_attr *parse_rule(struct sr_parser *p)
{
	struct sr_sharding_rule rule = {0};
	sr_parser_expect(p, '<');
	rule.operands = parse_mappings(p, FAILURE("OpShardingRule", "operand_mappings"), &rule.n_operands);
	sr_parser_expect(p, SR_TOK_ARROW);
	rule.results = parse_mappings(p, FAILURE("OpShardingRule", "result_mappings"), &rule.n_results);
	parse_factor_sizes(p, &rule);
	rule.reduction = parse_special_factors(p, "reduction");
	rule.need_replication = parse_special_factors(p, "need_replication");
	rule.permutation = parse_special_factors(p, "permutation");
	rule.blocked = parse_special_factors(p, "blocked_propagation");
	if (sr_parser_accept(p, ',')) {
		sr_parser_expect_word(p, "custom");
		rule.custom = true;
	}
	sr_parser_expect(p, '>');
	return sr_attr_rule(p->ctx, &rule);
}

const struct sr_attr *sr_parser_sdy(struct sr_parser *p, const char *name)
{
	static const struct {
		const char *name;
		const struct sr_attr *(*parse)(struct sr_parser *p);
	} attr_parsers[] = {
		{"mesh", sr_parser_mesh},
		{"sharding", sr_parser_sharding},
		{"manual_axes", sr_parser_axes},
		{"axis_ref_list", sr_parser_axes},
		{"list_of_axis_ref_lists", sr_parser_axes_list},
		{"all_to_all_param_list", sr_parser_all_to_all_params},
		{"op_sharding_rule", parse_rule},
		{"propagation_edges", sr_parser_propagation_edges},
	};
	for (size_t i = 0; i < sizeof attr_parsers / sizeof attr_parsers[0]; i++)
		if (!strcmp(attr_parsers[i].name, name))
			return attr_parsers[i].parse(p);
	if (strcmp(name, "sharding_per_value"))
		return NULL;
	sr_parser_expect(p, '<');
	const struct sr_attr *a = sr_parser_shardings(p);
	sr_parser_expect(p, '>');
	return a;
}
