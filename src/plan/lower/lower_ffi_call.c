/* Lower custom calls to XLA FFI handlers: operands, results and attributes are passed as in the call. Attributes are a
 * dictionary in backend_config or, as JAX writes them, in mhlo.backend_config. Operands and results whose layouts are not row-major
 * are copied into and from buffers of these layouts, with the extents that the call has. */
#include "plan/lower/lower.h"
#include "dialect/infer/infer.h"
#include "dialect/attr_names.h"
#include "support/checked.h"
#include <string.h>

bool sr_is_ffi_target(const struct sr_plan_builder *b, const char *target)
{
	for (size_t i = 0; i < b->options->n_calls; i++)
		if (!strcmp(b->options->calls[i], target))
			return true;
	return false;
}

/* The attributes of a call while they are encoded: entries, and the bytes of arrays. */
struct attrs {
	struct sr_plan_builder *b;
	SR_VEC(struct sr_custom_attr) list;
	struct sr_buf bytes;
};

static bool add_array(struct attrs *a, const struct sr_attr *attr, struct sr_custom_attr *out)
{
	int64_t n;
	const void *data = attr->type->dtype == SR_DTYPE_NONE ? NULL : sr_dense_data(a->b->ctx, attr, true, &n);
	size_t size = (size_t)sr_dtype_bytes(attr->type->dtype);
	if (!data || (size_t)n / size > UINT32_MAX)
		return false;
	*out = (struct sr_custom_attr){.kind = SR_CUSTOM_ARRAY, .dtype = (uint8_t)attr->type->dtype};
	out->n = (uint32_t)((size_t)n / size);
	out->payload = sr_buf_put_aligned(&a->bytes, data, (size_t)n);
	return true;
}

static bool add_scalar(enum sr_dtype type, int64_t bits, struct sr_custom_attr *out)
{
	*out = (struct sr_custom_attr){.kind = SR_CUSTOM_SCALAR, .dtype = (uint8_t)type};
	memcpy(&out->payload, &bits, sizeof bits);
	return type != SR_DTYPE_NONE && sr_dtype_bytes(type) <= 8;
}

/* Encode an attribute other than a dictionary. Return false if the FFI has no such kind of attribute. */
static bool add_leaf(struct attrs *a, const struct sr_attr *attr, struct sr_custom_attr *out)
{
	switch (attr->kind) {
	case SR_ATTR_BOOL:
		return add_scalar(SR_I1, attr->i, out);
	case SR_ATTR_INTEGER:
	case SR_ATTR_FLOAT:
		return add_scalar(attr->type ? attr->type->dtype : SR_I64, attr->i, out);
	case SR_ATTR_STRING:
	case SR_ATTR_SYMBOL:
		*out = (struct sr_custom_attr){.kind = SR_CUSTOM_STRING, .n = (uint32_t)strlen(attr->s)};
		out->payload = sr_plan_add_text(a->b, attr->s);
		return true;
	case SR_ATTR_DENSE:
	case SR_ATTR_DENSE_ARRAY:
		return add_array(a, attr, out);
	default:
		return false;
	}
}

/* Encode a dictionary: its entries, sorted by name, consecutively from *first on, then those of nested dictionaries. Return the
 * name of an attribute that cannot be encoded, or NULL. */
static const char *add_all(struct attrs *a, const struct sr_attr *dict, uint64_t *first)
{
	*first = a->list.n;
	for (int i = 0; i < dict->n; i++)
		sr_push(a->b->arena, &a->list, (struct sr_custom_attr){0});
	for (int i = 0; i < dict->n; i++) {
		const struct sr_attr *attr = dict->entries[i].value;
		struct sr_custom_attr custom_attr = {.kind = SR_CUSTOM_DICTIONARY, .n = (uint32_t)attr->n};
		const char *bad = attr->kind == SR_ATTR_DICT ? add_all(a, attr, &custom_attr.payload)
				  : add_leaf(a, attr, &custom_attr)	? NULL
								: dict->entries[i].name;
		if (bad)
			return bad;
		custom_attr.name = sr_plan_add_text(a->b, dict->entries[i].name);
		a->list.data[*first + (uint64_t)i] = custom_attr;
	}
	return NULL;
}

static const struct sr_attr *backend_config(const struct sr_op *op)
{
	const struct sr_attr *jax = sr_op_attr(op, "mhlo.backend_config"), *own = sr_op_attr(op, SR_NAME_backend_config);
	return jax && jax->kind == SR_ATTR_DICT ? jax : own && own->kind == SR_ATTR_DICT ? own : NULL;
}

/* Set out[r] to 1 + the input whose memory result r takes (output_operand_aliases), 0: none. Return false for an alias of a
 * tuple element, or of another type. */
static bool read_aliases(const struct sr_plan_builder *b, const struct sr_op *op, int64_t *out)
{
	const struct sr_attr *aliases = sr_op_attr(op, "output_operand_aliases");
	for (int i = 0; aliases && i < aliases->n; i++) {
		const struct sr_attr *alias = aliases->list[i], *operand = sr_attr_field(alias, "operand_index");
		const int64_t *operand_indices, *result_indices;
		int64_t n_operand_indices = 0, n_result_indices = 0;
		sr_struct_ints(b->ctx, alias, "operand_tuple_indices", &operand_indices, &n_operand_indices);
		sr_struct_ints(b->ctx, alias, "output_tuple_indices", &result_indices, &n_result_indices);
		int64_t result = n_result_indices ? result_indices[0] : 0;
		if (!operand || n_operand_indices || n_result_indices > 1 || operand->i < 0 || operand->i >= op->n_operands ||
		    result < 0 || result >= op->n_results ||
		    sr_operand(op, (int)operand->i)->type != sr_result(op, (int)result)->type)
			return false;
		out[result] = 1 + operand->i;
	}
	return true;
}

static bool is_passed(const struct sr_type *t)
{
	return sr_is_ranked(t) && t->dtype != SR_DTYPE_NONE && t->rank <= SR_KERNEL_MAX_RANK;
}

static bool has_types(const struct sr_op *op)
{
	bool all_passed = true;
	for (int i = 0; i < op->n_operands; i++)
		all_passed = all_passed && is_passed(sr_operand(op, i)->type);
	for (int i = 0; i < op->n_results; i++)
		all_passed = all_passed && is_passed(sr_result(op, i)->type);
	return all_passed;
}

static void put_types(struct sr_plan_builder *b, const struct sr_type *t)
{
	sr_plan_add_ids(b, (int64_t[]){t->dtype, t->rank}, 2);
	sr_plan_add_ids(b, t->shape, t->rank);
}

/* Return the dimensions of value i from minor to major in memory, if `layouts` gives another order than row-major; else NULL. */
static const int64_t *layout_of(const struct sr_plan_builder *b, const struct sr_attr *layouts, int i, const struct sr_type *t)
{
	const int64_t *minor_to_major;
	int64_t n;
	if (!layouts || !sr_attr_ints(b->ctx, layouts->list[i], &minor_to_major, &n) || n != t->rank)
		return NULL;
	for (int d = 0; d < t->rank; d++)
		if (minor_to_major[d] != t->rank - 1 - d)
			return minor_to_major;
	return NULL;
}

/* Append a copy between a row-major buffer and one of another layout: from the row-major buffer if `out` is false. */
static void copy_layout(struct sr_plan_builder *b, const struct sr_type *t, const int64_t *minor_to_major, int row_major,
			int laid_out, bool out)
{
	struct sr_move_params m;
	int64_t stride = 1, *strides = out ? m.src_stride : m.dst_stride;
	sr_move_init(&m, t->dtype, t->rank, t->shape);
	for (int k = 0; k < t->rank; k++) {
		strides[minor_to_major[k]] = stride;
		stride *= t->shape[minor_to_major[k]];
	}
	sr_plan_add_move(b, out ? laid_out : row_major, out ? row_major : laid_out, &m);
}

/* Set buffers[] to the buffers of the operands, then of the results. Append the copies of operands. */
static void set_buffers(struct sr_plan_builder *b, const struct sr_op *op, int *buffers)
{
	const struct sr_attr *in = sr_op_attr(op, SR_NAME_operand_layouts), *out = sr_op_attr(op, "result_layouts");
	for (int i = 0; i < op->n_operands + op->n_results; i++) {
		int r = i - op->n_operands;
		struct sr_value *v = r < 0 ? sr_operand(op, i) : sr_result(op, r);
		const int64_t *layout = layout_of(b, r < 0 ? in : out, r < 0 ? i : r, v->type);
		put_types(b, v->type);
		buffers[i] = layout ? sr_plan_buffer(b, sr_plan_dtype(v), sr_plan_elements(b, v)) : sr_plan_buffer_for(b, v);
		if (layout && r < 0)
			copy_layout(b, v->type, layout, sr_plan_buffer_for(b, v), buffers[i], false);
	}
}

static void copy_results(struct sr_plan_builder *b, const struct sr_op *op, const int *buffers)
{
	const struct sr_attr *out = sr_op_attr(op, "result_layouts");
	for (int r = 0; r < op->n_results; r++) {
		struct sr_value *v = sr_result(op, r);
		const int64_t *layout = layout_of(b, out, r, v->type);
		if (layout)
			copy_layout(b, v->type, layout, sr_plan_buffer_for(b, v), buffers[op->n_operands + r], true);
	}
}

enum sr_status sr_lower_ffi_call(struct sr_plan_builder *b, struct sr_op *op, const char *target)
{
	struct attrs attrs = {.b = b};
	struct sr_custom_call_instr instr = {.description = sr_plan_add_printable_text(b, sr_printf(b->arena, "@%s", target)),
				      .name = sr_plan_add_text(b, target),
				      .n_inputs = op->n_operands};
	const struct sr_attr *config = backend_config(op);
	int n = op->n_operands + op->n_results, *buffers = SR_NEW_ARRAY(b->arena, int, n);
	int64_t *aliased_operands = SR_NEW_ARRAY(b->arena, int64_t, op->n_results);
	uint64_t first;
	if (b->lanes || !has_types(op) || !read_aliases(b, op, aliased_operands))
		return sr_lower_unsupported(b, op, "calls an FFI handler with operands, results or aliases that are not tensors");
	sr_buf_init(&attrs.bytes, b->arena);
	const char *bad = config ? add_all(&attrs, config, &first) : NULL;
	if (bad)
		return sr_lower_unsupported(b, op, sr_printf(b->arena,
							     "has the attribute '%s', of a kind that FFI handlers cannot take",
								     bad));
	instr.n_attrs = (uint32_t)attrs.list.n;
	instr.n_top = config ? (uint32_t)config->n : 0;
	instr.n_bytes = (uint32_t)attrs.bytes.n;
	instr.types = b->ids.n;
	set_buffers(b, op, buffers);
	sr_plan_add_ids(b, aliased_operands, op->n_results);
	struct sr_buf params;
	sr_buf_init(&params, b->arena);
	sr_buf_put(&params, (const char *)&instr, sizeof instr);
	if (attrs.list.n)
		sr_buf_put(&params, (const char *)attrs.list.data, attrs.list.n * sizeof *attrs.list.data);
	if (attrs.bytes.n)
		sr_buf_put(&params, attrs.bytes.data, attrs.bytes.n);
	sr_plan_add_instr(b, SR_INSTR_CUSTOM_CALL, buffers, n, params.data, params.n);
	copy_results(b, op, buffers);
	return SR_OK;
}
