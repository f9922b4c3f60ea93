/* A tile made ready to be interpreted. Internal to kernels: tile_prepare.c makes it, tile_run.c runs it, tile_reach.c moves elements.
 *
 * Points are taken in boxes: chunk[l] indices of loop l at a time, less at the ends. A value of a box lies in L1 as [inner points][parallel
 * points], the last loop of each kind running fastest; one that is the same at all points of the box is one element (scalar). */
#ifndef SR_KERNELS_TILE_READY_H
#define SR_KERNELS_TILE_READY_H

#include "kernels/tile/tile.h"

enum { SR_TILE_LONG = 4096, SR_TILE_STRIP = 512 }; /* points of a box: where hardly a value lies between memory and memory, and else */

struct sr_tile_walk { /* a box's loops of more than one point, fastest last */
	int n, loop[SR_TILE_LOOPS];
	int64_t count[SR_TILE_LOOPS];
};

struct sr_tile_box { /* where the box begins, and its points along each loop */
	int64_t at[SR_TILE_LOOPS], n[SR_TILE_LOOPS];
	int64_t n_parallel, n_inner;   /* points */
	struct sr_tile_walk walks[2];  /* of the parallel loops, and of all; they follow from n */
	bool changed;                  /* n is not what the walks were made for */
};

enum sr_tile_life {
	SR_TILE_BOX,   /* made for one box: in a slot that others use before and after */
	SR_TILE_ROW,   /* one element for each parallel point: of stages that run once, and of reductions */
	SR_TILE_SAVED, /* one for each point of the inner loops, for later stages */
};

struct sr_tile_place { /* of a value, in the scratch */
	enum sr_tile_life life;
	int64_t at;     /* byte offset of its slot, or of its own place */
	int64_t spread; /* ROW: of the place for a copy of it for every inner point of a box; -1: not wanted */
	int32_t store;  /* the STORE in whose memory it may be made; -1 */
	int32_t lies;   /* the access of a value that accesses alone read, as an index: it is read where it lies in memory; -1 */
};

struct sr_tile_ready {
	const struct sr_tile *tile;
	const struct sr_kernels *kernels;
	int n_loops, n_parallel;
	int64_t extent[SR_TILE_LOOPS], chunk[SR_TILE_LOOPS];
	struct sr_tile_access *accesses; /* by the loops as they are merged */
	struct sr_tile_dim *dims;
	struct sr_tile_place *places;    /* [n_values] */
	int order[SR_TILE_LOOPS];        /* the loops of a box, fastest last: inner ones, then parallel ones */
	int64_t pieces, box_points, box_parallel, inner_points;
	int64_t partial;                 /* byte offset in the scratch of the partial results of a reduction */
	int64_t partial_bytes;           /* of one operand's partial results in a FOLD,
		which stores those of its operands one after another */
	size_t scratch;                  /* bytes behind the states of values */
};

int sr_tile_monoid(int kernel); /* enum sr_monoid that a REDUCE by this kernel combines with; -1: none */

/* At how many points accesses go through memory by single elements along the loop: those that do not follow the inner loops are few. */
double sr_tile_unit_strides(const struct sr_tile_ready *r, int l);

struct sr_tile_state { /* of a value while a box is made */
	char *at;
	bool scalar; /* one element stands for all points */
	/* of a value that is read where it lies, `at` is its buffer */
};

/* The elements of an access for a box, at *out: a pointer to them where they lie as a box's value does, else copied to `slot`.
 * values: of the tile, for index and fill. */
void sr_tile_load(const struct sr_tile_ready *r, const struct sr_tile_box *box, const struct sr_tile_access *a, enum sr_dtype type,
		  const char *buffer, const struct sr_tile_state *values, bool over_inner, char *slot, struct sr_tile_state *out);
/* Where the box's elements lie one after another in memory: the first; NULL: they do not. */
char *sr_tile_direct(const struct sr_tile_ready *r, const struct sr_tile_box *box, const struct sr_tile_access *a, enum sr_dtype type, char *buffer,
		     bool over_inner);
void sr_tile_store(const struct sr_tile_ready *r, const struct sr_tile_box *box, const struct sr_tile_access *a, enum sr_dtype type, char *buffer,
		   const struct sr_tile_state *value, bool over_inner);
void sr_tile_index(const struct sr_tile_ready *r, const struct sr_tile_box *box, const struct sr_tile_access *a, bool over_inner, int64_t *out);
void sr_tile_fill(int bytes, const char *one, char *to, int64_t step, int64_t n);
/* n elements of this many bytes, `step` elements apart, to n one after another; and the other way round. */
void sr_tile_gather(int bytes, const char *from, int64_t step, char *to, int64_t n);
void sr_tile_scatter(int bytes, const char *from, char *to, int64_t step, int64_t n);

#endif
