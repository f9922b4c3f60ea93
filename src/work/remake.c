/* Values made again rather than kept: where the peak lies, a value that only waits there for a far reader is made again before that.
 *
 * The values are those of tiles that reduce nothing. One is made again for a reader where what it is made of lives then anyway, or can
 * without raising the peak. From the last value to the first: what a copy reads is then known when its own turn comes. Which peak is to be
 * reached is found by trying: making all again says what is possible, and the lowest that costs little time beside the block is taken; gaps
 * below it stay as they are. Cost: n log n for each try. */
#include "cost/cost.h"
#include "cost/machine_text.h"
#include "work/schedule.h"
#include <stdlib.h>

enum { TRIES = 6, MOST_COPIES = 64 };
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

struct remake {
	struct sr_context *ctx;
	const struct sr_schedule_graph *g;
	const int64_t *live; /* [n], as scheduled */
	double *seconds;     /* [memories] to make it again; < 0: it cannot be */
	int *limit;          /* [memories]: the node that writes over it */
	/* a try */
	struct tree tree;
	int *end;            /* [memories]: the last node that reads it, copies among them */
	int *added;          /* [memories]: 1 + the last of its links; 0: none */
	int64_t goal;
	double spent;
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

static enum sr_work_class class_of(const struct sr_op *op)
{
	switch (op->info->code) {
	case SR_OP_stablehlo_divide:
	case SR_OP_stablehlo_remainder:
	case SR_OP_stablehlo_rsqrt:
	case SR_OP_stablehlo_sqrt:
		return SR_WORK_DIVIDE;
	default:
		return op->n_operands == 1 && sr_op_has(op, SR_ELEMENTWISE) && !sr_op_is(op, SR_OP_stablehlo_convert) &&
				       !sr_op_is(op, SR_OP_stablehlo_negate) && !sr_op_is(op, SR_OP_stablehlo_abs)
			       ? SR_WORK_TRANSCENDENTAL
			       : SR_WORK_CHEAP;
	}
}

static int64_t bytes_of(const struct sr_value *v)
{
	int64_t bytes;
	return v->type->kind == SR_TYPE_TENSOR && sr_type_bytes(v->type, &bytes) ? bytes : 0;
}

static double seconds_of(const struct sr_machine *machine, const struct sr_op *op)
{
	struct sr_node_work w = {0};
	double points = 0;
	for (int i = 0; i < op->n_results; i++) {
		int64_t n;
		w.written_bytes += bytes_of(sr_result(op, i));
		points += sr_type_elements(sr_result(op, i)->type, &n) ? (double)n : 0;
	}
	for (int i = 0; i < op->n_operands; i++)
		w.read_bytes += bytes_of(sr_operand(op, i));
	if (sr_op_is(op, SR_OP_work_tile))
		for (const struct sr_op *inner = op->regions[0].first->first; inner; inner = inner->next)
			w.elements[class_of(inner)] += points;
	return sr_cost_of_node(machine, &w).seconds;
}

static bool can_be_made(const struct remake *r, int m)
{
	const struct sr_schedule_graph *g = r->g;
	const struct sr_schedule_memory *memory = &g->memories[m];
	if (memory->node < 0 || !memory->bytes || memory->kept || memory->home >= 0)
		return false;
	const struct sr_op *op = g->ops[memory->node];
	if (!sr_op_is(op, SR_OP_work_tile) || op->n_results != 1)
		return false;
	for (const struct sr_op *inner = op->regions[0].first->first; inner; inner = inner->next)
		if (sr_op_is(inner, SR_OP_work_reduce))
			return false;
	for (int i = g->readers.start[m]; i < g->readers.start[m + 1]; i++) /* a barrier says that it is to be kept */
		if (sr_op_is(g->ops[g->readers.at[i]], SR_OP_stablehlo_optimization_barrier))
			return false;
	return true;
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
		for (int s = g->first_share[u]; !sr_op_is(g->ops[u], SR_OP_work_tile) && s < g->first_share[u + 1]; s++)
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

/* Whether all that m is made of lives at node `at`, or can for less than `below` at any place. */
static bool lives(const struct remake *r, int m, int at, int64_t below)
{
	const struct sr_schedule_graph *g = r->g;
	int u = g->memories[m].node;
	int64_t longer = 0;
	for (int i = g->read.start[u]; i < g->read.start[u + 1]; i++) {
		int o = g->read.at[i];
		const struct sr_schedule_memory *from = &g->memories[o];
		if (at > r->limit[o])
			return false;
		if (!from->bytes || from->kept || r->end[o] >= at)
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
	int u = g->memories[m].node;
	sr_push(g->arena, &r->all, (struct again){m, at});
	r->spent += after > u ? r->seconds[m] : 0;
	for (int i = g->read.start[u]; i < g->read.start[u + 1]; i++) {
		int o = g->read.at[i];
		sr_push(g->arena, &r->links, (struct link){at, r->added[o]});
		r->added[o] = (int)r->links.n;
		if (r->end[o] < at) {
			if (!g->memories[o].kept)
				add(r, r->end[o] + 1, at, g->memories[o].bytes);
			r->end[o] = at;
		}
	}
}

/* All gaps whose places hold more than the goal, as far as that goes; the peak that is left. */
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
		if (r->seconds[m] < 0)
			continue;
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

/* ---- doing it ---- */

struct copies {
	struct remake *r;
	struct sr_op **first; /* [n]: what was put before node i, or it */
	int at;
};

static bool is_used_behind(const struct copies *c, const struct sr_value *v)
{
	for (const struct sr_use *use = v->uses; use; use = use->next) {
		const struct sr_op *op = sr_op_ancestor_in(c->r->g->block, use->owner);
		if (op->mark >= c->at || (sr_op_is(op, SR_OP_stablehlo_reshape) && is_used_behind(c, sr_result(op, 0))))
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
		} else if (sr_op_is(op, SR_OP_stablehlo_reshape) && is_used_behind(c, sr_result(op, 0))) {
			struct sr_op *view = sr_op_clone(c->r->ctx, op, NULL);
			sr_op_set_operand(view, 0, made);
			sr_op_insert_after(made->def, view);
			view->mark = c->at;
			use_copy(c, sr_result(op, 0), sr_result(view, 0));
		}
	}
}

/* Without what nobody reads any more. */
static void sweep(struct sr_block *block)
{
	for (struct sr_op *op = sr_block_terminator(block)->prev, *prev; op; op = prev) {
		prev = op->prev;
		if ((sr_op_is(op, SR_OP_work_tile) || sr_op_is(op, SR_OP_stablehlo_reshape)) && op->n_results == 1 && !sr_result(op, 0)->uses)
			sr_op_erase(op);
	}
}

static void make_copies(struct remake *r)
{
	const struct sr_schedule_graph *g = r->g;
	struct copies c = {.r = r, .first = SR_NEWS(g->arena, struct sr_op *, g->n)};
	for (int i = 0; i < g->n; i++)
		c.first[i] = g->ops[i];
	for (size_t i = 0; i < r->all.n; i++) {
		struct sr_value *v = g->memories[r->all.data[i].memory].value;
		struct sr_op *made = sr_op_clone(r->ctx, v->def, NULL);
		c.at = r->all.data[i].at;
		sr_op_insert_before(c.first[c.at], made);
		made->mark = c.at;
		c.first[c.at] = made;
		use_copy(&c, v, sr_result(made, 0));
	}
	sweep(g->block);
}

static void allocate(struct remake *r)
{
	const struct sr_schedule_graph *g = r->g;
	for (r->tree.size = 1; r->tree.size < g->n; r->tree.size *= 2)
		;
	r->tree.most = SR_NEWS(g->arena, int64_t, 2 * (int64_t)r->tree.size);
	r->tree.added = SR_NEWS(g->arena, int64_t, 2 * (int64_t)r->tree.size);
	r->seconds = SR_NEWS(g->arena, double, g->n_memories);
	r->limit = SR_NEWS(g->arena, int, g->n_memories);
	r->end = SR_NEWS(g->arena, int, g->n_memories);
	r->added = SR_NEWS(g->arena, int, g->n_memories);
}

bool sr_schedule_remake(struct sr_context *ctx, const struct sr_schedule_graph *g)
{
	struct remake r = {.ctx = ctx, .g = g};
	struct sr_machine machine;
	int *order = SR_NEWS(g->arena, int, g->n);
	int64_t *live = SR_NEWS(g->arena, int64_t, g->n);
	double all = 0;
	if (!g->n)
		return false;
	sr_machine_default(&machine);
	for (int i = 0; i < g->n; i++) {
		order[i] = i;
		all += seconds_of(ctx->machine ? ctx->machine : &machine, g->ops[i]);
	}
	int64_t peak = sr_schedule_peak(g, order, live);
	r.live = live;
	allocate(&r);
	find_limits(&r);
	bool any = false;
	for (int m = 0; m < g->n_memories; m++) {
		bool can = can_be_made(&r, m);
		r.seconds[m] = can ? seconds_of(ctx->machine ? ctx->machine : &machine, g->ops[g->memories[m].node]) : -1;
		any = any || can;
	}
	if (!any || !choose(&r, peak, MOST_TIME * all))
		return false;
	make_copies(&r);
	return true;
}
