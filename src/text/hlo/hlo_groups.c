/* Read the device groups and source-target pairs of collectives: replica_groups={{0,1},{2,3}}, [2,4]<=[4,2]T(1,0),
 * mesh['x'=4,'y'=2] {'x'}; source_target_pairs={{0,1},{1,0}}. */
#include "text/hlo/hlo.h"
#include "support/checked.h"
#include <string.h>

enum { MAX_DEVICES = 1 << 24 };

static const struct sr_attr *make_groups_attr(struct sr_hlo *h, int64_t n_groups, int64_t group_size, const int64_t *ids)
{
	return sr_attr_dense_i64(h->ctx, 2, (int64_t[]){n_groups, group_size}, ids);
}

/* Read a table of device ids, e.g. {{0,1},{2}}. Shorter rows are padded with -1; a list without inner braces is one row. */
static const struct sr_attr *read_rows(struct sr_hlo *h, int64_t *n_rows, int64_t *n_columns)
{
	sr_integers ids = {0}, row_ends = {0};
	sr_hlo_expect(h, "{");
	if (sr_hlo_is_digit(h)) {
		do
			sr_push(h->arena, &ids, sr_hlo_integer(h));
		while (sr_hlo_accept(h, ","));
		sr_push(h->arena, &row_ends, (int64_t)ids.n);
	}
	while (!sr_hlo_accept(h, "}")) {
		sr_integers row = {0};
		if (row_ends.n)
			sr_hlo_expect(h, ",");
		sr_hlo_integers(h, &row);
		for (size_t i = 0; i < row.n; i++)
			sr_push(h->arena, &ids, row.data[i]);
		sr_push(h->arena, &row_ends, (int64_t)ids.n);
	}
	int64_t columns = 0, start = 0, total;
	for (size_t i = 0; i < row_ends.n; start = row_ends.data[i++])
		columns = row_ends.data[i] - start > columns ? row_ends.data[i] - start : columns;
	if (sr_mul_overflows((int64_t)row_ends.n, columns, &total) || total > MAX_DEVICES)
		sr_parser_fail(&h->p, h->at, "the groups have more than %d devices", MAX_DEVICES);
	int64_t *padded_ids = SR_NEW_ARRAY(h->arena, int64_t, total);
	start = 0;
	for (size_t i = 0; i < row_ends.n; start = row_ends.data[i++])
		for (int64_t j = 0; j < columns; j++)
			padded_ids[(int64_t)i * columns + j] = start + j < row_ends.data[i] ? ids.data[start + j] : -1;
	*n_rows = (int64_t)row_ends.n;
	*n_columns = columns;
	return make_groups_attr(h, *n_rows, columns, padded_ids);
}

/* Read the extents of an iota, e.g. [4,2]. */
static void read_extents(struct sr_hlo *h, sr_integers *out)
{
	sr_hlo_expect(h, "[");
	do
		sr_push(h->arena, out, sr_hlo_count(h, "an extent"));
	while (sr_hlo_accept(h, ","));
	sr_hlo_expect(h, "]");
}

/* Read an iota of some shape that may be transposed, e.g. [4,2]T(1,0). */
static const int64_t *read_iota(struct sr_hlo *h, int64_t *n)
{
	const char *position = h->at;
	sr_integers reshape_dims = {0};
	SR_VEC(int) perm = {0};
	read_extents(h, &reshape_dims);
	if (sr_hlo_accept(h, "T")) {
		sr_hlo_expect(h, "(");
		do {
			int64_t d = sr_hlo_count(h, "a dimension");
			sr_push(h->arena, &perm, d > INT32_MAX ? -1 : (int)d);
		} while (sr_hlo_accept(h, ","));
		sr_hlo_expect(h, ")");
		if (perm.n != reshape_dims.n)
			sr_parser_fail(&h->p, position, "the transpose has %zu dimensions, but the iota has %zu", perm.n,
				       reshape_dims.n);
	}
	bool is_too_large = sr_product_overflows(reshape_dims.data, (int)reshape_dims.n, n) || *n > MAX_DEVICES;
	const int64_t *ids = is_too_large
				 ? NULL
				 : sr_iota_tile(h->arena, reshape_dims.data, perm.n ? perm.data : NULL, (int)reshape_dims.n);
	if (!ids)
		sr_parser_fail(&h->p, position,
			       is_too_large ? "the groups have too many devices" : "the transpose is not a permutation");
	return ids;
}

/* Read replica groups as a reshaped iota, e.g. [2,4]<=[4,2]T(1,0). */
static const struct sr_attr *read_iota_groups(struct sr_hlo *h)
{
	const char *position = h->at;
	sr_integers shape = {0};
	int64_t n, n_expected;
	read_extents(h, &shape);
	sr_hlo_expect(h, "<=");
	const int64_t *ids = read_iota(h, &n);
	if (shape.n != 2)
		sr_parser_fail(&h->p, position, "expected two extents (number and size of groups), found %zu", shape.n);
	if (sr_mul_overflows(shape.data[0], shape.data[1], &n_expected) || n_expected != n)
		sr_parser_fail(&h->p, position, "%lld groups of %lld devices do not match the list of %lld devices",
			       (long long)shape.data[0],
			       (long long)shape.data[1], (long long)n);
	return make_groups_attr(h, shape.data[0], shape.data[1], ids);
}

static void read_mesh_axes(struct sr_hlo *h, struct sr_mesh *mesh)
{
	const char *position = h->at;
	SR_VEC(struct sr_axis) axes = {0};
	int64_t n = 1;
	sr_hlo_expect(h, "[");
	do {
		struct sr_axis axis = {.name = sr_hlo_string(h)};
		sr_hlo_expect(h, "=");
		axis.size = sr_hlo_count(h, "the size of an axis");
		for (size_t i = 0; i < axes.n; i++)
			if (axes.data[i].name == axis.name)
				sr_parser_fail(&h->p, position, "the mesh has two axes '%s'", axis.name);
		if (sr_mul_overflows(n, axis.size, &n) || n < 1 || n > MAX_DEVICES)
			sr_parser_fail(&h->p, position, "the mesh has no devices, or too many");
		sr_push(h->arena, &axes, axis);
	} while (sr_hlo_accept(h, ","));
	sr_hlo_expect(h, "]");
	mesh->axes = axes.data;
	mesh->n_axes = (int)axes.n;
}

/* Read the device ids of a mesh: device_ids=([4,2]T(1,0)) or (0,2,1,3). */
static void read_mesh_devices(struct sr_hlo *h, struct sr_mesh *mesh)
{
	const char *position = h->at;
	int64_t n = 0;
	sr_hlo_expect(h, "device_ids");
	sr_hlo_expect(h, "=");
	sr_hlo_expect(h, "(");
	if (sr_hlo_is(h, "[")) {
		mesh->device_ids = read_iota(h, &n);
	} else {
		sr_integers ids = {0};
		do
			sr_push(h->arena, &ids, sr_hlo_count(h, "a device"));
		while (sr_hlo_accept(h, ","));
		mesh->device_ids = ids.data;
		n = (int64_t)ids.n;
	}
	sr_hlo_expect(h, ")");
	if (n != sr_mesh_devices(&(struct sr_mesh){.axes = mesh->axes, .n_axes = mesh->n_axes}))
		sr_parser_fail(&h->p, position, "device_ids has %lld devices, which is not the mesh's number of devices",
			       (long long)n);
	mesh->n_device_ids = (int)n;
}

/* Read an axis 'x' of the mesh, or a sub-axis 'x':(2)4. */
static struct sr_axis_ref read_axis_ref(struct sr_hlo *h, const struct sr_mesh *mesh)
{
	const char *position = h->at;
	struct sr_axis_ref ref = {.axis = sr_hlo_string(h), .pre = 1};
	int64_t axis_size = sr_mesh_axis_size(mesh, ref.axis);
	if (!axis_size)
		sr_parser_fail(&h->p, position, "the mesh has no axis '%s'", ref.axis);
	if (!sr_hlo_accept(h, ":"))
		return (struct sr_axis_ref){ref.axis, 1, axis_size};
	sr_hlo_expect(h, "(");
	ref.pre = sr_hlo_count(h, "a size");
	sr_hlo_expect(h, ")");
	ref.size = sr_hlo_count(h, "a size");
	if (!ref.pre || !ref.size || axis_size % ref.pre || (axis_size / ref.pre) % ref.size)
		sr_parser_fail(&h->p, position, "axis '%s' of size %lld has no such sub-axis", ref.axis, (long long)axis_size);
	return ref;
}

/* Read replica groups as axes of a mesh: mesh['x'=4,'y'=2], device_ids=([2,4]T(1,0)) {'x'}. */
static const struct sr_attr *read_mesh_groups(struct sr_hlo *h)
{
	struct sr_mesh mesh = {0};
	SR_VEC(struct sr_axis_ref) refs = {0};
	read_mesh_axes(h, &mesh);
	if (sr_hlo_accept(h, ","))
		read_mesh_devices(h, &mesh);
	sr_hlo_expect(h, "{");
	while (!sr_hlo_accept(h, "}")) {
		const char *position = h->at;
		if (refs.n)
			sr_hlo_expect(h, ",");
		struct sr_axis_ref ref = read_axis_ref(h, &mesh);
		for (size_t i = 0; i < refs.n; i++)
			if (sr_axis_overlaps(refs.data[i], ref) || !sr_axis_can_coexist(refs.data[i], ref))
				sr_parser_fail(&h->p, position, "axis '%s' is named twice", ref.axis);
		sr_push(h->arena, &refs, ref);
	}
	struct sr_groups groups = sr_mesh_groups(h->arena, &mesh, (struct sr_axes){refs.data, (int)refs.n});
	return make_groups_attr(h, groups.n_groups, groups.group_size, groups.ids);
}

void sr_hlo_read_groups(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	int64_t n = 1, size = 1;
	const struct sr_attr *groups = sr_hlo_is(h, "[")	  ? read_iota_groups(h)
				       : sr_hlo_accept(h, "mesh") ? read_mesh_groups(h)
								  : read_rows(h, &n, &size);
	if (n)
		sr_hlo_add_attr(v, v->slot->target, groups);
}

const struct sr_attr *sr_hlo_group_of_all_devices(struct sr_hlo *h, const struct sr_hlo_instruction *in)
{
	const struct sr_hlo_attr_value *use_global_ids = sr_hlo_find_attr(in, "use_global_device_ids");
	int64_t n_replicas = h->n_replicas ? h->n_replicas : 1, n_partitions = h->n_partitions ? h->n_partitions : 1, n;
	bool has_channel = sr_hlo_find_attr(in, "channel_id") != NULL;
	bool counts_replicas =
		!has_channel || sr_hlo_has_attr(&(struct sr_hlo_attr_value){.signature = sr_hlo_opcode_state_of(h,
													    in->opcode)->signature},
					    "use_global_device_ids");
	if (sr_mul_overflows(counts_replicas ? n_replicas : 1,
			     !counts_replicas || (use_global_ids && use_global_ids->i) ? n_partitions : 1, &n) ||
	    n > MAX_DEVICES)
		sr_parser_fail(&h->p, in->position, "the module has too many devices");
	int64_t *ids = SR_NEW_ARRAY(h->arena, int64_t, n);
	for (int64_t i = 0; i < n; i++)
		ids[i] = i;
	return make_groups_attr(h, 1, n, ids);
}

void sr_hlo_read_pairs(struct sr_hlo *h, struct sr_hlo_attr_value *v)
{
	int64_t n, size;
	const struct sr_attr *pairs = read_rows(h, &n, &size);
	if (n && size != 2)
		sr_parser_fail(&h->p, v->position, "expected pairs of devices {source,target}");
	sr_hlo_add_attr(v, v->slot->target, n ? pairs : make_groups_attr(h, 0, 2, NULL));
}
