/* An array: a value on the devices of a device set that lives between executions. Each process holds the shards of its own devices,
 * either in blocks of each device's pools or in memory of the caller. Shards that collectives read in place are in a pool that the
 * node's other processes map; an operand in other memory is copied.
 *
 * Arrays are reference-counted. Any thread may add and drop references; the data of the shards is not synchronized. Arrays may
 * outlive the executables and the client that created them. */
#ifndef SR_RUN_ARRAY_H
#define SR_RUN_ARRAY_H

#include "mesh/mesh.h"
#include "run/device_memory.h"
#include "run/event.h"
#include "support/thread.h"

enum { SR_ARRAY_ALIGN = SR_POOL_ALIGN }; /* alignment of shards in bytes; the size of a shard's memory is a multiple of it */

struct sr_array;
struct sr_execution_queue;

/* The type of an argument or result of programs, and its sharding over the devices. Reference-counted. Immutable except for the
 * atomic members and those that the lock protects. */
struct sr_layout {
	_Atomic int64_t references;
	uint64_t hash; /* hash of element type, shape and the slices of all devices; an array fits an argument with an equal hash */
	pthread_mutex_t lock;      /* protects unused, n_unused and n_values */
	struct sr_array *unused;   /* released arrays, reused by the next ones, so that a loop of executions allocates nothing */
	/* number of released arrays in `unused`; number of values of loaded programs with this layout, which limits it */
	int64_t n_unused, n_values;
	/* true if a loaded program has an argument or result with this layout that other devices read in place */
	_Atomic bool is_shared;
	struct sr_layout *next_listed; /* next layout in the device set's table (layout.h) */
	int rank;         /* rank of the array */
	int n_shards;     /* number of devices of this process; 0 on an idle rank */
	struct sr_shard_layout {
		int64_t bytes;
		struct sr_device_slice slice;
	} shards[];       /* shard of each device of this process; length: n_shards */
};

/* Create a layout with one reference; the caller fills in the shards. Returns NULL if memory runs out. */
struct sr_layout *sr_layout_new(uint64_t hash, int rank, int n_shards);
struct sr_layout *sr_layout_keep(struct sr_layout *layout); /* Add a reference and return the layout. */
void sr_layout_release(struct sr_layout *layout);           /* Drop a reference; `layout` may be NULL. */

struct sr_shard {
	void *data;                  /* memory of the shard; NULL: not allocated, or donated */
	struct sr_memory_pool *pool; /* pool that `data` was allocated from; NULL: the caller owns the memory */
};

struct sr_array {
	_Atomic int64_t references;
	struct sr_layout *layout;
	_Atomic bool is_donated;     /* true if an execution has consumed the array, which can then only be released */
	struct sr_array *next_unused;
	/* event that is set when the shards are written; NULL: they are written. Owned; not changed once other threads see the
	 * array */
	struct sr_event *ready;
	/* queue whose execution writes the shards, each on its device; NULL: another thread does. Later tasks of this queue
	 * need not wait for `ready`, unless a device has failed to write its shard. */
	const struct sr_execution_queue *queue;
	_Atomic bool has_failed;
	struct sr_shard shards[];    /* shard of each device of this process; length: layout->n_shards */
};

/* Create an array with one reference, without memory for its shards. Return NULL if memory runs out. */
struct sr_array *sr_array_new(struct sr_layout *layout);
/* Allocate shard k in one of its device's pools: the shared one if layout->is_shared. The memory is not cleared. Returns false if
 * the pool is full. */
bool sr_array_allocate(struct sr_array *array, int k, const struct sr_device_set_memory *memory);
/* Allocate all shards. Returns false if a pool is full; the caller must release the array in that case, too. */
bool sr_array_allocate_all(struct sr_array *array, const struct sr_device_set_memory *memory);
struct sr_array *sr_array_keep(struct sr_array *array);
void sr_array_release(struct sr_array *array); /* Drop a reference; `array` may be NULL. */
/* Return the size in bytes of shard k's memory: its slice's bytes rounded up to a multiple of 64, at least 64. */
int64_t sr_array_shard_bytes(const struct sr_array *array, int k);

#endif
