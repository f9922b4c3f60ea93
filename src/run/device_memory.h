/* Device memory of programs that run on arrays. Each device has pools, from which arrays are allocated (run/memory_pool.h), and
 * one arena for temporaries, which all programs use in turn: its size in memory is that of the largest program.
 *
 * All are reserved address ranges; the system provides pages at the first access. One pool, and the operands of collectives in
 * an arena, are in a shared segment, where the node's other processes read them. Arrays that no collective reads come from a
 * private pool, whose pages are large and cheaper to provide. */
#ifndef SR_RUN_DEVICE_MEMORY_H
#define SR_RUN_DEVICE_MEMORY_H

#include "run/memory_pool.h"
#include "support/diag.h"
#include "support/vec.h"

struct sr_agreement;
struct sr_backend;
struct sr_client;
struct sr_layout_table;
struct sr_device_set;
struct sr_program;
struct sr_shared_region;
struct sr_transport;

struct sr_byte_range {
	int64_t begin, end;
};

struct sr_device_memory { /* memory of one device of this process */
	struct sr_memory_pool *pool;          /* in the shared segment, if other processes of the node have devices */
	struct sr_memory_pool *private_pool;  /* the same one if `pool` is private */
	char *arena;                          /* reserved range of arena_bytes */
	int64_t used;                         /* bytes of the arena that some program uses */
	SR_VEC(struct sr_byte_range) shared;  /* ranges of the arena in the shared segment, sorted, disjoint */
};

struct sr_device_set_memory {
	int n;                                /* devices of this process */
	const struct sr_backend *backend;
	struct sr_device_memory *devices;     /* [n] */
	int64_t pool_bytes, arena_bytes;      /* equal on all ranks */
	struct sr_arena *ranges;              /* arena of the lists `shared`; the client's */
	struct sr_agreement *agreement;       /* of the devices at the beginning of an execution (agreement.h); NULL: not needed */
	struct sr_layout_table *layouts;      /* of arrays (layout.h) */
	struct sr_shared_region *pool_segment, *arena_segment; /* NULL: pages are private */
};

/* Collective on all ranks: create set->memory unless it exists. Its ranges are as large as the node's memory; where the address space is
 * limited, they are smaller, but hold the given program with its arguments and results. Return SR_NO_MEMORY on all ranks, without memory, if
 * the address space runs out on one. */
enum sr_status sr_device_set_open_memory(struct sr_client *client, struct sr_device_set *set, const struct sr_program *program, struct sr_diags *diags);
/* Not collective. NULL is allowed. Arrays that still exist keep their pool. */
void sr_device_set_memory_close(struct sr_device_set_memory *memory);
/* Return device k's arena for a program that uses its first `bytes`; NULL if it is smaller. */
char *sr_device_set_memory_use(struct sr_device_set_memory *memory, int k, int64_t bytes);
/* Put the pages of [begin, end) of device k's arena, page-aligned, into the segment, if there is one. Their contents are lost, so no
 * program may run on the device. Return false if memory runs out. */
bool sr_device_set_memory_share(struct sr_device_set_memory *memory, int k, const struct sr_transport *transport, int64_t begin, int64_t end);

#endif
