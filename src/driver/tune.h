/* Tuning: compile several plans and choose one. They differ in shardings that nobody annotated (--auto-shard), in the mesh, and
 * in the price of memory (--memory-per-device). */
#ifndef SR_DRIVER_TUNE_H
#define SR_DRIVER_TUNE_H

#include "driver/driver.h"

/* What to try. */
struct sr_tune_options {
	bool auto_shard;    /* choose shardings for arguments and results without one */
	const char *const *meshes; /* [n_meshes] "data=8,model=4"; none: the module's mesh, or meshes of `devices` devices */
	size_t n_meshes;
	int64_t devices;    /* 0: unknown */
	struct sr_memory_limits memory; /* per device; the chosen plan must fit limits.requested */
};

/* Try plans and annotate the module as the best one; *taken: its parameters. SR_USAGE, reported: there is no mesh. SR_NO_MEMORY,
 * reported: no plan fits. options: how to compile, as far as it influences the plan. */
enum sr_status sr_tune(struct sr_context *ctx, const char *file, struct sr_op *module, const struct sr_compile_options *options,
		       const struct sr_tune_options *tune, struct sr_candidate *taken, struct sr_candidates *out);

/* ---- tune_mesh.c ---- */
/* Meshes to try, as texts: the named one, the module's own (NULL), or all factorizations of `devices` into up to three axes. */
struct sr_mesh_texts {
	const char **at;
	int n;
};
enum sr_status sr_tune_meshes(struct sr_context *ctx, const struct sr_op *module, const struct sr_tune_options *tune,
			      struct sr_mesh_texts *out);
/* Set the module's mesh: add it as @mesh, or resize the existing mesh with these axes. NULL: no change. SR_USAGE, reported: the
 * text cannot be parsed, or the module is not valid for this mesh. */
enum sr_status sr_tune_set_mesh(struct sr_context *ctx, struct sr_op *module, const char *text);

const char *sr_mesh_str(struct sr_arena *arena, const struct sr_mesh *mesh); /* "data=8,model=4" */

/* ---- tune_annotate.c ---- */
/* Shardings that the search found for unannotated arguments and results; NULL entries: annotated by the user, or none found. */
struct sr_annotations {
	const struct sr_attr **arguments, **results;
};
enum sr_status sr_tune_annotate(struct sr_context *ctx, const struct sr_op *module, const char *function, const char *mesh,
				double price, struct sr_annotations *out);
enum sr_status sr_annotations_set(struct sr_context *ctx, struct sr_op *module, const char *function,
				  const struct sr_annotations *a);

extern const struct sr_pass sr_tune_passes[]; /* shardrun-auto-shard */

#endif
