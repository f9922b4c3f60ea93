/* Making a tile ready: merge loops, choose boxes, give values their places. */
#include "kernels/nest/nest_prepared.h"
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, FOLD_ROWS = 64, ACROSS = 32, SHORT_ROW = 64 };

/* ---- merging loops ---- */

static bool follows(const int64_t *coef, int l, int64_t extent)
{
	return coef[l] == coef[l + 1] * extent;
}

/* Are l and l + 1 one loop, whose index is that of l times the extent of l + 1, plus that of l + 1? */
static bool mergeable(const struct sr_nest_prepared *r, int l)
{
	if ((l < r->n_parallel) != (l + 1 < r->n_parallel))
		return false;
	for (int i = 0; i < r->tile->n_accesses; i++)
		if (!follows(r->accesses[i].stride, l, r->extent[l + 1]))
			return false;
	for (int i = 0; i < r->tile->n_dims; i++)
		if (!follows(r->dims[i].coef, l, r->extent[l + 1]))
			return false;
	return true;
}

static void drop(int64_t *v, int l, int n)
{
	memmove(v + l, v + l + 1, (size_t)(n - l - 1) * sizeof *v);
}

/* Loop l goes away: it has one point, or is part of loop l + 1. */
static void drop_loop(struct sr_nest_prepared *r, int l)
{
	for (int i = 0; i < r->tile->n_accesses; i++)
		drop(r->accesses[i].stride, l, r->n_loops);
	for (int i = 0; i < r->tile->n_dims; i++)
		drop(r->dims[i].coef, l, r->n_loops);
	drop(r->extent, l, r->n_loops);
	r->n_loops--;
	r->n_parallel -= l < r->n_parallel;
}

static void merge_loops(struct sr_nest_prepared *r)
{
	for (int l = r->n_loops - 1; l >= 0; l--)
		if (r->extent[l] == 1)
			drop_loop(r, l);
	for (int l = r->n_loops - 2; l >= 0; l--)
		if (mergeable(r, l)) {
			r->extent[l + 1] *= r->extent[l];
			drop_loop(r, l);
		}
}

/* Along which loops the index of each dim is the same: it is loaded by an access that does not move there. */
static void find_steady(struct sr_nest_prepared *r)
{
	const struct sr_nest *t = r->tile;
	for (int i = 0; i < t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(t)[i];
		if (in->op != SR_NEST_LOAD || r->accesses[in->access].n_dims)
			continue;
		uint32_t steady = 0;
		for (int l = 0; l < r->n_loops; l++)
			steady |= (uint32_t)(r->accesses[in->access].stride[l] == 0) << l;
		for (int k = 0; k < t->n_dims; k++)
			if (r->dims[k].index == in->result)
				r->dims[k].steady = steady;
	}
}

/* ---- boxes ---- */

/* Points of a box: what lies between loads and stores has to stay in L1. */
static int64_t strip_of(const struct sr_nest_prepared *r)
{
	return r->tile->n_values <= 4 ? SR_NEST_LONG_TILE : SR_NEST_SHORT_TILE;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Chunks of the loops [first, last), the last ones as large as `points` allows; returns the points taken. */
static int64_t fill_chunks(struct sr_nest_prepared *r, int first, int last, int64_t points)
{
	int64_t taken = 1;
	for (int l = last - 1; l >= first; l--) {
		r->chunk[l] = least(r->extent[l], points / taken);
		r->chunk[l] = r->chunk[l] < 1 ? 1 : r->chunk[l];
		taken *= r->chunk[l];
	}
	return taken;
}

/* The number of operands of the tile's largest FOLD; 0 if it has none. */
static int most_folds(const struct sr_nest *t)
{
	int most = 0;
	for (int i = 0; i < t->n_instrs; i++)
		if (sr_nest_instrs(t)[i].op == SR_NEST_FOLD && sr_nest_instrs(t)[i].n_folds > most)
			most = sr_nest_instrs(t)[i].n_folds;
	return most;
}

double sr_nest_unit_stride_points(const struct sr_nest_prepared *r, int l)
{
	double sum = 0;
	for (int i = 0; i < r->tile->n_accesses; i++) {
		const struct sr_nest_access *a = &r->accesses[i];
		double points = a->buffer >= 0 && a->stride[l] == 1, inner = 1;
		for (int k = 0; k < r->n_loops; k++)
			*(k < r->n_parallel ? &points : &inner) *= (double)r->extent[k];
		for (int k = r->n_parallel; k < r->n_loops; k++)
			if (a->stride[k]) {
				points *= inner;
				break;
			}
		sum += points;
	}
	return sum;
}

/* A loop that some access follows by single elements though the last one goes elsewhere, as in a transpose: -1 where there is none. */
static int crossing(const struct sr_nest_prepared *r, int last)
{
	for (int i = 0; i < r->tile->n_accesses; i++)
		for (int l = 0; l < last && r->accesses[i].buffer >= 0; l++)
			if (r->accesses[i].stride[l] == 1 && r->accesses[i].stride[last] > 1 && r->extent[l] > 1)
				return l;
	return -1;
}

static void choose_chunks(struct sr_nest_prepared *r)
{
	int p = r->n_parallel, n = r->n_loops;
	int64_t strip = strip_of(r);
	for (int l = 0; l < n; l++)
		r->chunk[l] = 1;
	if (p == n) {
		int across = n ? crossing(r, n - 1) : -1;
		int64_t taken = fill_chunks(r, n ? n - 1 : 0, n, across >= 0 ? ACROSS : strip);
		if (across >= 0)
			r->chunk[across] = least(r->extent[across], SR_NEST_SHORT_TILE / taken);
		else
			fill_chunks(r, 0, n, strip);
	} else if (most_folds(r->tile)) {
		fill_chunks(r, p, n, SR_NEST_SHORT_TILE / fill_chunks(r, 0, p, FOLD_ROWS));
	} else if (p && sr_nest_unit_stride_points(r, p - 1) > sr_nest_unit_stride_points(r, n - 1)) { /* columns: results side by side */
		fill_chunks(r, p, n, strip / fill_chunks(r, p - 1, p, strip));
	} else { /* rows: one at a time, or several short ones, which then have to lie across each other */
		int64_t row = fill_chunks(r, p, n, strip);
		fill_chunks(r, 0, p, row > SHORT_ROW ? 1 : strip / row);
	}
}

static void count_points(struct sr_nest_prepared *r)
{
	int at = 0;
	r->pieces = r->box_points = r->box_parallel = r->inner_points = 1;
	for (int l = 0; l < r->n_loops; l++) {
		r->box_points *= r->chunk[l];
		if (l < r->n_parallel) {
			r->box_parallel *= r->chunk[l];
			r->pieces *= (r->extent[l] + r->chunk[l] - 1) / r->chunk[l];
		} else {
			r->inner_points *= r->extent[l];
		}
	}
	for (int l = r->n_parallel; l < r->n_loops; l++)
		r->order[at++] = l;
	for (int l = 0; l < r->n_parallel; l++)
		r->order[at++] = l;
}

/* ---- places ---- */

static int64_t aligned(int64_t n)
{
	return (n + ALIGN - 1) / ALIGN * ALIGN;
}

/* The values that an instruction reads, of an access's index and fill too; returns how many. */
static int values_read(const struct sr_nest_prepared *r, const struct sr_nest_instr *in, int32_t *to)
{
	int n = 0;
	for (int i = 0; i < in->n_args; i++)
		to[n++] = in->args[i];
	if (in->op == SR_NEST_LOAD) {
		const struct sr_nest_access *a = &r->accesses[in->access];
		if (a->fill >= 0)
			to[n++] = a->fill;
		for (int k = 0; k < a->n_dims; k++)
			if (r->dims[a->first_dim + k].index >= 0)
				to[n++] = r->dims[a->first_dim + k].index;
	}
	return n;
}

enum { READ = SR_NEST_MAX_ARGS + 2 * SR_NEST_MAX_LOOPS + 1 };

/* Slots: a box's value keeps its slot from the instruction that makes it to the last that reads it. */
struct slots {
	int64_t bytes, at;
	int n, *last, *owner, n_free, *free;
};

static int64_t take_slot(struct slots *s)
{
	int slot = s->n_free ? s->free[--s->n_free] : s->n++;
	return slot;
}

static void place_stage(struct sr_nest_prepared *r, const struct sr_nest_stage *stage, struct slots *s)
{
	const struct sr_nest_instr *instrs = sr_nest_instrs(r->tile);
	int32_t read[READ];
	for (int i = stage->first; i < stage->first + stage->n; i++)
		for (int n = values_read(r, &instrs[i], read); n > 0; n--)
			s->last[read[n - 1]] = i;
	for (int i = stage->first; i < stage->first + stage->n; i++) {
		int v = instrs[i].result;
		if (v >= 0 && r->places[v].life == SR_NEST_STORAGE_TILE && instrs[i].op != SR_NEST_CONSTANT)
			r->places[v].at = take_slot(s) * s->bytes;
		for (int n = values_read(r, &instrs[i], read); n > 0; n--) {
			int w = read[n - 1];
			if (s->last[w] == i && s->owner[w] < 0 && r->places[w].life == SR_NEST_STORAGE_TILE && r->places[w].at >= 0) {
				s->owner[w] = i; /* given back once, though it is read twice here */
				s->free[s->n_free++] = (int)(r->places[w].at / s->bytes);
			}
		}
	}
}

/* Values of the bodies of folds: each has a place of its own, for the parallel points of a box. */
static void place_bodies(struct sr_nest_prepared *r, int64_t *at)
{
	const struct sr_nest_value *values = sr_nest_values(r->tile);
	for (int v = 0; v < r->tile->n_values; v++)
		if (values[v].stage < 0) {
			r->places[v].life = SR_NEST_STORAGE_ROW;
			r->places[v].at = *at;
			*at += aligned(r->box_parallel * sr_dtype_bytes((enum sr_dtype)values[v].dtype));
		}
}

static void find_lives(struct sr_nest_prepared *r)
{
	const struct sr_nest *t = r->tile;
	const struct sr_nest_stage *stages = sr_nest_stages(t);
	for (int v = 0; v < t->n_values; v++)
		r->places[v] = (struct sr_nest_slot){.life = SR_NEST_STORAGE_TILE, .at = -1, .spread = -1, .store = -1, .lies = -1};
	for (int s = 0; s < t->n_stages; s++)
		for (int i = stages[s].first; i < stages[s].first + stages[s].n; i++) {
			const struct sr_nest_instr *in = &sr_nest_instrs(t)[i];
			int n = in->op == SR_NEST_FOLD ? in->n_folds : in->result >= 0;
			bool combines = in->op == SR_NEST_REDUCE || in->op == SR_NEST_FOLD;
			for (int k = 0; k < n; k++) {
				struct sr_nest_slot *p = &r->places[in->result + k];
				if (sr_nest_values(t)[in->result + k].saved)
					p->life = SR_NEST_STORAGE_SAVED;
				else if (combines || (!stages[s].over_inner && t->n_stages > 1))
					p->life = SR_NEST_STORAGE_ROW;
			}
		}
}

/* May value v, made by instruction `from`, be made in the memory that instruction `store` writes? Not where that may be an input's,
 * which is read later on. */
static bool may_be_made_there(const struct sr_nest_prepared *r, const int32_t *made, int from, int store)
{
	const struct sr_nest *t = r->tile;
	const struct sr_nest_instr *instrs = sr_nest_instrs(t);
	int32_t read[READ];
	if (!sr_nest_outputs(t)[r->accesses[instrs[store].access].buffer - t->n_inputs].may_share)
		return true;
	for (int k = from + 1; k < store; k++)
		for (int n = values_read(r, &instrs[k], read); n > 0; n--)
			if (instrs[made[read[n - 1]]].op == SR_NEST_LOAD)
				return false;
	return instrs[from].op != SR_NEST_LOAD;
}

/* A value that only one STORE of its own stage reads is made in its memory. */
static bool find_stores(struct sr_nest_prepared *r)
{
	const struct sr_nest *t = r->tile;
	const struct sr_nest_instr *instrs = sr_nest_instrs(t);
	int32_t read[READ], *uses = calloc(2 * ((size_t)t->n_values + 1), sizeof *uses), *made = uses ? uses + t->n_values + 1 : NULL;
	if (!uses)
		return false;
	for (int i = 0; i < t->n_instrs; i++) {
		for (int n = values_read(r, &instrs[i], read); n > 0; n--)
			uses[read[n - 1]]++;
		if (instrs[i].result >= 0)
			made[instrs[i].result] = i;
	}
	for (int i = 0; i < t->n_instrs; i++) {
		int v = instrs[i].op == SR_NEST_STORE ? instrs[i].args[0] : -1, from = v >= 0 ? made[v] : -1;
		bool makes = from >= 0 && (instrs[from].op == SR_NEST_MAP || instrs[from].op == SR_NEST_LOAD);
		if (makes && uses[v] == 1 && r->places[v].life == SR_NEST_STORAGE_TILE && may_be_made_there(r, made, from, i))
			r->places[v].store = i;
	}
	free(uses);
	return true;
}

/* Values that are loaded for accesses alone stay where they are. */
static void find_lying(struct sr_nest_prepared *r)
{
	const struct sr_nest *t = r->tile;
	const struct sr_nest_instr *instrs = sr_nest_instrs(t);
	for (int i = 0; i < t->n_instrs; i++)
		if (instrs[i].op == SR_NEST_LOAD && !r->accesses[instrs[i].access].n_dims && r->places[instrs[i].result].life == SR_NEST_STORAGE_TILE)
			r->places[instrs[i].result].lies = instrs[i].access;
	for (int i = 0; i < t->n_instrs; i++)
		for (int k = 0; k < instrs[i].n_args; k++)
			r->places[instrs[i].args[k]].lies = -1;
	for (int i = 0; i < t->n_accesses; i++)
		if (r->accesses[i].fill >= 0)
			r->places[r->accesses[i].fill].lies = -1;
}

static bool place_values(struct sr_nest_prepared *r)
{
	const struct sr_nest *t = r->tile;
	size_t n = (size_t)t->n_values + 1;
	int *lists = malloc(3 * n * sizeof *lists);
	struct slots s = {.bytes = aligned(r->box_points * 16), .last = lists, .owner = lists + n, .free = lists + 2 * n};
	int64_t at;
	if (!lists)
		return false;
	for (size_t v = 0; v < n; v++)
		s.last[v] = s.owner[v] = -1;
	find_lives(r);
	find_lying(r);
	if (!find_stores(r)) {
		free(lists);
		return false;
	}
	for (int i = 0; i < t->n_stages; i++)
		place_stage(r, &sr_nest_stages(t)[i], &s);
	at = s.n * s.bytes;
	place_bodies(r, &at);
	for (int v = 0; v < t->n_values; v++) {
		int64_t bytes = sr_dtype_bytes((enum sr_dtype)sr_nest_values(t)[v].dtype);
		if (r->places[v].at >= 0 || r->places[v].life == SR_NEST_STORAGE_TILE)
			continue;
		r->places[v].at = at;
		at += aligned(bytes * r->box_parallel * (r->places[v].life == SR_NEST_STORAGE_SAVED ? r->inner_points : 1));
		if (r->places[v].life == SR_NEST_STORAGE_ROW && r->box_parallel > 1) {
			r->places[v].spread = at;
			at += aligned(bytes * r->box_points);
		}
	}
	r->partial = at;
	r->partial_bytes = aligned(r->box_parallel * 16);
	int64_t folds = most_folds(t) * r->partial_bytes;
	r->scratch = (size_t)(at + (folds > s.bytes ? folds : s.bytes));
	free(lists);
	return true;
}

bool sr_nest_kernels_exist(const struct sr_nest *t, const struct sr_kernels *kernels, enum sr_dtype *type)
{
	for (int i = 0; i < t->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(t)[i];
		*type = (enum sr_dtype)in->type;
		if ((in->op == SR_NEST_MAP || in->op == SR_NEST_REDUCE) && !kernels->fn[in->kernel][in->type])
			return false;
	}
	return true;
}

struct sr_nest_prepared *sr_nest_prepare(const struct sr_nest *t, const struct sr_kernels *kernels)
{
	size_t head = (sizeof(struct sr_nest_prepared) + 15) / 16 * 16, accesses = (size_t)t->n_accesses * sizeof(struct sr_nest_access),
	       dims = (size_t)t->n_dims * sizeof(struct sr_nest_dim), places = (size_t)t->n_values * sizeof(struct sr_nest_slot);
	char *block = calloc(1, head + accesses + dims + places + 16);
	if (!block)
		return NULL;
	struct sr_nest_prepared *r = (void *)block;
	r->tile = t;
	r->kernels = kernels;
	r->n_loops = t->n_loops;
	r->n_parallel = t->n_parallel;
	memcpy(r->extent, t->extent, sizeof r->extent);
	r->accesses = (void *)(block + head);
	r->dims = (void *)(block + head + accesses);
	r->places = (void *)(block + head + accesses + dims);
	memcpy(r->accesses, sr_nest_accesses(t), accesses);
	memcpy(r->dims, sr_nest_dims(t), dims);
	merge_loops(r);
	find_steady(r);
	choose_chunks(r);
	count_points(r);
	if (!place_values(r)) {
		free(block);
		return NULL;
	}
	return r;
}

void sr_nest_release(struct sr_nest_prepared *ready)
{
	free(ready);
}

int64_t sr_nest_chunk_count(const struct sr_nest_prepared *ready)
{
	return ready->pieces;
}

size_t sr_nest_scratch(const struct sr_nest_prepared *r)
{
	return (size_t)aligned((int64_t)(2 * (size_t)r->tile->n_values * sizeof(struct sr_nest_operand))) + r->scratch;
}
