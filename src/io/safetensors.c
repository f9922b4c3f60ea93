/* The table of a safetensors file: eight bytes of length, then that much JSON:
 *
 *	{"__metadata__": {"format": "pt"}, "wte": {"dtype": "BF16", "shape": [50257, 768], "data_offsets": [0, 77194752]}}
 *
 * Only this much of JSON is read: objects of such objects, strings, non-negative integers. Metadata is passed over. The ranges of
 * all tensors, in any order, cover the bytes without a hole or an overlap. */
#include "io/safetensors.h"
#include "support/checked.h"
#include "support/map.h"
#include "support/vec.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_BYTES = 8, MOST_TABLE = 100 << 20 /* the format's own limit, in bytes */ };

static const struct {
	const char *name;
	enum sr_dtype type;
} types[] = {
	{"BF16", SR_BF16}, {"BOOL", SR_I1}, {"C64", SR_C64}, {"F16", SR_F16}, {"F32", SR_F32}, {"F64", SR_F64},
	{"F8_E4M3", SR_F8E4M3FN}, {"F8_E5M2", SR_F8E5M2}, {"F8_E8M0", SR_F8E8M0FNU}, {"I16", SR_I16}, {"I32", SR_I32},
	{"I64", SR_I64}, {"I8", SR_I8}, {"U16", SR_UI16}, {"U32", SR_UI32}, {"U64", SR_UI64}, {"U8", SR_UI8},
};

struct reader {
	struct sr_diags *diags;
	struct sr_arena *arena;
	const struct sr_file *file;
	const char *p, *end;
	int64_t data; /* where the bytes begin in the file */
};

static enum sr_status malformed(struct reader *r, const char *what)
{
	return sr_error(r->diags, SR_USAGE, (struct sr_place){r->file->path}, "malformed safetensors table: %s", what);
}

static void skip_blanks(struct reader *r)
{
	while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\r' || *r->p == '\n'))
		r->p++;
}

static bool accept(struct reader *r, char c)
{
	skip_blanks(r);
	if (r->p == r->end || *r->p != c)
		return false;
	r->p++;
	return true;
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Four hex digits at *p; -1 where they are not there. */
static int32_t code_unit(const char **p, const char *end)
{
	int32_t x = 0;
	for (int i = 0; i < 4; i++, (*p)++) {
		int digit = *p < end ? hex_digit(**p) : -1;
		if (digit < 0)
			return -1;
		x = x << 4 | digit;
	}
	return x;
}

static int put_utf8(char *out, int32_t c)
{
	static const uint8_t head[] = {0, 0xc0, 0xe0, 0xf0};
	int more = (c >= 0x80) + (c >= 0x800) + (c >= 0x10000);
	out[0] = (char)(head[more] | c >> 6 * more);
	for (int i = 1; i <= more; i++)
		out[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3f));
	return more + 1;
}

/* What stands behind a backslash at *p, as UTF-8; bytes put, 0 where it is no escape. \u0000 is none: names end with NUL. */
static int escape(const char **p, const char *end, char *out)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	const char *letter = *p < end && **p ? strchr(letters, **p) : NULL;
	if (letter) {
		(*p)++;
		*out = meant[letter - letters];
		return 1;
	}
	if (*p == end || *(*p)++ != 'u')
		return 0;
	int32_t c = code_unit(p, end);
	if (c >= 0xd800 && c < 0xdc00 && end - *p > 2 && (*p)[0] == '\\' && (*p)[1] == 'u') {
		*p += 2;
		int32_t low = code_unit(p, end);
		c = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((c - 0xd800) << 10 | (low - 0xdc00)) : -1;
	}
	return c <= 0 || (c >= 0xd800 && c < 0xe000) ? 0 : put_utf8(out, c);
}

static const char *string(struct reader *r)
{
	if (!accept(r, '"'))
		return NULL;
	const char *close = r->p;
	while (close < r->end && *close != '"')
		close += *close == '\\' ? 2 : 1;
	if (close >= r->end)
		return NULL;
	char *out = SR_NEWS(r->arena, char, close - r->p + 1), *to = out; /* an escape is never shorter than what it stands for */
	while (r->p < close) {
		char c = *r->p++;
		int n = c == '\\' ? escape(&r->p, close, to) : c != 0;
		if (!n)
			return NULL;
		if (c != '\\')
			*to = c;
		to += n;
	}
	r->p = close + 1;
	return out;
}

static bool number(struct reader *r, int64_t *out)
{
	int64_t n = 0;
	skip_blanks(r);
	const char *begin = r->p;
	for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++)
		if (sr_mul_overflows(n, (int64_t)10, &n) || sr_add_overflows(n, (int64_t)(*r->p - '0'), &n))
			return false;
	*out = n;
	return r->p > begin;
}

/* At most `most` numbers in brackets; their count, -1 where there is no such list. */
static int numbers(struct reader *r, int64_t *out, int most)
{
	int n = 0;
	if (!accept(r, '['))
		return -1;
	if (accept(r, ']'))
		return 0;
	do {
		if (n == most || !number(r, &out[n++]))
			return -1;
	} while (accept(r, ','));
	return accept(r, ']') ? n : -1;
}

static enum sr_status metadata(struct reader *r)
{
	if (!accept(r, '{'))
		return malformed(r, "__metadata__ is no object");
	if (accept(r, '}'))
		return SR_OK;
	do {
		if (!string(r) || !accept(r, ':') || !string(r))
			return malformed(r, "__metadata__ is no object of strings");
	} while (accept(r, ','));
	return accept(r, '}') ? SR_OK : malformed(r, "__metadata__ does not end");
}

static enum sr_status type_of(struct reader *r, const char *name, struct sr_safetensor *tensor)
{
	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (strcmp(types[i].name, name) == 0)
			tensor->type = types[i].type;
	if (tensor->type != SR_DTYPE_NONE)
		return SR_OK;
	return sr_error(r->diags, SR_UNSUPPORTED, (struct sr_place){r->file->path},
			"tensor '%s' has the type '%s', which is not supported", tensor->name, name);
}

enum { DTYPE, SHAPE, OFFSETS, N_FIELDS };
static const char *const field_names[N_FIELDS] = {"dtype", "shape", "data_offsets"};

static enum sr_status field(struct reader *r, int which, struct sr_safetensor *tensor, int64_t range[2])
{
	const char *type;
	switch (which) {
	case DTYPE:
		type = string(r);
		return type ? type_of(r, type, tensor) : malformed(r, "dtype is no string");
	case SHAPE:
		tensor->rank = numbers(r, tensor->dims, SR_MAX_RANK);
		return tensor->rank >= 0 ? SR_OK : malformed(r, "shape is no list of at most 16 extents");
	default:
		return numbers(r, range, 2) == 2 ? SR_OK : malformed(r, "data_offsets are no two numbers");
	}
}

/* Type, shape and range in any order, each once. */
static enum sr_status fields(struct reader *r, struct sr_safetensor *tensor, int64_t range[2])
{
	unsigned seen = 0;
	if (!accept(r, '{'))
		return malformed(r, "a tensor is no object");
	do {
		const char *key = string(r);
		int which = 0;
		if (!key || !accept(r, ':'))
			return malformed(r, "a tensor has no key");
		while (which < N_FIELDS && strcmp(key, field_names[which]) != 0)
			which++;
		if (which == N_FIELDS || seen >> which & 1)
			return malformed(r, "a key that does not belong there");
		seen |= 1u << which;
		enum sr_status status = field(r, which, tensor, range);
		if (status)
			return status;
	} while (accept(r, ','));
	if (!accept(r, '}') || seen != (1u << N_FIELDS) - 1)
		return malformed(r, "a tensor without dtype, shape or data_offsets");
	return SR_OK;
}

static enum sr_status entry(struct reader *r, const char *name, struct sr_safetensor *tensor)
{
	int64_t range[2], n, bytes, room = r->file->size - r->data;
	*tensor = (struct sr_safetensor){.name = name};
	enum sr_status status = fields(r, tensor, range);
	if (status)
		return status;
	struct sr_place place = {r->file->path};
	if (sr_product_overflows(tensor->dims, tensor->rank, &n) ||
	    sr_mul_overflows(n, (int64_t)sr_dtype_bytes(tensor->type), &bytes))
		return sr_error(r->diags, SR_USAGE, place, "the shape of tensor '%s' overflows", name);
	if (range[0] > range[1] || range[1] - range[0] != bytes)
		return sr_error(r->diags, SR_USAGE, place,
				"tensor '%s' has the bytes %" PRId64 " to %" PRId64 ", its shape asks for %" PRId64 " bytes",
				name, range[0], range[1], bytes);
	if (range[1] > room)
		return sr_error(r->diags, SR_USAGE, place, "file has %" PRId64 " bytes of data, tensor '%s' ends at %" PRId64,
				room, name, range[1]);
	tensor->offset = r->data + range[0];
	tensor->bytes = bytes;
	return SR_OK;
}

static int by_offset(const void *x, const void *y)
{
	const struct sr_safetensor *a = *(const struct sr_safetensor *const *)x, *b = *(const struct sr_safetensor *const *)y;
	int order = (a->offset > b->offset) - (a->offset < b->offset);
	return order ? order : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

/* The ranges, one after another, are all bytes of data. */
static enum sr_status check_cover(struct reader *r, const struct sr_safetensors *tensors)
{
	const struct sr_safetensor **sorted = SR_NEWS(r->arena, const struct sr_safetensor *, tensors->n + 1), *before = NULL;
	struct sr_place place = {r->file->path};
	int64_t covered = r->data;
	for (int64_t i = 0; i < tensors->n; i++)
		sorted[i] = &tensors->at[i];
	qsort(sorted, (size_t)tensors->n, sizeof *sorted, by_offset);
	for (int64_t i = 0; i < tensors->n; before = sorted[i++]) {
		if (sorted[i]->offset < covered)
			return sr_error(r->diags, SR_USAGE, place, "tensors '%s' and '%s' overlap in the file", before->name, sorted[i]->name);
		if (sorted[i]->offset > covered)
			break;
		covered += sorted[i]->bytes;
	}
	if (covered == r->file->size)
		return SR_OK;
	const char *after = before ? before->name : NULL;
	return sr_error(r->diags, SR_USAGE, place, "the bytes from %" PRId64 " on%s%s%s belong to no tensor", covered - r->data,
			after ? ", behind tensor '" : "", after ? after : "", after ? "'," : "");
}

static enum sr_status table(struct reader *r, struct sr_safetensors *tensors)
{
	SR_VEC(struct sr_safetensor) all = {0};
	struct sr_strings names;
	struct sr_map seen;
	sr_strings_init(&names, r->arena);
	sr_map_init(&seen, r->arena);
	if (r->p == r->end || *r->p != '{' || !accept(r, '{')) /* no blank before it */
		return malformed(r, "no object");
	bool more = !accept(r, '}');
	while (more) {
		const char *name = string(r);
		struct sr_safetensor tensor;
		if (!name || !accept(r, ':'))
			return malformed(r, "no name");
		name = sr_strings_intern(&names, name, strlen(name));
		if (sr_map_has(&seen, name))
			return sr_error(r->diags, SR_USAGE, (struct sr_place){r->file->path}, "two tensors are called '%s'", name);
		sr_map_put(&seen, name, r);
		bool is_metadata = strcmp(name, "__metadata__") == 0;
		enum sr_status status = is_metadata ? metadata(r) : entry(r, name, &tensor);
		if (status)
			return status;
		if (!is_metadata)
			sr_push(r->arena, &all, tensor);
		more = accept(r, ',');
		if (!more && !accept(r, '}'))
			return malformed(r, "it does not end");
	}
	skip_blanks(r);
	if (r->p != r->end)
		return malformed(r, "text behind its end");
	*tensors = (struct sr_safetensors){all.data, (int64_t)all.n};
	return check_cover(r, tensors);
}

enum sr_status sr_safetensors_read(struct sr_diags *diags, struct sr_arena *arena, struct sr_file *file,
				   struct sr_safetensors *tensors)
{
	unsigned char head[LENGTH_BYTES];
	uint64_t length = 0;
	*tensors = (struct sr_safetensors){0};
	enum sr_status status = sr_file_read_at(diags, file, head, sizeof head, 0);
	if (status)
		return status;
	for (int i = LENGTH_BYTES - 1; i >= 0; i--)
		length = length << 8 | head[i];
	if (length > MOST_TABLE || length > (uint64_t)file->size - LENGTH_BYTES)
		return sr_error(diags, SR_USAGE, (struct sr_place){file->path},
				"not a safetensors file (a table of %" PRIu64 " bytes)", length);
	char *text = SR_NEWS(arena, char, length);
	status = sr_file_read_at(diags, file, text, (int64_t)length, LENGTH_BYTES);
	struct reader reader = {diags, arena, file, text, text + length, LENGTH_BYTES + (int64_t)length};
	return status ? status : table(&reader, tensors);
}

int64_t sr_safetensors_find(const struct sr_safetensors *tensors, const char *name)
{
	for (int64_t i = 0; i < tensors->n; i++)
		if (strcmp(tensors->at[i].name, name) == 0)
			return i;
	return -1;
}
