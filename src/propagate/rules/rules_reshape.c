/* The rule of reshape: the common factors of two shapes, read from the major side.
 *
 * Both shapes are walked together, keeping the product of the factors given so far on each side. While the products agree, the
 * greatest common divisor of what is left of the two current dimensions is a factor of both; where it is 1 the sides part, each
 * with factors of its own, until the products agree again.
 *
 * 2x4x32 to 8x32: ([i, j, k])->([ij, k]) {i=2, j=4, k=32}.
 * 8x9 to 6x12: 2 in common, then the sides part. */
#include "propagate/projection.h"
#include "propagate/rules/rules.h"

struct side {
	const struct sr_type *type;
	int dim;
	int64_t dims, factors; /* products of the dimensions begun and of the factors given */
	int64_t next;          /* what is left of the current dimension */
};

static bool is_left(const struct side *s)
{
	return s->dim < s->type->rank;
}

static void begin_dim(struct side *s)
{
	if (is_left(s) && s->dims == s->factors)
		s->dims *= s->type->shape[s->dim];
	s->next = s->dims / s->factors;
}

static void end_dim(struct side *s)
{
	if (is_left(s) && s->dims == s->factors)
		s->dim++;
}

static void add(struct sr_rule_builder *b, struct side *in, struct side *out, int64_t size)
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

/* The factor that the side behind takes alone: what brings the sides together again, or all but the common divisor, or all. */
static int64_t own_factor(const struct side *behind, const struct side *ahead, int64_t common)
{
	int64_t gap = ahead->factors / behind->factors;
	if (ahead->factors % behind->factors == 0 && behind->next % gap == 0)
		return gap;
	return behind->next > common ? behind->next / common : behind->next;
}

static void next_factors(struct sr_rule_builder *b, struct side *in, struct side *out)
{
	int64_t common = sr_gcd(in->next, out->next);
	if (in->factors < out->factors) {
		add(b, in, NULL, own_factor(in, out, common));
	} else if (in->factors > out->factors) {
		add(b, NULL, out, own_factor(out, in, common));
	} else if (common > 1) {
		add(b, in, out, common);
	} else {
		add(b, in, NULL, in->next);
		add(b, NULL, out, out->next);
	}
}

bool sr_rule_reshape(struct sr_rule_builder *b, struct sr_op *op)
{
	struct side in = {sr_operand_type(op, 0), .dims = 1, .factors = 1};
	struct side out = {sr_result_type(op, 0), .dims = 1, .factors = 1};
	int64_t elements, results;
	if (!sr_type_elements(in.type, &elements) || !sr_type_elements(out.type, &results) || elements == 0 || elements != results)
		return false;
	while (is_left(&in) || is_left(&out)) {
		if (is_left(&in) && in.type->shape[in.dim] == 1) {
			add(b, &in, NULL, 1);
			in.dim++;
			continue;
		}
		if (is_left(&out) && out.type->shape[out.dim] == 1) {
			add(b, NULL, &out, 1);
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
