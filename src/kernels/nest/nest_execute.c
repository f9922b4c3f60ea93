/* Running a tile: box by box of the parallel loops, stage by stage, box by box of the inner loops, instruction by instruction. */
#include "kernels/nest/nest_prepared.h"
#include <string.h>

struct run {
	const struct sr_nest_prepared *r;
	void *const *buffers;
	char *scratch, *partial;                /* places of values; room for a reduction's partial results */
	struct sr_nest_operand *states, *wide;    /* values as made, and as a box of inner points sees them */
	struct sr_nest_tile box;
	int64_t inner_done;                     /* points of the inner loops before this box */
	bool over_inner;
};

static enum sr_dtype type_of(const struct run *u, int value)
{
	return (enum sr_dtype)sr_nest_values(u->r->tile)[value].dtype;
}

static int64_t points(const struct run *u)
{
	return u->over_inner ? u->box.n_parallel * u->box.n_inner : u->box.n_parallel;
}

static char *place(const struct run *u, int value)
{
	const struct sr_nest_slot *p = &u->r->places[value];
	int64_t skip = p->life == SR_NEST_STORAGE_SAVED ? u->inner_done * u->box.n_parallel * sr_dtype_bytes(type_of(u, value)) : 0;
	return u->scratch + p->at + skip;
}

static void repeat(char *to, const char *from, int64_t bytes, int64_t times)
{
	if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) {
		sr_nest_fill_strided((int)bytes, from, to, 1, times);
		return;
	}
	for (int64_t i = 0; i < times; i++)
		memcpy(to + i * bytes, from, (size_t)bytes);
}

/* A value as this stage sees it: a row's one is copied for every inner point where both kinds of points are several. */
static const struct sr_nest_operand *seen(struct run *u, int value)
{
	const struct sr_nest_slot *p = &u->r->places[value];
	if (!u->over_inner)
		return &u->states[value];
	if (p->life == SR_NEST_STORAGE_SAVED) {
		u->wide[value] = (struct sr_nest_operand){.at = place(u, value)};
	} else if (p->life == SR_NEST_STORAGE_ROW) {
		u->wide[value] = u->states[value];
		u->wide[value].scalar = u->states[value].scalar || u->box.n_parallel == 1;
		if (!u->wide[value].scalar && u->box.n_inner > 1) {
			u->wide[value].at = u->scratch + p->spread;
			repeat(u->wide[value].at, u->states[value].at, u->box.n_parallel * sr_dtype_bytes(type_of(u, value)), u->box.n_inner);
		}
	} else {
		u->wide[value] = u->states[value];
	}
	return &u->wide[value];
}

/* ---- elementwise ---- */

static sr_kernel_fn *kernel_of(const struct run *u, const struct sr_nest_instr *in)
{
	return u->r->kernels->fn[in->kernel][in->type];
}

static void map_params(const struct run *u, const struct sr_nest_instr *in, int64_t n, struct sr_map_params *p)
{
	*p = (struct sr_map_params){.n = n, .variant = in->variant, .exponent_bits = in->exponent_bits, .mantissa_bits = in->mantissa_bits};
	p->in = (uint8_t)type_of(u, in->args[0]);
	p->out = (uint8_t)type_of(u, in->result);
}

/* Where the value is made: in the memory that its STORE writes, where the box's elements lie side by side there; else at `place`. */
static char *stored_at(const struct run *u, int value, char *place)
{
	int store = u->r->places[value].store;
	if (store < 0)
		return place;
	const struct sr_nest_access *a = &u->r->accesses[sr_nest_instrs(u->r->tile)[store].access];
	char *direct = sr_nest_direct_address(u->r, &u->box, a, type_of(u, value), u->buffers[a->buffer], u->over_inner);
	return direct ? direct : place;
}

static void map(struct run *u, const struct sr_nest_instr *in)
{
	struct sr_map_params p;
	const struct sr_nest_slot *where = &u->r->places[in->result];
	struct sr_nest_operand out = {.at = place(u, in->result), .scalar = where->life != SR_NEST_STORAGE_SAVED};
	void *buffers[5];
	int64_t n = points(u);
	map_params(u, in, n, &p);
	for (int k = 0; k < in->n_args; k++) {
		const struct sr_nest_operand *a = seen(u, in->args[k]);
		buffers[k] = a->at;
		p.scalar[k] = a->scalar;
		out.scalar = out.scalar && a->scalar;
	}
	if (out.scalar) {
		p.n = n = 1;
	} else {
		out.at = stored_at(u, in->result, out.at);
	}
	buffers[in->n_args] = out.at;
	kernel_of(u, in)(&p, buffers, NULL, 0, n);
	u->states[in->result] = out;
}

/* ---- reductions ---- */

static void combine(struct run *u, const struct sr_nest_instr *in, char *a, const char *b, char *to, int64_t n, bool b_scalar)
{
	struct sr_map_params p = {.n = n, .in = in->type, .out = in->type};
	void *buffers[3] = {a, (char *)(uintptr_t)b, to};
	p.scalar[1] = b_scalar;
	kernel_of(u, in)(&p, buffers, NULL, 0, n);
}

/* One row, by the kernel for rows. */
static void reduce_row(struct run *u, const struct sr_nest_instr *in, char *from, char *so_far)
{
	struct sr_reduce_params p = {.rank = 1, .monoid = sr_nest_monoid(in->kernel), .shape = {u->box.n_inner}, .reduced = {1}};
	void *buffers[3] = {from, so_far, so_far};
	u->r->kernels->fn[SR_KERNEL_REDUCE][in->type](&p, buffers, NULL, 0, 1);
}

enum { IN_ORDER = 16 }; /* inner points, those of most windows, that are combined as they come: no slower, and as XLA does it */

/* The box's inner points by halves, side by side, then what was there before. */
static void reduce(struct run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_operand *v = seen(u, in->args[0]);
	int64_t bytes = sr_dtype_bytes(type_of(u, in->result)), np = u->box.n_parallel, rows = u->box.n_inner;
	char *so_far = place(u, in->result), *from = v->at;
	if (v->scalar) {
		for (int64_t i = 0; i < rows; i++)
			combine(u, in, so_far, from, so_far, np, true);
		return;
	}
	if (np == 1 && u->r->kernels->fn[SR_KERNEL_REDUCE][in->type]) {
		reduce_row(u, in, from, so_far);
		return;
	}
	for (; rows && u->box.n_inner <= IN_ORDER; rows--, from += np * bytes)
		combine(u, in, so_far, from, so_far, np, false);
	if (!rows)
		return;
	while (rows > 1) {
		int64_t half = rows / 2;
		char *upper = from + (rows - half) * np * bytes;
		if (from != u->partial && rows % 2) /* the row between goes along */
			memcpy(u->partial + half * np * bytes, from + half * np * bytes, (size_t)(np * bytes));
		combine(u, in, from, upper, u->partial, half * np, false);
		from = u->partial;
		rows -= half;
	}
	combine(u, in, so_far, from, so_far, np, false);
}

/* Each inner point in order, for all parallel points of the box at once. */
static void fold(struct run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_instr *body = sr_nest_instrs(u->r->tile) + in->body;
	struct run inner = *u;
	int64_t np = u->box.n_parallel;
	struct sr_nest_operand comes[SR_NEST_MAX_FOLDS];
	for (int k = 0; k < in->n_folds; k++)
		comes[k] = *seen(u, in->args[k]);
	inner.over_inner = false;
	for (int64_t row = 0; row < u->box.n_inner; row++) {
		for (int k = 0; k < in->n_folds; k++) {
			int64_t bytes = sr_dtype_bytes(type_of(u, in->body_args + in->n_folds + k));
			u->states[in->body_args + k] = (struct sr_nest_operand){.at = place(u, in->result + k)};
			u->states[in->body_args + in->n_folds + k] =
				(struct sr_nest_operand){.at = comes[k].at + (comes[k].scalar ? 0 : row * np * bytes), .scalar = comes[k].scalar};
		}
		for (int i = 0; i < in->n_body; i++) {
			if (body[i].op == SR_NEST_MAP)
				map(&inner, &body[i]);
			else
				u->states[body[i].result] = (struct sr_nest_operand){
					.at = (char *)(uintptr_t)(sr_nest_constants(u->r->tile) + body[i].constant), .scalar = true};
		}
		for (int k = 0; k < in->n_folds; k++) { /* results first aside: one may be what another was */
			int64_t bytes = sr_dtype_bytes(type_of(u, in->result + k));
			const struct sr_nest_operand *v = &u->states[in->body_results[k]];
			char *aside = u->partial + k * u->r->partial_bytes;
			if (v->scalar)
				repeat(aside, v->at, bytes, np);
			else
				memcpy(aside, v->at, (size_t)(np * bytes));
		}
		for (int k = 0; k < in->n_folds; k++)
			memcpy(place(u, in->result + k), u->partial + k * u->r->partial_bytes,
			       (size_t)(np * sr_dtype_bytes(type_of(u, in->result + k))));
	}
}

/* Reductions begin with their init values. */
static void begin(struct run *u, const struct sr_nest_stage *stage)
{
	u->over_inner = false;
	for (int i = stage->first; i < stage->first + stage->n; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(u->r->tile)[i];
		int n = in->op == SR_NEST_REDUCE ? 1 : in->op == SR_NEST_FOLD ? in->n_folds : 0;
		for (int k = 0; k < n; k++) {
			const struct sr_nest_operand *init = &u->states[in->args[n + k]];
			int64_t bytes = sr_dtype_bytes(type_of(u, in->result + k));
			char *to = place(u, in->result + k);
			if (init->scalar)
				repeat(to, init->at, bytes, u->box.n_parallel);
			else
				memcpy(to, init->at, (size_t)(bytes * u->box.n_parallel));
			u->states[in->result + k] = (struct sr_nest_operand){.at = to};
		}
	}
}

/* ---- the rest ---- */

static void load(struct run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &u->r->accesses[in->access];
	const struct sr_nest_slot *p = &u->r->places[in->result];
	enum sr_dtype type = type_of(u, in->result);
	if (p->lies >= 0) {
		u->states[in->result] = (struct sr_nest_operand){.at = u->buffers[a->buffer]};
		return;
	}
	char *to = stored_at(u, in->result, place(u, in->result));
	if (a->fill >= 0)
		seen(u, a->fill);
	for (int k = 0; k < a->n_dims; k++)
		if (u->r->dims[a->first_dim + k].index >= 0)
			seen(u, u->r->dims[a->first_dim + k].index);
	struct sr_nest_operand *out = &u->states[in->result];
	sr_nest_load(u->r, &u->box, a, type, u->buffers[a->buffer], u->over_inner ? u->wide : u->states, u->over_inner, to, out);
	if (p->life == SR_NEST_STORAGE_SAVED && out->at != to) {
		if (out->scalar)
			repeat(to, out->at, sr_dtype_bytes(type), points(u));
		else
			memcpy(to, out->at, (size_t)(points(u) * sr_dtype_bytes(type)));
		*out = (struct sr_nest_operand){.at = to};
	}
}

static void store(struct run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &u->r->accesses[in->access];
	const struct sr_nest_operand *v = seen(u, in->args[0]);
	enum sr_dtype type = type_of(u, in->args[0]);
	char *direct = sr_nest_direct_address(u->r, &u->box, a, type, u->buffers[a->buffer], u->over_inner);
	if (!v->scalar && direct == v->at)
		return;
	sr_nest_store(u->r, &u->box, a, type, u->buffers[a->buffer], v, u->over_inner);
}

static void instruction(struct run *u, const struct sr_nest_instr *in)
{
	const struct sr_nest_access *a = &u->r->accesses[in->access];
	char *to;
	switch ((enum sr_nest_op)in->op) {
	case SR_NEST_LOAD:
		load(u, in);
		break;
	case SR_NEST_STORE:
		store(u, in);
		break;
	case SR_NEST_CONSTANT:
		u->states[in->result] =
			(struct sr_nest_operand){.at = (char *)(uintptr_t)(sr_nest_constants(u->r->tile) + in->constant), .scalar = true};
		break;
	case SR_NEST_INDEX:
		to = place(u, in->result);
		sr_nest_index(u->r, &u->box, a, u->over_inner, (int64_t *)(void *)to);
		u->states[in->result] = (struct sr_nest_operand){.at = to};
		break;
	case SR_NEST_MAP:
		map(u, in);
		break;
	case SR_NEST_REDUCE:
		reduce(u, in);
		break;
	case SR_NEST_FOLD:
		fold(u, in);
		break;
	case SR_NEST_OP_COUNT:
		break;
	}
}

static void stage_once(struct run *u, const struct sr_nest_stage *stage)
{
	const struct sr_nest_instr *in = sr_nest_instrs(u->r->tile) + stage->first;
	for (int i = 0; i < stage->n; i++)
		instruction(u, &in[i]);
}

static void limit(struct run *u, int l)
{
	int64_t left = u->r->extent[l] - u->box.at[l], n = left < u->r->chunk[l] ? left : u->r->chunk[l];
	u->box.changed = u->box.changed || u->box.n[l] != n;
	u->box.n[l] = n;
}

/* The box's walks and points follow its extents, which are mostly those of the box before. */
static void measure(struct run *u)
{
	if (!u->box.changed)
		return;
	u->box.changed = false;
	u->box.n_parallel = u->box.n_inner = 1;
	u->box.walks[0].n = u->box.walks[1].n = 0;
	for (int i = 0; i < u->r->n_loops; i++) {
		int l = u->r->order[i];
		bool parallel = l < u->r->n_parallel;
		*(parallel ? &u->box.n_parallel : &u->box.n_inner) *= u->box.n[l];
		for (int k = parallel ? 0 : 1; k < 2 && u->box.n[l] > 1; k++) {
			struct sr_nest_tile_loops *w = &u->box.walks[k];
			w->loop[w->n] = l;
			w->count[w->n++] = u->box.n[l];
		}
	}
}

/* On to the next box along the loops [first, last); false at the end, when it is the first again. */
static bool next_box(struct run *u, int first, int last)
{
	for (int l = last - 1; l >= first; l--) {
		bool more = (u->box.at[l] += u->r->chunk[l]) < u->r->extent[l];
		u->box.at[l] = more ? u->box.at[l] : 0;
		limit(u, l);
		if (more)
			return true;
	}
	return false;
}

static void stage_inner(struct run *u, const struct sr_nest_stage *stage)
{
	u->inner_done = 0;
	do {
		measure(u);
		stage_once(u, stage);
		u->inner_done += u->box.n_inner;
	} while (next_box(u, u->r->n_parallel, u->r->n_loops));
}

static void piece(struct run *u)
{
	const struct sr_nest *t = u->r->tile;
	measure(u);
	for (int s = 0; s < t->n_stages; s++) {
		const struct sr_nest_stage *stage = &sr_nest_stages(t)[s];
		begin(u, stage);
		u->over_inner = stage->over_inner;
		if (stage->over_inner)
			stage_inner(u, stage);
		else
			stage_once(u, stage);
	}
}

void sr_nest_execute(const struct sr_nest_prepared *r, void *const *buffers, void *scratch, int64_t first, int64_t end)
{
	struct sr_nest_operand *states = scratch;
	size_t head = (2 * (size_t)r->tile->n_values * sizeof *states + 63) / 64 * 64;
	struct run u = {.r = r, .buffers = buffers, .scratch = (char *)scratch + head, .states = states, .wide = states + r->tile->n_values};
	u.box.changed = true;
	u.partial = u.scratch + r->partial;
	int64_t number = first;
	for (int l = r->n_parallel - 1; l >= 0; l--) { /* where box number `first` begins */
		int64_t boxes = (r->extent[l] + r->chunk[l] - 1) / r->chunk[l];
		u.box.at[l] = number % boxes * r->chunk[l];
		number /= boxes;
	}
	for (int l = 0; l < r->n_loops; l++)
		limit(&u, l);
	for (int64_t i = first; i < end; i++) {
		piece(&u);
		next_box(&u, 0, r->n_parallel);
	}
}
