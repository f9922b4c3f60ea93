/* Functions of the interpreter of loop nests (struct sr_access_functions): those of each instruction set compared with an
 * evaluation element by element, bit by bit. */
#pragma once
#include "kernels/nest/access.h"
#include "kernels/nest/nest_prepared.h"
#include "kernels/nest/vector_code.h"

enum { ACCESS_ELEMENTS = 300, ACCESS_SOURCE = 16 * 6 * ACCESS_ELEMENTS };

static const struct sr_access_functions *access_of(int isa)
{
	struct sr_kernels table;
	sr_kernels_init(&table);
	sr_kernels_fast_init_isa(&table, (enum sr_isa)isa);
	return table.access;
}

static void fill_bytes(char *to, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		to[i] = (char)next_random();
}

/* Compare n elements at `got` with those at the given element numbers of `from`. */
static void check_copied(const char *what, int isa, int bytes, const char *from, const int64_t *numbers, const char *got, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		ck_assert_msg(!memcmp(from + numbers[i] * bytes, got + i * bytes, (size_t)bytes),
			      "%s of %d bytes, isa %d: element %d of %d", what, bytes, isa, (int)i, (int)n);
	ck_assert_msg(got[n * bytes] == 0x55, "%s of %d bytes, isa %d: writes past %d elements", what, bytes, isa, (int)n);
}

static void check_loads(const struct sr_access_functions *f, int isa, int bytes)
{
	static char source[ACCESS_SOURCE], got[16 * 4 * ACCESS_ELEMENTS + 16];
	int64_t numbers[4 * ACCESS_ELEMENTS], offsets[ACCESS_ELEMENTS];
	fill_bytes(source, sizeof source);
	for (int64_t step = -2; step <= 5; step++)
		for (int64_t n = 0; n <= ACCESS_ELEMENTS; n += n < 70 ? 1 : 77) {
			/* a vector may not read past the last element: it is the last one of the source */
			int64_t last = (n ? n - 1 : 0) * step, first = step > 0 ? (int64_t)sizeof source / bytes - last - 1 : 700;
			const char *from = source + first * bytes;
			for (int64_t i = 0; i < n; i++)
				numbers[i] = i * step;
			memset(got, 0x55, sizeof got);
			f->load_strided(bytes, from, step, got, n);
			check_copied("load_strided", isa, bytes, from, numbers, got, n);
			if (!n || step < 2 || step > 4)
				continue;
			from -= (step - 1) * bytes; /* a vector may read up to the last element's successor */
			memset(got, 0x55, sizeof got);
			f->load_steps(bytes, from, step, got, n);
			check_copied("load_steps", isa, bytes, from, numbers, got, n);
		}
	for (int round = 0; round < 60; round++) {
		int64_t length = 1 + round % 7, n = (int64_t)next_random() % ACCESS_ELEMENTS / 2;
		int64_t outer = (int64_t)next_random() % 7, step = round % 3;
		n = n * length > 4 * ACCESS_ELEMENTS ? 4 * ACCESS_ELEMENTS / length : n;
		for (int64_t i = 0; i < n * length; i++)
			numbers[i] = i / length * outer + i % length * step;
		memset(got, 0x55, sizeof got);
		f->load_runs(bytes, source, outer, step, got, n, length);
		check_copied("load_runs", isa, bytes, source, numbers, got, n * length);
		for (int64_t i = 0; i < n; i++)
			offsets[i] = (int64_t)next_random() % 1000;
		for (int64_t i = 0; i < n * length; i++)
			numbers[i] = offsets[i / length] + i % length * step;
		memset(got, 0x55, sizeof got);
		f->gather(bytes, source, offsets, length, step, got, n);
		check_copied("gather", isa, bytes, source, numbers, got, n * length);
	}
}

static void check_interleaves(const struct sr_access_functions *f, int isa, int bytes)
{
	static char source[4][16 * ACCESS_ELEMENTS], got[16 * 4 * ACCESS_ELEMENTS + 16];
	const void *from[4] = {source[0], source[1], source[2], source[3]};
	int64_t numbers[4 * ACCESS_ELEMENTS];
	fill_bytes(source[0], sizeof source);
	for (int count = 2; count <= 4; count++)
		for (int64_t n = 0; n <= ACCESS_ELEMENTS; n += n < 70 ? 1 : 77) {
			for (int64_t i = 0; i < n * count; i++)
				numbers[i] = i % count * (int64_t)sizeof source[0] / bytes + i / count;
			memset(got, 0x55, sizeof got);
			f->interleave(bytes, from, count, got, n);
			check_copied("interleave", isa, bytes, source[0], numbers, got, n * count);
		}
}

static void check_deinterleaves(const struct sr_access_functions *f, int isa, int bytes)
{
	static char source[16 * 4 * ACCESS_ELEMENTS], got[4][16 * ACCESS_ELEMENTS + 16];
	void *to[4] = {got[0], got[1], got[2], got[3]};
	int64_t numbers[ACCESS_ELEMENTS];
	fill_bytes(source, sizeof source);
	for (int count = 2; count <= 4; count++)
		for (int64_t n = 0; n <= ACCESS_ELEMENTS; n += n < 70 ? 1 : 77) {
			memset(got, 0x55, sizeof got);
			f->deinterleave(bytes, source, count, to, n);
			for (int k = 0; k < count; k++) {
				for (int64_t i = 0; i < n; i++)
					numbers[i] = i * count + k;
				check_copied("deinterleave", isa, bytes, source, numbers, got[k], n);
			}
		}
}

/* Contiguous runs, the last of which ends with the source: nothing is read past it. Some repeat an element instead. */
static void check_rows(const struct sr_access_functions *f, int isa, int bytes)
{
	static char source[ACCESS_SOURCE], got[16 * 4 * ACCESS_ELEMENTS + 16];
	int64_t numbers[4 * ACCESS_ELEMENTS], total = (int64_t)sizeof source / bytes;
	fill_bytes(source, sizeof source);
	for (int round = 0; round < 120; round++) {
		int64_t length = round % 2 ? 3 : 1 + (int64_t)next_random() % 200, outer = (int64_t)next_random() % 11 - 5;
		int64_t step = round % 4 > 0;
		int64_t n = 1 + (int64_t)next_random() % (length < 12 ? 100 : 4 * ACCESS_ELEMENTS / length);
		const char *from = source + (total - length - (outer > 0 ? (n - 1) * outer : 0)) * bytes;
		for (int64_t i = 0; i < n * length; i++)
			numbers[i] = i / length * outer + i % length * step;
		memset(got, 0x55, sizeof got);
		f->load_runs(bytes, from, outer, step, got, n, length);
		check_copied("contiguous load_runs", isa, bytes, from, numbers, got, n * length);
		int64_t offsets[4 * ACCESS_ELEMENTS];
		for (int64_t i = 0; i < n; i++)
			offsets[i] = i == n / 2 ? total - length : (int64_t)next_random() % 1000;
		for (int64_t i = 0; i < n * length; i++)
			numbers[i] = offsets[i / length] + i % length;
		memset(got, 0x55, sizeof got);
		f->gather(bytes, source, offsets, length, 1, got, n);
		check_copied("gather of rows", isa, bytes, source, numbers, got, n * length);
	}
}

static void check_streams(const struct sr_access_functions *f, int isa)
{
	static char source[700], got[900];
	fill_bytes(source, sizeof source);
	for (int64_t from = 0; f->stream && from < 3; from++)
		for (int64_t to = 0; to < 65; to++)
			for (int64_t n = 0; n < 600; n += n < 130 ? 1 : 37) {
				memset(got, 0x55, sizeof got);
				f->stream(source + from, got + 1 + to, n);
				f->end_stream();
				ck_assert_msg(!memcmp(source + from, got + 1 + to, (size_t)n) && got[to] == 0x55 &&
						      got[1 + to + n] == 0x55,
					      "stream, isa %d: %d bytes from %d to %d", isa, (int)n, (int)from, (int)to);
			}
}

static void check_dims(const struct sr_access_functions *f, int isa, enum sr_dtype index_type)
{
	static char indices[8 * 4 * SR_ACCESS_BLOCK];
	for (int round = 0; round < 80; round++) {
		struct sr_access_dim d = {.x = (int64_t)next_random() % 9 - 4, .step = (int64_t)next_random() % 5 - 1,
					  .divisor = round % 4 ? 1 : 1 + (int64_t)next_random() % 4,
					  .extent = round % 3 ? (int64_t)next_random() % 200 : 0,
					  .stride = (int64_t)next_random() % 70 - 30, .limit = (int64_t)next_random() % 30,
					  .indices = round % 2 ? indices : NULL, .index_type = index_type,
					  .first_index = (int64_t)next_random() % 3, .index_step = (int64_t)next_random() % 3};
		int64_t offset[SR_ACCESS_BLOCK], begin = (int64_t)next_random() % 50, n = (int64_t)next_random() % 200;
		uint8_t is_inside[SR_ACCESS_BLOCK];
		if (!d.extent && d.divisor > 1)
			continue;
		fill_array(index_type, indices, 4 * SR_ACCESS_BLOCK, true);
		memset(is_inside, 1, sizeof is_inside);
		memset(offset, 0, sizeof offset);
		f->add_dim(&d, begin, n, offset, is_inside);
		for (int64_t p = 0; p < n; p++) {
			int64_t y = d.x + d.step * (begin + p), index = 0;
			if (d.indices) {
				int64_t number = d.first_index + (begin + p) * d.index_step;
				sr_element_get(index_type, indices + number * sr_dtype_bytes(index_type), &index, NULL, NULL);
				bool is_huge = index_type == SR_UI64 && index < 0;
				y += is_huge || index > d.limit ? d.limit : index < 0 ? 0 : index;
			}
			bool inside = !d.extent || (y % d.divisor == 0 && y >= 0 && y / d.divisor < d.extent);
			ck_assert_msg(inside == is_inside[p] && offset[p] == (inside ? y / d.divisor * d.stride : 0),
				      "add_dim by %s, isa %d, round %d: element %d", sr_dtypes[index_type].name, isa, round, (int)p);
		}
	}
}

/* Compare gathers by indices with loads element by element. */
static void check_gathers(const struct sr_access_functions *f, int isa, enum sr_dtype index_type, int bytes)
{
	static char source[16 * 8000], indices[8 * 2 * ACCESS_ELEMENTS], got[16 * ACCESS_ELEMENTS + 16];
	int64_t numbers[ACCESS_ELEMENTS], n_loaded = 0;
	fill_bytes(source, sizeof source);
	for (int round = 0; round < 80; round++) {
		int64_t n = (int64_t)next_random() % (ACCESS_ELEMENTS - 3), step = round % 2 ? 0 : (int64_t)next_random() % 5 - 2;
		struct sr_access_dim d = {.x = (int64_t)next_random() % 9, .divisor = 1,
					  .step = round % 2 ? 0 : (int64_t)next_random() % 3,
					  .stride = round % 4 ? 1 : (int64_t)next_random() % 9 - 4,
					  .limit = (int64_t)next_random() % 40,
					  .indices = indices, .index_type = index_type, .first_index = (int64_t)next_random() % 3,
					  .index_step = round % 5 ? 1 : 2};
		fill_array(index_type, indices, 2 * ACCESS_ELEMENTS, round % 3 == 0);
		for (int64_t i = 0, index = 0; i < n; i++) {
			int64_t number = d.first_index + i * d.index_step;
			sr_element_get(index_type, indices + number * sr_dtype_bytes(index_type), &index, NULL, NULL);
			bool is_huge = index_type == SR_UI64 && index < 0;
			index = is_huge || index > d.limit ? d.limit : index < 0 ? 0 : index;
			numbers[i] = 4000 + step * i + (d.x + d.step * i + index) * d.stride;
		}
		memset(got, 0x55, sizeof got);
		if (!f->gather_by_indices(bytes, source, &d, 4000, step, got, n))
			continue;
		n_loaded++;
		check_copied("gather_by_indices", isa, bytes, source, numbers, got, n);
	}
	ck_assert(n_loaded || sr_dtypes[index_type].bits < 32 || index_type == SR_UI64);
}

/* Compare gathers by two indices with loads element by element. */
static void check_gather_pairs(const struct sr_access_functions *f, int isa, int bytes)
{
	static char source[16 * 8000], got[16 * ACCESS_ELEMENTS + 16];
	static int32_t indices[2][2 * ACCESS_ELEMENTS];
	int64_t numbers[ACCESS_ELEMENTS], n_loaded = 0;
	fill_bytes(source, sizeof source);
	for (int round = 0; round < 60; round++) {
		int64_t n = (int64_t)next_random() % (ACCESS_ELEMENTS - 3), step = (int64_t)next_random() % 3;
		struct sr_access_dim d[2];
		for (int k = 0; k < 2; k++) {
			fill_array(SR_I32, indices[k], 2 * ACCESS_ELEMENTS, round % 3 == 0);
			d[k] = (struct sr_access_dim){.x = (int64_t)next_random() % 9 - 4, .divisor = 1,
						      .step = (int64_t)next_random() % 2,
						      .stride = (int64_t)next_random() % 7, .limit = (int64_t)next_random() % 40,
						      .indices = indices[k], .index_type = SR_I32, .index_step = round % 5 ? 1 : 2};
		}
		for (int64_t i = 0; i < n; i++) {
			numbers[i] = 2000 + step * i;
			for (int k = 0; k < 2; k++) {
				int64_t index = indices[k][i * d[k].index_step];
				index = index > d[k].limit ? d[k].limit : index < 0 ? 0 : index;
				numbers[i] += (d[k].x + d[k].step * i + index) * d[k].stride;
			}
		}
		memset(got, 0x55, sizeof got);
		if (!f->gather_by_pairs(bytes, source, d, 2000, step, got, n))
			continue;
		n_loaded++;
		check_copied("gather_by_pairs", isa, bytes, source, numbers, got, n);
	}
	ck_assert(n_loaded > 20);
}

static void check_count(const struct sr_access_functions *f, int isa)
{
	int64_t got[100];
	for (int64_t n = 0; n < 100; n++) {
		f->count(n - 40, 1 - n, got, n);
		for (int64_t i = 0; i < n; i++)
			ck_assert_msg(got[i] == n - 40 + i * (1 - n), "count, isa %d: element %d of %d", isa, (int)i, (int)n);
	}
}

/* Compare sums of rows of products with the reference kernels, row by row. */
static void check_add_products(const struct sr_access_functions *f, int isa, enum sr_dtype t)
{
	static char a[8 * 20 * ACCESS_ELEMENTS], b[8 * 20 * ACCESS_ELEMENTS], product[8 * ACCESS_ELEMENTS];
	static char expected[8 * ACCESS_ELEMENTS], got[8 * ACCESS_ELEMENTS];
	int64_t bytes = sr_dtype_bytes(t), least = 64 / bytes;
	for (int round = 0; round < 60; round++) {
		struct sr_product_rows m = {.a = a, .b = b, .to = got, .rows = (int64_t)next_random() % 20,
					    .n = least + (int64_t)next_random() % (ACCESS_ELEMENTS - least),
					    .is_b_scalar = round & 1};
		struct sr_map_params p = {.n = m.n, .scalar = {0, m.is_b_scalar}}, sum = {.n = m.n};
		fill_array(t, a, m.rows * m.n + 1, round % 5 == 0);
		fill_array(t, b, m.rows * m.n + 1, round % 5 == 0);
		fill_array(t, got, m.n, false);
		memcpy(expected, got, (size_t)(m.n * bytes));
		for (int64_t row = 0; row < m.rows; row++) {
			void *factors[] = {a + row * m.n * bytes, b + (m.is_b_scalar ? 0 : row * m.n * bytes), product};
			reference.fn[SR_KERNEL_MULTIPLY][t](&p, factors, NULL, 0, m.n);
			reference.fn[SR_KERNEL_ADD][t](&sum, (void *[]){expected, product, expected}, NULL, 0, m.n);
		}
		f->add_products[t](&m);
		for (int64_t i = 0; i < m.n; i++)
			ck_assert_msg(are_close(t, expected + i * bytes, got + i * bytes, 0),
				      "add_products of %s, isa %d, round %d: element %d", sr_dtypes[t].name, isa, round, (int)i);
	}
}

/* Compare extrema of columns and their indices with those found element by element. Elements are often equal. */
static void check_find_extrema(const struct sr_access_functions *f, int isa, enum sr_dtype t, int64_t index_bytes)
{
	static char in[8 * 20 * ACCESS_ELEMENTS], value[2][8 * ACCESS_ELEMENTS], index[2][8 * ACCESS_ELEMENTS];
	int64_t bytes = sr_dtype_bytes(t);
	for (int round = 0; round < 100; round++) {
		struct sr_extremum_rows m = {.rows_at = in, .value = value[1], .index = index[1], .is_least = round & 1,
					     .rows = (int64_t)next_random() % 20,
					     .n = 1 + (int64_t)next_random() % (ACCESS_ELEMENTS - 1),
					     .first = (int64_t)next_random() % 99, .step = (int64_t)next_random() % 5 - 2};
		struct sr_map_params p = {.n = 1, .in = (uint8_t)t, .out = SR_I1};
		fill_array(t, in, m.rows * m.n + 1, round % 5 == 0);
		fill_array(t, value[0], m.n, false);
		memset(index[0], 0x55, sizeof index[0]);
		for (int64_t i = 0; i < m.rows * m.n; i++)
			if (next_random() % 4 == 0)
				memcpy(in + i * bytes, value[0] + i % m.n * bytes, (size_t)bytes);
		memcpy(value[1], value[0], sizeof value[0]);
		memcpy(index[1], index[0], sizeof index[0]);
		for (int64_t i = 0; i < m.rows * m.n; i++) {
			char *v = value[0] + i % m.n * bytes, *x = in + i * bytes;
			int64_t at = m.first + m.step * (i / m.n);
			uint8_t keeps, is_nan;
			p.variant = m.is_least ? SR_LE : SR_GE;
			reference.fn[SR_KERNEL_COMPARE][t](&p, (void *[]){v, x, &keeps}, NULL, 0, 1);
			p.variant = SR_NE;
			reference.fn[SR_KERNEL_COMPARE][t](&p, (void *[]){v, v, &is_nan}, NULL, 0, 1);
			if (keeps || is_nan)
				continue;
			memcpy(v, x, (size_t)bytes);
			memcpy(index[0] + i % m.n * index_bytes, &at, (size_t)index_bytes);
		}
		f->find_extrema[t][index_bytes == 8](&m);
		ck_assert_msg(!memcmp(value[0], value[1], sizeof value[0]) && !memcmp(index[0], index[1], sizeof index[0]),
			      "find_extrema of %s, isa %d, round %d", sr_dtypes[t].name, isa, round);
	}
}

/* Vector code for one instruction: operand `form` is passed in registers, by a copy before; narrow values have their own size in
 * memory. */
struct vector_case {
	enum sr_kernel kernel;
	enum sr_dtype types[SR_VECTOR_ARGS], out;
	int n_args, variant;
};

enum { VECTOR_BLOCKS = 3, VECTOR_BYTES = SR_VECTOR_COUNT * 64 };

static bool is_narrow(enum sr_dtype type, int bytes)
{
	return type == SR_I1 || sr_dtype_bytes(type) < bytes;
}

/* Return the number, from 1 on, of the argument that a form takes in registers; 0: none. */
static int argument_in_registers(int form)
{
	return form >= SR_VECTOR_FIRST_ONE ? form - SR_VECTOR_FIRST_ONE + 1 : form;
}

/* Run an instruction on VECTOR_BLOCKS blocks of elements of `bytes` bytes. Argument k is one element if bit k of `scalars` is
 * set. */
static void run_vector_code(const struct sr_vector_functions *f, const struct vector_case *c, int bytes, int form, int scalars,
			    char (*in)[VECTOR_BLOCKS * VECTOR_BYTES], char *got)
{
	static _Alignas(64) char blocks[SR_VECTOR_ARGS + 1][VECTOR_BYTES], one[SR_VECTOR_ARGS][VECTOR_BYTES];
	struct sr_vector_op ops[SR_VECTOR_ARGS + 3];
	struct sr_vector_arg args[SR_VECTOR_ARGS];
	int n = 0, passed = argument_in_registers(form);
	memset(ops, 0, sizeof ops);
	for (int k = 0; k < c->n_args; k++) {
		bool is_one = scalars >> k & 1;
		for (int i = 0; is_one && i < VECTOR_BYTES; i++)
			one[k][i] = in[k][i % sr_dtype_bytes(c->types[k])];
		args[k] = (struct sr_vector_arg){is_one ? one[k] : in[k], is_one ? 0 : f->vector_bytes, is_one ? 0 : -1};
		if (is_narrow(c->types[k], bytes)) {
			struct sr_vector_arg block = {blocks[k], f->vector_bytes, 0};
			ops[n++] = (struct sr_vector_op){.fn = f->find_load(c->types[k], bytes), .args = {args[k]}, .out = block};
			args[k] = block;
		}
	}
	if (passed)
		ops[n++] = (struct sr_vector_op){.fn = f->find(SR_KERNEL_BITCAST, SR_I32, SR_I32, 0, SR_VECTOR_NONE),
						 .args = {args[passed - 1]}};
	ops[n].fn = f->find(c->kernel, c->types[c->n_args - 1], c->out, c->variant, (enum sr_vector_form)form);
	for (int k = 0; k < c->n_args; k++)
		if (k != passed - 1)
			ops[n].args[k] = args[k];
	struct sr_vector_arg to = {got, f->vector_bytes, -1};
	if (is_narrow(c->out, bytes))
		ops[++n] = (struct sr_vector_op){.fn = f->find_store(c->out, bytes), .out = to};
	else
		ops[n].out = to;
	ops[++n].fn = f->end;
	f->run(ops, VECTOR_BLOCKS, (const char *[]){got}, 1);
}

static int check_vector_case(const struct sr_vector_functions *f, int isa, const struct vector_case *c)
{
	static _Alignas(64) char in[SR_VECTOR_ARGS][VECTOR_BLOCKS * VECTOR_BYTES];
	static _Alignas(64) char got[VECTOR_BLOCKS * VECTOR_BYTES], expected[VECTOR_BLOCKS * VECTOR_BYTES];
	enum sr_dtype last = c->types[c->n_args - 1];
	int n_forms = 0;
	bool is_common_shift = c->kernel != SR_KERNEL_COMPARE && c->variant == SR_VECTOR_COMMON_AMOUNT;
	for (int bytes = 1; bytes <= 8; bytes *= 2)
		for (int round = 0; round < 8 * SR_VECTOR_FORMS; round++) {
			int form = round % SR_VECTOR_FORMS, scalars = round / SR_VECTOR_FORMS;
			int passed = argument_in_registers(form), widest = 0;
			bool has_one = form < SR_VECTOR_FIRST_ONE || (c->n_args == 2 && scalars >> (2 - passed) & 1);
			if (passed > c->n_args || !has_one)
				continue;
			struct sr_map_params p = {.n = VECTOR_BLOCKS * SR_VECTOR_COUNT * f->vector_bytes / bytes, .in = c->types[0],
						  .out = c->out, .variant = (uint8_t)c->variant};
			for (int k = 0; k <= c->n_args; k++) {
				enum sr_dtype t = k < c->n_args ? c->types[k] : c->out;
				widest = t != SR_I1 && sr_dtype_bytes(t) > widest ? sr_dtype_bytes(t) : widest;
			}
			if ((widest && widest != bytes) || (is_common_shift && (scalars != 2 || form == 2)) ||
			    !f->find(c->kernel, last, c->out, c->variant, (enum sr_vector_form)form))
				continue;
			n_forms++;
			for (int k = 0; k < c->n_args; k++) {
				fill_array(c->types[k], in[k], p.n, round % 3 == 0);
				p.scalar[k] = scalars >> k & 1;
			}
			if (is_common_shift) {
				memset(in[1], 0, (size_t)bytes);
				in[1][0] = (char)(next_random() % (uint64_t)(8 * bytes));
			}
			void *buffers[SR_VECTOR_ARGS + 1] = {in[0], in[1], in[2]};
			buffers[c->n_args] = expected;
			enum sr_dtype table_type = c->kernel == SR_KERNEL_SELECT ? c->out : c->types[0];
			memset(expected, 0, sizeof expected);
			reference.fn[c->kernel][table_type](&p, buffers, NULL, 0, p.n);
			run_vector_code(f, c, bytes, form, scalars, in, got);
			for (int64_t i = 0, size = sr_dtype_bytes(c->out); i < p.n; i++)
				ck_assert_msg(are_close(c->out, expected + i * size, got + i * size, 0),
					      "vector code: kernel %d of %s to %s, isa %d, form %d, scalars %d: element %d",
					      c->kernel, sr_dtypes[last].name, sr_dtypes[c->out].name, isa, form, scalars, (int)i);
		}
	return n_forms;
}

/* Complete code of one op, fn, whose arguments ops[0] has and which writes to `out`: if the form takes an argument in a register,
 * a copy loads that argument first. */
static void complete_ops(const struct sr_vector_functions *f, struct sr_vector_op *ops, int form, sr_vector_fn *fn, void *out)
{
	int passed = argument_in_registers(form);
	struct sr_vector_op *op = &ops[passed != 0];
	*op = ops[0];
	if (passed)
		ops[0] = (struct sr_vector_op){.fn = f->find(SR_KERNEL_BITCAST, SR_I32, SR_I32, 0, SR_VECTOR_NONE),
					       .args = {op->args[passed - 1]}};
	op->fn = fn;
	op->out = (struct sr_vector_arg){out, f->vector_bytes, -1};
	op[1].fn = f->end;
}

/* Return what a combined op computes for elements of `bits` bits, extended by zeros. */
static uint64_t combined_value(enum sr_vector_combined op, int bits, uint64_t x, uint64_t n, uint64_t z, uint64_t m)
{
	uint64_t mask = UINT64_MAX >> (64 - bits);
	uint64_t left = n < (uint64_t)bits ? x << n & mask : 0, right = m < (uint64_t)bits ? x >> m : 0;
	return op == SR_VECTOR_SHIFTS_XOR ? (left | right) ^ z : op == SR_VECTOR_XOR_SHIFT_LEFT ? x ^ left : x ^ x >> n;
}

static void check_combined_ops(const struct sr_vector_functions *f, int isa, int bytes)
{
	static _Alignas(64) char in[SR_VECTOR_ARGS][VECTOR_BLOCKS * VECTOR_BYTES], got[VECTOR_BLOCKS * VECTOR_BYTES];
	enum sr_dtype type = bytes == 4 ? SR_UI32 : SR_UI64;
	int n_forms = 0, n = VECTOR_BLOCKS * SR_VECTOR_COUNT * f->vector_bytes / bytes;
	for (int round = 0; round < 64 * (SR_VECTOR_SHIFTS_XOR + 1) * SR_VECTOR_FORMS; round++) {
		int form = round % SR_VECTOR_FORMS, k = round / SR_VECTOR_FORMS % (SR_VECTOR_SHIFTS_XOR + 1);
		uint64_t amounts[2];
		struct sr_vector_op ops[3] = {{.args = {{in[0], f->vector_bytes, -1}, {in[1], 0, 0}, {in[2], f->vector_bytes, -1},
							{in[3], 0, 0}}}};
		sr_vector_fn *fn = f->find_combined((enum sr_vector_combined)k, bytes, (enum sr_vector_form)form);
		if (!fn)
			continue;
		for (int a = 0; a < 4; a++)
			fill_array(type, in[a], n, false);
		for (int a = 0; a < 2; a++) {
			amounts[a] = next_random() % (uint64_t)((k == SR_VECTOR_SHIFTS_XOR ? 9 : 8) * bytes);
			for (int i = 0; i < VECTOR_BYTES / bytes; i++)
				memcpy(in[1 + 2 * a] + i * bytes, &amounts[a], (size_t)bytes);
		}
		complete_ops(f, ops, form, fn, got);
		f->run(ops, VECTOR_BLOCKS, (const char *[]){in[0], in[2]}, 2);
		n_forms++;
		for (int i = 0; i < n; i++) {
			uint64_t x = 0, z = 0, to = 0;
			memcpy(&x, in[0] + i * bytes, (size_t)bytes);
			memcpy(&z, in[2] + i * bytes, (size_t)bytes);
			memcpy(&to, got + i * bytes, (size_t)bytes);
			ck_assert_msg(to == combined_value((enum sr_vector_combined)k, 8 * bytes, x, amounts[0], z, amounts[1]),
				      "combined op %d, isa %d, %d bytes, form %d: element %d", k, isa, bytes, form, i);
		}
	}
	ck_assert_int_eq(n_forms, 64 * 7);
}

/* Check x + (t ? a : b) and x + (t ? u ? a : b : c). Arguments that are passed in registers are copied before. */
static void check_add_select(const struct sr_vector_functions *f, int isa, enum sr_dtype type)
{
	static _Alignas(64) char in[3][VECTOR_BLOCKS * VECTOR_BYTES], one[3][VECTOR_BYTES], got[VECTOR_BLOCKS * VECTOR_BYTES];
	int bytes = sr_dtype_bytes(type), n = VECTOR_BLOCKS * SR_VECTOR_COUNT * f->vector_bytes / bytes, n_forms = 0;
	for (int round = 0; round < 64 * SR_VECTOR_FORMS; round++) {
		int form = round / 2 % SR_VECTOR_FORMS, n_masks = 1 + round % 2, first = n_masks + 1;
		enum sr_vector_combined which = n_masks == 1 ? SR_VECTOR_ADD_SELECT : SR_VECTOR_ADD_SELECT_3;
		struct sr_vector_op ops[3] = {{.args = {{in[0], f->vector_bytes, -1}, {in[1], f->vector_bytes, -1}}}};
		sr_vector_fn *fn = f->find_combined(which, bytes, (enum sr_vector_form)form);
		if (!fn)
			continue;
		fill_array(type, in[0], n, round % 3 == 0);
		for (int64_t i = 0; i < (int64_t)n * bytes; i++) {
			in[1][i] = i % bytes ? in[1][i - 1] : (char)-(int)(next_random() & 1);
			in[2][i] = i % bytes ? in[2][i - 1] : (char)-(int)(next_random() & 1);
		}
		ops[0].args[2] = (struct sr_vector_arg){in[2], f->vector_bytes, -1};
		for (int k = 0; k < 3; k++) {
			fill_array(type, one[k], 1, false);
			for (int i = bytes; i < VECTOR_BYTES; i++)
				one[k][i] = one[k][i - bytes];
			if (first + k < SR_VECTOR_ARGS)
				ops[0].args[first + k] = (struct sr_vector_arg){one[k], 0, 0};
		}
		complete_ops(f, ops, form, fn, got);
		f->run(ops, VECTOR_BLOCKS, NULL, 0);
		n_forms++;
		for (int64_t i = 0; i < n; i++) {
			const char *x = in[0] + i * bytes, *last = one[n_masks];
			const char *chosen = in[1][i * bytes] ? n_masks == 1 || in[2][i * bytes] ? one[0] : one[1] : last;
			char expected[8];
			struct sr_map_params p = {.n = 1, .in = (uint8_t)type, .out = (uint8_t)type};
			void *buffers[] = {(void *)(uintptr_t)x, (void *)(uintptr_t)chosen, expected};
			reference.fn[SR_KERNEL_ADD][type](&p, buffers, NULL, 0, 1);
			ck_assert_msg(are_close(type, expected, got + i * bytes, 0),
				      "selection of %d, isa %d, %s, form %d: element %d", n_masks + 1, isa, sr_dtypes[type].name,
				      form, (int)i);
		}
	}
	ck_assert_int_eq(n_forms, 32 * 7);
}

/* Compute one element of a combined op of floats with the reference kernels: a sum or difference of x * y, or for ADD_3 of x + y,
 * and z; for EQUAL_OR_NAN all bits are set for true. */
static void combine_floats(enum sr_vector_combined op, enum sr_dtype type, const char *x, const char *y, const char *z, char *to)
{
	struct sr_map_params p = {.n = 1, .in = (uint8_t)type, .out = (uint8_t)type};
	enum sr_kernel first = op == SR_VECTOR_ADD_3 ? SR_KERNEL_ADD : SR_KERNEL_MULTIPLY;
	enum sr_kernel second = op == SR_VECTOR_MULTIPLY_ADD || op == SR_VECTOR_ADD_3 ? SR_KERNEL_ADD : SR_KERNEL_SUBTRACT;
	char part[8];
	if (op == SR_VECTOR_EQUAL_OR_NAN) {
		struct sr_map_params differs = {.n = 1, .in = (uint8_t)type, .out = SR_I1, .variant = SR_NE}, equal = differs;
		char is_nan = 0, is_equal = 0;
		void *same[] = {(void *)(uintptr_t)x, (void *)(uintptr_t)x, &is_nan};
		void *both[] = {(void *)(uintptr_t)x, (void *)(uintptr_t)y, &is_equal};
		equal.variant = SR_EQ;
		reference.fn[SR_KERNEL_COMPARE][type](&differs, same, NULL, 0, 1);
		reference.fn[SR_KERNEL_COMPARE][type](&equal, both, NULL, 0, 1);
		memset(to, is_nan || is_equal ? 0xff : 0, 8);
		return;
	}
	void *inner[] = {(void *)(uintptr_t)x, (void *)(uintptr_t)y, op == SR_VECTOR_SQUARE ? to : part};
	void *outer[] = {part, (void *)(uintptr_t)z, to};
	if (op == SR_VECTOR_SUBTRACT_PRODUCT)
		outer[0] = (void *)(uintptr_t)z, outer[1] = part;
	reference.fn[first][type](&p, inner, NULL, 0, 1);
	if (op != SR_VECTOR_SQUARE)
		reference.fn[second][type](&p, outer, NULL, 0, 1);
}

/* Check the ops of sums of products and of three floats, squares, and comparisons with NaN. */
static void check_float_ops(const struct sr_vector_functions *f, int isa, enum sr_dtype type)
{
	static _Alignas(64) char in[3][VECTOR_BLOCKS * VECTOR_BYTES], got[VECTOR_BLOCKS * VECTOR_BYTES];
	int bytes = sr_dtype_bytes(type), n = VECTOR_BLOCKS * SR_VECTOR_COUNT * f->vector_bytes / bytes, n_forms = 0;
	for (int round = 0; round < 6 * SR_VECTOR_FORMS * 8; round++) {
		int form = round % SR_VECTOR_FORMS, which = SR_VECTOR_MULTIPLY_ADD + round / SR_VECTOR_FORMS % 6;
		bool is_one = form >= SR_VECTOR_FIRST_ONE;
		struct sr_vector_op ops[3] = {{.fn = NULL}};
		sr_vector_fn *fn = f->find_combined((enum sr_vector_combined)which, bytes, (enum sr_vector_form)form);
		if (!fn)
			continue;
		for (int k = 0; k < 3; k++) {
			fill_array(type, in[k], n, round % 3 == 0);
			ops[0].args[k] = (struct sr_vector_arg){in[k], f->vector_bytes, -1};
		}
		for (int i = 0; which == SR_VECTOR_EQUAL_OR_NAN && i < n * bytes / 2; i++)
			in[1][i] = in[0][i];
		for (int i = bytes; is_one && i < VECTOR_BYTES; i++)
			in[2][i] = in[2][i - bytes];
		if (is_one)
			ops[0].args[2] = (struct sr_vector_arg){in[2], 0, 0};
		complete_ops(f, ops, form, fn, got);
		f->run(ops, VECTOR_BLOCKS, NULL, 0);
		n_forms++;
		for (int64_t i = 0; i < n; i++) {
			char expected[8];
			const char *x = in[0] + i * bytes, *y = which == SR_VECTOR_SQUARE ? x : in[1] + i * bytes;
			combine_floats((enum sr_vector_combined)which, type, x, y, in[2] + (is_one ? 0 : i * bytes), expected);
			ck_assert_msg(are_close(type, expected, got + i * bytes, 0),
				      "float op %d, isa %d, %s, form %d: element %d", which, isa, sr_dtypes[type].name, form,
				      (int)i);
		}
	}
	ck_assert_int_eq(n_forms, (4 * 6 + 2 + 3) * 8);
}

/* Compare all ops of vector code with the reference kernels. */
static void check_vector_code(const struct sr_vector_functions *f, int isa)
{
	static const enum sr_dtype types[] = {SR_F32, SR_F64, SR_I8, SR_I16, SR_I32, SR_I64,
					      SR_UI8, SR_UI16, SR_UI32, SR_UI64, SR_I1};
	static const struct { enum sr_kernel kernel; int n_args; } kernels[] = {
		{SR_KERNEL_ADD, 2}, {SR_KERNEL_SUBTRACT, 2}, {SR_KERNEL_MULTIPLY, 2}, {SR_KERNEL_DIVIDE, 2}, {SR_KERNEL_MAXIMUM, 2},
		{SR_KERNEL_MINIMUM, 2}, {SR_KERNEL_NEGATE, 1}, {SR_KERNEL_ABS, 1}, {SR_KERNEL_SHIFT_LEFT, 2},
		{SR_KERNEL_SHIFT_RIGHT_LOGICAL, 2}, {SR_KERNEL_SHIFT_RIGHT_ARITHMETIC, 2}, {SR_KERNEL_AND, 2}, {SR_KERNEL_OR, 2},
		{SR_KERNEL_XOR, 2}, {SR_KERNEL_NOT, 1}};
	int n = 0, n_types = sizeof types / sizeof *types;
	for (int t = 0; t < n_types; t++) {
		enum sr_dtype type = types[t];
		for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
			struct vector_case c = {kernels[k].kernel, {type, type}, type, kernels[k].n_args, 0};
			n += check_vector_case(f, isa, &c);
			c.variant = SR_VECTOR_COMMON_AMOUNT;
			n += strstr(sr_kernel_name(c.kernel), "shift") ? check_vector_case(f, isa, &c) : 0;
		}
		for (int variant = SR_EQ; variant <= 8 + SR_GE; variant = variant == SR_GE ? 8 : variant + 1)
			n += check_vector_case(f, isa, &(struct vector_case){SR_KERNEL_COMPARE, {type, type}, SR_I1, 2, variant});
		n += check_vector_case(f, isa, &(struct vector_case){SR_KERNEL_SELECT, {SR_I1, type, type}, type, 3, 0});
		n += check_vector_case(f, isa, &(struct vector_case){SR_KERNEL_IS_FINITE, {type}, SR_I1, 1, 0});
		for (int u = 0; u < n_types; u++)
			n += check_vector_case(f, isa, &(struct vector_case){SR_KERNEL_CONVERT, {type}, types[u], 1, 0});
		n += check_vector_case(f, isa, &(struct vector_case){SR_KERNEL_CONVERT, {type}, SR_F16, 1, 0});
	}
	ck_assert_int_gt(n, 6000);
	check_combined_ops(f, isa, 4);
	check_combined_ops(f, isa, 8);
	check_add_select(f, isa, SR_F32);
	check_add_select(f, isa, SR_F64);
	check_float_ops(f, isa, SR_F32);
	check_float_ops(f, isa, SR_F64);
	ck_assert_ptr_null(f->find_combined(SR_VECTOR_SHIFTS_XOR, 2, SR_VECTOR_NONE));
}

/* Transposes of up to 40 x 40 elements. Elements beyond the result are not written. */
START_TEST(transposes)
{
	static uint16_t in[40 * 40 * 4], got[40 * 40 * 2 + 1];
	for (size_t i = 0; i < sizeof in / sizeof *in; i++)
		in[i] = (uint16_t)next_random();
	ck_assert(!sr_nest_transpose(1, (char *)in, 1, (char *)got, 1, 1));
	ck_assert(!sr_nest_transpose(8, (char *)in, 1, (char *)got, 1, 1));
	for (int i = 0; i < 400; i++) {
		int64_t runs = 1 + next_random() % 40, n = 1 + next_random() % 40, step = runs + next_random() % 40;
		int bytes = i % 2 ? 2 : 4;
		memset(got, 0x55, sizeof got);
		ck_assert(sr_nest_transpose(bytes, (char *)in, step, (char *)got, runs, n));
		for (int64_t e = 0; e < runs * n; e++)
			ck_assert_msg(!memcmp((char *)got + e * bytes, (char *)in + (e / n + e % n * step) * bytes, (size_t)bytes),
				      "%d x %d, step %d: [%d]", (int)runs, (int)n, (int)step, (int)e);
		ck_assert_uint_eq(((unsigned char *)got)[runs * n * bytes], 0x55);
	}
}
END_TEST

START_TEST(access_functions)
{
	if (_i >= n_isa)
		return;
	const struct sr_access_functions *f = access_of(_i);
	check_streams(f, _i);
	for (int bytes = 1; bytes <= 16; bytes *= 2) {
		check_loads(f, _i, bytes);
		check_rows(f, _i, bytes);
		check_interleaves(f, _i, bytes);
		check_deinterleaves(f, _i, bytes);
		check_gather_pairs(f, _i, bytes);
		for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++)
			if (sr_dtype_is_integer((enum sr_dtype)t) && t != SR_I1 && !sr_dtype_is_sub_byte((enum sr_dtype)t))
				check_gathers(f, _i, (enum sr_dtype)t, bytes);
	}
	check_count(f, _i);
	check_vector_code(f->vectors, _i);
	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++) {
		if (sr_dtype_is_integer((enum sr_dtype)t) && t != SR_I1 && !sr_dtype_is_sub_byte((enum sr_dtype)t))
			check_dims(f, _i, (enum sr_dtype)t);
		if (f->add_products[t])
			check_add_products(f, _i, (enum sr_dtype)t);
		for (int64_t bytes = 4; f->find_extrema[t][0] && bytes <= 8; bytes += 4)
			check_find_extrema(f, _i, (enum sr_dtype)t, bytes);
	}
}
END_TEST
