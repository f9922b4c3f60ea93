/* An array: a value on the devices of a device set that lives between executions. Each process holds the shards of its own
 * devices, either in blocks of each device's pools or in memory of the caller. What collectives read is in a pool that the
 * node's other processes map; they copy an operand that is elsewhere.
 *
 * Arrays are reference-counted. Any thread may add and drop references; the data of the shards is not synchronized. Arrays may
 * outlive the executables and the client that created them. */
#ifndef SR_RUN_ARRAY_H
#define SR_RUN_ARRAY_H

#include "mesh/mesh.h"
#include "run/device_memory.h"
#include "run/event.h"
#include "support/thread.h"

enum { SR_ARRAY_ALIGN = SR_POOL_ALIGN }; /* alignment of shards in bytes; the memory of a shard is a multiple of it */

struct sr_array;

/* The type of an argument or result of programs, and its sharding over the devices. Immutable but for the atomic fields,
 * reference-counted. */
struct sr_layout {
	_Atomic int64_t references;
	uint64_t hash;    /* of element type, shape and the slices of all devices; an array fits an argument with an equal hash */
	pthread_mutex_t lock;      /* protects the next three fields */
	struct sr_array *unused;   /* released arrays, reused by the next ones, so that a loop of executions allocates nothing */
	int64_t n_unused, n_values; /* length of the list; values of loaded programs with this layout, as many of which are kept */
	_Atomic bool is_shared; /* other devices read arrays with this layout in place, in a program that has been loaded */
	struct sr_layout *next_listed; /* in the device set's table (layout.h) */
	int rank;         /* number of dimensions */
	int n_shards;     /* devices of this process; 0 on an idle rank */
	struct sr_shard_layout {
		int64_t bytes;
		struct sr_device_slice slice;
	} shards[];       /* [n_shards], in order of the process's devices */
};

/* Create a layout with one reference, whose shards the caller fills. Return NULL if memory runs out. */
struct sr_layout *sr_layout_new(uint64_t hash, int rank, int n_shards);
struct sr_layout *sr_layout_keep(struct sr_layout *layout); /* add a reference */
void sr_layout_release(struct sr_layout *layout);           /* NULL is allowed */

struct sr_shard {
	void *data;                  /* NULL: not allocated, or donated */
	struct sr_memory_pool *pool; /* pool of the block `data`; NULL: memory of the caller */
};

struct sr_array {
	_Atomic int64_t references;
	struct sr_layout *layout;
	_Atomic bool is_donated;     /* consumed by an execution; only to be released */
	struct sr_array *next_unused;
	struct sr_event *ready;      /* owned: set when the shards are written; NULL: they are. Not changed once other threads see the array */
	struct sr_shard shards[];    /* [layout->n_shards] */
};

/* Create an array with one reference, without memory for its shards. Return NULL if memory runs out. */
struct sr_array *sr_array_new(struct sr_layout *layout);
/* Allocate shard k in one of its device's pools, depending on layout->is_shared; it is not cleared. Return false if the pool is
 * full. */
bool sr_array_allocate(struct sr_array *array, int k, const struct sr_device_set_memory *memory);
/* Allocate all shards. If it returns false, the caller still releases the array. */
bool sr_array_allocate_all(struct sr_array *array, const struct sr_device_set_memory *memory);
struct sr_array *sr_array_keep(struct sr_array *array);
void sr_array_release(struct sr_array *array); /* NULL is allowed */
/* Return the bytes of memory of shard k: its slice's bytes rounded up to 64, at least 64. */
int64_t sr_array_shard_bytes(const struct sr_array *array, int k);

#endif
