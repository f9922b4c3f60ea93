/* The table of a safetensors file: eight bytes of length, then that many bytes of JSON:
 *
 *	{"__metadata__": {"format": "pt"}, "wte": {"dtype": "BF16", "shape": [50257, 768], "data_offsets": [0, 77194752]}}
 *
 * Metadata is ignored. The byte ranges of the tensors may be in any order but must cover the data exactly once. */
#include "io/safetensors.h"
#include "io/unique_names.h"
#include "io/slice.h"
#include "support/buf.h"
#include "support/checked.h"
#include "support/json.h"
#include "support/json_read.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_BYTES = 8, MAX_TABLE_BYTES = 100 << 20 /* maximum bytes of the table, by the format */ };
#define METADATA "__metadata__"

static const struct {
	const char *name;
	enum sr_dtype type;
} types[] = {
	{"BF16", SR_BF16}, {"BOOL", SR_I1}, {"C64", SR_C64}, {"F16", SR_F16}, {"F32", SR_F32}, {"F64", SR_F64},
	{"F8_E4M3", SR_F8E4M3FN}, {"F8_E5M2", SR_F8E5M2}, {"F8_E8M0", SR_F8E8M0FNU}, {"I16", SR_I16}, {"I32", SR_I32},
	{"I64", SR_I64}, {"I8", SR_I8}, {"U16", SR_UI16}, {"U32", SR_UI32}, {"U64", SR_UI64}, {"U8", SR_UI8},
};

/* ---- reading ---- */

struct table_reader {
	struct sr_diags *diags;
	struct sr_arena *arena;
	const struct sr_file *file;
	int64_t data_offset; /* offset in the file at which the data begins */
};

static enum sr_status report_malformed(struct table_reader *r, const char *detail)
{
	return sr_error(r->diags, SR_USAGE, (struct sr_src_loc){r->file->path}, "malformed safetensors table: %s", detail);
}

static enum sr_status check_metadata(struct table_reader *r, const struct sr_json_value *v)
{
	bool is_valid = v->kind == SR_JSON_OBJECT;
	for (size_t i = 0; is_valid && i < v->n; i++)
		is_valid = v->items[i].kind == SR_JSON_STRING;
	return is_valid ? SR_OK : report_malformed(r, METADATA " is not an object of strings");
}

static enum sr_status parse_dtype(struct table_reader *r, const char *name, struct sr_safetensor *tensor)
{
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (strcmp(types[i].name, name) == 0)
			tensor->type = types[i].type;
	if (tensor->type != SR_DTYPE_NONE)
		return SR_OK;
	return sr_error(r->diags, SR_UNSUPPORTED, (struct sr_src_loc){r->file->path},
			"tensor '%s' has the type '%s', which is not supported", tensor->name, name);
}

enum { DTYPE, SHAPE, OFFSETS, N_FIELDS };
static const char *const field_names[N_FIELDS] = {"dtype", "shape", "data_offsets"};

static enum sr_status parse_field(struct table_reader *r, int field, const struct sr_json_value *v, struct sr_safetensor *tensor,
				  int64_t range[2])
{
	switch (field) {
	case DTYPE:
		return v->kind == SR_JSON_STRING ? parse_dtype(r, v->string, tensor) : report_malformed(r, "dtype is not a string");
	case SHAPE:
		tensor->rank = sr_json_int_list(v, tensor->dims, SR_MAX_RANK);
		return tensor->rank >= 0 ? SR_OK : report_malformed(r, "shape is not a list of at most 16 extents");
	default:
		return sr_json_int_list(v, range, 2) == 2 ? SR_OK : report_malformed(r, "data_offsets is not a pair of numbers");
	}
}

/* Parse dtype, shape and data_offsets, in any order, each once. */
static enum sr_status parse_fields(struct table_reader *r, const struct sr_json_value *object, struct sr_safetensor *tensor,
				   int64_t range[2])
{
	unsigned seen_fields = 0;
	if (object->kind != SR_JSON_OBJECT)
		return report_malformed(r, "a tensor is not an object");
	for (size_t i = 0; i < object->n; i++) {
		int field = 0;
		while (field < N_FIELDS && strcmp(object->items[i].key, field_names[field]) != 0)
			field++;
		if (field == N_FIELDS || seen_fields >> field & 1)
			return report_malformed(r, "an unknown or duplicate key");
		seen_fields |= 1u << field;
		enum sr_status status = parse_field(r, field, &object->items[i], tensor, range);
		if (status)
			return status;
	}
	return seen_fields == (1u << N_FIELDS) - 1 ? SR_OK : report_malformed(r, "a tensor without dtype, shape or data_offsets");
}

/* Compute the size of a tensor from its shape. Return SR_USAGE, after reporting it, if the size overflows. */
static enum sr_status compute_bytes(struct sr_diags *diags, const char *path, const struct sr_safetensor *t, int64_t *bytes)
{
	int64_t n;
	if (!sr_product_overflows(t->dims, t->rank, &n) && !sr_mul_overflows(n, (int64_t)sr_dtype_bytes(t->type), bytes))
		return SR_OK;
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){path}, "the shape of tensor '%s' overflows", t->name);
}

static enum sr_status parse_tensor(struct table_reader *r, const char *name, const struct sr_json_value *object,
				   struct sr_safetensor *tensor)
{
	int64_t range[2], bytes, data_bytes = r->file->size - r->data_offset;
	*tensor = (struct sr_safetensor){.name = name};
	enum sr_status status = parse_fields(r, object, tensor, range);
	if (!status)
		status = compute_bytes(r->diags, r->file->path, tensor, &bytes);
	if (status)
		return status;
	struct sr_src_loc location = {r->file->path};
	if (range[0] > range[1] || range[1] - range[0] != bytes)
		return sr_error(r->diags, SR_USAGE, location,
				"tensor '%s' has the bytes %" PRId64 " to %" PRId64 ", its shape requires %" PRId64 " bytes",
				name, range[0], range[1], bytes);
	if (range[1] > data_bytes)
		return sr_error(r->diags, SR_USAGE, location, "file has %" PRId64 " bytes of data, tensor '%s' ends at %" PRId64,
				data_bytes, name, range[1]);
	tensor->offset = r->data_offset + range[0];
	tensor->bytes = bytes;
	return SR_OK;
}

static int compare_by_offset(const void *x, const void *y)
{
	const struct sr_safetensor *a = *(const struct sr_safetensor *const *)x, *b = *(const struct sr_safetensor *const *)y;
	int order = (a->offset > b->offset) - (a->offset < b->offset);
	return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* Check that the byte ranges of the tensors cover the data exactly once. */
static enum sr_status check_coverage(struct table_reader *r, const struct sr_safetensors *tensors)
{
	const struct sr_safetensor **sorted_tensors = SR_NEW_ARRAY(r->arena, const struct sr_safetensor *, tensors->n + 1),
				   *previous_tensor = NULL;
	struct sr_src_loc location = {r->file->path};
	int64_t covered_bytes = r->data_offset;
	for (int64_t i = 0; i < tensors->n; i++)
		sorted_tensors[i] = &tensors->tensors[i];
	qsort(sorted_tensors, (size_t)tensors->n, sizeof *sorted_tensors, compare_by_offset);
	for (int64_t i = 0; i < tensors->n; previous_tensor = sorted_tensors[i++]) {
		if (sorted_tensors[i]->offset < covered_bytes)
			return sr_error(r->diags, SR_USAGE, location, "tensors '%s' and '%s' overlap in the file", previous_tensor->name,
					sorted_tensors[i]->name);
		if (sorted_tensors[i]->offset > covered_bytes)
			break;
		covered_bytes += sorted_tensors[i]->bytes;
	}
	if (covered_bytes == r->file->size)
		return SR_OK;
	const char *previous_name = previous_tensor ? previous_tensor->name : NULL;
	return sr_error(r->diags, SR_USAGE, location, "the bytes from %" PRId64 " on%s%s%s belong to no tensor",
			covered_bytes - r->data_offset, previous_name ? ", after tensor '" : "", previous_name ? previous_name : "",
			previous_name ? "'," : "");
}

static enum sr_status parse_table(struct table_reader *r, const struct sr_json_value *object, struct sr_safetensors *tensors)
{
	const char **names = SR_NEW_ARRAY(r->arena, const char *, object->n);
	for (size_t i = 0; i < object->n; i++)
		names[i] = object->items[i].key;
	enum sr_status status =
		sr_check_unique_names(r->diags, r->arena, r->file->path, "tensors", names, object->n);
	tensors->tensors = SR_NEW_ARRAY(r->arena, struct sr_safetensor, object->n);
	for (size_t i = 0; !status && i < object->n; i++) {
		const struct sr_json_value *v = &object->items[i];
		if (strcmp(v->key, METADATA) == 0)
			status = check_metadata(r, v);
		else
			status = parse_tensor(r, v->key, v, &tensors->tensors[tensors->n++]);
	}
	return status ? status : check_coverage(r, tensors);
}

enum sr_status sr_safetensors_read(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file,
				   struct sr_safetensors *tensors)
{
	unsigned char header[LENGTH_BYTES];
	uint64_t length = 0;
	int line;
	*tensors = (struct sr_safetensors){0};
	enum sr_status status = sr_file_read_at(diags, file, header, sizeof header, 0);
	if (status)
		return status;
	for (int i = LENGTH_BYTES - 1; i >= 0; i--)
		length = length << 8 | header[i];
	if (length > MAX_TABLE_BYTES || length > (uint64_t)file->size - LENGTH_BYTES)
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){file->path},
				"not a safetensors file (a table of %" PRIu64 " bytes)", length);
	struct table_reader reader = {diags, arena, file, LENGTH_BYTES + (int64_t)length};
	char *text = SR_NEW_ARRAY(arena, char, length);
	status = sr_file_read_at(diags, file, text, (int64_t)length, LENGTH_BYTES);
	if (status)
		return status;
	const struct sr_json_value *object = sr_json_read(arena, text, length, &line);
	if (!object)
		return report_malformed(&reader, "invalid JSON");
	if (*text != '{') /* reject leading blanks, which sr_json_read accepts and the format does not */
		return report_malformed(&reader, "not a JSON object");
	return parse_table(&reader, object, tensors);
}

int64_t sr_safetensors_find(const struct sr_safetensors *tensors, const char *name)
{
	for (int64_t i = 0; i < tensors->n; i++)
		if (strcmp(tensors->tensors[i].name, name) == 0)
			return i;
	return -1;
}

static struct sr_slice slice_of(const struct sr_safetensor *t, const int64_t *start, const int64_t *size, const int64_t *local_dims)
{
	return (struct sr_slice){.rank = t->rank,
				 .element_bytes = sr_dtype_bytes(t->type),
				 .offset = t->offset,
				 .dims = t->dims,
				 .start = start,
				 .size = size,
				 .local_dims = local_dims};
}

enum sr_status sr_safetensor_read_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_safetensor *tensor,
					const int64_t *start, const int64_t *size, const int64_t *local_dims, void *dst)
{
	struct sr_slice slice = slice_of(tensor, start, size, local_dims);
	return sr_slice_read(diags, file, &slice, dst);
}

/* ---- writing ---- */

static const char *dtype_name(enum sr_dtype type)
{
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (types[i].type == type)
			return types[i].name;
	return NULL;
}

bool sr_safetensors_supports(enum sr_dtype type)
{
	return dtype_name(type) != NULL;
}

/* Compute the sizes of the tensors, and check types and names. */
static enum sr_status check_tensors(struct sr_diags *diags, struct sr_arena *arena, const char *path,
				    struct sr_safetensors *tensors)
{
	const char **names = SR_NEW_ARRAY(arena, const char *, tensors->n);
	enum sr_status status = SR_OK;
	for (int64_t i = 0; !status && i < tensors->n; i++) {
		struct sr_safetensor *t = &tensors->tensors[i];
		names[i] = t->name;
		if (strcmp(t->name, METADATA) == 0)
			return sr_error(diags, SR_USAGE, (struct sr_src_loc){path}, "no tensor can be called '" METADATA "'");
		if (!dtype_name(t->type))
			return sr_error(diags, SR_UNSUPPORTED, (struct sr_src_loc){path},
					"tensor '%s' is of %s, for which safetensors files have no name; .npy and .npz files "
					"hold it",
					t->name, sr_dtypes[t->type].name);
		status = compute_bytes(diags, path, t, &t->bytes);
	}
	return status ? status : sr_check_unique_names(diags, arena, path, "tensors", names, (size_t)tensors->n);
}

/* Order by element width, widest first, so that every tensor is aligned to its element size; then by name. */
static int compare_by_width(const void *x, const void *y)
{
	const struct sr_safetensor *a = *(const struct sr_safetensor *const *)x, *b = *(const struct sr_safetensor *const *)y;
	int order = sr_dtype_bytes(b->type) - sr_dtype_bytes(a->type);
	return order ? order : strcmp(a->name, b->name);
}

static void put_list(struct sr_buf *buf, const char *key, const int64_t *numbers, int n)
{
	sr_buf_printf(buf, ",\"%s\":[", key);
	for (int i = 0; i < n; i++)
		sr_buf_printf(buf, "%s%" PRId64, i ? "," : "", numbers[i]);
	sr_buf_putc(buf, ']');
}

/* Append the table as one line of JSON in the order of the data, padded with blanks to a multiple of eight bytes. */
static void put_table(struct sr_buf *table, struct sr_safetensor **sorted_tensors, int64_t n)
{
	sr_buf_putc(table, '{');
	for (int64_t i = 0; i < n; i++) {
		const struct sr_safetensor *t = sorted_tensors[i];
		sr_buf_puts(table, i ? "," : "");
		sr_json_quote(table, t->name);
		sr_buf_printf(table, ":{\"dtype\":\"%s\"", dtype_name(t->type));
		put_list(table, "shape", t->dims, t->rank);
		put_list(table, "data_offsets", (int64_t[]){t->offset, t->offset + t->bytes}, 2);
		sr_buf_putc(table, '}');
	}
	sr_buf_putc(table, '}');
	while (table->n % LENGTH_BYTES)
		sr_buf_putc(table, ' ');
}

enum sr_status sr_safetensors_layout(struct sr_diags *diags, struct sr_arena *arena, const char *path,
				     struct sr_safetensors *tensors, struct sr_buf *header, int64_t *size)
{
	struct sr_safetensor **sorted_tensors = SR_NEW_ARRAY(arena, struct sr_safetensor *, tensors->n);
	struct sr_buf table;
	enum sr_status status = check_tensors(diags, arena, path, tensors);
	if (status)
		return status;
	*size = 0;
	for (int64_t i = 0; i < tensors->n; i++)
		sorted_tensors[i] = &tensors->tensors[i];
	qsort(sorted_tensors, (size_t)tensors->n, sizeof(struct sr_safetensor *), compare_by_width);
	for (int64_t i = 0; i < tensors->n; i++) {
		sorted_tensors[i]->offset = *size;
		if (sr_add_overflows(*size, sorted_tensors[i]->bytes, size))
			return sr_error(diags, SR_USAGE, (struct sr_src_loc){path},
					"its tensors are too large for a file");
	}
	sr_buf_init(&table, arena);
	put_table(&table, sorted_tensors, tensors->n);
	if (table.n > MAX_TABLE_BYTES || sr_add_overflows(*size, (int64_t)table.n + LENGTH_BYTES, size))
		return sr_error(diags, SR_USAGE, (struct sr_src_loc){path}, "a table of %zu bytes, which the format does not allow",
				table.n);
	for (int i = 0; i < LENGTH_BYTES; i++)
		sr_buf_putc(header, (char)((uint64_t)table.n >> 8 * i));
	sr_buf_put(header, table.data, table.n);
	for (int64_t i = 0; i < tensors->n; i++)
		tensors->tensors[i].offset += (int64_t)table.n + LENGTH_BYTES;
	return SR_OK;
}

enum sr_status sr_safetensors_create(struct sr_diags *diags, struct sr_arena *arena, const char *path,
				     struct sr_safetensors *tensors, struct sr_file *file)
{
	struct sr_buf header;
	int64_t size;
	sr_buf_init(&header, arena);
	enum sr_status status = sr_safetensors_layout(diags, arena, path, tensors, &header, &size);
	if (!status)
		status = sr_file_create(diags, path, size, file);
	if (status)
		return status;
	status = sr_file_write_at(diags, file, header.data, (int64_t)header.n, 0);
	if (status) {
		sr_file_close(diags, file);
		sr_file_remove(path);
	}
	return status;
}

enum sr_status sr_safetensor_write_slice(struct sr_diags *diags, struct sr_file *file, const struct sr_safetensor *tensor,
					 const int64_t *start, const int64_t *size, const int64_t *local_dims, const void *src)
{
	struct sr_slice slice = slice_of(tensor, start, size, local_dims);
	return sr_slice_write(diags, file, &slice, src);
}
