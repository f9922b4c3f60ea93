/* Plans tried before one is taken: annotations that nobody wrote (--auto-shard), on one mesh or on several, and what memory is
 * worth (--memory-per-device). */
#ifndef SR_DRIVER_TUNE_H
#define SR_DRIVER_TUNE_H

#include "driver/driver.h"

/* What may be tried. */
struct sr_tune_options {
	bool auto_shard;    /* arguments and results that have no sharding are free */
	const char *const *meshes; /* [n_meshes] "data=8,model=4"; none: the module's, or meshes of so many devices */
	size_t n_meshes;
	int64_t devices;    /* 0: not said */
	struct sr_memory_limits memory; /* of a device; plans within what was asked are looked for */
};

/* Try, and leave the module with the annotations of the best plan; *taken: what was tried there. SR_USAGE, reported: no mesh
 * to be had. SR_NO_MEMORY, reported: nothing fits. options: how to compile, as far as that decides the plan. */
enum sr_status sr_tune(struct sr_context *ctx, const char *file, struct sr_op *module, const struct sr_compile_options *options,
		       const struct sr_tune_options *tune, struct sr_candidate *taken, struct sr_candidates *out);

/* ---- tune_mesh.c ---- */
/* Meshes to try, as texts: the one that is named, or the module's own (NULL), or the ways to make so many devices of up to three
 * axes. */
struct sr_mesh_texts {
	const char **at;
	int n;
};
enum sr_status sr_tune_meshes(struct sr_context *ctx, const struct sr_op *module, const struct sr_tune_options *tune,
			      struct sr_mesh_texts *out);
/* Give the module this mesh, named @mesh; where it has one of the same axes, these sizes. NULL: it stays as it is. SR_USAGE,
 * reported: the text does not read, or the module is not for a mesh of these axes or sizes. */
enum sr_status sr_tune_set_mesh(struct sr_context *ctx, struct sr_op *module, const char *text);

const char *sr_mesh_str(struct sr_arena *arena, const struct sr_mesh *mesh); /* "data=8,model=4" */

/* ---- tune_annotate.c ---- */
/* The shardings that the search finds for free arguments and results; NULL where it was said, or there is none. */
struct sr_annotations {
	const struct sr_attr **arguments, **results;
};
enum sr_status sr_tune_annotate(struct sr_context *ctx, const struct sr_op *module, const char *function, const char *mesh,
				double price, struct sr_annotations *out);
enum sr_status sr_annotations_set(struct sr_context *ctx, struct sr_op *module, const char *function,
				  const struct sr_annotations *a);

extern const struct sr_pass sr_tune_passes[]; /* shardrun-auto-shard */

#endif
