/* From a local module (one device's program, static shapes, stablehlo collectives) to a program: the reference step of every op by
 * the LOWER column, preferences before it, liveness and arena layout, figures of cost. */
#ifndef SR_PLAN_PLAN_H
#define SR_PLAN_PLAN_H

#include "cost/cost.h"
#include "dialect/ops.h"
#include "program/program.h"

/* Whether collectives are under way while other steps run: where that takes no more memory, always, never. */
enum sr_overlap { SR_OVERLAP_AUTO, SR_OVERLAP_ON, SR_OVERLAP_OFF };

struct sr_plan_options {
	const char *function;   /* entry, NULL: main or the only one */
	int64_t n_devices;      /* all of them; from the mesh, or num_replicas * num_partitions */
	int64_t n_replicas;     /* 1 as a rule */
	const char *model;      /* the module's file; NULL: "" */
	const struct sr_replication_note *whole; /* [n_whole], for the report */
	size_t n_whole;
	enum sr_overlap overlap;
	int64_t decomposed_matmuls; /* for the report */
	const char *const *calls; /* [n_calls]: targets of custom calls that the run has kernels for */
	size_t n_calls;
	const struct sr_collective_cost *collectives; /* [SR_COLL_COUNT], that the program is to carry; NULL: none */
};

/* *out is one block of memory in the context's arena. SR_UNSUPPORTED, reported at the op, where an op cannot be lowered. */
enum sr_status sr_plan_module(struct sr_context *ctx, struct sr_op *module, const struct sr_plan_options *options, struct sr_program **out);

/* The devices that the module's largest interpreter.run_parallel wants; 1 where it has none. */
int64_t sr_parallel_devices(struct sr_op *module);

/* A collective of a local module. group_size: devices of a group, 0 for kinds that go by pairs. SR_COLL_COUNT: the op is none. */
enum sr_coll sr_plan_collective_cost(struct sr_context *ctx, struct sr_op *op, struct sr_collective_cost *cost, int64_t *group_size);
/* All of them, by kind. */
void sr_collective_costs(struct sr_context *ctx, struct sr_op *module, struct sr_collective_cost out[SR_COLL_COUNT]);

/* The entry function of a module by name, or main, or the only public or only function. NULL with an error reported. */
struct sr_op *sr_find_entry_function(struct sr_context *ctx, struct sr_op *module, const char *name, enum sr_status *status);

#endif
