/* Check a blob before it is trusted: sections are inside the blob, indices inside sections, buffers inside the arena, values the
 * size of their buffers, and computations form a tree. Instructions are checked in check_instruction.c. */
#include "program/program_check.h"
#include <stdlib.h>
#include <string.h>

static bool check_section(struct sr_checker *c, struct sr_section s, uint64_t size)
{
	uint64_t n, end;
	if (sr_mul_overflows(s.n, size, &n) || sr_add_overflows(s.offset, n, &end) || end > c->bytes || s.offset % SR_PROGRAM_ALIGN)
		return sr_check_fail(c, "a section is outside the program");
	return true;
}

static bool check_sections(struct sr_checker *c)
{
	const struct sr_program *p = c->p;
	return check_section(c, p->buffers, sizeof(struct sr_buffer)) && check_section(c, p->instrs, sizeof(struct sr_instr)) &&
	       check_section(c, p->computations, sizeof(struct sr_computation)) && check_section(c, p->operands, sizeof(int32_t)) &&
	       check_section(c, p->dynamic_offsets, sizeof(struct sr_dynamic_offset)) && check_section(c, p->params, 1) &&
	       check_section(c, p->ids, sizeof(int64_t)) && check_section(c, p->groups, sizeof(struct sr_group_list)) &&
	       check_section(c, p->values, sizeof(struct sr_io)) && check_section(c, p->constants, sizeof(struct sr_constant)) &&
	       check_section(c, p->data, 1) && check_section(c, p->text, 1) && check_section(c, p->mesh, sizeof(struct sr_program_axis)) &&
	       check_section(c, p->device_ids, sizeof(int64_t)) && check_section(c, p->live_at_peak, sizeof(struct sr_live_buffers)) &&
	       check_section(c, p->replicated, sizeof(struct sr_replicated_value)) &&
	       check_section(c, p->probes, sizeof(struct sr_probe));
}

static bool check_buffers(struct sr_checker *c)
{
	const struct sr_program *p = c->p;
	for (uint64_t i = 0; i < p->buffers.n; i++) {
		const struct sr_buffer *b = sr_program_buffers(p) + i;
		if (b->offset < 0 || b->bytes < 0 || b->offset % 64 ||
		    !sr_check_range((uint64_t)b->offset, (uint64_t)b->bytes, (uint64_t)p->arena_bytes))
			return sr_check_fail(c, "a buffer is outside the arena");
		if (b->dtype >= SR_DTYPE_COUNT)
			return sr_check_fail(c, "a buffer has no element type");
	}
	for (uint64_t i = 0; i < p->operands.n; i++)
		if (sr_program_operands(p)[i] < 0 || (uint64_t)sr_program_operands(p)[i] >= p->buffers.n)
			return sr_check_fail(c, "an operand is not a buffer of the program");
	for (uint64_t i = 0; i < p->constants.n; i++) {
		const struct sr_constant *in = sr_program_constants(p) + i;
		if (in->buffer < 0 || (uint64_t)in->buffer >= p->buffers.n || !sr_check_range(in->data, in->n, p->data.n))
			return sr_check_fail(c, "a constant is outside the program");
		if (in->n > (uint64_t)sr_program_buffers(p)[in->buffer].bytes)
			return sr_check_fail(c, "a constant is longer than its buffer");
	}
	return true;
}

static bool axis_name(const struct sr_program *p, int64_t name)
{
	return name >= 0 && (uint64_t)name < p->text.n;
}

/* Return true if the ids are a permutation of 0..n-1. */
static bool are_positions(struct sr_checker *c, const int64_t *ids, int64_t n)
{
	int64_t i = 0;
	for (; i < n && n <= c->p->n_devices && ids[i] >= 0 && ids[i] < n && !(c->seen[ids[i] >> 3] >> (ids[i] & 7) & 1); i++)
		c->seen[ids[i] >> 3] |= (uint8_t)(1u << (ids[i] & 7));
	memset(c->seen, 0, (size_t)(n <= c->p->n_devices ? (n + 7) / 8 : 0));
	return i == n;
}

/* Return true if axis i has another name than axes 0..i-1, so that axes can be looked up by name. */
static bool has_unique_name(const struct sr_program *p, const struct sr_io *io, const int64_t *at, int64_t i)
{
	for (int64_t k = 0; k < i; k++)
		if (!strcmp(sr_program_string(p, io->mesh ? (uint32_t)at[2 * k] : sr_program_mesh(p)[k].name),
			    sr_program_string(p, io->mesh ? (uint32_t)at[2 * i] : sr_program_mesh(p)[i].name)))
			return false;
	return true;
}

/* Return the number of axes of a value's mesh; -1 if the mesh is invalid or does not cover the program's partitions. */
static int64_t mesh_axes(struct sr_checker *c, const struct sr_io *io)
{
	const struct sr_program *p = c->p;
	int64_t partitions = p->n_devices / p->n_replicas, devices = 1, n_ids = (int64_t)p->device_ids.n;
	if (io->mesh && !sr_check_range(io->mesh - 1, 1, p->ids.n))
		return -1;
	const int64_t *ids = sr_program_ids(p), *at = ids + (io->mesh ? io->mesh - 1 : 0);
	int64_t n = io->mesh ? *at++ : (int64_t)p->mesh.n;
	if (n < 0 || n > SR_PROGRAM_MAX_AXES || (io->mesh && !sr_check_range((uint64_t)(at - ids), 2 * (uint64_t)n + 1, p->ids.n)))
		return -1;
	for (int64_t i = 0; i < n; i++) {
		int64_t name = io->mesh ? at[2 * i] : sr_program_mesh(p)[i].name,
		    size = io->mesh ? at[2 * i + 1] : sr_program_mesh(p)[i].size;
		if (!axis_name(p, name) || size < 1 || sr_mul_overflows(devices, size, &devices) || !has_unique_name(p, io, at, i))
			return -1;
	}
	if (io->mesh) {
		n_ids = at[2 * n];
		if (n_ids < 0 || !sr_check_range((uint64_t)(at + 2 * n + 1 - ids), (uint64_t)n_ids, p->ids.n) ||
		    !are_positions(c, at + 2 * n + 1, n_ids))
			return -1;
	}
	return (n && devices != partitions) || (n_ids && n_ids != devices) ? -1 : n;
}

static int64_t axis_size(const struct sr_program *p, const struct sr_io *io, int64_t axis)
{
	return io->mesh ? sr_program_ids(p)[io->mesh + 2 * (uint64_t)axis + 1] : sr_program_mesh(p)[axis].size;
}

static bool is_sub_axis(int64_t axis, int64_t pre, int64_t size)
{
	int64_t n;
	return pre >= 1 && size >= 1 && !sr_mul_overflows(pre, size, &n) && axis % n == 0;
}

static bool check_sharding(struct sr_checker *c, const struct sr_io *io)
{
	const struct sr_program *p = c->p;
	int64_t n_axes = mesh_axes(c, io), n_refs = 0, shards = 1;
	uint64_t at = io->refs;
	if (!sr_check_range(at, 0, p->ids.n))
		return false;
	for (int32_t d = 0; n_axes >= 0 && d <= io->rank; d++) { /* The last iteration is for the unreduced axes. */
		if (!sr_check_range(at, 1, p->ids.n))
			return false;
		int64_t n = sr_program_ids(p)[at++];
		if (n < 0 || n > SR_PROGRAM_MAX_REFS - n_refs || !sr_check_range(at, 3 * (uint64_t)n, p->ids.n))
			return false;
		n_refs += n;
		for (; n > 0; n--, at += 3) {
			const int64_t *ref = sr_program_ids(p) + at;
			if (ref[0] < 0 || ref[0] >= n_axes || !is_sub_axis(axis_size(p, io, ref[0]), ref[1], ref[2]) ||
			    sr_mul_overflows(shards, ref[2], &shards) || shards > p->n_devices)
				return false;
		}
	}
	return n_axes >= 0;
}

static bool check_texts(struct sr_checker *c)
{
	for (uint64_t i = 0; i < c->p->replicated.n; i++) {
		const struct sr_replicated_value *replicated = sr_program_replicated(c->p) + i;
		if (replicated->op >= c->p->text.n || replicated->place >= c->p->text.n || replicated->hint >= c->p->text.n)
			return sr_check_fail(c, "a replicated value's texts are outside the program");
	}
	for (uint64_t i = 0; i < c->p->live_at_peak.n; i++) {
		const struct sr_live_buffers *a = sr_program_live_at_peak(c->p) + i;
		if (a->op >= c->p->text.n || a->place >= c->p->text.n)
			return sr_check_fail(c, "a live buffer's texts are outside the program");
	}
	return true;
}

static bool check_value(struct sr_checker *c, const struct sr_io *io)
{
	const struct sr_program *p = c->p;
	if (io->buffer < 0 || (uint64_t)io->buffer >= p->buffers.n || io->rank < 0 || io->rank > SR_MAX_RANK ||
	    !sr_check_range(io->shape, (uint64_t)io->rank, p->ids.n) || io->type >= p->text.n || io->name >= p->text.n)
		return sr_check_fail(c, "an argument or result is outside the program");
	if (io->dtype <= SR_DTYPE_NONE || io->dtype >= SR_DTYPE_COUNT)
		return sr_check_fail(c, "an argument or result has no element type");
	for (int32_t d = 0; d < io->rank; d++)
		if (sr_program_ids(p)[io->shape + (uint64_t)d] < 0 || sr_program_ids(p)[io->shape + (uint64_t)d] > INT64_MAX / 2)
			return sr_check_fail(c, "an argument or result has no shape");
	if (!check_sharding(c, io))
		return sr_check_fail(c, "an argument's or result's sharding is invalid on its mesh");
	struct sr_device_slice slice = sr_program_slice(p, io, 0);
	int64_t bytes = sr_dtype_bytes((enum sr_dtype)io->dtype);
	for (int32_t d = 0; d < io->rank; d++)
		if (sr_mul_overflows(bytes, slice.local[d], &bytes))
			return sr_check_fail(c, "an argument's or result's size overflows");
	return bytes == sr_program_buffers(p)[io->buffer].bytes ||
	       sr_check_fail(c, "an argument or result has another size than its buffer");
}

static bool check_probes(struct sr_checker *c)
{
	const struct sr_program *p = c->p;
	for (uint64_t i = 0; i < p->probes.n; i++) {
		const struct sr_probe *probe = sr_program_probes(p) + i;
		if (!check_value(c, &probe->io))
			return false;
		if (probe->n_sources < 0 || !sr_check_range(probe->sources, (uint64_t)probe->n_sources, p->ids.n) ||
		    probe->op >= p->text.n || probe->source_name >= p->text.n || probe->place >= p->text.n ||
		    probe->name >= p->text.n || probe->id < 0)
			return sr_check_fail(c, "a probe's fields are outside the program");
	}
	return true;
}

static bool check_values(struct sr_checker *c)
{
	const struct sr_program *p = c->p;
	if (p->n_arguments < 0 || p->n_results < 0 || (uint64_t)p->n_arguments + (uint64_t)p->n_results != p->values.n)
		return sr_check_fail(c, "the numbers of arguments and results do not add up to the number of values");
	if (!are_positions(c, sr_program_device_ids(p), (int64_t)p->device_ids.n))
		return sr_check_fail(c, "the mesh's device ids are not a permutation");
	for (uint64_t i = 0; i < p->values.n; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		if (!check_value(c, io))
			return false;
		if (io->aliases < -1 || io->aliases >= (i < (uint64_t)p->n_arguments ? 0 : p->n_arguments) || io->donor < 0 ||
		    io->donor > (i < (uint64_t)p->n_arguments ? 0 : p->n_arguments))
			return sr_check_fail(c, "a result aliases, or is donated, no argument");
	}
	return true;
}

static bool check_groups(struct sr_checker *c)
{
	const struct sr_program *p = c->p;
	for (uint64_t i = 0; i < p->groups.n; i++) {
		const struct sr_group_list *g = sr_program_groups(p) + i;
		if (!sr_program_group_is_valid(p, g, c->seen))
			return sr_check_fail(c, "a group is invalid or outside the program");
	}
	return true;
}

/* Check that computations partition the instructions, and that each owned computation has one owner with a lower number. */
static bool check_computations(struct sr_checker *c)
{
	const struct sr_program *p = c->p;
	uint64_t n = 0;
	for (uint64_t i = 0; i < p->computations.n; i++) {
		const struct sr_computation *computation = sr_program_computations(p) + i;
		if (!sr_check_range(computation->first, computation->n, p->instrs.n) || sr_add_overflows(n, (uint64_t)computation->n, &n) ||
		    n > p->instrs.n)
			return sr_check_fail(c, "a computation is outside the program");
		for (uint32_t k = 0; k < computation->n; k++)
			if (!sr_check_owned_computations(c, sr_program_instrs(p) + computation->first + k, i))
				return false;
		if (!sr_check_collective_ends(c, computation))
			return false;
	}
	return true;
}

enum sr_status sr_program_check_at(const struct sr_program *p, uint64_t n_bytes, const char **message,
				   const struct sr_instr **instr)
{
	struct sr_checker c = {.p = p, .bytes = n_bytes};
	bool is_valid = n_bytes >= sizeof *p && !memcmp(p->magic, SR_PROGRAM_MAGIC, sizeof p->magic) &&
	    p->version == sr_program_version() && p->bytes == n_bytes &&
		    p->arena_bytes >= 0 && p->scratch_bytes >= 0;
	if (!is_valid)
		sr_check_fail(&c, "not a program of this version");
	is_valid = is_valid && check_sections(&c);
	if (is_valid && (!p->text.n || p->model >= p->text.n || sr_program_text(p)[p->text.n - 1] || !p->computations.n ||
			 p->n_devices < 1 || p->n_replicas < 1 || p->n_devices % p->n_replicas))
		is_valid = sr_check_fail(&c, "the program has no entry");
	c.seen = is_valid ? calloc((size_t)p->n_devices / 8 + 1, 1) : NULL;
	c.depth = is_valid ? calloc(p->computations.n, sizeof *c.depth) : NULL;
	c.collectives = is_valid ? calloc(p->params.n + 1, 1) : NULL;
	if (is_valid && (!c.seen || !c.depth || !c.collectives))
		is_valid = sr_check_fail(&c, sr_nest_no_memory);
	is_valid = is_valid && check_buffers(&c) && check_values(&c) && check_groups(&c) && check_texts(&c) && check_probes(&c);
	for (uint64_t i = 0; is_valid && i < p->instrs.n; i++)
		is_valid = sr_check_instruction(&c, c.instruction = sr_program_instrs(p) + i);
	c.instruction = is_valid ? NULL : c.instruction;
	is_valid = is_valid && check_computations(&c);
	free(c.seen);
	free(c.depth);
	free(c.collectives);
	*message = c.message;
	*instr = c.instruction;
	return is_valid ? SR_OK : c.message == sr_nest_no_memory ? SR_NO_MEMORY : SR_INTERNAL;
}

enum sr_status sr_program_check(const struct sr_program *p, uint64_t n_bytes, const char **message)
{
	const struct sr_instr *instr;
	return sr_program_check_at(p, n_bytes, message, &instr);
}
