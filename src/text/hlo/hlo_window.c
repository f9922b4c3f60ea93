/* Read windows, padding, slices and convolution dimension labels:
 *	window={size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x1 rhs_dilate=1x1 rhs_reversal=0x0}
 *	padding=0_0_0x1_1_0    slice={[0:2:1], [1:3]}    dim_labels=b01f_01io->b01f */
#include "text/hlo/hlo.h"
#include <string.h>

/* Read rows joined by x, each of `columns` numbers joined by _, e.g. 1_1x0_2. A row needs only its first `min_columns` numbers; the
 * others are then 0. */
static void read_grid(struct sr_hlo *h, size_t min_columns, size_t columns, sr_integers *out)
{
	const char *position = h->at, *s = sr_hlo_word(h, "numbers joined by x");
	for (;; s++) {
		size_t n = 0;
		for (;; s++, n++) {
			bool is_negative = *s == '-';
			int64_t v = 0;
			s += is_negative;
			if (*s < '0' || *s > '9' || n == columns)
				sr_parser_fail(&h->p, position, "expected numbers joined by x, each of %zu joined by _", columns);
			for (; *s >= '0' && *s <= '9'; s++)
				if (__builtin_mul_overflow(v, (int64_t)10, &v) ||
				    __builtin_add_overflow(v, (int64_t)(*s - '0'), &v))
					sr_parser_fail(&h->p, position, "the number does not fit into 64 bits");
			sr_push(h->arena, out, is_negative ? -v : v);
			if (*s != '_')
				break;
		}
		if (n + 1 < min_columns)
			sr_parser_fail(&h->p, position, "expected numbers joined by x, each of %zu joined by _", columns);
		for (n++; n < columns; n++)
			sr_push(h->arena, out, 0);
		if (!*s)
			return;
		if (*s != 'x')
			sr_parser_fail(&h->p, position, "expected numbers joined by x, found '%c'", *s);
	}
}

enum { SIZE, STRIDE, PAD, LHS_DILATE, RHS_DILATE, REVERSAL, N_WINDOW_FIELDS };
static const struct {
	const char *name;
	size_t columns;
	int64_t default_value;
	const char *target[2]; /* names of the attribute of a convolution and of a window op; an op has one of them */
} window_fields[N_WINDOW_FIELDS] = {
	[SIZE] = {"size", 1, 1, {NULL, "window_dimensions"}},
	[STRIDE] = {"stride", 1, 1, {"window_strides", NULL}},
	[PAD] = {"pad", 2, 0, {"padding", NULL}},
	[LHS_DILATE] = {"lhs_dilate", 1, 1, {"lhs_dilation", "base_dilations"}},
	[RHS_DILATE] = {"rhs_dilate", 1, 1, {"rhs_dilation", "window_dilations"}},
	[REVERSAL] = {"rhs_reversal", 1, 0, {"window_reversal", NULL}},
};

static const struct sr_attr *make_field_attr(struct sr_hlo *h, int field, const sr_integers *list, int64_t n)
{
	if (field == PAD)
		return sr_attr_dense_i64(h->ctx, 2, (int64_t[]){n, 2}, list->data);
	if (field != REVERSAL)
		return sr_attr_i64s(h->ctx, list->data, n);
	bool *flags = SR_NEW_ARRAY(h->arena, bool, n);
	for (int64_t i = 0; i < n; i++)
		flags[i] = list->data[i] != 0;
	return sr_attr_bools(h->ctx, flags, n);
}

void sr_hlo_read_window(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	sr_integers list[N_WINDOW_FIELDS] = {0};
	sr_hlo_expect(h, "{");
	while (!sr_hlo_accept(h, "}")) {
		int field = 0;
		const char *position = h->at, *name = sr_hlo_word(h, "a field of the window");
		while (field < N_WINDOW_FIELDS && strcmp(window_fields[field].name, name) != 0)
			field++;
		if (field == N_WINDOW_FIELDS)
			sr_parser_fail(&h->p, position,
				       "expected size, stride, pad, lhs_dilate, rhs_dilate or rhs_reversal, found '%s'", name);
		sr_hlo_expect(h, "=");
		list[field].n = 0;
		read_grid(h, window_fields[field].columns, window_fields[field].columns, &list[field]);
	}
	int64_t n = (int64_t)list[SIZE].n;
	for (int i = 0; i < N_WINDOW_FIELDS; i++) {
		int64_t n_expected = n * (int64_t)window_fields[i].columns;
		if (list[i].n && (int64_t)list[i].n != n_expected)
			sr_parser_fail(&h->p, v->position, "the window has %lld dimensions, but %s has %lld", (long long)n,
				       window_fields[i].name, (long long)(list[i].n / window_fields[i].columns));
		while ((int64_t)list[i].n < n_expected)
			sr_push(h->arena, &list[i], window_fields[i].default_value);
		for (int t = 0; t < 2; t++)
			if (window_fields[i].target[t] && sr_hlo_has_attr(v, window_fields[i].target[t]))
				sr_hlo_add_attr(v, window_fields[i].target[t], make_field_attr(h, i, &list[i], n));
	}
}

static void add_columns(struct sr_hlo *h, struct sr_hlo_attr_value *v, const sr_integers *list, const char *const names[3])
{
	int64_t n = (int64_t)list->n / 3, *column = SR_NEW_ARRAY(h->arena, int64_t, n);
	for (int c = 0; c < 3; c++) {
		for (int64_t i = 0; i < n; i++)
			column[i] = list->data[i * 3 + c];
		sr_hlo_add_attr(v, names[c], sr_attr_i64s(h->ctx, column, n));
	}
}

void sr_hlo_read_padding(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	sr_integers list = {0};
	if (!sr_hlo_is(h, ",") && h->at < h->p.end && (sr_hlo_is_digit(h)))
		read_grid(h, 2, 3, &list);
	else if (v->instruction->shape->type && v->instruction->shape->type->rank)
		sr_hlo_expected(h, "low_high_interior of each dimension, joined by x");
	add_columns(h, v, &list, (const char *const[]){"edge_padding_low", "edge_padding_high", "interior_padding"});
}

void sr_hlo_read_slices(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	sr_integers list = {0};
	sr_hlo_expect(h, "{");
	while (!sr_hlo_accept(h, "}")) {
		if (list.n)
			sr_hlo_expect(h, ",");
		sr_hlo_expect(h, "[");
		sr_push(h->arena, &list, sr_hlo_integer(h));
		sr_hlo_expect(h, ":");
		sr_push(h->arena, &list, sr_hlo_integer(h));
		sr_push(h->arena, &list, sr_hlo_accept(h, ":") ? sr_hlo_integer(h) : 1);
		sr_hlo_expect(h, "]");
	}
	add_columns(h, v, &list, (const char *const[]){"start_indices", "limit_indices", "strides"});
}

/* Read one of the three label groups of b01f_01io->b01f: the positions of its two letters, and of each spatial dimension. Returns
 * the end of the group. */
static const char *read_label_group(struct sr_hlo *h, const char *position, const char *s, const char letters[2],
				    const struct sr_attr **fields)
{
	int64_t positions[2] = {-1, -1}, spatial_positions[10], n = 0, i = 0;
	memset(spatial_positions, -1, sizeof spatial_positions);
	for (; *s && *s != '_'; s++, i++) {
		bool is_digit = *s >= '0' && *s <= '9';
		int64_t *slot = *s == letters[0]   ? &positions[0]
				: *s == letters[1] ? &positions[1]
				: is_digit	   ? &spatial_positions[*s - '0']
						   : NULL;
		if (!slot || *slot >= 0)
			sr_parser_fail(&h->p, position, "expected labels like b01f_01io->b01f, found '%c'%s", *s,
				       slot ? " twice" : "");
		n += is_digit;
		*slot = i;
	}
	for (int64_t d = 0; d < n; d++)
		if (spatial_positions[d] < 0)
			sr_parser_fail(&h->p, position, "spatial dimension %lld is missing among the labels", (long long)d);
	for (int l = 0; l < 2; l++)
		if (positions[l] < 0)
			sr_parser_fail(&h->p, position, "dimension '%c' is missing among the labels", letters[l]);
	fields[0] = sr_attr_i64(h->ctx, positions[0]);
	fields[1] = sr_attr_i64(h->ctx, positions[1]);
	fields[2] = sr_attr_i64s(h->ctx, spatial_positions, n);
	return s;
}

void sr_hlo_read_labels(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	const struct sr_attr *fields[9];
	const char *s = read_label_group(h, v->position, sr_hlo_word(h, "labels like b01f_01io->b01f"), "bf", fields);
	if (*s++ != '_')
		sr_parser_fail(&h->p, v->position, "expected labels like b01f_01io->b01f, with '_' between the operands");
	s = read_label_group(h, v->position, s, "io", fields + 3);
	sr_hlo_expect(h, "->");
	const char *end = read_label_group(h, v->position, sr_hlo_word(h, "labels of the result"), "bf", fields + 6);
	if (*s || *end)
		sr_parser_fail(&h->p, v->position, "expected labels like b01f_01io->b01f");
	sr_hlo_add_attr(v, "dimension_numbers", sr_attr_struct(h->ctx, sr_attr_def_find("stablehlo", "conv"), fields));
}
