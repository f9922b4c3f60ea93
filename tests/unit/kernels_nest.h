/* Loop nests: random nests compared with an evaluation element by element. The last part of kernels.c, which includes this
 * once. */
#include "kernels/code/code.h"
#include "kernels/nest/nest.h"
#include "kernels/nest/nest_run.h"
#include "support/integers.h"

enum { MAX_ITEMS = 40, ELEMENTS = 40000 };

struct nest_case {
	struct sr_nest nest;
	struct sr_nest_stage stages[4];
	struct sr_nest_instr instrs[MAX_ITEMS];
	struct sr_nest_value values[MAX_ITEMS];
	struct sr_nest_access accesses[MAX_ITEMS];
	struct sr_nest_dim dims[MAX_ITEMS];
	struct sr_nest_output outputs[2];
	int32_t constants[4];
	int32_t buffers[5][ELEMENTS], want[ELEMENTS];
	unsigned seed;
};

static int random_below(struct nest_case *c, int n)
{
	c->seed = c->seed * 1103515245 + 12345;
	return (int)(c->seed / 65536 % (unsigned)n);
}

static int new_instr(struct nest_case *c, struct sr_nest_instr in, int stage, bool makes)
{
	int value = makes ? c->nest.n_values++ : -1;
	if (makes)
		c->values[value] = (struct sr_nest_value){.dtype = SR_I32, .stage = (int16_t)stage};
	in.type = SR_I32;
	in.result = value;
	c->instrs[c->nest.n_instrs++] = in;
	c->stages[stage].n++;
	return value;
}

/* Add a random affine indexing map within ELEMENTS. Each loop has a stride of its own, possibly negative, or stride 0. */
static int new_access(struct nest_case *c, int buffer, int loops)
{
	struct sr_nest_access a = {.buffer = buffer, .fill = -1};
	int64_t stride = 1;
	int first_loop = random_below(c, loops + 1);
	for (int i = 0; i < loops; i++) {
		int l = (first_loop + i) % loops;
		if (random_below(c, 4) == 0)
			continue;
		a.stride[l] = stride;
		if (random_below(c, 6) == 0) { /* access the elements in reverse order along this loop */
			a.stride[l] = -stride;
			a.offset += stride * (c->nest.extent[l] - 1);
		}
		stride *= c->nest.extent[l];
	}
	c->accesses[c->nest.n_accesses] = a;
	return c->nest.n_accesses++;
}

/* Add a bound to an indexing map. The map then depends on loop l only and starts at element -2; out of bounds, the load gives a
 * constant. */
static void add_bound(struct nest_case *c, int access, int l, int fill_value)
{
	struct sr_nest_dim d = {.offset = -2, .divisor = 1 + random_below(c, 2), .extent = 1 + random_below(c, 9), .stride = 3, .index = -1};
	d.coef[l] = 1;
	c->accesses[access] = (struct sr_nest_access){
	    .buffer = c->accesses[access].buffer, .fill = fill_value, .first_dim = c->nest.n_dims, .n_dims = 1};
	c->dims[c->nest.n_dims++] = d;
}

/* Make an access a matrix with bounds in both dimensions, each along a loop of its own: in bounds it is a box of the loops, often
 * with contiguous rows. */
static void add_bounded_matrix(struct nest_case *c, int access, int loops, int fill_value)
{
	int first_loop = random_below(c, loops), columns = 1 + random_below(c, 2) * (int)(c->nest.extent[loops - 1] - 1) + random_below(c, 5);
	c->accesses[access] = (struct sr_nest_access){
	    .buffer = c->accesses[access].buffer, .fill = fill_value, .first_dim = c->nest.n_dims, .n_dims = 2};
	for (int k = 0; k < 2; k++) {
		struct sr_nest_dim d = {.offset = random_below(c, 5) - 3, .divisor = 1, .extent = k ? columns : 1 + random_below(c, 50),
					.stride = k ? 1 : columns, .index = -1};
		d.coef[k ? loops - 1 : first_loop] = random_below(c, 4) ? 1 : random_below(c, 2) ? -1 : 2;
		c->dims[c->nest.n_dims++] = d;
	}
}

static int new_map(struct nest_case *c, int stage, int x, int y)
{
	static const enum sr_kernel kernels[] = {SR_KERNEL_ADD, SR_KERNEL_MULTIPLY, SR_KERNEL_MAXIMUM, SR_KERNEL_SUBTRACT};
	return new_instr(c, (struct sr_nest_instr){.op = SR_NEST_MAP, .kernel = (uint16_t)kernels[random_below(c, 4)], .n_args = 2, .args = {x, y}}, stage,
			 true);
}

/* Offset an indexing map by a value that is loaded for this purpose, or that other instructions read as well; with or without
 * bounds. */
static void add_dynamic_offset(struct nest_case *c, int access, int index, int loops, int fill_value)
{
	struct sr_nest_dim d = {.divisor = 1, .stride = 1 + random_below(c, 5), .limit = 1 + random_below(c, 40), .index = index};
	if (loops && fill_value >= 0 && random_below(c, 2) == 0) {
		d.coef[random_below(c, loops)] = 1;
		d.extent = 1 + random_below(c, 40);
		c->accesses[access].fill = fill_value;
	}
	c->accesses[access].first_dim = c->nest.n_dims;
	c->accesses[access].n_dims = 1;
	c->dims[c->nest.n_dims++] = d;
}

static int new_load(struct nest_case *c, int stage, int loops, int fill_value)
{
	int access = new_access(c, random_below(c, c->nest.n_inputs), loops), way = random_below(c, 10);
	if (loops && fill_value >= 0 && (way < 2 || way > 7) && random_below(c, 3) == 0)
		fill_value = new_load(c, stage, loops, fill_value);
	if (loops && fill_value >= 0 && way < 2) {
		add_bound(c, access, random_below(c, loops), fill_value);
	} else if (loops && fill_value >= 0 && way > 7) {
		add_bounded_matrix(c, access, loops, fill_value);
	} else if (way == 2) {
		int base_access = new_access(c, random_below(c, c->nest.n_inputs), loops);
		int index = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = base_access}, stage, true);
		if (random_below(c, 3) == 0)
			index = new_map(c, stage, index, index);
		add_dynamic_offset(c, access, index, loops, fill_value);
	}
	return new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = access}, stage, true);
}

/* Add a store of consecutive elements in the order of the loops. */
static void new_store(struct nest_case *c, int stage, int loops, int value, int output)
{
	int access = c->nest.n_accesses++;
	int64_t stride = 1;
	struct sr_nest_access a = {.buffer = c->nest.n_inputs + output, .fill = -1};
	for (int l = loops - 1; l >= 0; l--) {
		a.stride[l] = stride;
		stride *= c->nest.extent[l];
	}
	c->accesses[access] = a;
	new_instr(c, (struct sr_nest_instr){.op = SR_NEST_STORE, .access = access, .n_args = 1, .args = {value}}, stage, false);
}

/* Build a nest of stages. Stage 0 is executed once: a constant, a load. Stage 1: values and their sum. Stage 2: values again,
 * with the sum; a value of stage 1 is saved. */
static void make_case(struct nest_case *c)
{
	int loops = random_below(c, 5), parallel = loops ? random_below(c, loops + 1) : 0;
	static const int extents[] = {1, 2, 3, 7, 8, 33, 600};
	*c = (struct nest_case){.seed = c->seed, .constants = {77}};
	c->nest = (struct sr_nest){.n_loops = loops, .n_parallel = parallel, .n_inputs = 3, .n_outputs = 2, .n_stages = 3, .constant_bytes = 16};
	int64_t n_iterations = 1;
	for (int l = 0; l < loops; l++) {
		c->nest.extent[l] = extents[random_below(c, 7)];
		if (n_iterations * c->nest.extent[l] > 4000)
			c->nest.extent[l] = 2;
		n_iterations *= c->nest.extent[l];
	}
	int fill_value = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_CONSTANT}, 0, true);
	int row = new_map(c, 0, new_load(c, 0, parallel, -1), fill_value);
	c->stages[1] = (struct sr_nest_stage){c->nest.n_instrs, 0, 1};
	int x = new_load(c, 1, loops, fill_value), y = new_map(c, 1, x, new_load(c, 1, loops, fill_value));
	y = new_map(c, 1, y, row);
	static const enum sr_kernel sums[] = {SR_KERNEL_ADD, SR_KERNEL_MAXIMUM, SR_KERNEL_XOR};
	struct sr_nest_instr reduce = {.op = SR_NEST_REDUCE, .kernel = (uint16_t)sums[random_below(c, 3)], .n_args = 2, .args = {y, row}};
	int sum = new_instr(c, reduce, 1, true);
	c->values[y].is_saved = random_below(c, 2) == 1;
	c->stages[2] = (struct sr_nest_stage){c->nest.n_instrs, 0, 1};
	int z = new_map(c, 2, new_load(c, 2, loops, fill_value), sum);
	z = c->values[y].is_saved ? new_map(c, 2, z, y) : new_map(c, 2, z, row);
	new_store(c, 2, loops, z, 0);
	c->stages[3] = (struct sr_nest_stage){c->nest.n_instrs, 0, 0};
	c->nest.n_stages = 4;
	new_store(c, 3, parallel, sum, 1);
}

/* ---- evaluation point by point ---- */

static int32_t value_at(const struct nest_case *c, int value, const int64_t *at);

static int32_t read_element(const struct nest_case *c, const struct sr_nest_access *a, const int64_t *at)
{
	int64_t offset = a->offset;
	for (int l = 0; l < c->nest.n_loops; l++)
		offset += a->stride[l] * at[l];
	for (int k = 0; k < a->n_dims; k++) {
		const struct sr_nest_dim *d = &c->dims[a->first_dim + k];
		int64_t number = d->offset;
		for (int l = 0; l < c->nest.n_loops; l++)
			number += d->coef[l] * at[l];
		if (d->index >= 0) {
			int64_t start = value_at(c, d->index, at);
			number += start < 0 ? 0 : start > d->limit ? d->limit : start;
		}
		if (d->extent && (number % d->divisor || number / d->divisor < 0 || number / d->divisor >= d->extent))
			return value_at(c, a->fill, at);
		offset += number / d->divisor * d->stride;
	}
	return c->buffers[a->buffer][offset];
}

static int32_t apply_kernel(enum sr_kernel k, int32_t x, int32_t y)
{
	switch (k) {
	case SR_KERNEL_ADD: return (int32_t)((uint32_t)x + (uint32_t)y);
	case SR_KERNEL_SUBTRACT: return (int32_t)((uint32_t)x - (uint32_t)y);
	case SR_KERNEL_MULTIPLY: return (int32_t)((uint32_t)x * (uint32_t)y);
	case SR_KERNEL_XOR: return x ^ y;
	default: return x > y ? x : y;
	}
}

static bool next_iteration(const struct nest_case *c, int64_t *at, int first_loop, int last_loop)
{
	for (int l = last_loop - 1; l >= first_loop; l--) {
		if (++at[l] < c->nest.extent[l])
			return true;
		at[l] = 0;
	}
	return false;
}

static int32_t value_at(const struct nest_case *c, int value, const int64_t *at)
{
	const struct sr_nest_instr *in = c->instrs;
	while (in->result != value)
		in++;
	if (in->op == SR_NEST_CONSTANT)
		return c->constants[0];
	if (in->op == SR_NEST_LOAD)
		return read_element(c, &c->accesses[in->access], at);
	if (in->op == SR_NEST_MAP)
		return apply_kernel((enum sr_kernel)in->kernel, value_at(c, in->args[0], at), value_at(c, in->args[1], at));
	int64_t inner_position[SR_NEST_MAX_LOOPS] = {0};
	memcpy(inner_position, at, sizeof(int64_t) * (size_t)c->nest.n_parallel);
	int32_t sum = value_at(c, in->args[1], at);
	do
		sum = apply_kernel((enum sr_kernel)in->kernel, sum, value_at(c, in->args[0], inner_position));
	while (next_iteration(c, inner_position, c->nest.n_parallel, c->nest.n_loops));
	return sum;
}

/* Copy the nest with its arrays, as it is in a program, to memory from malloc. */
static struct sr_nest *pack_nest(const struct nest_case *c)
{
	char *block = calloc(1, 65536), *at = block + (sizeof c->nest + 15) / 16 * 16;
	struct sr_nest *t = (void *)block;
	*t = c->nest;
#define PUT(name, n)                                                                    \
	do {                                                                            \
		t->name = (uint32_t)(at - block);                                       \
		memcpy(at, c->name, (size_t)(n) * sizeof *c->name);                     \
		at += ((size_t)(n) * sizeof *c->name + 15) / 16 * 16;                   \
	} while (0)
	PUT(stages, c->nest.n_stages);
	PUT(instrs, c->nest.n_instrs);
	PUT(values, c->nest.n_values);
	PUT(accesses, c->nest.n_accesses);
	PUT(dims, c->nest.n_dims);
	PUT(outputs, c->nest.n_outputs);
	PUT(constants, 4);
#undef PUT
	t->bytes = (uint32_t)(at - block);
	return t;
}

static const int64_t nest_elements[5] = {ELEMENTS, ELEMENTS, ELEMENTS, ELEMENTS, ELEMENTS};
static const uint8_t nest_types[5] = {SR_I32, SR_I32, SR_I32, SR_I32, SR_I32};

static void check_output(struct nest_case *c, int output, int value, int loops, unsigned seed)
{
	int64_t at[SR_NEST_MAX_LOOPS] = {0}, n = 0;
	do {
		int32_t expected = value_at(c, value, at), got = c->buffers[3 + output][n++];
		ck_assert_msg(got == expected, "nest %u, output %d, element %d: %d, not %d", seed, output, (int)n - 1, got,
			     expected);
	} while (next_iteration(c, at, 0, loops));
}

/* Fill the inputs with random elements. Returns the packed nest, which must be valid; the caller frees it. */
static struct sr_nest *pack_with_inputs(struct nest_case *c, unsigned seed)
{
	const char *why = NULL;
	for (int b = 0; b < 3; b++)
		for (int i = 0; i < ELEMENTS; i++)
			c->buffers[b][i] = random_below(c, 100) - 50;
	struct sr_nest *nest = pack_nest(c);
	ck_assert_msg(sr_nest_check(nest, nest->bytes, nest_elements, nest_types, 5, &why), "nest %u: %s", seed, why);
	return nest;
}

START_TEST(nests_match_point_by_point_evaluation)
{
	struct nest_case *c = malloc(sizeof *c);
	for (unsigned seed = (unsigned)_i * 100; seed < (unsigned)_i * 100 + 100; seed++) {
		c->seed = seed;
		make_case(c);
		struct sr_nest *nest = pack_with_inputs(c, seed);
		struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
		void *buffers[5] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], c->buffers[4]};
		void *scratch = aligned_alloc(64, (sr_nest_scratch(r) + 63) / 64 * 64);
		r->is_streamed = r->access->stream && seed % 2;
		for (int64_t chunk = sr_nest_chunk_count(r) - 1; chunk >= 0; chunk--) /* execute the chunks in reverse order */
			sr_nest_execute(r, buffers, scratch, chunk, chunk + 1);
		check_output(c, 0, c->instrs[c->stages[2].first + c->stages[2].n - 1].args[0], c->nest.n_loops, seed);
		check_output(c, 1, c->instrs[c->stages[3].first].args[0], c->nest.n_parallel, seed);
		free(scratch);
		sr_nest_release(r);
		free(nest);
	}
	free(c);
}
END_TEST

static void release_case(struct nest_case *c, struct sr_nest *nest, struct sr_nest_prepared *r)
{
	sr_nest_release(r);
	free(nest);
	free(c);
}

/* Execute all chunks of a nest in one call. */
static void execute_nest(const struct sr_nest_prepared *r, void *const *buffers)
{
	void *scratch = aligned_alloc(64, (sr_nest_scratch(r) + 63) / 64 * 64);
	sr_nest_execute(r, buffers, scratch, 0, sr_nest_chunk_count(r));
	free(scratch);
}

/* Prepare the tiles anew after their sizes have changed, and let the nest record some if there are many of the same shape. Returns
 * the scratch, which the caller frees. */
static void *set_tiles(struct sr_nest_prepared *r)
{
	r->n_tiles = 1;
	for (int l = 0; l < r->n_parallel; l++)
		r->n_tiles *= (r->extent[l] + r->tile_size[l] - 1) / r->tile_size[l];
	sr_nest_first_tile(r);
	sr_nest_prepare_replay(r);
	r->replay = (int64_t)(r->scratch + 63) / 64 * 64;
	return aligned_alloc(64, (sr_nest_scratch(r) + 64 + (size_t)(r->n_recordings * r->replay_bytes) + 63) / 64 * 64);
}

/* Divide the first `loops` parallel loops into tiles of few iterations. Returns the scratch, which the caller frees. */
static void *shrink_tiles(struct nest_case *c, struct sr_nest_prepared *r, int loops)
{
	for (int l = 0; l < loops; l++)
		r->tile_size[l] = sr_min(1 + random_below(c, 4), r->tile_size[l]);
	return set_tiles(r);
}

/* Many small tiles, most of which are executed by the calls that were recorded for an earlier one. */
START_TEST(recorded_tiles_match_point_by_point_evaluation)
{
	struct nest_case *c = malloc(sizeof *c);
	int n_recorded = 0;
	for (unsigned seed = (unsigned)_i * 100; seed < (unsigned)_i * 100 + 100; seed++) {
		c->seed = seed + 5000;
		make_case(c);
		c->stages[1].lanes = seed % 3 ? 0 : 16;
		struct sr_nest *nest = pack_with_inputs(c, seed);
		struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
		void *buffers[5] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], c->buffers[4]};
		void *scratch = shrink_tiles(c, r, r->n_parallel);
		int64_t middle = r->n_tiles / 3;
		n_recorded += r->n_recordings > 0;
		r->is_streamed = r->access->stream && seed % 2;
		sr_nest_execute(r, buffers, scratch, middle, r->n_tiles);
		sr_nest_execute(r, buffers, scratch, 0, middle);
		check_output(c, 0, c->instrs[c->stages[2].first + c->stages[2].n - 1].args[0], c->nest.n_loops, seed);
		check_output(c, 1, c->instrs[c->stages[3].first].args[0], c->nest.n_parallel, seed);
		free(scratch);
		sr_nest_release(r);
		free(nest);
	}
	ck_assert_int_gt(n_recorded, 5);
	free(c);
}
END_TEST

/* Values that do not depend on the outermost loop are computed again only if they change from tile to tile. */
START_TEST(kept_values_match_point_by_point_evaluation)
{
	static const int64_t extents[][3] = {{1, 50, 600}, {1, 9, 4100}, {3, 2, 5000}, {40, 7, 100}, {5, 30, 31}};
	struct nest_case *c = malloc(sizeof *c);
	*c = (struct nest_case){.seed = (unsigned)_i + 1, .constants = {77}};
	c->nest = (struct sr_nest){.n_loops = 3, .n_parallel = 3, .n_inputs = 3, .n_outputs = 2, .n_stages = 1,
				   .constant_bytes = 16};
	memcpy(c->nest.extent, extents[_i], sizeof extents[_i]);
	int constant = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_CONSTANT}, 0, true), x[3];
	for (int k = 0; k < 3; k++) { /* x[0]: one row for all; x[1]: a matrix for the loops in the middle; x[2]: elements */
		int64_t n = c->nest.extent[2];
		c->accesses[c->nest.n_accesses++] = (struct sr_nest_access){
			.buffer = k, .fill = -1, .stride = {k > 1 ? n * c->nest.extent[1] : 0, k > 0 ? n : 0, 1}};
		x[k] = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = k}, 0, true);
	}
	int row = new_map(c, 0, x[0], constant), kept = new_map(c, 0, row, x[1]), sum = new_map(c, 0, kept, x[2]);
	new_store(c, 0, 3, new_map(c, 0, sum, x[0]), 0);
	new_store(c, 0, 3, new_map(c, 0, row, x[2]), 1);
	struct sr_nest *nest = pack_with_inputs(c, (unsigned)_i);
	struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
	void *buffers[5] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], c->buffers[4]};
	ck_assert(r->slots[row].is_kept && !r->slots[sum].is_kept);
	ck_assert_int_eq(r->slots[kept].is_kept, c->nest.extent[0] > 1);
	execute_nest(r, buffers);
	check_output(c, 0, c->instrs[c->nest.n_instrs - 3].args[0], 3, (unsigned)_i);
	check_output(c, 1, c->instrs[c->nest.n_instrs - 1].args[0], 3, (unsigned)_i);
	release_case(c, nest, r);
}
END_TEST

/* Build a nest of `count` STOREs whose elements are `count` apart, in random order, to buffer 3 or to buffers 3 and 4 in turn. */
static void make_interleaved_case(struct nest_case *c, int count)
{
	static const int extents[] = {1, 2, 5, 70, 300};
	int loops = 1 + random_below(c, 3), first = random_below(c, count), n_buffers = 1 + random_below(c, 2);
	*c = (struct nest_case){.seed = c->seed, .constants = {77}};
	c->nest = (struct sr_nest){.n_loops = loops, .n_parallel = loops, .n_inputs = 3, .n_outputs = 2, .n_stages = 1,
				   .constant_bytes = 16};
	int64_t n = 1;
	for (int l = 0; l < loops; l++) {
		c->nest.extent[l] = extents[random_below(c, 5)];
		c->nest.extent[l] = n * c->nest.extent[l] > ELEMENTS / 8 ? 2 : c->nest.extent[l];
		n *= c->nest.extent[l];
	}
	int value[4], constant = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_CONSTANT}, 0, true);
	for (int k = 0; k < count; k++)
		value[k] = random_below(c, 9) ? new_map(c, 0, new_load(c, 0, loops, -1), constant) : constant;
	for (int k = 0; k < count; k++) {
		int at = (first + k) % count;
		new_store(c, 0, loops, value[at], k % n_buffers);
		struct sr_nest_access *a = &c->accesses[c->nest.n_accesses - 1];
		a->offset = at;
		for (int l = 0; l < loops; l++)
			a->stride[l] *= count;
	}
}

/* STOREs that together store contiguous elements, whether their buffers are at one address or not. */
START_TEST(interleaved_stores_match_point_by_point_evaluation)
{
	struct nest_case *c = malloc(sizeof *c);
	int n_found = 0;
	for (unsigned seed = (unsigned)_i * 60; seed < (unsigned)_i * 60 + 60; seed++) {
		int count = 2 + (int)seed % 3;
		c->seed = seed;
		make_interleaved_case(c, count);
		struct sr_nest *nest = pack_with_inputs(c, seed);
		struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
		void *buffers[5] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], c->buffers[3 + seed / 3 % 2]};
		execute_nest(r, buffers);
		for (int i = 0; i < c->nest.n_instrs; i++) {
			const struct sr_nest_access *a = &c->accesses[c->instrs[i].access];
			int64_t at[SR_NEST_MAX_LOOPS] = {0};
			n_found += r->maps[i].n_interleaved == count;
			do {
				int64_t offset = a->offset;
				for (int l = 0; l < c->nest.n_loops; l++)
					offset += a->stride[l] * at[l];
				ck_assert(c->instrs[i].op != SR_NEST_STORE ||
					  value_at(c, c->instrs[i].args[0], at) == ((int32_t *)buffers[a->buffer])[offset]);
			} while (next_iteration(c, at, 0, c->nest.n_loops));
		}
		sr_nest_release(r);
		free(nest);
	}
	ck_assert_int_gt(n_found, 30);
	free(c);
}
END_TEST

/* Build a nest of `count` LOADs whose elements are `count` apart, in random order. */
static void make_interleaved_loads(struct nest_case *c, int count)
{
	static const int extents[] = {1, 2, 5, 70, 300};
	int loops = 1 + random_below(c, 2), first = random_below(c, count), value[4], sum = -1;
	*c = (struct nest_case){.seed = c->seed, .constants = {77}};
	c->nest = (struct sr_nest){.n_loops = loops, .n_parallel = loops, .n_inputs = 3, .n_outputs = 2, .n_stages = 1,
				   .constant_bytes = 16};
	for (int l = 0; l < loops; l++)
		c->nest.extent[l] = l ? 7 : extents[random_below(c, 5)];
	for (int k = 0; k < count; k++) {
		int64_t stride = count;
		struct sr_nest_access a = {.buffer = random_below(c, 8) / 7, .offset = (first + k) % count, .fill = -1};
		for (int l = loops - 1; l >= 0; l--) {
			a.stride[l] = stride;
			stride *= c->nest.extent[l];
		}
		c->accesses[c->nest.n_accesses] = a;
		value[k] = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = c->nest.n_accesses++}, 0, true);
		sum = k ? new_map(c, 0, sum, value[k]) : value[k];
	}
	new_store(c, 0, loops, sum, 0);
	new_store(c, 0, loops, value[count - 1], 1);
}

/* LOADs that together load contiguous elements. */
START_TEST(interleaved_loads_match_point_by_point_evaluation)
{
	struct nest_case *c = malloc(sizeof *c);
	int n_found = 0;
	for (unsigned seed = (unsigned)_i * 60; seed < (unsigned)_i * 60 + 60; seed++) {
		int count = 2 + (int)seed % 3;
		c->seed = seed;
		make_interleaved_loads(c, count);
		struct sr_nest *nest = pack_with_inputs(c, seed);
		struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
		void *buffers[5] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], c->buffers[4]};
		execute_nest(r, buffers);
		for (int i = 0; i < c->nest.n_instrs; i++)
			n_found += r->maps[i].n_interleaved == count;
		for (int k = 0; k < 2; k++)
			check_output(c, k, c->instrs[c->nest.n_instrs - 2 + k].args[0], c->nest.n_loops, seed);
		sr_nest_release(r);
		free(nest);
	}
	ck_assert_int_gt(n_found, 30);
	free(c);
}
END_TEST

/* Add a LOAD of a matrix, or of several matrices, shifted along rows and columns by at most `reach`, with bounds. */
static int new_shifted_load(struct nest_case *c, int pitch, int reach, int fill)
{
	int n = c->nest.n_loops, height = n > 1 ? (int)c->nest.extent[n - 2] : 1, width = (int)c->nest.extent[n - 1];
	int n_buffers = c->outputs[0].may_share ? 2 : 3;
	struct sr_nest_access a = {.buffer = random_below(c, n_buffers), .fill = fill, .first_dim = c->nest.n_dims};
	for (int k = n > 1 ? 0 : 1; k < 2; k++) {
		struct sr_nest_dim d = {.offset = random_below(c, 2 * reach + 1) - reach, .divisor = 1,
					.extent = k ? width : height, .stride = k ? 1 : pitch, .index = -1};
		d.coef[n - 2 + k] = 1;
		if (random_below(c, 12) == 0) { /* in reverse order */
			d.coef[n - 2 + k] = -1;
			d.offset += d.extent - 1;
		}
		c->dims[c->nest.n_dims++] = d;
		a.n_dims++;
	}
	if (n > 2)
		a.stride[0] = height * pitch;
	c->accesses[c->nest.n_accesses] = a;
	return new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = c->nest.n_accesses++}, 0, true);
}

/* Build a nest that combines shifted matrices, whose fill values are a constant or other shifted matrices. If `shares`, the first
 * output may be in the memory of input 2, of which each element is read where it is written. */
static void make_stencil(struct nest_case *c, bool shares)
{
	static const int widths[] = {36, 60, 130, 300, 700};
	int loops = 1 + random_below(c, 3), reach = random_below(c, 4) ? 2 : 9, count = 2 + random_below(c, 4), fill, sum = -1;
	*c = (struct nest_case){.seed = c->seed, .constants = {77}};
	c->nest = (struct sr_nest){.n_loops = loops, .n_parallel = loops, .n_inputs = 3, .n_outputs = 2, .n_stages = 1,
				   .constant_bytes = 16};
	for (int l = 0; l < loops; l++)
		c->nest.extent[l] = l == loops - 1 ? widths[random_below(c, 5)] : 2 + random_below(c, l ? 14 : loops == 2 ? 40 : 2);
	int pitch = (int)c->nest.extent[loops - 1] + random_below(c, 2) * 3;
	c->outputs[0].may_share = shares ? 1 << 2 : 0;
	fill = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_CONSTANT}, 0, true);
	for (int k = 0; k < count; k++) {
		int value = new_shifted_load(c, pitch, reach, fill);
		if (random_below(c, 3) == 0)
			value = new_shifted_load(c, pitch, reach, value);
		fill = random_below(c, 4) ? fill : value; /* then the value is read as well */
		sum = k ? new_map(c, 0, sum, value) : value;
	}
	if (shares) {
		struct sr_nest_access same = {.buffer = 2, .fill = -1};
		for (int64_t l = loops - 1, stride = 1; l >= 0; stride *= c->nest.extent[l--])
			same.stride[l] = stride;
		c->accesses[c->nest.n_accesses] = same;
		int x = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = c->nest.n_accesses++}, 0, true);
		sum = new_map(c, 0, sum, x);
	}
	int twice = new_map(c, 0, sum, sum);
	new_store(c, 0, loops, sum, 0);
	new_store(c, 0, loops, twice, 1);
}

/* Stencils read the elements in bounds where they are, and compute those at the borders from copies, also if they write the memory
 * of another input. Tiles of a few rows with the same borders are executed by the calls that were recorded for one of them. */
START_TEST(stencils_match_point_by_point_evaluation)
{
	static int32_t want[2][ELEMENTS], shared[ELEMENTS];
	struct nest_case *c = malloc(sizeof *c);
	int n_views = 0, n_recorded = 0, n_shared = 0;
	for (unsigned seed = (unsigned)_i * 60; seed < (unsigned)_i * 60 + 60; seed++) {
		bool shares = seed % 3 == 0;
		c->seed = seed;
		make_stencil(c, shares);
		struct sr_nest *nest = pack_with_inputs(c, seed);
		struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
		void *buffers[5] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], c->buffers[4]};
		for (int is_recorded = 0; is_recorded < 2; is_recorded++) {
			void *scratch = is_recorded ? shrink_tiles(c, r, r->n_parallel - 1) : set_tiles(r);
			memset(c->buffers[3], 0, sizeof want);
			memcpy(shared, c->buffers[2], sizeof shared);
			if (shares)
				buffers[2] = buffers[3] = shared;
			sr_nest_execute(r, buffers, scratch, 0, r->n_tiles);
			if (shares)
				memcpy(c->buffers[3], shared, sizeof shared);
			for (int k = 0; k < 2 && !is_recorded; k++)
				check_output(c, k, c->instrs[c->nest.n_instrs - 2 + k].args[0], c->nest.n_loops, seed);
			ck_assert_msg(!is_recorded || !memcmp(c->buffers[3], want, sizeof want), "nest %u, recorded tiles", seed);
			memcpy(want, c->buffers[3], sizeof want);
			free(scratch);
		}
		n_views += r->n_view_operands;
		n_shared += shares && r->n_view_operands;
		n_recorded += r->n_recordings == SR_NEST_RECORDINGS;
		sr_nest_release(r);
		free(nest);
	}
	ck_assert_int_gt(n_views, 100);
	ck_assert_int_gt(n_shared, 5);
	ck_assert_int_gt(n_recorded, 5);
	free(c);
}
END_TEST

/* The first and the last tile of a matrix touch its opposite ends: the calls that were recorded for one are not those of the
 * other. */
START_TEST(tiles_at_opposite_ends_are_of_different_classes)
{
	enum { MATRICES = 9, ROWS = 12, COLUMNS = 300, TILE = 3, BEFORE = 2, INSIDE = ROWS - 2 * BEFORE };
	struct nest_case *c = malloc(sizeof *c);
	*c = (struct nest_case){.seed = 3, .constants = {77}};
	c->nest = (struct sr_nest){.n_loops = 3, .n_parallel = 3, .n_inputs = 3, .n_outputs = 2, .n_stages = 1,
				   .constant_bytes = 16, .extent = {MATRICES, ROWS, COLUMNS}, .n_accesses = 2, .n_dims = 1};
	int fill = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_CONSTANT}, 0, true);
	c->accesses[0] = (struct sr_nest_access){.fill = fill, .stride = {INSIDE * COLUMNS, 0, 1}, .n_dims = 1};
	c->dims[0] = (struct sr_nest_dim){.coef = {0, 1, 0}, .offset = -BEFORE, .divisor = 1, .extent = INSIDE, .stride = COLUMNS,
					  .index = -1};
	c->accesses[1] = (struct sr_nest_access){.buffer = 1, .fill = -1, .stride = {ROWS * COLUMNS, COLUMNS, 1}};
	int x = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD}, 0, true);
	int y = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = 1}, 0, true), z = new_map(c, 0, new_map(c, 0, x, y), y);
	new_store(c, 0, 3, z, 0);
	new_store(c, 0, 3, z, 1);
	struct sr_nest *nest = pack_with_inputs(c, 0);
	struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
	void *buffers[5] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], c->buffers[4]};
	ck_assert_int_eq(r->n_parallel, 3);
	r->tile_size[0] = 1;
	r->tile_size[1] = TILE;
	void *scratch = set_tiles(r);
	ck_assert_int_eq(r->n_recordings, SR_NEST_RECORDINGS);
	sr_nest_execute(r, buffers, scratch, 0, r->n_tiles);
	check_output(c, 0, z, 3, 0);
	check_output(c, 1, z, 3, 0);
	free(scratch);
	release_case(c, nest, r);
}
END_TEST

/* Random sums, differences and products of floats, with single elements among them. */
START_TEST(float_expressions_match_point_by_point_evaluation)
{
	enum { COUNT = 700, INPUTS = 3, OPS = 14 };
	static const enum sr_kernel kernels[] = {SR_KERNEL_ADD, SR_KERNEL_SUBTRACT, SR_KERNEL_MULTIPLY};
	static float in[INPUTS][COUNT], got[2][COUNT];
	struct nest_case *c = malloc(sizeof *c);
	int n_steps = 0;
	for (unsigned seed = 1; seed <= 200; seed++) {
		*c = (struct nest_case){.seed = seed};
		c->nest = (struct sr_nest){.n_loops = 1, .n_parallel = 1, .n_inputs = INPUTS, .n_outputs = 2, .n_stages = 1,
					   .constant_bytes = 16, .extent = {COUNT}, .n_accesses = INPUTS};
		float one = 0.75F;
		memcpy(c->constants, &one, sizeof one);
		new_instr(c, (struct sr_nest_instr){.op = SR_NEST_CONSTANT}, 0, true);
		for (int k = 0; k < INPUTS; k++) {
			for (int i = 0; i < COUNT; i++)
				in[k][i] = (float)(random_below(c, 2001) - 1000) / 7;
			c->accesses[k] = (struct sr_nest_access){.buffer = k, .fill = -1, .stride = {k < 2}};
			new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = k}, 0, true);
		}
		for (int k = 0; k < OPS; k++) {
			int n = c->nest.n_values, x = random_below(c, 3) ? n - 1 : random_below(c, n);
			int y = random_below(c, 8) ? random_below(c, n) : x, swaps = random_below(c, 2);
			enum sr_kernel kernel = kernels[random_below(c, 3)];
			new_instr(c, (struct sr_nest_instr){.op = SR_NEST_MAP, .kernel = (uint16_t)kernel, .n_args = 2,
							    .args = {swaps ? y : x, swaps ? x : y}}, 0, true);
		}
		for (int k = 0; k < 2; k++)
			new_store(c, 0, 1, c->nest.n_values - 1 - 3 * k, k);
		for (int v = 0; v < c->nest.n_values; v++)
			c->values[v].dtype = SR_F32;
		for (int i = 0; i < c->nest.n_instrs; i++)
			c->instrs[i].type = SR_F32;
		struct sr_nest *nest = pack_nest(c);
		struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
		execute_nest(r, (void *[]){in[0], in[1], in[2], got[0], got[1]});
		n_steps += r->code->groups[0].n_steps;
		for (int i = 0; i < COUNT; i++) {
			float v[1 + INPUTS + OPS] = {one, in[0][i], in[1][i], in[2][0]};
			for (int k = 0; k < OPS; k++) {
				const struct sr_nest_instr *m = &c->instrs[1 + INPUTS + k];
				float x = v[m->args[0]], y = v[m->args[1]];
				v[m->result] = m->kernel == SR_KERNEL_ADD ? x + y : m->kernel == SR_KERNEL_SUBTRACT ? x - y : x * y;
			}
			for (int k = 0; k < 2; k++) {
				float want = v[INPUTS + OPS - 3 * k];
				ck_assert_msg(!memcmp(&want, &got[k][i], sizeof want) || (want != want && got[k][i] != got[k][i]),
					      "seed %d, element %d of output %d: %g, not %g", (int)seed, i, k, (double)got[k][i],
					      (double)want);
			}
		}
		sr_nest_release(r);
		free(nest);
	}
	ck_assert_int_lt(n_steps, 200 * OPS); /* several instructions are one op */
	free(c);
}
END_TEST

/* Rows at given indices that are only stored, and a stored result that another instruction reads, are written where they are
 * stored. */
START_TEST(stored_values_are_written_in_place)
{
	enum { ROWS = 60, COLUMNS = 70 };
	struct nest_case *c = malloc(sizeof *c);
	*c = (struct nest_case){.seed = 3, .constants = {77}};
	c->nest = (struct sr_nest){.n_loops = 2, .n_parallel = 2, .n_inputs = 3, .n_outputs = 2, .n_stages = 1,
				   .constant_bytes = 16, .extent = {ROWS, COLUMNS}, .n_accesses = 3};
	c->accesses[0] = (struct sr_nest_access){.fill = -1, .stride = {1}};
	c->accesses[1] = (struct sr_nest_access){.buffer = 1, .fill = -1, .stride = {0, 1}, .n_dims = 1};
	c->accesses[2] = (struct sr_nest_access){.buffer = 2, .fill = -1, .stride = {COLUMNS, 1}};
	int index = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD}, 0, true);
	c->dims[c->nest.n_dims++] = (struct sr_nest_dim){.divisor = 1, .stride = COLUMNS, .limit = 40, .index = index};
	int row = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = 1}, 0, true);
	int x = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = 2}, 0, true);
	int sum = new_map(c, 0, new_map(c, 0, x, x), x);
	new_map(c, 0, sum, x);
	new_store(c, 0, 2, row, 0);
	new_store(c, 0, 2, sum, 1);
	struct sr_nest *nest = pack_with_inputs(c, 0);
	struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, 1);
	void *buffers[5] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], c->buffers[4]};
	execute_nest(r, buffers);
	ck_assert_int_eq(r->slots[row].is_streamed, r->access->stream != NULL);
	ck_assert_int_ge(r->slots[sum].direct_store, 0);
	check_output(c, 0, row, 2, 0);
	check_output(c, 1, sum, 2, 0);
	r->is_streamed = r->slots[row].is_streamed = false;
	memset(c->buffers[3], 0, 2 * sizeof c->buffers[3]);
	execute_nest(r, buffers);
	check_output(c, 0, row, 2, 0);
	check_output(c, 1, sum, 2, 0);
	release_case(c, nest, r);
}
END_TEST

/* Vector code streams results that are only stored, if the nest's outputs are large. */
START_TEST(results_of_vector_code_are_streamed)
{
	enum { ROWS = 9, COLUMNS = 1030 };
	static _Alignas(64) int32_t out[ROWS * COLUMNS + 1];
	struct nest_case *c = malloc(sizeof *c);
	*c = (struct nest_case){.seed = 5, .constants = {77}};
	c->nest = (struct sr_nest){.n_loops = 2, .n_parallel = 2, .n_inputs = 3, .n_outputs = 2, .n_stages = 1,
				   .constant_bytes = 16, .extent = {ROWS, COLUMNS}, .n_accesses = 2};
	c->accesses[0] = (struct sr_nest_access){.fill = -1, .stride = {COLUMNS, 1}};
	c->accesses[1] = (struct sr_nest_access){.buffer = 1, .fill = -1, .stride = {0, 1}};
	int x = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD}, 0, true);
	int y = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = 1}, 0, true);
	int first = new_map(c, 0, x, y), last = new_map(c, 0, new_map(c, 0, first, y), x);
	new_store(c, 0, 2, first, 0);
	new_store(c, 0, 2, last, 1);
	struct sr_nest *nest = pack_with_inputs(c, 0);
	struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, 1);
	ck_assert(!r->slots[first].is_streamed); /* another instruction reads it */
	ck_assert_int_eq(r->slots[last].is_streamed, r->access->stream != NULL);
	for (int is_streamed = r->is_streamed; is_streamed >= 0; is_streamed--)
		for (int shift = 0; shift < 2; shift++) { /* the output is aligned, or is not */
			r->is_streamed = is_streamed;
			memset(out, 0, sizeof out);
			execute_nest(r, (void *[]){c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], out + shift});
			memcpy(c->buffers[4], out + shift, sizeof out - sizeof *out);
			check_output(c, 0, first, 2, 0);
			check_output(c, 1, last, 2, 0);
		}
	release_case(c, nest, r);
}
END_TEST

/* Rows at computed indices: the index is the same for all elements of a row. */
START_TEST(computed_indices_of_rows_are_invariant)
{
	struct nest_case *c = malloc(sizeof *c);
	*c = (struct nest_case){.seed = 9, .constants = {77}};
	c->nest = (struct sr_nest){.n_loops = 3, .n_parallel = 3, .n_inputs = 3, .n_outputs = 2, .n_stages = 1,
				   .constant_bytes = 16, .extent = {20, 30, 17}};
	c->accesses[0] = (struct sr_nest_access){.fill = -1, .stride = {30, 1}};
	c->accesses[1] = (struct sr_nest_access){.buffer = 1, .fill = -1, .n_dims = 2, .stride = {0, 0, 1}};
	c->nest.n_accesses = 2;
	int x = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD}, 0, true), index[2] = {new_map(c, 0, x, x)};
	index[1] = new_map(c, 0, index[0], x);
	for (int k = 0; k < 2; k++)
		c->dims[k] = (struct sr_nest_dim){.divisor = 1, .stride = k ? 17 : 340, .limit = 19, .index = index[k]};
	c->nest.n_dims = 2;
	new_store(c, 0, 3, new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = 1}, 0, true), 0);
	struct sr_nest *nest = pack_with_inputs(c, 0);
	struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
	void *buffers[5] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], c->buffers[4]};
	for (int k = 0; k < 2; k++)
		ck_assert_uint_eq(r->dims[k].invariant_loops & 3, 2); /* of the two loops that remain */
	execute_nest(r, buffers);
	check_output(c, 0, c->instrs[c->nest.n_instrs - 1].args[0], 3, 0);
	release_case(c, nest, r);
}
END_TEST

/* Sums of columns that are read in place have several rows in a tile. */
START_TEST(tiles_of_columns_have_several_rows)
{
	enum { COLUMNS = 5000, ROWS = 20 };
	for (int is_mapped = 0; is_mapped < 2; is_mapped++) {
		struct nest_case *c = calloc(1, sizeof *c);
		c->seed = 3;
		c->nest = (struct sr_nest){.n_loops = 2, .n_parallel = 1, .n_inputs = 3, .n_outputs = 2, .n_stages = 3,
					   .constant_bytes = 16, .extent = {COLUMNS, ROWS}};
		c->accesses[c->nest.n_accesses++] = (struct sr_nest_access){.fill = -1, .stride = {1, COLUMNS}};
		int init = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_CONSTANT}, 0, true);
		c->stages[1] = (struct sr_nest_stage){1, 0, 1, 0};
		int x = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD}, 1, true);
		x = is_mapped ? new_map(c, 1, x, x) : x;
		int sum = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_REDUCE, .kernel = SR_KERNEL_ADD, .n_args = 2,
							      .args = {x, init}}, 1, true);
		c->stages[2] = (struct sr_nest_stage){c->nest.n_instrs, 0, 0, 0};
		new_store(c, 2, 1, sum, 0);
		struct sr_nest *nest = pack_nest(c);
		struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
		ck_assert_int_eq(r->tile_size[0], 4096);
		ck_assert_int_eq(r->tile_size[1], is_mapped ? 1 : 8);
		release_case(c, nest, r);
	}
}
END_TEST

/* Outputs are streamed if they have enough bytes together and tiles store long rows. */
START_TEST(nests_stream_large_outputs)
{
	static const struct {
		int64_t rows, columns, stride, stream_bytes;
		bool is_streamed;
	} cases[] = {
		{100, 64, 64, 2 * 100 * 64 * 4, true},      {100, 64, 64, 2 * 100 * 64 * 4 + 1, false}, /* both outputs count */
		{100, 64, 90, 2 * 100 * 64 * 4, true},      {100, 63, 90, 1, false}, /* rows with gaps between them */
		{100, 64, 64, SR_NEST_STREAM_BYTES, false}, {100, 64, 64, INT64_MAX, false},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct nest_case *c = calloc(1, sizeof *c);
		c->nest = (struct sr_nest){.n_loops = 2, .n_parallel = 2, .n_inputs = 3, .n_outputs = 2, .n_stages = 1,
					   .extent = {cases[i].rows, cases[i].columns}};
		for (int output = 0; output < 2; output++) {
			struct sr_nest_access a = {.fill = -1, .buffer = output, .stride = {cases[i].stride, 1}};
			c->accesses[c->nest.n_accesses++] = a;
			int x = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_LOAD, .access = 2 * output}, 0, true);
			a.buffer = 3 + output;
			c->accesses[c->nest.n_accesses++] = a;
			struct sr_nest_instr store = {.op = SR_NEST_STORE, .access = 2 * output + 1, .n_args = 1, .args = {x}};
			new_instr(c, store, 0, false);
		}
		struct sr_nest *nest = pack_with_inputs(c, (unsigned)i);
		struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, cases[i].stream_bytes);
		ck_assert_msg(r->is_streamed == (cases[i].is_streamed && r->access->stream), "case %d", (int)i);
		release_case(c, nest, r);
	}
}
END_TEST

/* Build a nest without inner loops and with few iterations. */
static void make_small_case(struct nest_case *c)
{
	int loops = random_below(c, 4);
	static const int extents[] = {1, 2, 3, 7, 16};
	*c = (struct nest_case){.seed = c->seed, .constants = {77}};
	c->nest = (struct sr_nest){.n_loops = loops, .n_parallel = loops, .n_inputs = 3, .n_outputs = 2, .n_stages = 2,
				   .constant_bytes = 16};
	for (int l = 0; l < loops; l++)
		c->nest.extent[l] = extents[random_below(c, 5)];
	int fill_value = new_instr(c, (struct sr_nest_instr){.op = SR_NEST_CONSTANT}, 0, true);
	c->stages[1] = (struct sr_nest_stage){c->nest.n_instrs, 0, 0};
	int x = new_load(c, 1, loops, fill_value), y = new_map(c, 1, x, new_load(c, 1, loops, fill_value));
	new_store(c, 1, loops, new_map(c, 1, y, random_below(c, 2) ? fill_value : x), 0);
	new_store(c, 1, loops, random_below(c, 2) ? x : y, 1);
}

/* Translate a nest whose outputs share no memory or, as far as the translation knows, all memory with its inputs, and run the code.
 * Returns false if the nest is not translated. */
static bool run_code(struct nest_case *c, const struct sr_nest_prepared *r, void **buffers)
{
	struct sr_arena *arena = sr_arena_new();
	struct sr_code code = {0};
	uint64_t all = random_below(c, 2) ? 7 : 0;
	bool is_translated = sr_code_push_nest(&code, arena, r, 0, (uint64_t[]){all, all});
	char *memory = aligned_alloc(64, ((size_t)sr_code_bytes(&code) + 63) / 64 * 64);
	if (is_translated)
		sr_code_run(&code, buffers, NULL, memory, NULL);
	free(memory);
	sr_arena_free(arena);
	return is_translated;
}

START_TEST(small_nests_as_code_match_point_by_point_evaluation)
{
	struct nest_case *c = malloc(sizeof *c);
	int n_translated = 0;
	for (unsigned seed = (unsigned)_i * 100; seed < (unsigned)_i * 100 + 100; seed++) {
		c->seed = seed;
		make_small_case(c);
		struct sr_nest *nest = pack_with_inputs(c, seed);
		struct sr_nest_prepared *r = sr_nest_prepare(nest, &table, SR_NEST_STREAM_BYTES);
		void *buffers[5] = {c->buffers[0], c->buffers[1], c->buffers[2], c->buffers[3], c->buffers[4]};
		if (run_code(c, r, buffers)) {
			n_translated++;
			for (int k = 0; k < 2; k++)
				check_output(c, k, c->instrs[c->nest.n_instrs - 2 + k].args[0], c->nest.n_loops, seed);
		}
		sr_nest_release(r);
		free(nest);
	}
	ck_assert_int_gt(n_translated, 50);
	free(c);
}
END_TEST

/* A nest in which any one byte was changed is refused, or accesses only its buffers. */
START_TEST(corrupted_nests_are_refused)
{
	struct nest_case *c = malloc(sizeof *c);
	const char *why = NULL;
	c->seed = 3;
	make_case(c);
	c->accesses[0].offset = ELEMENTS;
	struct sr_nest *nest = pack_nest(c);
	ck_assert(!sr_nest_check(nest, nest->bytes, nest_elements, nest_types, 5, &why));
	ck_assert_str_eq(why, "a loop nest reaches outside its buffers");
	ck_assert(!sr_nest_check(nest, nest->bytes - 1, nest_elements, nest_types, 5, &why));
	ck_assert(!sr_nest_check(nest, nest->bytes, nest_elements, nest_types, 4, &why));
	free(nest);
	c->accesses[0].offset = 0;
	c->instrs[c->stages[1].first].result = c->instrs[0].result;
	c->instrs[c->stages[1].first + 1].args[0] = MAX_ITEMS;
	nest = pack_nest(c);
	ck_assert(!sr_nest_check(nest, nest->bytes, nest_elements, nest_types, 5, &why));
	free(nest);
	make_case(c);
	nest = pack_nest(c);
	static const unsigned char replacements[] = {0, 1, 0x7f, 0x80, 0xff};
	for (uint64_t at = 0, bytes = nest->bytes; at < bytes; at++) /* the sanitizers check the accesses of each altered nest */
		for (size_t k = 0; k < sizeof replacements; k++) {
			unsigned char *byte = (unsigned char *)nest + at, old_byte = *byte;
			*byte = replacements[k];
			ck_assert(sr_nest_check(nest, bytes, nest_elements, nest_types, 5, &why) || why);
			*byte = old_byte;
		}
	free(nest);
	free(c);
}
END_TEST
