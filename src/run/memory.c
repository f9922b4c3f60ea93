/* Whether a rank's part of the memory holds what it will use: looked at before anything is compiled or mapped, and once more when all sizes
 * are known, before the first step touches them. Where nothing is known of the machine nothing is refused. */
#include "run/executable.h"
#include "support/checked.h"

/* What is taken once steps run: the process's own code and the C library's tables that were not touched before, oneDNN's code and
 * tables, BLAS's packed blocks in each thread. */
enum { TOUCHED_BYTES = 1 << 20, DNNL_BYTES = 6 << 20, THREAD_BYTES = 2 << 20 };

static int64_t sum(int64_t a, int64_t b)
{
	return sr_add_overflows(a, b, &a) ? INT64_MAX : a;
}

static bool uses_libraries(const struct sr_program *p)
{
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *s = sr_program_instrs(p) + i;
		if (s->kind == SR_INSTR_KERNEL && (s->kernel == SR_KERNEL_PRODUCT || s->kernel == SR_KERNEL_CONVOLUTION))
			return true;
	}
	return false;
}

/* Copies of donated arguments, from which each repeat starts. */
static int64_t kept_bytes(const struct sr_program *p)
{
	int64_t bytes = 0;
	for (int32_t i = 0; i < p->n_arguments; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		if (io->donated)
			bytes = sum(bytes, sr_program_buffers(p)[io->buffer].bytes);
	}
	return bytes;
}

/* Of a device: mapped, and what its threads and collectives want, where that is known; else by the program. */
static int64_t device_bytes(const struct sr_executable *e, const struct sr_executable_options *o)
{
	const struct sr_program *p = e->program;
	int64_t bytes = sum(p->arena_bytes, p->scratch_bytes);
	if (e->n_devices) {
		const struct sr_device *d = &e->devices[0];
		bytes = sum(d->mapped, d->collective_scratch);
		bytes = sum(bytes, (int64_t)d->tile_scratch_bytes * e->world->threads);
	}
	return o->keeps_donated ? sum(bytes, kept_bytes(p)) : bytes;
}

/* Of all that this rank plays, with as much of each neighbour's as they read where that counts for every process. */
static int64_t devices_bytes(const struct sr_executable *e, const struct sr_executable_options *o, bool whole)
{
	const struct sr_transport *t = e->world->transport;
	int64_t bytes = 0, one = device_bytes(e, o);
	for (int k = 0; k < e->world->n; k++)
		bytes = sum(bytes, one);
	for (int k = t ? sr_transport_node_devices(t) - e->world->n : 0; e->n_devices && whole && k > 0; k--)
		bytes = sum(bytes, e->devices[0].in_segment);
	return bytes;
}

/* Of the process, which has `bytes` in memory now: less the constants, which are the device's, plus libraries that have not computed. */
static int64_t process_bytes(const struct sr_executable *e, int64_t bytes)
{
	if (!bytes)
		return 0;
	for (int k = 0; k < e->n_devices; k++)
		bytes -= e->program->constant_bytes < bytes ? e->program->constant_bytes : bytes;
	bytes += TOUCHED_BYTES;
	if (uses_libraries(e->program))
		bytes += (sr_dnnl_is_open() ? DNNL_BYTES : 0) + THREAD_BYTES * (int64_t)e->world->threads * e->world->n;
	return bytes;
}

enum sr_status sr_executable_check_memory(const struct sr_executable *e, const struct sr_executable_options *o, struct sr_arena *arena,
					  struct sr_diags *diags)
{
	struct sr_memory_share share = sr_client_memory(e->client, e->world, arena);
	if (sr_executable_is_idle(e) || !share.bytes)
		return SR_OK;
	const char *root = e->client->options.root;
	int64_t devices = devices_bytes(e, o, share.whole), resident = sr_machine_rss_bytes(root);
	if (resident && !o->node && sum(devices, process_bytes(e, resident)) <= share.bytes)
		return SR_OK; /* the process's proportional share, which takes milliseconds to read, is not more */
	int64_t process = process_bytes(e, share.whole ? resident : sr_machine_pss_bytes(root));
	bool one = e->world->n == 1;
	if (o->node && e->n_devices)
		sr_buf_printf(o->node, "\n  memory: %.1f MB for the device%s, %.1f MB for the process, of %.1f MB for each rank",
			      (double)devices / 1e6, one ? "" : "s", (double)process / 1e6, (double)share.bytes / 1e6);
	if (sum(devices, process) <= share.bytes)
		return SR_OK;
	const char *who = one ? "a device needs" : sr_printf(arena, "the %d devices of a rank need", e->world->n),
		   *beside = process ? sr_printf(arena, " beside %lld of its process", (long long)process) : "";
	return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){.file = e->model},
			"%s %lld bytes%s, but %s has %lld for each rank (%d %s); use more nodes, or fewer ranks on each", who,
			(long long)devices, beside, share.group ? "the control group" : "this node", (long long)share.bytes, share.ranks,
			share.group ? "in it" : "here");
}

int64_t sr_executable_free_memory(const struct sr_executable *e, struct sr_arena *arena)
{
	struct sr_memory_share share = sr_client_memory(e->client, e->world, arena);
	int64_t left = share.bytes - sr_machine_pss_bytes(e->client->options.root), all;
	if (!share.bytes)
		return INT64_MAX;
	return left <= 0 ? 0 : sr_mul_overflows(left, (int64_t)share.ranks, &all) ? INT64_MAX : all;
}
