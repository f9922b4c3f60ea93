/* Decide whether a type belongs to a class of classes.def, and name the classes in messages. */
#include "dialect/signature.h"
#include <string.h>

static const struct { const char *name, *alternatives; } classes[] = {
#define TYPE_CLASS(id, alternatives) {#id, alternatives},
#include "dialect/classes.def"
};

int sr_type_class_find(const char *name, size_t n)
{
	for (int i = 0; i < SR_TYPES_COUNT; i++)
		if (strlen(classes[i].name) == n && memcmp(classes[i].name, name, n) == 0)
			return i;
	return -1;
}

/* ---------------------------------------------------------------- element types */

/* Return true for a width of StableHLO's integers: 2, 4, 8, 16, 32, 64. */
static bool is_standard_width(int width)
{
	return width >= 2 && width <= 64 && (width & (width - 1)) == 0;
}

static bool is_quantized(const struct sr_type *t, bool per_axis)
{
	struct sr_quant q;
	return sr_type_quant(t, &q) && (q.is_signless || !q.is_signed) && (q.axis >= 0) == per_axis && q.width >= 2 &&
	       q.storage_type != SR_DTYPE_NONE;
}

static bool is_element(const struct sr_type *t, char letter)
{
	bool is_integer = t->kind == SR_TYPE_INTEGER, is_complex = t->kind == SR_TYPE_COMPLEX;
	switch (letter) {
	case 'f':
		return t->kind == SR_TYPE_FLOAT && sr_dtype_is_float(t->dtype);
	case 'b':
		return is_integer && t->width == 1 && t->sign == SR_SIGNLESS;
	case 'i':
		return is_integer && is_standard_width(t->width) && t->sign != SR_SIGNED;
	case 's':
		return is_integer && is_standard_width(t->width) && t->sign == SR_SIGNLESS;
	case 'c':
		return is_complex && sr_dtype_is_complex(t->dtype);
	case 'q':
		return is_quantized(t, false);
	case 'a':
		return is_quantized(t, true);
	case 'd':
		return t->kind == SR_TYPE_FLOAT && (t->dtype == SR_F32 || t->dtype == SR_F64);
	case 'x':
		return t->kind == SR_TYPE_INDEX;
	case '3':
		return is_integer && t->width == 32 && t->sign == SR_SIGNLESS;
	case 'u':
		return is_integer && t->width == 32 && t->sign == SR_UNSIGNED;
	case 'I':
		return is_integer;
	case 'F':
		return t->kind == SR_TYPE_FLOAT;
	case 'C':
		return is_complex;
	}
	return letter == '*';
}

static bool is_one_of_elements(const struct sr_type *t, const char *letters, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_element(t, letters[i]))
			return true;
	return false;
}

static const char *element_description(char letter)
{
	switch (letter) {
	case 'f': return "4/6/8/16/32/64-bit float";
	case 'b': return "bool";
	case 'i': return "2/4/8/16/32/64-bit integer";
	case 's': return "2/4/8/16/32/64-bit signless integer";
	case 'c': return "complex type with 32/64-bit float elements";
	case 'q': return "per-tensor integer quantized";
	case 'a': return "per-axis integer quantized";
	case 'd': return "32/64-bit float";
	case 'x': return "index";
	case '3': return "32-bit signless integer";
	case 'u': return "32-bit unsigned integer";
	case 'I': return "integer";
	case 'F': return "floating-point";
	case 'C': return "complex-type";
	}
	return "any type";
}

/* ---------------------------------------------------------------- shapes */

static bool has_one_bounded_dimension(const struct sr_type *t)
{
	int n_dynamic = 0;
	for (int i = 0; i < t->rank; i++)
		n_dynamic += t->shape[i] == SR_DYNAMIC;
	return n_dynamic == 1 && t->encoding && t->encoding->def && strcmp(t->encoding->def->name, "type_extensions") == 0;
}

static bool is_shape(const struct sr_type *t, char letter)
{
	bool is_ranked = t->kind == SR_TYPE_TENSOR;
	switch (letter) {
	case 'R':
		return is_ranked;
	case 'U':
		return is_ranked || t->kind == SR_TYPE_UNRANKED;
	case '0':
		return is_ranked && t->rank == 0;
	case '1':
		return is_ranked && t->rank == 1;
	case 'S':
		return sr_type_is_static(t);
	case 'T':
	case 'V':
		return sr_type_is_static(t) && t->rank == 1;
	case 'W':
		return sr_type_is_static(t) && t->rank == 2;
	}
	return letter == 'B' && is_ranked && (sr_type_is_static(t) || has_one_bounded_dimension(t));
}

static const char *shape_description(char letter)
{
	switch (letter) {
	case 'R': return "ranked tensor";
	case 'U': return "tensor";
	case '0': return "0D tensor";
	case '1': return "1D tensor";
	case 'T': return "statically shaped 1-dimensional tensor";
	case 'V': return "statically shaped 1-dimensional integer tensor";
	case 'W': return "statically shaped 2-dimensional integer tensor";
	case 'B': return "statically shaped or single bounded dimension tensor";
	}
	return "statically shaped tensor";
}

/* Return false for a per-axis quantized tensor that does not have one scale per index of its quantized dimension (quantized_type
 * C12, C13); true for all other types. */
static bool is_axis_in_range(const struct sr_type *t)
{
	struct sr_quant q;
	if (t->kind != SR_TYPE_TENSOR || !sr_type_quant(t->element, &q) || q.axis < 0)
		return true;
	return q.axis < t->rank && (t->shape[q.axis] == SR_DYNAMIC || t->shape[q.axis] == q.n);
}

/* ---------------------------------------------------------------- alternatives of a class */

static bool text_equals(const char *alternative, size_t n, const char *name)
{
	return strlen(name) == n && memcmp(alternative, name, n) == 0;
}

static bool is_opaque(const struct sr_type *t, const char *prefix)
{
	return t->kind == SR_TYPE_OPAQUE && strncmp(t->text, prefix, strlen(prefix)) == 0;
}

static bool is_alternative(const struct sr_type *t, const char *alternative, size_t n);

static bool is_one_of(const struct sr_type *t, const char *alternatives)
{
	for (const char *p = alternatives;; p++) {
		size_t n = strcspn(p, "|");
		if (is_alternative(t, p, n))
			return true;
		p += n;
		if (!*p)
			return false;
	}
}

static bool is_tuple_of(const struct sr_type *t, const char *alternatives)
{
	if (t->kind != SR_TYPE_TUPLE)
		return false;
	for (int i = 0; i < t->n_inputs; i++)
		if (!is_one_of(t->inputs[i], alternatives) && !is_tuple_of(t->inputs[i], alternatives))
			return false;
	return true;
}

static bool is_alternative(const struct sr_type *t, const char *alternative, size_t n)
{
	if (n > 1 && alternative[1] == ':') {
		if (!is_shape(t, alternative[0]) || !is_axis_in_range(t))
			return false;
		return is_one_of_elements(t->element, alternative + 2, n - 2);
	}
	if (text_equals(alternative, n, "token"))
		return t->kind == SR_TYPE_TOKEN;
	if (text_equals(alternative, n, "tuple"))
		return is_tuple_of(t, "R:fbicqa|buffer|token");
	if (text_equals(alternative, n, "custom_tuple"))
		return is_tuple_of(t, "U:fbicqa|buffer|token");
	if (text_equals(alternative, n, "buffer"))
		return t->kind == SR_TYPE_MEMREF && is_one_of_elements(t->element, "fbicq", 5);
	if (text_equals(alternative, n, "future"))
		return is_opaque(t, "stablehlo.future");
	if (text_equals(alternative, n, "shaped"))
		return t->kind == SR_TYPE_TENSOR || t->kind == SR_TYPE_UNRANKED || t->kind == SR_TYPE_VECTOR ||
		       t->kind == SR_TYPE_MEMREF;
	return text_equals(alternative, n, "any");
}

bool sr_type_is_class(const struct sr_type *t, int class)
{
	return is_one_of(t, classes[class].alternatives);
}

static void print_elements(struct sr_buf *out, const char *letters, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		sr_buf_puts(out, i ? " or " : "");
		sr_buf_puts(out, element_description(letters[i]));
	}
	sr_buf_puts(out, " values");
}

static void print_alternatives(struct sr_buf *out, const char *alternatives);

static void print_alternative(struct sr_buf *out, const char *alternative, size_t n)
{
	static const struct { const char *name, *description, *alternatives; } keywords[] = {
		{"tuple", "nested tuple with any combination of ", "R:fbicq|buffer|R:a|token"},
		{"custom_tuple", "nested tuple with any combination of ", "U:fbicqa|buffer|token"},
		{"buffer", "memref of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float "
			   "elements or per-tensor integer quantized values", NULL},
		{"shaped", "shaped of any type values", NULL},
		{"any", "any type", NULL},
	};
	if (n > 1 && alternative[1] == ':') {
		sr_buf_printf(out, "%s of ", shape_description(alternative[0]));
		print_elements(out, alternative + 2, n - 2);
		return;
	}
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		if (!text_equals(alternative, n, keywords[i].name))
			continue;
		sr_buf_puts(out, keywords[i].description);
		if (keywords[i].alternatives) {
			print_alternatives(out, keywords[i].alternatives);
			sr_buf_puts(out, " values");
		}
		return;
	}
	sr_buf_put(out, alternative, n);
}

static void print_alternatives(struct sr_buf *out, const char *alternatives)
{
	for (const char *p = alternatives;; p++) {
		size_t n = strcspn(p, "|");
		print_alternative(out, p, n);
		p += n;
		if (!*p)
			return;
		sr_buf_puts(out, " or ");
	}
}

const char *sr_type_class_str(struct sr_context *ctx, int class)
{
	struct sr_buf out;
	sr_buf_init(&out, ctx->arena);
	print_alternatives(&out, classes[class].alternatives);
	return sr_buf_string(&out);
}
