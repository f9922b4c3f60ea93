/* Build the graph of a block's ops and buffers, and compute the peak of an order. Linear in operands, times the depth of
 * nesting. */
#include "work/schedule/schedule.h"
#include "dialect/attr_names.h"

enum { ALIGN = 64 }; /* alignment of buffers in the arena of the plan */

struct pair {
	int from, to;
};

typedef SR_VEC(struct pair) sr_pairs;

struct graph_build {
	struct sr_schedule_graph *g;
	int *first_result;  /* for each op: number of results of the ops before it; length n + 1 */
	int *memory;        /* buffer of each result, then of each argument of the block; -1: none */
	int *stamp;         /* for each buffer or node: the node that listed it last, to skip duplicates */
	sr_pairs pairs;
};

/* ---- lists ---- */

/* Group pairs into lists: the second members by the first, or with `is_reversed` the first by the second, in order. */
static struct sr_schedule_lists lists_of(struct sr_arena *arena, const sr_pairs *pairs, int n, bool is_reversed)
{
	struct sr_schedule_lists l = {SR_NEW_ARRAY(arena, int, n + 2), SR_NEW_ARRAY(arena, int, pairs->n)};
	for (size_t i = 0; i < pairs->n; i++)
		l.start[(is_reversed ? pairs->data[i].to : pairs->data[i].from) + 2]++;
	for (int i = 0; i < n; i++)
		l.start[i + 2] += l.start[i + 1];
	for (size_t i = 0; i < pairs->n; i++) {
		struct pair p = pairs->data[i];
		l.entries[l.start[(is_reversed ? p.to : p.from) + 1]++] = is_reversed ? p.from : p.to;
	}
	return l;
}

/* ---- buffers ---- */

static int64_t bytes_of(const struct sr_value *v)
{
	int64_t bytes;
	/* the limit keeps sums from overflowing */
	if (v->type->kind != SR_TYPE_TENSOR || !sr_type_bytes(v->type, &bytes) || bytes > INT64_MAX >> 24)
		return 0;
	if (v->def && (sr_op_has(v->def, SR_CONSTANT) || sr_work_is_elided(v->def)))
		return 0;
	return (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

int sr_schedule_viewed_operand(struct sr_context *ctx, struct sr_op *op, int k)
{
	struct sr_strided_view view;
	if (sr_op_has(op, SR_VIEW))
		return k;
	return sr_work_elided_slice(ctx, op, &view) ? view.operand : -1;
}

static int *memory_at(const struct graph_build *b, const struct sr_value *v)
{
	const struct sr_schedule_graph *g = b->g;
	if (sr_value_block(v) != g->block)
		return NULL;
	return &b->memory[v->def ? b->first_result[v->def->mark] + v->index : b->first_result[g->n] + v->index];
}

static int memory_of(const struct graph_build *b, const struct sr_value *v)
{
	const int *at = memory_at(b, v);
	return at ? *at : -1;
}

static int new_memory(struct graph_build *b, struct sr_value *v, int node)
{
	struct sr_schedule_graph *g = b->g;
	g->memories[g->n_memories] = (struct sr_schedule_buffer){
	    .value = v, .bytes = node < 0 ? 0 : bytes_of(v), .node = node, .destination = -1};
	return g->n_memories++;
}

static void number_ops(struct graph_build *b)
{
	struct sr_schedule_graph *g = b->g;
	struct sr_op *end = sr_block_terminator(g->block);
	int results = 0;
	for (struct sr_op *op = g->block->first; op != end; op = op->next)
		g->n++;
	g->ops = SR_NEW_ARRAY(g->arena, struct sr_op *, g->n);
	b->first_result = SR_NEW_ARRAY(g->arena, int, g->n + 1);
	int i = 0;
	for (struct sr_op *op = g->block->first; op != end; op = op->next, i++) {
		g->ops[i] = op;
		op->mark = i;
		b->first_result[i] = results;
		results += op->n_results;
	}
	b->first_result[g->n] = results;
}

static void make_memories(struct graph_build *b)
{
	struct sr_schedule_graph *g = b->g;
	int values = b->first_result[g->n] + g->block->n_args;
	b->memory = SR_NEW_ARRAY(g->arena, int, values);
	g->memories = SR_NEW_ARRAY(g->arena, struct sr_schedule_buffer, values);
	for (int i = 0; i < g->block->n_args; i++)
		*memory_at(b, g->block->args[i]) = new_memory(b, g->block->args[i], -1);
	b->pairs.n = 0;
	for (int i = 0; i < g->n; i++) {
		struct sr_op *op = g->ops[i];
		for (int k = 0; k < op->n_results; k++) {
			int viewed_operand = sr_schedule_viewed_operand(g->ctx, op, k);
			int m = viewed_operand >= 0 ? memory_of(b, sr_operand(op, viewed_operand)) : new_memory(b, sr_result(op, k), i);
			*memory_at(b, sr_result(op, k)) = m;
			if (viewed_operand < 0)
				sr_push(g->arena, &b->pairs, (struct pair){i, m});
		}
	}
	g->written = lists_of(g->arena, &b->pairs, g->n, false);
}

/* ---- reads ---- */

struct reader {
	struct graph_build *b;
	int node;
	bool nodes; /* true: list the nodes that define the buffers, instead of the buffers */
};

static bool read_operands(void *data, struct sr_op *op)
{
	const struct reader *r = data;
	struct graph_build *b = r->b;
	for (int i = 0; i < op->n_operands; i++) {
		const struct sr_value *v = sr_operand(op, i);
		if (sr_value_block(v) != b->g->block)
			continue;
		int at = r->nodes ? v->def ? v->def->mark : -1 : memory_of(b, v);
		if (at < 0 || b->stamp[at] == r->node)
			continue;
		b->stamp[at] = r->node;
		sr_push(b->g->arena, &b->pairs, (struct pair){r->nodes ? at : r->node, r->nodes ? r->node : at});
	}
	return true;
}

static void read_by(struct graph_build *b, int node, bool lists_nodes)
{
	struct sr_op *op = b->g->ops[node];
	struct reader r = {b, node, lists_nodes};
	if (op->n_regions && !sr_op_has(op, SR_ISOLATED))
		sr_walk(op, read_operands, &r);
	else
		read_operands(&r, op);
}

static void start_pairs(struct graph_build *b, int n)
{
	b->pairs.n = 0;
	b->stamp = SR_NEW_ARRAY(b->g->arena, int, n + 1);
	for (int i = 0; i < n; i++)
		b->stamp[i] = -1;
}

static void find_reads(struct graph_build *b)
{
	struct sr_schedule_graph *g = b->g;
	start_pairs(b, g->n_memories);
	for (int i = 0; i < g->n; i++)
		read_by(b, i, false);
	g->reads = lists_of(g->arena, &b->pairs, g->n, false);
	g->readers = lists_of(g->arena, &b->pairs, g->n_memories, true);
}

/* ---- memory reuse ---- */

static bool is_update(const struct sr_op *op)
{
	return sr_op_is(op, SR_OP_stablehlo_dynamic_update_slice) || sr_op_is(op, SR_OP_stablehlo_scatter) ||
	       sr_op_is(op, SR_OP_stablehlo_while);
}

bool sr_schedule_is_donated(const struct sr_op *func, int i)
{
	const struct sr_attr *donor = sr_func_arg_attr(func, i, "jax.buffer_donor");
	return (donor && donor->i) || sr_func_arg_attr(func, i, "tf.aliasing_output");
}

/* Return true if result k may use the memory of operand i, which has the same type and is read at the elements that are
 * written. Attributes are interned, so equal maps are the same pointer. */
static bool may_share(const struct sr_op *op, int i, int k)
{
	if (!sr_op_is(op, SR_OP_work_nest))
		return true;
	const struct sr_attr *read_maps = sr_op_attr(op, SR_NAME_indexing_maps),
			     *write_maps = sr_op_attr(op, SR_NAME_result_indexing_maps);
	return read_maps && write_maps && read_maps->list[i] == write_maps->list[k];
}

static void find_shares(struct graph_build *b)
{
	struct sr_schedule_graph *g = b->g;
	SR_VEC(struct sr_schedule_share) shares = {0};
	g->first_share = SR_NEW_ARRAY(g->arena, int, g->n + 1);
	for (int u = 0; u < g->n; u++) {
		struct sr_op *op = g->ops[u];
		bool is_in_place = is_update(op), is_elementwise = sr_op_is(op, SR_OP_work_nest) || sr_op_has(op, SR_ELEMENTWISE);
		for (int k = 0; (is_elementwise || is_in_place) && k < op->n_results; k++)
			for (int i = is_in_place ? k : 0; i < (is_in_place ? k + 1 : op->n_operands); i++) {
				struct sr_schedule_share s = {memory_of(b, sr_operand(op, i)), memory_of(b, sr_result(op, k))};
				if (s.operand >= 0 && sr_operand(op, i)->type == sr_result(op, k)->type && (is_in_place || may_share(op, i, k)))
					sr_push(g->arena, &shares, s);
			}
		g->first_share[u + 1] = (int)shares.n;
	}
	g->shares = shares.data;
}

/* Mark buffers that are live until the end of the block. Results of the program have their own memory; loop state ends up in
 * the memory of its argument. */
static void find_kept(struct graph_build *b)
{
	struct sr_schedule_graph *g = b->g;
	struct sr_op *end = sr_block_terminator(g->block), *owner = g->block->region->op;
	bool is_loop_body = sr_op_is(owner, SR_OP_stablehlo_while) && g->block->n_args == end->n_operands;
	for (int i = 0; i < end->n_operands; i++) {
		int m = memory_of(b, sr_operand(end, i));
		if (m < 0 || g->memories[m].node < 0)
			continue;
		g->memories[m].is_kept = true;
		if (is_loop_body)
			g->memories[m].destination = memory_of(b, g->block->args[i]);
		else
			g->memories[m].bytes = 0;
	}
	for (int u = 0; sr_op_is(owner, SR_OP_func_func) && u < g->n; u++)
		for (int s = g->first_share[u]; s < g->first_share[u + 1]; s++) {
			const struct sr_schedule_buffer *operand = &g->memories[g->shares[s].operand];
			struct sr_schedule_buffer *result = &g->memories[g->shares[s].result];
			if (result->is_kept && operand->node < 0 && sr_schedule_is_donated(owner, operand->value->index))
				result->destination = g->shares[s].operand;
		}
}

/* ---- edges ---- */

static void add_edge(struct graph_build *b, int from, int to)
{
	if (from == to || b->stamp[from] == to)
		return;
	b->stamp[from] = to;
	sr_push(b->g->arena, &b->pairs, (struct pair){from, to});
}

/* Add edges for node `to`, which overwrites buffer m: if it comes after all other readers of m, it must stay after them. */
static void order_after_readers(struct graph_build *b, int m, int to)
{
	const struct sr_schedule_lists *r = &b->g->readers;
	if (r->start[m] == r->start[m + 1] || r->entries[r->start[m + 1] - 1] > to)
		return;
	for (int i = r->start[m]; i < r->start[m + 1]; i++)
		add_edge(b, r->entries[i], to);
}

static void find_edges(struct graph_build *b)
{
	struct sr_schedule_graph *g = b->g;
	int effect = -1;
	start_pairs(b, g->n);
	for (int u = 0; u < g->n; u++) {
		struct sr_op *op = g->ops[u];
		read_by(b, u, true);
		if (!sr_op_is_pure(op) && !sr_op_has(op, SR_COLLECTIVE)) {
			if (effect >= 0)
				add_edge(b, effect, u);
			effect = u;
		}
		for (int s = g->first_share[u]; is_update(op) && s < g->first_share[u + 1]; s++)
			order_after_readers(b, g->shares[s].operand, u);
		for (int i = g->written.start[u]; i < g->written.start[u + 1]; i++)
			if (g->memories[g->written.entries[i]].destination >= 0)
				order_after_readers(b, g->memories[g->written.entries[i]].destination, u);
	}
	g->predecessors = lists_of(g->arena, &b->pairs, g->n, true);
	g->successors = lists_of(g->arena, &b->pairs, g->n, false);
}

int sr_schedule_buffer_of(const struct sr_schedule_graph *g, const struct sr_value *v)
{
	for (int viewed_operand; v->def && v->def->block == g->block && (viewed_operand = sr_schedule_viewed_operand(g->ctx, v->def, v->index)) >= 0;)
		v = sr_operand(v->def, viewed_operand);
	if (sr_value_block(v) != g->block)
		return -1;
	return v->def ? g->written.entries[g->written.start[v->def->mark] + v->index] : v->index;
}

struct sr_schedule_graph *sr_schedule_graph_new(struct sr_context *ctx, struct sr_arena *arena, struct sr_block *block,
						const struct sr_map *inner_peaks)
{
	struct sr_schedule_graph *g = SR_NEW(arena, struct sr_schedule_graph);
	struct graph_build b = {.g = g};
	*g = (struct sr_schedule_graph){.ctx = ctx, .arena = arena, .block = block};
	number_ops(&b);
	make_memories(&b);
	find_reads(&b);
	find_shares(&b);
	find_kept(&b);
	find_edges(&b);
	g->inner_bytes = SR_NEW_ARRAY(arena, int64_t, g->n);
	for (int i = 0; i < g->n; i++)
		g->inner_bytes[i] = (int64_t)(intptr_t)sr_map_get(inner_peaks, g->ops[i]);
	return g;
}

/* ---- the peak ---- */

struct live_range {
	const struct sr_schedule_graph *g;
	int *n_readers_left;    /* for each buffer: number of readers left */
	int64_t *cost; /* for each buffer: bytes that were allocated when it was written */
	int64_t live, peak;
};

/* Return the bytes that the node's results take over from operands of which the node is the last reader. */
static int64_t shared_bytes(struct live_range *l, int u)
{
	const struct sr_schedule_graph *g = l->g;
	int64_t bytes = 0;
	int last = -1;
	for (int s = g->first_share[u]; s < g->first_share[u + 1]; s++) {
		int operand = g->shares[s].operand, result = g->shares[s].result;
		if (result == last || l->n_readers_left[operand] != 1 || g->memories[operand].is_kept)
			continue;
		bool is_taken = false; /* true if an earlier result uses the operand's memory */
		for (int t = g->first_share[u]; t < s && !is_taken; t++)
			is_taken = g->shares[t].operand == operand && g->shares[t].result != result;
		if (is_taken)
			continue;
		last = result;
		bytes += l->cost[operand] < l->cost[result] ? l->cost[operand] : l->cost[result];
	}
	return bytes;
}

static int64_t cost_of(const struct live_range *l, int m, int u)
{
	const struct sr_schedule_graph *g = l->g;
	const struct sr_schedule_buffer *memory = &g->memories[m];
	if (memory->destination < 0)
		return memory->bytes;
	int n_readers = l->n_readers_left[memory->destination];
	for (int s = g->first_share[u]; s < g->first_share[u + 1]; s++)
		n_readers -= g->shares[s].operand == memory->destination && g->shares[s].result == m;
	return n_readers > 0 ? memory->bytes : 0;
}

static void simulate_node(struct live_range *l, int u)
{
	const struct sr_schedule_graph *g = l->g;
	int64_t freed_bytes = 0, live_during;
	for (int i = g->written.start[u]; i < g->written.start[u + 1]; i++) {
		int m = g->written.entries[i];
		l->live += l->cost[m] = cost_of(l, m, u);
		if (g->readers.start[m] == g->readers.start[m + 1] && !g->memories[m].is_kept)
			freed_bytes += l->cost[m];
	}
	live_during = l->live + g->inner_bytes[u] - shared_bytes(l, u);
	l->peak = live_during > l->peak ? live_during : l->peak;
	for (int i = g->reads.start[u]; i < g->reads.start[u + 1]; i++)
		if (--l->n_readers_left[g->reads.entries[i]] == 0 && !g->memories[g->reads.entries[i]].is_kept)
			freed_bytes += l->cost[g->reads.entries[i]];
	l->live -= freed_bytes;
}

int64_t sr_schedule_peak(const struct sr_schedule_graph *g, const int *order, int64_t *at)
{
	struct live_range l = {.g = g,
			       .n_readers_left = SR_NEW_ARRAY(g->arena, int, g->n_memories),
			       .cost = SR_NEW_ARRAY(g->arena, int64_t, g->n_memories)};
	for (int m = 0; m < g->n_memories; m++)
		l.n_readers_left[m] = g->readers.start[m + 1] - g->readers.start[m];
	int64_t peak = 0;
	for (int i = 0; i < g->n; i++) {
		l.peak = 0;
		simulate_node(&l, order[i]);
		if (at)
			at[i] = l.peak;
		peak = l.peak > peak ? l.peak : peak;
	}
	return peak;
}
