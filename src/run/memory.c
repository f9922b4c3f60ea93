/* Check that a rank's share of the memory is sufficient for its devices: before anything is compiled or mapped, and again when all
 * sizes are known, before the first execution touches the memory. Nothing is rejected if the machine's memory is unknown. */
#include "run/executable.h"
#include "support/checked.h"

/* Bytes first touched during execution: code and C library tables of the process; oneDNN's code and tables; BLAS's packing buffers
 * per thread. */
enum { TOUCHED_BYTES = 1 << 20, DNNL_BYTES = 6 << 20, THREAD_BYTES = 2 << 20 };

static int64_t add_saturating(int64_t a, int64_t b)
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

/* Return the bytes of the copies of donated arguments, from which each repeat starts. */
static int64_t donated_copy_bytes(const struct sr_program *p)
{
	int64_t bytes = 0;
	for (int32_t i = 0; i < p->n_arguments; i++) {
		const struct sr_io *io = sr_program_values(p) + i;
		if (io->donated)
			bytes = add_saturating(bytes, sr_program_buffers(p)[io->buffer].bytes);
	}
	return bytes;
}

/* Return the bytes of the arguments and results that cannot be bound and are copied to and from the arena. */
static int64_t copied_bytes(const struct sr_loaded_program *l)
{
	const struct sr_program *p = l->program;
	int64_t bytes = 0;
	for (int i = 0; i < p->n_arguments + p->n_results; i++)
		if (sr_loaded_binding_owner(l, i) < 0)
			bytes = add_saturating(bytes, sr_program_buffers(p)[sr_program_values(p)[i].buffer].bytes);
	return bytes;
}

/* Return the bytes of one device: its mapping, collectives and worker scratch if they are known, else an estimate from the
 * program. */
static int64_t device_bytes(const struct sr_executable *e, const struct sr_executable_options *o)
{
	const struct sr_program *p = e->program;
	/* constants are counted once for the process */
	int64_t bytes = add_saturating(p->arena_bytes - p->constant_bytes, p->scratch_bytes);
	if (e->n_devices) {
		const struct sr_device *d = &e->devices[0];
		bytes = add_saturating(d->mapped_bytes - p->constant_bytes, d->max_collective_scratch);
		bytes = add_saturating(bytes, copied_bytes(&e->loaded));
	}
	return o->keeps_donated ? add_saturating(bytes, donated_copy_bytes(p)) : bytes;
}

/* Return the bytes of all devices of this rank. If the limit counts resident memory in full for every process, they include the
 * memory of other devices that this rank maps. */
static int64_t devices_bytes(const struct sr_executable *e, const struct sr_executable_options *o, bool counts_shared_in_full)
{
	const struct sr_transport *t = e->device_set->transport;
	int64_t bytes = 0, one = device_bytes(e, o);
	for (int k = 0; k < e->device_set->n; k++)
		bytes = add_saturating(bytes, one);
	for (int k = t ? sr_transport_node_devices(t) - e->device_set->n : 0; e->n_devices && counts_shared_in_full && k > 0; k--)
		bytes = add_saturating(bytes, e->devices[0].in_segment);
	return bytes;
}

/* Return the bytes of the process, of which `bytes` are resident now, including constants and libraries that are not loaded yet. */
static int64_t process_bytes(const struct sr_executable *e, int64_t bytes)
{
	if (!bytes)
		return 0;
	bytes = add_saturating(bytes + TOUCHED_BYTES, e->n_devices ? 0 : e->program->constant_bytes);
	if (uses_libraries(e->program))
		bytes += (sr_dnnl_is_open() ? DNNL_BYTES : 0) + THREAD_BYTES * (int64_t)e->device_set->threads * e->device_set->n;
	return bytes;
}

enum sr_status sr_executable_check_memory(const struct sr_executable *e, const struct sr_executable_options *o,
					  struct sr_arena *arena,
					  struct sr_diags *diags)
{
	struct sr_memory_share memory_share = sr_client_memory(e->client, e->device_set, arena);
	if (sr_executable_is_idle(e) || !memory_share.bytes)
		return SR_OK;
	const char *root = e->client->options.root;
	int64_t devices = devices_bytes(e, o, memory_share.counts_rss), resident_bytes = sr_machine_rss_bytes(root);
	if (resident_bytes && !o->node && add_saturating(devices, process_bytes(e, resident_bytes)) <= memory_share.bytes)
		/* the proportional set size, which takes milliseconds to read, is never larger than the resident set size */
		return SR_OK;
	int64_t process = process_bytes(e, memory_share.counts_rss ? resident_bytes : sr_machine_pss_bytes(root));
	bool is_single_device = e->device_set->n == 1;
	if (o->node && e->n_devices)
		sr_buf_printf(o->node, "\n  memory: %.1f MB for the device%s, %.1f MB for the process, of %.1f MB for each rank",
			      (double)devices / 1e6, is_single_device ? "" : "s", (double)process / 1e6, (double)memory_share.bytes / 1e6);
	if (add_saturating(devices, process) <= memory_share.bytes)
		return SR_OK;
	const char *subject = is_single_device ? "a device needs" : sr_printf(arena, "the %d devices of a rank need", e->device_set->n),
		   *process_text = process ? sr_printf(arena, " and %lld for its process", (long long)process) : "";
	return sr_error(diags, SR_NO_MEMORY, (struct sr_src_loc){.file = e->model},
			"%s %lld bytes%s, but %s has %lld for each rank (%d %s); use more nodes, or fewer ranks on each", subject,
			(long long)devices, process_text, memory_share.group ? "the control group" : "this node",
			(long long)memory_share.bytes, memory_share.ranks, memory_share.group ? "in it" : "here");
}

int64_t sr_executable_free_memory(const struct sr_executable *e, struct sr_arena *arena)
{
	struct sr_memory_share memory_share = sr_client_memory(e->client, e->device_set, arena);
	enum { LARGE_MEMORY = 1 << 30 };
	int64_t n_free = memory_share.bytes - sr_machine_rss_bytes(e->client->options.root), total;
	if (!memory_share.bytes)
		return INT64_MAX;
	/* the proportional set size is read only here, since that takes milliseconds; it is never larger than the resident set
	 * size */
	if (n_free < LARGE_MEMORY)
		n_free = memory_share.bytes - sr_machine_pss_bytes(e->client->options.root);
	return n_free <= 0 ? 0 : sr_mul_overflows(n_free, (int64_t)memory_share.ranks, &total) ? INT64_MAX : total;
}
