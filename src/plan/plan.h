/* Lower a local module (one device's program, static shapes, stablehlo collectives) to a program: instructions by the LOWER
 * column, liveness, buffer coalescing, arena layout and cost figures. */
#ifndef SR_PLAN_PLAN_H
#define SR_PLAN_PLAN_H

#include "cost/cost.h"
#include "dialect/ops.h"
#include "program/program.h"

/* When collectives overlap with computation: if the overlap takes no more memory (AUTO), always, or never. */
enum sr_overlap { SR_OVERLAP_AUTO, SR_OVERLAP_ON, SR_OVERLAP_OFF };

struct sr_plan_options {
	const char *function;   /* entry function; NULL: main or the only one */
	int64_t n_devices;      /* number of devices of the whole run: those of the mesh, or num_replicas * num_partitions */
	int64_t n_replicas;     /* number of replicas, usually 1 */
	const char *model;      /* file name of the module; NULL: "" */
	const struct sr_replication_note *replicated; /* values that partitioning replicated, for the report; length n_replicated */
	size_t n_replicated;
	enum sr_overlap overlap;
	int64_t decomposed_matmuls; /* number of decomposed matrix products, for the report */
	const char *const *calls; /* custom call targets for which the run has FFI handlers; length n_calls */
	size_t n_calls;
	bool direct_convolutions; /* convolutions may not use Winograd's algorithm */
	bool keep_denormals;    /* denormal results are not flushed to zero */
	bool keep_unused_donors; /* if set, an argument with jax.buffer_donor whose memory no result can take is not donated */
	/* costs by kind of collective, stored in the program; length SR_COLL_COUNT; NULL: none */
	const struct sr_collective_cost *collectives;
};

/* Plan a module. *out is one block of memory in the context's arena. Return SR_UNSUPPORTED, after reporting it at the op, if an
 * op cannot be lowered. */
enum sr_status sr_plan_module(struct sr_context *ctx, struct sr_op *module, const struct sr_plan_options *options, struct sr_program **out);

/* Return the number of devices that the largest interpreter.run_parallel of the module needs; 1 if it has none. */
int64_t sr_parallel_devices(struct sr_op *module);

/* Count one collective of a local module. *group_size: devices per group, 0 for collective_permute and collective_broadcast.
 * Returns SR_COLL_COUNT if op is no collective. */
enum sr_coll sr_plan_collective_cost(struct sr_context *ctx, struct sr_op *op, struct sr_collective_cost *cost, int64_t *group_size);
/* Sum the collectives of a module by kind. */
void sr_collective_costs(struct sr_context *ctx, struct sr_op *module, struct sr_collective_cost out[SR_COLL_COUNT]);

/* Return the entry function: by name, or main, or the only public or only function. If there is none, report that, set *status
 * and return NULL. */
struct sr_op *sr_find_entry_function(struct sr_context *ctx, struct sr_op *module, const char *name, enum sr_status *status);

#endif
