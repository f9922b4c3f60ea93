/* One choice of axes for every factor of an op, as upstream chooses.
 *
 * If all tensors agree, that is the choice. An op with two tensors takes the shardings of the larger one, and what is left of
 * the other's for its own factors. Else (factor, axes) pairs compete: every prefix of every list that shards a factor in some
 * tensor is a candidate; the one whose tensors have most elements wins, its axes are cut off all other factors' candidates,
 * and so on. */
#include "partition/insert_reshards/explicit_reshards.h"
#include "support/vec.h"

bool sr_factor_agreed(const struct sr_op_view *v, int factor, struct sr_axes *out)
{
	bool seen = false;
	*out = (struct sr_axes){0};
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_factor_sharding *f = &v->p.tensors[t].factors[factor];
		if (!f->present)
			continue;
		if (seen && !sr_axes_equal(*out, f->axes))
			return false;
		*out = f->axes;
		seen = true;
	}
	return true;
}

sr_axes_per_factor sr_compatible_axes(const struct sr_op_view *v)
{
	struct sr_axes *axes = SR_NEWS(v->ctx->scratch, struct sr_axes, v->rule->n_factors);
	for (int f = 0; f < v->rule->n_factors; f++) {
		if (!sr_factor_agreed(v, f, &axes[f]))
			return NULL;
		if (axes[f].n && sr_index_list_has(v->rule->need_replication, f))
			return NULL;
		for (int g = 0; g < f; g++)
			if (sr_axes_overlap(axes[f], axes[g]))
				return NULL;
	}
	return axes;
}

/* ---------------------------------------------------------------- two tensors */

static int64_t sharding_size(const struct sr_op_view *v, int tensor)
{
	int64_t size = 1;
	for (int f = 0; f < v->rule->n_factors; f++) {
		const struct sr_factor_sharding *s = &v->p.tensors[tensor].factors[f];
		size *= sr_axes_size(s->axes) * sr_axes_size(s->overflow);
	}
	return size;
}

static bool has_sharded_permutation(const struct sr_op_view *v, int tensor)
{
	for (int i = 0; i < v->rule->permutation.n; i++)
		if (v->p.tensors[tensor].factors[v->rule->permutation.at[i]].axes.n)
			return true;
	return false;
}

/* The first is at least as good to keep: no permuted dimension sharded, then size, then number of shards. */
static bool is_preferred(const struct sr_op_view *v, int a, int b)
{
	bool free_a = !has_sharded_permutation(v, a), free_b = !has_sharded_permutation(v, b);
	if (free_a != free_b)
		return free_a;
	if (v->sizes[a] != v->sizes[b])
		return v->sizes[a] > v->sizes[b];
	return sharding_size(v, a) >= sharding_size(v, b);
}

static struct sr_axes *axes_of_two(const struct sr_op_view *v, int a, int b)
{
	struct sr_arena *arena = v->ctx->scratch;
	int n = v->rule->n_factors;
	struct sr_axes *axes = SR_NEWS(arena, struct sr_axes, n), taken = {0};
	int kept = is_preferred(v, a, b) ? a : b, other = kept == a ? b : a;
	const struct sr_factor_sharding *from = v->p.tensors[kept].factors, *rest = v->p.tensors[other].factors;
	for (int f = 0; f < n; f++)
		if (from[f].present) {
			axes[f] = from[f].axes;
			taken = sr_axes_concat(arena, taken, axes[f]);
		}
	for (int f = 0; f < n; f++)
		if (rest[f].present && !from[f].present)
			axes[f] = sr_axes_prefix_without_overlaps(arena, rest[f].axes, taken);
	return axes;
}

static bool has_split_dims(const struct sr_op_view *v)
{
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&v->p, t);
		for (int d = 0; d < map->rank; d++)
			if (map->dims[d].n > 1)
				return true;
	}
	return false;
}

/* True: exactly two tensors are no scalars, and nothing has to be replicated or is split. */
static bool is_of_two(const struct sr_op_view *v, int two[2])
{
	int n = 0;
	for (int t = 0; t < v->n_tensors; t++) {
		if (sr_projection_mapping(&v->p, t)->rank == 0)
			continue;
		if (n < 2)
			two[n] = t;
		n++;
	}
	return n == 2 && v->rule->need_replication.n == 0 && !has_split_dims(v);
}

/* ---------------------------------------------------------------- candidates */

struct candidate {
	int factor;
	struct sr_axes axes;
	int64_t elements; /* of all tensors whose factor has these axes, or more */
	int64_t shards;   /* that these axes add to what the factor has */
	int precedence;
};

struct contest {
	const struct sr_op_view *v;
	struct sr_arena *arena;
	SR_VEC(struct candidate) left;
	struct sr_axes *chosen; /* [n_factors] */
	bool *waits; /* [n_factors * n_factors]: f waits until g, which stands before it in a dimension, is fully sharded */
};

static int precedence(const struct sr_sharding_rule *rule, int factor)
{
	if (sr_index_list_has(rule->reduction, factor))
		return 2;
	if (sr_index_list_has(rule->need_replication, factor))
		return 0;
	return sr_index_list_has(rule->permutation, factor) ? 1 : 3;
}

static void enter(struct contest *c, int factor, struct sr_axes axes)
{
	for (size_t i = 0; i < c->left.n; i++)
		if (c->left.data[i].factor == factor && sr_axes_equal(c->left.data[i].axes, axes))
			return;
	sr_push(c->arena, &c->left, (struct candidate){factor, axes, 0, sr_axes_size(axes), precedence(c->v->rule, factor)});
}

static void enter_all(struct contest *c)
{
	const struct sr_op_view *v = c->v;
	for (int t = 0; t < v->n_tensors; t++)
		for (int f = 0; f < v->rule->n_factors; f++) {
			struct sr_axes axes = v->p.tensors[t].factors[f].axes;
			for (; axes.n; axes.n--)
				enter(c, f, axes);
		}
	for (int t = 0; t < v->n_tensors; t++)
		for (size_t i = 0; i < c->left.n; i++) {
			struct candidate *x = &c->left.data[i];
			const struct sr_factor_sharding *s = &v->p.tensors[t].factors[x->factor];
			if (s->present && (sr_axes_equal(s->axes, x->axes) || sr_axes_is_strict_prefix(x->axes, s->axes)))
				x->elements += v->sizes[t];
		}
}

static void find_waits(struct contest *c)
{
	int n = c->v->rule->n_factors;
	c->waits = SR_NEWS(c->arena, bool, n * n);
	for (int t = 0; t < c->v->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&c->v->p, t);
		for (int d = 0; d < map->rank; d++)
			for (int i = 1; i < map->dims[d].n; i++)
				c->waits[map->dims[d].factors[i] * n + map->dims[d].factors[i - 1]] = true;
	}
}

static bool is_waiting(const struct contest *c, int factor)
{
	int n = c->v->rule->n_factors;
	for (int g = 0; g < n; g++)
		if (c->waits[factor * n + g])
			return true;
	return false;
}

static bool is_less(const struct candidate *a, const struct candidate *b)
{
	if (a->elements != b->elements)
		return a->elements < b->elements;
	if (a->precedence != b->precedence)
		return a->precedence < b->precedence;
	if (a->shards != b->shards)
		return a->shards < b->shards;
	if (a->factor != b->factor)
		return a->factor < b->factor;
	return sr_axes_compare_by_name(a->axes, b->axes) < 0;
}

static const struct candidate *best_of(const struct contest *c)
{
	const struct candidate *best = NULL;
	for (size_t i = 0; i < c->left.n; i++)
		if (!is_waiting(c, c->left.data[i].factor) && (!best || is_less(best, &c->left.data[i])))
			best = &c->left.data[i];
	return best;
}

/* What a candidate is after another one won; false: nothing. */
static bool outlives(struct contest *c, struct candidate *x, const struct candidate *won)
{
	if (x->factor == won->factor) {
		x->shards = sr_axes_size(x->axes) / sr_axes_size(won->axes);
		return sr_axes_is_strict_prefix(won->axes, x->axes);
	}
	struct sr_axes cut = sr_axes_prefix_without_overlaps(c->arena, x->axes, won->axes);
	bool shorter = !sr_axes_equal(cut, x->axes);
	x->axes = cut;
	x->shards = sr_axes_size(cut);
	if (shorter)
		x->shards /= sr_axes_size(c->chosen[x->factor]);
	return !shorter || !sr_axes_equal(cut, c->chosen[x->factor]);
}

static void award(struct contest *c, struct candidate won)
{
	int n = c->v->rule->n_factors;
	size_t kept = 0;
	c->chosen[won.factor] = won.axes;
	if (sr_axes_size(won.axes) == c->v->rule->sizes[won.factor])
		for (int f = 0; f < n; f++)
			c->waits[f * n + won.factor] = false;
	for (size_t i = 0; i < c->left.n; i++) {
		struct candidate x = c->left.data[i];
		if (outlives(c, &x, &won))
			c->left.data[kept++] = x;
	}
	c->left.n = kept;
}

static struct sr_axes *axes_by_contest(const struct sr_op_view *v)
{
	struct contest c = {.v = v, .arena = v->ctx->scratch, .chosen = SR_NEWS(v->ctx->scratch, struct sr_axes, v->rule->n_factors)};
	enter_all(&c);
	find_waits(&c);
	for (const struct candidate *best; (best = best_of(&c));)
		award(&c, *best);
	return c.chosen;
}

/* ---------------------------------------------------------------- factors that need replication */

static bool in_all_tensors(const struct sr_op_view *v, int factor)
{
	for (int t = 0; t < v->n_tensors; t++)
		if (sr_projection_mapping(&v->p, t)->rank > 0 && !v->p.tensors[t].factors[factor].present)
			return false;
	return true;
}

/* As many of the axes, in order, as the batching factors (those of all tensors, passed through) can take. */
static void move_to_batching(const struct sr_op_view *v, struct sr_axes move, struct sr_axes *axes)
{
	const struct sr_sharding_rule *rule = v->rule;
	for (int f = 0; f < rule->n_factors && move.n; f++) {
		int64_t size = rule->sizes[f], shards = sr_axes_size(axes[f]);
		if (precedence(rule, f) != 3 || !in_all_tensors(v, f) || size == 0 || size % shards)
			continue;
		for (int64_t room = size / shards; move.n && room % move.refs[0].size == 0;) {
			axes[f] = sr_axes_append(v->ctx->scratch, axes[f], move.refs[0]);
			room /= move.refs[0].size;
			move = (struct sr_axes){move.refs + 1, move.n - 1};
		}
	}
}

static void free_replicated_factors(const struct sr_op_view *v, struct sr_axes *axes)
{
	for (int i = 0; i < v->rule->need_replication.n; i++) {
		int f = v->rule->need_replication.at[i];
		struct sr_axes move = axes[f];
		axes[f] = (struct sr_axes){0};
		if (move.n && in_all_tensors(v, f))
			move_to_batching(v, move, axes);
	}
}

sr_axes_per_factor sr_common_axes(const struct sr_op_view *v)
{
	int two[2];
	struct sr_axes *axes = sr_compatible_axes(v);
	if (axes)
		return axes;
	if (is_of_two(v, two))
		return axes_of_two(v, two[0], two[1]);
	axes = axes_by_contest(v);
	free_replicated_factors(v, axes);
	return axes;
}
