/* Tuning: compile several plans and select one. They differ in the shardings of values that the user did not annotate
 * (--auto-shard), in the mesh, and in the price of memory (--memory-per-device). */
#ifndef SR_DRIVER_TUNE_H
#define SR_DRIVER_TUNE_H

#include "driver/driver.h"

/* Options of the search over meshes: the candidates to compile and what the selected one must satisfy. */
struct sr_tune_options {
	bool auto_shard;    /* search for shardings of arguments and results that have none */
	/* meshes such as "data=8,model=4"; if there are none, the module's mesh, or meshes of `devices` devices; length
	 * n_meshes */
	const char *const *meshes;
	size_t n_meshes;
	int64_t devices;    /* number of devices for which meshes are compared, or that the module's mesh must have; 0: not given */
	int64_t ranks;      /* number of devices for which meshes are compared if `devices` is not given */
	struct sr_memory_limits memory; /* memory limits of a device; the selected plan must fit limits.requested */
};

/* Compile several plans and annotate the module as the best plan requires; *chosen_plan: the plan's parameters. Return SR_USAGE,
 * after reporting it, if there is no mesh, and SR_NO_MEMORY if no plan fits. options: how to compile, as far as it influences
 * the plan. */
enum sr_status sr_tune(struct sr_context *ctx, const char *file, struct sr_op *module, const struct sr_compile_options *options,
		       const struct sr_tune_options *tune, struct sr_candidate *chosen_plan, struct sr_candidates *out);

/* ---- tune_mesh.c ---- */
/* Meshes to compile for, as texts: the named one, the module's own (NULL), or all factorizations of `devices` into up to three
 * axes. */
struct sr_mesh_texts {
	const char **texts;
	int n;
};
enum sr_status sr_tune_meshes(struct sr_context *ctx, const struct sr_op *module, const struct sr_tune_options *tune,
			      struct sr_mesh_texts *out);
/* Set the module's mesh: add it as @mesh, or resize the existing mesh with these axes. text NULL: no change. Return SR_USAGE,
 * after reporting it, if the text cannot be parsed, or the module is not valid for this mesh. */
enum sr_status sr_tune_set_mesh(struct sr_context *ctx, struct sr_op *module, const char *text);

const char *sr_mesh_str(struct sr_arena *arena, const struct sr_mesh *mesh); /* Return a mesh as text: "data=8,model=4". */

/* ---- tune_annotate.c ---- */
/* Shardings that the search found for arguments and results without a user's sharding. An entry is NULL if the user annotated
 * the value, or no sharding was found. */
struct sr_annotations {
	const struct sr_attr **arguments, **results;
};
enum sr_status sr_tune_annotate(struct sr_context *ctx, const struct sr_op *module, const char *function, const char *mesh,
				double price, struct sr_annotations *out);
enum sr_status sr_annotations_set(struct sr_context *ctx, struct sr_op *module, const char *function,
				  const struct sr_annotations *a);

extern const struct sr_pass sr_tune_passes[]; /* The pass shardrun-auto-shard. */

#endif
