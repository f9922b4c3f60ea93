/* Serialize the shardings of arguments and results as xla.OpSharding, for PJRT's extension for shardings. */
#include "pjrt/pjrt.h"
#include "support/proto.h"

enum { TYPE = 1, TILE_DIMENSIONS = 3, TILE_DEVICES = 4, REPLICATE_LAST = 6, LAST_TILE_DIMS = 8 };
enum { REPLICATED = 0, OTHER = 3, UNREDUCED = 6 };

/* Return the number of a device's tile, and set tiles[] to the number of tiles along each of the value's dimensions. Dimension
 * order[i] of the value is dimension i of io. */
static int64_t device_tile(const struct sr_program *p, const struct sr_io *io, const int64_t *order, int64_t device, int64_t *tiles)
{
	int64_t counts[SR_MAX_RANK], at[SR_MAX_RANK], tile = sr_program_tile(p, io, device, order ? counts : tiles), number = 0;
	if (!order)
		return tile;
	for (int d = io->rank - 1; d >= 0; d--) {
		tiles[order[d]] = counts[d];
		at[order[d]] = tile % counts[d];
		tile /= counts[d];
	}
	for (int d = 0; d < io->rank; d++)
		number = number * tiles[d] + at[d];
	return number;
}

/* The tiling has the value's tile dimensions, then a dimension for the partial results, then one for the devices that hold
 * copies. */
void sr_pjrt_put_sharding(const struct sr_program *p, const struct sr_io *io, const int64_t *order, int n_partitions, struct sr_arena *arena,
			  struct sr_buf *out)
{
	static const int64_t last_tile_dims[] = {UNREDUCED, REPLICATED};
	int64_t dims[SR_MAX_RANK + 2], n_tiles, n_partials;
	(void)device_tile(p, io, order, 0, dims);
	(void)sr_program_partial(p, io, 0, &n_partials);
	n_tiles = n_partials;
	for (int d = 0; d < io->rank; d++)
		n_tiles *= dims[d];
	if (n_tiles == 1) {
		sr_proto_put_int(out, TYPE, REPLICATED);
		return;
	}
	int64_t n_copies = n_partitions / n_tiles, *devices = SR_NEW_ARRAY(arena, int64_t, n_tiles * n_copies),
		*n_used = SR_NEW_ARRAY(arena, int64_t, n_tiles);
	for (int64_t device = 0; device < n_tiles * n_copies; device++) {
		int64_t tile = device_tile(p, io, order, device, dims) * n_partials + sr_program_partial(p, io, device, &n_partials);
		devices[tile * n_copies + n_used[tile]++] = device;
	}
	size_t n = (size_t)io->rank;
	if (n_partials > 1)
		dims[n++] = n_partials;
	if (n_copies > 1)
		dims[n++] = n_copies;
	sr_proto_put_int(out, TYPE, OTHER);
	sr_proto_put_integers(out, TILE_DIMENSIONS, dims, n);
	sr_proto_put_integers(out, TILE_DEVICES, devices, (size_t)(n_tiles * n_copies));
	if (n_partials > 1)
		sr_proto_put_integers(out, LAST_TILE_DIMS, last_tile_dims, n_copies > 1 ? 2 : 1);
	else if (n_copies > 1)
		sr_proto_put_int(out, REPLICATE_LAST, 1);
}

static PJRT_Error *parameter_shardings(struct PJRT_Shardings_PJRT_Executable_ParameterShardings_Args *args)
{
	args->num_parameters = (size_t)args->executable->n_arguments;
	args->shardings = args->executable->shardings;
	args->sharding_sizes = args->executable->sharding_sizes;
	return NULL;
}

/* The sharding of an empty tuple, which frameworks expect of a program without results: type 0, REPLICATED. */
static const char no_results[] = {TYPE << 3, REPLICATED};
static const char *const no_results_list[] = {no_results};
static const size_t no_results_sizes[] = {sizeof no_results};

static PJRT_Error *output_shardings(struct PJRT_Shardings_PJRT_Executable_OutputShardings_Args *args)
{
	if (!args->executable->n_results) {
		args->num_outputs = 1;
		args->shardings = no_results_list;
		args->sharding_sizes = no_results_sizes;
		return NULL;
	}
	args->num_outputs = (size_t)args->executable->n_results;
	args->shardings = args->executable->shardings + args->executable->n_arguments;
	args->sharding_sizes = args->executable->sharding_sizes + args->executable->n_arguments;
	return NULL;
}

struct PJRT_Shardings_Extension sr_pjrt_shardings = {
    .base = {.struct_size = sizeof sr_pjrt_shardings, .type = PJRT_EXTENSION_SHARDINGS},
    .parameter_shardings = parameter_shardings,
    .output_shardings = output_shardings,
};
