/* oneDNN as a table of functions, and what its primitives need to be played as a kernel: memory where the kernel's buffers and scratch are,
 * copies into the layouts that they want, one thread. Only where configure found its header (HAVE_DNNL). */
#ifndef SR_KERNELS_FAST_DNNL_H
#define SR_KERNELS_FAST_DNNL_H

#include "kernels/fast/fast.h"

#ifdef HAVE_DNNL
#include <dnnl.h>

struct sr_dnnl {
#define DNNL(name) __typeof__(name) *name;
#include "kernels/fast/dnnl.def"
	int (*omp_get_max_threads)(void); /* NULL where its loops know no threads */
	void (*omp_set_num_threads)(int);
};

extern struct sr_dnnl sr_dnnl; /* of the process */

/* Its loops on one thread until sr_dnnl_end_single_thread with what was returned: a caller's own OpenMP is left as it was. */
int sr_dnnl_begin_single_thread(void);
void sr_dnnl_end_single_thread(int threads);

/* ---- a kernel made of primitives, played one after another ---- */
enum { SR_DNNL_MEMORIES = 10, SR_DNNL_STAGES = 5, SR_DNNL_ARGUMENTS = 4, SR_DNNL_SCRATCH = -1 };

struct sr_dnnl_ready;
/* NULL where there is no memory or no oneDNN. `fallback` is played with all rows where a primitive fails. */
struct sr_dnnl_ready *sr_dnnl_begin(const struct sr_kernels *table, enum sr_kernel k, enum sr_dtype t, const void *params, int64_t range);
/* Memory of a kernel's buffer from a byte on, or of scratch (SR_DNNL_SCRATCH: its own bytes). The number of it; -1: it cannot be. */
int sr_dnnl_memory(struct sr_dnnl_ready *r, const dnnl_memory_desc_t *md, int buffer, int64_t offset);
/* Stages. False where the library has no such primitive, or one that is slower than our own kernels. */
bool sr_dnnl_add_reorder(struct sr_dnnl_ready *r, const dnnl_memory_desc_t *from_md, int from, const dnnl_memory_desc_t *to_md, int to);
bool sr_dnnl_add_move(struct sr_dnnl_ready *r, const struct sr_move_params *move, int from, int to);
dnnl_primitive_desc_t sr_dnnl_find_implementation(const_dnnl_op_desc_t op, const_dnnl_primitive_desc_t hint);
bool sr_dnnl_add_primitive(struct sr_dnnl_ready *r, const_dnnl_primitive_desc_t pd, const int (*arguments)[2], int n);
/* What was begun, good for sr_kernel_prepare_fn: NULL, and all of it released, where `good` is false. */
struct sr_prepared_kernel *sr_dnnl_end(struct sr_dnnl_ready *r, bool good);

/* dnnl_data_type_undef where oneDNN has no such type, or not on this machine. */
dnnl_data_type_t sr_dnnl_type(enum sr_dtype t);
bool sr_dnnl_has_int8(void); /* exact products of 8-bit integers */
bool sr_dnnl_packs_matmul_operands(void); /* products of f32 go through copies of their operands in blocks */
#endif

#endif
