/* Views: operands of vector code that are read where they are, although some elements of the tile are out of bounds or the rows of
 * a tile are not contiguous in memory, as in stencils and windows.
 *
 * A group with views is executed segment by segment: the longest runs of a tile's elements that are contiguous in all views. It
 * computes all elements from the first one that is in bounds of all views to the last one. Between these are elements out of
 * bounds, the borders, for which it reads other elements of the same buffers. Then the borders are computed: their operands are
 * copied to the blocks of the vector code, with the values for out of bounds, and the results from there.
 *
 * Example: x[i, j - 1] for rows of 1000 elements, with 0 out of bounds. A tile of 4 rows is one segment of 3999 elements. The
 * borders are the first elements of the rows. */
#include "kernels/nest/nest_prepared.h"
#include <stdlib.h>
#include <string.h>

/* ---- LOADs with views ---- */

/* Return the number of the LOAD of the fill value of a LOAD; -1: there is none, or the fill value is one element. */
static int fill_load(const struct sr_nest_prepared *r, const struct sr_nest_instr *in)
{
	int fill = r->accesses[in->access].fill, i = fill >= 0 ? r->slots[fill].definition : -1;
	const struct sr_nest_instr *load = &sr_nest_instrs(r->nest)[i >= 0 ? i : 0];
	return i >= 0 && load->op == SR_NEST_LOAD && !sr_nest_loads_one_element(r, load) ? i : -1;
}

/* Return true if a LOAD and those of its fill values have affine accesses, and the last fill value is one element without a
 * slot. */
static bool can_be_view(const struct sr_nest_prepared *r, int instr)
{
	const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[instr];
	const struct sr_nest_slot *p = &r->slots[in->result];
	int stage = sr_nest_values(r->nest)[in->result].stage, depth = 0;
	if (p->storage != SR_NEST_STORAGE_TILE || p->direct_store >= 0 || p->in_place_access >= 0 || r->maps[instr].n_interleaved ||
	    sr_nest_loads_one_element(r, in))
		return false;
	for (int i = instr; i >= 0; i = fill_load(r, in)) {
		in = &sr_nest_instrs(r->nest)[i];
		const struct sr_nest_access *a = &r->accesses[in->access];
		for (int k = a->first_dim; k < a->first_dim + a->n_dims; k++)
			if (r->dims[k].index >= 0)
				return false;
		bool is_of_stage = sr_nest_values(r->nest)[in->result].stage == stage;
		if (!is_of_stage || ++depth >= SR_NEST_FILL_DEPTH || !sr_nest_can_load_later(r, in))
			return false;
	}
	int fill = r->accesses[in->access].fill, i = fill >= 0 ? r->slots[fill].definition : -1;
	return fill < 0 || sr_nest_instrs(r->nest)[i].op == SR_NEST_CONSTANT || sr_nest_instrs(r->nest)[i].op == SR_NEST_LOAD;
}

/* How a value is read, a bit each: by vector code of its stage, as the fill value of a LOAD through a view, or otherwise. */
enum { READ_BY_GROUP = 1, READ_BY_VIEW = 2, READ_OTHERWISE = 4 };

/* Note how the instructions but LOADs read values, and the indices of LOADs. */
static void note_reads(const struct sr_nest_prepared *r, uint8_t *reads)
{
	int32_t read[SR_NEST_MAX_OPERANDS];
	for (int i = 0; i < r->nest->n_instrs; i++) {
		const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[i];
		const struct sr_nest_access *a = &r->accesses[in->access];
		bool has_indices = in->op == SR_NEST_LOAD || in->op == SR_NEST_INDEX;
		for (int k = 0; has_indices && k < a->n_dims; k++)
			if (r->dims[a->first_dim + k].index >= 0)
				reads[r->dims[a->first_dim + k].index] |= READ_OTHERWISE;
		if (in->op == SR_NEST_LOAD)
			continue;
		int stage = in->result >= 0 && r->maps[i].group >= 0 ? sr_nest_values(r->nest)[in->result].stage : -1;
		for (int n = sr_nest_operands(r, in, read); n > 0; n--) {
			int own_stage = sr_nest_values(r->nest)[read[n - 1]].stage;
			reads[read[n - 1]] |= own_stage == stage ? READ_BY_GROUP : READ_OTHERWISE;
		}
	}
}

/* Decide whether a LOAD has a view. The reads of its value by all others are known; note the reads of its fill value. */
static void visit_load(struct sr_nest_prepared *r, int instr, uint8_t *reads)
{
	const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[instr];
	struct sr_nest_slot *p = &r->slots[in->result];
	int fill = r->accesses[in->access].fill;
	bool is_viewed = !(reads[in->result] & READ_OTHERWISE) && can_be_view(r, instr);
	p->is_view_operand = is_viewed && (reads[in->result] & READ_BY_GROUP) && !p->is_kept && p->fill_instr < 0;
	r->n_view_operands += p->is_view_operand;
	bool is_on_demand = is_viewed && reads[in->result] == READ_BY_VIEW;
	if (is_on_demand && p->fill_instr < 0) {
		p->fill_instr = instr;
		p->is_kept = p->is_invariant = false;
	}
	if (fill >= 0)
		reads[fill] |= p->is_view_operand || is_on_demand ? READ_BY_VIEW : READ_OTHERWISE;
	for (int i = instr; p->is_view_operand && i >= 0; i = fill_load(r, &sr_nest_instrs(r->nest)[i])) {
		struct sr_nest_slot *s = &r->slots[sr_nest_instrs(r->nest)[i].result];
		if (s->view >= 0)
			continue;
		s->view = (int32_t)r->n_views++;
		r->view_instrs[s->view] = i;
	}
}

bool sr_nest_find_views(struct sr_nest_prepared *r)
{
	const struct sr_nest *nest = r->nest;
	uint8_t *reads = calloc((size_t)nest->n_values + 1, 1);
	if (!reads)
		return false;
	note_reads(r, reads);
	for (int i = nest->n_instrs - 1; i >= 0; i--)
		if (sr_nest_instrs(nest)[i].op == SR_NEST_LOAD)
			visit_load(r, i, reads);
	free(reads);
	for (int g = 0; g < r->code->n_groups; g++) {
		struct sr_nest_vector_group *group = &r->code->groups[g];
		for (int k = 0; k < group->n_operands; k++) {
			struct sr_nest_vector_operand *o = &r->code->operands[group->first_operand + k];
			struct sr_nest_slot *p = &r->slots[o->value];
			int64_t elements = sr_nest_vector_block_elements(r, group);
			o->view = -1;
			if (!sr_nest_is_input(o->kind) || !p->is_view_operand)
				continue;
			group->has_views = true;
			o->view = p->view;
			p->view_elements = elements > p->view_elements ? (int32_t)elements : p->view_elements;
		}
	}
	return true;
}

/* ---- views of a tile ---- */

void sr_nest_begin_views(const struct sr_nest_prepared *r, struct sr_nest_view *views)
{
	for (int64_t i = 0; i < r->n_views; i++) {
		struct sr_nest_view *v = &views[i];
		const struct sr_nest_instr *in = &sr_nest_instrs(r->nest)[r->view_instrs[i]];
		int fill = fill_load(r, in);
		v->instr = r->view_instrs[i];
		v->bytes = sr_dtype_bytes((enum sr_dtype)sr_nest_values(r->nest)[in->result].dtype);
		v->fill = r->accesses[in->access].fill;
		v->fill_view = fill >= 0 ? &views[r->slots[v->fill].view] : NULL;
		v->tile = -1;
		v->is_read_in_place = false;
	}
}

/* Let a view have the box for the tile. */
static void update_view(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, void *const *buffers, bool over_inner,
			struct sr_nest_view *v)
{
	const struct sr_nest_access *a = &r->accesses[sr_nest_instrs(r->nest)[v->instr].access];
	const struct sr_nest_tile_loops *w = &tile->loops[over_inner];
	if (v->tile == tile->number)
		return;
	v->tile = tile->number;
	v->is_box = sr_nest_make_box(r, tile, a, NULL, over_inner, &v->box);
	v->is_full = v->is_box && sr_nest_is_full_box(&v->box, w);
	v->from = (char *)buffers[a->buffer] + v->box.offset * v->bytes;
	for (int k = 0; k < 2; k++) {
		int i = w->n - 2 + k;
		v->low[k] = i >= 0 ? v->box.low[i] : 0;
		v->high[k] = i >= 0 ? v->box.high[i] : 1;
		v->step[k] = i >= 0 ? v->box.stride[w->loop[i]] : 0;
		v->high[k] = v->box.is_empty ? v->low[k] : v->high[k];
	}
}

/* Return the number of elements that are contiguous in a tile and in memory along the last loops of the tile. *first receives the
 * number of the first of these loops. stride: in memory, by loop. */
static int64_t contiguous_elements(const struct sr_nest_tile_loops *w, const int64_t *stride, int *first)
{
	int64_t n = 1;
	*first = w->n;
	while (*first && stride[w->loop[*first - 1]] == n)
		n *= w->count[--*first];
	return n;
}

bool sr_nest_make_view(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, void *const *buffers, bool over_inner,
		       struct sr_nest_view *v, struct sr_nest_operand *out)
{
	int first;
	v->is_read_in_place = false;
	update_view(r, tile, buffers, over_inner, v);
	if (!v->is_box || v->box.is_empty)
		return false;
	int64_t n = contiguous_elements(&tile->loops[over_inner], v->box.stride, &first);
	bool is_contiguous = !first && v->is_full;
	if (!is_contiguous && n < r->slots[sr_nest_instrs(r->nest)[v->instr].result].view_elements)
		return false;
	for (struct sr_nest_view *fill = v; !fill->is_full && fill->fill_view;) {
		fill = fill->fill_view;
		update_view(r, tile, buffers, over_inner, fill);
		if (!fill->is_box)
			return false;
	}
	v->is_read_in_place = !is_contiguous;
	*out = (struct sr_nest_operand){.at = v->from};
	return true;
}

/* ---- borders ---- */

/* Elements of a tile: `rows` rows along the last loop but one, from `row` on, of `columns` elements along the last loop, from
 * `column` on, at an index of the other loops. */
struct patch {
	int64_t row, rows, column, columns;
	const int64_t *index; /* of the loops but the last two */
};

enum {
	MAX_STORED = 32,       /* patches in the blocks: with more, the elements in the blocks are computed earlier */
	MAX_BORDER_STEPS = 512 /* of a recording */
};

/* A step of the computation of borders: a patch is filled with one element in a block, loaded to a block or stored from there, or
 * the elements in the blocks are computed. Only the address of the operand changes from tile to tile. */
struct border_step {
	enum { FILL_BLOCK, LOAD_BLOCK, STORE_BLOCK, RUN_BLOCKS } op;
	int bytes;
	char *const *operand;
	char *block; /* address of the patch in the block */
	int64_t offset; /* of the patch in the operand, in bytes */
	int64_t outer, step, rows, columns;
};

struct sr_nest_borders {
	const struct sr_nest_view_call *call;
	struct sr_nest_view **views; /* by operand of the group; NULL: the operand is an array */
	const struct sr_nest_tile_loops *w;
	int n_outer; /* loops but the last two; 0 also if the tile has one loop */
	int64_t width, height; /* counts of the last loop, and of the last but one */
	int64_t low[SR_NEST_MAX_LOOPS], high[SR_NEST_MAX_LOOPS]; /* iterations of each loop of the tile in bounds of all views */
	/* of a segment: the first loop that it contains, its elements, and those of them, [skipped, end), that are computed */
	int n_loops;
	int64_t segment, skipped, end;
	int64_t inside, elements; /* of the tile: elements in bounds of all views, and all */
	int64_t capacity, n; /* elements of a block; elements in the blocks */
	struct stored { /* patches in the blocks: number of the first element in the tile, and size */
		int64_t first, rows, columns;
	} stored[MAX_STORED];
	int n_stored;
	int n_steps; /* recorded ones; more than MAX_BORDER_STEPS are not recorded */
	struct border_step *steps; /* NULL: nothing is recorded */
};

static void run_border_step(const struct sr_nest_view_call *c, const struct border_step *s)
{
	const struct sr_access_functions *f = c->r->access;
	char *at = s->op == RUN_BLOCKS ? NULL : *s->operand + s->offset;
	bool is_column = s->columns == 1;
	switch (s->op) {
	case FILL_BLOCK: sr_nest_fill_strided(s->bytes, at, s->block, 1, s->rows * s->columns); break;
	case LOAD_BLOCK:
		if (s->rows == 1 || is_column)
			f->load_strided(s->bytes, at, is_column ? s->outer : s->step, s->block, s->rows * s->columns);
		else
			f->load_runs(s->bytes, at, s->outer, s->step, s->block, s->rows, s->columns);
		break;
	case STORE_BLOCK: sr_nest_store_runs(s->bytes, s->block, at, s->outer, s->step, s->rows, s->columns); break;
	case RUN_BLOCKS: sr_nest_run_vector_block(c->r, c->group, c->memory); break;
	}
}

/* Record a step if steps are recorded, else execute it. */
static void add_border_step(struct sr_nest_borders *b, struct border_step s)
{
	if (!b->steps)
		run_border_step(b->call, &s);
	else if (b->n_steps < MAX_BORDER_STEPS)
		b->steps[b->n_steps] = s;
	b->n_steps++;
}

static void load_patch(struct sr_nest_borders *b, const struct sr_nest_view *v, const struct patch *p, char *to);

/* Load a patch that has elements in bounds and out of bounds, row by row. */
static void load_mixed_patch(struct sr_nest_borders *b, const struct sr_nest_view *v, const struct patch *p, char *to)
{
	int64_t end = p->column + p->columns;
	for (int64_t row = p->row; row < p->row + p->rows; row++)
		for (int64_t column = p->column, next; column < end; column = next) {
			next = column < v->low[1] ? v->low[1] : column < v->high[1] ? v->high[1] : end;
			next = next < end ? next : end;
			struct patch part = {row, 1, column, next - column, p->index};
			load_patch(b, v, &part, to);
			to += part.columns * v->bytes;
		}
}

/* Load the elements of a patch to contiguous memory. */
static void load_patch(struct sr_nest_borders *b, const struct sr_nest_view *v, const struct patch *p, char *to)
{
	int64_t row_end = p->row + p->rows, end = p->column + p->columns, offset = p->row * v->step[0] + p->column * v->step[1];
	bool is_outside = row_end <= v->low[0] || p->row >= v->high[0] || end <= v->low[1] || p->column >= v->high[1];
	for (int i = 0; i < b->n_outer; i++) {
		is_outside = is_outside || p->index[i] < v->box.low[i] || p->index[i] >= v->box.high[i];
		offset += p->index[i] * v->box.stride[b->w->loop[i]];
	}
	if (is_outside && v->fill_view)
		load_patch(b, v->fill_view, p, to);
	else if (is_outside)
		add_border_step(b, (struct border_step){FILL_BLOCK, v->bytes, &b->call->values[v->fill].at, to, .rows = p->rows,
							.columns = p->columns});
	else if (p->row < v->low[0] || row_end > v->high[0] || p->column < v->low[1] || end > v->high[1])
		load_mixed_patch(b, v, p, to);
	else
		add_border_step(b, (struct border_step){LOAD_BLOCK, v->bytes, &v->from, to, offset * v->bytes,
							v->step[0], v->step[1], p->rows, p->columns});
}

/* Compute the elements in the blocks, and store the results to the tile. */
static void compute_blocks(struct sr_nest_borders *b)
{
	const struct sr_nest_view_call *c = b->call;
	const struct sr_nest_vector_operand *o = &c->r->code->operands[c->group->first_operand];
	if (b->n)
		add_border_step(b, (struct border_step){RUN_BLOCKS});
	for (int k = 0; b->n && k < c->group->n_operands; k++) {
		if (sr_nest_is_input(o[k].kind) || o[k].kind == SR_NEST_VECTOR_BLOCK)
			continue;
		char *from = sr_nest_vector_block(c->r, c->group, c->memory, k);
		for (int i = 0; i < b->n_stored; i++) {
			const struct stored *s = &b->stored[i];
			add_border_step(b, (struct border_step){STORE_BLOCK, o[k].bytes, &c->operands[k].at, from,
								s->first * o[k].bytes, b->width, 1, s->rows, s->columns});
			from += s->rows * s->columns * o[k].bytes;
		}
	}
	b->n = b->n_stored = 0;
}

/* Copy the operands of a patch, which fits, to the blocks. first: number of its first element in the tile. */
static void add_to_blocks(struct sr_nest_borders *b, const struct patch *p, int64_t first)
{
	const struct sr_nest_view_call *c = b->call;
	const struct sr_nest_vector_operand *o = &c->r->code->operands[c->group->first_operand];
	for (int k = 0; k < c->group->n_operands; k++) {
		if (!sr_nest_is_input(o[k].kind) || c->operands[k].scalar)
			continue;
		char *to = sr_nest_vector_block(c->r, c->group, c->memory, k) + b->n * o[k].bytes;
		if (b->views[k])
			load_patch(b, b->views[k], p, to);
		else
			add_border_step(b, (struct border_step){LOAD_BLOCK, o[k].bytes, &c->operands[k].at, to,
								first * o[k].bytes, b->width, 1, p->rows, p->columns});
	}
	b->stored[b->n_stored++] = (struct stored){first, p->rows, p->columns};
	b->n += p->rows * p->columns;
}

/* Compute a patch. It is divided such that its parts fit in the blocks. first: number of the tile's first element at p->index. */
static void compute_patch(struct sr_nest_borders *b, const struct patch *p, int64_t first)
{
	int64_t columns = p->columns < b->capacity ? p->columns : b->capacity;
	for (int64_t column = 0; column < p->columns; column += columns) {
		int64_t n = p->columns - column < columns ? p->columns - column : columns;
		for (int64_t row = 0, rows; row < p->rows; row += rows) {
			if (b->capacity - b->n < n || b->n_stored == MAX_STORED)
				compute_blocks(b);
			rows = (b->capacity - b->n) / n < p->rows - row ? (b->capacity - b->n) / n : p->rows - row;
			struct patch part = {p->row + row, rows, p->column + column, n, p->index};
			add_to_blocks(b, &part, first + part.row * b->width + part.column);
		}
	}
}

/* Compute the borders at the index `index` of the outer loops. */
static void compute_frame(struct sr_nest_borders *b, const int64_t *index, int64_t first)
{
	enum { NARROW = 4 };
	int last = b->w->n - 1;
	int64_t row_low = last ? b->low[last - 1] : 0, row_high = last ? b->high[last - 1] : 1;
	for (int i = 0; i < b->n_outer; i++)
		if (index[i] < b->low[i] || index[i] >= b->high[i])
			row_low = row_high = b->height;
	int64_t height = row_high - row_low, right = b->high[last];
	const struct patch rows[] = {{0, row_low, 0, b->width, index}, {row_high, b->height - row_high, 0, b->width, index}};
	for (int i = 0; i < 2; i++)
		if (rows[i].rows)
			compute_patch(b, &rows[i], first);
	/* The columns of a narrow border are patches of their own, which usually have no element in bounds of a box or all. */
	for (int64_t column = 0, n; height && column < b->width; column += n) {
		bool is_left = column < b->low[last];
		int64_t rest = is_left ? b->low[last] - column : b->width - column;
		n = rest > NARROW ? rest : 1;
		if (!is_left && column < right) {
			n = right - column;
			continue;
		}
		struct patch p = {row_low, height, column, n, index};
		compute_patch(b, &p, first);
	}
}

static void compute_borders(struct sr_nest_borders *b)
{
	int64_t index[SR_NEST_MAX_LOOPS] = {0}, first = 0;
	for (int i = 0; i >= 0;) {
		compute_frame(b, index, first);
		first += b->width * b->height;
		for (i = b->n_outer - 1; i >= 0 && ++index[i] == b->w->count[i]; i--)
			index[i] = 0;
	}
	compute_blocks(b);
}

/* ---- segments ---- */

/* Find the views through which the group's operands are read. Returns false if there is none. */
static bool find_views(struct sr_nest_borders *b)
{
	const struct sr_nest_view_call *c = b->call;
	bool is_found = false;
	for (int k = 0; k < c->group->n_operands; k++) {
		const struct sr_nest_vector_operand *o = &c->r->code->operands[c->group->first_operand + k];
		struct sr_nest_view *v = o->view >= 0 ? &c->views[o->view] : NULL;
		b->views[k] = v && v->is_read_in_place ? v : NULL;
		is_found = is_found || b->views[k];
	}
	return is_found;
}

/* Find the iterations that are in bounds of all views. */
static void find_interior(struct sr_nest_borders *b)
{
	for (int i = 0; i < b->w->n; i++) {
		b->low[i] = 0;
		b->high[i] = b->w->count[i];
	}
	for (int k = 0; k < b->call->group->n_operands; k++) {
		const struct sr_nest_view *view = b->views[k];
		for (int i = 0; view && i < b->w->n; i++) {
			b->low[i] = view->box.low[i] > b->low[i] ? view->box.low[i] : b->low[i];
			b->high[i] = view->box.high[i] < b->high[i] ? view->box.high[i] : b->high[i];
		}
	}
}

/* Return the number of elements that are contiguous in all views; *first as in contiguous_elements. */
static int64_t segment_elements(const struct sr_nest_borders *b, int *first)
{
	int64_t n = INT64_MAX;
	for (int k = 0; k < b->call->group->n_operands; k++) {
		const struct sr_nest_view *view = b->views[k];
		int i, is_shorter = view && contiguous_elements(b->w, view->box.stride, &i) < n;
		n = is_shorter ? contiguous_elements(b->w, view->box.stride, first) : n;
	}
	return n;
}

/* Let the operands of a segment begin at element `first` of the tile, which is at index `index` of the first `n_loops` loops and
 * `skipped` elements after the beginning of the segment. */
static void set_segment(const struct sr_nest_borders *b, const int64_t *index, int n_loops, int64_t first, int64_t skipped,
			struct sr_nest_operand *to)
{
	const struct sr_nest_view_call *c = b->call;
	const struct sr_nest_vector_operand *o = &c->r->code->operands[c->group->first_operand];
	for (int k = 0; k < c->group->n_operands; k++) {
		const struct sr_nest_view *view = b->views[k];
		if (o[k].kind == SR_NEST_VECTOR_BLOCK)
			continue;
		int64_t offset = view ? skipped : first;
		to[k] = c->operands[k];
		for (int i = 0; view && i < n_loops; i++)
			offset += index[i] * view->box.stride[b->w->loop[i]];
		to[k].at += to[k].scalar ? 0 : offset * o[k].bytes;
	}
}

/* Compute the elements of each segment. If blocks do not divide them, the last block overlaps the one before it. */
static void compute_segments(const struct sr_nest_borders *b)
{
	const struct sr_nest_view_call *c = b->call;
	struct sr_nest_operand *operands = c->operands + c->group->n_operands;
	int n_loops = b->n_loops;
	int64_t index[SR_NEST_MAX_LOOPS], segment = b->segment, skipped = b->skipped, end = b->end;
	int64_t n = (end - skipped) / b->capacity * b->capacity;
	for (int i = 0; i < n_loops; i++)
		index[i] = b->low[i];
	for (int l = 0; l >= 0;) {
		int64_t first = 0;
		for (int i = 0; i < n_loops; i++)
			first = first * b->w->count[i] + index[i];
		set_segment(b, index, n_loops, first * segment + skipped, skipped, operands);
		sr_nest_run_vector_code(c->r, c->group, c->memory, operands, n);
		if (n < end - skipped) {
			set_segment(b, index, n_loops, first * segment + end - b->capacity, end - b->capacity, operands);
			sr_nest_run_vector_code(c->r, c->group, c->memory, operands, b->capacity);
		}
		for (l = n_loops - 1; l >= 0 && ++index[l] == b->high[l]; l--)
			index[l] = b->low[l];
	}
}

/* Copy the elements of all views, which are arrays then. */
static void copy_views(struct sr_nest_borders *b)
{
	const struct sr_nest_view_call *c = b->call;
	const struct sr_nest_vector_operand *o = &c->r->code->operands[c->group->first_operand];
	int64_t n = b->width * b->height;
	for (int k = 0; k < c->group->n_operands; k++) {
		if (!b->views[k])
			continue;
		int64_t index[SR_NEST_MAX_LOOPS] = {0};
		char *to = c->scratch + c->r->slots[o[k].value].at;
		c->operands[k] = c->values[o[k].value] = (struct sr_nest_operand){.at = to};
		for (int64_t first = 0; first < b->elements; first += n) {
			struct patch p = {0, b->height, 0, b->width, index};
			load_patch(b, b->views[k], &p, to + first * o[k].bytes);
			for (int i = b->n_outer - 1; i >= 0 && ++index[i] == b->w->count[i]; i--)
				index[i] = 0;
		}
	}
	for (int k = 0; k < c->group->n_operands; k++)
		if (b->views[k])
			b->views[k]->is_read_in_place = false;
}

/* Begin to execute a group. Returns false if no operand is read in place. */
static bool begin_borders(struct sr_nest_borders *b, const struct sr_nest_view_call *c)
{
	b->call = c;
	b->w = &c->tile->loops[c->over_inner];
	b->views = (void *)(c->operands + 2 * c->group->n_operands);
	b->steps = NULL;
	b->n = b->n_stored = b->n_steps = 0;
	return find_views(b);
}

/* Divide the tile into segments and borders. Returns false if too many elements are borders. */
static bool find_segments(struct sr_nest_borders *b)
{
	const struct sr_nest_view_call *c = b->call;
	int n_loops = 0;
	b->segment = segment_elements(b, &n_loops);
	b->n_loops = n_loops;
	b->capacity = sr_nest_vector_block_elements(c->r, c->group);
	b->n_outer = b->w->n > 2 ? b->w->n - 2 : 0;
	b->width = b->w->count[b->w->n - 1];
	b->height = b->w->n > 1 ? b->w->count[b->w->n - 2] : 1;
	find_interior(b);
	b->inside = b->elements = 1;
	int64_t last = b->skipped = 0;
	for (int i = 0; i < b->w->n; i++) {
		b->elements *= b->w->count[i];
		b->inside *= b->high[i] > b->low[i] ? b->high[i] - b->low[i] : 0;
		b->skipped = i < n_loops ? 0 : b->skipped * b->w->count[i] + b->low[i];
		last = i < n_loops ? 0 : last * b->w->count[i] + b->high[i] - 1;
	}
	b->end = last + 1;
	return b->inside >= b->elements / 4 && b->end - b->skipped >= b->capacity;
}

bool sr_nest_run_views(const struct sr_nest_view_call *c)
{
	struct sr_nest_borders b;
	if (!begin_borders(&b, c))
		return false;
	if (!find_segments(&b)) {
		copy_views(&b);
		return false;
	}
	compute_segments(&b);
	if (b.inside < b.elements)
		compute_borders(&b);
	return true;
}

int64_t sr_nest_borders_bytes(void)
{
	return (int64_t)sizeof(struct sr_nest_borders) + MAX_BORDER_STEPS * (int64_t)sizeof(struct border_step);
}

struct sr_nest_borders *sr_nest_record_borders(const struct sr_nest_view_call *c, void *memory)
{
	struct sr_nest_borders *b = memory;
	if (!begin_borders(b, c) || !find_segments(b))
		return NULL;
	b->steps = (void *)(b + 1);
	if (b->inside < b->elements)
		compute_borders(b);
	return b->n_steps <= MAX_BORDER_STEPS ? b : NULL;
}

void sr_nest_replay_borders(const struct sr_nest_borders *b)
{
	compute_segments(b);
	for (const struct border_step *s = b->steps, *end = s + b->n_steps; s < end; s++)
		run_border_step(b->call, s);
}
