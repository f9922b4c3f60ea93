/* Create and read attributes. A dense constant whose elements are all equal is stored as a splat. */
#include "ir/ir.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>

const struct sr_attr *sr_attr_unit(struct sr_context *ctx)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_UNIT});
}

const struct sr_attr *sr_attr_bool(struct sr_context *ctx, bool v)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_BOOL, .i = v});
}

const struct sr_attr *sr_attr_int(struct sr_context *ctx, int64_t v, const struct sr_type *type)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_INTEGER, .i = v, .type = type});
}

const struct sr_attr *sr_attr_i64(struct sr_context *ctx, int64_t v)
{
	return sr_attr_int(ctx, v, sr_type_scalar(ctx, SR_I64));
}

const struct sr_attr *sr_attr_i32(struct sr_context *ctx, int64_t v)
{
	return sr_attr_int(ctx, v, sr_type_scalar(ctx, SR_I32));
}

const struct sr_attr *sr_attr_float(struct sr_context *ctx, double v, const struct sr_type *type)
{
	int64_t bits = (int64_t)sr_float_encode(type->dtype, v);
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_FLOAT, .i = bits, .type = type});
}

const struct sr_attr *sr_attr_string(struct sr_context *ctx, const char *s, size_t n)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_STRING, .s = sr_intern_n(ctx, s, n)});
}

const struct sr_attr *sr_attr_symbol(struct sr_context *ctx, const char *name)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_SYMBOL, .s = sr_intern(ctx, name)});
}

const struct sr_attr *sr_attr_type(struct sr_context *ctx, const struct sr_type *t)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_TYPE, .type = t});
}

static const struct sr_attr *intern_list(struct sr_context *ctx, enum sr_attr_kind kind, const struct sr_attr *const *list, int n)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = kind, .list = list, .n = n});
}

const struct sr_attr *sr_attr_array(struct sr_context *ctx, const struct sr_attr *const *list, int n)
{
	return intern_list(ctx, SR_ATTR_ARRAY, list, n);
}

const struct sr_attr *sr_attr_shardings(struct sr_context *ctx, const struct sr_attr *const *list, int n)
{
	return intern_list(ctx, SR_ATTR_SHARDINGS, list, n);
}

const struct sr_attr *sr_attr_axes_list(struct sr_context *ctx, const struct sr_attr *const *list, int n)
{
	return intern_list(ctx, SR_ATTR_AXES_LIST, list, n);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct sr_named_attr *)a)->name, ((const struct sr_named_attr *)b)->name);
}

const struct sr_attr *sr_attr_dict(struct sr_context *ctx, const struct sr_named_attr *entries, int n)
{
	struct sr_named_attr *sorted_entries = sr_dup(ctx->arena, entries, (size_t)n, sizeof *entries);
	qsort(sorted_entries, (size_t)n, sizeof *sorted_entries, compare_names);
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_DICT, .entries = sorted_entries, .n = n});
}

/* ---------------------------------------------------------------- sdy, locations */

const struct sr_attr *sr_attr_mesh(struct sr_context *ctx, const struct sr_mesh *mesh)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_MESH, .mesh = mesh});
}

const struct sr_attr *sr_attr_sharding(struct sr_context *ctx, const struct sr_sdy_sharding *s)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_SHARDING, .sharding = s});
}

const struct sr_attr *sr_attr_axes(struct sr_context *ctx, const struct sr_sdy_axis *refs, int n)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_AXES, .axes = &(struct sr_sdy_axes){refs, n}});
}

const struct sr_attr *sr_attr_rule(struct sr_context *ctx, const struct sr_sharding_rule *rule)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_RULE, .rule = rule});
}

const struct sr_attr *sr_loc_file(struct sr_context *ctx, const char *file, int line, int col)
{
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_LOC_FILE, .s = sr_intern(ctx, file), .line = line, .col = col});
}

const struct sr_attr *sr_loc_name(struct sr_context *ctx, const char *name, const struct sr_attr *child)
{
	const struct sr_attr *list[] = {child ? child : ctx->unknown_loc};
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_LOC_NAME, .s = sr_intern(ctx, name), .list = list, .n = 1});
}

static const struct sr_attr *find_file_loc(const struct sr_attr *loc, int depth)
{
	if (!loc || depth > 64 || loc->kind == SR_LOC_FILE)
		return depth > 64 ? NULL : loc;
	for (int i = 0; loc->list && i < loc->n; i++) {
		const struct sr_attr *inner_loc = find_file_loc(loc->list[i], depth + 1);
		if (inner_loc)
			return inner_loc;
	}
	return NULL;
}

struct sr_src_loc sr_loc_source(const struct sr_attr *loc)
{
	const struct sr_attr *file = find_file_loc(loc, 0);
	return file ? (struct sr_src_loc){file->s, file->line, file->col} : (struct sr_src_loc){0};
}

/* ---------------------------------------------------------------- constants */

const struct sr_attr *sr_attr_dense_array(struct sr_context *ctx, const struct sr_type *element, const void *data, int64_t n)
{
	struct sr_dense dense = {.data = data, .n_bytes = n * sr_dtype_bytes(element->dtype)};
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_DENSE_ARRAY, .type = element, .dense = &dense});
}

const struct sr_attr *sr_attr_i64s(struct sr_context *ctx, const int64_t *v, int64_t n)
{
	return sr_attr_dense_array(ctx, sr_type_scalar(ctx, SR_I64), v, n);
}

const struct sr_attr *sr_attr_bools(struct sr_context *ctx, const bool *v, int64_t n)
{
	return sr_attr_dense_array(ctx, sr_type_scalar(ctx, SR_I1), v, n);
}

/* Return true if all elements are equal, which is so if the buffer equals itself shifted by one element. */
static bool is_splat_data(const char *data, int64_t n_bytes, int64_t size)
{
	return n_bytes <= size || memcmp(data, data + size, (size_t)(n_bytes - size)) == 0;
}

const struct sr_attr *sr_attr_dense(struct sr_context *ctx, const struct sr_type *tensor, const void *data, int64_t n_bytes)
{
	int64_t size = sr_dtype_bytes(tensor->dtype), n = 0;
	bool is_static = sr_type_elements(tensor, &n);
	bool is_splat = n_bytes > 0 && (!is_static || n > 0) && is_splat_data(data, n_bytes, size);
	int64_t n_stored = is_static && n == 0 ? 0 : is_splat ? size : n_bytes;
	struct sr_dense dense = {.data = sr_dup(ctx->arena, data, (size_t)n_stored, 1), .n_bytes = n_stored, .splat = is_splat};
	return sr_attr_intern(ctx, &(struct sr_attr){.kind = SR_ATTR_DENSE, .type = tensor, .dense = &dense});
}

const struct sr_attr *sr_attr_dense_i64(struct sr_context *ctx, int rank, const int64_t *shape, const int64_t *v)
{
	const struct sr_type *type = sr_type_tensor(ctx, SR_I64, rank, shape);
	int64_t n_bytes = 0;
	if (!sr_type_bytes(type, &n_bytes))
		sr_arena_unwind(ctx->arena);
	return sr_attr_dense(ctx, type, v, n_bytes);
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 32) - 'a' + 10;
}

static const void *decode_hex(struct sr_arena *arena, enum sr_dtype type, const char *hex, int64_t n_bytes)
{
	unsigned char *out = sr_alloc(arena, (size_t)n_bytes, 1);
	for (int64_t i = 0; i < n_bytes; i++)
		out[i] = (unsigned char)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
	sr_elements_extend(type, out, n_bytes);
	return out;
}

static const void *repeat_element(struct sr_arena *arena, const void *element, int64_t size, int64_t n_bytes)
{
	char *out = sr_alloc(arena, (size_t)n_bytes, 1);
	for (int64_t at = 0; at < n_bytes; at += size)
		memcpy(out + at, element, (size_t)size);
	return out;
}

const void *sr_dense_data(struct sr_context *ctx, const struct sr_attr *a, bool expand_splat, int64_t *n_bytes)
{
	/* Decode hex digits on first use and store the bytes. No other code modifies an interned attribute. */
	struct sr_dense *d = (struct sr_dense *)a->dense;
	if (!d || d->strings)
		return NULL;
	if (!d->data && d->hex)
		d->data = decode_hex(ctx->arena, a->type->dtype, d->hex, d->n_bytes);
	*n_bytes = d->n_bytes;
	if (!expand_splat || !d->splat)
		return d->data;
	int64_t total_bytes = 0;
	if (!sr_type_bytes(a->type, &total_bytes))
		return NULL;
	*n_bytes = total_bytes;
	return total_bytes == d->n_bytes ? d->data : repeat_element(ctx->arena, d->data, d->n_bytes, total_bytes);
}

/* ---------------------------------------------------------------- reading */

const struct sr_attr *sr_dict_get(const struct sr_attr *dict, const char *name)
{
	for (int i = 0; dict && dict->kind == SR_ATTR_DICT && i < dict->n; i++)
		if (dict->entries[i].name == name || strcmp(dict->entries[i].name, name) == 0)
			return dict->entries[i].value;
	return NULL;
}

static bool ints_of_list(struct sr_context *ctx, const struct sr_attr *a, const int64_t **v, int64_t *n)
{
	int64_t *out = SR_NEW_ARRAY(ctx->arena, int64_t, a->n);
	for (int i = 0; i < a->n; i++) {
		if (a->list[i]->kind != SR_ATTR_INTEGER && a->list[i]->kind != SR_ATTR_BOOL)
			return false;
		out[i] = a->list[i]->i;
	}
	*v = out;
	*n = a->n;
	return true;
}

bool sr_attr_ints(struct sr_context *ctx, const struct sr_attr *a, const int64_t **v, int64_t *n)
{
	if (!a)
		return false;
	if (a->kind == SR_ATTR_ARRAY)
		return ints_of_list(ctx, a, v, n);
	if ((a->kind != SR_ATTR_DENSE && a->kind != SR_ATTR_DENSE_ARRAY) || !sr_dtype_is_integer(a->type->dtype))
		return false;
	int64_t n_bytes = 0, size = sr_dtype_bytes(a->type->dtype);
	const char *data = sr_dense_data(ctx, a, true, &n_bytes);
	if (!data)
		return false;
	*n = n_bytes / size;
	if (a->type->dtype == SR_I64 && (uintptr_t)data % _Alignof(int64_t) == 0) { /* Elements of type i64 need no conversion. */
		*v = (const int64_t *)(const void *)data;
		return true;
	}
	int64_t *out = SR_NEW_ARRAY(ctx->arena, int64_t, *n);
	for (int64_t i = 0; i < *n; i++)
		sr_element_get(a->type->dtype, data + i * size, &out[i], NULL, NULL);
	*v = out;
	return true;
}
