/* An array: a value that lives between executions on the devices of a client; each rank holds its slice. Its memory is 64-byte
 * aligned and a multiple of 64 bytes long, so that programs can compute in it. It belongs to the array, or to the caller, who keeps
 * it alive as long as the array and every array that takes the memory over. Memory of freed arrays is reused, so a loop of
 * executions soon allocates nothing.
 *
 * An array is used by one thread at a time; arrays of one pool may be created, used and freed by several threads. */
#ifndef SR_RUN_ARRAY_H
#define SR_RUN_ARRAY_H

#include "mesh/mesh.h"

enum { SR_ARRAY_ALIGN = 64 };

struct sr_array_pool; /* free memory; lives as long as any array that refers to it */

struct sr_array_type { /* type of a program's argument or result, on this rank */
	uint64_t layout; /* hash of element type, shape and the slices of all devices: equal if the types are compatible */
	int64_t bytes;   /* of this rank's slice; -1 on a rank without one */
	int rank;
	struct sr_device_slice slice;
};

struct sr_array {
	struct sr_array_type type;
	void *data;      /* NULL on a rank without a slice, or after donation */
	bool is_callers; /* the memory belongs to the caller */
	bool given;      /* was donated to an execution */
	struct sr_array_pool *pool;
};

struct sr_array_pool *sr_array_pool_new(void); /* one reference; NULL if memory runs out */
void sr_array_pool_release(struct sr_array_pool *pool); /* NULL is allowed */

/* Create an array with uninitialized memory of its own (none on a rank without a slice). The array refers to the pool. NULL if
 * memory runs out. */
struct sr_array *sr_array_new(struct sr_array_pool *pool, const struct sr_array_type *type);
/* Create an array on memory of the caller, with alignment and length as above. */
struct sr_array *sr_array_wrap(struct sr_array_pool *pool, const struct sr_array_type *type, void *memory);
/* Create an array without memory, for sr_array_move_memory. */
struct sr_array *sr_array_empty(struct sr_array_pool *pool, const struct sr_array_type *type);
/* Move the memory of `from` to `to`, which has none. */
void sr_array_move_memory(struct sr_array *to, struct sr_array *from);
/* Return the bytes of the memory: those of the slice rounded up to 64, at least 64. */
int64_t sr_array_bytes(const struct sr_array *array);
void sr_array_free(struct sr_array *array); /* NULL is allowed */

#endif
