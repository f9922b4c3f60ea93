/* A loop nest prepared for interpretation. Internal to kernels: nest_prepare.c builds it, nest_execute.c executes it,
 * nest_access.c implements its memory accesses.
 *
 * The iteration space is processed in tiles (blocks): tile_size[l] iterations of loop l at a time, fewer at the ends. The
 * elements of a value for one tile are stored in L1 as [inner iterations][parallel iterations], or as [parallel iterations][inner
 * iterations] in row-major tiles, the last loop of each kind varying fastest. A value that is the same for the entire tile is a
 * single element (scalar). */
#ifndef SR_KERNELS_NEST_NEST_PREPARED_H
#define SR_KERNELS_NEST_NEST_PREPARED_H

#include "kernels/nest/access.h"
#include "kernels/nest/nest.h"
#include "kernels/nest/vector_code.h"

/* Limits of the iterations of a tile. */
enum { SR_NEST_LONG_TILE = 4096, SR_NEST_SHORT_TILE = 512 };
enum { SR_NEST_STREAM_ROW = 256 }; /* least contiguous bytes that are streamed */

struct sr_nest_tile_loops { /* the loops of a tile with more than one iteration, fastest last */
	int n, loop[SR_NEST_MAX_LOOPS];
	int64_t count[SR_NEST_MAX_LOOPS];
};

struct sr_nest_tile { /* a tile: first index and number of iterations along each loop */
	int64_t at[SR_NEST_MAX_LOOPS], n[SR_NEST_MAX_LOOPS];
	int64_t n_parallel, n_inner;   /* number of iterations of the tile's parallel loops and of its inner loops */
	struct sr_nest_tile_loops loops[2];  /* loops of the tile to iterate over: [0] the parallel ones, [1] all; derived from n */
	bool are_loops_stale;                  /* true if n has changed since `loops` was derived */
	int64_t shape;                          /* number of changes of n so far */
	int64_t number;                         /* number of tiles before this one in an execution, those of all stages */
};

enum sr_nest_storage {
	SR_NEST_STORAGE_TILE,   /* temporary of one tile, in a slot that other temporaries reuse */
	SR_NEST_STORAGE_ROW,   /* one element per parallel iteration: values of stages that run once, and reductions */
	SR_NEST_STORAGE_SAVED, /* one element per inner iteration, kept for later stages */
};

struct sr_nest_slot { /* storage of a value in the scratch */
	enum sr_nest_storage storage;
	int64_t at;     /* byte offset of the value in the scratch */
	/* for REDUCE: number of accumulators, stored as [lanes][parallel iterations], or in row-major tiles as [parallel
	 * iterations][lanes], while the stage runs; otherwise 1. The results are the first elements, one for each parallel
	 * iteration. */
	int lanes;
	int64_t identity[2]; /* identity element of a REDUCE with several accumulators */
	int64_t repeated_offset; /* for a ROW value: byte offset of a copy repeated for every inner iteration of a tile; -1: none */
	int32_t direct_store; /* number of the STORE instruction to whose destination the value may be written directly; -1: none */
	/* true if the value is streamed to the destination of direct_store: a LOAD of rows, or a result of vector code */
	bool is_streamed;
	/* for a value that is used only as an index: number of the access through which it is read from memory without a copy; -1:
	 * none */
	int32_t in_place_access;
	/* for a LOAD that is used only as the fill value of one other LOAD, which loads it if it needs it: the number of the LOAD's
	 * instruction; -1: none */
	int32_t fill_instr;
	/* true for a LOAD or INDEX whose elements are the same for several tiles, like a row that is added to all rows of a
	 * matrix, and for a MAP of such values: the value has a slot of its own, and is computed again only if its elements
	 * change */
	bool is_kept;
	uint32_t invariant_loops; /* bit l is set if the elements are the same for all iterations of loop l */
	bool is_constant; /* true for a CONSTANT */
	bool is_invariant; /* true for a kept value that does not depend on the outermost loop */
	bool is_in_group; /* true if only the vector code that computes the value reads it: it has no storage */
	/* for a LOAD that vector code reads through a view, or which has the fill value of such a LOAD: number of the view; -1:
	 * none */
	int32_t view;
	bool is_view_operand; /* true if vector code reads the LOAD through the view, if it can */
	int32_t view_elements; /* least number of contiguous elements for which it can */
	int32_t definition; /* number of the instruction that defines the value */
};

enum { SR_NEST_INTERLEAVED = 4 };
struct sr_nest_map { /* an instruction, by its number: most members are of MAPs */
	sr_kernel_fn *fn;
	struct sr_map_params params; /* without n and scalar */
	bool is_temporary; /* true if result and operands are temporaries of the tile, and the result is not stored directly */
	/* true for a multiplication that is executed as a part of the REDUCE that reads it, and for the indices of a FOLD with
	 * `counted` */
	bool is_in_reduction;
	int32_t product;   /* for a REDUCE of products: number of the multiplication's instruction; -1: none */
	/* for a FOLD of values and their indices to the largest or smallest value: number of the INDEX, whose elements are counted
	 * instead; -1: it is not executed so. is_least: to the smallest */
	int32_t counted;
	bool is_least;
	/* for a REDUCE: number of the instruction before it, a LOAD that it executes because nothing else reads its value; -1:
	 * none */
	int32_t load;
	int32_t group;     /* number of the group of vector code that executes the instruction; -1: none */
	/* for a STORE: number of instructions, 2 to SR_NEST_INTERLEAVED, that together store contiguous elements, and these
	 * instructions by their offsets. The last one in the nest executes all; the others have -1. 0: it is executed alone. For a
	 * LOAD: distance of its elements, 2 to SR_NEST_INTERLEAVED, if it executes the LOADs of a list, which then have -1; in each,
	 * interleaved[0] is the next one's instruction, -1: none */
	int32_t n_interleaved, interleaved[SR_NEST_INTERLEAVED];
};

/* ---- vector code (nest_vector.c) ---- */

enum sr_nest_vector_kind {
	SR_NEST_VECTOR_ARRAY, /* a value from outside */
	SR_NEST_VECTOR_NARROW, /* a value from outside: truth values, or elements of fewer bytes than those of the vector code */
	SR_NEST_VECTOR_BLOCK, /* one block of elements, which each block overwrites */
	SR_NEST_VECTOR_RESULT, /* a value that is read outside */
	SR_NEST_VECTOR_NARROW_RESULT,
};
static inline bool sr_nest_is_input(int kind)
{
	return kind == SR_NEST_VECTOR_ARRAY || kind == SR_NEST_VECTOR_NARROW;
}
struct sr_nest_vector_operand {
	int32_t value;
	int32_t view; /* of a group with views: number of the view through which the operand may be read; -1: none */
	uint8_t kind;  /* enum sr_nest_vector_kind */
	uint8_t bytes; /* of an element in memory */
	bool is_read;  /* true if an op reads it from memory */
	bool is_constant;
	int32_t scalar;             /* byte offset in the group's memory of the vector of a value that is a single element */
	int32_t first_use, n_uses; /* entries of `uses` */
};
struct sr_nest_vector_step { /* an op, whose operands are numbers of operands of the group; -1: none, or in registers */
	sr_vector_fn *fn, *fn_one; /* fn_one: if argument `one` is a single element; NULL: there is none */
	int32_t args[SR_VECTOR_ARGS], out, call, one; /* call: number of the kernel that is called; -1: none */
	bool stores; /* true for a store of a result that is streamed if the nest's outputs are */
};
/* The instructions from `first` to `last` with this group are executed when `last` is reached. */
struct sr_nest_vector_group {
	int32_t first, last, first_step, n_steps, first_operand, n_operands;
	int32_t bytes; /* of an element */
	int32_t memory; /* byte offset in the memory of vector code */
	bool has_views; /* true if an operand has a view */
};
struct sr_nest_vector_code {
	int32_t n_groups, max_operands; /* of all groups */
	int32_t memory; /* bytes of the memory of all groups */
	struct sr_nest_vector_group *groups;
	struct sr_nest_vector_step *steps;
	struct sr_nest_vector_operand *operands;
	struct sr_vector_call *calls;
	/* where the ops of a group have the addresses of operands from outside: byte offsets from the first op */
	int32_t *uses;
	int32_t n_calls, n_uses;
};

struct sr_nest_prepared {
	const struct sr_nest *nest;
	const struct sr_kernels *kernels;
	const struct sr_access_functions *access;
	const struct sr_vector_functions *vectors;
	struct sr_nest_vector_code *code; /* malloc'd */
	int n_loops, n_parallel;
	int64_t extent[SR_NEST_MAX_LOOPS], tile_size[SR_NEST_MAX_LOOPS];
	struct sr_nest_access *accesses; /* accesses with strides for the merged loops */
	struct sr_nest_dim *dims;
	struct sr_nest_slot *slots;    /* storage of each value; length: n_values */
	struct sr_nest_map *maps;      /* length: n_instrs */
	/* numbers of the instructions that are executed, stage by stage, without those that are a part of others; the last
	 * n_constants entries are the numbers of the constants */
	int32_t *schedule, n_constants;
	struct sr_nest_schedule {
		int32_t first, n; /* entries of `schedule` */
		bool reduces;     /* true if the stage has a REDUCE or FOLD */
	} *stages; /* length: n_stages */
	int n_slots;                   /* number of slots that temporaries of a tile share */
	int order[SR_NEST_MAX_LOOPS];        /* order of the loops in a tile, fastest last */
	/* true if the parallel loops come first in that order, then the inner ones; each tile has all inner iterations then */
	bool is_row_major;
	/* true if the outputs are so large that they do not stay in the caches: contiguous elements are computed in the scratch and
	 * stored by sr_access_functions.stream */
	bool is_streamed;
	bool may_stream; /* true if vector code stores its results by ops of their own, since they may be streamed */
	bool has_kept; /* true if a value is kept */
	bool is_large; /* true if a value has `stream_bytes` bytes or more, for all iterations together */
	int64_t n_tiles, tile_iterations, tile_parallel, inner_iterations;
	int64_t vector_memory;           /* byte offset in the scratch of the memory of vector code */
	int64_t n_views, views;          /* number of views, and their byte offset in the scratch */
	int32_t *view_instrs;            /* number of the LOAD of each view */
	int n_view_operands;             /* number of LOADs that vector code reads through views */
	int64_t partial;                 /* byte offset in the scratch of a reduction's temporary values */
	/* bytes of the partial results of one operand of a FOLD; the operands' partial results are adjacent */
	int64_t partial_bytes;
	int n_recordings;                /* most tiles that are recorded (nest_replay.c); 0: too few have the same shape */
	int64_t replay, replay_bytes;    /* byte offset of the recordings in the scratch; bytes of one */
	/* dims of views' accesses that are within bounds in some tiles only (find_bounds in nest_replay.c) */
	int32_t *bounds;
	int n_bounds; /* -1: the tiles in which views have the same boxes are not known */
	struct sr_nest_tile first_tile;
	size_t scratch;                  /* scratch bytes of an execution, without the array of value states */
};

/* sr_nest_prepared_bytes returns the size of a prepared loop nest; sr_nest_merge_loops begins to prepare it in a zeroed block of
 * that size: it copies and merges the loops. */
size_t sr_nest_prepared_bytes(const struct sr_nest *nest);
struct sr_nest_prepared *sr_nest_merge_loops(const struct sr_nest *nest, void *block);
/* Return true if a load's only bound is on one loop, plus a constant: the element is within bounds for its iterations
 * [*first, *last]. r: with merged loops. */
bool sr_nest_find_bound(const struct sr_nest_prepared *r, const struct sr_nest_access *a, int *loop, int64_t *first, int64_t *last);
/* Return for each value, in memory of the arena, whether it is only the fill value of loads that are within bounds wherever they
 * are used. r: with merged loops. Linear in the instructions. */
const bool *sr_nest_find_unused(const struct sr_nest_prepared *r, struct sr_arena *arena);
/* Return true if reductions over the inner loops are faster for a block of neighbouring results than along a row. */
bool sr_nest_reduces_columns(const struct sr_nest_prepared *r);
/* Return true for a nest that reduces few columns of few rows, which threads do not divide: generated code executes all columns in
 * each call, with constant bounds. */
bool sr_nest_is_one_task(const struct sr_nest_prepared *r);
/* Return the number of bytes of an element of the widest value. */
int64_t sr_nest_widest_value(const struct sr_nest *nest);
/* Return the maximum number of operands of a FOLD in the nest; 0 if there is no FOLD. */
int sr_nest_max_folds(const struct sr_nest *nest);
/* Choose the sizes and the order of the nest's tiles, and count them. */
void sr_nest_choose_tiles(struct sr_nest_prepared *r);
/* Return the largest number of lanes of any stage. */
int sr_nest_max_lanes(const struct sr_nest *nest);
/* Return the enum sr_monoid of a REDUCE by this kernel; -1 if the kernel is not a monoid. */
int sr_nest_monoid(int kernel);

/* Return true if the accesses of a nest with parallel and inner loops are contiguous at more iterations along the last parallel
 * loop than along the last inner one, or at as many and have smaller strides there, or the nest slides a window along the last
 * parallel loop, as a convolution does. Strides of results of reductions do not count. */
bool sr_nest_columns_are_contiguous(const struct sr_nest_prepared *r);

enum { SR_NEST_FILL_DEPTH = 8,
       SR_NEST_MAX_OPERANDS = SR_NEST_MAX_ARGS + (SR_NEST_FILL_DEPTH + 1) * (2 * SR_NEST_MAX_LOOPS + 1) };
/* Write to `to` the values that an instruction reads, including the index and fill values of its access; return their number. A
 * REDUCE that is executed together with a multiplication reads the factors instead of the product. */
int sr_nest_operands(const struct sr_nest_prepared *r, const struct sr_nest_instr *in, int32_t *to);

/* Find the LOADs and STOREs that together load or store contiguous elements (struct sr_nest_map). */
void sr_nest_find_interleaved(struct sr_nest_prepared *r);
/* Find LOADs of the list that begins at LOAD `first`: those of contiguous elements, by their offsets, or a single one. Returns
 * their number; 0: all are loaded. buffers: of the nest. *loaded: a bit for each LOAD of the list, set for those found. */
int sr_nest_next_loads(const struct sr_nest_prepared *r, int first, void *const *buffers, uint32_t *loaded, int32_t *found);

/* Return true if a LOAD can be executed after a STORE of its tile: no output may share memory with the buffer. */
bool sr_nest_can_load_later(const struct sr_nest_prepared *r, const struct sr_nest_instr *load);
/* Return true if an instruction loads one element for all iterations, which is read in place. */
bool sr_nest_loads_one_element(const struct sr_nest_prepared *r, const struct sr_nest_instr *in);
void sr_nest_first_tile(struct sr_nest_prepared *r); /* Derive the first tile from the tile sizes and the order of the loops. */

/* Return the bytes of the arrays of values' states at the beginning of the scratch of an execution. */
int64_t sr_nest_states_bytes(const struct sr_nest_prepared *r);
enum { SR_NEST_VIEW_ROOM = 3 }; /* see struct sr_nest_view_call */
struct sr_nest_operand { /* location of a value's elements while a tile is executed */
	char *at;
	bool scalar; /* true if one element stands for all iterations */
	/* `at` points into the buffer of the instruction if the value is read from memory without a copy */
};
/* What the elements of a kept value are: those of the access from element `origin` on, for tiles of the given shape; those of a MAP
 * are computed from values of versions up to `origin`. */
struct sr_nest_kept {
	int64_t origin, shape;
	int64_t version; /* number of the computation: each one of a kept value has a greater number than all before */
};

/* Form groups of elementwise instructions and translate them to vector code, after the storage of values is known. Returns false if
 * memory runs out. */
bool sr_nest_make_vector_code(struct sr_nest_prepared *r);
/* Return the scratch bytes that vector code needs. */
int64_t sr_nest_vector_scratch(const struct sr_nest_prepared *r);
/* Bytes of the operands of the group that is executed, at the beginning of that scratch. */
static inline int64_t sr_nest_operands_bytes(const struct sr_nest_prepared *r)
{
	return SR_NEST_VIEW_ROOM * r->code->max_operands * (int64_t)sizeof(struct sr_nest_operand);
}
/* Begin an execution: no group has ops yet. */
void sr_nest_begin_vector_code(const struct sr_nest_prepared *r, char *scratch);
/* Execute a group for n elements. operands: of the group; only those that are not blocks are read. */
void sr_nest_run_vector_code(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, char *scratch,
			     const struct sr_nest_operand *operands, int64_t n);
/* Repeated executions of a group for the same number of elements, with operands of the same kinds, as sr_nest_run_vector_code
 * executed it before. */
struct sr_nest_vector_repeat {
	const struct sr_nest_vector_group *group;
	char *scratch;
	int64_t n;
	/* the operands that change from one execution to the next, where each is, and whether it is a single element */
	const struct sr_nest_vector_change {
		const struct sr_nest_operand *from;
		int operand;
		bool is_scalar;
	} *changes;
	int n_changes;
};
void sr_nest_repeat_vector_code(const struct sr_nest_prepared *r, const struct sr_nest_vector_repeat *c);
/* Return the number of elements of a block of a group. */
int64_t sr_nest_vector_block_elements(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g);
/* Return the address of the block of operand number k of a group. */
char *sr_nest_vector_block(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, char *scratch, int k);
/* Execute a group for the elements in the blocks of its operands. sr_nest_run_vector_code was called before, with operands of the
 * same kinds. */
void sr_nest_run_vector_block(const struct sr_nest_prepared *r, const struct sr_nest_vector_group *g, char *scratch);

/* An access that is a plain strided one within a tile, or within the part of the tile that is in bounds: iterations
 * [low[i], high[i]) of each loop i of the tile. */
struct sr_nest_box {
	int64_t offset, stride[SR_NEST_MAX_LOOPS]; /* of the access; the stride of each loop of the nest */
	int64_t low[SR_NEST_MAX_LOOPS], high[SR_NEST_MAX_LOOPS];
	bool is_empty;
};
/* Write the access within a tile as a box. Returns false if it is none: it is then loaded run by run. */
bool sr_nest_make_box(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		      const struct sr_nest_operand *values, bool over_inner, struct sr_nest_box *b);
/* Return true if the box has all iterations of the tile. w: the loops of the tile. */
bool sr_nest_is_full_box(const struct sr_nest_box *b, const struct sr_nest_tile_loops *w);

/* ---- views: operands of vector code that are read where they are (nest_view.c) ---- */

struct sr_nest_view { /* of a LOAD */
	int32_t instr, bytes;  /* number of the LOAD; bytes of an element */
	int32_t fill;          /* number of the fill value; -1: none */
	struct sr_nest_view *fill_view; /* of the LOAD of the fill value; NULL: the fill value is one element or there is none */
	int64_t tile;          /* number of the tile for which the members below are; -1: none */
	bool is_box, is_full;  /* whether the access is a box in this tile, and one with all iterations */
	bool is_read_in_place; /* true if the LOAD has copied nothing */
	char *from;            /* address of the tile's first element */
	/* bounds and stride along the last loop of the tile but one, [0], and along the last one, [1] */
	int64_t low[2], high[2], step[2];
	struct sr_nest_box box;
};
/* Find the LOADs that have views, after vector code is made. Returns false if memory runs out. */
bool sr_nest_find_views(struct sr_nest_prepared *r);
/* Reset the views at the start of an execution of the nest. */
void sr_nest_begin_views(const struct sr_nest_prepared *r, struct sr_nest_view *views);
/* Let vector code read a LOAD in place. Returns false if the tile's elements have no long contiguous rows; then they must be
 * copied. *out receives the address of the tile's first element. If not all elements are contiguous and in bounds, only
 * sr_nest_run_views may read them. v: the view of the LOAD. */
bool sr_nest_make_view(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, void *const *buffers, bool over_inner,
		       struct sr_nest_view *v, struct sr_nest_operand *out);
/* Execute a group of which some operands are read in place. Returns false if the group remains to be executed: all operands are
 * arrays then, and elements that were read in place are copied. */
struct sr_nest_view_call {
	const struct sr_nest_prepared *r;
	const struct sr_nest_tile *tile;
	const struct sr_nest_vector_group *group;
	struct sr_nest_view *views;
	struct sr_nest_operand *operands; /* of the group, in memory for SR_NEST_VIEW_ROOM times as many */
	struct sr_nest_operand *values;   /* of the nest */
	char *scratch, *memory; /* memory of values, and of vector code */
	bool over_inner;
};
bool sr_nest_run_views(const struct sr_nest_view_call *c);
/* Record the steps that sr_nest_run_views would take, without executing them, in sr_nest_borders_bytes() bytes of memory.
 * sr_nest_replay_borders executes them for tiles in which the views have the same boxes; c->operands and the views have the
 * addresses. Returns NULL if no operand is read in place or there are too many steps. *c must outlive the result. */
struct sr_nest_borders *sr_nest_record_borders(const struct sr_nest_view_call *c, void *memory);
int64_t sr_nest_borders_bytes(void);
void sr_nest_replay_borders(const struct sr_nest_borders *b);

/* Load the elements of an access for a tile. *out receives their address: the elements are used in place if they have the layout of
 * a tile's value there; otherwise they are copied to `slot`, past the caches if is_streamed. `values`: the values of the loop nest,
 * for indices and fill values. */
void sr_nest_load(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		  enum sr_dtype type, const char *buffer, const struct sr_nest_operand *values, bool over_inner, char *slot,
		  bool is_streamed, struct sr_nest_operand *out);
/* Load the elements of an access whose fill value is itself loaded, by the access `fill`, if no element needs the fill value of
 * that one: both are boxes that together cover the tile. Returns false otherwise; nothing is loaded then. */
bool sr_nest_load_both(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		       const struct sr_nest_access *fill, enum sr_dtype type, void *const *buffers,
		       const struct sr_nest_operand *values, bool over_inner, char *slot, struct sr_nest_operand *out);
/* Combine the elements of an access into accumulators, one for each parallel iteration of the tile, without copying them to a
 * value: row by row along the last parallel loop. Returns false if the elements have no such rows, some are out of bounds, or they
 * need no copy; nothing is combined then. combine: accepts the monoid. */
bool sr_nest_reduce_in_place(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
			     enum sr_dtype type, const char *buffer, int monoid, char *to);
/* Return the address of an access's elements for the tile if they are contiguous in memory in the layout of a tile's value,
 * otherwise NULL. */
char *sr_nest_direct_address(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		enum sr_dtype type, char *buffer,
		     bool over_inner);
void sr_nest_store(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		enum sr_dtype type, char *buffer,
		   const struct sr_nest_operand *value, bool over_inner);
/* Return the element offset of an access without dims at the first iteration of the tile. */
int64_t sr_nest_origin(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		       bool over_inner);
/* Store the values of n_interleaved STOREs, which together store contiguous elements if they have the same buffer. accesses[k],
 * buffers[k], values[k]: those of the STORE of element k of each group of n_interleaved elements. */
void sr_nest_store_interleaved(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile,
			       const struct sr_nest_access *const *accesses, enum sr_dtype type, char *const *buffers,
			       const struct sr_nest_operand *values, int n_interleaved, bool over_inner);
/* Load the values of n_interleaved LOADs, which together load contiguous elements, to to[k]. a: the access of the first element of
 * each group of n_interleaved elements. Returns false if the tile's elements are not contiguous or few; nothing is loaded then. */
bool sr_nest_load_interleaved(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
			      enum sr_dtype type, const char *buffer, char *const *to, int n_interleaved, bool over_inner);
void sr_nest_index(const struct sr_nest_prepared *r, const struct sr_nest_tile *tile, const struct sr_nest_access *a,
		bool over_inner, int64_t *out);
void sr_nest_fill_strided(int bytes, const char *one, char *dst, int64_t step, int64_t n);
/* Transpose `runs` x n elements of 2 or 4 bytes: dst[i][k] = src[i + k * step]. Return false, and do nothing, for other sizes. */
bool sr_nest_transpose(int bytes, const char *src, int64_t step, char *dst, int64_t runs, int64_t n);
/* Copy n contiguous elements of `bytes` bytes to addresses `step` elements apart. sr_nest_fill_strided stores one element n times,
 * `step` elements apart. */
void sr_nest_store_strided(int bytes, const char *src, char *dst, int64_t step, int64_t n);
/* Copy contiguous elements to `runs` runs of `length` elements, which begin `outer` elements apart and whose elements are `step`
 * apart. */
void sr_nest_store_runs(int bytes, const char *src, char *dst, int64_t outer, int64_t step, int64_t runs, int64_t length);

#endif
