/* Parse and print directives for StableHLO attributes. */
#include "text/mlir/form/directives.h"
#include <string.h>

static const struct sr_attr *get_attr_arg(const struct sr_op *op, const struct sr_form_element *element, int arg)
{
	return sr_op_attr(op, element->args[arg]);
}

static void set_attr_arg(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element, int arg,
			 const struct sr_attr *value)
{
	sr_parser_set_attr(p, s, element->args[arg], value);
}

/* Parse the directive <call-target>: @foo stands for the string "foo". */
void sr_parse_call_target(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	const char *name = sr_parser_symbol(p);
	set_attr_arg(p, s, element, 0, sr_attr_string(p->ctx, name, sr_interned_length(name)));
}

void sr_print_call_target(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	const struct sr_attr *a = get_attr_arg(op, element, 0);
	if (a)
		sr_print_symbol(out->out, a->s);
}

void sr_parse_symbol_name(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	sr_parse_call_target(p, s, element);
}

void sr_print_symbol_name(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	sr_print_call_target(out, op, element);
}

/* Parse the directive <slice-ranges>: [start:limit:stride, ...]; a stride of 1 is omitted. */
void sr_parse_slice_ranges(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	sr_integers start = {0}, limit = {0}, stride = {0};
	sr_parser_expect(p, '[');
	while (p->kind != ']') {
		int64_t v = sr_parser_integer(p);
		sr_push(p->scratch, &start, v);
		sr_parser_expect(p, ':');
		v = sr_parser_integer(p);
		sr_push(p->scratch, &limit, v);
		v = sr_parser_accept(p, ':') ? sr_parser_integer(p) : 1;
		sr_push(p->scratch, &stride, v);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ']');
	set_attr_arg(p, s, element, 0, sr_attr_i64s(p->ctx, start.data, (int64_t)start.n));
	set_attr_arg(p, s, element, 1, sr_attr_i64s(p->ctx, limit.data, (int64_t)limit.n));
	set_attr_arg(p, s, element, 2, sr_attr_i64s(p->ctx, stride.data, (int64_t)stride.n));
}

void sr_print_slice_ranges(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	const int64_t *v[3];
	int64_t n[3] = {0};
	for (int i = 0; i < 3; i++)
		if (!get_attr_arg(op, element, i) || !sr_attr_ints(out->ctx, get_attr_arg(op, element, i), &v[i], &n[i]))
			n[i] = 0;
	sr_buf_putc(out->out, '[');
	for (int64_t i = 0; i < n[0] && i < n[1] && i < n[2]; i++) {
		sr_buf_printf(out->out, "%s%lld:%lld", i ? ", " : "", (long long)v[0][i], (long long)v[1][i]);
		if (v[2][i] != 1)
			sr_buf_printf(out->out, ":%lld", (long long)v[2][i]);
	}
	sr_buf_putc(out->out, ']');
}

static int32_t parse_digits(struct sr_parser *p, const char *position, const char *noun, const char *digits, const char *end)
{
	int32_t v = 0;
	for (const char *s = digits; s < end; s++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *s - '0', &v))
			sr_parser_fail(p, position, "unable to parse %s '%.*s'", noun, (int)(end - digits), digits);
	return v;
}

/* Parse the directive <exponent-mantissa>: e5m10. */
void sr_parse_exponent_mantissa(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	const char *position = p->tok;
	const char *word = sr_parser_word(p, "valid keyword"), *mantissa = word + 1 + strspn(word + 1, "0123456789");
	if (word[0] != 'e' || mantissa == word + 1 || mantissa[0] != 'm' || !mantissa[1] || mantissa[1 + strspn(mantissa + 1, "0123456789")])
		sr_parser_fail(p, position, "expected exponent mantissa in format e#m#, saw %s", word);
	set_attr_arg(p, s, element, 0, sr_attr_i32(p->ctx, parse_digits(p, position, "exponent", word + 1, mantissa)));
	set_attr_arg(p, s, element, 1,
		     sr_attr_i32(p->ctx, parse_digits(p, position, "mantissa", mantissa + 1, mantissa + strlen(mantissa))));
}

void sr_print_exponent_mantissa(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	sr_buf_printf(out->out, "e%lldm%lld", (long long)sr_op_int(op, element->args[0], 0),
		      (long long)sr_op_int(op, element->args[1], 0));
}

/* Parse a list of dimensions for the directive <dot-dimensions>: batching_dims = [0] x [0], contracting_dims = [2] x [1]. */
static const struct sr_attr *parse_dims(struct sr_parser *p)
{
	sr_integers list = {0};
	sr_parser_integers(p, &list);
	return list.n ? sr_attr_i64s(p->ctx, list.data, (int64_t)list.n) : NULL;
}

static void parse_dim_pair(struct sr_parser *p, const struct sr_attr **fields)
{
	sr_parser_expect(p, '=');
	fields[0] = parse_dims(p);
	sr_parser_expect_word(p, "x");
	fields[1] = parse_dims(p);
}

void sr_parse_dot_dimensions(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	const struct sr_attr *fields[4] = {NULL};
	if (sr_parser_accept_word(p, "batching_dims")) {
		parse_dim_pair(p, fields);
		sr_parser_expect(p, ',');
	}
	sr_parser_expect_word(p, "contracting_dims");
	parse_dim_pair(p, fields + 2);
	set_attr_arg(p, s, element, 0, sr_attr_struct(p->ctx, sr_attr_def_find("stablehlo", "dot"), fields));
}

static void print_dim_pair(struct sr_printer *out, const struct sr_attr *dot, int first)
{
	for (int i = first; i < first + 2; i++) {
		sr_buf_puts(out->out, i == first ? "[" : " x [");
		if (dot->list[i])
			sr_print_integers(out, dot->list[i]);
		sr_buf_putc(out->out, ']');
	}
}

void sr_print_dot_dimensions(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	const struct sr_attr *dot = get_attr_arg(op, element, 0);
	if (!dot || dot->kind != SR_ATTR_STRUCT || dot->n < 4)
		return;
	if (dot->list[0] || dot->list[1]) {
		sr_buf_puts(out->out, "batching_dims = ");
		print_dim_pair(out, dot, 0);
		sr_buf_puts(out->out, ", ");
	}
	sr_buf_puts(out->out, "contracting_dims = ");
	print_dim_pair(out, dot, 2);
}

/* Parse a list of precisions for the directive <precision-and-algorithm>, e.g. [DEFAULT, HIGH]. */
static const struct sr_attr *parse_precisions(struct sr_parser *p)
{
	sr_attrs list = {0};
	const struct sr_attr_def *def = sr_attr_def_find("stablehlo", "precision");
	sr_parser_expect(p, '[');
	while (p->kind != ']') {
		const struct sr_attr *a = sr_parser_enum(p, def);
		sr_push(p->scratch, &list, a);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ']');
	return sr_attr_array(p->ctx, list.data, (int)list.n);
}

void sr_parse_precision(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	if (!sr_parser_accept(p, ','))
		return;
	bool has_algorithm = element->n_args > 1;
	if (!has_algorithm || !sr_parser_is_word(p, "algorithm")) {
		sr_parser_expect_word(p, "precision");
		sr_parser_expect(p, '=');
		set_attr_arg(p, s, element, 0, parse_precisions(p));
		if (!has_algorithm || !sr_parser_accept(p, ','))
			return;
	}
	sr_parser_expect_word(p, "algorithm");
	sr_parser_expect(p, '=');
	const struct sr_attr_def *def = sr_attr_def_find("stablehlo", "dot_algorithm");
	set_attr_arg(p, s, element, 1, p->kind == SR_TOK_HASH ? sr_parser_attr(p, NULL) : sr_parser_struct(p, def));
}

void sr_print_precision(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	const struct sr_attr *list = get_attr_arg(op, element, 0),
		*algorithm = element->n_args > 1 ? get_attr_arg(op, element, 1) : NULL;
	if (list) {
		sr_buf_puts(out->out, ", precision = [");
		for (int i = 0; i < list->n; i++) {
			if (i)
				sr_buf_puts(out->out, ", ");
			sr_buf_puts(out->out, list->list[i]->kind == SR_ATTR_ENUM ? sr_attr_enum_name(list->list[i]) : "");
		}
		sr_buf_putc(out->out, ']');
	}
	if (algorithm) {
		sr_buf_puts(out->out, ", algorithm = ");
		sr_print_struct(out, algorithm);
	}
}

void sr_parse_conv_dimensions(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	set_attr_arg(p, s, element, 0, sr_parser_conv_dims(p, sr_attr_def_find("stablehlo", "conv")));
}

void sr_print_conv_dimensions(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	const struct sr_attr *a = get_attr_arg(op, element, 0);
	if (a)
		sr_print_conv_dims(out, a);
}

/* ----------------------------------------------------------- {stride = [1, 1], pad = [[0, 0], [1, 1]], reverse = [false, true]} */

static const char *const window_words[] = {"stride", "pad", "lhs_dilate", "rhs_dilate", "reverse"};
enum { STRIDE, PAD, LHS_DILATE, RHS_DILATE, REVERSAL, N_WINDOW_FIELDS };

static const struct sr_attr *parse_padding(struct sr_parser *p)
{
	sr_integers v = {0};
	sr_parser_expect(p, '[');
	while (p->kind != ']') {
		size_t old_n = v.n;
		const char *position = p->tok;
		sr_parser_integers(p, &v);
		if (v.n - old_n != 2)
			sr_parser_fail(p, position, "Expected array with 2 elements, got %zu elements instead", v.n - old_n);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ']');
	int64_t shape[2] = {(int64_t)(v.n / 2), 2};
	return sr_attr_dense_i64(p->ctx, 2, shape, v.data);
}

static const struct sr_attr *parse_booleans(struct sr_parser *p)
{
	SR_VEC(bool) v = {0};
	sr_parser_expect(p, '[');
	while (p->kind != ']') {
		bool value = sr_parser_is_word(p, "true");
		if (value || sr_parser_is_word(p, "false"))
			sr_parser_next(p);
		else
			value = sr_parser_integer(p) != 0;
		sr_push(p->scratch, &v, value);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ']');
	return sr_attr_bools(p->ctx, v.data, (int64_t)v.n);
}

void sr_parse_window(struct sr_parser *p, struct sr_op_state *s, const struct sr_form_element *element)
{
	bool is_parsed[N_WINDOW_FIELDS] = {false};
	while (p->kind == SR_TOK_BARE) {
		int i = 0;
		while (i < N_WINDOW_FIELDS && (is_parsed[i] || !sr_parser_is_word(p, window_words[i])))
			i++;
		if (i == N_WINDOW_FIELDS)
			sr_parser_fail(p, p->tok, "Unexpected keyword %.*s", (int)p->len, p->tok);
		is_parsed[i] = true;
		sr_parser_next(p);
		sr_parser_expect(p, '=');
		sr_integers list = {0};
		if (i == PAD) {
			set_attr_arg(p, s, element, i, parse_padding(p));
		} else if (i == REVERSAL) {
			set_attr_arg(p, s, element, i, parse_booleans(p));
		} else {
			sr_parser_integers(p, &list);
			set_attr_arg(p, s, element, i, sr_attr_i64s(p->ctx, list.data, (int64_t)list.n));
		}
		if (!sr_parser_accept(p, ','))
			break;
	}
}

static void print_padding(struct sr_printer *out, const struct sr_attr *a)
{
	const int64_t *v;
	int64_t n = 0;
	if (!sr_attr_ints(out->ctx, a, &v, &n))
		n = 0;
	for (int64_t i = 0; i + 1 < n; i += 2)
		sr_buf_printf(out->out, "%s[%lld, %lld]", i ? ", " : "", (long long)v[i], (long long)v[i + 1]);
}

void sr_print_window(struct sr_printer *out, const struct sr_op *op, const struct sr_form_element *element)
{
	bool is_first = true;
	for (int i = 0; i < N_WINDOW_FIELDS; i++) {
		const struct sr_attr *a = get_attr_arg(op, element, i);
		if (!a)
			continue;
		sr_buf_printf(out->out, "%s%s = [", is_first ? "" : ", ", window_words[i]);
		is_first = false;
		if (i == PAD)
			print_padding(out, a);
		else if (a->kind == SR_ATTR_DENSE_ARRAY)
			sr_print_dense_array(out, a, true);
		else
			sr_print_integers(out, a);
		sr_buf_putc(out->out, ']');
	}
}
