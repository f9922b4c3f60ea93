/* A mesh: the devices of a program as a grid with named axes. A device is a number 0..n-1; on a run, device d is played by rank d.
 *
 * mesh <["data"=4, "model"=2]> has 8 devices; device 5 has coordinate 2 along "data" and 1 along "model".
 *
 *	const struct shardrun_mesh *mesh = shardrun_module_mesh(module);
 *	for (int i = 0; i < shardrun_mesh_axes(mesh); i++)
 *		printf("%s=%lld\n", shardrun_mesh_axis_name(mesh, i), (long long)shardrun_mesh_axis_size(mesh, i));
 *
 * No function here is collective; none can fail. NULL stands for a program without a mesh: no axes, one device. */
#ifndef SHARDRUN_MESH_H
#define SHARDRUN_MESH_H

#include <shardrun/module.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct shardrun_mesh;

/* The module's mesh; of several, the first with axes. Owned by the module; NULL where it has none. */
const struct shardrun_mesh *shardrun_module_mesh(const struct shardrun_module *module);

/* Number of axes, from the most significant to the least. */
int shardrun_mesh_axes(const struct shardrun_mesh *mesh);
/* Name and size of axis i; NULL and 0 where there is no such axis. The name is the module's. */
const char *shardrun_mesh_axis_name(const struct shardrun_mesh *mesh, int i);
int64_t shardrun_mesh_axis_size(const struct shardrun_mesh *mesh, int i);
/* Number of devices, the product of the sizes. */
int64_t shardrun_mesh_devices(const struct shardrun_mesh *mesh);
/* Coordinate 0..size-1 of a device along axis i; -1 where there is no such device or axis. */
int64_t shardrun_mesh_coordinate(const struct shardrun_mesh *mesh, int64_t device, int i);

#ifdef __cplusplus
}
#endif
#endif
