/* A mesh: the devices of a program as a grid with named axes. A device is a number 0..n-1. By default rank d executes device d.
 *
 * mesh <["data"=4, "model"=2]> has 8 devices; device 5 has coordinate 2 along "data" and 1 along "model".
 *
 *	const struct shardrun_mesh *mesh = shardrun_module_mesh(module);
 *	for (int i = 0; i < shardrun_mesh_axes(mesh); i++)
 *		printf("%s=%lld\n", shardrun_mesh_axis_name(mesh, i), (long long)shardrun_mesh_axis_size(mesh, i));
 *
 * No function here is collective, and none can fail. NULL stands for a program without a mesh: no axes, one device. */
#ifndef SHARDRUN_MESH_H
#define SHARDRUN_MESH_H

#include <shardrun/module.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct shardrun_mesh;

/* Return the module's mesh, the first one with axes if it has several; NULL if it has none. Owned by the module. */
const struct shardrun_mesh *shardrun_module_mesh(const struct shardrun_module *module);

/* Return the number of axes. Axes are ordered from the most significant (slowest varying) to the least. */
int shardrun_mesh_axes(const struct shardrun_mesh *mesh);
/* Return the name, or the size, of axis i; NULL or 0 if there is no such axis. The string is owned by the module. */
const char *shardrun_mesh_axis_name(const struct shardrun_mesh *mesh, int i);
int64_t shardrun_mesh_axis_size(const struct shardrun_mesh *mesh, int i);
/* Return the number of devices, the product of the axis sizes. */
int64_t shardrun_mesh_devices(const struct shardrun_mesh *mesh);
/* Return the coordinate 0..size-1 of a device along axis i; -1 if there is no such device or axis. */
int64_t shardrun_mesh_coordinate(const struct shardrun_mesh *mesh, int64_t device, int i);

#ifdef __cplusplus
}
#endif
#endif
