/* Unit tests of src/codegen: compiled loop nests against interpreted ones, for every elementwise function and type, reductions,
 * bounds and random nests, bit for bit. */
#include "codegen/jit.h"
#include "codegen/nest_form.h"
#include "kernels/element.h"
#include "kernels/fast/fast.h"
#include "kernels/nest/nest_prepared.h"
#include "tests/unit/scratch.h"
#include "tests/unit/suite.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITERATIONS = 1003, NESTS = 512, MAX_INSTRS = 64, ELEMENTS = 1 << 15, PADDING = 1 << 12 };

static struct sr_arena *arena;
static struct sr_kernels kernels;
static uint64_t seed = 1;

static uint64_t next_random(uint64_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % n;
}

/* ---- building nests ---- */

struct nest_builder {
	struct sr_nest t;
	struct sr_nest_stage stages[8];
	struct sr_nest_instr instrs[MAX_INSTRS];
	struct sr_nest_value values[MAX_INSTRS];
	struct sr_nest_access accesses[MAX_INSTRS];
	struct sr_nest_dim dims[MAX_INSTRS];
	struct sr_nest_output outputs[8];
	char constants[256];
	int64_t elements[8]; /* number of elements of each buffer */
	int lanes;           /* number of lanes of all reductions; 0: the number that sr_nest_set_order selects */
	uint8_t types[8];
};

static struct sr_nest_instr *add(struct nest_builder *m, enum sr_nest_op op, enum sr_dtype type)
{
	struct sr_nest_instr *in = &m->instrs[m->t.n_instrs++];
	struct sr_nest_stage *stage = &m->stages[m->t.n_stages - 1];
	*in = (struct sr_nest_instr){.op = op, .type = (uint8_t)type, .result = -1, .access = -1};
	stage->n++;
	if (op != SR_NEST_STORE) {
		in->result = m->t.n_values++;
		m->values[in->result] = (struct sr_nest_value){.dtype = (uint8_t)type, .stage = (int16_t)(m->t.n_stages - 1)};
	}
	return in;
}

static void add_stage(struct nest_builder *m, bool over_inner)
{
	m->stages[m->t.n_stages++] = (struct sr_nest_stage){.first = m->t.n_instrs, .over_inner = over_inner};
}

static int add_map(struct nest_builder *m, enum sr_kernel kernel, enum sr_dtype type, enum sr_dtype to, int n, const int *args)
{
	struct sr_nest_instr *in = add(m, SR_NEST_MAP, to);
	in->type = (uint8_t)type;
	in->kernel = (uint16_t)kernel;
	in->n_args = (uint8_t)n;
	for (int i = 0; i < n; i++)
		in->args[i] = args[i];
	return in->result;
}

static int add_constant(struct nest_builder *m, enum sr_dtype type, double v)
{
	struct sr_nest_instr *in = add(m, SR_NEST_CONSTANT, type);
	in->constant = (int32_t)m->t.constant_bytes;
	sr_element_set(type, m->constants + in->constant, (int64_t)v, v, 0);
	m->t.constant_bytes += 16;
	return in->result;
}

/* Add a dense indexing map along the loops of `order`, the last one contiguous. If the buffer is read, it gets as many elements
 * as there are iterations. */
static struct sr_nest_access *add_access(struct nest_builder *m, int buffer, int n, const int *order)
{
	struct sr_nest_access *a = &m->accesses[m->t.n_accesses++];
	int64_t stride = 1;
	*a = (struct sr_nest_access){.buffer = buffer, .fill = -1, .first_dim = m->t.n_dims};
	for (int i = n - 1; i >= 0; i--) {
		a->stride[order[i]] = stride;
		stride *= m->t.extent[order[i]];
	}
	m->elements[buffer] = stride > m->elements[buffer] ? stride : m->elements[buffer];
	return a;
}

static int add_load(struct nest_builder *m, enum sr_dtype type, int buffer, int n, const int *order)
{
	add_access(m, buffer, n, order);
	struct sr_nest_instr *in = add(m, SR_NEST_LOAD, type);
	in->access = m->t.n_accesses - 1;
	m->types[buffer] = (uint8_t)type;
	return in->result;
}

static void add_store(struct nest_builder *m, int value, int buffer, int n, const int *order)
{
	add_access(m, buffer, n, order);
	struct sr_nest_instr *in = add(m, SR_NEST_STORE, (enum sr_dtype)m->values[value].dtype);
	in->access = m->t.n_accesses - 1;
	in->n_args = 1;
	in->args[0] = value;
	m->types[buffer] = m->values[value].dtype;
}

static const struct sr_nest *finish_nest(struct nest_builder *m)
{
	struct sr_buf out;
	struct sr_nest nest = m->t;
	const char *why = NULL;
	sr_buf_init(&out, arena);
	sr_buf_put_aligned(&out, &nest, sizeof nest);
	nest.stages = sr_buf_put_aligned(&out, m->stages, (size_t)nest.n_stages * sizeof *m->stages);
	nest.instrs = sr_buf_put_aligned(&out, m->instrs, (size_t)nest.n_instrs * sizeof *m->instrs);
	nest.values = sr_buf_put_aligned(&out, m->values, (size_t)nest.n_values * sizeof *m->values);
	nest.accesses = sr_buf_put_aligned(&out, m->accesses, (size_t)nest.n_accesses * sizeof *m->accesses);
	nest.dims = sr_buf_put_aligned(&out, m->dims, (size_t)nest.n_dims * sizeof *m->dims);
	nest.outputs = sr_buf_put_aligned(&out, m->outputs, (size_t)nest.n_outputs * sizeof *m->outputs);
	nest.constants = sr_buf_put_aligned(&out, m->constants, nest.constant_bytes);
	sr_buf_put_aligned(&out, NULL, 0);
	nest.bytes = (uint32_t)out.n;
	memcpy(out.data, &nest, sizeof nest);
	struct sr_nest *copy = sr_alloc(arena, out.n, 1);
	memcpy(copy, out.data, out.n);
	if (!m->lanes)
		sr_nest_set_order(copy, arena);
	for (int s = 0; m->lanes && s < nest.n_stages; s++)
		if (m->stages[s].over_inner)
			((struct sr_nest_stage *)(void *)((char *)copy + copy->stages))[s].lanes = m->lanes;
	ck_assert_msg(sr_nest_check(copy, nest.bytes, m->elements, m->types, nest.n_inputs + nest.n_outputs, &why), "%s", why);
	return copy;
}

/* ---- comparing ---- */

/* Fill a buffer with test values. Products of complex numbers stay in range: they may overflow in one version and not in the
 * other. */
static void fill_buffer(enum sr_dtype t, char *to, int64_t n)
{
	const double max_magnitude = sr_dtypes[t].class == SR_CLASS_COMPLEX ? 1e18 : 3e38;
	const double odd[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1, -1, 1e-40, max_magnitude, 0.5, 5e-324, -1e300};
	for (int64_t i = 0; i < n; i++) {
		double v = next_random(8) ? (double)next_random(2001) / 250 - 4 : odd[next_random(sizeof odd / sizeof *odd)];
		int64_t integer = next_random(8) ? (int64_t)next_random(41) - 20 : (int64_t)(UINT64_C(1) << (sr_dtypes[t].bits - 1) % 64);
		double im = next_random(8) ? (double)next_random(2001) / 250 - 4 : odd[next_random(sizeof odd / sizeof *odd)];
		sr_element_set(t, to + i * sr_dtype_bytes(t), t == SR_I1 ? integer & 1 : integer, v, im);
		uint16_t special = (uint16_t)(t == SR_BF16 && !next_random(16) ? 0x7f80 | next_random(1 << 16) : 0);
		if (special) /* an infinity or a NaN of any payload */
			memcpy(to + i * sr_dtype_bytes(t), &special, sizeof special);
		if (sr_dtype_is_float(t) && sr_dtypes[t].bits <= 8)
			to[i] = (char)next_random(UINT64_C(1) << sr_dtypes[t].bits);
	}
}

/* Return true if two complex numbers are equal up to rounding: each part may differ by rounding errors of the larger part. */
static bool are_close_complex(enum sr_dtype t, const void *a, const void *b, double ulps)
{
	double x[2], y[2];
	sr_element_get(t, a, NULL, &x[0], &x[1]);
	sr_element_get(t, b, NULL, &y[0], &y[1]);
	double size = isfinite(y[0]) && isfinite(y[1]) ? fmax(fabs(y[0]), fabs(y[1])) : 0;
	double e = ulps * (t == SR_C128 ? 0x1p-52 : 0x1p-23) * fmax(size, t == SR_C128 ? 0x1p-1022 : 0x1p-126);
	for (int i = 0; i < 2; i++)
		if (!(isnan(x[i]) && isnan(y[i])) && x[i] != y[i] && !(fabs(x[i] - y[i]) <= e))
			return false;
	return true;
}

static bool are_close(enum sr_dtype t, const void *a, const void *b, double ulps)
{
	double x = 0, y = 0;
	if (!memcmp(a, b, (size_t)sr_dtype_bytes(t)))
		return true;
	if (sr_dtypes[t].class == SR_CLASS_COMPLEX)
		return are_close_complex(t, a, b, ulps);
	if (!sr_dtype_is_float(t))
		return false;
	sr_element_get(t, a, NULL, &x, NULL);
	sr_element_get(t, b, NULL, &y, NULL);
	if (isnan(x) && isnan(y))
		return true;
	double e = ulps * (t == SR_F64 ? 0x1p-52 : t == SR_BF16 ? 0x1p-7 : t == SR_F16 ? 0x1p-10 : 0x1p-23);
	return ulps > 0 && fabs(x - y) <= e * fmax(fmax(fabs(x), fabs(y)), ulps > 1000 ? 1 : t == SR_F16 ? 0x1p-14 : t == SR_F64 ? 0x1p-1022 : 0x1p-126);
}

static struct {
	const struct sr_nest *nests[NESTS];
	struct nest_builder *makers[NESTS];
	double ulps[NESTS];
	char name[NESTS][64];
	int64_t n_chunks[NESTS]; /* expected number of chunks; 0: any */
	uint64_t n;
} all;

static void setup(void)
{
	arena = sr_arena_new();
	sr_kernels_init(&kernels);
	sr_kernels_fast_init(&kernels);
	all.n = 0;
}

static void teardown(void)
{
	sr_arena_free(arena);
}

static void collect_nest(struct nest_builder *m, double ulps, const char *name)
{
	ck_assert_uint_lt(all.n, NESTS);
	all.nests[all.n] = finish_nest(m);
	all.makers[all.n] = sr_dup(arena, m, 1, sizeof *m);
	all.ulps[all.n] = ulps;
	all.n_chunks[all.n] = 0;
	snprintf(all.name[all.n++], sizeof all.name[0], "%s", name);
}

static void compare_nest(uint64_t k, const struct sr_jit_function *compiled, int64_t cache_bytes)
{
	const struct nest_builder *m = all.makers[k];
	void *buffers[8], *expected[8];
	int n = m->t.n_inputs + m->t.n_outputs;
	for (int b = 0; b < n; b++) {
		int64_t bytes = m->elements[b] * sr_dtype_bytes((enum sr_dtype)m->types[b]);
		buffers[b] = sr_alloc(arena, (size_t)bytes + 64, 1);
		memset(buffers[b], 0x55, (size_t)bytes + 64);
		if (b < m->t.n_inputs)
			fill_buffer((enum sr_dtype)m->types[b], buffers[b], m->elements[b]);
		expected[b] = b < m->t.n_inputs ? buffers[b] : sr_dup(arena, buffers[b], (size_t)bytes + 64, 1);
	}
	struct sr_nest_prepared *prepared = sr_nest_prepare(all.nests[k], &kernels, SR_NEST_STREAM_BYTES);
	size_t n_scratch = (sr_nest_scratch(prepared) + 63) / 64 * 64;
	char *scratch = aligned_alloc(64, n_scratch + PADDING);
	memset(scratch + n_scratch, 0x55, PADDING);
	sr_nest_execute(prepared, expected, scratch, 0, sr_nest_chunk_count(prepared));
	for (int i = 0; i < PADDING; i++)
		ck_assert_msg(scratch[n_scratch + (size_t)i] == 0x55, "nest %d, %s: it writes beyond its scratch", (int)k,
			      all.name[k]);
	if (all.n_chunks[k])
		ck_assert_int_eq((compiled->iterations + compiled->grain - 1) / compiled->grain, all.n_chunks[k]);
	for (int64_t end = compiled->iterations, first; end > 0; end = first) { /* tasks may be executed in any order */
		first = (end - 1) / compiled->grain * compiled->grain;
		compiled->run(buffers, first, end, cache_bytes);
	}
	for (int b = m->t.n_inputs; b < n; b++) {
		int64_t bytes = sr_dtype_bytes((enum sr_dtype)m->types[b]);
		for (int64_t i = 0; i < m->elements[b]; i++)
			ck_assert_msg(are_close((enum sr_dtype)m->types[b], (char *)buffers[b] + i * bytes, (char *)expected[b] + i * bytes, all.ulps[k]),
				      "nest %d, %s: element %lld of buffer %d differs", (int)k, all.name[k], (long long)i, b);
		ck_assert_int_eq(((char *)buffers[b])[m->elements[b] * bytes], 0x55);
	}
	free(scratch);
	sr_nest_release(prepared);
}

/* Compile the collected nests, and compare their results with those of the interpreter. n_refused: number of nests that must not be
 * compiled. cache_bytes: as for sr_jit_function. Each generated file must contain the text `required`. */
static void compare_collected_with(int n_refused, int64_t cache_bytes, const char *required)
{
	struct sr_jit_source text;
	struct sr_jit_counts counts;
	struct sr_jit_module *module;
	struct sr_program_object object;
	const char *why = NULL;
	sr_jit_generate(NULL, all.nests, all.n, arena, &text, &counts);
	ck_assert_int_eq(text.n, all.n > 100 ? SR_JIT_SOURCE_FILES : text.n);
	ck_assert_int_eq(counts.nests - counts.compiled, n_refused);
	struct sr_jit_options o = {.compiler = "cc", .target = sr_isa_detect(), .timeout_s = 300};
	for (int k = 0; k < text.n; k++)
		ck_assert_ptr_nonnull(strstr(sr_buf_string(&text.files[k]), required));
	if (!sr_jit_compile(&o, &text, arena, &object, &why)) {
		ck_assert_msg(strstr(why, "no compiler") != NULL, "%s", why);
		return;
	}
	ck_assert_msg(sr_jit_load(object.object, object.n, all.n, &module, arena, &why), "%s", why);
	for (uint64_t k = 0; k < all.n; k++)
		if (sr_jit_function_of(module, k))
			compare_nest(k, sr_jit_function_of(module, k), cache_bytes);
	sr_jit_release(module);
	all.n = 0;
}

static void compare_collected(int n_refused)
{
	compare_collected_with(n_refused, INT64_MAX, "");
}

/* ---- elementwise ---- */

static const enum sr_dtype types[] = {SR_I1, SR_I8, SR_I16, SR_I32, SR_I64, SR_UI8, SR_UI16, SR_UI32, SR_UI64, SR_BF16, SR_F16, SR_F32, SR_F64};
enum { N_TYPES = sizeof types / sizeof *types };
static const int loop_order[] = {0, 1, 2};

static int64_t n_line_iterations = ITERATIONS; /* number of iterations of the nests that begin_line_nest creates */

static struct nest_builder begin_line_nest(int n_inputs)
{
	struct nest_builder m = {.t = {.n_loops = 1, .n_parallel = 1, .n_inputs = n_inputs, .n_outputs = 1, .extent = {n_line_iterations}}};
	add_stage(&m, false);
	return m;
}

static void collect_map(enum sr_kernel k, enum sr_dtype type, enum sr_dtype from, enum sr_dtype to, uint8_t variant, double ulps)
{
	int arity = sr_kernel_arity(k), args[3];
	char name[64];
	struct nest_builder m = begin_line_nest(arity);
	for (int i = 0; i < arity; i++)
		args[i] = add_load(&m, i ? type : from, i, 1, loop_order);
	int v = add_map(&m, k, type, to, arity, args);
	m.instrs[m.t.n_instrs - 1].variant = variant;
	add_store(&m, v, arity, 1, loop_order);
	snprintf(name, sizeof name, "%s of %s to %s", sr_kernel_name(k), sr_dtypes[type].name, sr_dtypes[to].name);
	collect_nest(&m, ulps, name);
}

/* Every compiled function gives the interpreter's bits, except complex ones whose expressions can be fused. */
START_TEST(test_functions)
{
	int n_refused = 0;
	for (int k = SR_KERNEL_NONE + 1; k < SR_KERNEL_CONVERT; k++)
		for (int t = 0; t < N_TYPES; t++) {
			if (!kernels.fn[k][types[t]])
				continue;
			n_refused += k == SR_KERNEL_POWER && sr_dtype_is_integer(types[t]);
			collect_map((enum sr_kernel)k, types[t], types[t], k == SR_KERNEL_IS_FINITE ? SR_I1 : types[t], 0, 0);
		}
	compare_collected(n_refused);
}
END_TEST

/* Outputs of several megabytes in a cache of one byte are stored past it, in rows that begin anywhere in a cache line. */
START_TEST(test_streamed_stores)
{
	static const int column[] = {1};
	for (int t = 0; t < N_TYPES; t++) {
		int64_t columns = 4099, rows = (SR_NEST_FORM_STREAMED / sr_dtype_bytes(types[t])) / columns + 2;
		struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 2, .n_inputs = 2, .n_outputs = 1, .extent = {rows, columns}}};
		add_stage(&m, false);
		int args[] = {add_load(&m, types[t], 0, 2, loop_order), add_load(&m, types[t], 1, 1, column)};
		add_store(&m, add_map(&m, SR_KERNEL_MAXIMUM, types[t], types[t], 2, args), 2, 2, loop_order);
		collect_nest(&m, 0, sr_dtypes[types[t]].name);
	}
	compare_collected_with(0, 1, "if (past_caches)");
}
END_TEST

/* Nests with few elements, whose number the C compiler knows. */
START_TEST(test_functions_of_few_elements)
{
	static const int64_t lengths[] = {1, 2, 3, 5, 7, 13, 31, 67};
	for (int k = SR_KERNEL_NONE + 1; k < SR_KERNEL_CONVERT; k++)
		for (size_t t = N_TYPES - 4; sr_kernel_work_class((enum sr_kernel)k) == SR_WORK_TRANSCENDENTAL && t < N_TYPES; t++) {
			n_line_iterations = lengths[(k + (int)t) % 8];
			collect_map((enum sr_kernel)k, types[t], types[t], types[t], 0, 0);
			n_line_iterations = lengths[(k + (int)t + 3) % 8];
			collect_map((enum sr_kernel)k, types[t], types[t], types[t], 0, 0);
		}
	n_line_iterations = ITERATIONS;
	compare_collected(0);
}
END_TEST

START_TEST(test_conversions)
{
	int n_refused = 0;
	for (int t = 0; t < N_TYPES; t++)
		for (int u = 0; u < N_TYPES; u++) {
			collect_map(SR_KERNEL_CONVERT, types[t], types[t], types[u], 0, 0);
			if (sr_dtypes[types[t]].bits == sr_dtypes[types[u]].bits && types[t] != SR_F16)
				collect_map(SR_KERNEL_BITCAST, types[t], types[t], types[u], 0, 0);
		}
	compare_collected(n_refused);
}
END_TEST

START_TEST(test_choices)
{
	for (int t = 0; t < N_TYPES; t++) {
		for (uint8_t variant = SR_EQ; variant <= SR_GE; variant++)
			collect_map(SR_KERNEL_COMPARE, types[t], types[t], SR_I1, variant, 0);
		if (sr_dtype_is_float(types[t]) && types[t] != SR_F16)
			collect_map(SR_KERNEL_COMPARE, types[t], types[t], SR_I1, SR_LT | 8, 0);
		collect_map(SR_KERNEL_SELECT, types[t], SR_I1, types[t], 0, 0);
		collect_map(SR_KERNEL_CLAMP, types[t], types[t], types[t], 0, 0);
	}
	compare_collected(0);
}
END_TEST

/* Functions with a constant argument, which the C compiler simplifies. */
START_TEST(test_constants)
{
	static const uint16_t functions[] = {SR_KERNEL_MAXIMUM, SR_KERNEL_MINIMUM, SR_KERNEL_REMAINDER};
	static const double numbers[] = {0, 1, -4, 3, 0.5, -1024, -0.0, NAN};
	for (size_t t = N_TYPES - 4; t < N_TYPES; t++)
		for (size_t i = 0; i < 48; i++) {
			struct nest_builder m = begin_line_nest(1);
			int number = add_constant(&m, types[t], numbers[i / 6]), v = add_load(&m, types[t], 0, 1, loop_order);
			int v_first = add_map(&m, (enum sr_kernel)functions[i % 3], types[t], types[t], 2, i % 6 < 3 ? (const int[]){v, number} : (const int[]){number, v});
			add_store(&m, v_first, 1, 1, loop_order);
			collect_nest(&m, 0, sr_kernel_name((enum sr_kernel)functions[i % 3]));
		}
	compare_collected(0);
}
END_TEST

/* Functions of both complex types, with infinities and NaN in the real or the imaginary part. */
START_TEST(test_complex_numbers)
{
	static const uint16_t not_compiled[] = {SR_KERNEL_ATAN2, SR_KERNEL_CBRT, SR_KERNEL_EXPONENTIAL_MINUS_ONE,
						SR_KERNEL_LOG_PLUS_ONE, SR_KERNEL_MAXIMUM,
						SR_KERNEL_MINIMUM, SR_KERNEL_RSQRT, SR_KERNEL_SIGN};
	/* each of these is not compiled for c64 and c128; powers are compiled for c64 but not for c128 */
	int n_refused = 2 * (int)(sizeof not_compiled / sizeof *not_compiled) + 1;
	for (int t = SR_C64; t <= SR_C128; t++) {
		enum sr_dtype type = (enum sr_dtype)t, component = t == SR_C64 ? SR_F32 : SR_F64;
		for (int k = SR_KERNEL_NONE + 1; k < SR_KERNEL_CONVERT; k++)
			if (kernels.fn[k][t] && k != SR_KERNEL_ABS && k != SR_KERNEL_REAL && k != SR_KERNEL_IMAG)
				collect_map((enum sr_kernel)k, type, type, type, 0, 0);
		collect_map(SR_KERNEL_ABS, type, type, component, 0, 0);
		collect_map(SR_KERNEL_REAL, type, type, component, 0, 0);
		collect_map(SR_KERNEL_IMAG, type, type, component, 0, 0);
		collect_map(SR_KERNEL_COMPLEX, component, component, type, 0, 0);
		collect_map(SR_KERNEL_COMPARE, type, type, SR_I1, SR_EQ, 0);
		collect_map(SR_KERNEL_COMPARE, type, type, SR_I1, SR_NE, 0);
		collect_map(SR_KERNEL_SELECT, type, SR_I1, type, 0, 0);
		collect_map(SR_KERNEL_CONVERT, component, component, type, 0, 0);
		collect_map(SR_KERNEL_CONVERT, type, type, t == SR_C64 ? SR_C128 : SR_C64, 0, 0);
	}
	compare_collected(n_refused);
}
END_TEST

/* ---- random nests ---- */

/* Add a load with an indexing map over any loops in any order, in bounds or with padding around. */
static int random_load(struct nest_builder *m, enum sr_dtype type, int buffer, int n_loops, int fill_value)
{
	int order[3] = {0}, n = 0;
	for (int i = 0; i < n_loops; i++)
		if (next_random(5))
			order[n++] = i;
	for (int i = n - 1; i > 0; i--) {
		int k = next_random(3) ? i : (int)next_random((uint64_t)i + 1), previous = order[i];
		order[i] = order[k];
		order[k] = previous;
	}
	int v = add_load(m, type, buffer, n, order);
	struct sr_nest_access *a = &m->accesses[m->t.n_accesses - 1];
	for (int l = 0; l < n_loops; l++) {
		if (!a->stride[l] || next_random(4))
			continue;
		struct sr_nest_dim d = {.divisor = 1, .stride = a->stride[l], .extent = m->t.extent[l], .index = -1};
		d.coef[l] = next_random(3) ? 1 : -1;
		d.offset = d.coef[l] < 0 ? m->t.extent[l] - 1 + (int64_t)next_random(4) : (int64_t)next_random(7) - 3;
		if (!next_random(4))
			d.divisor = 2;
		a->stride[l] = 0;
		a->fill = fill_value;
		a->n_dims++;
		m->dims[m->t.n_dims++] = d;
	}
	return v;
}

/* Add loads combined by random sums, products, maxima and minima; `extra_value`, unless it is negative, is combined with them. */
static int random_value(struct nest_builder *m, enum sr_dtype type, int n_loops, int fill_value, int extra_value)
{
	static const enum sr_kernel ways[] = {SR_KERNEL_ADD, SR_KERNEL_MULTIPLY, SR_KERNEL_MAXIMUM, SR_KERNEL_MINIMUM};
	int v = random_load(m, type, (int)next_random(2), n_loops, fill_value);
	for (int i = 0; i < 2; i++)
		v = add_map(m, ways[next_random(4)], type, type, 2, (const int[]){v, i && extra_value >= 0 ? extra_value : random_load(m, type, (int)next_random(2), n_loops, fill_value)});
	return v;
}

/* Indices that are the same for all columns are clamped before the vector loop, so that compilers see contiguous rows. */
START_TEST(test_dynamic_slices)
{
	struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 2, .n_inputs = 2, .n_outputs = 1, .extent = {20, 64}}};
	add_stage(&m, false);
	int index = add_load(&m, SR_I32, 0, 1, loop_order), v = add_load(&m, SR_F32, 1, 0, loop_order);
	m.accesses[1].n_dims = m.t.n_dims = 2;
	m.dims[0] = (struct sr_nest_dim){.divisor = 1, .stride = 100, .limit = 5, .coef = {1}, .index = index};
	m.dims[1] = (struct sr_nest_dim){.divisor = 1, .stride = 1, .limit = 36, .coef = {0, 1}, .index = index};
	m.elements[1] = 100 * 25;
	add_store(&m, v, 2, 2, loop_order);
	collect_nest(&m, 0, "dynamic slice");
	compare_collected_with(0, INT64_MAX, "const int64_t clamped1 =");
}
END_TEST

/* Bounds of indexing maps that hold in no iteration, in some and in all, on either side. */
START_TEST(test_bounds)
{
	static const int64_t offsets[] = {-2 * ITERATIONS, -5, 0, 3, ITERATIONS - 1, 3 * ITERATIONS};
	for (int k = 0; k < 12; k++) {
		struct nest_builder m = begin_line_nest(2);
		m.t.extent[0] = 7;
		m.t.extent[1] = 11;
		m.t.n_loops = m.t.n_parallel = 2;
		int fill_value = add_constant(&m, SR_F32, 2);
		m.accesses[m.t.n_accesses++] = (struct sr_nest_access){.fill = fill_value, .n_dims = 1};
		m.dims[m.t.n_dims++] = (struct sr_nest_dim){.divisor = 1, .stride = 1, .extent = ITERATIONS, .offset = offsets[k / 2], .coef = {0, k % 2 ? -1 : 1}, .index = -1};
		m.elements[0] = ITERATIONS;
		m.types[0] = SR_F32;
		struct sr_nest_instr *in = add(&m, SR_NEST_LOAD, SR_F32);
		in->access = 0;
		int v = in->result, w = add_load(&m, SR_F32, 1, 1, loop_order + 1);
		add_store(&m, add_map(&m, SR_KERNEL_ADD, SR_F32, SR_F32, 2, (const int[]){v, w}), 2, 2, loop_order);
		collect_nest(&m, 0, "bounds");
	}
	compare_collected(0);
}
END_TEST

/* Reductions over one element, whose value is equal in all iterations. */
START_TEST(test_reductions_of_nothing)
{
	struct nest_builder m = begin_line_nest(1);
	int init = add_constant(&m, SR_F32, 1), v = add_load(&m, SR_F32, 0, 0, loop_order);
	add_stage(&m, true);
	struct sr_nest_instr *in = add(&m, SR_NEST_REDUCE, SR_F32);
	in->kernel = SR_KERNEL_MAXIMUM;
	in->n_args = 2;
	in->args[0] = v;
	in->args[1] = init;
	int total = in->result;
	add_stage(&m, false);
	add_store(&m, add_map(&m, SR_KERNEL_NEGATE, SR_F32, SR_F32, 1, &total), 1, 1, loop_order);
	collect_nest(&m, 0, "a maximum of one");
	compare_collected(0);
}
END_TEST

/* Begin a nest of reductions [parallel][extent] -> [parallel] with the stages initial values, reductions, stores. */
static struct nest_builder begin_row_nest(int n_operands, int64_t parallel, int64_t extent)
{
	struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 1, .n_inputs = n_operands, .n_outputs = n_operands, .extent = {parallel,
		extent}}};
	add_stage(&m, false);
	return m;
}

static void collect_monoid(enum sr_kernel k, enum sr_dtype type, int64_t parallel, int64_t extent)
{
	char name[64];
	struct nest_builder m = begin_row_nest(1, parallel, extent);
	int init = add_constant(&m, type, 1);
	add_stage(&m, true);
	int v = add_load(&m, type, 0, 2, loop_order);
	struct sr_nest_instr *in = add(&m, SR_NEST_REDUCE, type);
	in->kernel = (uint16_t)k;
	in->n_args = 2;
	in->args[0] = v;
	in->args[1] = init;
	add_stage(&m, false);
	add_store(&m, in->result, 1, 1, loop_order);
	snprintf(name, sizeof name, "%s of %d elements of %s", sr_kernel_name(k), (int)extent, sr_dtypes[type].name);
	collect_nest(&m, 0, name);
}

/* Add an instruction to the body of a FOLD, which belongs to no stage. */
static int add_fold_map(struct nest_builder *m, enum sr_kernel k, enum sr_dtype type, enum sr_dtype to, uint8_t variant, int n,
			const int *args)
{
	struct sr_nest_instr *in = &m->instrs[m->t.n_instrs++];
	*in = (struct sr_nest_instr){.op = SR_NEST_MAP, .type = (uint8_t)type, .kernel = (uint16_t)k, .n_args = (uint8_t)n,
		.variant = variant, .access = -1};
	in->result = m->t.n_values++;
	m->values[in->result] = (struct sr_nest_value){.dtype = (uint8_t)to, .stage = -1};
	for (int i = 0; i < n; i++)
		in->args[i] = args[i];
	return in->result;
}

/* Add a fold that keeps the operands at the minimum of the first one: an argmin with n - 1 payloads. */
static void collect_argmin(int n, enum sr_dtype first_type, int64_t parallel, int64_t extent)
{
	char name[64];
	struct nest_builder m = begin_row_nest(n, parallel, extent);
	struct sr_nest_instr fold = {.op = SR_NEST_FOLD, .type = (uint8_t)first_type, .access = -1, .n_args = (uint8_t)(2 * n),
		.n_folds = n};
	enum sr_dtype of[SR_NEST_MAX_FOLDS] = {first_type, SR_I32, SR_F64, SR_UI8};
	for (int k = 0; k < n; k++)
		fold.args[n + k] = add_constant(&m, of[k], 2);
	add_stage(&m, true);
	for (int k = 0; k < n; k++)
		fold.args[k] = add_load(&m, of[k], k, 2, loop_order);
	fold.result = m.t.n_values;
	for (int k = 0; k < n; k++)
		m.values[m.t.n_values++] = (struct sr_nest_value){.dtype = (uint8_t)of[k], .stage = 1};
	fold.body_args = m.t.n_values;
	for (int k = 0; k < 2 * n; k++)
		m.values[m.t.n_values++] = (struct sr_nest_value){.dtype = (uint8_t)of[k % n], .stage = -1};
	int at = m.t.n_instrs++, b = fold.body_args;
	m.stages[m.t.n_stages - 1].n++;
	add_stage(&m, false);
	for (int k = 0; k < n; k++)
		add_store(&m, fold.result + k, n + k, 1, loop_order);
	fold.body = m.t.n_instrs;
	int is_less = add_fold_map(&m, SR_KERNEL_COMPARE, first_type, SR_I1, SR_LT, 2, (const int[]){b, b + n});
	for (int k = 0; k < n; k++)
		fold.body_results[k] = add_fold_map(&m, SR_KERNEL_SELECT, of[k], of[k], 0, 3, (const int[]){is_less, b + k, b + n + k});
	fold.n_body = m.t.n_instrs - fold.body;
	m.instrs[at] = fold;
	snprintf(name, sizeof name, "%d operands of %d elements where %s is least", n, (int)extent, sr_dtypes[first_type].name);
	collect_nest(&m, 0, name);
}

/* Reductions of one, two and three elements. */
START_TEST(test_small_reductions)
{
	static const uint16_t kernels_of[] = {SR_KERNEL_ADD, SR_KERNEL_MULTIPLY, SR_KERNEL_MINIMUM, SR_KERNEL_MAXIMUM,
		SR_KERNEL_AND, SR_KERNEL_OR, SR_KERNEL_XOR};
	static const enum sr_dtype element_types[] = {SR_F32, SR_I32, SR_I1, SR_BF16};
	static const int64_t parallel[] = {1, 8, 100};
	for (int64_t extent = 1; extent <= 3; extent++)
		for (size_t p = 0; p < 3; p++) {
			for (size_t k = 0; k < sizeof kernels_of / sizeof *kernels_of; k++)
				for (size_t t = 0; t < 4; t++)
					if (kernels.fn[kernels_of[k]][element_types[t]])
						collect_monoid((enum sr_kernel)kernels_of[k], element_types[t], parallel[p], extent);
			for (int n = 1; n <= SR_NEST_MAX_FOLDS; n++) {
				collect_argmin(n, SR_F32, parallel[p], extent);
				collect_argmin(n, SR_I8, parallel[p], extent);
			}
		}
	compare_collected(0);
}
END_TEST

/* ---- the order of reductions: interpreted and compiled, bit for bit ---- */

static const enum sr_kernel monoids[] = {SR_KERNEL_ADD, SR_KERNEL_MULTIPLY, SR_KERNEL_MINIMUM, SR_KERNEL_MAXIMUM, SR_KERNEL_AND,
	SR_KERNEL_OR, SR_KERNEL_XOR};
enum { N_MONOIDS = sizeof monoids / sizeof *monoids };

static enum sr_kernel random_monoid(enum sr_dtype type)
{
	for (;;) {
		enum sr_kernel k = monoids[next_random(3) ? 0 : next_random(N_MONOIDS)];
		if (kernels.fn[k][type] && !(sr_dtypes[type].class == SR_CLASS_COMPLEX && k != SR_KERNEL_ADD && k != SR_KERNEL_MULTIPLY))
			return k;
	}
}

static int add_reduce(struct nest_builder *m, enum sr_kernel k, enum sr_dtype type, int v, int init)
{
	struct sr_nest_instr *in = add(m, SR_NEST_REDUCE, type);
	in->kernel = (uint16_t)k;
	in->n_args = 2;
	in->args[0] = v;
	in->args[1] = init;
	return in->result;
}

/* Reduce [parallel][extent], or [extent][parallel] if columns, by up to three monoids at once. */
static void collect_reductions(enum sr_dtype type, bool columns, int64_t parallel, int64_t extent)
{
	static const int across[] = {1, 0};
	char name[64];
	struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 1, .n_inputs = 1, .n_outputs = 1 + (int)next_random(3),
				.extent = {parallel, extent}}};
	int totals[3];
	add_stage(&m, false);
	int init = add_constant(&m, type, 1);
	add_stage(&m, true);
	int v = add_load(&m, type, 0, 2, columns ? across : loop_order);
	for (int k = 0; k < m.t.n_outputs; k++)
		totals[k] = add_reduce(&m, random_monoid(type), type, v, init);
	add_stage(&m, false);
	for (int k = 0; k < m.t.n_outputs; k++)
		add_store(&m, totals[k], 1 + k, 1, loop_order);
	snprintf(name, sizeof name, "%d x %d %s of %s", (int)parallel, (int)extent, columns ? "columns" : "rows",
		 sr_dtypes[type].name);
	collect_nest(&m, 0, name);
}

static const enum sr_dtype summed_types[] = {SR_F32, SR_BF16, SR_F64, SR_F16, SR_F32, SR_C64, SR_I32, SR_C128, SR_UI8, SR_I1,
	SR_I64, SR_F32};
enum { N_SUMMED = sizeof summed_types / sizeof *summed_types };

START_TEST(test_reductions)
{
	static const int64_t parallel[] = {1, 3, 7, 16, 50, 600};
	for (int i = 0; i < 200; i++)
		collect_reductions(summed_types[i % N_SUMMED], next_random(3) == 0, parallel[next_random(6)], 1 + i % 100);
	for (int i = 0; i < 60; i++)
		collect_reductions(summed_types[i % N_SUMMED], next_random(3) == 0, parallel[next_random(4)], 100 + (int64_t)next_random(3000));
	compare_collected(0);
}
END_TEST

START_TEST(test_prefetched_reductions)
{
	for (int columns = 0; columns < 2; columns++) {
		int64_t least_bytes = columns ? SR_NEST_FORM_PREFETCHED_COLUMNS : SR_NEST_FORM_PREFETCHED;
		for (int64_t i = 0; i < (columns ? 1 : 4); i++) {
			int64_t width = 1025 + 1000 * i, n = least_bytes / sr_dtype_bytes(summed_types[i]);
			collect_reductions(summed_types[i], columns, columns ? width : n / width + 1, columns ? n / width + 1 : width);
		}
		compare_collected_with(0, INT64_MAX, columns ? "prefetch_rows(b0" : "prefetch_streams(b0");
	}
}
END_TEST

/* Columns of many rows are divided among threads, also if they are few. An iteration over columns reduces 4 rows. */
START_TEST(test_chunks_of_columns)
{
	static const int64_t columns_and_chunks[][2] = {{20, 1}, {64, 2}, {70, 3}, {256, 4}, {1200, 4}, {4200, 5}};
	for (int i = 0; i < 12; i++) {
		collect_reductions(summed_types[i], true, columns_and_chunks[i % 6][0], 1100);
		all.n_chunks[all.n - 1] = columns_and_chunks[i % 6][1];
	}
	collect_reductions(SR_F32, true, 256, 100);
	all.n_chunks[all.n - 1] = 1;
	compare_collected_with(0, INT64_MAX, "u < 4");
}
END_TEST

/* Local arrays of a large power of two get another cache line. */
START_TEST(test_arrays_of_columns)
{
	for (int i = 0; i < 12; i++)
		collect_reductions(summed_types[i], true, 1100, 7);
	compare_collected_with(0, INT64_MAX, " + 64 / sizeof(");
}
END_TEST

/* Few columns of few rows are executed in each call, with constant bounds; more of them by a loop over the call's range. */
START_TEST(test_constant_columns)
{
	for (int i = 0; i < 12; i++)
		collect_reductions(summed_types[i], true, 32, 9 + i);
	compare_collected_with(0, INT64_MAX, "c < 32; c += 32");
	collect_reductions(SR_F32, true, 64, 300);
	compare_collected_with(0, INT64_MAX, "for (int64_t c = first; c < last;");
}
END_TEST

static const int64_t loop_extents[] = {1, 2, 3, 5, 8, 17, 33, 70, 150, 300};

static void collect_random(enum sr_dtype type, int number)
{
	struct nest_builder m = {.t = {.n_loops = 1 + (int)next_random(3), .n_inputs = 2, .n_outputs = 2}};
	char name[64];
	int64_t n_iterations = 1;
	for (int l = 0; l < m.t.n_loops; l++) {
		m.t.extent[l] = loop_extents[next_random(10)];
		while (n_iterations * m.t.extent[l] > ELEMENTS)
			m.t.extent[l] = (m.t.extent[l] + 1) / 2;
		n_iterations *= m.t.extent[l];
	}
	m.t.n_parallel = (int)next_random((uint64_t)m.t.n_loops + 1);
	m.elements[0] = m.elements[1] = 1;
	m.types[0] = m.types[1] = (uint8_t)type;
	add_stage(&m, false);
	int fill_value = add_constant(&m, type, 2), init = add_constant(&m, type, 1);
	add_stage(&m, true);
	int v = random_value(&m, type, m.t.n_loops, fill_value, -1);
	bool is_saved = next_random(2);
	m.values[v].is_saved = is_saved;
	int total = add_reduce(&m, random_monoid(type), type, v, init), second_total = total;
	for (uint64_t n = next_random(3); n > 0; n--)
		second_total = add_reduce(&m, random_monoid(type), type, v, init);
	add_stage(&m, false);
	int product_of_totals = add_map(&m, SR_KERNEL_ADD, type, type, 2, (const int[]){total, second_total});
	add_store(&m, product_of_totals, 2, m.t.n_parallel, loop_order);
	add_stage(&m, true);
	int w = random_value(&m, type, m.t.n_loops, fill_value, product_of_totals);
	w = add_map(&m, SR_KERNEL_SUBTRACT, type, type, 2, (const int[]){w, is_saved ? v : total});
	add_store(&m, w, 3, m.t.n_loops, loop_order);
	snprintf(name, sizeof name, "random %d of %s", number, sr_dtypes[type].name);
	collect_nest(&m, 0, name);
}

START_TEST(test_random_nests)
{
	static const enum sr_dtype types_of_nests[] = {SR_I32, SR_F32, SR_F64, SR_BF16, SR_UI8, SR_F32, SR_F16, SR_I64};
	for (int i = 0; i < 160; i++)
		collect_random(types_of_nests[i % 8], i);
	compare_collected(0);
}
END_TEST

/* Reduce [2][n_points][columns] over the points: elements where another buffer is larger than 1. Use the results once more at all
 * points. */
static void collect_columns(enum sr_dtype type, int64_t columns, int64_t n_points)
{
	static const int contiguous[] = {0, 2, 1}, points_alone[] = {0, 2};
	struct nest_builder m = {.t = {.n_loops = 3, .n_parallel = 2, .n_inputs = 3, .n_outputs = 2, .extent = {2, columns, n_points}}};
	char name[64];
	add_stage(&m, false);
	int zero_value = add_constant(&m, type, 0), one = add_constant(&m, type, 1);
	add_stage(&m, true);
	int across = add_load(&m, type, 2, 3, loop_order), u = add_load(&m, type, 1, 2, points_alone);
	int flag = add_map(&m, SR_KERNEL_COMPARE, type, SR_I1, 2, (const int[]){across, one});
	m.instrs[m.t.n_instrs - 1].variant = SR_GT;
	int v = add_map(&m, SR_KERNEL_SELECT, type, type, 3, (const int[]){flag, add_load(&m, type, 0, 3, contiguous), zero_value});
	int sum = add_map(&m, SR_KERNEL_ADD, type, type, 2, (const int[]){v, u});
	m.values[sum].is_saved = columns % 2 != 0;
	int column_max = add_reduce(&m, SR_KERNEL_MAXIMUM, type, v, zero_value),
	    total = add_reduce(&m, SR_KERNEL_ADD, type, sum, one);
	add_stage(&m, false);
	add_store(&m, total, 3, 2, loop_order);
	add_stage(&m, true);
	int w = add_load(&m, type, 0, 3, contiguous);
	w = add_map(&m, SR_KERNEL_SUBTRACT, type, type, 2, (const int[]){m.values[sum].is_saved ? sum : w, column_max});
	add_store(&m, w, 4, 3, contiguous);
	snprintf(name, sizeof name, "%d columns of %d %s", (int)columns, (int)n_points, sr_dtypes[type].name);
	collect_nest(&m, 0, name);
}

START_TEST(test_few_columns)
{
	static const enum sr_dtype some[] = {SR_F32, SR_UI8, SR_I32, SR_F64, SR_I16, SR_UI64, SR_BF16};
	for (int columns = 2; columns < 9; columns++)
		for (int t = 0; t < 7; t++)
			collect_columns(some[t], columns, (const int64_t[]){64, 97, 320}[(t + columns) % 3]);
	compare_collected(0);
}
END_TEST

/* Windows slide along rows, whose ends they exceed by `border` elements on both sides: sums of products with weights. */
static void collect_windows(enum sr_dtype type, int64_t results, int64_t window, int64_t border)
{
	static const int last_loop[] = {1};
	struct nest_builder m = {.t = {.n_loops = 2, .n_parallel = 1, .n_inputs = 2, .n_outputs = 1, .extent = {results, window}}};
	char name[64];
	add_stage(&m, false);
	int zero_value = add_constant(&m, type, 0);
	add_stage(&m, true);
	struct sr_nest_access *x = add_access(&m, 0, 0, loop_order);
	struct sr_nest_instr *in = add(&m, SR_NEST_LOAD, type);
	in->access = m.t.n_accesses - 1;
	m.types[0] = (uint8_t)type;
	m.elements[0] = results + window - 1 - 2 * border;
	if (border) {
		x->fill = zero_value;
		x->n_dims = 1;
		m.dims[m.t.n_dims++] = (struct sr_nest_dim){.divisor = 1, .stride = 1, .extent = m.elements[0], .offset = -border, .coef = {1, 1}, .index = -1};
	} else {
		x->stride[0] = x->stride[1] = 1;
	}
	int v = in->result, w = add_load(&m, type, 1, 1, last_loop);
	int sum = add_reduce(&m, SR_KERNEL_ADD, type, add_map(&m, SR_KERNEL_MULTIPLY, type, type, 2, (const int[]){v, w}), zero_value);
	add_stage(&m, false);
	add_store(&m, sum, 2, 1, loop_order);
	snprintf(name, sizeof name, "%d windows of %d %s", (int)results, (int)window, sr_dtypes[type].name);
	collect_nest(&m, 0, name);
}

START_TEST(test_windows)
{
	static const enum sr_dtype some[] = {SR_F32, SR_F64, SR_I32, SR_BF16};
	for (int i = 0; i < 48; i++)
		collect_windows(some[i % 4], (const int64_t[]){63, 64, 130, 700}[i / 4 % 4], (const int64_t[]){31, 64, 257}[i / 16], i / 2 % 3 * 15);
	compare_collected_with(0, INT64_MAX, "part < 2"); /* vectors partly out of bounds are divided */
}
END_TEST

#include "tests/unit/codegen_borders.h"
#include "tests/unit/codegen_compile.h"
#include "tests/unit/codegen_lanes.h"
#include "tests/unit/codegen_maps.h"
#include "tests/unit/codegen_threads.h"
int main(void)
{
	const TTest *const tests[] = {test_functions, test_functions_of_few_elements, test_conversions, test_choices,
				      test_constants, test_complex_numbers, test_lookups, test_dynamic_slices, test_pixels,
				      test_small_floats, test_conversions_of_small_floats, test_narrow_integers,
				      test_small_matrices, test_large_table, test_small_tables, test_quotients,
				      test_vector_quotients, test_interleaved_elements, test_elementary_rows,
				      test_vectors_of_elementary_functions,
				      test_short_rows,
				      test_unrolled_stages, test_bit_planes, test_rows_of_bits, test_parities,
				      test_narrow_types, test_compared_indices, test_ranges,
				      test_conversions_of_masked_integers, test_bounds, test_streamed_stores,
				      test_reductions_of_nothing, test_small_reductions, test_reductions,
				      test_prefetched_reductions, test_rotations, test_polynomials,
				      test_comparisons_of_nan, test_pooling,
				      test_random_nests, test_chunks_of_columns, test_arrays_of_columns, test_constant_columns,
				      test_few_columns, test_few_terms, test_windows,
				      test_numbers_of_lanes, test_lanes_of_strided_sums, test_rows_of_a_tile, test_row_vectors,
				      test_row_results, test_scaled_rows,
				      test_row_vectors_of_bf16, test_row_blocks, test_gathered_rows,
				      test_transposed_rows, test_lanes_of_blocks,
				      test_passes_over_integers, test_equal_row_blocks, test_narrow_sums,
				      test_short_scaled_rows, test_divided_loops, test_divided_reductions, test_unused_fill_values,
				      test_rows_of_several_buffers, test_vectors_at_ends_of_rows, test_killed_meanwhile,
				      test_little_memory, test_modules_of_the_process,
				      test_no_compiler, test_conflicts_of_threads};
	return sr_run_tests("codegen", tests, sizeof tests / sizeof *tests, setup, teardown);
}
