/* The form of a loop nest's generated function: order of loops, storage of values, dependences. nest_form.c selects it; nest_c.c
 * and nest_instr_c.c write it. */
#ifndef SR_CODEGEN_NEST_FORM_H
#define SR_CODEGEN_NEST_FORM_H

#include "codegen/nest_c.h"
#include "kernels/nest/nest_prepared.h"

struct sr_nest_range;
enum sr_nest_form_kind { SR_NEST_FORM_MAP, SR_NEST_FORM_ROWS, SR_NEST_FORM_COLUMNS };
enum sr_nest_form_storage { SR_STORAGE_SCALAR, SR_STORAGE_BLOCK, SR_STORAGE_SAVED };
enum {
	/* rows and columns, in elements, of the block in which a transposed input is buffered */
	SR_NEST_FORM_BLOCK_ROWS = 32, SR_NEST_FORM_BLOCK_COLUMNS = 64,
	SR_NEST_FORM_INTERLEAVED_COLUMNS = 1024, /* columns of a block of interleaved inputs, which are read in place */
	SR_NEST_FORM_SHORT_ROWS = 256,         /* rows of a block of short rows, whether one loop or not executes their elements */
	SR_NEST_FORM_TABLE_BLOCK = 512,        /* iterations of a block of the vector loop of a nest with small tables */
	SR_NEST_FORM_VECTOR_BYTES = 64,        /* most bytes of a vector */
	SR_NEST_FORM_UNROLLED = 16,            /* GCC 12 unrolls loops of up to so many iterations before it vectorizes */
	SR_NEST_FORM_STREAM_BLOCK = 1024,      /* bytes of a local block of streamed stores */
	SR_NEST_FORM_STREAMED = 2 << 20,       /* least output bytes of a nest with streamed stores: fewer fit most cores' caches */
	/* least bytes of inputs that are prefetched along rows, and in blocks of columns: fewer are likely to be in a cache that is
	 * as quick without prefetches, of which those in blocks of columns take more time */
	SR_NEST_FORM_PREFETCHED = 8 << 20, SR_NEST_FORM_PREFETCHED_COLUMNS = 48 << 20
};

struct sr_nest_form {
	const struct sr_nest *t;
	const struct sr_nest_prepared *r; /* the loop nest with adjacent loops merged where possible */
	struct sr_arena *arena;
	struct sr_buf *out;
	struct sr_c_functions *functions;
	enum sr_nest_form_kind form;
	int vector;      /* the innermost loop, which is vectorized; -1: the nest has no loops */
	/* form MAP: the loop along which some inputs are contiguous while they are strided along the vector loop; -1: none */
	int transposed_loop;
	/* true if the transposed inputs are short vectors, such as the channels of a pixel, and are read in place */
	bool is_interleaved;
	/* true if they have bytes, which are copied to an array for each channel: compilers vectorize such copies, but not the
	 * conversion of every third byte */
	bool is_split;
	/* form MAP with an unrolled loop: true if inputs are pixels of bytes in reversed order, which are copied to local arrays */
	bool is_reversed;
	/* form MAP: a short last loop, over the coordinates of a vector for instance, that is inside the vector loop; -1: none.
	 * Compilers unroll it, and load and store its iterations by shuffles of whole vectors. */
	int unrolled_loop;
	/* a last loop shorter than a vector, which one loop executes together with the vector loop around it; -1: none */
	int short_row_loop;
	/* with short rows: true if the two loops are over the elements of small matrices, or of adjacent rows of elementary
	 * functions: one loop computes all values */
	bool has_small_matrices;
	/* with short rows, for each value: true if it is in a local array, where the elements of successive rows are adjacent */
	bool *is_copied;
	/* with short rows, for each value: bytes of the signed integers in its local array, fewer than its type has; 0: its type */
	uint8_t *copied_bytes;
	struct sr_nest_range *copied_limits; /* what such integers are clamped to, if they need more bytes */
	/* form COLUMNS: true if blocks of short rows are copied from inputs, and to outputs, by local arrays, where columns are
	 * contiguous */
	bool has_row_blocks;
	/* forms ROWS and COLUMNS: the loop over rows of which some are columns of an array, and how many of these rows are transposed
	 * into local arrays at a time; 0: none (nest_transposed_rows.h) */
	int row_block_loop;
	int64_t row_block;
	int64_t width;   /* number of iterations in a block, for the form COLUMNS */
	int64_t grain;   /* minimum number of iterations of the outermost parallel loop in a task of a thread */
	/* form MAP, for each value: bytes of an element if it is read from a table in vector registers (nest_tables.c); else 0 */
	uint8_t *table_bytes;
	bool *is_index_operand; /* for each value: true if an index of such a table depends on it */
	bool has_tables;
	const struct sr_nest_range *ranges; /* for each value: the range of its integers (nest_ranges.h) */
	uint32_t *deps;  /* for each value: bit l is set if the value depends on loop l */
	uint8_t *storage;  /* for each value: where the C code keeps it, an enum sr_nest_form_storage */
	/* for each value: true if it is a LOAD that is only used as the fill value of another LOAD, and becomes a part of its
	 * expression */
	bool *is_inlined_fill;
	/* for each dim of an indexing map: true where the variable clamped<dim> has its clamped index */
	bool *has_clamped_index;
	/* for each value: true where the variable limited<value> has the clamped operand of the comparison that defines it */
	bool *has_limited_operand;
	const bool *is_unused; /* for each value: true if it is only a fill value, and is never read as one */
	/* for each buffer: true if its store may be streamed past the caches, through a local block */
	bool is_streamed[SR_NEST_MAX_BUFFERS];
	int64_t output_bytes;               /* number of bytes that one execution of the nest stores */
	bool *is_prefetched; /* for each instruction: true for a load, in the first stage over inner loops, that is prefetched */
	bool mostly_gathers;                /* form MAP: true if elements of large arrays are better gathered one by one */
	const struct sr_nest_mask *masks;      /* for each value: what is known of a mask (nest_masks.h); NULL: nothing */
	bool *is_accumulator;                  /* for each value: true if it is the result of a REDUCE or FOLD */
	int *stage_of;                      /* for each value: stage of its definition; -1: defined in the body of a FOLD */
	/* for each value: its defining instruction; NULL: an argument of the body of a FOLD */
	const struct sr_nest_instr **definition;
	int stage, lanes, indentation;            /* state while writing: current stage, number of lanes of a reduction, indentation */
	bool is_flat;                          /* true in the loop that executes two loops: lanes and columns, or short rows */
	/* the two loops: the index of flat_outer is j + q, and that of flat_inner varies fastest */
	int flat_outer, flat_inner;
	bool is_in_index_loop;                 /* true inside a loop that computes indices of small tables */
	int64_t stream_width;                  /* iterations of the block of streamed stores that is written; 0: none */
	int *part_of;                          /* for each instruction: its part of a divided vector loop (nest_parts.h) */
	int part;                              /* the part that is written; 0: all instructions */
	/* while code is written: the elements left after a vector loop's last whole vector are a vector that overlaps it */
	bool has_last_vector;
	/* while code is written: values that are reduced are stored in local arrays of one vector (nest_row_vectors.h) */
	bool has_row_vectors;
	int64_t row_begin, row_end;            /* range of the vector loop while code with tests of rows is written */
	/* form COLUMNS, while code is written: an iteration of the vector loop reduces this many rows, from index j on */
	int rows;
};

/* The loops around a stage (in form MAP around all stages), from the outermost to the innermost, which is the vector loop. */
struct sr_stage_loops {
	int n, loops[SR_NEST_MAX_LOOPS];
	int first_stage, last_stage;
	bool has_reduction;
	bool has_short_rows;
};

/* Select form, storage and block sizes. Return false if the nest is not compiled. */
bool sr_nest_form_select(struct sr_nest_form *g);
/* Return true if a block of short rows copies rows that are partly out of bounds. */
bool sr_nest_form_copies_bounded_rows(const struct sr_nest_form *g);
/* Return true if the vector loop has few iterations and reads an element, the same in all of them, whose index can be out of
 * bounds. GCC 12 unrolls such a loop, vectorizes the one around it, and loads wrong elements; an empty statement prevents that. */
bool sr_nest_form_has_bounded_values(const struct sr_nest_form *g, const struct sr_stage_loops *n);
/* Return true if each call executes all columns (sr_nest_is_one_task) as one block: the generated loops over columns have constant
 * bounds, so that the C compiler keeps their accumulators in registers. */
bool sr_nest_form_is_one_task(const struct sr_nest_form *g);
/* Return true if a stage of the form COLUMNS is flattened: a vector loop over the few columns would be shorter than a vector, and
 * the last inner loop has so many points that the stage has lanes. One loop over lanes and columns is the vector loop. */
bool sr_nest_form_is_flat(const struct sr_nest_form *g, const struct sr_nest_stage *stage);
/* Select a loop over short rows, if the nest has such rows and gains from it. Values have their dependences already. */
void sr_nest_form_select_short_rows(struct sr_nest_form *g);
/* Return in how many of the stage's n->n loops an instruction is written: as few as its dependences allow. n->n + 1: also in the
 * unrolled loop, or in the loop over the elements of short rows. n->n + 2: before these loops, once for all short rows. */
int sr_nest_form_loop_depth(const struct sr_nest_form *g, const struct sr_stage_loops *n, const struct sr_nest_instr *in);
/* Return true if an index of the access can be out of bounds. */
bool sr_nest_form_has_bounds(const struct sr_nest_form *g, const struct sr_nest_access *a);
/* Return true for an elementary function of floats, such as a logarithm. */
bool sr_nest_form_is_elementary(const struct sr_nest_form *g, const struct sr_nest_instr *in);
/* Return true if a few iterations of a loop shift 8-bit or 16-bit integers by its index, as bit planes of images are computed.
 * Compilers then unroll it: vector instructions shift such integers by constants, and wider ones by variables. */
bool sr_nest_form_shifts_by_index(const struct sr_nest_form *g, int l);
/* Return how many bytes each component of a value has in registers. Integers of 64 bits have 4 bytes if their range permits. */
int sr_nest_form_register_bytes(const struct sr_nest_form *g, int value);
/* Return true if a comparison can use operand `arg` as a signed integer of this many bytes. If not all its numbers fit in,
 * *is_clamped is set to true: then it has to be clamped to *limits first. They are one below and one above the other operand's
 * range, so that no comparison has another result. */
bool sr_nest_form_compares_in(const struct sr_nest_form *g, const struct sr_nest_instr *in, int arg, int bytes,
			      struct sr_nest_range *limits, bool *is_clamped);
/* Return true if operand `arg` of a comparison of 64-bit integers is clamped to 32 bits before the vector loop. */
bool sr_nest_form_is_clamped(const struct sr_nest_form *g, const struct sr_nest_instr *in, int arg, struct sr_nest_range *limits);
/* Return how many elements the local array of a value has for one row, or for one column of a block. */
int64_t sr_nest_form_copies(const struct sr_nest_form *g, int value);
void sr_nest_form_stage_loops(const struct sr_nest_form *g, int stage, struct sr_stage_loops *n);
/* Return true for a load or a store that is strided along the vector loop and contiguous along another one. A load reads from a
 * block that has been transposed into a local array. A store, the only one to its buffer, writes to a local array, from which the
 * block is transposed. */
bool sr_nest_form_is_transposed(const struct sr_nest_form *g, const struct sr_nest_instr *in);
/* Return true for a load of 8-bit elements that mirrors an image: the unrolled loop reads the contiguous channels of a pixel, and
 * the vector loop reads the pixels from the last to the first. Accesses of a nest with an unrolled loop have no bounds. */
bool sr_nest_form_is_reversed(const struct sr_nest_form *g, const struct sr_nest_instr *in);
/* Return true for a load or a store of a nest with row blocks that accesses contiguous rows. */
bool sr_nest_form_is_in_row_block(const struct sr_nest_form *g, const struct sr_nest_instr *in);
/* Return true if a load has the same block of columns in all iterations of the loops around it. */
bool sr_nest_form_is_equal_block(const struct sr_nest_form *g, const struct sr_nest_instr *in);
/* Return the first load in the nest that reads the same elements as `in`, a load in a row block. */
const struct sr_nest_instr *sr_nest_form_first_equal_load(const struct sr_nest_form *g, const struct sr_nest_instr *in);
/* Return true if the nest loads elements at a shifted position of the vector loop, as stencils do, and computes little with each
 * loaded element. At such a position every vector of 64 bytes crosses a cache line, but only every second one of 32 bytes. In
 * short rows, more elements are left after the last long vector: there, masks that are constant in most iterations do not count as
 * computation. GCC 12 does not vectorize loops with elements of one and of eight bytes if its vectors have 32 of 64 bytes. */
bool sr_nest_form_has_shifted_loads(const struct sr_nest_form *g);
/* Return true for an indexing map that has a pointer of its own in the generated code: other maps of its buffer have its strides
 * and another offset. GCC 12 would join their loads or stores to a group, which it does not vectorize if the stride along the
 * vector loop is neither 3 nor a power of two. */
bool sr_nest_form_has_own_pointer(const struct sr_nest_form *g, const struct sr_nest_access *a);
/* Return true if GCC 12 needs to compile the nest without value range propagation: with it, integer sums in peeled loops are
 * miscompiled, and tests of a parity (x % 2 == 0) become conversions to bool, which are not vectorized. Loops of flattened stages
 * are not peeled. */
bool sr_nest_form_is_without_ranges(const struct sr_nest_form *g);
/* Return the number of columns in a block of a nest with transposed or reversed inputs. */
int sr_nest_form_block_columns(const struct sr_nest_form *g);

#endif
