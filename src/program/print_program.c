/* Print a program as text for --print-plan, one line for each instruction, owned computations after their owner's; and the local
 * slices and labels of arguments and results. */
#include "kernels/nest/nest.h"
#include "program/program.h"
#include <string.h>

/* Return the mesh of a value; its axes are stored in axes[SR_PROGRAM_MAX_AXES]. */
static struct sr_mesh mesh_of(const struct sr_program *p, const struct sr_io *io, struct sr_axis *axes)
{
	const int64_t *at = sr_program_ids(p) + (io->mesh ? io->mesh - 1 : 0);
	struct sr_mesh mesh = {.axes = axes, .n_axes = io->mesh ? (int)*at++ : (int)p->mesh.n};
	for (int i = 0; i < mesh.n_axes; i++)
		axes[i] = io->mesh ? (struct sr_axis){sr_program_string(p, (uint32_t)at[2 * i]), at[2 * i + 1]} :
				     (struct sr_axis){sr_program_string(p, sr_program_mesh(p)[i].name), sr_program_mesh(p)[i].size};
	mesh.n_device_ids = io->mesh ? (int)at[2 * mesh.n_axes] : (int)p->device_ids.n;
	if (mesh.n_device_ids)
		mesh.device_ids = io->mesh ? at + 2 * mesh.n_axes + 1 : sr_program_device_ids(p);
	return mesh;
}

/* Read the sharding of a value into refs[SR_PROGRAM_MAX_REFS] and `axes`: *mesh, the axes of each dimension, and the unreduced
 * axes as dimension io->rank. */
static void read_sharding(const struct sr_program *p, const struct sr_io *io, struct sr_axis *axes, struct sr_axis_ref *refs,
			  struct sr_mesh *mesh, struct sr_dim_sharding *dims)
{
	const int64_t *ref = sr_program_ids(p) + io->refs;
	int n = 0;
	*mesh = mesh_of(p, io, axes);
	for (int d = 0; d <= io->rank; d++) {
		dims[d].axes = (struct sr_axes){refs + n, (int)*ref++};
		for (int i = 0; i < dims[d].axes.n; i++, ref += 3)
			refs[n++] = (struct sr_axis_ref){axes[ref[0]].name, ref[1], ref[2]};
	}
}

struct sr_device_slice sr_program_slice(const struct sr_program *p, const struct sr_io *io, int64_t device)
{
	struct sr_axis axes[SR_PROGRAM_MAX_AXES];
	struct sr_axis_ref refs[SR_PROGRAM_MAX_REFS];
	struct sr_dim_sharding dims[SR_MAX_RANK + 1] = {0};
	struct sr_mesh mesh;
	read_sharding(p, io, axes, refs, &mesh, dims);
	struct sr_sharding s = {.dims = dims, .rank = io->rank};
	int64_t partitions = p->n_devices / p->n_replicas;
	return sr_sharding_slice(&s, &mesh, sr_program_ids(p) + io->shape, device % partitions);
}

static int64_t count_shards(struct sr_axes axes)
{
	int64_t n = 1;
	for (int i = 0; i < axes.n; i++)
		n *= axes.refs[i].size;
	return n;
}

int64_t sr_program_tile(const struct sr_program *p, const struct sr_io *io, int64_t device, int64_t *shards)
{
	struct sr_axis axes[SR_PROGRAM_MAX_AXES];
	struct sr_axis_ref refs[SR_PROGRAM_MAX_REFS];
	struct sr_dim_sharding dims[SR_MAX_RANK + 1] = {0};
	struct sr_mesh mesh;
	int64_t shard = 0;
	read_sharding(p, io, axes, refs, &mesh, dims);
	for (int d = 0; d < io->rank; d++) {
		shards[d] = count_shards(dims[d].axes);
		shard = shard * shards[d] + sr_mesh_coordinate_along(&mesh, device, dims[d].axes);
	}
	return shard;
}

int64_t sr_program_partial(const struct sr_program *p, const struct sr_io *io, int64_t device, int64_t *n)
{
	struct sr_axis axes[SR_PROGRAM_MAX_AXES];
	struct sr_axis_ref refs[SR_PROGRAM_MAX_REFS];
	struct sr_dim_sharding dims[SR_MAX_RANK + 1] = {0};
	struct sr_mesh mesh;
	read_sharding(p, io, axes, refs, &mesh, dims);
	*n = count_shards(dims[io->rank].axes);
	return sr_mesh_coordinate_along(&mesh, device, dims[io->rank].axes);
}

static const char *label(const struct sr_program *p, const char *kind, int i, const struct sr_io *io, struct sr_arena *arena)
{
	const char *name = sr_program_string(p, io->name);
	return *name ? sr_printf(arena, "%s %d (%s)", kind, i, name) : sr_printf(arena, "%s %d", kind, i);
}

const char *sr_program_argument_label(const struct sr_program *p, int i, struct sr_arena *arena)
{
	return label(p, "argument", i, sr_program_values(p) + i, arena);
}

const char *sr_program_result_label(const struct sr_program *p, int i, struct sr_arena *arena)
{
	return label(p, "result", i, sr_program_result(p, i), arena);
}

bool sr_program_is_first_holder(const struct sr_program *p, const struct sr_io *io, int64_t device)
{
	struct sr_device_slice own_slice = sr_program_slice(p, io, device);
	size_t bytes = sizeof(int64_t) * (size_t)io->rank;
	for (int64_t e = 0; e < device; e++) {
		struct sr_device_slice s = sr_program_slice(p, io, e);
		if (!memcmp(s.start, own_slice.start, bytes) && !memcmp(s.size, own_slice.size, bytes))
			return false;
	}
	for (int d = 0; d < io->rank; d++)
		if (!own_slice.size[d])
			return false;
	return true;
}

const char *const sr_instr_kind_names[SR_INSTR_COUNT] = {
	"kernel", "collective", "while", "case", "device-id", "body", "custom", "check", "parallel", "nest", "finish", "release"};

bool sr_instr_is_in_place(const struct sr_program *p, const struct sr_instr *instr)
{
	const int32_t *operands = sr_program_operands(p) + instr->first_operand;
	const struct sr_buffer *buffers = sr_program_buffers(p);
	bool shares = instr->kind == SR_INSTR_KERNEL || instr->kind == SR_INSTR_NEST || instr->kind == SR_INSTR_COLLECTIVE;
	const struct sr_nest *nest = (const void *)(sr_program_params(p) + instr->params);
	uint32_t n_inputs = instr->kind == SR_INSTR_NEST ? (uint32_t)nest->n_inputs : instr->n_operands - 1;
	for (uint32_t i = 0; shares && i < n_inputs && i + 1 < instr->n_operands; i++) {
		const struct sr_buffer *result = buffers + operands[instr->n_operands - 1];
		if (result->bytes && buffers[operands[i]].offset == result->offset)
			return true;
	}
	return false;
}

static void print_forms(const struct sr_collective_instr *c, struct sr_buf *out)
{
	static const char *const sides[SR_COLL_LAYOUTS] = {[SR_IN] = "from", [SR_OUT] = "to"};
	for (int k = 0; k < SR_COLL_LAYOUTS; k++)
		if (c->form[k].rows)
			sr_buf_printf(out, " %s %lld rows of %lld bytes every %lld", sides[k], (long long)c->form[k].rows,
				      (long long)c->form[k].row, (long long)c->form[k].stride);
}

/* Print "[offset+bytes]" of an operand, and its dynamic offsets as " at stride x [start buffer]". */
static void print_operand(const struct sr_program *p, const struct sr_instr *instr, uint32_t k, struct sr_buf *out)
{
	const struct sr_buffer *buffers = sr_program_buffers(p), *b = buffers + sr_program_operands(p)[instr->first_operand + k];
	const char *separator = " at ";
	sr_buf_printf(out, " [%lld+%lld", (long long)b->offset, (long long)b->bytes);
	for (uint32_t i = 0; i < instr->n_dynamic_offsets; i++) {
		const struct sr_dynamic_offset *shift = sr_program_dynamic_offsets(p) + instr->first_dynamic_offset + i;
		if (shift->operand != (int32_t)k)
			continue;
		sr_buf_printf(out, "%s%lld", separator,
			      (long long)(shift->start < 0 ? shift->limit * shift->stride : shift->stride));
		if (shift->start >= 0)
			sr_buf_printf(out, " x [%lld]", (long long)buffers[shift->start].offset);
		separator = " + ";
	}
	sr_buf_putc(out, ']');
}

static void print_computation(const struct sr_program *p, uint64_t computation, struct sr_buf *out)
{
	const struct sr_computation *range = sr_program_computations(p) + computation;
	sr_buf_printf(out, "computation %llu\n", (unsigned long long)computation);
	for (uint32_t i = range->first; i < range->first + range->n; i++) {
		const struct sr_instr *instr = sr_program_instrs(p) + i;
		const char *name = instr->kind == SR_INSTR_KERNEL ? sr_kernel_name((enum sr_kernel)instr->kernel)
								  : sr_instr_kind_names[instr->kind];
		const struct sr_collective_instr *c = (const void *)(sr_program_params(p) + instr->params);
		sr_buf_printf(out, "  %u ", i);
		if (instr->kind == SR_INSTR_COLLECTIVE && c->completion_flags & SR_ENDS_FINISH)
			sr_buf_puts(out, "start ");
		if (instr->kind == SR_INSTR_FINISH || instr->kind == SR_INSTR_RELEASE)
			sr_buf_printf(out, "%s ", name);
		sr_buf_puts(out, sr_instr_is_collective(instr) ? sr_coll_name((enum sr_coll)c->coll) : name);
		if (instr->dtype)
			sr_buf_printf(out, "<%s>", sr_dtypes[instr->dtype].name);
		for (uint32_t k = 0; k < instr->n_operands; k++)
			print_operand(p, instr, k, out);
		if (instr->kind == SR_INSTR_KERNEL)
			sr_buf_printf(out, " range %lld", (long long)instr->range);
		if (instr->kind == SR_INSTR_COLLECTIVE)
			print_forms(c, out);
		if (sr_instr_is_in_place(p, instr))
			sr_buf_puts(out, " (in place)");
		sr_buf_printf(out, "  %s %s", sr_program_string(p, instr->op), sr_program_string(p, instr->place));
		if (*sr_program_string(p, instr->cause))
			sr_buf_printf(out, " %s: %s", instr->kind == SR_INSTR_NEST ? "kept" : "cause",
				      sr_program_string(p, instr->cause));
		sr_buf_putc(out, '\n');
	}
}

void sr_program_print(const struct sr_program *p, struct sr_buf *out)
{
	sr_buf_printf(out,
		      "program: %d devices, arena %lld bytes (%lld live at the peak), scratch %lld bytes, arguments %lld, "
		      "results %lld, aliased %lld, temporaries %lld, flops %lld\n",
		      p->n_devices, (long long)p->arena_bytes, (long long)p->peak_live_bytes, (long long)p->scratch_bytes,
		      (long long)p->argument_bytes, (long long)p->output_bytes, (long long)p->alias_bytes,
		      (long long)p->temp_bytes, (long long)p->flops);
	for (int32_t i = 0; i < p->n_arguments + p->n_results; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		const struct sr_buffer *b = sr_program_buffers(p) + io->buffer;
		sr_buf_printf(out, "%s %d: %s at [%lld+%lld] %s\n", i < p->n_arguments ? "argument" : "result",
			      i < p->n_arguments ? i : i - p->n_arguments, sr_program_string(p, io->type),
			      (long long)b->offset, (long long)b->bytes, sr_program_string(p, io->name));
	}
	for (uint64_t i = 0; i < p->computations.n; i++)
		print_computation(p, i, out);
}
