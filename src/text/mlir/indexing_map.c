/* Parse and print indexing maps of loop nests: the loops, and for each dimension of a tensor the index accessed in an iteration:
 *
 *     #work.map<(d0, d1) -> [d0, 2 * d1 + 1]>                    affine in the loops
 *     #work.map<(d0) -> [clamp(in1, 0, 5) + d0]>                 offset by operand 1, clamped to 0..5
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
	bool by_index, divides; /* true if some dimension has an index value; a divisor */
};

/* Parse `letters` and a number below `end`, e.g. d3 or in3; return the number. */
static int64_t parse_numbered(struct sr_parser *p, const char *letters, int64_t end)
{
	size_t n = strlen(letters);
	int64_t number = 0;
	bool good = p->kind == SR_TOK_BARE && p->len > n && p->len < n + 6 && !memcmp(p->tok, letters, n);
	for (size_t i = n; good && i < p->len; i++) {
		good = p->tok[i] >= '0' && p->tok[i] <= '9';
		number = number * 10 + p->tok[i] - '0';
	}
	if (!good || number >= end)
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
	const char *where = p->tok;
	int64_t factor = sr_parser_accept(p, '-') ? -1 : 1, at = n_loops;
	if (p->kind == SR_TOK_BARE) {
		at = parse_numbered(p, "d", n_loops);
	} else {
		sr_parser_restart(p, where);
		factor = sr_parser_integer(p);
		if (sr_parser_accept(p, '*'))
			at = parse_numbered(p, "d", n_loops);
	}
	if (sr_add_overflows(row[at], factor, &row[at]))
		sr_parser_fail(p, where, "integer value too large");
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
	bool more = true;
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
		more = sr_parser_accept(p, '+') || p->kind == '-';
	}
	if (more && sr_parser_accept(p, '(')) {
		parse_sum(p, r->n_loops, row);
		sr_parser_expect(p, ')');
		sr_parser_expect(p, '/');
		divisor = sr_parser_integer(p);
	} else if (more) {
		parse_sum(p, r->n_loops, row);
	}
	for (int64_t l = 0; l <= r->n_loops; l++)
		sr_push(p->arena, &r->map, row[l]);
	sr_push(p->arena, &r->index, index);
	sr_push(p->arena, &r->limit, limit);
	sr_push(p->arena, &r->divisor, divisor);
	r->by_index = r->by_index || index >= 0;
	r->divides = r->divides || divisor != 1;
}

static const struct sr_attr *i64s_or_null(struct sr_parser *p, bool present, const sr_integers *v)
{
	return present && v->n ? sr_attr_i64s(p->ctx, v->data, (int64_t)v->n) : NULL;
}

const struct sr_attr *sr_parser_indexing_map(struct sr_parser *p, const struct sr_attr_def *def)
{
	struct parsed_map r = {.fill = -1};
	sr_parser_expect(p, '<');
	sr_parser_expect(p, '(');
	while (p->kind != ')') {
		const char *where = p->tok;
		if (parse_numbered(p, "d", SR_MAX_RANK) != r.n_loops)
			sr_parser_fail(p, where, "expected loop d%lld", (long long)r.n_loops);
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
						  [INDEX] = i64s_or_null(p, r.by_index, &r.index),
						  [LIMIT] = i64s_or_null(p, r.by_index, &r.limit),
						  [DIVISOR] = i64s_or_null(p, r.divides, &r.divisor),
						  [FILL] = r.fill < 0 ? NULL : sr_attr_i64s(p->ctx, &r.fill, 1)};
	return sr_attr_struct(p->ctx, def, fields);
}

/* ---- printing ---- */

static const int64_t *field_ints(struct sr_printer *p, const struct sr_attr *a, int field, int64_t *n)
{
	const int64_t *v = NULL;
	*n = 0;
	return a->list[field] && sr_attr_ints(p->ctx, a->list[field], &v, n) && *n ? v : NULL;
}

static void print_sum(struct sr_buf *out, const int64_t *row, int64_t n_loops)
{
	bool first = true;
	for (int64_t l = 0; l <= n_loops; l++) {
		uint64_t size = row[l] < 0 ? 0 - (uint64_t)row[l] : (uint64_t)row[l];
		if (!size)
			continue;
		sr_buf_puts(out, first ? row[l] < 0 ? "-" : "" : row[l] < 0 ? " - " : " + ");
		first = false;
		if (l == n_loops)
			sr_buf_printf(out, "%llu", (unsigned long long)size);
		else if (size == 1)
			sr_buf_printf(out, "d%lld", (long long)l);
		else
			sr_buf_printf(out, "%llu * d%lld", (unsigned long long)size, (long long)l);
	}
	if (first)
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
	const int64_t *map = field_ints(p, a, MAP, &n_map), *index = field_ints(p, a, INDEX, &n),
		*limit = field_ints(p, a, LIMIT, &n);
	const int64_t *divisor = field_ints(p, a, DIVISOR, &n), *fill = field_ints(p, a, FILL, &n);
	sr_buf_puts(p->out, "<(");
	for (int64_t l = 0; l < n_loops; l++)
		sr_buf_printf(p->out, "%sd%lld", l ? ", " : "", (long long)l);
	sr_buf_puts(p->out, ") -> [");
	for (int64_t d = 0; d < n_map / (n_loops + 1); d++) {
		const int64_t *row = map + d * (n_loops + 1);
		bool by_index = index && index[d] >= 0, divides = divisor && divisor[d] != 1;
		sr_buf_puts(p->out, d ? ", " : "");
		if (by_index)
			sr_buf_printf(p->out, "clamp(in%lld, 0, %lld)", (long long)index[d], (long long)(limit ? limit[d] : 0));
		if (by_index && !divides && is_zero(row, n_loops + 1))
			continue;
		sr_buf_puts(p->out, by_index ? divides ? " + (" : " + " : divides ? "(" : "");
		print_sum(p->out, row, n_loops);
		if (divides)
			sr_buf_printf(p->out, ") / %lld", (long long)divisor[d]);
	}
	sr_buf_putc(p->out, ']');
	if (fill)
		sr_buf_printf(p->out, " else in%lld", (long long)*fill);
	sr_buf_putc(p->out, '>');
}
