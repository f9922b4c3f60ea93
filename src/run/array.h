/* An array: a value on the devices of a device set that lives between executions. Each process holds the shards of its own devices, in
 * memory of each device's pool, which the node's other processes read in place, or in memory of the caller's.
 *
 * Arrays are counted: whoever keeps one holds a reference. References are taken and dropped by any thread; the shards' bytes are read
 * and written by one at a time. Arrays outlive the executables and the client that made them. */
#ifndef SR_RUN_ARRAY_H
#define SR_RUN_ARRAY_H

#include "mesh/mesh.h"
#include "run/device_memory.h"

enum { SR_ARRAY_ALIGN = SR_POOL_ALIGN }; /* of shards; what is bound is a multiple of it long */

struct sr_array;

/* The type of an argument or a result of a program and how the devices hold it. Immutable, counted. */
struct sr_layout {
	_Atomic int64_t references;
	uint64_t hash;    /* of element type, shape, and what every device holds: arrays of equal hashes fit each other's places */
	struct sr_array *_Atomic unused; /* a handle that was released, for the next array: a loop of executions allocates none */
	int rank;         /* dimensions */
	int n_shards;     /* of this process's devices; 0 on an idle rank */
	struct sr_shard_layout {
		int64_t bytes;
		struct sr_device_slice slice;
	} shards[];       /* [n_shards], in order of the process's devices */
};

/* NULL if memory runs out. One reference; shards are zeros, for the caller to fill. */
struct sr_layout *sr_layout_new(uint64_t hash, int rank, int n_shards);
struct sr_layout *sr_layout_keep(struct sr_layout *layout); /* one more reference */
void sr_layout_release(struct sr_layout *layout);           /* NULL is allowed */

struct sr_shard {
	void *data;                  /* NULL: it was donated */
	struct sr_memory_pool *pool; /* that data is a block of; NULL: it is the caller's memory */
};

struct sr_array {
	_Atomic int64_t references;
	struct sr_layout *layout;
	bool is_donated;             /* to an execution that was accepted: of no use any more */
	struct sr_shard shards[];    /* [layout->n_shards] */
};

/* A new array, one reference; it keeps the layout. Shards have no memory. NULL if memory runs out. */
struct sr_array *sr_array_new(struct sr_layout *layout);
/* Give shard k, which has none, a block of its device's pool, not cleared. False if that is full. */
bool sr_array_allocate(struct sr_array *array, int k, const struct sr_device_set_memory *memory);
/* The same for each shard; if it fails the array is still to be released. */
bool sr_array_allocate_all(struct sr_array *array, const struct sr_device_set_memory *memory);
struct sr_array *sr_array_keep(struct sr_array *array);
void sr_array_release(struct sr_array *array); /* NULL is allowed */
/* Bytes of memory of shard k: those of its slice rounded up to 64, at least 64. */
int64_t sr_array_shard_bytes(const struct sr_array *array, int k);

#endif
