/* The memory that the devices of a device set have for all programs that run on arrays: for each device a pool, of which arrays are blocks
 * (run/memory_pool.h), and one arena for the temporaries of whichever program runs, as large as the largest program's.
 *
 * Both are reserved ranges of addresses, whose pages come into being when they are touched. Pages that the node's other processes read
 * in place belong to a shared segment: all of a pool, and of an arena the ranges of operands of collectives. */
#ifndef SR_RUN_DEVICE_MEMORY_H
#define SR_RUN_DEVICE_MEMORY_H

#include "run/memory_pool.h"
#include "support/diag.h"
#include "support/vec.h"

struct sr_client;
struct sr_device_set;
struct sr_shared_region;
struct sr_transport;

struct sr_byte_range {
	int64_t begin, end;
};

struct sr_device_memory { /* of one device of this process */
	struct sr_memory_pool *pool;
	char *arena;                          /* arena_bytes of reserved addresses */
	SR_VEC(struct sr_byte_range) shared;  /* ranges of the arena that belong to the segment, sorted and apart */
};

struct sr_device_set_memory {
	int n;                                /* devices of this process */
	struct sr_device_memory *devices;     /* [n] */
	int64_t pool_bytes, arena_bytes;      /* the same on all ranks */
	struct sr_arena *ranges;              /* the client's, for the lists of shared ranges */
	struct sr_shared_region *pool_segment, *arena_segment; /* NULL: pages are private */
};

/* Collective on all ranks: see that set->memory is there. SR_NO_MEMORY if addresses run out; no rank has it then. */
enum sr_status sr_device_set_open_memory(struct sr_client *client, struct sr_device_set *set, struct sr_diags *diags);
/* Not collective. NULL is allowed. Arrays that are left keep their pool. */
void sr_device_set_memory_close(struct sr_device_set_memory *memory);
/* Make the pages of [begin, end) of device k's arena, multiples of the page, part of the segment, if there is one. What they held is
 * lost. False if memory runs out. No program runs on the device meanwhile. */
bool sr_device_set_memory_share(struct sr_device_set_memory *memory, int k, const struct sr_transport *transport, int64_t begin, int64_t end);

#endif
