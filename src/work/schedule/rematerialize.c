/* Rematerialization: at the peak, a value that only waits for a distant reader is dropped and recomputed before that reader.
 *
 * Candidates are results of nests that need no reduction. Of several results of a nest only the needed one is recomputed, possibly
 * from small other results (a softmax from its sums). A value is recomputed for a reader if its inputs are live there anyway, or
 * can be kept without raising the peak. Values are visited from last to first, so that all copies that read a value are known when
 * it is visited. The peak to reach is found by bisection: recomputing everything gives the lower bound, and the lowest peak whose
 * extra time is small relative to the block's is selected. Across a gap with fewer live bytes nothing is recomputed.
 *
 * With a peak to reach (goal), any op may be recomputed: matrix products, and weights gathered for each use. Attempts differ in
 * whether inputs that are not live may be recomputed in turn, and in the size below which values are kept as inputs of larger
 * ones, so that no chain of recomputations reaches the block's start. Buffers of a chain are live one after another: of those
 * that only other recomputations read, the bytes of the largest step count. An attempt takes O(n log n). */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "kernels/kernel.h"
#include "work/fuse/fuse.h"
#include "work/schedule/schedule.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ATTEMPTS = 6, MAX_COPIES = 64, MAX_DEPTH = 4 };
/* exponents that bound the size of values kept as inputs: values below peak >> exponent are kept */
enum { SMALLEST = 16, LARGEST = 4 };
static const double MAX_EXTRA_TIME = 0.1; /* maximum extra memory traffic, relative to the block's */

struct clone_before { /* a recomputation of a buffer, inserted before node `node` */
	int memory, node;
	/* bytes of its inputs and its result that are live only between the recomputations before `node` */
	int64_t transient_bytes;
};

struct recomputed_read { /* a read of a buffer by a recomputation, number `clone` in `all` */
	int node, clone, next;
};

struct live_bytes_tree { /* a segment tree of live bytes by position: range addition, range maximum */
	int size;
	int64_t *max, *addend;
};

struct recipe { /* How a buffer is recomputed: which op, and which buffers it reads. */
	double seconds;
	int *reads, n_reads; /* numbers of the buffers that the recomputation reads */
	bool clones_op;          /* true: clone the op; false: build a backward slice of a nest */
	struct sr_backward_slice backward_slice;
};

struct rematerializer {
	struct sr_context *ctx;
	const struct sr_schedule_graph *g;
	const int64_t *live; /* live bytes at each position of the schedule; length n */
	const struct sr_machine *machine;
	bool any_op;         /* true: any op may be recomputed, to reach the requested peak */
	bool in_turn;        /* true: inputs that are not live where they are needed may be recomputed there, too */
	struct recipe **recipes; /* how to recompute each buffer; NULL: it is not recomputed */
	int *limit;          /* for each buffer: the node that overwrites it */
	/* The members below are the state of one attempt to lower the peak. */
	struct live_bytes_tree tree;
	int *end;            /* for each buffer: the last node that reads it, including recomputations */
	/* for each buffer: 1 + index in `links` of its last read by a recomputation; 0: no recomputation reads the buffer */
	int *last_link;
	int64_t *transient_bytes; /* for each node: the largest transient_bytes of a recomputation before it */
	double cost, max_cost;
	SR_VEC(struct clone_before) all; /* recomputations to insert, sorted by buffer, then by descending position */
	SR_VEC(struct recomputed_read) links;
	SR_VEC(int) positions;       /* positions of the readers of the buffer being visited */
};

/* ---- live bytes by position ---- */

static void tree_add(struct live_bytes_tree *t, int node, int first, int last, int begin, int end, int64_t bytes)
{
	if (end < first || begin > last)
		return;
	if (begin <= first && last <= end) {
		t->max[node] += bytes;
		t->addend[node] += bytes;
		return;
	}
	int middle = first + (last - first) / 2;
	tree_add(t, 2 * node, first, middle, begin, end, bytes);
	tree_add(t, 2 * node + 1, middle + 1, last, begin, end, bytes);
	int64_t a = t->max[2 * node], b = t->max[2 * node + 1];
	t->max[node] = (a > b ? a : b) + t->addend[node];
}

static int64_t tree_max(const struct live_bytes_tree *t, int node, int first, int last, int begin, int end)
{
	if (end < first || begin > last)
		return INT64_MIN / 2;
	if (begin <= first && last <= end)
		return t->max[node];
	int middle = first + (last - first) / 2;
	int64_t a = tree_max(t, 2 * node, first, middle, begin, end), b = tree_max(t, 2 * node + 1, middle + 1, last, begin, end);
	return (a > b ? a : b) + t->addend[node];
}

static void add_live(struct rematerializer *r, int begin, int end, int64_t bytes)
{
	if (begin <= end)
		tree_add(&r->tree, 1, 0, r->tree.size - 1, begin, end, bytes);
}

static int64_t max_live(const struct rematerializer *r, int begin, int end)
{
	return begin <= end ? tree_max(&r->tree, 1, 0, r->tree.size - 1, begin, end) : 0;
}

static void tree_reset(struct rematerializer *r)
{
	struct live_bytes_tree *t = &r->tree;
	for (int i = 0; i < t->size; i++) {
		t->max[t->size + i] = i < r->g->n ? r->live[i] : 0;
		t->addend[t->size + i] = 0;
	}
	for (int i = t->size - 1; i > 0; i--) {
		t->max[i] = t->max[2 * i] > t->max[2 * i + 1] ? t->max[2 * i] : t->max[2 * i + 1];
		t->addend[i] = 0;
	}
}

/* ---- what can be recomputed ---- */

/* Estimate the cost of an op; for a slice that computes `result`, only the marked ops of the body count. */
static double seconds_of(const struct rematerializer *r, const struct sr_op *op, const struct sr_backward_slice *slice, int result)
{
	struct sr_elementwise_work w = {0};
	double points = 0;
	for (int i = 0; i < op->n_results; i++) {
		int64_t n;
		if (slice && i != result) {
			w.read_bytes += slice->reads_result[i] ? sr_value_bytes(sr_result(op, i)) : 0;
			continue;
		}
		w.written_bytes += sr_value_bytes(sr_result(op, i));
		points += sr_type_elements(sr_result(op, i)->type, &n) ? (double)n : 0;
	}
	for (int i = 0; i < op->n_operands; i++)
		w.read_bytes += !slice || slice->reads[i] ? sr_value_bytes(sr_operand(op, i)) : 0;
	if (sr_op_is(op, SR_OP_work_nest))
		for (const struct sr_op *inner = op->regions[0].first->first; inner; inner = inner->next)
			w.elements[sr_kernel_work_class((enum sr_kernel)inner->info->kernel)] += !slice || inner->mark ? points : 0;
	return sr_cost_of_elementwise(r->machine, &w).seconds;
}

/* Return true if cloning the op gives the same value. Ops with regions to run are excluded. */
static bool may_be_repeated(const struct rematerializer *r, struct sr_op *op)
{
	return sr_op_is(op, SR_OP_work_nest) ||
	       (r->any_op && !sr_op_has(op, SR_CONTROL_FLOW) && (sr_op_has(op, SR_COLLECTIVE) || sr_op_is_pure(op)));
}

static bool may_be_recomputed(const struct rematerializer *r, int m, int64_t min_bytes)
{
	const struct sr_schedule_graph *g = r->g;
	const struct sr_schedule_buffer *memory = &g->memories[m];
	if (memory->node < 0 || !memory->bytes || memory->bytes < min_bytes || memory->is_kept || memory->destination >= 0 ||
	    !may_be_repeated(r, g->ops[memory->node]))
		return false;
	for (int i = g->readers.start[m]; i < g->readers.start[m + 1]; i++) /* an optimization_barrier keeps its operand, so do not recompute that value */
		if (sr_op_is(g->ops[g->readers.entries[i]], SR_OP_stablehlo_optimization_barrier))
			return false;
	return true;
}

static void add_input(const struct rematerializer *r, struct recipe *recipe, const struct sr_value *v)
{
	int o = sr_schedule_buffer_of(r->g, v), i = 0;
	while (i < recipe->n_reads && recipe->reads[i] != o)
		i++;
	if (o >= 0 && i == recipe->n_reads)
		recipe->reads[recipe->n_reads++] = o;
}

/* Describe recomputing one result of a nest, unless that needs a reduction. */
static bool read_slice(struct rematerializer *r, struct recipe *recipe, struct sr_op *op, int result)
{
	if (!sr_op_is(op, SR_OP_work_nest) || !sr_fuse_backward_slice(r->ctx, op, result, &recipe->backward_slice) ||
	    recipe->backward_slice.has_reduction)
		return false;
	for (int i = 0; i < op->n_operands; i++)
		if (recipe->backward_slice.reads[i])
			add_input(r, recipe, sr_operand(op, i));
	for (int i = 0; i < op->n_results; i++)
		if (recipe->backward_slice.reads_result[i])
			add_input(r, recipe, sr_result(op, i));
	recipe->seconds = seconds_of(r, op, &recipe->backward_slice, result);
	return true;
}

static void read_op(struct rematerializer *r, struct recipe *recipe, struct sr_op *op)
{
	recipe->clones_op = true;
	for (int i = 0; i < op->n_operands; i++)
		add_input(r, recipe, sr_operand(op, i));
	recipe->seconds = sr_schedule_seconds(r->machine, op);
}

/* Return how to recompute the buffer; NULL: it must be kept. */
static struct recipe *recipe_of(struct rematerializer *r, int m)
{
	const struct sr_schedule_graph *g = r->g;
	const struct sr_value *v = g->memories[m].value;
	struct recipe *recipe = SR_NEW(g->arena, struct recipe);
	recipe->reads = SR_NEW_ARRAY(g->arena, int, v->def->n_operands + v->def->n_results);
	if (read_slice(r, recipe, v->def, v->index))
		return recipe;
	if (!r->any_op)
		return NULL;
	read_op(r, recipe, v->def);
	return recipe;
}

/* Set the last position at which each buffer may be read: a buffer that is overwritten in place cannot be read afterwards. */
static void find_limits(struct rematerializer *r)
{
	const struct sr_schedule_graph *g = r->g;
	for (int m = 0; m < g->n_memories; m++)
		r->limit[m] = g->n;
	for (int m = 0; m < g->n_memories; m++)
		if (g->memories[m].destination >= 0)
			r->limit[g->memories[m].destination] = g->memories[m].node;
	for (int u = 0; u < g->n; u++)
		for (int s = g->first_share[u]; !sr_op_is(g->ops[u], SR_OP_work_nest) && s < g->first_share[u + 1]; s++)
			r->limit[g->shares[s].operand] = u;
}

/* ---- an attempt ---- */

static int compare_numbers(const void *a, const void *b)
{
	const int *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* Collect the positions where buffer m is written and read, recomputations included, ascending. */
static void find_positions(struct rematerializer *r, int m)
{
	const struct sr_schedule_graph *g = r->g;
	r->positions.n = 0;
	sr_push(g->arena, &r->positions, g->memories[m].node);
	for (int i = g->readers.start[m]; i < g->readers.start[m + 1]; i++)
		sr_push(g->arena, &r->positions, g->readers.entries[i]);
	for (int i = r->last_link[m]; i; i = r->links.data[i - 1].next)
		sr_push(g->arena, &r->positions, r->links.data[i - 1].node);
	qsort(r->positions.data, r->positions.n, sizeof *r->positions.data, compare_numbers);
}

/* Return true if m can be recomputed at node `at` from values that are live there or can be recomputed there in turn. */
static bool can_recompute(const struct rematerializer *r, int m, int at, int depth)
{
	const struct recipe *recipe = r->recipes[m];
	for (int i = 0; i < recipe->n_reads; i++) {
		int o = recipe->reads[i];
		const struct sr_schedule_buffer *input = &r->g->memories[o];
		if (at > r->limit[o])
			return false;
		if (input->bytes && !input->is_kept && r->end[o] < at &&
		    (!depth || !r->recipes[o] || !can_recompute(r, o, at, depth - 1)))
			return false;
	}
	return true;
}

/* Return true if the inputs of m are live at node `at`, or keeping them live stays below `limit` bytes everywhere. With a goal,
 * inputs that can be recomputed there count as 0 bytes, since they are visited later. */
static bool inputs_are_live(const struct rematerializer *r, int m, int at, int64_t limit)
{
	const struct sr_schedule_graph *g = r->g;
	const struct recipe *recipe = r->recipes[m];
	int64_t extended_bytes = 0;
	for (int i = 0; i < recipe->n_reads; i++) {
		int o = recipe->reads[i];
		const struct sr_schedule_buffer *input = &g->memories[o];
		if (at > r->limit[o])
			return false;
		if (!input->bytes || input->is_kept || r->end[o] >= at)
			continue;
		if (r->in_turn && r->recipes[o] && can_recompute(r, o, at, MAX_DEPTH))
			continue;
		extended_bytes += input->bytes;
		if (max_live(r, r->end[o] + 1, at) + extended_bytes >= limit)
			return false;
	}
	return true;
}

static void recompute(struct rematerializer *r, int m, int start, int at)
{
	const struct sr_schedule_graph *g = r->g;
	const struct recipe *recipe = r->recipes[m];
	int u = g->memories[m].node;
	sr_push(g->arena, &r->all, (struct clone_before){m, at, 0});
	r->cost += start > u || g->ops[u]->n_results > 1 ? recipe->seconds : 0;
	for (int i = 0; i < recipe->n_reads; i++) {
		int o = recipe->reads[i];
		sr_push(g->arena, &r->links, (struct recomputed_read){at, (int)r->all.n - 1, r->last_link[o]});
		r->last_link[o] = (int)r->links.n;
		if (r->end[o] < at) {
			if (!g->memories[o].is_kept)
				add_live(r, r->end[o] + 1, at, g->memories[o].bytes);
			r->end[o] = at;
		}
	}
}

static bool is_read_by_node(const struct rematerializer *r, int m, int node)
{
	const struct sr_schedule_lists *readers = &r->g->readers;
	return bsearch(&node, readers->entries + readers->start[m], (size_t)(readers->start[m + 1] - readers->start[m]), sizeof node,
		       compare_numbers) != NULL;
}

static void add_transient(struct rematerializer *r, struct clone_before *clone, int64_t bytes)
{
	int64_t *max = &r->transient_bytes[clone->node];
	clone->transient_bytes += bytes;
	if (clone->transient_bytes <= *max)
		return;
	add_live(r, clone->node, clone->node, clone->transient_bytes - *max);
	*max = clone->transient_bytes;
}

/* Count the buffer whose recomputation was added last as live between the recomputations before its node, if only they read it
 * there. They are executed one after another, so the most bytes of one of them count, and not the sum. */
static void count_as_transient(struct rematerializer *r)
{
	struct clone_before *clone = &r->all.data[r->all.n - 1];
	int m = clone->memory, at = clone->node;
	int64_t bytes = r->g->memories[m].bytes;
	if (is_read_by_node(r, m, at))
		return;
	add_live(r, at, at, -bytes);
	add_transient(r, clone, bytes);
	for (int i = r->last_link[m]; i; i = r->links.data[i - 1].next)
		if (r->links.data[i - 1].node == at)
			add_transient(r, &r->all.data[r->links.data[i - 1].clone], bytes);
}

/* Recompute buffer m at node `at`, if more than `goal` bytes are live between the previous position where it is live and that node.
 * Return false if m must be kept. */
static bool recompute_across_gap(struct rematerializer *r, int m, int previous_position, int at, int64_t goal)
{
	int64_t bytes = r->g->memories[m].bytes;
	int64_t peak = at - previous_position > 1 ? max_live(r, previous_position + 1, at - 1) : 0;
	if (peak <= goal)
		return false;
	add_live(r, previous_position + 1, at - 1, -bytes);
	bool is_recomputed = inputs_are_live(r, m, at, peak);
	if (is_recomputed)
		recompute(r, m, previous_position, at);
	else
		add_live(r, previous_position + 1, at - 1, bytes);
	return is_recomputed;
}

/* Recompute buffers across every gap that holds more than `goal` bytes, as far as possible. Return the resulting peak;
 * INT64_MAX if that takes too much time. */
static int64_t recompute_across_gaps(struct rematerializer *r, int64_t goal)
{
	const struct sr_schedule_graph *g = r->g;
	tree_reset(r);
	r->all.n = r->links.n = 0;
	memset(r->transient_bytes, 0, (size_t)g->n * sizeof *r->transient_bytes);
	r->cost = 0;
	for (int m = 0; m < g->n_memories; m++) {
		int n = g->readers.start[m + 1] - g->readers.start[m];
		r->end[m] = n ? g->readers.entries[g->readers.start[m + 1] - 1] : g->memories[m].node;
		r->last_link[m] = 0;
	}
	for (int m = g->n_memories; m-- > 0;) {
		if (!r->recipes[m])
			continue;
		if (r->cost > r->max_cost)
			return INT64_MAX;
		find_positions(r, m);
		int n_copies = 0;
		bool is_live_after = false; /* true if m is also live after position `at` */
		for (size_t i = r->positions.n; --i > 0 && n_copies < MAX_COPIES;) {
			int previous_position = r->positions.data[i - 1], at = r->positions.data[i];
			if (previous_position == at)
				continue;
			bool is_recomputed = recompute_across_gap(r, m, previous_position, at, goal);
			if (is_recomputed && r->any_op && !is_live_after)
				count_as_transient(r);
			n_copies += is_recomputed;
			is_live_after = !is_recomputed;
		}
	}
	return max_live(r, 0, g->n - 1);
}

/* Find the lowest peak within the time budget; return false if no recomputation lowers it. */
static bool bisect(struct rematerializer *r, int64_t peak, double budget)
{
	int64_t low = recompute_across_gaps(r, 0), high = peak;
	if (low >= peak)
		return false;
	recompute_across_gaps(r, low);
	if (r->cost <= budget)
		return true;
	for (int i = 0; i < MAX_ATTEMPTS; i++) {
		int64_t goal = low + (high - low) / 2;
		recompute_across_gaps(r, goal);
		*(r->cost <= budget ? &high : &low) = goal;
	}
	return recompute_across_gaps(r, high) < peak;
}

/* Attempt with buffers below `min_bytes` bytes kept as inputs of larger ones. */
static int64_t recompute_with_recipes(struct rematerializer *r, struct recipe *const *recipes, int64_t min_bytes, int64_t goal)
{
	for (int m = 0; m < r->g->n_memories; m++)
		r->recipes[m] = r->g->memories[m].bytes < min_bytes ? NULL : recipes[m];
	return recompute_across_gaps(r, goal);
}

/* Reach the requested peak, or come as close as possible, by recomputing the fewest, largest values that suffice; return false
 * if no recomputation lowers the peak. */
static bool reach_goal(struct rematerializer *r, int64_t peak, int64_t goal)
{
	struct recipe **recipes = sr_dup(r->g->arena, r->recipes, (size_t)r->g->n_memories, sizeof(struct recipe *));
	int64_t best_peak = peak, min_bytes = 0;
	bool best_in_turn = false;
	for (int k = 2 * LARGEST; k < 2 * (SMALLEST + 1) && best_peak > goal; k++) {
		r->in_turn = k % 2;
		int64_t new_peak = recompute_with_recipes(r, recipes, peak >> k / 2, goal);
		if (new_peak < best_peak) {
			best_peak = new_peak;
			min_bytes = peak >> k / 2;
			best_in_turn = r->in_turn;
		}
	}
	r->in_turn = best_in_turn;
	return best_peak < peak && recompute_with_recipes(r, recipes, min_bytes, goal) < peak;
}

/* ---- rewriting the block ---- */

struct copies {
	struct rematerializer *r;
	struct sr_op **first; /* for each node: the first op inserted before it, or the node's op */
	int node;
};

static bool is_movable_view(const struct copies *c, struct sr_op *op)
{
	return sr_op_has(op, SR_PURE) && !sr_op_is(op, SR_OP_stablehlo_optimization_barrier) &&
	       sr_schedule_viewed_operand(c->r->ctx, op, 0) >= 0;
}

static bool is_used_after_copies(const struct copies *c, const struct sr_value *v)
{
	for (const struct sr_use *use = v->uses; use; use = use->next) {
		struct sr_op *op = sr_op_ancestor_in(c->r->g->block, use->owner);
		if (op->mark >= c->node || (is_movable_view(c, op) && is_used_after_copies(c, sr_result(op, 0))))
			return true;
	}
	return false;
}

/* Let uses of v, and of views of v, from position c->node on use `copy` instead. */
static void use_copy(struct copies *c, struct sr_value *v, struct sr_value *copy)
{
	for (struct sr_use *use = v->uses, *next; use; use = next) {
		struct sr_op *op = sr_op_ancestor_in(c->r->g->block, use->owner);
		next = use->next;
		if (op->mark >= c->node) {
			sr_use_set(use, copy);
		} else if (is_movable_view(c, op) && is_used_after_copies(c, sr_result(op, 0))) {
			struct sr_op *view = sr_op_clone(c->r->ctx, op, NULL);
			sr_op_set_operand(view, sr_use_index(use), copy);
			sr_op_insert_after(copy->def, view);
			view->mark = c->node;
			use_copy(c, sr_result(op, 0), sr_result(view, 0));
		}
	}
}

/* Drop the results of the nest that have no uses. */
static void drop_dead_results(struct sr_context *ctx, struct sr_op *nest)
{
	struct sr_fusion f = sr_fuse_single(ctx, nest);
	f.n_results = 0;
	for (int i = 0; i < nest->n_results; i++)
		if (sr_result(nest, i)->uses)
			f.results[f.n_results++] = sr_result(nest, i);
	if (f.n_results < nest->n_results && sr_fuse_prepare(&f)) {
		sr_fuse_copy_reasons(ctx, nest, sr_fuse_build(&f, nest));
		sr_op_erase(nest);
	}
}

/* Erase ops of the block without users. */
static void erase_unused(const struct rematerializer *r)
{
	for (struct sr_op *op = sr_block_terminator(r->g->block)->prev, *prev; op; op = prev) {
		bool is_read = false, is_nest = sr_op_is(op, SR_OP_work_nest);
		prev = op->prev;
		for (int i = 0; i < op->n_results; i++)
			is_read = is_read || sr_result(op, i)->uses;
		if (!is_read && (may_be_repeated(r, op) || sr_op_has(op, SR_VIEW)))
			sr_op_erase(op);
		else if (is_nest && op->n_results > 1)
			drop_dead_results(r->ctx, op);
	}
}

static struct sr_op *clone_before(struct sr_context *ctx, struct sr_op *op, struct sr_op *anchor)
{
	struct sr_op *copy = sr_op_clone(ctx, op, NULL);
	sr_op_insert_before(anchor, copy);
	return copy;
}

static void make_copies(struct rematerializer *r)
{
	const struct sr_schedule_graph *g = r->g;
	struct copies c = {.r = r, .first = SR_NEW_ARRAY(g->arena, struct sr_op *, g->n)};
	for (int i = 0; i < g->n; i++)
		c.first[i] = g->ops[i];
	for (size_t i = 0; i < r->all.n; i++) {
		struct sr_value *v = g->memories[r->all.data[i].memory].value;
		c.node = r->all.data[i].node;
		const struct recipe *recipe = r->recipes[r->all.data[i].memory];
		struct sr_op *copy = recipe->clones_op ? clone_before(r->ctx, v->def, c.first[c.node])
						       : sr_fuse_build_backward_slice(r->ctx, v->def, v->index,
										      &recipe->backward_slice, c.first[c.node]);
		if (!copy)
			continue;
		copy->mark = c.node;
		c.first[c.node] = copy;
		use_copy(&c, v, sr_result(copy, recipe->clones_op ? v->index : 0));
	}
	erase_unused(r);
}

static void allocate(struct rematerializer *r)
{
	const struct sr_schedule_graph *g = r->g;
	for (r->tree.size = 1; r->tree.size < g->n; r->tree.size *= 2)
		;
	r->tree.max = SR_NEW_ARRAY(g->arena, int64_t, 2 * (int64_t)r->tree.size);
	r->tree.addend = SR_NEW_ARRAY(g->arena, int64_t, 2 * (int64_t)r->tree.size);
	r->recipes = SR_NEW_ARRAY(g->arena, struct recipe *, g->n_memories);
	r->limit = SR_NEW_ARRAY(g->arena, int, g->n_memories);
	r->end = SR_NEW_ARRAY(g->arena, int, g->n_memories);
	r->last_link = SR_NEW_ARRAY(g->arena, int, g->n_memories);
	r->transient_bytes = SR_NEW_ARRAY(g->arena, int64_t, g->n);
}

bool sr_schedule_rematerialize(struct sr_context *ctx, const struct sr_schedule_graph *g, int64_t goal)
{
	struct rematerializer r = {.ctx = ctx, .g = g, .machine = ctx->machine, .any_op = goal > 0};
	struct sr_machine machine;
	int *order = SR_NEW_ARRAY(g->arena, int, g->n);
	int64_t *live = SR_NEW_ARRAY(g->arena, int64_t, g->n);
	double block_seconds = 0;
	bool has_copies = false;
	if (!g->n)
		return false;
	sr_machine_default(&machine);
	r.machine = ctx->machine ? ctx->machine : &machine;
	for (int i = 0; i < g->n; i++) {
		order[i] = i;
		block_seconds += goal ? sr_schedule_seconds(r.machine, g->ops[i]) : seconds_of(&r, g->ops[i], NULL, 0);
	}
	r.max_cost = goal ? block_seconds
			  : INFINITY; /* maximum seconds of recomputation; beyond them it costs more than it saves */
	int64_t peak = sr_schedule_peak(g, order, live);
	r.live = live;
	allocate(&r);
	find_limits(&r);
	for (int m = 0; m < g->n_memories; m++)
		if (may_be_recomputed(&r, m, peak >> SMALLEST)) {
			r.recipes[m] = recipe_of(&r, m);
			has_copies = has_copies || r.recipes[m];
		}
	if (!has_copies || !(goal ? reach_goal(&r, peak, goal) : bisect(&r, peak, MAX_EXTRA_TIME * block_seconds)))
		return false;
	make_copies(&r);
	return true;
}
