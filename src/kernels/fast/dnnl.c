/* Loading of oneDNN, limited to an instruction set, and the builder of kernels that run its primitives. */
#include "kernels/fast/dnnl.h"
#include "kernels/fast/library.h"
#include "support/knobs/knobs.h"
#include "support/thread.h"
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_DNNL
struct sr_dnnl sr_dnnl;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded, is_active;
static int isa_level; /* index in `isa_levels` of the instruction set that oneDNN is limited to; 0: oneDNN is not available */
static dnnl_engine_t engine;

static const struct sr_library_row rows[] = {
#define DNNL(name) {#name, offsetof(struct sr_dnnl, name), false},
#include "kernels/fast/dnnl.def"
	{"omp_get_max_threads", offsetof(struct sr_dnnl, omp_get_max_threads), true},
	{"omp_set_num_threads", offsetof(struct sr_dnnl, omp_set_num_threads), true},
};

/* Instruction sets that oneDNN can be limited to, in ascending order. The last row whose features all ranks have is used. Row 0:
 * oneDNN is not available. */
static const struct {
	const char *name;
	dnnl_cpu_isa_t isa;
	uint64_t features;
} isa_levels[] = {
	{0},
	{"SSE4.1", dnnl_cpu_isa_sse41, 0},
	{"AVX2", dnnl_cpu_isa_avx2, SR_FEATURE(AVX2)},
	{"AVX-512", dnnl_cpu_isa_avx512_core, SR_FEATURE(AVX512)},
	{"AVX-512 with VNNI", dnnl_cpu_isa_avx512_core_vnni, SR_FEATURE(AVX512) | SR_FEATURE(VNNI)},
	{"AVX-512 with VNNI and BF16", dnnl_cpu_isa_avx512_core_bf16, SR_FEATURE(AVX512) | SR_FEATURE(VNNI) | SR_FEATURE(BF16)},
};

static int level_within(uint64_t features)
{
	int k = sizeof isa_levels / sizeof *isa_levels - 1;
	while (isa_levels[k].features & ~features)
		k--;
	return k;
}

/* Return true if the instruction set that oneDNN uses has a feature. */
static bool has_feature(uint64_t feature)
{
	return isa_levels[isa_level].features & feature;
}

static const char *load(void)
{
	const char *message = sr_library_open(SR_DNNL_LIBRARY, rows, sizeof rows / sizeof *rows, &sr_dnnl);
	if (message)
		return message;
	const dnnl_version_t *v = sr_dnnl.dnnl_version();
	if (v->major != DNNL_VERSION_MAJOR)
		return "it has another major version";
	bool omp = v->cpu_runtime == DNNL_RUNTIME_OMP && sr_dnnl.omp_get_max_threads && sr_dnnl.omp_set_num_threads;
	return omp || v->cpu_runtime == DNNL_RUNTIME_SEQ ? NULL : "it uses another threading library than OpenMP";
}

uint64_t sr_dnnl_open(uint64_t features, const char **message)
{
	pthread_mutex_lock(&lock);
	sr_environment_lock();
	*message = is_loaded ? NULL : load();
	sr_environment_unlock();
	is_loaded = !*message;
	const dnnl_version_t *v = is_loaded ? sr_dnnl.dnnl_version() : NULL;
	uint64_t version = v ? ((uint64_t)v->major << 16 | (uint64_t)v->minor << 8 | (uint64_t)v->patch) : 0;
	pthread_mutex_unlock(&lock);
	return version << 8 | (uint64_t)(version ? level_within(features) : 0);
}

void sr_dnnl_limit(uint64_t min, uint64_t max)
{
	if (min >> 8 != max >> 8 || !(min & 255))
		return;
	pthread_mutex_lock(&lock);
	if (is_loaded && !is_active) {
		isa_level = (int)(min & 255);
		/* a limit that the user sets in the environment takes precedence */
		if (!sr_env("ONEDNN_MAX_CPU_ISA") && !sr_env("DNNL_MAX_CPU_ISA"))
			sr_dnnl.dnnl_set_max_cpu_isa(isa_levels[isa_level].isa);
		__atomic_store_n(&is_active, !sr_dnnl.dnnl_engine_create(&engine, dnnl_cpu, 0), __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&lock);
}

bool sr_dnnl_is_open(void)
{
	return __atomic_load_n(&is_active, __ATOMIC_ACQUIRE);
}

void sr_dnnl_describe(struct sr_buf *out)
{
	const dnnl_version_t *v = sr_dnnl.dnnl_version();
	sr_buf_printf(out, "oneDNN %d.%d.%d; kernels for %s", v->major, v->minor, v->patch, isa_levels[isa_level].name);
}

bool sr_dnnl_has_int8(void)
{
	return has_feature(SR_FEATURE(VNNI));
}

bool sr_dnnl_has_bf16(void)
{
	return has_feature(SR_FEATURE(BF16));
}

bool sr_dnnl_packs_matmul_operands(void)
{
	return has_feature(SR_FEATURE(AVX512));
}

dnnl_data_type_t sr_dnnl_type(enum sr_dtype t)
{
	switch (t) {
	case SR_F32:
		return dnnl_f32;
	case SR_BF16:
		return has_feature(SR_FEATURE(AVX512)) ? dnnl_bf16 : dnnl_data_type_undef;
	case SR_I8:
		return has_feature(SR_FEATURE(VNNI)) ? dnnl_s8 : dnnl_data_type_undef;
	case SR_UI8:
		return has_feature(SR_FEATURE(VNNI)) ? dnnl_u8 : dnnl_data_type_undef;
	case SR_I32:
		return dnnl_s32;
	default:
		return dnnl_data_type_undef;
	}
}

/* ---- stages ---- */

struct memory {
	dnnl_memory_t memory;
	int buffer;
	int64_t offset; /* byte offset of the memory object in the buffer or in scratch */
	void *bound_address;
};

struct stage {
	dnnl_primitive_t primitive; /* primitive that the stage runs; NULL: the stage is a strided copy */
	dnnl_exec_arg_t arguments[SR_DNNL_ARGUMENTS];
	int n, src_memory, dst_memory;
	/* the primitive's code may use the stack pointer as a general register, so that no signal handler may interrupt it */
	bool blocks_signals;
	struct sr_move_params move;
};

struct sr_dnnl_ready {
	struct sr_prepared_kernel base; /* base struct, must be the first member */
	sr_kernel_fn *fallback, *move;
	const void *params;
	int64_t range, fallback_scratch,
	    scratch; /* range of the fallback kernel; its scratch bytes; scratch bytes of the primitives */
	dnnl_stream_t stream;
	int saved_threads;
	int n_memories, n_stages;
	struct memory memories[SR_DNNL_MEMORIES];
	struct stage stages[SR_DNNL_STAGES];
};

static void release(struct sr_prepared_kernel *prepared)
{
	struct sr_dnnl_ready *r = (struct sr_dnnl_ready *)prepared;
	for (int i = 0; i < r->n_stages; i++)
		if (r->stages[i].primitive)
			sr_dnnl.dnnl_primitive_destroy(r->stages[i].primitive);
	for (int i = 0; i < r->n_memories; i++)
		sr_dnnl.dnnl_memory_destroy(r->memories[i].memory);
	if (r->stream)
		sr_dnnl.dnnl_stream_destroy(r->stream);
	free(r);
}

/* Set the addresses of the memory objects. Only changed addresses are set, since they rarely change from one run to the next. */
static bool bind_memories(struct sr_dnnl_ready *r, void *const *buffers, char *scratch)
{
	for (int i = 0; i < r->n_memories; i++) {
		struct memory *m = &r->memories[i];
		char *at = (m->buffer < 0 ? scratch : (char *)buffers[m->buffer]) + m->offset;
		if (m->bound_address == at)
			continue;
		if (sr_dnnl.dnnl_memory_set_data_handle(m->memory, at))
			return false;
		m->bound_address = at;
	}
	return true;
}

static bool execute_primitive(const struct sr_dnnl_ready *r, const struct stage *s)
{
	sigset_t before;
	if (s->blocks_signals)
		sr_thread_block_signals(&before);
	bool succeeded = !sr_dnnl.dnnl_primitive_execute(s->primitive, r->stream, s->n, s->arguments);
	if (s->blocks_signals)
		sr_thread_restore_signals(&before);
	return succeeded;
}

static bool execute_stages(struct sr_dnnl_ready *r)
{
	for (int i = 0; i < r->n_stages; i++) {
		struct stage *s = &r->stages[i];
		if (!s->primitive)
			r->move(&s->move,
				(void *[]){r->memories[s->src_memory].bound_address, r->memories[s->dst_memory].bound_address},
				NULL, 0, s->move.shape[0]);
		else if (!execute_primitive(r, s))
			return false;
	}
	return !sr_dnnl.dnnl_stream_wait(r->stream);
}

/* Run oneDNN's loops on one thread. Return the number of OpenMP threads before, which end_single_thread restores, so that the
 * caller's own OpenMP loops are not affected. */
static int begin_single_thread(void)
{
	int threads = sr_dnnl.omp_get_max_threads ? sr_dnnl.omp_get_max_threads() : 1;
	if (threads != 1)
		sr_dnnl.omp_set_num_threads(1);
	return threads;
}

static void end_single_thread(int threads)
{
	if (threads != 1)
		sr_dnnl.omp_set_num_threads(threads);
}

/* Run the stages on one thread, independently of the caller's OpenMP setting. */
static void run(struct sr_prepared_kernel *prepared, void *const *buffers, void *scratch)
{
	struct sr_dnnl_ready *r = (struct sr_dnnl_ready *)prepared;
	int threads = begin_single_thread();
	bool succeeded = bind_memories(r, buffers, scratch) && execute_stages(r);
	end_single_thread(threads);
	if (!succeeded)
		r->fallback(r->params, buffers, scratch, 0, r->range);
}

struct sr_dnnl_ready *sr_dnnl_begin(const struct sr_kernels *table, enum sr_kernel k, enum sr_dtype t, const void *params, int64_t range)
{
	struct sr_dnnl_ready *r = sr_dnnl_is_open() ? calloc(1, sizeof *r) : NULL;
	if (!r)
		return NULL;
	r->base = (struct sr_prepared_kernel){.run = run, .release = release};
	r->fallback = table->fn[k][t];
	r->move = table->fn[SR_KERNEL_MOVE][SR_UI8];
	r->params = params;
	r->range = range;
	r->fallback_scratch = sr_kernel_call_scratch(table, k, t, params);
	/* a primitive keeps the number of threads that was set when it was created */
	r->saved_threads = begin_single_thread();
	return r;
}

int sr_dnnl_memory(struct sr_dnnl_ready *r, const dnnl_memory_desc_t *md, int buffer, int64_t offset)
{
	struct memory *m = &r->memories[r->n_memories];
	if (r->n_memories == SR_DNNL_MEMORIES || sr_dnnl.dnnl_memory_create(&m->memory, md, engine, DNNL_MEMORY_NONE))
		return -1;
	m->buffer = buffer;
	m->offset = offset;
	if (buffer < 0) {
		m->offset = r->scratch;
		r->scratch += ((int64_t)sr_dnnl.dnnl_memory_desc_get_size(md) + 63) / 64 * 64;
	}
	return r->n_memories++;
}

/* Return true if an implementation calls oneDNN's gemm. For sums of more than some 2,048 products, the gemm code for unpacked f32
 * operands addresses a buffer in the heap by the stack pointer. */
static bool calls_gemm(const_dnnl_primitive_desc_t pd)
{
	const char *name = NULL;
	return sr_dnnl.dnnl_primitive_desc_query(pd, dnnl_query_impl_info_str, 0, &name) || strstr(name, "gemm");
}

/* Append a stage that runs a primitive with this descriptor. */
static struct stage *append_stage(struct sr_dnnl_ready *r, const_dnnl_primitive_desc_t pd)
{
	struct stage *s = &r->stages[r->n_stages];
	if (r->n_stages == SR_DNNL_STAGES || sr_dnnl.dnnl_primitive_create(&s->primitive, pd))
		return NULL;
	s->blocks_signals = calls_gemm(pd);
	r->n_stages++;
	return s;
}

static dnnl_primitive_attr_t create_attributes(void)
{
	dnnl_primitive_attr_t a;
	if (sr_dnnl.dnnl_primitive_attr_create(&a))
		return NULL;
	sr_dnnl.dnnl_primitive_attr_set_scratchpad_mode(a, dnnl_scratchpad_mode_user);
	sr_dnnl.dnnl_primitive_attr_set_fpmath_mode(a, dnnl_fpmath_mode_strict);
	return a;
}

bool sr_dnnl_add_primitive(struct sr_dnnl_ready *r, const_dnnl_primitive_desc_t pd, const int (*arguments)[2], int n)
{
	const dnnl_memory_desc_t *scratch = sr_dnnl.dnnl_primitive_desc_query_md(pd, dnnl_query_scratchpad_md, 0);
	struct stage *s = append_stage(r, pd);
	if (!s)
		return false;
	for (int i = 0; i < n; i++) {
		if (arguments[i][1] < 0)
			return false;
		s->arguments[s->n++] = (dnnl_exec_arg_t){arguments[i][0], r->memories[arguments[i][1]].memory};
	}
	if (!scratch || !sr_dnnl.dnnl_memory_desc_get_size(scratch))
		return true;
	int at = sr_dnnl_memory(r, scratch, SR_DNNL_SCRATCH, 0);
	if (at >= 0)
		s->arguments[s->n++] = (dnnl_exec_arg_t){DNNL_ARG_SCRATCHPAD, r->memories[at].memory};
	return at >= 0;
}

bool sr_dnnl_add_reorder(struct sr_dnnl_ready *r, const dnnl_memory_desc_t *from_md, int src_memory,
			 const dnnl_memory_desc_t *to_md, int dst_memory)
{
	dnnl_primitive_desc_t pd = NULL;
	dnnl_primitive_attr_t a = create_attributes();
	bool succeeded = a && !sr_dnnl.dnnl_reorder_primitive_desc_create(&pd, from_md, engine, to_md, engine, a) &&
		    sr_dnnl_add_primitive(r, pd, (const int[][2]){{DNNL_ARG_FROM, src_memory}, {DNNL_ARG_TO, dst_memory}}, 2);
	if (pd)
		sr_dnnl.dnnl_primitive_desc_destroy(pd);
	if (a)
		sr_dnnl.dnnl_primitive_attr_destroy(a);
	return succeeded;
}

bool sr_dnnl_add_move(struct sr_dnnl_ready *r, const struct sr_move_params *move, int src_memory, int dst_memory)
{
	if (r->n_stages == SR_DNNL_STAGES || src_memory < 0 || dst_memory < 0)
		return false;
	r->stages[r->n_stages++] = (struct stage){.src_memory = src_memory, .dst_memory = dst_memory, .move = *move};
	return true;
}

dnnl_primitive_desc_t sr_dnnl_find_implementation(const_dnnl_op_desc_t op, const_dnnl_primitive_desc_t hint)
{
	dnnl_primitive_desc_t pd = NULL;
	dnnl_primitive_attr_t a = create_attributes();
	const char *name = NULL;
	if (a && sr_dnnl.dnnl_primitive_desc_create(&pd, op, a, engine, hint))
		pd = NULL;
	if (a)
		sr_dnnl.dnnl_primitive_attr_destroy(a);
	/* skip oneDNN's reference implementations, which are slow */
	if (pd && (sr_dnnl.dnnl_primitive_desc_query(pd, dnnl_query_impl_info_str, 0, &name) || !strncmp(name, "ref", 3))) {
		sr_dnnl.dnnl_primitive_desc_destroy(pd);
		pd = NULL;
	}
	return pd;
}

struct sr_prepared_kernel *sr_dnnl_end(struct sr_dnnl_ready *r, bool succeeded)
{
	end_single_thread(r->saved_threads);
	succeeded = succeeded && !sr_dnnl.dnnl_stream_create(&r->stream, engine, dnnl_stream_default_flags);
	r->base.scratch = r->scratch > r->fallback_scratch ? r->scratch : r->fallback_scratch;
	if (succeeded)
		return &r->base;
	release(&r->base);
	return NULL;
}
#else
uint64_t sr_dnnl_open(uint64_t features, const char **message)
{
	*message = NULL;
	return 0;
}

void sr_dnnl_limit(uint64_t min, uint64_t max)
{
}

bool sr_dnnl_is_open(void)
{
	return false;
}

void sr_dnnl_describe(struct sr_buf *out)
{
}
#endif
