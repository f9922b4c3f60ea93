/* oneDNN as a table of functions, and a builder for kernels that consist of oneDNN primitives: memory objects for the kernel's
 * buffers and scratch, reorders into the primitives' layouts, single-threaded execution. Compiled only if configure finds the
 * header (HAVE_DNNL). */
#ifndef SR_KERNELS_FAST_DNNL_H
#define SR_KERNELS_FAST_DNNL_H

#include "kernels/fast/fast.h"

#ifdef HAVE_DNNL
#include <dnnl.h>

struct sr_dnnl {
#define DNNL(name) __typeof__(name) *name;
#include "kernels/fast/dnnl.def"
	/* functions of the OpenMP library that oneDNN is linked with; NULL if oneDNN does not use OpenMP */
	int (*omp_get_max_threads)(void);
	void (*omp_set_num_threads)(int);
};

extern struct sr_dnnl sr_dnnl; /* functions of the loaded oneDNN; one table per process */

/* ---- builder of a kernel: stages, executed one after another ---- */
enum { SR_DNNL_MEMORIES = 10, SR_DNNL_STAGES = 5, SR_DNNL_ARGUMENTS = 4, SR_DNNL_SCRATCH = -1 };

struct sr_dnnl_ready;
/* Begin to build a kernel. Returns NULL if memory runs out or oneDNN is not open. If a primitive fails at run time, the kernel
 * table's function computes the entire range instead. */
struct sr_dnnl_ready *sr_dnnl_begin(const struct sr_kernels *table, enum sr_kernel k, enum sr_dtype t, const void *params, int64_t range);
/* Add a memory object for a kernel's buffer, from byte `offset` on, or for new scratch memory (buffer SR_DNNL_SCRATCH). Returns
 * its number, -1 on failure. */
int sr_dnnl_memory(struct sr_dnnl_ready *r, const dnnl_memory_desc_t *md, int buffer, int64_t offset);
/* Add a stage: a reorder, a strided copy, or a primitive. sr_dnnl_find_implementation creates the primitive's descriptor; it
 * returns NULL if the library has only a reference implementation. The functions that add a stage return false on failure. */
bool sr_dnnl_add_reorder(struct sr_dnnl_ready *r, const dnnl_memory_desc_t *from_md, int src_memory,
			 const dnnl_memory_desc_t *to_md, int dst_memory);
bool sr_dnnl_add_move(struct sr_dnnl_ready *r, const struct sr_move_params *move, int src_memory, int dst_memory);
dnnl_primitive_desc_t sr_dnnl_find_implementation(const_dnnl_op_desc_t op, const_dnnl_primitive_desc_t hint);
bool sr_dnnl_add_primitive(struct sr_dnnl_ready *r, const_dnnl_primitive_desc_t pd, const int (*arguments)[2], int n);
/* Finish the kernel and return it for sr_kernel_prepare_fn. If `succeeded` is false, release everything and return NULL. */
struct sr_prepared_kernel *sr_dnnl_end(struct sr_dnnl_ready *r, bool succeeded);

/* Return oneDNN's data type for an element type; dnnl_data_type_undef if oneDNN has none or does not support it on this machine. */
dnnl_data_type_t sr_dnnl_type(enum sr_dtype t);
bool sr_dnnl_has_int8(void); /* Return true if oneDNN computes products of 8-bit integers exactly on this machine. */
bool sr_dnnl_has_bf16(void); /* Return true if products of bf16 use instructions for them, not those of f32. */
bool sr_dnnl_packs_matmul_operands(void); /* Return true if oneDNN's products of f32 copy their operands into blocks. */
#endif

#endif
