/* Parse and print indexing maps of loop nests: the loops, and for each dimension of a tensor the index accessed in an iteration:
 *
 *     #work.map<(d0, d1) -> [d0, 2 * d1 + 1]>                    affine in the loops
 *     #work.map<(d0) -> [clamp(in1, 0, 5) + d0]>                 offset by operand 1 (or, beyond the operands, a yielded index),
 *                                                                clamped to 0..5
 *     #work.map<(d0, d1) -> [(d0 - 1) / 2, d1 - 1] else in1>     where 2 does not divide d0 - 1, or out of bounds: operand 1 */
#include "dialect/signature.h"
#include "support/checked.h"
#include "text/mlir/parse/parser.h"
#include "text/mlir/print/printer.h"
#include <string.h>

enum { LOOPS, MAP, INDEX, LIMIT, DIVISOR, FILL, N_FIELDS }; /* indices of the fields of the attribute #work.map */

/* ---- parsing ---- */

struct parsed_map {
	int64_t n_loops;
	sr_integers map, index, limit, divisor;
	int64_t fill;
	bool has_index;	  /* true if some dimension is offset by the value of an operand */
	bool has_divisor; /* true if some dimension has a divisor other than 1 */
};

/* Parse `letters` and a number below `end`, e.g. d3 or in3; return the number. */
static int64_t parse_numbered(struct sr_parser *p, const char *letters, int64_t end)
{
	size_t n = strlen(letters);
	int64_t number = 0;
	bool is_valid = p->kind == SR_TOK_BARE && p->len > n && p->len < n + 6 && !memcmp(p->tok, letters, n);
	for (size_t i = n; is_valid && i < p->len; i++) {
		is_valid = p->tok[i] >= '0' && p->tok[i] <= '9';
		number = number * 10 + p->tok[i] - '0';
	}
	if (!is_valid || number >= end)
		sr_parser_expected(p, sr_printf(p->arena, "%s0, %s1, ... here", letters, letters));
	sr_parser_next(p);
	return number;
}

static int64_t parse_operand(struct sr_parser *p)
{
	return parse_numbered(p, "in", INT32_MAX);
}

/* Parse a term (d1, 2 * d1 or 3, with an optional sign) and add it to a row: one coefficient per loop, then the constant. */
static void parse_term(struct sr_parser *p, int64_t n_loops, int64_t *row)
{
	const char *position = p->tok;
	int64_t factor = sr_parser_accept(p, '-') ? -1 : 1, column = n_loops;
	if (p->kind == SR_TOK_BARE) {
		column = parse_numbered(p, "d", n_loops);
	} else {
		sr_parser_restart(p, position);
		factor = sr_parser_integer(p);
		if (sr_parser_accept(p, '*'))
			column = parse_numbered(p, "d", n_loops);
	}
	if (sr_add_overflows(row[column], factor, &row[column]))
		sr_parser_fail(p, position, "integer value too large");
}

static void parse_sum(struct sr_parser *p, int64_t n_loops, int64_t *row)
{
	do
		parse_term(p, n_loops, row);
	while (sr_parser_accept(p, '+') || p->kind == '-');
}

static void parse_dimension(struct sr_parser *p, struct parsed_map *r)
{
	int64_t *row = SR_NEW_ARRAY(p->scratch, int64_t, r->n_loops + 1), index = -1, limit = 0, divisor = 1;
	bool has_sum = true;
	if (sr_parser_accept_word(p, "clamp")) {
		sr_parser_expect(p, '(');
		index = parse_operand(p);
		sr_parser_expect(p, ',');
		const char *lower_bound = p->tok;
		if (sr_parser_integer(p) != 0)
			sr_parser_fail(p, lower_bound, "the lower bound of an index must be 0");
		sr_parser_expect(p, ',');
		limit = sr_parser_integer(p);
		sr_parser_expect(p, ')');
		has_sum = sr_parser_accept(p, '+') || p->kind == '-';
	}
	if (has_sum && sr_parser_accept(p, '(')) {
		parse_sum(p, r->n_loops, row);
		sr_parser_expect(p, ')');
		sr_parser_expect(p, '/');
		divisor = sr_parser_integer(p);
	} else if (has_sum) {
		parse_sum(p, r->n_loops, row);
	}
	for (int64_t l = 0; l <= r->n_loops; l++)
		sr_push(p->arena, &r->map, row[l]);
	sr_push(p->arena, &r->index, index);
	sr_push(p->arena, &r->limit, limit);
	sr_push(p->arena, &r->divisor, divisor);
	r->has_index = r->has_index || index >= 0;
	r->has_divisor = r->has_divisor || divisor != 1;
}

static const struct sr_attr *i64s_or_null(struct sr_parser *p, bool is_present, const sr_integers *v)
{
	return is_present && v->n ? sr_attr_i64s(p->ctx, v->data, (int64_t)v->n) : NULL;
}

const struct sr_attr *sr_parser_indexing_map(struct sr_parser *p, const struct sr_attr_def *def)
{
	struct parsed_map r = {.fill = -1};
	sr_parser_expect(p, '<');
	sr_parser_expect(p, '(');
	while (p->kind != ')') {
		const char *position = p->tok;
		if (parse_numbered(p, "d", SR_MAX_RANK) != r.n_loops)
			sr_parser_fail(p, position, "expected loop d%lld", (long long)r.n_loops);
		r.n_loops++;
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ')');
	sr_parser_expect(p, SR_TOK_ARROW);
	sr_parser_expect(p, '[');
	while (p->kind != ']') {
		parse_dimension(p, &r);
		if (!sr_parser_accept(p, ','))
			break;
	}
	sr_parser_expect(p, ']');
	if (sr_parser_accept_word(p, "else"))
		r.fill = parse_operand(p);
	sr_parser_expect(p, '>');
	const struct sr_attr *fields[N_FIELDS] = {[LOOPS] = sr_attr_i64(p->ctx, r.n_loops),
						  [MAP] = i64s_or_null(p, true, &r.map),
						  [INDEX] = i64s_or_null(p, r.has_index, &r.index),
						  [LIMIT] = i64s_or_null(p, r.has_index, &r.limit),
						  [DIVISOR] = i64s_or_null(p, r.has_divisor, &r.divisor),
						  [FILL] = r.fill < 0 ? NULL : sr_attr_i64s(p->ctx, &r.fill, 1)};
	return sr_attr_struct(p->ctx, def, fields);
}

/* ---- printing ---- */

static const int64_t *integers_of_field(struct sr_printer *p, const struct sr_attr *a, int field, int64_t *n)
{
	const int64_t *v = NULL;
	*n = 0;
	return a->list[field] && sr_attr_ints(p->ctx, a->list[field], &v, n) && *n ? v : NULL;
}

static void print_sum(struct sr_buf *out, const int64_t *row, int64_t n_loops)
{
	bool is_first = true;
	for (int64_t l = 0; l <= n_loops; l++) {
		uint64_t magnitude = row[l] < 0 ? 0 - (uint64_t)row[l] : (uint64_t)row[l];
		if (!magnitude)
			continue;
		sr_buf_puts(out, is_first ? row[l] < 0 ? "-" : "" : row[l] < 0 ? " - " : " + ");
		is_first = false;
		if (l == n_loops)
			sr_buf_printf(out, "%llu", (unsigned long long)magnitude);
		else if (magnitude == 1)
			sr_buf_printf(out, "d%lld", (long long)l);
		else
			sr_buf_printf(out, "%llu * d%lld", (unsigned long long)magnitude, (long long)l);
	}
	if (is_first)
		sr_buf_putc(out, '0');
}

static bool is_zero(const int64_t *row, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		if (row[i])
			return false;
	return true;
}

void sr_print_indexing_map(struct sr_printer *p, const struct sr_attr *a)
{
	int64_t n_loops = a->list[LOOPS]->i, n, n_map;
	const int64_t *map = integers_of_field(p, a, MAP, &n_map), *index = integers_of_field(p, a, INDEX, &n),
		*limit = integers_of_field(p, a, LIMIT, &n);
	const int64_t *divisor = integers_of_field(p, a, DIVISOR, &n), *fill = integers_of_field(p, a, FILL, &n);
	sr_buf_puts(p->out, "<(");
	for (int64_t l = 0; l < n_loops; l++)
		sr_buf_printf(p->out, "%sd%lld", l ? ", " : "", (long long)l);
	sr_buf_puts(p->out, ") -> [");
	for (int64_t d = 0; d < n_map / (n_loops + 1); d++) {
		const int64_t *row = map + d * (n_loops + 1);
		bool has_index = index && index[d] >= 0, has_divisor = divisor && divisor[d] != 1;
		sr_buf_puts(p->out, d ? ", " : "");
		if (has_index)
			sr_buf_printf(p->out, "clamp(in%lld, 0, %lld)", (long long)index[d], (long long)(limit ? limit[d] : 0));
		if (has_index && !has_divisor && is_zero(row, n_loops + 1))
			continue;
		sr_buf_puts(p->out, has_index ? has_divisor ? " + (" : " + " : has_divisor ? "(" : "");
		print_sum(p->out, row, n_loops);
		if (has_divisor)
			sr_buf_printf(p->out, ") / %lld", (long long)divisor[d]);
	}
	sr_buf_putc(p->out, ']');
	if (fill)
		sr_buf_printf(p->out, " else in%lld", (long long)*fill);
	sr_buf_putc(p->out, '>');
}
