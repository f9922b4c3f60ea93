/* Write and load a program's file: the unchanged blob, checked for version, length and checksum when it is loaded. */
#include "program/program.h"
#include "support/crc32.h"
#include <stdatomic.h>
#include <string.h>

/* ---- the version ---- */

/* Format number, part of the version. Must be increased when the meaning of a field changes but no table or size hashed below. */
enum { FORMAT = 1 };

/* Continue a 64-bit FNV-1a hash. */
static uint64_t mix(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ p[i]) * 0x100000001b3;
	return hash;
}

static uint64_t mix_name(uint64_t hash, const char *name)
{
	return mix(hash, name, strlen(name) + 1);
}

static uint64_t mix_sizes(uint64_t hash)
{
	static const uint32_t sizes[] = {
		FORMAT, SR_MONOID_COUNT, SR_NEST_OP_COUNT, SR_KERNEL_MAX_RANK, SR_MAX_RANK, sizeof(struct sr_program),
		sizeof(struct sr_program_axis), sizeof(struct sr_buffer), sizeof(struct sr_instr), sizeof(struct sr_dynamic_offset),
		sizeof(struct sr_computation),
		sizeof(struct sr_group_list), sizeof(struct sr_io), sizeof(struct sr_constant), sizeof(struct sr_collective_instr),
		sizeof(struct sr_permute), sizeof(struct sr_while_instr), sizeof(struct sr_case_instr), sizeof(struct sr_body_instr),
		sizeof(struct sr_custom_call_instr), sizeof(struct sr_custom_attr), sizeof(struct sr_check_instr),
			sizeof(struct sr_parallel_instr), sizeof(struct sr_nest),
		sizeof(struct sr_nest_stage), sizeof(struct sr_nest_instr), sizeof(struct sr_nest_value), sizeof(struct sr_nest_access),
		sizeof(struct sr_nest_dim), sizeof(struct sr_nest_output), sizeof(struct sr_live_buffers), sizeof(struct sr_replicated_value),
		sizeof(struct sr_probe),
#define KERNEL(id, name, params, ...) sizeof(struct params),
#include "kernels/kernels.def"
	};
	return mix(hash, sizes, sizeof sizes);
}

static uint64_t hash_of_tables(void)
{
	uint64_t hash = mix_sizes(0xcbf29ce484222325);
	for (int i = 0; i < SR_KERNEL_COUNT; i++)
		hash = mix_name(hash, sr_kernel_name((enum sr_kernel)i));
	for (int i = 0; i < SR_INSTR_COUNT; i++)
		hash = mix_name(hash, sr_instr_kind_names[i]);
	for (int i = SR_DTYPE_NONE + 1; i < SR_DTYPE_COUNT; i++)
		hash = mix_name(hash, sr_dtypes[i].name);
	for (int i = 0; i < SR_COLL_COUNT; i++)
		hash = mix_name(hash, sr_coll_name((enum sr_coll)i));
	for (int i = 0; i < sr_n_algorithms; i++)
		hash = mix_name(hash, sr_algorithms[i].name);
	return hash;
}

/* Return the version, which is computed once per process (0: not yet). */
uint64_t sr_program_version(void)
{
	static _Atomic uint64_t version;
	uint64_t cached_version = atomic_load_explicit(&version, memory_order_relaxed);
	if (!cached_version) {
		cached_version = hash_of_tables();
		atomic_store_explicit(&version, cached_version, memory_order_relaxed);
	}
	return cached_version;
}

/* ---- the file ---- */

/* Offset of the first byte that the checksum covers. */
static const size_t checksum_end = offsetof(struct sr_program, crc) + sizeof(uint32_t);

void sr_program_save(const struct sr_program *p, const struct sr_program_objects *objects, struct sr_buf *out)
{
	struct sr_program header = *p;
	struct sr_buf after;
	sr_buf_init(&after, out->arena);
	if (objects)
		sr_program_objects_save(objects, &after);
	header.object_bytes = after.n;
	header.crc = sr_crc32(0, (const char *)&header + checksum_end, sizeof header - checksum_end);
	header.crc = sr_crc32(header.crc, (const char *)p + sizeof header, p->bytes - sizeof header);
	sr_buf_put(out, (const char *)&header, sizeof header);
	sr_buf_put(out, (const char *)p + sizeof header, p->bytes - sizeof header);
	sr_buf_put(out, after.data, after.n);
}

bool sr_program_has_magic(const void *bytes, uint64_t n)
{
	return n >= sizeof SR_PROGRAM_MAGIC - 1 && !memcmp(bytes, SR_PROGRAM_MAGIC, sizeof SR_PROGRAM_MAGIC - 1);
}

enum sr_status sr_program_load(const void *bytes, uint64_t n, const struct sr_program **out, const char **message)
{
	const struct sr_program *p = bytes;
	*out = NULL;
	*message = NULL;
	if (!sr_program_has_magic(bytes, n))
		*message = "is not a compiled program";
	else if (n < checksum_end)
		*message = "is truncated";
	else if (p->version != sr_program_version())
		*message = "is a program that another version of shardrun compiled; compile its module again";
	else if (n < sizeof *p || n < p->bytes)
		*message = "is truncated";
	else if (p->bytes < sizeof *p || p->crc != sr_crc32(0, (const char *)bytes + checksum_end, p->bytes - checksum_end) ||
		 n - p->bytes > p->object_bytes ||
		 sr_program_check(p, p->bytes, message)) /* sr_program_objects_load reports missing bytes of object code. */
		*message = *message ? *message : "is damaged: its checksum differs";
	else
		*out = p;
	return *out ? SR_OK : *message == sr_nest_no_memory ? SR_NO_MEMORY : SR_INVALID;
}

const char *sr_coll_report_name(enum sr_coll coll)
{
	static const char *const kinds[SR_COLL_COUNT] = {"all-reduce", "all-gather",	     "reduce-scatter",
							 "all-to-all", "collective-permute", "collective-broadcast"};
	return kinds[coll];
}
