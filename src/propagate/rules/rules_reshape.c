/* Sharding rule of reshape: common factors of two shapes, from the major side.
 *
 * Both shapes are traversed together, with the product of the factors found so far on each side. While the products are equal, the
 * greatest common divisor of what is left of the two current dimensions is a factor of both. If it is 1, each side gets factors of
 * its own until the products are equal again.
 *
 * 2x4x32 to 8x32: ([i, j, k])->([ij, k]) {i=2, j=4, k=32}. 8x9 to 6x12: the factor 2 is common, all others are not. */
#include "propagate/projection.h"
#include "propagate/rules/rules.h"

struct reshape_side {
	const struct sr_type *type;
	int dim;
	int64_t dims, factors; /* product of the dimensions begun so far; product of the factors found so far */
	int64_t next;          /* part of the current dimension's extent for which no factor was found yet */
};

static bool has_dims_left(const struct reshape_side *s)
{
	return s->dim < s->type->rank;
}

static void begin_dim(struct reshape_side *s)
{
	if (has_dims_left(s) && s->dims == s->factors)
		s->dims *= s->type->shape[s->dim];
	s->next = s->dims / s->factors;
}

static void end_dim(struct reshape_side *s)
{
	if (has_dims_left(s) && s->dims == s->factors)
		s->dim++;
}

static void add_factor(struct sr_rule_builder *b, struct reshape_side *in, struct reshape_side *out, int64_t size)
{
	int factor = sr_rule_factor(b, size, SR_FACTOR_PASS);
	if (in) {
		sr_rule_operand(b, 0, in->dim, factor);
		in->factors *= size;
	}
	if (out) {
		sr_rule_result(b, 0, out->dim, factor);
		out->factors *= size;
	}
}

/* Return the size of the next factor of the side with the smaller product, which the other side does not get: the quotient of the
 * products if it is an integer that divides smaller->next, since both products are then equal; else smaller->next without the
 * common divisor if that leaves a factor above 1; else smaller->next. */
static int64_t own_factor(const struct reshape_side *smaller, const struct reshape_side *larger, int64_t common)
{
	int64_t gap = larger->factors / smaller->factors;
	if (larger->factors % smaller->factors == 0 && smaller->next % gap == 0)
		return gap;
	return smaller->next > common ? smaller->next / common : smaller->next;
}

static void next_factors(struct sr_rule_builder *b, struct reshape_side *in, struct reshape_side *out)
{
	int64_t common = sr_gcd(in->next, out->next);
	if (in->factors < out->factors) {
		add_factor(b, in, NULL, own_factor(in, out, common));
	} else if (in->factors > out->factors) {
		add_factor(b, NULL, out, own_factor(out, in, common));
	} else if (common > 1) {
		add_factor(b, in, out, common);
	} else {
		add_factor(b, in, NULL, in->next);
		add_factor(b, NULL, out, out->next);
	}
}

bool sr_rule_reshape(struct sr_rule_builder *b, struct sr_op *op)
{
	struct reshape_side in = {sr_operand_type(op, 0), .dims = 1, .factors = 1};
	struct reshape_side out = {sr_result_type(op, 0), .dims = 1, .factors = 1};
	int64_t elements, results;
	if (!sr_type_elements(in.type, &elements) || !sr_type_elements(out.type, &results) || elements == 0 || elements != results)
		return false;
	while (has_dims_left(&in) || has_dims_left(&out)) {
		if (has_dims_left(&in) && in.type->shape[in.dim] == 1) {
			add_factor(b, &in, NULL, 1);
			in.dim++;
			continue;
		}
		if (has_dims_left(&out) && out.type->shape[out.dim] == 1) {
			add_factor(b, NULL, &out, 1);
			out.dim++;
			continue;
		}
		begin_dim(&in);
		begin_dim(&out);
		next_factors(b, &in, &out);
		end_dim(&in);
		end_dim(&out);
	}
	return true;
}
