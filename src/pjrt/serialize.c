/* Serialized executables, in the format of serialized.h.
 *
 * An executable is valid for one version of the program format; the checksum detects damage alone, so bytes are trusted as far as a
 * program is (sr_program_check). */
#include "pjrt/serialized.h"
#include "pjrt/settings.h"
#include "support/checked.h"
#include "support/crc32.h"
#include "support/vec.h"
#include <stdlib.h>
#include <string.h>

static const char magic[8] = SR_PJRT_SERIALIZED_MAGIC;

/* ---- writing ---- */

PJRT_Error *sr_pjrt_write(struct sr_pjrt_writing *w, enum sr_status (*write)(void *writing))
{
	struct sr_arena *arena = sr_arena_new();
	if (!arena)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	sr_buf_init(&w->out, arena);
	enum sr_status status = sr_arena_guarded(arena, write, w);
	if (!status)
		return NULL;
	sr_arena_free(arena);
	return sr_pjrt_message_error(status, "");
}

void sr_pjrt_free_arena(void *arena)
{
	sr_arena_free(arena);
}

/* Return the orders of dimensions of all values, including row-major ones; NULL, with *n = 0, if all are row-major. */
static const int64_t *list_orders(const PJRT_Executable *x, struct sr_arena *arena, size_t *n)
{
	const struct sr_io *values = sr_program_values(x->program);
	SR_VEC(int64_t) list = {0};
	for (int i = 0; x->orders && i < x->n_arguments + x->n_results; i++)
		for (int d = 0; d < values[i].rank; d++)
			sr_push(arena, &list, x->orders[i] ? x->orders[i][d] : d);
	*n = list.n;
	return list.data;
}

static enum sr_status write_executable(void *data)
{
	struct sr_pjrt_writing *w = data;
	const PJRT_Executable *x = w->x;
	size_t devices = (size_t)x->n_replicas * (size_t)x->n_partitions, n_orders;
	const int64_t *orders = list_orders(x, w->out.arena, &n_orders);
	const void *sections[N_SECTIONS] = {x->name, x->options, x->assignment, orders, x->tokens, x->memory_kinds, x->module, x->program};
	const size_t n[N_SECTIONS] = {strlen(x->name),		 x->n_options, devices * sizeof *x->assignment,
				      n_orders * sizeof *orders, x->tokens ? (size_t)x->n_results : 0,
				      x->memory_kinds ? (size_t)(x->n_arguments + x->n_results) : 0, x->n_module, x->program->bytes};
	struct sr_pjrt_serialized h = {.version = sr_program_version(),
				       .n_replicas = (uint32_t)x->n_replicas,
				       .n_partitions = (uint32_t)x->n_partitions};
	memcpy(h.magic, magic, sizeof magic);
	memcpy(h.fingerprint, x->fingerprint, sizeof h.fingerprint);
	sr_buf_put(&w->out, (const char *)&h, sizeof h);
	for (int i = 0; i < N_SECTIONS; i++) {
		h.offset[i] = sr_buf_put_aligned(&w->out, sections[i], n[i]);
		h.n[i] = n[i];
	}
	h.crc = sr_crc32(0, w->out.data + sizeof h, w->out.n - sizeof h);
	memcpy(w->out.data, &h, sizeof h);
	return SR_OK;
}

PJRT_Error *sr_pjrt_Executable_Serialize(struct PJRT_Executable_Serialize_Args *args)
{
	struct sr_pjrt_writing w = {.x = args->executable};
	PJRT_Error *error = sr_pjrt_write(&w, write_executable);
	if (error)
		return error;
	args->serialized_bytes = w.out.data;
	args->serialized_bytes_size = w.out.n;
	args->serialized_executable = (void *)w.out.arena;
	args->serialized_executable_deleter = sr_pjrt_free_arena;
	return NULL;
}

/* ---- reading ---- */

struct executable_reading {
	const char *bytes;
	size_t n;
	struct sr_pjrt_serialized h;
	PJRT_Executable *x;
	const char *error_message; /* reason for which the bytes are refused */
	PJRT_Error *error; /* error for which the options are refused; NULL: none */
};

static enum sr_status reject_bytes(struct executable_reading *r, const char *why)
{
	r->error_message = why;
	return SR_INVALID;
}

static enum sr_status read_header(struct executable_reading *r)
{
	uint64_t devices;
	if (r->n < sizeof r->h)
		return reject_bytes(r, "they are too short");
	memcpy(&r->h, r->bytes, sizeof r->h);
	if (memcmp(r->h.magic, magic, sizeof magic))
		return reject_bytes(r, "they are not an executable of this plugin");
	if (r->h.version != sr_program_version())
		return reject_bytes(r, "they are of another version of the plugin");
	if (sr_crc32(0, r->bytes + sizeof r->h, r->n - sizeof r->h) != r->h.crc)
		return reject_bytes(r, "they are damaged");
	for (int i = 0; i < N_SECTIONS; i++)
		if (r->h.offset[i] > r->n || r->h.n[i] > r->n - r->h.offset[i])
			return reject_bytes(r, "they are cut short");
	if (sr_mul_overflows((uint64_t)r->h.n_replicas, (uint64_t)r->h.n_partitions, &devices) || !devices || devices > INT32_MAX ||
	    r->h.n[ASSIGNMENT] != devices * sizeof(int) || r->h.fingerprint[sizeof r->h.fingerprint - 1])
		return reject_bytes(r, "their device assignment is invalid");
	return SR_OK;
}

static const void *copy_section(const struct executable_reading *r, enum sr_pjrt_section section)
{
	return sr_dup(r->x->arena, r->bytes + r->h.offset[section], r->h.n[section], 1);
}

/* Read how loop nests are compiled: from the options, and from the environment of this process. */
static enum sr_status read_codegen(struct executable_reading *r)
{
	struct sr_pjrt_options options;
	struct sr_pjrt_settings settings;
	struct sr_diags diags;
	sr_diags_init(&diags, r->x->arena);
	r->error = sr_pjrt_read_options(r->x->options, r->x->n_options, r->x->arena, &options);
	if (r->error)
		return SR_INVALID;
	enum sr_status status = sr_pjrt_read_settings(&options, r->x->arena, &diags, &settings);
	r->error = sr_pjrt_status_error(status, &diags);
	r->x->codegen = sr_pjrt_codegen_copy(&settings.codegen, r->x->arena);
	return status;
}

/* Read the layouts. The program has been checked before. */
static enum sr_status read_orders(struct executable_reading *r)
{
	PJRT_Executable *x = r->x;
	const struct sr_io *values = sr_program_values(x->program);
	int n = x->program->n_arguments + x->program->n_results;
	uint64_t dims_read = 0, n_dims = r->h.n[LAYOUTS] / sizeof(int64_t);
	if (!r->h.n[LAYOUTS])
		return SR_OK;
	const int64_t *list = copy_section(r, LAYOUTS), **orders = SR_NEW_ARRAY(x->arena, const int64_t *, n);
	for (int i = 0; i < n; dims_read += (uint64_t)values[i++].rank) {
		orders[i] = list + dims_read;
		if ((uint64_t)values[i].rank > n_dims - dims_read || !sr_pjrt_is_permutation(orders[i], values[i].rank))
			return reject_bytes(r, "their layouts are invalid");
	}
	x->orders = orders;
	return dims_read == n_dims ? SR_OK : reject_bytes(r, "their layouts are invalid");
}

/* Read which results are tokens. Tokens are arrays of no elements in the program. */
static enum sr_status read_tokens(struct executable_reading *r)
{
	PJRT_Executable *x = r->x;
	const struct sr_io *results = sr_program_values(x->program) + x->program->n_arguments;
	if (!r->h.n[TOKENS])
		return SR_OK;
	if (r->h.n[TOKENS] != (uint64_t)x->program->n_results)
		return reject_bytes(r, "their tokens are invalid");
	x->tokens = copy_section(r, TOKENS);
	for (int i = 0; i < x->program->n_results; i++)
		if (x->tokens[i] > 1 || (x->tokens[i] && (results[i].rank != 1 || sr_program_slice(x->program, &results[i], 0).local[0])))
			return reject_bytes(r, "their tokens are invalid");
	return SR_OK;
}

static enum sr_status read_memory_kinds(struct executable_reading *r)
{
	PJRT_Executable *x = r->x;
	if (!r->h.n[MEMORY_KINDS])
		return SR_OK;
	if (r->h.n[MEMORY_KINDS] != (uint64_t)x->program->n_arguments + (uint64_t)x->program->n_results)
		return reject_bytes(r, "their kinds of memory are invalid");
	x->memory_kinds = copy_section(r, MEMORY_KINDS);
	for (uint64_t i = 0; i < r->h.n[MEMORY_KINDS]; i++)
		if (x->memory_kinds[i] >= SR_PJRT_MEMORY_KINDS)
			return reject_bytes(r, "their kinds of memory are invalid");
	return SR_OK;
}

static enum sr_status read_executable(void *data)
{
	struct executable_reading *r = data;
	PJRT_Executable *x = r->x;
	const char *message;
	enum sr_status status = read_header(r);
	if (status)
		return status;
	x->n_replicas = (int)r->h.n_replicas;
	x->n_partitions = (int)r->h.n_partitions;
	x->name = sr_strndup(x->arena, r->bytes + r->h.offset[NAME], r->h.n[NAME]);
	x->options = copy_section(r, OPTIONS);
	x->n_options = r->h.n[OPTIONS];
	x->assignment = copy_section(r, ASSIGNMENT);
	x->module = copy_section(r, MODULE);
	x->n_module = r->h.n[MODULE];
	x->program = copy_section(r, PROGRAM);
	memcpy(x->fingerprint, r->h.fingerprint, sizeof x->fingerprint);
	status = sr_program_check(x->program, r->h.n[PROGRAM], &message);
	if (status)
		return status == SR_NO_MEMORY ? status : reject_bytes(r, "their program is invalid");
	if (x->program->n_devices != x->n_replicas * x->n_partitions)
		return reject_bytes(r, "their program is for another number of devices");
	status = read_codegen(r);
	if (!status)
		status = read_orders(r);
	if (!status)
		status = read_tokens(r);
	if (!status)
		status = read_memory_kinds(r);
	if (!status)
		sr_pjrt_executable_describe(x);
	return status;
}

PJRT_Error *sr_pjrt_Executable_DeserializeAndLoad(struct PJRT_Executable_DeserializeAndLoad_Args *args)
{
	PJRT_Executable *x = calloc(1, sizeof *x);
	struct executable_reading r = {.bytes = args->serialized_executable, .n = args->serialized_executable_size, .x = x};
	args->loaded_executable = NULL;
	if (!x)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	atomic_init(&x->n_references, 1);
	x->arena = sr_arena_new();
	enum sr_status status = x->arena ? sr_arena_guarded(x->arena, read_executable, &r) : SR_NO_MEMORY;
	if (!status)
		return sr_pjrt_load(args->client, x, &args->loaded_executable);
	sr_pjrt_executable_release(x);
	if (r.error)
		return r.error;
	return r.error_message
		   ? sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the bytes of the executable are refused: %s", r.error_message)
		   : sr_pjrt_message_error(status, "");
}
