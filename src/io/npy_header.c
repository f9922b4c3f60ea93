/* The header of an .npy file: magic, version, length, and a Python dictionary with the keys descr, fortran_order and shape.
 *
 * Versions 1 to 3 differ in the width of the length field and in the text encoding, which matters only for field names of
 * records. The text is not evaluated as Python: only a dictionary of exactly these three keys, in any order, is accepted. */
#include "io/npy.h"
#include "support/checked.h"
#include <inttypes.h>
#include <string.h>

#define MAGIC "\x93NUMPY"

enum {
	MAGIC_BYTES = 6,
	DATA_ALIGNMENT = 64,         /* alignment of the data in the file, in bytes */
	GROWTH_DIGITS = 21, /* NumPy leaves space for this many digits, so that the first extent can grow without moving the data */
};

struct cursor {
	struct sr_diags *diags;
	const char *path;
	const char *p, *end;
};

static enum sr_status report_malformed(struct cursor *c, const char *detail)
{
	return sr_error(c->diags, SR_USAGE, (struct sr_src_loc){c->path}, "malformed .npy header: %s", detail);
}

static void skip_space(struct cursor *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\n' || *c->p == '\t' || *c->p == '\r'))
		c->p++;
}

static bool accept_word(struct cursor *c, const char *word)
{
	skip_space(c);
	size_t n = strlen(word);
	if ((size_t)(c->end - c->p) < n || memcmp(c->p, word, n) != 0)
		return false;
	c->p += n;
	return true;
}

/* Parse a quoted string without escapes into out[size]. */
static bool parse_quoted(struct cursor *c, char *out, size_t size)
{
	skip_space(c);
	if (c->p == c->end || (*c->p != '\'' && *c->p != '"'))
		return false;
	char quote = *c->p++;
	const char *close = memchr(c->p, quote, (size_t)(c->end - c->p));
	if (!close || (size_t)(close - c->p) >= size)
		return false;
	memcpy(out, c->p, (size_t)(close - c->p));
	out[close - c->p] = '\0';
	c->p = close + 1;
	return true;
}

static bool parse_number(struct cursor *c, int64_t *out)
{
	skip_space(c);
	const char *begin = c->p;
	int64_t n = 0;
	for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++)
		if (sr_mul_overflows(n, (int64_t)10, &n) || sr_add_overflows(n, (int64_t)(*c->p - '0'), &n))
			return false;
	*out = n;
	if (c->p == begin)
		return false;
	accept_word(c, "L"); /* Python 2 appends L to long integers */
	return true;
}

static enum sr_dtype type_of_descr(char kind, int element_bytes)
{
	static const char kinds[] = {[SR_CLASS_BOOL] = 'b', [SR_CLASS_SINT] = 'i', [SR_CLASS_UINT] = 'u', [SR_CLASS_FLOAT] = 'f',
				     [SR_CLASS_COMPLEX] = 'c'};
	if (kind == 'V')
		return element_bytes == 2 ? SR_BF16 : SR_DTYPE_NONE;
	if (kind == 'f' && element_bytes == 1)
		return SR_F8E5M2; /* ml_dtypes writes f8E5M2 with descr 'f1' */
	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++) {
		const struct sr_dtype_info *info = &sr_dtypes[t];
		bool fills_bytes = info->bits == 8 * info->bytes || info->class == SR_CLASS_BOOL;
		if (fills_bytes && info->bytes == element_bytes && kinds[info->class] == kind && info->npy[1] == kind)
			return (enum sr_dtype)t;
	}
	return SR_DTYPE_NONE;
}

static enum sr_status parse_descr(struct cursor *c, struct sr_npy *npy)
{
	struct sr_src_loc location = {c->path};
	if (accept_word(c, "["))
		return sr_error(c->diags, SR_UNSUPPORTED, location,
				"an .npy file of records is not supported; save each field as an array");
	if (!parse_quoted(c, npy->descr, sizeof npy->descr))
		return report_malformed(c, "descr is not a short string");
	const char *d = npy->descr;
	char order = strchr("<>|=", d[0]) && d[0] ? *d++ : '=';
	npy->kind = d[0];
	struct cursor digits = {.p = d + (d[0] != '\0'), .end = d + strlen(d)};
	int64_t item;
	if (!npy->kind || !strchr("biufcV", npy->kind) || !parse_number(&digits, &item) || digits.p != digits.end || item < 1 ||
	    item > 64)
		return sr_error(c->diags, SR_UNSUPPORTED, location, "an .npy file of type '%s' is not supported", npy->descr);
	if (order == '>' && item > 1 && npy->kind != 'V')
		return sr_error(c->diags, SR_UNSUPPORTED, location,
				"an .npy file of big-endian numbers ('%s') is not supported; save it as '<%s'", npy->descr, d);
	npy->element_bytes = (int)item;
	npy->type = type_of_descr(npy->kind, npy->element_bytes);
	return SR_OK;
}

static enum sr_status parse_shape(struct cursor *c, struct sr_npy *npy)
{
	if (!accept_word(c, "("))
		return report_malformed(c, "shape is not a tuple");
	while (!accept_word(c, ")")) {
		int64_t extent;
		if (!parse_number(c, &extent))
			return report_malformed(c, "an extent in shape is not a number below 2^63");
		if (npy->rank == SR_MAX_RANK)
			return sr_error(c->diags, SR_UNSUPPORTED, (struct sr_src_loc){c->path}, "an array of more than %d dimensions",
					SR_MAX_RANK);
		npy->dims[npy->rank++] = extent;
		if (!accept_word(c, ",") && !(npy->rank > 1 && c->p < c->end && *c->p == ')'))
			return report_malformed(c, "shape is not a tuple");
	}
	return SR_OK;
}

static enum sr_status parse_fortran(struct cursor *c, struct sr_npy *npy)
{
	npy->is_fortran_order = accept_word(c, "True");
	if (!npy->is_fortran_order && !accept_word(c, "False"))
		return report_malformed(c, "fortran_order is neither True nor False");
	return SR_OK;
}

static const struct {
	const char *name;
	enum sr_status (*parse)(struct cursor *c, struct sr_npy *npy);
} keys[] = {{"descr", parse_descr}, {"fortran_order", parse_fortran}, {"shape", parse_shape}};

enum { N_KEYS = sizeof keys / sizeof keys[0] };

static enum sr_status parse_dictionary(struct cursor *c, struct sr_npy *npy)
{
	unsigned seen_keys = 0;
	if (!accept_word(c, "{"))
		return report_malformed(c, "no dictionary");
	while (!accept_word(c, "}")) {
		char name[16];
		int k = 0;
		if (!parse_quoted(c, name, sizeof name) || !accept_word(c, ":"))
			return report_malformed(c, "no key");
		while (k < N_KEYS && strcmp(keys[k].name, name) != 0)
			k++;
		if (k == N_KEYS || seen_keys >> k & 1)
			return report_malformed(c, "an unknown or duplicate key");
		seen_keys |= 1u << k;
		enum sr_status status = keys[k].parse(c, npy);
		if (status)
			return status;
		skip_space(c);
		if (!accept_word(c, ",") && !(c->p < c->end && *c->p == '}'))
			return report_malformed(c, "no comma between keys");
	}
	skip_space(c);
	if (c->p != c->end)
		return report_malformed(c, "text after the dictionary");
	return seen_keys == (1u << N_KEYS) - 1 ? SR_OK : report_malformed(c, "descr, fortran_order or shape is missing");
}

static uint32_t read_le(const char *p, int n)
{
	uint32_t x = 0;
	for (int i = n - 1; i >= 0; i--)
		x = x << 8 | (unsigned char)p[i];
	return x;
}

enum sr_status sr_npy_parse(struct sr_diags *diags, const char *path, const char *bytes, int64_t n, struct sr_npy *npy)
{
	struct sr_src_loc location = {path};
	*npy = (struct sr_npy){0};
	if (n < MAGIC_BYTES + 4 || memcmp(bytes, MAGIC, MAGIC_BYTES) != 0)
		return sr_error(diags, SR_USAGE, location, "not an .npy file (it does not begin with \\x93NUMPY)");
	int version = (unsigned char)bytes[MAGIC_BYTES], width = version == 1 ? 2 : 4;
	if (version < 1 || version > 3)
		return sr_error(diags, SR_UNSUPPORTED, location, ".npy version %d is not supported", version);
	int64_t text = MAGIC_BYTES + 2 + width;
	int64_t length = n < text ? 0 : read_le(bytes + MAGIC_BYTES + 2, width);
	if (n < text || length > n - text)
		return sr_error(diags, SR_USAGE, location, "file ends after %" PRId64 " bytes, in its header of %" PRId64 " bytes",
				n, text + length);
	struct cursor c = {diags, path, bytes + text, bytes + text + length};
	enum sr_status status = parse_dictionary(&c, npy);
	if (status)
		return status;
	int64_t elements, data;
	npy->data_offset = text + length;
	if (sr_product_overflows(npy->dims, npy->rank, &elements) ||
	    sr_mul_overflows(elements, (int64_t)npy->element_bytes, &data) || sr_add_overflows(data, npy->data_offset, &npy->end_offset))
		return sr_error(diags, SR_USAGE, location, "the shape in the .npy header overflows");
	return SR_OK;
}

void sr_npy_format_header(struct sr_buf *buf, enum sr_dtype type, const int64_t *dims, int rank)
{
	struct sr_buf text;
	sr_buf_init(&text, buf->arena);
	sr_buf_printf(&text, "{'descr': '%s', 'fortran_order': False, 'shape': (", sr_dtypes[type].npy);
	for (int i = 0; i < rank; i++)
		sr_buf_printf(&text, "%s%" PRId64, i > 0 ? ", " : "", dims[i]);
	sr_buf_puts(&text, rank == 1 ? ",), }" : "), }");
	int digits = 1;
	for (int64_t n = rank > 0 ? dims[0] : 0; n >= 10; n /= 10)
		digits++;
	for (int i = digits; rank > 0 && i < GROWTH_DIGITS; i++)
		sr_buf_putc(&text, ' ');
	size_t n_used = MAGIC_BYTES + 4 + text.n + 1; /* the header's length includes its final newline */
	/* NumPy appends 64 bytes of padding if the text is already aligned */
	for (size_t pad = DATA_ALIGNMENT - n_used % DATA_ALIGNMENT; pad > 0; pad--)
		sr_buf_putc(&text, ' ');
	sr_buf_putc(&text, '\n');
	sr_buf_put(buf, MAGIC "\x01\x00", MAGIC_BYTES + 2);
	sr_buf_putc(buf, (char)(text.n & 0xff));
	sr_buf_putc(buf, (char)(text.n >> 8 & 0xff));
	sr_buf_put(buf, text.data, text.n);
}
