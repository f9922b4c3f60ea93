/* Values in iree-run-module's text syntax: parser and printer. */
#include "io/text_value.h"
#include "io/archive.h"
#include "io/npy.h"
#include "support/checked.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_TOKEN_CHARS = 127 }; /* maximum length of one element's text */

/* Parse the entire token as an integer. Return false if it contains other characters or does not fit the type. */
static bool parse_integer(const char *token, bool is_unsigned, int bits, int64_t *out)
{
	char *end;
	const char *digits = token + (*token == '-');
	int base = digits[0] == '0' && (digits[1] | 0x20) == 'x' ? 16 : 10;
	errno = 0;
	if (!isdigit((unsigned char)*digits))
		return false;
	if (*token != '-') { /* a signless type accepts the values of both the signed and the unsigned type */
		uint64_t u = strtoull(token, &end, base), max = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
		*out = (int64_t)u;
		return *end == '\0' && errno == 0 && u <= max;
	}
	int64_t i = strtoll(token, &end, base), min = bits == 64 ? INT64_MIN : -((int64_t)1 << (bits - 1));
	*out = i;
	return *end == '\0' && errno == 0 && i >= min && (!is_unsigned || i == 0);
}

static bool parse_float(const char *token, char **end, double *out)
{
	if (*token == '\0' || isspace((unsigned char)*token))
		return false;
	/* Overflow gives infinity, and underflow zero or a subnormal number, as rounding to the type does. */
	*out = strtod(token, end);
	return *end != token;
}

/* Parse a real or complex number: "1", "2j" or "1+2j". */
static bool parse_complex(const char *token, double *re, double *im)
{
	char *end;
	*im = 0;
	if (!parse_float(token, &end, re))
		return false;
	if (*end == 'j' && end[1] == '\0') {
		*im = *re;
		*re = 0;
		return true;
	}
	if (*end == '\0')
		return true;
	return (*end == '+' || *end == '-') && parse_float(end, &end, im) && *end == 'j' && end[1] == '\0';
}

/* Parse one element. Return false if the text is not a value of the type. Integers may use all bits of a signless type (i8:
 * -128..255). */
static bool parse_element(enum sr_dtype type, const char *text, size_t n, void *out)
{
	const struct sr_dtype_info *info = &sr_dtypes[type];
	char token[MAX_TOKEN_CHARS + 1], *end;
	int64_t i = 0;
	double d = 0, im = 0;
	bool is_valid;
	if (n > MAX_TOKEN_CHARS || memchr(text, '\0', n))
		return false;
	memcpy(token, text, n);
	token[n] = '\0';
	bool is_true = strcmp(token, "true") == 0;
	if (info->class == SR_CLASS_BOOL && (is_true || strcmp(token, "false") == 0)) {
		i = is_true;
		is_valid = true;
	} else if (info->class == SR_CLASS_COMPLEX) {
		is_valid = parse_complex(token, &d, &im);
	} else if (info->class == SR_CLASS_FLOAT) {
		is_valid = parse_float(token, &end, &d) && *end == '\0';
	} else {
		is_valid = parse_integer(token, info->class != SR_CLASS_SINT, info->bits, &i);
	}
	if (is_valid)
		sr_element_set(type, out, i, d, im);
	return is_valid;
}

static bool is_separator(char c)
{
	return isspace((unsigned char)c) || c == ',' || c == '[' || c == ']';
}

struct flag_location {
	struct sr_diags *diags;
	struct sr_src_loc location;
};

static enum sr_status parse_elements(const struct flag_location *flag, struct sr_arena *arena, const char *p, struct sr_text_value *value)
{
	int64_t element_bytes = sr_dtype_bytes(value->type), n = value->bytes / element_bytes, k = 0;
	int depth = 0;
	char *data = sr_alloc(arena, (size_t)n, (size_t)element_bytes);
	value->data = data;
	while (*p) {
		if (is_separator(*p)) {
			depth += (*p == '[') - (*p == ']');
			if (depth < 0)
				break;
			p++;
			continue;
		}
		size_t length = 0;
		while (p[length] && !is_separator(p[length]))
			length++;
		char unused_element[16]; /* receives elements beyond the shape, which are counted but not kept */
		if (!parse_element(value->type, p, length, k < n ? data + k * element_bytes : unused_element))
			return sr_error(flag->diags, SR_USAGE, flag->location, "'%.*s' is not a value of type %s",
					(int)(length < MAX_TOKEN_CHARS ? length : MAX_TOKEN_CHARS), p, sr_dtypes[value->type].name);
		k++;
		p += length;
	}
	if (depth != 0)
		return sr_error(flag->diags, SR_USAGE, flag->location, "brackets do not match");
	if (k == 1 && n > 1)
		for (int64_t i = 1; i < n; i++)
			memcpy(data + i * element_bytes, data, (size_t)element_bytes);
	else if (k != n)
		return sr_error(flag->diags, SR_USAGE, flag->location, "%" PRId64 " elements given, the shape has %" PRId64, k, n);
	return SR_OK;
}

/* Parse a type such as "4x2xf32". Return a pointer to the text after it; NULL if it is malformed. */
static const char *parse_type(const char *p, struct sr_text_value *value)
{
	while (isdigit((unsigned char)*p)) {
		int64_t extent = 0;
		for (; isdigit((unsigned char)*p); p++)
			if (sr_mul_overflows(extent, (int64_t)10, &extent) ||
			    sr_add_overflows(extent, (int64_t)(*p - '0'), &extent))
				return NULL;
		if (*p++ != 'x' || value->rank == SR_MAX_RANK)
			return NULL;
		value->dims[value->rank++] = extent;
	}
	size_t n = strcspn(p, "=");
	bool is_signed = n > 2 && p[0] == 's' && p[1] == 'i';
	value->type = sr_dtype_find(p + is_signed, n - is_signed);
	return value->type == SR_DTYPE_NONE ? NULL : p + n;
}

bool sr_text_has_type(const char *text)
{
	struct sr_text_value value = {0};
	return parse_type(text, &value) != NULL;
}

static bool is_single_number(const char *text)
{
	char *end;
	double re, im;
	return strcmp(text, "true") == 0 || strcmp(text, "false") == 0 || (parse_float(text, &end, &re) && *end == '\0') ||
	       parse_complex(text, &re, &im);
}

/* Return true if the text looks like a file name whose leading '@' is missing. */
static bool looks_like_file_name(const char *text)
{
	static const char *const suffixes[] = {".npy", ".npz", ".safetensors"};
	size_t n = strlen(text);
	bool has_suffix = false;
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		has_suffix = has_suffix || (n > strlen(suffixes[i]) && !strcmp(text + n - strlen(suffixes[i]), suffixes[i]));
	return has_suffix || access(text, F_OK) == 0;
}

enum sr_status sr_text_value_parse(struct sr_diags *diags, struct sr_arena *arena, const char *flag_text, const char *text,
				   enum sr_dtype scalar, struct sr_text_value *value)
{
	struct flag_location flag = {diags, {flag_text}};
	int64_t n;
	*value = (struct sr_text_value){0};
	if (text[0] == '@' || text[0] == '\0') {
		value->kind = SR_VALUE_NPY_FILE;
		value->path = text + 1;
		if (text[0] && sr_archive_parse_reference(arena, text + 1, &value->path, &value->key))
			value->kind = SR_VALUE_ARCHIVE;
		return text[0] && text[1] ? SR_OK : sr_error(diags, SR_USAGE, flag.location, "no file name");
	}
	const char *after_type = parse_type(text,
					    /* parse types before numbers: 0xf32 is an empty array, not a hexadecimal number */
					    value);
	if (!after_type && is_single_number(text)) {
		*value = (struct sr_text_value){.type = scalar, .bytes = sr_dtype_bytes(scalar)};
		return parse_elements(&flag, arena, text, value);
	}
	if (!after_type && looks_like_file_name(text))
		return sr_error(diags, SR_USAGE, flag.location, "'%s' is not a value; did you mean the file, '@%s'?", text, text);
	if (!after_type)
		return sr_error(diags, SR_USAGE, flag.location, "'%s' is not a value; write 4xf32=1 2 3 4, 4xf32, 3.14 or @file.npy",
				text);
	if (sr_product_overflows(value->dims, value->rank, &n) ||
	    sr_mul_overflows(n, (int64_t)sr_dtype_bytes(value->type), &value->bytes))
		return sr_error(diags, SR_USAGE, flag.location, "the shape overflows");
	if (after_type[0] == '\0' || after_type[1] == '\0') {
		value->kind = SR_VALUE_ZEROS;
		return SR_OK;
	}
	if (after_type[1] == '@') {
		value->kind = SR_VALUE_RAW_FILE;
		value->path = after_type + 2;
		return after_type[2] ? SR_OK : sr_error(diags, SR_USAGE, flag.location, "no file name");
	}
	return parse_elements(&flag, arena, after_type + 1, value);
}

/* Print an element; floats with %G, as IREE does. */
static void print_element(struct sr_buf *buf, enum sr_dtype type, const void *element)
{
	int64_t i = 0;
	double d = 0, im = 0;
	sr_element_get(type, element, &i, &d, &im);
	switch (sr_dtypes[type].class) {
	case SR_CLASS_UINT:
		sr_buf_uint(buf, (uint64_t)i);
		break;
	case SR_CLASS_FLOAT:
		sr_buf_printf(buf, "%G", d);
		break;
	case SR_CLASS_COMPLEX:
		sr_buf_printf(buf, "%G%+Gj", d, im);
		break;
	default:
		sr_buf_int(buf, i);
	}
}

/* Print the fewest digits that parse to the same element of this type, with an exponent where %G has one: 10, not 1E+01. Any NaN is
 * "NAN". */
static void print_shortest(struct sr_buf *buf, enum sr_dtype type, const void *element)
{
	enum { MAX_DIGITS = 17 };
	char text[64], parsed_element[16];
	double d = 0;
	sr_element_get(type, element, NULL, &d, NULL);
	for (int digits = 1; digits <= MAX_DIGITS; digits++) {
		int n = snprintf(text, sizeof text, "%.*G", digits, d);
		if (parse_element(type, text, (size_t)n, parsed_element) &&
		    !memcmp(parsed_element, element, (size_t)sr_dtype_bytes(type)))
			break;
	}
	double shortest = strtod(text, NULL);
	if (fabs(shortest) >= 1 && fabs(shortest) < 1e6 && strchr(text, 'E'))
		snprintf(text, sizeof text, "%.0f", shortest);
	sr_buf_puts(buf, isnan(d) ? "NAN" : text);
}

void sr_element_print_shortest(struct sr_buf *buf, enum sr_dtype type, const void *element)
{
	if (sr_dtypes[type].class == SR_CLASS_COMPLEX) {
		enum sr_dtype part = type == SR_C64 ? SR_F32 : SR_F64;
		const char *im = (const char *)element + sr_dtype_bytes(part);
		double d;
		print_shortest(buf, part, element);
		sr_element_get(part, im, NULL, &d, NULL);
		sr_buf_puts(buf, signbit(d) && !isnan(d) ? "" : "+");
		print_shortest(buf, part, im);
		sr_buf_putc(buf, 'j');
	} else if (sr_dtypes[type].class == SR_CLASS_FLOAT) {
		print_shortest(buf, type, element);
	} else {
		print_element(buf, type, element);
	}
}

struct printer {
	struct sr_buf *buf;
	void (*print)(struct sr_buf *buf, enum sr_dtype type, const void *element);
	enum sr_dtype type;
	const char *next_element; /* address of the element to print next */
	int64_t n_remaining;   /* number of elements that may still be printed */
};

/* Print nested brackets. Returns false once the limit is reached: "..." has been printed, and only closing brackets may follow. */
static bool print_nested(struct printer *p, const int64_t *dims, int rank)
{
	for (int64_t i = 0; i < dims[0]; i++) {
		if (p->n_remaining == 0) {
			sr_buf_puts(p->buf, "...");
			return false;
		}
		if (rank == 1) {
			if (i > 0)
				sr_buf_putc(p->buf, ' ');
			p->print(p->buf, p->type, p->next_element);
			p->next_element += sr_dtype_bytes(p->type);
			p->n_remaining--;
			continue;
		}
		sr_buf_putc(p->buf, '[');
		bool is_complete = print_nested(p, dims + 1, rank - 1);
		sr_buf_putc(p->buf, ']');
		if (!is_complete)
			return false;
	}
	return true;
}

void sr_value_print(struct sr_buf *buf, enum sr_dtype type, const int64_t *dims, int rank, const void *data, int64_t limit,
		    bool is_shortest)
{
	static const int64_t one = 1;
	struct printer printer = {buf, is_shortest ? sr_element_print_shortest : print_element, type, data, limit};
	int64_t n;
	sr_shape_print(buf, type, dims, rank);
	sr_buf_putc(buf, '=');
	if (!sr_product_overflows(dims, rank, &n) && n > 0)
		print_nested(&printer, rank ? dims : &one, rank ? rank : 1);
}
