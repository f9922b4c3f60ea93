/* Tiles of the same class as a list of direct calls. A class is the tiles of one shape in which the views have the same boxes,
 * relative to the tile, such as those that touch no border of a grid. After two tiles of one class have been interpreted, the calls
 * of the second one are recorded: functions, parameters, and the addresses of operands. The next tiles of that class differ only in
 * the addresses of the elements that they load and store in place, the moves, which are computed first.
 *
 * An instruction whose calls depend on more than the class, such as a LOAD with bounds that has no view, is a step that interprets
 * it; so is one that reads a value of which it is not known whether it is a single element. LOADs with views and the groups that
 * read them are interpreted if one of them cannot be recorded. Nests are recorded if each tile has all inner iterations. */
#include "kernels/nest/access.h"
#include "kernels/nest/nest_run.h"
#include <string.h>

enum {
	LEAST_TILES = 8,       /* least tiles of a nest of which one is recorded */
	TEMPLATE_BYTES = 1024, /* most bytes of a reduction's accumulators whose initial values are copied */
	ALIGN = 16
};
enum {
	IS_KNOWN = 1, /* whether the value is one element for all iterations is the same in all tiles */
	MOVES = 2,    /* its address changes from tile to tile */
	IS_FIXED = 4, /* its elements and address are the same in all tiles */
};

struct sr_nest_move { /* *to = base + bytes * sum of stride[l] * index of parallel loop l */
	char **to, *base;
	const int64_t *stride;
	int64_t bytes;
};

typedef void step_fn(struct sr_nest_run *u, const struct sr_nest_step *s);

struct map_step {
	sr_kernel_fn *fn;
	struct sr_map_params params;
	const struct sr_nest_operand *operands[5]; /* the arguments, then the result */
	int n;
};
struct reduce_step {
	union {
		sr_accumulate_fn *accumulate;
		sr_combine_lanes_fn *combine;
		void (*add_products)(const struct sr_product_rows *m);
	};
	const struct sr_nest_operand *from[2];
	char *to;
	int64_t rows, to_step, from_step[2]; /* of rows of a row-major tile: number, and distances in bytes */
	int64_t runs, n, width;
	int monoid;
	bool is_second_scalar;
};
struct copy_step {
	const char *from;
	const struct sr_nest_operand *value; /* NULL: the elements are at `from` */
	char *to;
	int64_t bytes;
};

struct sr_nest_step {
	step_fn *run;
	union {
		struct interpreted_step {
			const struct sr_nest_instr *instr;
			const struct sr_nest_stage *stage;
			int lanes;
			bool over_inner;
		} interpreted;
		struct map_step map;
		struct reduce_step reduce;
		struct copy_step copy;
		struct sr_nest_vector_repeat group;
		struct views_step {
			const struct sr_nest_view_call *call;
			struct sr_nest_borders *borders; /* NULL: no operand is read in place */
			char *const **sources; /* where the address of each operand of the group is; NULL: the operand is a block */
			int64_t n; /* iterations */
		} views;
	};
};

/* ---- steps ---- */

static void set_stage(struct sr_nest_run *u, const struct interpreted_step *i)
{
	u->over_inner = i->over_inner;
	u->lanes = i->lanes;
}

static void run_interpreted(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	set_stage(u, &s->interpreted);
	sr_nest_execute_instruction(u, s->interpreted.instr);
}

static void run_init(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	set_stage(u, &s->interpreted);
	sr_nest_init_accumulators(u, s->interpreted.stage);
}

static void run_combine_stage(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	set_stage(u, &s->interpreted);
	sr_nest_combine_lanes(u, s->interpreted.stage);
}

static void run_map(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	void *buffers[5];
	(void)u;
	for (int k = 0; k < s->map.n; k++)
		buffers[k] = s->map.operands[k]->at;
	s->map.fn(&s->map.params, buffers, NULL, 0, s->map.params.n);
}

static void run_group(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	sr_nest_repeat_vector_code(u->r, &s->group);
}

static void run_accumulate(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	const struct reduce_step *c = &s->reduce;
	const char *from = c->from[0]->at;
	char *to = c->to;
	(void)u;
	for (int64_t row = 0; row < c->rows; row++, to += c->to_step, from += c->from_step[0])
		c->accumulate(c->monoid, to, from, c->runs, c->n, c->width);
}

static void run_add_products(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	const struct reduce_step *c = &s->reduce;
	struct sr_product_rows rows = {.a = c->from[0]->at, .b = c->from[1]->at, .to = c->to, .rows = c->runs, .n = c->n,
				       .is_b_scalar = c->is_second_scalar};
	(void)u;
	for (int64_t row = 0; row < c->rows; row++) {
		c->add_products(&rows);
		rows.to = (char *)rows.to + c->to_step;
		rows.a = (const char *)rows.a + c->from_step[0];
		rows.b = (const char *)rows.b + c->from_step[1];
	}
}

static void run_combine(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	(void)u;
	s->reduce.combine(s->reduce.monoid, s->reduce.to, s->reduce.n, s->reduce.width);
}

static void run_copy(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	(void)u;
	memcpy(s->copy.to, s->copy.from, (size_t)s->copy.bytes);
}

static void run_store(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	(void)u;
	if (s->copy.to != s->copy.value->at)
		memcpy(s->copy.to, s->copy.value->at, (size_t)s->copy.bytes);
}

static void run_stream(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	u->r->access->stream(s->copy.value->at, s->copy.to, s->copy.bytes);
}

static void run_repeat(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	sr_nest_repeat_row(u, s->copy.value->at, s->copy.bytes, s->copy.to);
}

static void run_views(struct sr_nest_run *u, const struct sr_nest_step *s)
{
	const struct sr_nest_view_call *c = s->views.call;
	for (int k = 0; k < c->group->n_operands; k++)
		if (s->views.sources[k])
			c->operands[k].at = *s->views.sources[k];
	if (s->views.borders)
		sr_nest_replay_borders(s->views.borders);
	else
		sr_nest_run_vector_code(u->r, c->group, c->memory, c->operands, s->views.n);
}

/* ---- recording ---- */

struct recorder {
	struct sr_nest_run *u;
	const struct sr_nest_stage *stage;
	uint8_t *known; /* by value: IS_KNOWN etc. */
	int32_t *repeated; /* by value: number of the last stage for which a step repeats the row, plus 1 */
	char *free;        /* memory for lists and templates */
	int lanes;
	bool over_inner;
	bool has_views; /* true if a value may be read through a view; LOADs with views are interpreted then */
	struct sr_nest_view *views; /* those of the class; NULL: they are not recorded */
	int64_t *strides; /* n_parallel of each view */
	bool is_failed; /* true if a view cannot be recorded */
};

static int64_t round_up(int64_t n)
{
	return (n + ALIGN - 1) / ALIGN * ALIGN;
}

static void *take(struct recorder *c, int64_t bytes)
{
	void *at = c->free;
	c->free += round_up(bytes);
	return at;
}

static enum sr_dtype type_of(const struct recorder *c, int value)
{
	return (enum sr_dtype)sr_nest_values(c->u->r->nest)[value].dtype;
}

static int64_t iterations(const struct recorder *c)
{
	return c->over_inner ? c->u->tile.n_parallel * c->u->tile.n_inner : c->u->tile.n_parallel;
}

static struct sr_nest_step *new_step(struct recorder *c, step_fn *run)
{
	struct sr_nest_step *s = &c->u->recording->steps[c->u->recording->n_steps++];
	*s = (struct sr_nest_step){.run = run};
	return s;
}

static void add_interpreted(struct recorder *c, step_fn *run, const struct sr_nest_instr *in)
{
	new_step(c, run)->interpreted = (struct interpreted_step){in, c->stage, c->lanes, c->over_inner};
}

static void new_move(struct recorder *c, struct sr_nest_move move)
{
	c->u->recording->moves[c->u->recording->n_moves++] = move;
}

/* Let *to be the address of an access's elements in each tile. */
static void add_move(struct recorder *c, const struct sr_nest_access *a, int64_t bytes, char **to)
{
	char *buffer = c->u->buffers[a->buffer];
	new_move(c, (struct sr_nest_move){.to = to, .base = buffer + a->offset * bytes, .stride = a->stride, .bytes = bytes});
}

/* Let *to be the address of a view's elements in each tile of the class. */
static void add_view_move(struct recorder *c, const struct sr_nest_view *v, char **to)
{
	const struct sr_nest_prepared *r = c->u->r;
	const struct sr_nest_access *a = &r->accesses[sr_nest_instrs(r->nest)[v->instr].access];
	int64_t *stride = c->strides + (v - c->views) * r->n_parallel, origin = 0;
	for (int l = 0; l < r->n_parallel; l++) {
		stride[l] = a->stride[l];
		for (const struct sr_nest_dim *d = &r->dims[a->first_dim], *end = d + a->n_dims; d < end; d++)
			stride[l] += d->coef[l] / d->divisor * d->stride;
		origin += stride[l] * c->u->tile.at[l];
	}
	new_move(c, (struct sr_nest_move){.to = to, .base = v->from - origin * v->bytes, .stride = stride, .bytes = v->bytes});
}

/* Copy the views of the class, whose elements move. */
static void record_views(struct recorder *c)
{
	struct sr_nest_run *u = c->u;
	c->views = take(c, u->r->n_views * (int64_t)sizeof *c->views);
	c->strides = take(c, u->r->n_views * u->r->n_parallel * (int64_t)sizeof *c->strides);
	memcpy(c->views, u->views, (size_t)u->r->n_views * sizeof *c->views);
	for (struct sr_nest_view *v = c->views, *end = v + u->r->n_views; v < end; v++) {
		v->fill_view = v->fill_view ? c->views + (v->fill_view - u->views) : NULL;
		if (v->tile >= u->first_tile && v->is_box)
			add_view_move(c, v, &v->from);
	}
}

struct source { /* where an instruction reads a value */
	const struct sr_nest_operand *at;
	bool is_scalar, moves;
};

/* Return where the instructions of the current stage read a value, which is known. A row is repeated for all inner iterations
 * first. */
static struct source read_source(struct recorder *c, int value)
{
	struct sr_nest_run *u = c->u;
	const struct sr_nest_slot *p = &u->r->slots[value];
	struct sr_nest_operand *state = &u->states[value], *inner = &u->inner_states[value];
	struct source s = {state, state->scalar, c->known[value] & MOVES};
	if (!c->over_inner || p->storage == SR_NEST_STORAGE_TILE)
		return s;
	if (p->storage == SR_NEST_STORAGE_SAVED) {
		*inner = (struct sr_nest_operand){.at = u->scratch + p->at};
		return (struct source){inner, false, false};
	}
	s.is_scalar = state->scalar || u->tile.n_parallel == 1;
	if (s.is_scalar || u->tile.n_inner == 1)
		return s;
	*inner = (struct sr_nest_operand){.at = u->scratch + p->repeated_offset};
	int number = (int)(c->stage - sr_nest_stages(u->r->nest)) + 1;
	if (c->repeated[value] != number)
		new_step(c, run_repeat)->copy = (struct copy_step){.value = state, .to = inner->at,
								   .bytes = sr_dtype_bytes(type_of(c, value))};
	c->repeated[value] = number;
	return (struct source){inner, false, false};
}

static bool are_known(const struct recorder *c, const int32_t *values, int n, int flag)
{
	for (int k = 0; k < n; k++)
		if (!(c->known[values[k]] & flag))
			return false;
	return true;
}

/* Return true if an access has the same elements in all tiles. */
static bool is_access_fixed(const struct sr_nest_prepared *r, const struct sr_nest_access *a)
{
	bool is_fixed = !a->n_dims;
	for (int l = 0; l < r->n_parallel; l++)
		is_fixed = is_fixed && !a->stride[l];
	return is_fixed;
}

/* Record a LOAD or INDEX. */
static void record_access(struct recorder *c, const struct sr_nest_instr *in)
{
	struct sr_nest_run *u = c->u;
	const struct sr_nest_slot *p = &u->r->slots[in->result];
	const struct sr_nest_access *a = &u->r->accesses[in->access];
	bool is_load = in->op == SR_NEST_LOAD;
	if (is_load && p->is_view_operand && c->views) {
		const struct sr_nest_view *v = &c->views[p->view];
		c->is_failed = c->is_failed || v->tile < u->first_tile || !v->is_box || u->states[in->result].at != v->from;
		c->known[in->result] = IS_KNOWN | MOVES;
		if (!v->is_read_in_place)
			add_view_move(c, v, &u->states[in->result].at);
		return;
	}
	bool is_interleaved = is_load && u->r->maps[in - sr_nest_instrs(u->r->nest)].n_interleaved;
	int64_t bytes = sr_dtype_bytes(type_of(c, in->result));
	char *in_place = is_load && !a->n_dims ? (char *)u->buffers[a->buffer] +
							 sr_nest_origin(u->r, &u->tile, a, c->over_inner) * bytes : NULL;
	bool is_in_place = !is_interleaved && in_place == u->states[in->result].at && p->storage != SR_NEST_STORAGE_SAVED &&
			   !(c->has_views && p->view >= 0);
	c->known[in->result] = !is_load || !a->n_dims ? IS_KNOWN : 0;
	if (is_load && p->in_place_access >= 0)
		return;
	if (is_access_fixed(u->r, a) && (is_in_place || p->is_kept)) {
		c->known[in->result] |= IS_FIXED;
	} else if (in_place && is_in_place && !p->is_kept) {
		c->known[in->result] |= MOVES;
		add_move(c, a, bytes, &u->states[in->result].at);
	} else {
		c->known[in->result] |= MOVES;
		add_interpreted(c, run_interpreted, in);
	}
}

/* Let a result that is computed in the memory of its STORE move. */
static void record_result(struct recorder *c, int value)
{
	struct sr_nest_run *u = c->u;
	int store = u->r->slots[value].direct_store;
	c->known[value] = IS_KNOWN;
	if (store < 0 || u->states[value].scalar || u->states[value].at == u->scratch + u->r->slots[value].at)
		return;
	c->known[value] |= MOVES;
	const struct sr_nest_access *a = &u->r->accesses[sr_nest_instrs(u->r->nest)[store].access];
	add_move(c, a, sr_dtype_bytes(type_of(c, value)), &u->states[value].at);
}

/* Return the bytes of the operands of a struct sr_nest_view_call. */
static int64_t view_operand_bytes(const struct sr_nest_vector_group *g)
{
	return SR_NEST_VIEW_ROOM * g->n_operands * (int64_t)sizeof(struct sr_nest_operand);
}

static bool reads_in_place(const struct recorder *c, const struct sr_nest_vector_group *g)
{
	const struct sr_nest_vector_operand *o = &c->u->r->code->operands[g->first_operand];
	bool is_in_place = false;
	for (int k = 0; g->has_views && k < g->n_operands; k++)
		is_in_place = is_in_place || (o[k].view >= 0 && c->views[o[k].view].is_read_in_place);
	return is_in_place;
}

/* Record a group with views, whose other operands are known. */
static void record_view_group(struct recorder *c, const struct sr_nest_vector_group *g)
{
	struct sr_nest_run *u = c->u;
	const struct sr_nest_vector_operand *o = &u->r->code->operands[g->first_operand];
	struct sr_nest_view_call *call = take(c, sizeof *call);
	struct views_step s = {.call = call, .sources = take(c, g->n_operands * (int64_t)sizeof *s.sources), .n = iterations(c)};
	bool is_in_place = reads_in_place(c, g);
	*call = (struct sr_nest_view_call){.r = u->r, .tile = &u->tile, .group = g, .views = c->views, .values = u->states,
					   .operands = take(c, view_operand_bytes(g)), .scratch = u->scratch,
					   .memory = sr_nest_vector_memory(u), .over_inner = c->over_inner};
	for (int k = 0; k < g->n_operands; k++) {
		struct source from = {&u->states[o[k].value], false, false};
		struct sr_nest_view *v = o[k].view >= 0 && c->views[o[k].view].is_read_in_place ? &c->views[o[k].view] : NULL;
		if (sr_nest_is_input(o[k].kind))
			from = read_source(c, o[k].value);
		s.sources[k] = o[k].kind == SR_NEST_VECTOR_BLOCK ? NULL : v ? &v->from : &from.at->at;
		call->operands[k] = (struct sr_nest_operand){.at = from.at->at, .scalar = from.is_scalar};
	}
	void *memory = take(c, sr_nest_borders_bytes());
	if (is_in_place && !c->is_failed)
		s.borders = sr_nest_record_borders(call, memory);
	c->is_failed = c->is_failed || (is_in_place && !s.borders);
	new_step(c, run_views)->views = s;
}

static void record_group(struct recorder *c, const struct sr_nest_instr *in, const struct sr_nest_vector_group *g)
{
	struct sr_nest_run *u = c->u;
	const struct sr_nest_vector_operand *o = &u->r->code->operands[g->first_operand];
	bool is_known = !(g->has_views && c->has_views);
	for (int k = 0; k < g->n_operands; k++)
		is_known = is_known && (!sr_nest_is_input(o[k].kind) || c->known[o[k].value] & IS_KNOWN);
	for (int k = 0; k < g->n_operands; k++) {
		if (o[k].kind == SR_NEST_VECTOR_BLOCK || sr_nest_is_input(o[k].kind))
			continue;
		if (is_known)
			record_result(c, o[k].value);
		else
			c->known[o[k].value] = IS_KNOWN | MOVES;
	}
	if (!is_known) {
		c->is_failed = c->is_failed || g->has_views;
		add_interpreted(c, run_interpreted, in);
		return;
	}
	/* If there are several classes, an operand may be one element in some of them. */
	if (c->views && g->has_views && (reads_in_place(c, g) || u->r->n_bounds > 0)) {
		record_view_group(c, g);
		return;
	}
	struct sr_nest_vector_change *changes = take(c, g->n_operands * (int64_t)sizeof *changes);
	int n = 0;
	for (int k = 0; k < g->n_operands; k++) {
		if (o[k].kind == SR_NEST_VECTOR_BLOCK)
			continue;
		struct source s = {&u->states[o[k].value], false, c->known[o[k].value] & MOVES};
		if (sr_nest_is_input(o[k].kind))
			s = read_source(c, o[k].value);
		if (s.is_scalar ? !(c->known[o[k].value] & IS_FIXED) : s.moves)
			changes[n++] = (struct sr_nest_vector_change){s.at, k, s.is_scalar};
	}
	struct sr_nest_step *s = new_step(c, run_group);
	s->group = (struct sr_nest_vector_repeat){g, sr_nest_vector_memory(u), iterations(c), changes, n};
}

static void record_map(struct recorder *c, const struct sr_nest_instr *in)
{
	struct sr_nest_run *u = c->u;
	const struct sr_nest_map *m = &u->r->maps[in - sr_nest_instrs(u->r->nest)];
	bool is_kept = u->r->slots[in->result].is_kept;
	if (is_kept && are_known(c, in->args, in->n_args, IS_FIXED)) {
		c->known[in->result] = IS_KNOWN | IS_FIXED;
		return;
	}
	if (!is_kept && m->group >= 0) {
		record_group(c, in, &u->r->code->groups[m->group]);
		return;
	}
	if (is_kept || !are_known(c, in->args, in->n_args, IS_KNOWN)) {
		c->known[in->result] = are_known(c, in->args, in->n_args, IS_KNOWN) ? IS_KNOWN | MOVES : 0;
		add_interpreted(c, run_interpreted, in);
		return;
	}
	struct map_step map = {.fn = m->fn, .params = m->params, .n = in->n_args + 1};
	for (int k = 0; k < in->n_args; k++) {
		struct source s = read_source(c, in->args[k]);
		map.operands[k] = s.at;
		map.params.scalar[k] = s.is_scalar;
	}
	record_result(c, in->result);
	map.operands[in->n_args] = &u->states[in->result];
	map.params.n = u->states[in->result].scalar ? 1 : iterations(c);
	new_step(c, run_map)->map = map;
}

/* Record a REDUCE whose accumulators and elements have functions. Returns false if it must be interpreted. */
static bool record_reduce(struct recorder *c, const struct sr_nest_instr *in)
{
	struct sr_nest_run *u = c->u;
	const struct sr_nest_map *m = &u->r->maps[in - sr_nest_instrs(u->r->nest)];
	int innermost = u->r->n_loops - 1, n_operands = m->product >= 0 ? 2 : 1;
	const struct sr_nest_instr *reader = m->product >= 0 ? &sr_nest_instrs(u->r->nest)[m->product] : in;
	int64_t rows = u->r->is_row_major ? u->tile.n_parallel : 1, np = u->tile.n_parallel / rows;
	int64_t bytes = sr_dtype_bytes((enum sr_dtype)in->type);
	int64_t n = c->lanes > 1 && innermost >= u->r->n_parallel ? u->tile.n[innermost] : u->tile.n_inner;
	struct reduce_step s = {.to = u->states[in->result].at, .rows = rows, .to_step = c->lanes * bytes,
				.runs = u->tile.n_inner / n, .n = np * n, .width = np * c->lanes,
				.monoid = sr_nest_monoid(in->kernel)};
	enum { LEAST_BYTES = 64 };
	if (m->load >= 0 || !are_known(c, reader->args, n_operands, IS_KNOWN))
		return false;
	struct source from[2] = {{0}};
	for (int k = 0; k < n_operands; k++) {
		from[k] = read_source(c, reader->args[k]);
		s.from[k] = from[k].at;
		s.from_step[k] = from[k].is_scalar ? 0 : u->tile.n_inner * bytes;
	}
	if (m->product < 0) {
		s.accumulate = u->r->kernels->accumulate[in->type];
		if (from[0].is_scalar || !s.accumulate || !s.accumulate(s.monoid, s.to, s.from[0]->at, s.runs, s.n, s.width))
			return false;
		new_step(c, run_accumulate)->reduce = s;
		return true;
	}
	if ((from[0].is_scalar && from[1].is_scalar) || (s.n > s.width && s.n % s.width))
		return false;
	if (from[0].is_scalar) {
		s.from[0] = from[1].at, s.from[1] = from[0].at;
		s.from_step[0] = s.from_step[1], s.from_step[1] = 0;
	}
	s.is_second_scalar = from[0].is_scalar || from[1].is_scalar;
	if (s.n > s.width) {
		s.runs *= s.n / s.width;
		s.n = s.width;
	}
	s.add_products = u->r->access->add_products[in->type];
	if (s.n * bytes < LEAST_BYTES)
		return false;
	new_step(c, run_add_products)->reduce = s;
	return true;
}

/* Record a STORE of contiguous elements. Returns false if it must be interpreted. */
static bool record_store(struct recorder *c, const struct sr_nest_instr *in)
{
	struct sr_nest_run *u = c->u;
	int i = (int)(in - sr_nest_instrs(u->r->nest)), value = in->args[0];
	const struct sr_nest_access *a = &u->r->accesses[in->access];
	if (u->r->maps[i].n_interleaved || !(c->known[value] & IS_KNOWN))
		return false;
	char *direct = sr_nest_direct_address(u->r, &u->tile, a, type_of(c, value), u->buffers[a->buffer], c->over_inner);
	if (direct && u->r->slots[value].direct_store == i && direct == u->states[value].at)
		return true;
	struct source s = direct ? read_source(c, value) : (struct source){0};
	if (!direct || (s.is_scalar && iterations(c) != 1))
		return false;
	int64_t bytes = sr_dtype_bytes(type_of(c, value));
	struct sr_nest_step *step = new_step(c, u->r->is_streamed && !s.is_scalar ? run_stream : run_store);
	step->copy = (struct copy_step){.value = s.at, .bytes = iterations(c) * bytes};
	add_move(c, a, bytes, &step->copy.to);
	return true;
}

static void record_instruction(struct recorder *c, const struct sr_nest_instr *in)
{
	switch ((enum sr_nest_op)in->op) {
	case SR_NEST_LOAD:
	case SR_NEST_INDEX:
		record_access(c, in);
		break;
	case SR_NEST_MAP:
		record_map(c, in);
		break;
	case SR_NEST_REDUCE:
		if (!record_reduce(c, in))
			add_interpreted(c, run_interpreted, in);
		break;
	case SR_NEST_STORE:
		if (!record_store(c, in))
			add_interpreted(c, run_interpreted, in);
		break;
	case SR_NEST_FOLD:
		add_interpreted(c, run_interpreted, in);
		break;
	case SR_NEST_CONSTANT:
	case SR_NEST_OP_COUNT:
		break;
	}
}

static int64_t template_bytes(const struct sr_nest_prepared *r, const struct sr_nest_instr *in)
{
	if (in->op != SR_NEST_REDUCE)
		return 0;
	int64_t bytes = r->slots[in->result].lanes * r->tile_parallel * sr_dtype_bytes((enum sr_dtype)in->type);
	return bytes <= TEMPLATE_BYTES ? bytes : 0;
}

/* Record the initialization of a stage's accumulators: copies of their initial values if these are constants. */
static void record_init(struct recorder *c)
{
	struct sr_nest_run *u = c->u;
	const struct sr_nest_instr *first = sr_nest_instrs(u->r->nest) + c->stage->first;
	bool is_constant = true;
	for (const struct sr_nest_instr *in = first; in < first + c->stage->n; in++) {
		bool is_reduce = in->op == SR_NEST_REDUCE && u->r->slots[in->args[1]].is_constant && template_bytes(u->r, in);
		is_constant = is_constant && in->op != SR_NEST_FOLD && (in->op != SR_NEST_REDUCE || is_reduce);
		for (int k = 0; k < (in->op == SR_NEST_FOLD ? in->n_folds : in->op == SR_NEST_REDUCE); k++)
			c->known[in->result + k] = IS_KNOWN;
	}
	if (!is_constant) {
		add_interpreted(c, run_init, first);
		return;
	}
	u->lanes = c->lanes;
	sr_nest_init_accumulators(u, c->stage);
	for (const struct sr_nest_instr *in = first; in < first + c->stage->n; in++) {
		if (in->op != SR_NEST_REDUCE)
			continue;
		int64_t bytes = c->lanes * u->tile.n_parallel * sr_dtype_bytes((enum sr_dtype)in->type);
		char *to = take(c, bytes);
		memcpy(to, u->states[in->result].at, (size_t)bytes);
		new_step(c, run_copy)->copy = (struct copy_step){.from = to, .to = u->states[in->result].at, .bytes = bytes};
	}
}

/* Record the combination of the lanes of a stage's reductions. */
static void record_combine(struct recorder *c)
{
	struct sr_nest_run *u = c->u;
	const struct sr_nest_instr *first = sr_nest_instrs(u->r->nest) + c->stage->first;
	int64_t np = u->tile.n_parallel, n = c->lanes * np;
	int n_steps = u->recording->n_steps;
	for (const struct sr_nest_instr *in = first; c->lanes > 1 && in < first + c->stage->n; in++) {
		sr_combine_lanes_fn *fn = in->op == SR_NEST_REDUCE ? u->r->kernels->combine_lanes[in->type] : NULL;
		if (in->op != SR_NEST_REDUCE)
			continue;
		struct reduce_step s = {.combine = fn, .monoid = sr_nest_monoid(in->kernel), .to = u->states[in->result].at,
					.n = n, .width = np};
		if (!fn || u->r->is_row_major || !fn(s.monoid, s.to, n, np)) {
			u->recording->n_steps = n_steps;
			add_interpreted(c, run_combine_stage, first);
			return;
		}
		new_step(c, run_combine)->reduce = s;
	}
}

/* Return true if each tile has all inner iterations, and so many tiles have the same shape that recording one saves time. */
static bool can_replay(const struct sr_nest_prepared *r)
{
	int64_t tiles = 1;
	bool is_same = true;
	for (int l = r->n_parallel; l < r->n_loops; l++)
		if (r->tile_size[l] != r->extent[l])
			return false;
	for (int l = r->n_parallel - 1; l >= 0 && is_same && r->tile_size[l]; l--) {
		tiles *= r->extent[l] / r->tile_size[l];
		is_same = r->extent[l] % r->tile_size[l] == 0;
	}
	return r->kernels && tiles >= LEAST_TILES;
}

/* Find the dims on which the boxes of views depend that change from tile to tile. */
static void find_bounds(struct sr_nest_prepared *r)
{
	r->n_bounds = 0;
	for (int64_t i = 0; i < r->n_views; i++) {
		const struct sr_nest_access *a = &r->accesses[sr_nest_instrs(r->nest)[r->view_instrs[i]].access];
		for (int k = a->first_dim; k < a->first_dim + a->n_dims && r->n_bounds >= 0; k++) {
			const struct sr_nest_dim *d = &r->dims[k];
			bool changes = false, is_divisible = true, is_listed = false;
			for (int l = 0; l < r->n_parallel; l++)
				if (d->coef[l] && r->tile_size[l] < r->extent[l]) {
					changes = true;
					is_divisible = is_divisible && d->coef[l] % d->divisor == 0;
				}
			for (int m = 0; m < r->n_bounds; m++) {
				const struct sr_nest_dim *other = &r->dims[r->bounds[m]];
				is_listed = is_listed || (d->offset == other->offset && d->extent == other->extent &&
							  d->divisor == other->divisor &&
							  !memcmp(d->coef, other->coef, (size_t)r->n_loops * sizeof *d->coef));
			}
			if (!is_divisible || (changes && r->n_bounds == SR_NEST_MAX_BOUNDS))
				r->n_bounds = -1;
			else if (changes && d->extent && !is_listed)
				r->bounds[r->n_bounds++] = k;
		}
	}
}

void sr_nest_prepare_replay(struct sr_nest_prepared *r)
{
	find_bounds(r);
	r->n_recordings = !can_replay(r) ? 0 : r->n_bounds > 0 ? SR_NEST_RECORDINGS : 1;
	r->replay_bytes = r->n_recordings ? sr_nest_replay_bytes(r) : 0;
}

/* Return the most steps: one for each instruction, for the initialization and combination of each REDUCE and stage, and for the
 * repetition of each row in each stage. */
static int64_t max_steps(const struct sr_nest_prepared *r)
{
	int64_t rows = 0;
	for (int v = 0; v < r->nest->n_values; v++)
		rows += r->slots[v].storage == SR_NEST_STORAGE_ROW;
	return 3 * (int64_t)r->nest->n_instrs + (2 + rows) * r->nest->n_stages;
}

static int64_t max_moves(const struct sr_nest_prepared *r)
{
	return r->nest->n_instrs + r->nest->n_values + r->n_views;
}

int64_t sr_nest_replay_bytes(const struct sr_nest_prepared *r)
{
	int64_t n = r->nest->n_values, bytes = round_up(max_steps(r) * (int64_t)sizeof(struct sr_nest_step));
	bytes += round_up(max_moves(r) * (int64_t)sizeof(struct sr_nest_move)) + round_up(n) + round_up(4 * n);
	for (int i = 0; i < r->nest->n_instrs; i++)
		bytes += round_up(template_bytes(r, &sr_nest_instrs(r->nest)[i]));
	for (const struct sr_nest_vector_group *g = r->code->groups, *end = g + r->code->n_groups; g < end; g++) {
		bytes += round_up(g->n_operands * (int64_t)sizeof(struct sr_nest_vector_change));
		if (g->has_views)
			bytes += round_up(sizeof(struct sr_nest_view_call)) + round_up(sr_nest_borders_bytes()) +
				 round_up(view_operand_bytes(g)) +
				 round_up(g->n_operands * (int64_t)sizeof(void *));
	}
	bytes += round_up(r->n_views * (int64_t)sizeof(struct sr_nest_view)) + round_up(r->n_views * r->n_parallel * 8);
	return bytes;
}

/* Record the calls in memory from `free` on. Returns false if views are to be recorded and cannot be. */
static bool record(struct sr_nest_run *u, struct sr_nest_recording *to, char *free, bool records_views)
{
	const struct sr_nest *nest = u->r->nest;
	struct recorder c = {.u = u, .free = free};
	u->recording = to;
	to->n_steps = to->n_moves = 0;
	u->recording->steps = take(&c, max_steps(u->r) * (int64_t)sizeof *u->recording->steps);
	u->recording->moves = take(&c, max_moves(u->r) * (int64_t)sizeof *u->recording->moves);
	c.known = take(&c, nest->n_values);
	c.repeated = take(&c, 4 * (int64_t)nest->n_values);
	memset(c.known, 0, (size_t)nest->n_values);
	memset(c.repeated, 0, 4 * (size_t)nest->n_values);
	for (int i = 0; i < nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(nest)[i];
		if (in->op == SR_NEST_CONSTANT)
			c.known[in->result] = IS_KNOWN | IS_FIXED;
		const struct sr_nest_slot *p = in->op == SR_NEST_LOAD ? &u->r->slots[in->result] : NULL;
		if (p && p->is_view_operand && !records_views)
			c.has_views = c.has_views || u->r->accesses[in->access].n_dims || u->views[p->view].is_read_in_place;
	}
	if (records_views)
		record_views(&c);
	u->inner_done = 0;
	for (int s = 0; s < nest->n_stages; s++) {
		c.stage = &sr_nest_stages(nest)[s];
		c.lanes = sr_nest_stage_lanes(c.stage);
		c.over_inner = c.stage->over_inner;
		const struct sr_nest_schedule *schedule = &u->r->stages[s];
		if (schedule->reduces)
			record_init(&c);
		for (int i = schedule->first; i < schedule->first + schedule->n; i++)
			record_instruction(&c, &sr_nest_instrs(nest)[u->r->schedule[i]]);
		if (schedule->reduces)
			record_combine(&c);
	}
	to->is_recorded = !c.is_failed || !records_views;
	return to->is_recorded;
}

/* ---- classes of tiles ---- */

/* Find the class of the current tile. Its `bounds` say for each of the nest's bounds where the tile is: inside, INT64_MAX, outside,
 * INT64_MIN, or the coordinate of its first element. */
static void find_class(const struct sr_nest_run *u, struct sr_nest_recordings *p)
{
	const struct sr_nest_prepared *r = u->r;
	int64_t bounds[SR_NEST_MAX_BOUNDS];
	int i = 0;
	size_t bytes = (size_t)(r->n_bounds > 0 ? r->n_bounds : 0) * sizeof *bounds;
	for (int m = 0; m < r->n_bounds; m++) {
		const struct sr_nest_dim *d = &r->dims[r->bounds[m]];
		int64_t first = d->offset, least, greatest;
		for (int l = 0; l < r->n_parallel; l++)
			first += d->coef[l] * u->tile.at[l];
		least = greatest = first;
		for (int l = 0; l < r->n_loops; l++)
			*(d->coef[l] < 0 ? &least : &greatest) += d->coef[l] * (u->tile.n[l] - 1);
		bool is_inside = least >= 0 && greatest / d->divisor < d->extent;
		bool is_outside = greatest < 0 || least / d->divisor >= d->extent;
		bounds[m] = is_inside ? INT64_MAX : is_outside ? INT64_MIN : first;
	}
	if (p->shape == u->tile.shape && !bytes) {
		p->is_new = false;
		return;
	}
	if (p->shape != u->tile.shape) {
		p->plain.is_recorded = false;
		p->n_classes = p->n_recorded = 0;
		p->shape = u->tile.shape;
	}
	while (i < p->n_classes && memcmp(p->classes[i].bounds, bounds, bytes))
		i++;
	p->current = i < SR_NEST_TILE_CLASSES ? &p->classes[i] : NULL;
	p->is_new = i == p->n_classes && p->current;
	if (!p->is_new)
		return;
	p->current->recording.is_recorded = false;
	memcpy(p->current->bounds, bounds, bytes);
	p->n_classes++;
}

bool sr_nest_replay(struct sr_nest_run *u, struct sr_nest_recordings *p)
{
	find_class(u, p);
	const struct sr_nest_recording *c = p->current && p->current->recording.is_recorded ? &p->current->recording : &p->plain;
	if (!c->is_recorded)
		return false;
	for (const struct sr_nest_move *m = c->moves, *end = m + c->n_moves; m < end; m++) {
		int64_t offset = 0;
		for (int l = 0; l < u->r->n_parallel; l++)
			offset += u->tile.at[l] * m->stride[l];
		*m->to = m->base + offset * m->bytes;
	}
	u->inner_done = 0;
	for (const struct sr_nest_step *s = c->steps, *end = s + c->n_steps; s < end; s++)
		s->run(u, s);
	return true;
}

void sr_nest_record(struct sr_nest_run *u, struct sr_nest_recordings *p)
{
	const struct sr_nest_prepared *r = u->r;
	struct sr_nest_recording *own = p->current ? &p->current->recording : &p->plain;
	if (p->is_new || own->is_recorded)
		return;
	char *memory = u->scratch + r->replay + (p->n_recorded + p->plain.is_recorded) * r->replay_bytes;
	bool has_room = p->current && r->n_bounds >= 0 && p->n_recorded < r->n_recordings - (r->n_bounds > 0);
	if (has_room && record(u, own, memory, true)) {
		p->n_recorded++;
		return;
	}
	if (!p->plain.is_recorded)
		record(u, &p->plain, memory, false);
	*own = p->plain;
}
