/* An array: a value on the devices of a world that lives between executions, each rank holding its slice. Its memory is 64-aligned and a
 * multiple of 64 bytes long, so that programs compute in it: it is the array's own, or the caller's, who lets it live as long as the array
 * and what takes its memory over. Memory that arrays gave back is used again, so that a loop of executions soon allocates nothing.
 *
 * An array is used by one thread at a time; arrays of one pool may be made, used and freed by several threads. */
#ifndef SR_RUN_ARRAY_H
#define SR_RUN_ARRAY_H

#include "mesh/mesh.h"

enum { SR_ARRAY_ALIGN = 64 };

struct sr_array_pool; /* memory given back; lives as long as anything that uses it */

struct sr_array_type { /* of an argument or a result of a program, as this rank sees it */
	uint64_t layout; /* element type, shape, and what every device holds: equal numbers fit each other */
	int64_t bytes;   /* of the slice; -1 on a rank that holds nothing */
	int rank;
	struct sr_device_slice slice;
};

struct sr_array {
	struct sr_array_type type;
	void *data;      /* NULL on a rank that holds nothing, or where it was given away */
	bool is_callers; /* the memory */
	bool given;      /* to an execution that donated it */
	struct sr_array_pool *pool;
};

struct sr_array_pool *sr_array_pool_new(void); /* NULL where memory runs out; one reference */
void sr_array_pool_release(struct sr_array_pool *pool); /* NULL is fine */

/* Memory of its own, not cleared; none where this rank holds nothing. NULL where memory runs out. It refers to the pool. */
struct sr_array *sr_array_new(struct sr_array_pool *pool, const struct sr_array_type *type);
/* In the caller's memory, whose alignment and length are as above. */
struct sr_array *sr_array_wrap(struct sr_array_pool *pool, const struct sr_array_type *type, void *memory);
/* Without memory, to be given another's (sr_array_move_memory). */
struct sr_array *sr_array_empty(struct sr_array_pool *pool, const struct sr_array_type *type);
/* Give `to`, which has none, the memory of `from`. */
void sr_array_move_memory(struct sr_array *to, struct sr_array *from);
/* Bytes of an array's memory: those of the slice rounded up to 64, at least 64. */
int64_t sr_array_bytes(const struct sr_array *array);
void sr_array_free(struct sr_array *array); /* NULL is fine */

#endif
