/* A tile made ready to be interpreted. Internal to kernels: nest_prepare.c makes it, nest_execute.c runs it, nest_access.c moves elements.
 *
 * Points are taken in boxes: chunk[l] indices of loop l at a time, less at the ends. A value of a box lies in L1 as [inner points][parallel
 * points], the last loop of each kind running fastest; one that is the same at all points of the box is one element (scalar). */
#ifndef SR_KERNELS_NEST_NEST_PREPARED_H
#define SR_KERNELS_NEST_NEST_PREPARED_H

#include "kernels/nest/nest.h"

enum { SR_NEST_LONG_TILE = 4096, SR_NEST_SHORT_TILE = 512 }; /* points of a box: where hardly a value lies between memory and memory, and else */

struct sr_nest_tile_loops { /* a box's loops of more than one point, fastest last */
	int n, loop[SR_NEST_MAX_LOOPS];
	int64_t count[SR_NEST_MAX_LOOPS];
};

struct sr_nest_tile { /* where the box begins, and its points along each loop */
	int64_t at[SR_NEST_MAX_LOOPS], n[SR_NEST_MAX_LOOPS];
	int64_t n_parallel, n_inner;   /* points */
	struct sr_nest_tile_loops walks[2];  /* of the parallel loops, and of all; they follow from n */
	bool changed;                  /* n is not what the walks were made for */
};

enum sr_nest_storage {
	SR_NEST_STORAGE_TILE,   /* made for one box: in a slot that others use before and after */
	SR_NEST_STORAGE_ROW,   /* one element for each parallel point: of stages that run once, and of reductions */
	SR_NEST_STORAGE_SAVED, /* one for each point of the inner loops, for later stages */
};

struct sr_nest_slot { /* of a value, in the scratch */
	enum sr_nest_storage life;
	int64_t at;     /* byte offset of its slot, or of its own place */
	int64_t spread; /* ROW: of the place for a copy of it for every inner point of a box; -1: not wanted */
	int32_t store;  /* the STORE in whose memory it may be made; -1 */
	int32_t lies;   /* the access of a value that accesses alone read, as an index: it is read where it lies in memory; -1 */
};

struct sr_nest_prepared {
	const struct sr_nest *tile;
	const struct sr_kernels *kernels;
	int n_loops, n_parallel;
	int64_t extent[SR_NEST_MAX_LOOPS], chunk[SR_NEST_MAX_LOOPS];
	struct sr_nest_access *accesses; /* by the loops as they are merged */
	struct sr_nest_dim *dims;
	struct sr_nest_slot *places;    /* [n_values] */
	int order[SR_NEST_MAX_LOOPS];        /* the loops of a box, fastest last: inner ones, then parallel ones */
	int64_t pieces, box_points, box_parallel, inner_points;
	int64_t partial;                 /* byte offset in the scratch of the partial results of a reduction */
	int64_t partial_bytes;           /* of one operand's partial results in a FOLD,
		which stores those of its operands one after another */
	size_t scratch;                  /* bytes behind the states of values */
};

int sr_nest_monoid(int kernel); /* enum sr_monoid that a REDUCE by this kernel combines with; -1: none */

/* At how many points accesses go through memory by single elements along the loop: those that do not follow the inner loops are few. */
double sr_nest_unit_stride_points(const struct sr_nest_prepared *r, int l);

struct sr_nest_operand { /* of a value while a box is made */
	char *at;
	bool scalar; /* one element stands for all points */
	/* of a value that is read where it lies, `at` is its buffer */
};

/* The elements of an access for a box, at *out: a pointer to them where they lie as a box's value does, else copied to `slot`.
 * values: of the tile, for index and fill. */
void sr_nest_load(const struct sr_nest_prepared *r, const struct sr_nest_tile *box, const struct sr_nest_access *a, enum sr_dtype type,
		  const char *buffer, const struct sr_nest_operand *values, bool over_inner, char *slot, struct sr_nest_operand *out);
/* Where the box's elements lie one after another in memory: the first; NULL: they do not. */
char *sr_nest_direct_address(const struct sr_nest_prepared *r, const struct sr_nest_tile *box, const struct sr_nest_access *a, enum sr_dtype type, char *buffer,
		     bool over_inner);
void sr_nest_store(const struct sr_nest_prepared *r, const struct sr_nest_tile *box, const struct sr_nest_access *a, enum sr_dtype type, char *buffer,
		   const struct sr_nest_operand *value, bool over_inner);
void sr_nest_index(const struct sr_nest_prepared *r, const struct sr_nest_tile *box, const struct sr_nest_access *a, bool over_inner, int64_t *out);
void sr_nest_fill_strided(int bytes, const char *one, char *to, int64_t step, int64_t n);
/* n elements of this many bytes, `step` elements apart, to n one after another; and the other way round. */
void sr_nest_load_strided(int bytes, const char *from, int64_t step, char *to, int64_t n);
void sr_nest_store_strided(int bytes, const char *from, char *to, int64_t step, int64_t n);

#endif
