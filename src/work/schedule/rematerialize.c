/* Values made again rather than kept: where the peak lies, a value that only waits there for a far reader is made again before that.
 *
 * The values are results of tiles that reduce nothing for them: a tile with several is cut down to the one, which may read the small ones
 * beside it (a softmax its sums). One is made again for a reader where what it is made of lives then anyway, or can
 * without raising the peak. From the last value to the first: what a copy reads is then known when its own turn comes. Which peak is to be
 * reached is found by trying: making all again says what is possible, and the lowest that costs little time beside the block is taken; gaps
 * below it stay as they are.
 *
 * Where a peak is asked for, any op is made again, with what it is made of in turn: products, and weights gathered for each use. Small
 * values are kept for the large ones to be made of, so that no chain of them runs back to the start. Cost: n log n for each try. */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "kernels/kernel.h"
#include "work/fuse/fuse.h"
#include "work/schedule/schedule.h"
#include <math.h>
#include <stdlib.h>

enum { TRIES = 6, MOST_COPIES = 64, MOST_DEEP = 4 };
enum { SMALLEST = 16, LARGEST = 4 }; /* of the peak, as powers of two: what is less is left alone */
static const double MOST_TIME = 0.1; /* of the block's memory traffic, for all that is made again */

struct again { /* memory made again before node `at` */
	int memory, at;
};

struct link { /* a copy's read */
	int at, next;
};

struct tree { /* bytes that live at each place: range add, range maximum */
	int size;
	int64_t *most, *added;
};

struct recipe { /* how a memory is made again */
	double seconds;
	int *reads, n_reads; /* memories */
	bool whole;          /* by its op as it stands; else by a part of a tile */
	struct sr_backward_slice part;
};

struct remake {
	struct sr_context *ctx;
	const struct sr_schedule_graph *g;
	const int64_t *live; /* [n], as scheduled */
	const struct sr_machine *machine;
	bool any_op;         /* whatever they cost, for memory that is asked for */
	struct recipe **recipes; /* [memories]; NULL: it cannot be made again */
	int *limit;          /* [memories]: the node that writes over it */
	/* a try */
	struct tree tree;
	int *end;            /* [memories]: the last node that reads it, copies among them */
	int *added;          /* [memories]: 1 + the last of its links; 0: none */
	double spent, most_spent;
	SR_VEC(struct again) all; /* by memory and place, descending */
	SR_VEC(struct link) links;
	SR_VEC(int) places;       /* of readers of the memory in turn */
};

/* ---- bytes at each place ---- */

static void add_in(struct tree *t, int node, int first, int last, int from, int to, int64_t bytes)
{
	if (to < first || from > last)
		return;
	if (from <= first && last <= to) {
		t->most[node] += bytes;
		t->added[node] += bytes;
		return;
	}
	int middle = first + (last - first) / 2;
	add_in(t, 2 * node, first, middle, from, to, bytes);
	add_in(t, 2 * node + 1, middle + 1, last, from, to, bytes);
	int64_t a = t->most[2 * node], b = t->most[2 * node + 1];
	t->most[node] = (a > b ? a : b) + t->added[node];
}

static int64_t most_in(const struct tree *t, int node, int first, int last, int from, int to)
{
	if (to < first || from > last)
		return INT64_MIN / 2;
	if (from <= first && last <= to)
		return t->most[node];
	int middle = first + (last - first) / 2;
	int64_t a = most_in(t, 2 * node, first, middle, from, to), b = most_in(t, 2 * node + 1, middle + 1, last, from, to);
	return (a > b ? a : b) + t->added[node];
}

static void add(struct remake *r, int from, int to, int64_t bytes)
{
	if (from <= to)
		add_in(&r->tree, 1, 0, r->tree.size - 1, from, to, bytes);
}

static int64_t most(const struct remake *r, int from, int to)
{
	return from <= to ? most_in(&r->tree, 1, 0, r->tree.size - 1, from, to) : 0;
}

static void fill(struct remake *r)
{
	struct tree *t = &r->tree;
	for (int i = 0; i < t->size; i++) {
		t->most[t->size + i] = i < r->g->n ? r->live[i] : 0;
		t->added[t->size + i] = 0;
	}
	for (int i = t->size - 1; i > 0; i--) {
		t->most[i] = t->most[2 * i] > t->most[2 * i + 1] ? t->most[2 * i] : t->most[2 * i + 1];
		t->added[i] = 0;
	}
}

/* ---- what can be made again ---- */

static int64_t bytes_of(const struct sr_value *v)
{
	int64_t bytes;
	return v->type->kind == SR_TYPE_TENSOR && sr_type_bytes(v->type, &bytes) ? bytes : 0;
}

/* Of an op as it is; part: of as much of it. Ops of a body count where they are marked, if there is a part. */
static double seconds_of(const struct remake *r, const struct sr_op *op, const struct sr_backward_slice *part, int result)
{
	struct sr_elementwise_work w = {0};
	double points = 0;
	for (int i = 0; i < op->n_results; i++) {
		int64_t n;
		if (part && i != result) {
			w.read_bytes += part->reads_result[i] ? bytes_of(sr_result(op, i)) : 0;
			continue;
		}
		w.written_bytes += bytes_of(sr_result(op, i));
		points += sr_type_elements(sr_result(op, i)->type, &n) ? (double)n : 0;
	}
	for (int i = 0; i < op->n_operands; i++)
		w.read_bytes += !part || part->reads[i] ? bytes_of(sr_operand(op, i)) : 0;
	if (sr_op_is(op, SR_OP_work_nest))
		for (const struct sr_op *inner = op->regions[0].first->first; inner; inner = inner->next)
			w.elements[sr_kernel_work_class((enum sr_kernel)inner->info->kernel)] += !part || inner->mark ? points : 0;
	return sr_cost_of_elementwise(r->machine, &w).seconds;
}

/* The same op again gives the same. What has regions to run is left alone. */
static bool may_be_repeated(const struct remake *r, struct sr_op *op)
{
	return sr_op_is(op, SR_OP_work_nest) ||
	       (r->any_op && !sr_op_has(op, SR_CONTROL_FLOW) && (sr_op_has(op, SR_COLLECTIVE) || sr_op_is_pure(op)));
}

static bool may_be_made(const struct remake *r, int m, int64_t least)
{
	const struct sr_schedule_graph *g = r->g;
	const struct sr_schedule_buffer *memory = &g->memories[m];
	if (memory->node < 0 || !memory->bytes || memory->bytes < least || memory->kept || memory->home >= 0 ||
	    !may_be_repeated(r, g->ops[memory->node]))
		return false;
	for (int i = g->readers.start[m]; i < g->readers.start[m + 1]; i++) /* a barrier says that it is to be kept */
		if (sr_op_is(g->ops[g->readers.at[i]], SR_OP_stablehlo_optimization_barrier))
			return false;
	return true;
}

static void read_once(const struct remake *r, struct recipe *recipe, const struct sr_value *v)
{
	int o = sr_schedule_buffer_of(r->g, v), i = 0;
	while (i < recipe->n_reads && recipe->reads[i] != o)
		i++;
	if (o >= 0 && i == recipe->n_reads)
		recipe->reads[recipe->n_reads++] = o;
}

/* What one result of a tile is made of: cheap, but for what it reduces. */
static bool read_part(struct remake *r, struct recipe *recipe, struct sr_op *op, int result)
{
	if (!sr_op_is(op, SR_OP_work_nest) || !sr_fuse_backward_slice(r->ctx, op, result, &recipe->part) || recipe->part.reduces)
		return false;
	for (int i = 0; i < op->n_operands; i++)
		if (recipe->part.reads[i])
			read_once(r, recipe, sr_operand(op, i));
	for (int i = 0; i < op->n_results; i++)
		if (recipe->part.reads_result[i])
			read_once(r, recipe, sr_result(op, i));
	recipe->seconds = seconds_of(r, op, &recipe->part, result);
	return true;
}

static void read_whole(struct remake *r, struct recipe *recipe, struct sr_op *op)
{
	recipe->whole = true;
	for (int i = 0; i < op->n_operands; i++)
		read_once(r, recipe, sr_operand(op, i));
	recipe->seconds = sr_schedule_seconds(r->machine, op);
}

/* NULL: the memory is better kept. */
static struct recipe *recipe_of(struct remake *r, int m)
{
	const struct sr_schedule_graph *g = r->g;
	const struct sr_value *v = g->memories[m].value;
	struct recipe *recipe = SR_NEW(g->arena, struct recipe);
	recipe->reads = SR_NEWS(g->arena, int, v->def->n_operands + v->def->n_results);
	if (read_part(r, recipe, v->def, v->index))
		return recipe;
	if (!r->any_op)
		return NULL;
	read_whole(r, recipe, v->def);
	return recipe;
}

/* What is written over in place is read no more behind that. */
static void find_limits(struct remake *r)
{
	const struct sr_schedule_graph *g = r->g;
	for (int m = 0; m < g->n_memories; m++)
		r->limit[m] = g->n;
	for (int m = 0; m < g->n_memories; m++)
		if (g->memories[m].home >= 0)
			r->limit[g->memories[m].home] = g->memories[m].node;
	for (int u = 0; u < g->n; u++)
		for (int s = g->first_share[u]; !sr_op_is(g->ops[u], SR_OP_work_nest) && s < g->first_share[u + 1]; s++)
			r->limit[g->shares[s].operand] = u;
}

/* ---- a try ---- */

static int by_number(const void *a, const void *b)
{
	const int *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* Where memory m is made and read, copies' reads among them, ascending. */
static void find_places(struct remake *r, int m)
{
	const struct sr_schedule_graph *g = r->g;
	r->places.n = 0;
	sr_push(g->arena, &r->places, g->memories[m].node);
	for (int i = g->readers.start[m]; i < g->readers.start[m + 1]; i++)
		sr_push(g->arena, &r->places, g->readers.at[i]);
	for (int i = r->added[m]; i; i = r->links.data[i - 1].next)
		sr_push(g->arena, &r->places, r->links.data[i - 1].at);
	qsort(r->places.data, r->places.n, sizeof *r->places.data, by_number);
}

/* Whether m can be made again at node `at` of what lives there, or of what can be made again there in turn. */
static bool follows(const struct remake *r, int m, int at, int depth)
{
	const struct recipe *recipe = r->recipes[m];
	for (int i = 0; i < recipe->n_reads; i++) {
		int o = recipe->reads[i];
		const struct sr_schedule_buffer *from = &r->g->memories[o];
		if (at > r->limit[o])
			return false;
		if (from->bytes && !from->kept && r->end[o] < at && (!depth || !r->recipes[o] || !follows(r, o, at, depth - 1)))
			return false;
	}
	return true;
}

/* Whether all that m is made of lives at node `at`, or can for less than `below` at any place. Where memory is asked for, what can
 * be made again there counts nothing: its own turn comes. */
static bool lives(const struct remake *r, int m, int at, int64_t below)
{
	const struct sr_schedule_graph *g = r->g;
	const struct recipe *recipe = r->recipes[m];
	int64_t longer = 0;
	for (int i = 0; i < recipe->n_reads; i++) {
		int o = recipe->reads[i];
		const struct sr_schedule_buffer *from = &g->memories[o];
		if (at > r->limit[o])
			return false;
		if (!from->bytes || from->kept || r->end[o] >= at)
			continue;
		if (r->any_op && r->recipes[o] && follows(r, o, at, MOST_DEEP))
			continue;
		longer += from->bytes;
		if (most(r, r->end[o] + 1, at) + longer >= below)
			return false;
	}
	return true;
}

static void make_again(struct remake *r, int m, int after, int at)
{
	const struct sr_schedule_graph *g = r->g;
	const struct recipe *recipe = r->recipes[m];
	int u = g->memories[m].node;
	sr_push(g->arena, &r->all, (struct again){m, at});
	r->spent += after > u || g->ops[u]->n_results > 1 ? recipe->seconds : 0;
	for (int i = 0; i < recipe->n_reads; i++) {
		int o = recipe->reads[i];
		sr_push(g->arena, &r->links, (struct link){at, r->added[o]});
		r->added[o] = (int)r->links.n;
		if (r->end[o] < at) {
			if (!g->memories[o].kept)
				add(r, r->end[o] + 1, at, g->memories[o].bytes);
			r->end[o] = at;
		}
	}
}

/* All gaps whose places hold more than the goal, as far as that goes; the peak that is left. INT64_MAX: it takes too long. */
static int64_t attempt(struct remake *r, int64_t goal)
{
	const struct sr_schedule_graph *g = r->g;
	fill(r);
	r->all.n = r->links.n = 0;
	r->spent = 0;
	for (int m = 0; m < g->n_memories; m++) {
		int n = g->readers.start[m + 1] - g->readers.start[m];
		r->end[m] = n ? g->readers.at[g->readers.start[m + 1] - 1] : g->memories[m].node;
		r->added[m] = 0;
	}
	for (int m = g->n_memories; m-- > 0;) {
		if (!r->recipes[m])
			continue;
		if (r->spent > r->most_spent)
			return INT64_MAX;
		find_places(r, m);
		int copies = 0;
		for (size_t i = r->places.n; --i > 0 && copies < MOST_COPIES;) {
			int after = r->places.data[i - 1], at = r->places.data[i];
			int64_t peak = at - after > 1 ? most(r, after + 1, at - 1) : 0;
			if (peak <= goal)
				continue;
			add(r, after + 1, at - 1, -g->memories[m].bytes);
			if (lives(r, m, at, peak)) {
				make_again(r, m, after, at);
				copies++;
			} else {
				add(r, after + 1, at - 1, g->memories[m].bytes);
			}
		}
	}
	return most(r, 0, g->n - 1);
}

/* The least peak that costs little time; false: there is nothing to gain. */
static bool choose(struct remake *r, int64_t peak, double budget)
{
	int64_t low = attempt(r, 0), high = peak;
	if (low >= peak)
		return false;
	attempt(r, low);
	if (r->spent <= budget)
		return true;
	for (int i = 0; i < TRIES; i++) {
		int64_t goal = low + (high - low) / 2;
		attempt(r, goal);
		*(r->spent <= budget ? &high : &low) = goal;
	}
	return attempt(r, high) < peak;
}

/* Without what is smaller: it is kept, for larger ones to be made of. */
static int64_t attempt_with(struct remake *r, struct recipe *const *recipes, int64_t least, int64_t goal)
{
	for (int m = 0; m < r->g->n_memories; m++)
		r->recipes[m] = r->g->memories[m].bytes < least ? NULL : recipes[m];
	return attempt(r, goal);
}

/* The peak that is asked for, or as near as it comes, by as few and large values as will do; false: nothing is gained. */
static bool reach(struct remake *r, int64_t peak, int64_t goal)
{
	struct recipe **recipes = sr_dup(r->g->arena, r->recipes, (size_t)r->g->n_memories, sizeof(struct recipe *));
	int64_t best = peak, least = 0;
	for (int i = LARGEST; i <= SMALLEST && best > goal; i++) {
		int64_t got = attempt_with(r, recipes, peak >> i, goal);
		if (got < best) {
			best = got;
			least = peak >> i;
		}
	}
	return best < peak && attempt_with(r, recipes, least, goal) < peak;
}

/* ---- doing it ---- */

struct copies {
	struct remake *r;
	struct sr_op **first; /* [n]: what was put before node i, or it */
	int at;
};

static bool is_movable_view(const struct copies *c, struct sr_op *op)
{
	return sr_op_has(op, SR_PURE) && !sr_op_is(op, SR_OP_stablehlo_optimization_barrier) &&
	       sr_schedule_viewed_operand(c->r->ctx, op, 0) >= 0;
}

static bool is_used_behind(const struct copies *c, const struct sr_value *v)
{
	for (const struct sr_use *use = v->uses; use; use = use->next) {
		struct sr_op *op = sr_op_ancestor_in(c->r->g->block, use->owner);
		if (op->mark >= c->at || (is_movable_view(c, op) && is_used_behind(c, sr_result(op, 0))))
			return true;
	}
	return false;
}

/* Uses of v, and of views of it, from the place on are those of `made`. */
static void use_copy(struct copies *c, struct sr_value *v, struct sr_value *made)
{
	for (struct sr_use *use = v->uses, *next; use; use = next) {
		struct sr_op *op = sr_op_ancestor_in(c->r->g->block, use->owner);
		next = use->next;
		if (op->mark >= c->at) {
			sr_use_set(use, made);
		} else if (is_movable_view(c, op) && is_used_behind(c, sr_result(op, 0))) {
			struct sr_op *view = sr_op_clone(c->r->ctx, op, NULL);
			sr_op_set_operand(view, sr_use_index(use), made);
			sr_op_insert_after(made->def, view);
			view->mark = c->at;
			use_copy(c, sr_result(op, 0), sr_result(view, 0));
		}
	}
}

/* The tile with those of its results that are read. */
static void cut_down(struct sr_context *ctx, struct sr_op *tile)
{
	struct sr_fusion f = sr_fuse_single(ctx, tile);
	f.n_results = 0;
	for (int i = 0; i < tile->n_results; i++)
		if (sr_result(tile, i)->uses)
			f.results[f.n_results++] = sr_result(tile, i);
	if (f.n_results < tile->n_results && sr_fuse_prepare(&f)) {
		sr_fuse_copy_reasons(ctx, tile, sr_fuse_build(&f, tile));
		sr_op_erase(tile);
	}
}

/* Without what nobody reads any more. */
static void sweep(const struct remake *r)
{
	for (struct sr_op *op = sr_block_terminator(r->g->block)->prev, *prev; op; op = prev) {
		bool read = false, tile = sr_op_is(op, SR_OP_work_nest);
		prev = op->prev;
		for (int i = 0; i < op->n_results; i++)
			read = read || sr_result(op, i)->uses;
		if (!read && (may_be_repeated(r, op) || sr_op_has(op, SR_VIEW)))
			sr_op_erase(op);
		else if (tile && op->n_results > 1)
			cut_down(r->ctx, op);
	}
}

static struct sr_op *again(struct sr_context *ctx, struct sr_op *op, struct sr_op *anchor)
{
	struct sr_op *copy = sr_op_clone(ctx, op, NULL);
	sr_op_insert_before(anchor, copy);
	return copy;
}

static void make_copies(struct remake *r)
{
	const struct sr_schedule_graph *g = r->g;
	struct copies c = {.r = r, .first = SR_NEWS(g->arena, struct sr_op *, g->n)};
	for (int i = 0; i < g->n; i++)
		c.first[i] = g->ops[i];
	for (size_t i = 0; i < r->all.n; i++) {
		struct sr_value *v = g->memories[r->all.data[i].memory].value;
		c.at = r->all.data[i].at;
		const struct recipe *recipe = r->recipes[r->all.data[i].memory];
		struct sr_op *made = recipe->whole ? again(r->ctx, v->def, c.first[c.at]) :
						     sr_fuse_build_backward_slice(r->ctx, v->def, v->index, &recipe->part, c.first[c.at]);
		if (!made)
			continue;
		made->mark = c.at;
		c.first[c.at] = made;
		use_copy(&c, v, sr_result(made, recipe->whole ? v->index : 0));
	}
	sweep(r);
}

static void allocate(struct remake *r)
{
	const struct sr_schedule_graph *g = r->g;
	for (r->tree.size = 1; r->tree.size < g->n; r->tree.size *= 2)
		;
	r->tree.most = SR_NEWS(g->arena, int64_t, 2 * (int64_t)r->tree.size);
	r->tree.added = SR_NEWS(g->arena, int64_t, 2 * (int64_t)r->tree.size);
	r->recipes = SR_NEWS(g->arena, struct recipe *, g->n_memories);
	r->limit = SR_NEWS(g->arena, int, g->n_memories);
	r->end = SR_NEWS(g->arena, int, g->n_memories);
	r->added = SR_NEWS(g->arena, int, g->n_memories);
}

bool sr_schedule_rematerialize(struct sr_context *ctx, const struct sr_schedule_graph *g, int64_t goal)
{
	struct remake r = {.ctx = ctx, .g = g, .machine = ctx->machine, .any_op = goal > 0};
	struct sr_machine machine;
	int *order = SR_NEWS(g->arena, int, g->n);
	int64_t *live = SR_NEWS(g->arena, int64_t, g->n);
	double all = 0;
	bool any = false;
	if (!g->n)
		return false;
	sr_machine_default(&machine);
	r.machine = ctx->machine ? ctx->machine : &machine;
	for (int i = 0; i < g->n; i++) {
		order[i] = i;
		all += goal ? sr_schedule_seconds(r.machine, g->ops[i]) : seconds_of(&r, g->ops[i], NULL, 0);
	}
	r.most_spent = goal ? all : INFINITY; /* nothing is worth a step more */
	int64_t peak = sr_schedule_peak(g, order, live);
	r.live = live;
	allocate(&r);
	find_limits(&r);
	for (int m = 0; m < g->n_memories; m++)
		if (may_be_made(&r, m, peak >> SMALLEST)) {
			r.recipes[m] = recipe_of(&r, m);
			any = any || r.recipes[m];
		}
	if (!any || !(goal ? reach(&r, peak, goal) : choose(&r, peak, MOST_TIME * all)))
		return false;
	make_copies(&r);
	return true;
}
