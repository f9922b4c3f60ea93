/* Interpretation of a loop nest: tile by tile of the parallel loops, stage by stage, tile by tile of the inner loops, instruction
 * by instruction. */
#include "kernels/nest/access.h"
#include "kernels/nest/nest_run.h"
#include <string.h>

enum { LEAST_REPLAYED = 4 }; /* a tile is recorded if more tiles than these are left in the call */

static enum sr_dtype type_of(const struct sr_nest_run *u, int value)
{
	return (enum sr_dtype)sr_nest_values(u->r->nest)[value].dtype;
}

static int64_t tile_iterations(const struct sr_nest_run *u)
{
	return u->over_inner ? u->tile.n_parallel * u->tile.n_inner : u->tile.n_parallel;
}

static char *storage_of(const struct sr_nest_run *u, int value)
{
	const struct sr_nest_slot *p = &u->r->slots[value];
	int64_t skip = p->storage == SR_NEST_STORAGE_SAVED ? u->inner_done * u->tile.n_parallel * sr_dtype_bytes(type_of(u,
			value)) : 0;
	return u->scratch + p->at + skip;
}

static void repeat_bytes(char *dst, const char *src, int64_t bytes, int64_t times)
{
	if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) {
		sr_nest_fill_strided((int)bytes, src, dst, 1, times);
		return;
	}
	for (int64_t i = 0; i < times; i++)
		memcpy(dst + i * bytes, src, (size_t)bytes);
}

void sr_nest_repeat_row(const struct sr_nest_run *u, const char *from, int64_t bytes, char *to)
{
	int64_t np = u->tile.n_parallel, n = u->tile.n_inner;
	if (!u->r->is_row_major) {
		repeat_bytes(to, from, np * bytes, n);
		return;
	}
	u->r->access->load_runs((int)bytes, from, 1, 0, to, np, n);
}

/* Return the location from which the current stage reads a value. A ROW value is repeated for every inner iteration if the tile has
 * several iterations of both kinds. */
static const struct sr_nest_operand *read_value(struct sr_nest_run *u, int value)
{
	const struct sr_nest_slot *p = &u->r->slots[value];
	if (!u->over_inner || p->storage == SR_NEST_STORAGE_TILE)
		return &u->states[value];
	if (p->storage == SR_NEST_STORAGE_SAVED) {
		u->inner_states[value] = (struct sr_nest_operand){.at = storage_of(u, value)};
	} else {
		u->inner_states[value] = u->states[value];
		u->inner_states[value].scalar = u->states[value].scalar || u->tile.n_parallel == 1;
		if (!u->inner_states[value].scalar && u->tile.n_inner > 1) {
			u->inner_states[value].at = u->scratch + p->repeated_offset;
			sr_nest_repeat_row(u, u->states[value].at, sr_dtype_bytes(type_of(u, value)), u->inner_states[value].at);
		}
	}
	return &u->inner_states[value];
}

/* Let the array of states that accesses use, for indices and fill values, have the location of a value. */
static void update_state(struct sr_nest_run *u, int value)
{
	const struct sr_nest_operand *v = read_value(u, value);
	if (u->over_inner)
		u->inner_states[value] = *v;
}

/* ---- elementwise ---- */

static sr_kernel_fn *kernel_of(const struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	return u->r->kernels->fn[in->kernel][in->type];
}

/* Return the address to write a value to: the destination of its STORE if the tile's elements are contiguous there, otherwise
 * `storage`. */
static char *destination_address(const struct sr_nest_run *u, int value, char *storage)
{
	int store = u->r->slots[value].direct_store;
	if (store < 0 || (u->r->is_streamed && !u->r->slots[value].is_streamed))
		return storage;
	const struct sr_nest_access *a = &u->r->accesses[sr_nest_instrs(u->r->nest)[store].access];
	char *direct = sr_nest_direct_address(u->r, &u->tile, a, type_of(u, value), u->buffers[a->buffer], u->over_inner);
	return direct ? direct : storage;
}

/* Return true if the STORE in whose memory a value may be computed is to the buffer of an input. */
static bool is_stored_to_input(const struct sr_nest_run *u, int value)
{
	int store = u->r->slots[value].direct_store;
	int buffer = store >= 0 ? u->r->accesses[sr_nest_instrs(u->r->nest)[store].access].buffer : -1;
	uint64_t shared = store >= 0 ? sr_nest_outputs(u->r->nest)[buffer - u->r->nest->n_inputs].may_share : 0;
	for (int b = 0; shared >> b; b++)
		if (shared >> b & 1 && u->buffers[b] == u->buffers[buffer])
			return true;
	return false;
}

/* Return the address to which a group writes a value. With views, a group writes to borders before it reads them. */
static char *result_address(const struct sr_nest_run *u, const struct sr_nest_vector_group *g, int value)
{
	char *storage = storage_of(u, value);
	return g->has_views && is_stored_to_input(u, value) ? storage : destination_address(u, value, storage);
}

/* Execute a MAP of temporaries into a temporary. */
static void map_temporaries(struct sr_nest_run *u, const struct sr_nest_instr *in, const struct sr_nest_map *m)
{
	struct sr_map_params p = m->params;
	struct sr_nest_operand *out = &u->states[in->result];
	void *buffers[5];
	bool scalar = true;
	for (int k = 0; k < in->n_args; k++) {
		const struct sr_nest_operand *a = &u->states[in->args[k]];
		buffers[k] = a->at;
		p.scalar[k] = a->scalar;
		scalar = scalar && a->scalar;
	}
	p.n = scalar ? 1 : tile_iterations(u);
	out->at = buffers[in->n_args] = u->scratch + u->r->slots[in->result].at;
	out->scalar = scalar;
	m->fn(&p, buffers, NULL, 0, p.n);
}

/* Return the address of vector code's own memory, which is behind the operands of the group that is executed. */
char *sr_nest_vector_memory(const struct sr_nest_run *u)
{
	return u->scratch + u->r->vector_memory + sr_nest_operands_bytes(u->r);
}

/* Execute a group of instructions as vector code. */
static void run_group(struct sr_nest_run *u, const struct sr_nest_vector_group *g)
{
	struct sr_nest_operand *operands = (void *)(u->scratch + u->r->vector_memory);
	for (int k = 0; k < g->n_operands; k++) {
		const struct sr_nest_vector_operand *o = &u->r->code->operands[g->first_operand + k];
		if (sr_nest_is_input(o->kind))
			operands[k] = *read_value(u, o->value);
		else if (o->kind != SR_NEST_VECTOR_BLOCK)
			u->states[o->value] = operands[k] =
				(struct sr_nest_operand){.at = result_address(u, g, o->value)};
	}
	struct sr_nest_view_call call = {.r = u->r, .tile = &u->tile, .group = g, .views = u->views, .operands = operands,
					 .values = u->states, .scratch = u->scratch, .memory = sr_nest_vector_memory(u),
					 .over_inner = u->over_inner};
	if (!g->has_views || !sr_nest_run_views(&call))
		sr_nest_run_vector_code(u->r, g, sr_nest_vector_memory(u), operands, tile_iterations(u));
}

/* Return true if a kept MAP has the elements of this tile already: no value that it reads was computed again; otherwise note that
 * it gets them now. */
static bool is_computed(struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	struct sr_nest_kept *k = &u->kept[in->result];
	int64_t newest = 0;
	for (int i = 0; i < in->n_args; i++)
		newest = u->kept[in->args[i]].version > newest ? u->kept[in->args[i]].version : newest;
	if (k->origin == newest)
		return true;
	*k = (struct sr_nest_kept){.origin = newest, .version = ++u->n_versions};
	return false;
}

static void map(struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_map *m = &u->r->maps[in - sr_nest_instrs(u->r->nest)];
	if (u->r->slots[in->result].is_kept && is_computed(u, in))
		return;
	if (m->group >= 0) {
		run_group(u, &u->r->code->groups[m->group]);
		return;
	}
	if (m->is_temporary) {
		map_temporaries(u, in, m);
		return;
	}
	struct sr_map_params p = m->params;
	const struct sr_nest_slot *slot = &u->r->slots[in->result];
	struct sr_nest_operand out = {.at = storage_of(u, in->result), .scalar = slot->storage != SR_NEST_STORAGE_SAVED};
	void *buffers[5];
	for (int k = 0; k < in->n_args; k++) {
		const struct sr_nest_operand *a = read_value(u, in->args[k]);
		buffers[k] = a->at;
		p.scalar[k] = a->scalar;
		out.scalar = out.scalar && a->scalar;
	}
	p.n = out.scalar ? 1 : tile_iterations(u);
	if (!out.scalar)
		out.at = destination_address(u, in->result, out.at);
	buffers[in->n_args] = out.at;
	m->fn(&p, buffers, NULL, 0, p.n);
	u->states[in->result] = out;
}

/* ---- reductions ---- */

static void combine_values(struct sr_nest_run *u, const struct sr_nest_instr *in, char *dst, char *src, int64_t n)
{
	struct sr_map_params p = {.n = n, .in = in->type, .out = in->type};
	void *buffers[3] = {dst, src, dst};
	kernel_of(u, in)(&p, buffers, NULL, 0, n);
}

/* Combine `runs` runs of n elements into accumulators: element i of each run into dst[i % width], in order. */
static void accumulate(struct sr_nest_run *u, const struct sr_nest_instr *in, char *dst, char *src, int64_t runs, int64_t n,
		       int64_t width)
{
	int64_t bytes = sr_dtype_bytes((enum sr_dtype)in->type);
	sr_accumulate_fn *fn = u->r->kernels->accumulate[in->type];
	if (fn && fn(sr_nest_monoid(in->kernel), dst, src, runs, n, width))
		return;
	for (int64_t run = 0; run < runs; run++, src += n * bytes)
		for (int64_t i = 0; i < n; i += width)
			combine_values(u, in, dst, src + i * bytes, n - i < width ? n - i : width);
}

/* Add products of a and b, of type `type`, to the accumulators `to` as `accumulate` does. Returns false if the accumulators are too
 * few for vectors, or their number does not divide the elements of a run; then *v receives the products. */
static bool accumulate_products(struct sr_nest_run *u, const struct sr_nest_instr *in, char *to,
				const struct sr_nest_operand *operands, int64_t runs, int64_t n, int64_t width,
				struct sr_nest_operand *v)
{
	int i = u->r->maps[in - sr_nest_instrs(u->r->nest)].product;
	struct sr_nest_operand a = operands[0], b = operands[1];
	struct sr_product_rows rows = {.a = a.at, .b = b.at, .to = to, .rows = runs, .n = n, .is_b_scalar = b.scalar};
	enum { LEAST_BYTES = 64 };
	bool has_rows = (!a.scalar || !b.scalar) && (n <= width || n % width == 0);
	if (a.scalar)
		rows.a = b.at, rows.b = a.at, rows.is_b_scalar = true;
	if (n > width) {
		rows.rows = runs * (n / width);
		rows.n = width;
	}
	if (has_rows && rows.n * sr_dtype_bytes((enum sr_dtype)in->type) >= LEAST_BYTES) {
		u->r->access->add_products[in->type](&rows);
		return true;
	}
	struct sr_map_params p = u->r->maps[i].params;
	p.scalar[0] = a.scalar;
	p.scalar[1] = b.scalar;
	p.n = runs * n;
	u->r->maps[i].fn(&p, (void *[]){a.at, b.at, u->partial_results}, NULL, 0, p.n);
	*v = (struct sr_nest_operand){.at = u->partial_results};
	return false;
}

static void load(struct sr_nest_run *u, const struct sr_nest_instr *in);

/* Combine the tile's inner iterations into the accumulators of each parallel iteration. In row-major tiles each parallel iteration
 * is a row with accumulators of its own. */
static void execute_reduce(struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_map *m = &u->r->maps[in - sr_nest_instrs(u->r->nest)];
	int innermost = u->r->n_loops - 1, i = m->product, load_instr = m->load;
	int64_t n_rows = u->r->is_row_major ? u->tile.n_parallel : 1, np = u->tile.n_parallel / n_rows, lanes = u->lanes;
	int64_t n = lanes > 1 && innermost >= u->r->n_parallel ? u->tile.n[innermost] : u->tile.n_inner;
	int64_t runs = u->tile.n_inner / n, bytes = sr_dtype_bytes((enum sr_dtype)in->type);
	const struct sr_nest_instr *reader = i < 0 ? in : &sr_nest_instrs(u->r->nest)[i];
	struct sr_nest_operand operands[2];
	if (load_instr >= 0) {
		const struct sr_nest_instr *loaded = &sr_nest_instrs(u->r->nest)[load_instr];
		const struct sr_nest_access *a = &u->r->accesses[loaded->access];
		if (sr_nest_reduce_in_place(u->r, &u->tile, a, (enum sr_dtype)in->type, u->buffers[a->buffer],
					    sr_nest_monoid(in->kernel), u->states[in->result].at))
			return;
		load(u, loaded);
	}
	for (int k = 0; k <= (i >= 0); k++)
		operands[k] = *read_value(u, reader->args[k]);
	if (i < 0 && operands[0].scalar) {
		repeat_bytes(u->partial_results, operands[0].at, bytes, np * u->tile.n_inner);
		operands[0].at = u->partial_results;
	}
	for (int64_t row = 0; row < n_rows; row++) {
		char *to = u->states[in->result].at + row * lanes * bytes;
		struct sr_nest_operand v = operands[0];
		if (i < 0 || !accumulate_products(u, in, to, operands, runs, np * n, np * lanes, &v))
			accumulate(u, in, to, v.at, runs, np * n, np * lanes);
		for (int k = 0; k <= (i >= 0); k++)
			operands[k].at += operands[k].scalar ? 0 : u->tile.n_inner * bytes;
	}
}

/* Combine the accumulators (lanes) of the stage's reductions in halves until one is left for each parallel iteration. Those of
 * row-major tiles are transposed first. */
void sr_nest_combine_lanes(struct sr_nest_run *u, const struct sr_nest_stage *stage)
{
	int64_t np = u->tile.n_parallel;
	for (int i = stage->first; u->lanes > 1 && i < stage->first + stage->n; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(u->r->nest)[i];
		sr_combine_lanes_fn *fn = u->r->kernels->combine_lanes[in->type];
		int64_t n = u->lanes * np, bytes = sr_dtype_bytes((enum sr_dtype)in->type);
		if (in->op != SR_NEST_REDUCE)
			continue;
		char *to = u->states[in->result].at, *lanes = u->r->is_row_major ? u->partial_results : to;
		bool is_moved = lanes == to || sr_nest_transpose((int)bytes, to, u->lanes, lanes, u->lanes, np);
		for (int64_t k = 0; !is_moved && k < u->lanes; k++)
			u->r->access->load_strided((int)bytes, to + k * bytes, u->lanes, lanes + k * np * bytes, np);
		if (!fn || !fn(sr_nest_monoid(in->kernel), lanes, n, np))
			for (n /= 2; n >= np; n /= 2)
				combine_values(u, in, lanes, lanes + n * bytes, n);
		if (lanes != to)
			memcpy(to, lanes, (size_t)(np * bytes));
	}
}

/* Copy the results of a FOLD's body to its accumulators, after all are computed: one result may be the accumulator that another
 * reads. */
static void copy_fold_results(struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	int64_t np = u->tile.n_parallel;
	int first = in->body_args, end = first + in->n_folds; /* accumulators */
	bool are_apart = true;
	for (int k = 0; k < in->n_folds; k++)
		are_apart = are_apart && (in->body_results[k] < first || in->body_results[k] >= end);
	for (int is_second = are_apart; is_second < 2; is_second++) {
		for (int k = 0; k < in->n_folds; k++) {
			int64_t bytes = sr_dtype_bytes(type_of(u, in->result + k));
			char *copy = u->partial_results + k * u->r->partial_bytes, *accumulator = storage_of(u, in->result + k);
			struct sr_nest_operand v = u->states[in->body_results[k]];
			if (is_second && !are_apart)
				v = (struct sr_nest_operand){.at = copy};
			if (v.scalar)
				repeat_bytes(is_second ? accumulator : copy, v.at, bytes, np);
			else
				memcpy(is_second ? accumulator : copy, v.at, (size_t)(np * bytes));
		}
	}
}

/* Execute a FOLD to an extremum and its index, which is counted. */
static void execute_counted_fold(struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_map *m = &u->r->maps[in - sr_nest_instrs(u->r->nest)];
	const struct sr_nest_access *a = &u->r->accesses[sr_nest_instrs(u->r->nest)[m->counted].access];
	const struct sr_nest_operand *elements = read_value(u, in->args[0]);
	enum sr_dtype type = type_of(u, in->result);
	int inner = u->r->n_parallel;
	struct sr_extremum_rows rows = {
		.rows_at = elements->at, .value = storage_of(u, in->result), .index = storage_of(u, in->result + 1),
		.rows = u->tile.n_inner, .n = u->tile.n_parallel, .first = a->offset + a->stride[inner] * u->tile.at[inner],
		.step = a->stride[inner], .is_least = m->is_least};
	if (elements->scalar) {
		repeat_bytes(u->partial_results, elements->at, sr_dtype_bytes(type), tile_iterations(u));
		rows.rows_at = u->partial_results;
	}
	u->r->access->find_extrema[type][type_of(u, in->result + 1) == SR_I64](&rows);
}

/* Run the body of a FOLD for each inner iteration in order, for all parallel iterations of the tile at once. */
static void execute_fold(struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_instr *body = sr_nest_instrs(u->r->nest) + in->body;
	const struct sr_nest_map *maps = u->r->maps + in->body;
	struct sr_nest_run inner = *u;
	int64_t np = u->tile.n_parallel;
	struct sr_nest_operand elements[SR_NEST_MAX_FOLDS];
	if (u->r->maps[in - sr_nest_instrs(u->r->nest)].counted >= 0) {
		execute_counted_fold(u, in);
		return;
	}
	for (int k = 0; k < in->n_folds; k++)
		elements[k] = *read_value(u, in->args[k]);
	inner.over_inner = false;
	for (int64_t row = 0; row < u->tile.n_inner; row++) {
		for (int k = 0; k < in->n_folds; k++) {
			int64_t bytes = sr_dtype_bytes(type_of(u, in->body_args + in->n_folds + k));
			u->states[in->body_args + k] = (struct sr_nest_operand){.at = storage_of(u, in->result + k)};
			u->states[in->body_args + in->n_folds + k] =
				(struct sr_nest_operand){.at = elements[k].at + (elements[k].scalar ? 0 : row * np * bytes),
						.scalar = elements[k].scalar};
		}
		for (int i = 0; i < in->n_body; i++)
			if (body[i].op == SR_NEST_MAP &&
			    (maps[i].group < 0 || u->r->code->groups[maps[i].group].last == in->body + i))
				map(&inner, &body[i]);
		copy_fold_results(u, in);
	}
}

/* Initialize the accumulators of a REDUCE with the identity element, except the first of each parallel iteration: the first ones
 * are stored without gaps at the beginning, and are moved to their places. */
static void add_lanes(struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	int64_t bytes = sr_dtype_bytes((enum sr_dtype)in->type), np = u->tile.n_parallel;
	const char *identity = (const char *)u->r->slots[in->result].identity;
	char *to = u->states[in->result].at;
	if (!u->r->is_row_major) {
		repeat_bytes(to + np * bytes, identity, bytes, (u->lanes - 1) * np);
		return;
	}
	memcpy(u->partial_results, to, (size_t)(np * bytes));
	repeat_bytes(to, identity, bytes, u->lanes * np);
	sr_nest_store_strided((int)bytes, u->partial_results, to, u->lanes, np);
}

/* Initialize the first accumulator of each reduction with its init value, and the others with the identity element. */
void sr_nest_init_accumulators(struct sr_nest_run *u, const struct sr_nest_stage *stage)
{
	u->over_inner = false;
	for (int i = stage->first; i < stage->first + stage->n; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(u->r->nest)[i];
		int n = in->op == SR_NEST_REDUCE ? 1 : in->op == SR_NEST_FOLD ? in->n_folds : 0;
		for (int k = 0; k < n; k++) {
			const struct sr_nest_operand *init = &u->states[in->args[n + k]];
			int64_t bytes = sr_dtype_bytes(type_of(u, in->result + k));
			char *to = storage_of(u, in->result + k);
			if (init->scalar)
				repeat_bytes(to, init->at, bytes, u->tile.n_parallel);
			else
				memcpy(to, init->at, (size_t)(bytes * u->tile.n_parallel));
			u->states[in->result + k] = (struct sr_nest_operand){.at = to};
		}
		if (u->lanes > 1 && in->op == SR_NEST_REDUCE)
			add_lanes(u, in);
	}
}

/* ---- other instructions ---- */

static void read_indices(struct sr_nest_run *u, const struct sr_nest_access *a)
{
	for (int k = 0; k < a->n_dims; k++)
		if (u->r->dims[a->first_dim + k].index >= 0)
			update_state(u, u->r->dims[a->first_dim + k].index);
}

/* Load the elements of an access together with its fill value, if that is loaded on demand. Returns false if the access remains to
 * be loaded; its fill value is computed then. */
static bool load_with_fill(struct sr_nest_run *u, const struct sr_nest_access *a, enum sr_dtype type,
			   const struct sr_nest_operand *values, char *to, struct sr_nest_operand *out)
{
	int i = a->fill >= 0 ? u->r->slots[a->fill].fill_instr : -1;
	if (i < 0)
		return false;
	const struct sr_nest_instr *fill = &sr_nest_instrs(u->r->nest)[i];
	read_indices(u, &u->r->accesses[fill->access]);
	if (sr_nest_load_both(u->r, &u->tile, a, &u->r->accesses[fill->access], type, u->buffers, values, u->over_inner, to, out))
		return true;
	load(u, fill);
	return false;
}

/* Return true if a kept value has the elements of this tile already; otherwise note that it gets them now. */
static bool has_elements(struct sr_nest_run *u, const struct sr_nest_access *a, int value)
{
	struct sr_nest_kept *k = &u->kept[value];
	int64_t origin = sr_nest_origin(u->r, &u->tile, a, u->over_inner);
	if (k->origin == origin && k->shape == u->tile.shape)
		return true;
	*k = (struct sr_nest_kept){origin, u->tile.shape, ++u->n_versions};
	return false;
}

/* Execute a LOAD. Its elements are copied if they do not have the layout of a tile's value. */
static void copy_value(struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &u->r->accesses[in->access];
	const struct sr_nest_slot *p = &u->r->slots[in->result], *fill = a->fill >= 0 ? &u->r->slots[a->fill] : NULL;
	enum sr_dtype type = type_of(u, in->result);
	if (fill && fill->is_view_operand && u->views[fill->view].is_read_in_place) {
		u->views[fill->view].is_read_in_place = false;
		copy_value(u, &sr_nest_instrs(u->r->nest)[fill->definition]);
	}
	char *to = destination_address(u, in->result, storage_of(u, in->result));
	const struct sr_nest_operand *values = u->over_inner ? u->inner_states : u->states;
	struct sr_nest_operand *out = &u->states[in->result];
	read_indices(u, a);
	if (!load_with_fill(u, a, type, values, to, out)) {
		if (a->fill >= 0)
			update_state(u, a->fill);
		bool is_streamed = p->is_streamed && u->r->is_streamed && to != storage_of(u, in->result);
		sr_nest_load(u->r, &u->tile, a, type, u->buffers[a->buffer], values, u->over_inner, to, is_streamed, out);
	}
	if (p->storage == SR_NEST_STORAGE_SAVED && out->at != to) {
		if (out->scalar)
			repeat_bytes(to, out->at, sr_dtype_bytes(type), tile_iterations(u));
		else
			memcpy(to, out->at, (size_t)(tile_iterations(u) * sr_dtype_bytes(type)));
		*out = (struct sr_nest_operand){.at = to};
	}
}

static void load_value(struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &u->r->accesses[in->access];
	const struct sr_nest_slot *p = &u->r->slots[in->result];
	if (p->in_place_access >= 0)
		u->states[in->result] = (struct sr_nest_operand){.at = u->buffers[a->buffer]};
	else if (p->is_view_operand &&
		 sr_nest_make_view(u->r, &u->tile, u->buffers, u->over_inner, &u->views[p->view], &u->states[in->result]))
		return;
	else if (!p->is_kept || !has_elements(u, a, in->result))
		copy_value(u, in);
}

/* Execute the LOADs of the list that begins at LOAD `first`; those of contiguous elements at once. */
static void execute_interleaved_loads(struct sr_nest_run *u, int first)
{
	const struct sr_nest_instr *instrs = sr_nest_instrs(u->r->nest);
	int32_t found[SR_NEST_INTERLEAVED];
	uint32_t loaded = 0;
	for (int n; (n = sr_nest_next_loads(u->r, first, u->buffers, &loaded, found)) > 0;) {
		const struct sr_nest_access *a = &u->r->accesses[instrs[found[0]].access];
		char *to[SR_NEST_INTERLEAVED];
		for (int k = 0; k < n; k++)
			to[k] = storage_of(u, instrs[found[k]].result);
		bool is_loaded = n > 1 && sr_nest_load_interleaved(u->r, &u->tile, a, type_of(u, instrs[found[0]].result),
								   u->buffers[a->buffer], to, n, u->over_inner);
		for (int k = 0; k < n; k++) {
			if (is_loaded)
				u->states[instrs[found[k]].result] = (struct sr_nest_operand){.at = to[k]};
			else
				load_value(u, &instrs[found[k]]);
		}
	}
}

static void load(struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_map *m = &u->r->maps[in - sr_nest_instrs(u->r->nest)];
	if (m->n_interleaved > 0)
		execute_interleaved_loads(u, (int)(in - sr_nest_instrs(u->r->nest)));
	else
		load_value(u, in);
}

static void execute_interleaved_stores(struct sr_nest_run *u, const struct sr_nest_map *m)
{
	const struct sr_nest_access *accesses[SR_NEST_INTERLEAVED];
	struct sr_nest_operand values[SR_NEST_INTERLEAVED];
	enum sr_dtype type = SR_I1;
	char *buffers[SR_NEST_INTERLEAVED];
	for (int k = 0; k < m->n_interleaved; k++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(u->r->nest)[m->interleaved[k]];
		accesses[k] = &u->r->accesses[in->access];
		buffers[k] = u->buffers[accesses[k]->buffer];
		values[k] = *read_value(u, in->args[0]);
		type = type_of(u, in->args[0]);
	}
	sr_nest_store_interleaved(u->r, &u->tile, accesses, type, buffers, values, m->n_interleaved,
				  u->over_inner);
}

static void execute_store(struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_map *m = &u->r->maps[in - sr_nest_instrs(u->r->nest)];
	if (m->n_interleaved) {
		execute_interleaved_stores(u, m);
		return;
	}
	const struct sr_nest_access *a = &u->r->accesses[in->access];
	const struct sr_nest_operand *v = read_value(u, in->args[0]);
	enum sr_dtype type = type_of(u, in->args[0]);
	char *direct = sr_nest_direct_address(u->r, &u->tile, a, type, u->buffers[a->buffer], u->over_inner);
	if (!v->scalar && direct == v->at)
		return;
	if (!v->scalar && direct && u->r->is_streamed) {
		u->r->access->stream(v->at, direct, tile_iterations(u) * sr_dtype_bytes(type));
		return;
	}
	sr_nest_store(u->r, &u->tile, a, type, u->buffers[a->buffer], v, u->over_inner);
}

void sr_nest_execute_instruction(struct sr_nest_run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &u->r->accesses[in->access];
	char *to;
	switch ((enum sr_nest_op)in->op) {
	case SR_NEST_LOAD:
		load(u, in);
		break;
	case SR_NEST_STORE:
		execute_store(u, in);
		break;
	case SR_NEST_INDEX:
		if (u->r->slots[in->result].is_kept && has_elements(u, a, in->result))
			break;
		to = storage_of(u, in->result);
		sr_nest_index(u->r, &u->tile, a, u->over_inner, (int64_t *)(void *)to);
		u->states[in->result] = (struct sr_nest_operand){.at = to};
		break;
	case SR_NEST_MAP:
		map(u, in);
		break;
	case SR_NEST_REDUCE:
		execute_reduce(u, in);
		break;
	case SR_NEST_FOLD:
		execute_fold(u, in);
		break;
	case SR_NEST_CONSTANT:
	case SR_NEST_OP_COUNT:
		break;
	}
}

static void run_stage_once(struct sr_nest_run *u, const struct sr_nest_schedule *stage)
{
	const struct sr_nest_instr *instrs = sr_nest_instrs(u->r->nest);
	for (int i = stage->first; i < stage->first + stage->n; i++)
		sr_nest_execute_instruction(u, &instrs[u->r->schedule[i]]);
}

static void set_tile_extent(const struct sr_nest_prepared *r, struct sr_nest_tile *tile, int l)
{
	int64_t n_remaining = r->extent[l] - tile->at[l], n = n_remaining < r->tile_size[l] ? n_remaining : r->tile_size[l];
	tile->are_loops_stale = tile->are_loops_stale || tile->n[l] != n;
	tile->n[l] = n;
}

/* Update the tile's loops and iteration counts if its extents changed; usually they are those of the previous tile. */
static void update_tile(const struct sr_nest_prepared *r, struct sr_nest_tile *tile)
{
	if (!tile->are_loops_stale)
		return;
	tile->are_loops_stale = false;
	tile->shape++;
	tile->n_parallel = tile->n_inner = 1;
	tile->loops[0].n = tile->loops[1].n = 0;
	for (int i = 0; i < r->n_loops; i++) {
		int l = r->order[i];
		bool is_parallel = l < r->n_parallel;
		*(is_parallel ? &tile->n_parallel : &tile->n_inner) *= tile->n[l];
		for (int k = is_parallel ? 0 : 1; k < 2 && tile->n[l] > 1; k++) {
			struct sr_nest_tile_loops *w = &tile->loops[k];
			w->loop[w->n] = l;
			w->count[w->n++] = tile->n[l];
		}
	}
}

void sr_nest_first_tile(struct sr_nest_prepared *r)
{
	r->first_tile.are_loops_stale = true;
	for (int l = 0; l < r->n_loops; l++)
		set_tile_extent(r, &r->first_tile, l);
	update_tile(r, &r->first_tile);
}

/* Advance to the next tile along the loops [first_loop, last_loop). Returns false after the last tile, and goes back to the first
 * one. */
static bool next_tile(struct sr_nest_run *u, int first_loop, int last_loop)
{
	u->tile.number++;
	for (int l = last_loop - 1; l >= first_loop; l--) {
		bool has_next = (u->tile.at[l] += u->r->tile_size[l]) < u->r->extent[l];
		u->tile.at[l] = has_next ? u->tile.at[l] : 0;
		set_tile_extent(u->r, &u->tile, l);
		if (has_next)
			return true;
	}
	return false;
}

static void run_inner_stage(struct sr_nest_run *u, const struct sr_nest_schedule *stage)
{
	u->inner_done = 0;
	do {
		update_tile(u->r, &u->tile);
		run_stage_once(u, stage);
		u->inner_done += u->tile.n_inner;
	} while (next_tile(u, u->r->n_parallel, u->r->n_loops));
}

static void run_tile(struct sr_nest_run *u)
{
	const struct sr_nest *nest = u->r->nest;
	for (int s = 0; s < nest->n_stages; s++) {
		const struct sr_nest_stage *stage = &sr_nest_stages(nest)[s];
		u->lanes = sr_nest_stage_lanes(stage);
		if (u->r->stages[s].reduces)
			sr_nest_init_accumulators(u, stage);
		u->over_inner = stage->over_inner;
		if (stage->over_inner)
			run_inner_stage(u, &u->r->stages[s]);
		else
			run_stage_once(u, &u->r->stages[s]);
		if (u->r->stages[s].reduces)
			sr_nest_combine_lanes(u, stage);
	}
}

/* Set the states of all constants, which do not change from tile to tile. */
static void set_constants(struct sr_nest_run *u)
{
	const int32_t *end = u->r->schedule + u->r->nest->n_instrs;
	for (const int32_t *i = end - u->r->n_constants; i < end; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(u->r->nest)[*i];
		u->states[in->result] =
			(struct sr_nest_operand){.at = (char *)(uintptr_t)(sr_nest_constants(u->r->nest) + in->constant),
						 .scalar = true};
	}
}

void sr_nest_execute(const struct sr_nest_prepared *r, void *const *buffers, void *scratch, int64_t first, int64_t end)
{
	struct sr_nest_operand *states = scratch;
	size_t n = (size_t)r->nest->n_values, head = (size_t)sr_nest_states_bytes(r);
	struct sr_nest_run u;
	u.r = r;
	u.buffers = buffers;
	u.scratch = (char *)scratch + head;
	u.partial_results = u.scratch + r->partial;
	u.states = states;
	u.inner_states = states + n;
	u.kept = (void *)(states + 2 * n);
	if (r->has_kept)
		memset(u.kept, 0, n * sizeof *u.kept);
	u.n_versions = 0;
	u.views = (void *)(u.scratch + r->views);
	sr_nest_begin_views(r, u.views);
	sr_nest_begin_vector_code(r, sr_nest_vector_memory(&u));
	u.tile = r->first_tile;
	u.inner_done = 0;
	int64_t number = first;
	for (int l = r->n_parallel - 1; number && l >= 0; l--) { /* compute the position at which tile number `first` begins */
		int64_t n_tiles = (r->extent[l] + r->tile_size[l] - 1) / r->tile_size[l];
		u.tile.at[l] = number % n_tiles * r->tile_size[l];
		set_tile_extent(r, &u.tile, l);
		number /= n_tiles;
	}
	set_constants(&u);
	struct sr_nest_recordings recordings;
	recordings.shape = -1;
	for (int64_t i = first; i < end; i++) {
		update_tile(r, &u.tile);
		u.first_tile = u.tile.number;
		if (!r->n_recordings || !sr_nest_replay(&u, &recordings))
			run_tile(&u);
		if (r->n_recordings && end - i > LEAST_REPLAYED)
			sr_nest_record(&u, &recordings);
		next_tile(&u, 0, r->n_parallel);
	}
	if (r->is_streamed)
		r->access->end_stream();
}
