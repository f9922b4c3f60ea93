/* Upstream's choice of axes for every factor of an op.
 *
 * If all tensors agree, their axes are taken. For an op with two tensors the shardings of the larger tensor are taken; factors that
 * only the other tensor has get axes that are left. Otherwise (factor, axes) pairs compete: every prefix of every axis list that
 * shards a factor in some tensor is a candidate. The candidate whose tensors have the most elements wins, its axes are removed from
 * the candidates of all other factors, and the next candidate is chosen in the same way. */
#include "partition/insert_reshards/explicit_reshards.h"
#include "support/vec.h"

bool sr_factor_agreed(const struct sr_op_view *v, int factor, struct sr_axes *out)
{
	bool has_axes = false;
	*out = (struct sr_axes){0};
	for (int t = 0; t < v->n_tensors; t++) {
		const struct sr_factor_sharding *f = &v->p.tensors[t].factors[factor];
		if (!f->is_present)
			continue;
		if (has_axes && !sr_axes_equal(*out, f->axes))
			return false;
		*out = f->axes;
		has_axes = true;
	}
	return true;
}

/* Return upstream's choice of axes for all factors; NULL if tensors disagree or a factor may not be sharded. */
static sr_axes_per_factor compatible_axes(const struct sr_op_view *v)
{
	struct sr_axes *axes = SR_NEW_ARRAY(v->ctx->scratch, struct sr_axes, v->rule->n_factors);
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
		size *= sr_axes_size(s->axes) * sr_axes_size(s->overflow_axes);
	}
	return size;
}

static bool has_sharded_permutation(const struct sr_op_view *v, int tensor)
{
	for (int i = 0; i < v->rule->permutation.n; i++)
		if (v->p.tensors[tensor].factors[v->rule->permutation.indices[i]].axes.n)
			return true;
	return false;
}

/* Return true if tensor a's sharding is preferred to that of tensor b, or equally good. Criteria, most important first: unsharded
 * permutation factors, number of elements, number of shards. */
static bool is_at_least_as_good(const struct sr_op_view *v, int a, int b)
{
	bool unpermuted_a = !has_sharded_permutation(v, a), unpermuted_b = !has_sharded_permutation(v, b);
	if (unpermuted_a != unpermuted_b)
		return unpermuted_a;
	if (v->sizes[a] != v->sizes[b])
		return v->sizes[a] > v->sizes[b];
	return sharding_size(v, a) >= sharding_size(v, b);
}

static struct sr_axes *axes_of_two_tensors(const struct sr_op_view *v, int a, int b)
{
	struct sr_arena *arena = v->ctx->scratch;
	int n = v->rule->n_factors;
	struct sr_axes *axes = SR_NEW_ARRAY(arena, struct sr_axes, n), used_axes = {0};
	int preferred_tensor = is_at_least_as_good(v, a, b) ? a : b, other_tensor = preferred_tensor == a ? b : a;
	const struct sr_factor_sharding *preferred_factors = v->p.tensors[preferred_tensor].factors,
					*other_factors = v->p.tensors[other_tensor].factors;
	for (int f = 0; f < n; f++)
		if (preferred_factors[f].is_present) {
			axes[f] = preferred_factors[f].axes;
			used_axes = sr_axes_concat(arena, used_axes, axes[f]);
		}
	for (int f = 0; f < n; f++)
		if (other_factors[f].is_present && !preferred_factors[f].is_present)
			axes[f] = sr_axes_prefix_without_overlaps(arena, other_factors[f].axes, used_axes);
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

/* Find the two tensors of an op that has exactly two tensors of rank > 0. Returns false for other ops, need-replication factors,
 * and dimensions with several factors. */
static bool has_two_tensors(const struct sr_op_view *v, int two[2])
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
	int64_t elements; /* number of elements of all tensors in which these axes, or more, shard the factor */
	/* multiple by which these axes increase the number of shards along the axes already chosen for the factor */
	int64_t shards;
	int precedence;
};

struct competition {
	const struct sr_op_view *v;
	struct sr_arena *arena;
	SR_VEC(struct candidate) candidates;
	struct sr_axes *chosen_axes; /* axes chosen for each factor; length: n_factors */
	/* matrix of n_factors * n_factors: true if factor f has to wait until factor g, which is before it in some dimension, is
	 * fully sharded */
	bool *blocked_by;
};

static int precedence(const struct sr_sharding_rule *rule, int factor)
{
	if (sr_index_list_has(rule->reduction, factor))
		return 2;
	if (sr_index_list_has(rule->need_replication, factor))
		return 0;
	return sr_index_list_has(rule->permutation, factor) ? 1 : 3;
}

static void add_candidate(struct competition *c, int factor, struct sr_axes axes)
{
	for (size_t i = 0; i < c->candidates.n; i++)
		if (c->candidates.data[i].factor == factor && sr_axes_equal(c->candidates.data[i].axes, axes))
			return;
	sr_push(c->arena, &c->candidates, (struct candidate){factor, axes, 0, sr_axes_size(axes), precedence(c->v->rule, factor)});
}

static void add_candidates(struct competition *c)
{
	const struct sr_op_view *v = c->v;
	for (int t = 0; t < v->n_tensors; t++)
		for (int f = 0; f < v->rule->n_factors; f++) {
			struct sr_axes axes = v->p.tensors[t].factors[f].axes;
			for (; axes.n; axes.n--)
				add_candidate(c, f, axes);
		}
	for (int t = 0; t < v->n_tensors; t++)
		for (size_t i = 0; i < c->candidates.n; i++) {
			struct candidate *x = &c->candidates.data[i];
			const struct sr_factor_sharding *s = &v->p.tensors[t].factors[x->factor];
			if (s->is_present && (sr_axes_equal(s->axes, x->axes) || sr_axes_is_strict_prefix(x->axes, s->axes)))
				x->elements += v->sizes[t];
		}
}

static void find_blocked(struct competition *c)
{
	int n = c->v->rule->n_factors;
	c->blocked_by = SR_NEW_ARRAY(c->arena, bool, n * n);
	for (int t = 0; t < c->v->n_tensors; t++) {
		const struct sr_tensor_mapping *map = sr_projection_mapping(&c->v->p, t);
		for (int d = 0; d < map->rank; d++)
			for (int i = 1; i < map->dims[d].n; i++)
				c->blocked_by[map->dims[d].factors[i] * n + map->dims[d].factors[i - 1]] = true;
	}
}

static bool is_blocked_factor(const struct competition *c, int factor)
{
	int n = c->v->rule->n_factors;
	for (int g = 0; g < n; g++)
		if (c->blocked_by[factor * n + g])
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

static const struct candidate *best_of(const struct competition *c)
{
	const struct candidate *best_candidate = NULL;
	for (size_t i = 0; i < c->candidates.n; i++)
		if (!is_blocked_factor(c, c->candidates.data[i].factor) &&
		    (!best_candidate || is_less(best_candidate, &c->candidates.data[i])))
			best_candidate = &c->candidates.data[i];
	return best_candidate;
}

/* Update a candidate after candidate `won` was chosen. Returns false if no axes of it are left. */
static bool update_candidate(struct competition *c, struct candidate *x, const struct candidate *won)
{
	if (x->factor == won->factor) {
		x->shards = sr_axes_size(x->axes) / sr_axes_size(won->axes);
		return sr_axes_is_strict_prefix(won->axes, x->axes);
	}
	struct sr_axes shortened_axes = sr_axes_prefix_without_overlaps(c->arena, x->axes, won->axes);
	bool is_shorter = !sr_axes_equal(shortened_axes, x->axes);
	x->axes = shortened_axes;
	x->shards = sr_axes_size(shortened_axes);
	if (is_shorter)
		x->shards /= sr_axes_size(c->chosen_axes[x->factor]);
	return !is_shorter || !sr_axes_equal(shortened_axes, c->chosen_axes[x->factor]);
}

static void apply_best_candidate(struct competition *c, struct candidate won)
{
	int n = c->v->rule->n_factors;
	size_t n_kept = 0;
	c->chosen_axes[won.factor] = won.axes;
	if (sr_axes_size(won.axes) == c->v->rule->sizes[won.factor])
		for (int f = 0; f < n; f++)
			c->blocked_by[f * n + won.factor] = false;
	for (size_t i = 0; i < c->candidates.n; i++) {
		struct candidate x = c->candidates.data[i];
		if (update_candidate(c, &x, &won))
			c->candidates.data[n_kept++] = x;
	}
	c->candidates.n = n_kept;
}

static struct sr_axes *axes_by_competition(const struct sr_op_view *v)
{
	struct competition c = {.v = v,
				.arena = v->ctx->scratch,
				.chosen_axes = SR_NEW_ARRAY(v->ctx->scratch, struct sr_axes, v->rule->n_factors)};
	add_candidates(&c);
	find_blocked(&c);
	for (const struct candidate *best_candidate; (best_candidate = best_of(&c));)
		apply_best_candidate(&c, *best_candidate);
	return c.chosen_axes;
}

/* ---------------------------------------------------------------- need-replication factors */

static bool is_in_all_tensors(const struct sr_op_view *v, int factor)
{
	for (int t = 0; t < v->n_tensors; t++)
		if (sr_projection_mapping(&v->p, t)->rank > 0 && !v->p.tensors[t].factors[factor].is_present)
			return false;
	return true;
}

/* Move axes, in order, to batching factors (pass-through factors that all tensors have), as far as the factors' sizes allow. */
static void move_to_batching(const struct sr_op_view *v, struct sr_axes move, struct sr_axes *axes)
{
	const struct sr_sharding_rule *rule = v->rule;
	for (int f = 0; f < rule->n_factors && move.n; f++) {
		int64_t size = rule->sizes[f], shards = sr_axes_size(axes[f]);
		if (precedence(rule, f) != 3 || !is_in_all_tensors(v, f) || size == 0 || size % shards)
			continue;
		for (int64_t capacity = size / shards; move.n && capacity % move.refs[0].size == 0;) {
			axes[f] = sr_axes_append(v->ctx->scratch, axes[f], move.refs[0]);
			capacity /= move.refs[0].size;
			move = (struct sr_axes){move.refs + 1, move.n - 1};
		}
	}
}

static void clear_replicated_factors(const struct sr_op_view *v, struct sr_axes *axes)
{
	for (int i = 0; i < v->rule->need_replication.n; i++) {
		int f = v->rule->need_replication.indices[i];
		struct sr_axes move = axes[f];
		axes[f] = (struct sr_axes){0};
		if (move.n && is_in_all_tensors(v, f))
			move_to_batching(v, move, axes);
	}
}

sr_axes_per_factor sr_common_axes(const struct sr_op_view *v)
{
	int two[2];
	struct sr_axes *axes = compatible_axes(v);
	if (axes)
		return axes;
	if (has_two_tensors(v, two))
		return axes_of_two_tensors(v, two[0], two[1]);
	axes = axes_by_competition(v);
	clear_replicated_factors(v, axes);
	return axes;
}
