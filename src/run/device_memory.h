/* Device memory of programs that run on arrays. Each device has pools, from which arrays are allocated (run/memory_pool.h), and
 * one arena for temporaries, which all programs use in turn; it occupies the memory of the largest program.
 *
 * Pools and arenas are reserved address ranges; the system provides pages at the first access. One pool, and the operands of
 * collectives in an arena, are in a shared segment, where the node's other processes read them. Arrays that no collective reads come from a
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
	/* pool of arrays that collectives read; in the shared segment if other processes of the node have devices */
	struct sr_memory_pool *pool;
	struct sr_memory_pool *private_pool;  /* pool of all other arrays; equal to `pool` if that is private */
	char *arena;                          /* reserved address range for temporaries, arena_bytes long */
	int64_t used;                         /* bytes of the arena that the largest program uses */
	SR_VEC(struct sr_byte_range) shared;  /* ranges of the arena that are in the shared segment, sorted and disjoint */
};

struct sr_device_set_memory {
	int n;                                /* number of devices of this process */
	const struct sr_backend *backend;
	struct sr_device_memory *devices;     /* [n] */
	int64_t pool_bytes, arena_bytes;      /* sizes of each pool and each arena, equal on all ranks */
	struct sr_arena *ranges;              /* arena in which the lists `shared` are allocated: the client's */
	/* agreement of the devices at the beginning of an execution (agreement.h); NULL: not needed */
	struct sr_agreement *agreement;
	struct sr_layout_table *layouts;      /* layouts of the arrays on this device set (layout.h) */
	/* shared segments of pools and arenas; NULL: their pages are private */
	struct sr_shared_region *pool_segment, *arena_segment;
};

/* Create set->memory unless it exists. Collective on all ranks. Its ranges are as large as the node's memory; where the address
 * space is limited, they are smaller, but hold the given program with its arguments and results. Return SR_NO_MEMORY on all ranks,
 * without memory, if the address space runs out on one. */
enum sr_status sr_device_set_open_memory(struct sr_client *client, struct sr_device_set *set, const struct sr_program *program, struct sr_diags *diags);
/* Release the memory; `memory` may be NULL. Not collective. Arrays that still exist keep their pool alive. */
void sr_device_set_memory_close(struct sr_device_set_memory *memory);
/* Return device k's arena for a program that uses its first `bytes` bytes; NULL if the arena is smaller. */
char *sr_device_set_memory_use(struct sr_device_set_memory *memory, int k, int64_t bytes);
/* Replace the pages of [begin, end), page-aligned, of device k's arena by pages of the shared segment, if there is one. The
 * contents are lost, so no program may run on the device. Returns false if memory runs out. */
bool sr_device_set_memory_share(struct sr_device_set_memory *memory, int k, const struct sr_transport *transport, int64_t begin, int64_t end);

#endif
