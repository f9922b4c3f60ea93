/* State shared by the files of shardrun-import-gspmd: the parsed mhlo.sharding strings of a module and the meshes for them. */
#ifndef SR_IMPORT_GSPMD_H
#define SR_IMPORT_GSPMD_H

#include "import/forms/custom_call.h"
#include "mesh/tiling.h"
#include "support/vec.h"

struct sr_gspmd_mesh {
	const char *name; /* symbol name of the mesh, interned */
	const struct sr_mesh *mesh;
	struct sr_map axes; /* cache: maps a TILED sharding to its axes on this mesh, which sr_tiling_axes returned */
};

struct sr_gspmd {
	struct sr_context *ctx;
	struct sr_op *module;
	enum sr_status status;    /* SR_OK, or the status of the error that was reported */
	struct sr_map tilings;      /* maps an mhlo.sharding attribute to its canonical struct sr_tiling * */
	SR_VEC(const struct sr_tiling *) tiled; /* the distinct TILED shardings of the module, including elements of tuples */
	SR_VEC(struct sr_gspmd_mesh) meshes;  /* meshes of the module that have axes and as many devices as n_devices */
	const char *subject; /* text with which messages begin: "argument 1 " or "result 0 " of a function; "" for the op itself */
	int64_t n_devices;        /* number of devices; 0 if unknown, since there is no tiled sharding and no mhlo.num_partitions */
};

/* ---- gspmd_read.c ---- */
/* Let messages begin with the name of value_kind and i, as in "argument 1" or "result 0". */
void sr_gspmd_set_subject(struct sr_gspmd *g, const struct sr_func_value_kind *value_kind, int i);
/* Parse all mhlo.sharding attributes and find the number of devices. Return false on errors and if there are no such attributes. */
bool sr_gspmd_read(struct sr_gspmd *g);
/* Return the parsed sharding of an mhlo.sharding attribute; NULL if `text` is NULL. */
const struct sr_tiling *sr_gspmd_tile(const struct sr_gspmd *g, const struct sr_attr *text);

/* ---- gspmd_mesh.c ---- */
/* Collect the module's meshes and create those that its shardings need in addition, before all other ops. */
void sr_gspmd_make_meshes(struct sr_gspmd *g);
/* Return the first mesh that can express all n shardings; NULL if there is none. Entries that are NULL or not TILED do not restrict
 * the choice. */
struct sr_gspmd_mesh *sr_gspmd_find_mesh(struct sr_gspmd *g, const struct sr_tiling *const *tilings, int n);
/* Return t's axes in the subgroup of this kind, or all axes of the mesh if t as a whole is of this kind. */
struct sr_axes sr_gspmd_subgroup(struct sr_gspmd *g, struct sr_gspmd_mesh *mesh, const struct sr_tiling *t,
				 enum sr_tiling_kind kind);
/* Convert t to a SHARDING attribute for a value of `type`, without its manual axes; `open_dims` are the open dimensions. `mesh`
 * NULL: use the first mesh that can express t. Return NULL if t carries no sharding (unknown, manual, or no mesh can
 * express it) or, after reporting an error on op, does not match the type. */
struct sr_gspmd_open_dims {
	const int64_t *dims;
	int64_t n;
};
const struct sr_attr *sr_gspmd_sharding(struct sr_gspmd *g, struct sr_op *op, struct sr_gspmd_mesh *mesh,
					const struct sr_tiling *t, const struct sr_type *type, struct sr_gspmd_open_dims open_dims);
/* Return the open dimensions that unspecified_dims of a call's backend_config lists. */
struct sr_gspmd_open_dims sr_gspmd_unspecified_dims(struct sr_context *ctx, const struct sr_op *call);

/* ---- gspmd_manual.c ---- */
/* Replace SPMDFullToShardShape, SPMDShardToFullShape and the ops between them by manual computations. */
void sr_gspmd_import_manual(struct sr_gspmd *g);

#endif
