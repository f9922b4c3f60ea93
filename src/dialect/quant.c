/* Parse quantized element types from the text of the opaque type !quant.uniform<storage<min:max>:expressed:axis, {scale:zero,
 * ...}>. */
#include "dialect/signature.h"
#include "support/vec.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct text_cursor {
	const char *at;
	bool is_valid;
};

static bool take_char(struct text_cursor *c, char ch)
{
	while (*c->at == ' ')
		c->at++;
	if (*c->at != ch)
		return false;
	c->at++;
	return true;
}

static void expect_char(struct text_cursor *c, char ch)
{
	if (!take_char(c, ch))
		c->is_valid = false;
}

static int64_t read_integer(struct text_cursor *c)
{
	char *end;
	errno = 0;
	int64_t v = strtoll(c->at, &end, 10);
	if (end == c->at || errno)
		c->is_valid = false;
	c->at = end;
	return v;
}

static double read_number(struct text_cursor *c)
{
	char *end;
	double v = strtod(c->at, &end);
	if (end == c->at)
		c->is_valid = false;
	c->at = end;
	return v;
}

/* Set the storage range to that of the storage type. */
static void set_default_range(struct sr_quant *q)
{
	q->min = q->is_signed ? -((int64_t)1 << (q->width - 1)) : 0;
	q->max = q->is_signed ? ((int64_t)1 << (q->width - 1)) - 1 : ((int64_t)1 << q->width) - 1;
}

/* Parse i8, u8, si8 or ui8 with an optional <min:max>. */
static void read_storage(struct text_cursor *c, struct sr_quant *q)
{
	q->is_signed = *c->at != 'u';
	q->is_signless = *c->at == 'i' || (*c->at == 'u' && c->at[1] != 'i');
	if (*c->at == 's' || (*c->at == 'u' && c->at[1] == 'i'))
		c->at++;
	if (*c->at == 'i' || *c->at == 'u')
		c->at++;
	else
		c->is_valid = false;
	q->width = (int)read_integer(c);
	if (!c->is_valid || q->width < 1 || q->width > 32) {
		c->is_valid = false;
		return;
	}
	set_default_range(q);
	q->storage_type = q->width > 1 ? sr_dtype_of_integer(q->width, !q->is_signed) : SR_DTYPE_NONE;
	if (take_char(c, '<')) {
		q->min = read_integer(c);
		expect_char(c, ':');
		q->max = read_integer(c);
		expect_char(c, '>');
	}
}

static void read_scale(struct text_cursor *c, double *s, int64_t *zero_point)
{
	*s = read_number(c);
	*zero_point = take_char(c, ':') ? read_integer(c) : 0;
}

/* Return true if the storage range is not empty and within that of the storage type (quantized_type C3). */
static bool has_valid_range(const struct sr_quant *q)
{
	struct sr_quant widest = {.is_signed = q->is_signed, .width = q->width};
	set_default_range(&widest);
	return widest.min <= q->min && q->min < q->max && q->max <= widest.max;
}

/* Parse a quantized type into *q. Store scales and zero points only if ctx is not NULL. Return false if t is no quantized type or
 * is malformed. `checks_values`: require a valid storage range, positive finite scales (quantized_type C5, C6), and zero points within
 * the storage range (C7, C8). */
static bool parse_quant(struct sr_context *ctx, const struct sr_type *t, struct sr_quant *q, bool checks_values)
{
	static const char prefix[] = "quant.uniform<";
	if (t->kind != SR_TYPE_OPAQUE || strncmp(t->text, prefix, sizeof prefix - 1) != 0)
		return false;
	struct text_cursor c = {t->text + sizeof prefix - 1, true};
	*q = (struct sr_quant){.axis = -1};
	read_storage(&c, q);
	if (c.is_valid && checks_values)
		c.is_valid = has_valid_range(q);
	expect_char(&c, ':');
	size_t n = strcspn(c.at, ":, >");
	q->expressed_type = sr_dtype_find(c.at, n);
	c.at += n;
	if (take_char(&c, ':'))
		q->axis = read_integer(&c);
	expect_char(&c, ',');
	bool has_braces = take_char(&c, '{');
	SR_VEC(double) scales = {0};
	SR_VEC(int64_t) zeros = {0};
	do {
		double s;
		int64_t zero_point;
		read_scale(&c, &s, &zero_point);
		if (checks_values && (!(s > 0) || isinf(s) || zero_point < q->min || zero_point > q->max))
			c.is_valid = false;
		if (ctx) {
			sr_push(ctx->arena, &scales, s);
			sr_push(ctx->arena, &zeros, zero_point);
		}
		q->n++;
	} while (c.is_valid && has_braces && take_char(&c, ','));
	if (has_braces)
		expect_char(&c, '}');
	expect_char(&c, '>');
	q->scales = scales.data;
	q->zero_points = zeros.data;
	return c.is_valid && has_braces == (q->axis >= 0);
}

bool sr_type_quant(const struct sr_type *t, struct sr_quant *out)
{
	return parse_quant(NULL, t, out, true);
}

bool sr_type_quant_values(struct sr_context *ctx, const struct sr_type *t, struct sr_quant *out)
{
	return parse_quant(ctx, t, out, true);
}

const char *sr_quant_text(struct sr_context *ctx, const char *text)
{
	struct sr_quant q;
	struct sr_type t = {.kind = SR_TYPE_OPAQUE, .text = text};
	struct sr_buf out;
	if (!parse_quant(ctx, &t, &q, false) || q.storage_type == SR_DTYPE_NONE || q.expressed_type == SR_DTYPE_NONE)
		return text;
	struct sr_quant default_range = {.is_signed = q.is_signed, .width = q.width};
	set_default_range(&default_range);
	sr_buf_init(&out, ctx->arena);
	sr_buf_printf(&out, "quant.uniform<%s%d", q.is_signless ? q.is_signed ? "i" : "u" : q.is_signed ? "si" : "ui", q.width);
	if (q.min != default_range.min || q.max != default_range.max)
		sr_buf_printf(&out, "<%lld:%lld>", (long long)q.min, (long long)q.max);
	sr_buf_printf(&out, ":%s", sr_dtypes[q.expressed_type].name);
	if (q.axis >= 0)
		sr_buf_printf(&out, ":%lld", (long long)q.axis);
	sr_buf_puts(&out, q.axis >= 0 ? ", {" : ", ");
	for (int i = 0; i < q.n; i++) {
		uint64_t bits;
		if (!isfinite(q.scales[i])) /* it would be printed as bits, which are no scale */
			return text;
		memcpy(&bits, &q.scales[i], sizeof bits);
		sr_buf_puts(&out, i ? "," : "");
		sr_print_float(&out, SR_F64, bits);
		if (q.zero_points[i])
			sr_buf_printf(&out, ":%lld", (long long)q.zero_points[i]);
	}
	sr_buf_puts(&out, q.axis >= 0 ? "}>" : ">");
	return sr_intern(ctx, sr_buf_string(&out));
}
