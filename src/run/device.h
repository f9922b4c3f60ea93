/* One device of the mesh while it runs: the program, its arena, the kernels chosen for it, its prepared collectives. A plain
 * struct, so that a rank may own several one day. */
#ifndef SR_RUN_DEVICE_H
#define SR_RUN_DEVICE_H

#include "codegen/unit.h"
#include "collectives/transport.h"
#include "program/program.h"
#include "run/hooks.h"
#include "support/diag.h"

struct sr_device {
	const struct sr_program *program;
	int64_t id;       /* 0..n_devices-1 */
	char *arena;      /* arena_bytes, 64-aligned */
	char *scratch;    /* scratch_bytes */
	const struct sr_kernels *kernels;
	struct sr_transport *transport; /* NULL: one device alone */
	struct sr_prepared **prepared;  /* [steps]; NULL where a step is no collective or I am in no group of it */
	struct sr_device_tiles *tiles;  /* owned; made ready for `kernels` */
	const struct sr_unit *unit;     /* compiled tiles; NULL: all are interpreted */
	double collective_s; /* in collectives of the current step */
	int64_t partitions; /* that partition_id and replica_id count by: the program's, or of the grid of a run_parallel */
	struct sr_hooks hooks;
	bool apart;       /* inside a program of run_parallel: what this device sees is its own */
	int64_t current;  /* step being run, for the watchdog; -1: none */
};

/* Allocate the arena and put constants in: this device's own business, which may fail on one alone. */
enum sr_status sr_device_allocate(struct sr_device *d, struct sr_diags *diags);
/* Make groups and prepare every collective. Collective on all devices where there is a transport. */
enum sr_status sr_device_connect(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags);
void sr_device_unload(struct sr_device *d);
/* Run the entry plan once. Collective. Allocates nothing. Where it fails, d->current is the step. */
enum sr_status sr_device_step(struct sr_device *d);
/* tiles.c: every tile of the program made ready, with memory for the largest; freed by sr_device_unload. */
enum sr_status sr_device_prepare_tiles(struct sr_device *d, struct sr_diags *diags);
void sr_device_release_tiles(struct sr_device *d);
void sr_play_tile(struct sr_device *d, const struct sr_step *step);
enum sr_status sr_play(struct sr_device *d, uint64_t plan);
enum sr_status sr_play_body(struct sr_device *d, const struct sr_step *step);     /* body.c */
enum sr_status sr_play_parallel(struct sr_device *d, const struct sr_step *step); /* parallel.c */
static inline void *sr_device_buffer(const struct sr_device *d, int32_t buffer)
{
	return d->arena + sr_program_buffers(d->program)[buffer].offset;
}
double sr_now(void); /* seconds of a monotonic clock */

#endif
