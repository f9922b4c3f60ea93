/* Matchers and replacement functions that several patterns use. */
#include "optimize/patterns/match.h"
#include "optimize/discardable.h"

bool sr_match_iota(struct sr_ints list)
{
	for (int64_t i = 0; i < list.n; i++)
		if (list.v[i] != i)
			return false;
	return true;
}

bool sr_match_all_equal(struct sr_ints list, int64_t value)
{
	for (int64_t i = 0; i < list.n; i++)
		if (list.v[i] != value)
			return false;
	return true;
}

bool sr_match_same_elements(const struct sr_type *a, const struct sr_type *b)
{
	int64_t x, y;
	return sr_type_is_static(a) && sr_type_is_static(b) && sr_type_elements(a, &x) && sr_type_elements(b, &y) && x == y;
}

bool sr_match_empty(const struct sr_type *t)
{
	int64_t n;
	return sr_type_is_static(t) && sr_type_elements(t, &n) && n == 0;
}

bool sr_rewrite_to_value(struct sr_rewriter *rw, struct sr_op *op, struct sr_value *value)
{
	if (sr_result(op, 0)->type != value->type)
		return false;
	if (rw->config->keeps_shardings && sr_value_sharding(rw->ctx, sr_result(op, 0)) != sr_value_sharding(rw->ctx, value))
		return false;
	if (value->def && !rw->config->keeps_shardings)
		sr_discardable_merge(rw->ctx, op, value->def);
	sr_rewrite_replace(rw, op, value);
	return true;
}

bool sr_rewrite_to_constant(struct sr_rewriter *rw, struct sr_op *op, const struct sr_attr *dense)
{
	struct sr_builder b = sr_rewrite_before(rw, op);
	if (!dense)
		return false;
	struct sr_value *v = sr_build_constant(&b, dense);
	sr_rewrite_notify_inserted(rw, v->def);
	sr_rewrite_replace(rw, op, v);
	return true;
}
