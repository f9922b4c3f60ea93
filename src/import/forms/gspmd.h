/* What the import of GSPMD's shardings shares: the shardings of a module by their text, and its meshes. */
#ifndef SR_IMPORT_GSPMD_H
#define SR_IMPORT_GSPMD_H

#include "import/forms/custom_call.h"
#include "mesh/tiling.h"
#include "support/vec.h"

struct sr_gspmd_mesh {
	const char *name; /* interned */
	const struct sr_mesh *mesh;
	struct sr_map axes; /* TILED tile -> its axes on this mesh, as sr_tiling_axes gives them: a program says one sharding often */
};

struct sr_gspmd {
	struct sr_context *ctx;
	struct sr_op *module;
	enum sr_status status;    /* not SR_OK: reported */
	struct sr_map tiles;      /* mhlo.sharding (attribute) -> struct sr_tiling *, canonical */
	SR_VEC(const struct sr_tiling *) tiled; /* the TILED ones, those in tuples too, each once */
	SR_VEC(struct sr_gspmd_mesh) meshes;  /* with axes, all of n_devices */
	const char *what;         /* for messages, the argument or result of a function: "argument 1 "; "": the op itself */
	int64_t n_devices;        /* 0: not known, as where all is replicated and the module does not say */
};

/* ---- gspmd_read.c ---- */
/* Messages are about an argument or a result of a function from now on, until what is "" again. */
void sr_gspmd_set_subject(struct sr_gspmd *g, const struct sr_func_value_kind *side, int i);
/* Reads all mhlo.sharding of the module and finds how many devices they mean. False where there is none. */
bool sr_gspmd_read(struct sr_gspmd *g);
/* The sharding that an attribute of the module holds; NULL for NULL. */
const struct sr_tiling *sr_gspmd_tile(const struct sr_gspmd *g, const struct sr_attr *text);

/* ---- gspmd_mesh.c ---- */
/* The meshes that the tiles need: those of the module, and new ones in front of all else. */
void sr_gspmd_make_meshes(struct sr_gspmd *g);
/* The first mesh that expresses all of the n tiles (those that are not TILED, or NULL, any does); NULL: none. */
struct sr_gspmd_mesh *sr_gspmd_find_mesh(struct sr_gspmd *g, const struct sr_tiling *const *tiles, int n);
/* The axes of the dimensions of a kind of subgroup; all of the mesh for a sharding of that kind alone. */
struct sr_axes sr_gspmd_subgroup(struct sr_gspmd *g, struct sr_gspmd_mesh *mesh, const struct sr_tiling *t,
				 enum sr_tiling_kind kind);
/* As sdy has it (kind SHARDING), for a value of the type, without the manual axes; dimensions of the list `open` are open. NULL: it
 * says nothing (unknown, manual, no devices), or, reported at the op, does not fit the type. mesh NULL: the first that expresses
 * it. */
struct sr_gspmd_open_dims {
	const int64_t *dims;
	int64_t n;
};
const struct sr_attr *sr_gspmd_sharding(struct sr_gspmd *g, struct sr_op *op, struct sr_gspmd_mesh *mesh,
					const struct sr_tiling *t, const struct sr_type *type, struct sr_gspmd_open_dims open);
/* unspecified_dims of a call's backend_config. */
struct sr_gspmd_open_dims sr_gspmd_unspecified_dims(struct sr_context *ctx, const struct sr_op *call);

/* ---- gspmd_manual.c ---- */
/* What lies between SPMDFullToShardShape and SPMDShardToFullShape becomes manual computations. */
void sr_gspmd_import_manual(struct sr_gspmd *g);

#endif
