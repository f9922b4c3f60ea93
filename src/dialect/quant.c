/* Quantized element types, read from the text of the opaque type !quant.uniform<storage<min:max>:expressed:axis, {scale:zero, ...}>. */
#include "dialect/signature.h"
#include <stdlib.h>
#include <string.h>

struct cursor {
	const char *at;
	bool good;
};

static bool take(struct cursor *c, char ch)
{
	while (*c->at == ' ')
		c->at++;
	if (*c->at != ch)
		return false;
	c->at++;
	return true;
}

static void need(struct cursor *c, char ch)
{
	if (!take(c, ch))
		c->good = false;
}

static int64_t integer(struct cursor *c)
{
	char *end;
	int64_t v = strtoll(c->at, &end, 10);
	if (end == c->at)
		c->good = false;
	c->at = end;
	return v;
}

static double number(struct cursor *c)
{
	char *end;
	double v = strtod(c->at, &end);
	if (end == c->at)
		c->good = false;
	c->at = end;
	return v;
}

/* i8, u8, si8, ui8 with an optional <min:max> */
static void storage(struct cursor *c, struct sr_quant *q)
{
	q->is_signed = *c->at != 'u';
	if (*c->at == 's' || (*c->at == 'u' && c->at[1] == 'i'))
		c->at++;
	if (*c->at == 'i' || *c->at == 'u')
		c->at++;
	else
		c->good = false;
	q->width = (int)integer(c);
	if (!c->good || q->width < 1 || q->width > 32) {
		c->good = false;
		return;
	}
	q->min = q->is_signed ? -((int64_t)1 << (q->width - 1)) : 0;
	q->max = q->is_signed ? ((int64_t)1 << (q->width - 1)) - 1 : ((int64_t)1 << q->width) - 1;
	static const struct { int width; enum sr_dtype s, u; } types[] = {
		{2, SR_I2, SR_UI2}, {4, SR_I4, SR_UI4}, {8, SR_I8, SR_UI8}, {16, SR_I16, SR_UI16}, {32, SR_I32, SR_UI32}};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (types[i].width == q->width)
			q->storage = q->is_signed ? types[i].s : types[i].u;
	if (take(c, '<')) {
		q->min = integer(c);
		need(c, ':');
		q->max = integer(c);
		need(c, '>');
	}
}

static void scale(struct cursor *c, const struct sr_quant *q, double *s, int64_t *zero)
{
	*s = number(c);
	*zero = take(c, ':') ? integer(c) : 0;
	if (*zero < q->min || *zero > q->max) /* quantized_type C7, C8 */
		c->good = false;
}

static bool parse(struct sr_context *ctx, const struct sr_type *t, struct sr_quant *q)
{
	static const char prefix[] = "quant.uniform<";
	if (t->kind != SR_TYPE_OPAQUE || strncmp(t->text, prefix, sizeof prefix - 1) != 0)
		return false;
	struct cursor c = {t->text + sizeof prefix - 1, true};
	*q = (struct sr_quant){.axis = -1, .n = 1};
	storage(&c, q);
	need(&c, ':');
	size_t n = strcspn(c.at, ":, >");
	q->expressed = sr_dtype_find(c.at, n);
	c.at += n;
	if (take(&c, ':'))
		q->axis = integer(&c);
	need(&c, ',');
	bool list = take(&c, '{');
	const char *first = c.at;
	double s;
	int64_t zero;
	scale(&c, q, &s, &zero);
	for (; c.good && list && take(&c, ','); q->n++)
		scale(&c, q, &s, &zero);
	if (list)
		need(&c, '}');
	need(&c, '>');
	if (!c.good || list != (q->axis >= 0))
		return false;
	if (!ctx)
		return true;
	double *scales = SR_NEWS(ctx->arena, double, q->n);
	int64_t *zeros = SR_NEWS(ctx->arena, int64_t, q->n);
	c.at = first;
	for (int i = 0; i < q->n; i++, take(&c, ','))
		scale(&c, q, &scales[i], &zeros[i]);
	q->scales = scales;
	q->zero_points = zeros;
	return true;
}

bool sr_type_quant(const struct sr_type *t, struct sr_quant *out)
{
	return parse(NULL, t, out);
}

bool sr_type_quant_values(struct sr_context *ctx, const struct sr_type *t, struct sr_quant *out)
{
	return parse(ctx, t, out);
}
