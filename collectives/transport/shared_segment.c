/* The node's shared segment: memory files shared through /proc, address translation, staging, and futex waits. */
#define _GNU_SOURCE 1
#include "collectives/transport/shared_segment.h"
#include "collectives/transport/memory_file.h"
#include "support/checked.h"
#include "support/large_pages.h"
#include "support/vec.h"
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PLACE_BITS = 48, MAX_REGIONS = 1 << 15 };
static const int64_t slots_bytes = (int64_t)64 << 20, max_staging_bytes = (int64_t)64 << 30;

struct span { /* a range of addresses of this process that is mapped to a part of a region */
	const char *begin, *end;
	int64_t offset;
	int number; /* number of the region that contains it */
};

struct local_file { /* file with one local device's part of a region */
	int fd;       /* file descriptor; -1: none, or closed */
	bool is_mapped;  /* the region has a mapping of its own, rather than one over a program's arena */
};

struct sr_shared_region {
	struct sr_shared_segment *segment;
	bool is_open;
	/* number of the region in this process, used in encoded addresses. Other processes number theirs differently */
	int number;
	int64_t bytes;
	char **base; /* address in this process of each device's part; NULL for local devices until mapped; length n_node_devices */
	struct local_file *local_file; /* file of each local device; length n_local_devices */
	struct sr_shared_region *next_closed;
};

struct local_state { /* allocations of one local device in its part of the segment */
	int64_t next_slots, staged_bytes; /* bytes of region 0 used for slots; bytes used for staging */
	int n_staged;
	SR_VEC(struct span) spans;  /* address ranges of all open regions, ordered by address */
};

struct handshake {
	struct sr_memory_file file;
	int64_t number; /* the region's number in the process that sends this */
};

struct sr_shared_segment {
	struct sr_transport *transport; /* transport of the first local device */
	SR_VEC(struct sr_shared_region *) regions; /* indexed by the region's number in this process */
	struct sr_shared_region *closed_regions; /* list of closed regions, whose structs are reused, newest first */
	/* [n_node_devices] base addresses of each device's regions, indexed by its process's region numbers */
	SR_VEC(char *) *bases;
	int64_t staging;
	/* true if all processes are registered with membarrier: a sleeper then executes the barrier for the counter's owner, too */
	bool sleepers_fence;
	struct local_state *local_devices; /* allocations of each local device; length n_local_devices */
	/* Buffers for the handshake when a region is opened. */
	/* `my_handshakes` has an entry per local device, `handshakes` one per device of the node */
	struct handshake *my_handshakes, *handshakes;
	bool *local_statuses,
	    *node_statuses; /* buffers of all_processes_ok: an entry per local device; an entry per device of the node */
};

/* Return true if all devices of the node are in this process. */
static bool is_only_process(const struct sr_transport *t)
{
	return t->n_node_devices == t->n_local_devices;
}

/* ---- progress counters ---- */

static long futex(_Atomic uint32_t *stage, int op, uint32_t value, const struct timespec *limit)
{
	return syscall(SYS_futex, stage, op, value, limit, NULL, 0);
}

/* Register this process for memory barriers that other processes execute on its threads (membarrier(2)). Returns false if the
 * kernel does not support them. */
static bool register_for_barriers(void)
{
	return !syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0);
}

void sr_call_progress_publish(const struct sr_shared_segment *segment, struct sr_call_progress *counter, uint32_t stage)
{
	atomic_store_explicit(&counter->stage, stage, memory_order_release);
	/* order the store before the load of `sleepers`; the sleeper increments `sleepers` and then reads the stage again */
	if (segment->sleepers_fence)
		atomic_signal_fence(memory_order_seq_cst);
	else
		atomic_thread_fence(memory_order_seq_cst);
	if (atomic_load_explicit(&counter->sleepers, memory_order_relaxed))
		futex(&counter->stage, FUTEX_WAKE, INT_MAX, NULL);
}

void sr_call_progress_sleep(const struct sr_shared_segment *segment, struct sr_call_progress *counter, uint32_t stage,
			    long limit_ns)
{
	atomic_fetch_add(&counter->sleepers, 1);
	if (segment->sleepers_fence)
		/* the result is ignored: membarrier cannot fail after its registration has succeeded */
		(void)syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0);
	uint32_t current_stage = atomic_load(&counter->stage);
	if ((int32_t)(current_stage - stage) < 0)
		futex(&counter->stage, FUTEX_WAIT, current_stage, &(struct timespec){.tv_nsec = limit_ns});
	atomic_fetch_sub(&counter->sleepers, 1);
}

/* ---- regions ---- */

/* Return true if the device is in this process. Local devices have consecutive indices on the node. */
static bool is_in_process(const struct sr_transport *t, int node_index)
{
	int first = t->local_devices[0]->node_index;
	return node_index >= first && node_index < first + t->n_local_devices;
}

static const char too_many_regions[] = "too many regions are open";

/* Map all files in the handshakes. Returns NULL or an error message, which is `too_many_regions` on all processes or on none. */
static const char *map_peer_files(struct sr_shared_region *r)
{
	const struct sr_transport *t = r->segment->transport;
	const struct handshake *handshakes = r->segment->handshakes;
	for (int k = 0; k < t->n_node_devices; k++)
		if (handshakes[k].number >= MAX_REGIONS)
			return too_many_regions;
	for (int k = 0; k < t->n_node_devices; k++) {
		if (handshakes[k].file.bytes < 0)
			return "a rank has no memory file";
		if (is_in_process(t, k))
			continue;
		void *data = sr_memory_file_map(&handshakes[k].file);
		if (data == MAP_FAILED)
			return strerror(errno);
		r->base[k] = data;
	}
	return NULL;
}

/* Record the address of region `number` of the node_index-th device's process. */
static void set_base(struct sr_shared_segment *segment, int node_index, int number, char *base)
{
	while (segment->bases[node_index].n <= (size_t)number)
		sr_push(segment->transport->arena, &segment->bases[node_index], NULL);
	segment->bases[node_index].data[number] = base;
}

static void remove_spans(struct local_state *s, int number)
{
	size_t n = 0;
	for (size_t i = 0; i < s->spans.n; i++)
		if (s->spans.data[i].number != number)
			s->spans.data[n++] = s->spans.data[i];
	s->spans.n = n;
}

static void close_region(struct sr_shared_region *r)
{
	const struct sr_transport *t = r->segment->transport;
	if (!r->is_open)
		return;
	for (int k = 0; k < t->n_node_devices; k++)
		if (r->base[k] && (!is_in_process(t, k) || r->local_file[k - t->node_index].is_mapped))
			munmap(r->base[k], (size_t)r->bytes);
	for (int k = 0; k < t->n_local_devices; k++) {
		if (r->local_file[k].fd >= 0)
			close(r->local_file[k].fd);
		remove_spans(&r->segment->local_devices[k], r->number);
	}
	r->is_open = false;
	r->next_closed = r->segment->closed_regions;
	r->segment->closed_regions = r;
}

/* Collective on the node: return true if `ok` on all its processes. */
static bool all_processes_ok(struct sr_shared_segment *segment, bool ok)
{
	struct sr_transport *t = segment->transport;
	for (int k = 0; k < t->n_local_devices; k++)
		segment->local_statuses[k] = ok;
	ok = !t->ops->gather_node(t, segment->local_statuses, sizeof ok, segment->node_statuses);
	for (int k = 0; k < t->n_node_devices; k++)
		ok = ok && segment->node_statuses[k];
	return ok;
}

/* Collective on the node: create files for the local devices and map those of others. Returns NULL or an error message. */
static const char *share_files(struct sr_shared_region *r)
{
	struct sr_shared_segment *segment = r->segment;
	struct sr_transport *t = segment->transport;
	const char *error = NULL;
	for (int k = 0; k < t->n_local_devices; k++) {
		struct handshake *own_handshake = &segment->my_handshakes[k];
		*own_handshake = (struct handshake){{.fd = -1, .bytes = -1}, r->number};
		if (!error && r->number < MAX_REGIONS && !sr_memory_file_make(&own_handshake->file, r->bytes))
			error = strerror(errno);
		r->local_file[k].fd = (int)own_handshake->file.fd;
	}
	if (t->ops->gather_node(t, segment->my_handshakes, sizeof *segment->my_handshakes, segment->handshakes))
		return "the ranks of the node cannot be reached";
	const char *map_error = map_peer_files(r);
	error = map_error == too_many_regions || !error ? map_error : error;
	if (!all_processes_ok(segment, !error))
		return error ? error : "another rank of the node cannot";
	for (int k = 0; k < t->n_node_devices; k++)
		set_base(segment, k, (int)segment->handshakes[k].number, r->base[k]);
	return NULL;
}

/* Reuse a closed region, or add one. Its number may be MAX_REGIONS, which cannot be encoded, if that many are open. Takes constant
 * time. */
static struct sr_shared_region *acquire_region(struct sr_shared_segment *segment)
{
	const struct sr_transport *t = segment->transport;
	struct sr_shared_region *r = segment->closed_regions;
	if (r) {
		segment->closed_regions = r->next_closed;
	} else {
		r = SR_NEW(t->arena, struct sr_shared_region);
		*r = (struct sr_shared_region){.segment = segment,
					.number = (int)segment->regions.n,
					.base = SR_NEW_ARRAY(t->arena, char *, t->n_node_devices),
					.local_file = SR_NEW_ARRAY(t->arena, struct local_file, t->n_local_devices)};
		sr_push(t->arena, &segment->regions, r);
	}
	r->is_open = true;
	for (int k = 0; k < t->n_node_devices; k++)
		r->base[k] = NULL;
	for (int k = 0; k < t->n_local_devices; k++)
		r->local_file[k] = (struct local_file){.fd = -1};
	return r;
}

/* Collective on the node: open a region. If one process fails, *out is NULL on all of them; SR_NO_MEMORY if too many are open. */
static enum sr_status open_region(struct sr_shared_segment *segment, int64_t bytes, char *reason, size_t n, struct sr_shared_region **out)
{
	struct sr_shared_region *r = *out = acquire_region(segment);
	r->bytes = bytes;
	const char *error = !is_only_process(segment->transport) ? share_files(r)
			    : r->number < MAX_REGIONS		 ? NULL
								 : too_many_regions;
	if (!error)
		return SR_OK;
	snprintf(reason, n, "%s", error);
	close_region(r);
	*out = NULL;
	return error == too_many_regions ? SR_NO_MEMORY : SR_OK;
}

/* Return the staging bytes that every device of the node can have, given limits on address space and file sizes. */
static int64_t agree_staging(struct sr_transport *t)
{
	struct rlimit space, file;
	int64_t own_limit = max_staging_bytes, *all = SR_NEW_ARRAY(t->arena, int64_t, t->n_node_devices),
		*local_limits = SR_NEW_ARRAY(t->arena, int64_t, t->n_local_devices);
	if (!getrlimit(RLIMIT_AS, &space) && space.rlim_cur != RLIM_INFINITY &&
	    space.rlim_cur / 8 / (rlim_t)t->n_node_devices < (rlim_t)own_limit)
		own_limit = (int64_t)(space.rlim_cur / 8 / (rlim_t)t->n_node_devices);
	if (!getrlimit(RLIMIT_FSIZE, &file) && file.rlim_cur != RLIM_INFINITY && file.rlim_cur < (rlim_t)(own_limit + slots_bytes))
		own_limit = (int64_t)file.rlim_cur - slots_bytes;
	for (int k = 0; k < t->n_local_devices; k++)
		local_limits[k] = own_limit;
	if (t->ops->gather_node(t, local_limits, sizeof own_limit, all))
		return 0;
	for (int k = 0; k < t->n_node_devices; k++)
		own_limit = all[k] < own_limit ? all[k] : own_limit;
	return own_limit / 4096 * 4096;
}

/* Record that [begin, end) in memory of the k-th local device is in region r at `offset`. */
static void add_span(struct sr_shared_region *r, int k, char *begin, char *end, int64_t offset)
{
	struct sr_shared_segment *segment = r->segment;
	struct local_state *s = &segment->local_devices[k];
	int node_index = segment->transport->node_index + k;
	struct span new_span = {begin, end, offset, r->number};
	size_t span_index = s->spans.n;
	sr_push(segment->transport->arena, &s->spans, new_span);
	for (; span_index && s->spans.data[span_index - 1].begin > begin; span_index--)
		s->spans.data[span_index] = s->spans.data[span_index - 1];
	s->spans.data[span_index] = new_span;
	r->base[node_index] = begin - offset;
	set_base(segment, node_index, r->number, r->base[node_index]);
}

/* Map region 0 of each local device. */
static bool map_own_files(struct sr_shared_region *r)
{
	const struct sr_transport *t = r->segment->transport;
	for (int k = 0; k < t->n_local_devices; k++) {
		struct local_file *local_file = &r->local_file[k];
		int flags = local_file->fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
		char *data = mmap(NULL, (size_t)r->bytes, PROT_READ | PROT_WRITE, flags | MAP_NORESERVE, local_file->fd, 0);
		if (data == MAP_FAILED)
			return false;
		local_file->is_mapped = true;
		add_span(r, k, data, data + r->bytes, 0);
	}
	return true;
}

struct sr_shared_segment *sr_segment_open(struct sr_transport *t, char *reason, size_t n)
{
	struct sr_shared_segment *segment = SR_NEW(t->arena, struct sr_shared_segment);
	*segment = (struct sr_shared_segment){.transport = t,
				.staging = agree_staging(t),
				.local_devices = SR_NEW_ARRAY(t->arena, struct local_state, t->n_local_devices),
				.my_handshakes = SR_NEW_ARRAY(t->arena, struct handshake, t->n_local_devices),
				.handshakes = SR_NEW_ARRAY(t->arena, struct handshake, t->n_node_devices),
				.local_statuses = SR_NEW_ARRAY(t->arena, bool, t->n_local_devices),
				.node_statuses = SR_NEW_ARRAY(t->arena, bool, t->n_node_devices)};
	segment->bases = sr_alloc(t->arena, (size_t)t->n_node_devices, sizeof *segment->bases);
	*reason = 0;
	if (segment->staging <= 0) {
		snprintf(reason, n, "the size of files is limited (ulimit -f)");
		return NULL;
	}
	struct sr_shared_region *r;
	if (open_region(segment, slots_bytes + segment->staging, reason, n, &r) || !r)
		return NULL;
	if (!all_processes_ok(segment, map_own_files(r))) {
		snprintf(reason, n, "no address space");
		close_region(r);
		return NULL;
	}
	segment->sleepers_fence = all_processes_ok(segment, register_for_barriers());
	return segment;
}

void sr_segment_close(struct sr_shared_segment *segment)
{
	for (size_t i = 0; segment && i < segment->regions.n; i++)
		close_region(segment->regions.data[i]);
}

enum sr_status sr_shared_region_open(struct sr_transport *t, int64_t bytes, struct sr_shared_region **out)
{
	bool can_open = t->segment && bytes > 0 && bytes < (int64_t)1 << PLACE_BITS;
	struct sr_transport *first = t->local_devices[0];
	*out = NULL;
	return can_open ? open_region(t->segment, bytes, first->no_segment_reason, sizeof first->no_segment_reason, out) : SR_OK;
}

/* Map a file's pages over existing memory. */
static bool remap_pages(int fd, char *memory, int64_t offset, int64_t n)
{
	void *mapping = mmap(memory + offset, (size_t)n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd, offset);
	if (mapping == MAP_FAILED)
		return false;
	sr_advise_large_pages(mapping, (char *)mapping + n);
	return true;
}

bool sr_shared_region_map(struct sr_shared_region *r, const struct sr_transport *t, char *memory, int64_t offset, int64_t n)
{
	int fd = r->local_file[t->local_index].fd;
	if (fd >= 0 && !remap_pages(fd, memory, offset, n))
		return false;
	add_span(r, t->local_index, memory + offset, memory + offset + n, offset);
	return true;
}

void sr_shared_region_close(struct sr_shared_region *r)
{
	if (r)
		close_region(r);
}

/* ---- slots, addresses, staging ---- */

/* Reserve a struct sr_member_slots. Return its offset in region 0, or -1 if no space is left. */
static int64_t take_slots(const struct sr_transport *t)
{
	struct local_state *s = &t->segment->local_devices[t->local_index];
	int64_t offset = s->next_slots, end = offset + (int64_t)sizeof(struct sr_member_slots);
	if (end > slots_bytes)
		return -1;
	s->next_slots = end;
	return offset;
}

/* Return the struct sr_member_slots at offset `location` in the region of the node_index-th device of this node. */
static struct sr_member_slots *slots_at(const struct sr_shared_segment *segment, int node_index, int64_t location)
{
	return (struct sr_member_slots *)(void *)(segment->regions.data[0]->base[node_index] + location);
}

/* Number the nodes from 0 in order of their first members. Returns the number of nodes. */
static int number_nodes(const struct sr_group_handshake *all, int n, int *node)
{
	int nodes = 0;
	for (int k = 0; k < n; k++) {
		node[k] = -1;
		for (int i = 0; i < k && node[k] < 0; i++)
			if (all[i].node == all[k].node)
				node[k] = node[i];
		if (node[k] < 0)
			node[k] = nodes++;
	}
	return nodes;
}

/* Return true if some members share a node, and all of those have a shared segment. */
static bool has_segments(const struct sr_group_handshake *all, int n, const int *node, int nodes)
{
	for (int k = 0; k < n; k++)
		for (int i = 0; i < n && all[k].slots < 0; i++)
			if (i != k && node[i] == node[k])
				return false;
	return nodes < n;
}

struct sr_group_handshake sr_group_make_handshake(struct sr_transport *t)
{
	struct sr_group_handshake handshake = {-1, INT64_MAX, t->node, t->node_index};
	if (t->segment) {
		handshake.slots = take_slots(t);
		handshake.staging = t->segment->staging;
	}
	return handshake;
}

void sr_group_complete_handshake(struct sr_group *g, const struct sr_group_handshake *all)
{
	struct sr_transport *t = g->transport;
	g->node = SR_NEW_ARRAY(t->arena, int, g->size);
	int nodes = number_nodes(all, g->size, g->node);
	g->carrier = (uint8_t)t->ops->carrier;
	if (!has_segments(all, g->size, g->node, nodes))
		return;
	g->carrier = nodes == 1 ? SR_CARRIER_SHM : SR_CARRIER_HIERARCHICAL;
	g->node_index = SR_NEW_ARRAY(t->arena, int, g->size);
	g->slots = SR_NEW_ARRAY(t->arena, struct sr_call_slot *, (size_t)g->size * SR_CALL_SLOTS);
	g->data = SR_NEW_ARRAY(t->arena, void *, (size_t)g->size * SR_CALL_SLOTS);
	g->slot_calls = SR_NEW_ARRAY(t->arena, struct sr_prepared_collective *, SR_CALL_SLOTS);
	g->ended_counts = SR_NEW_ARRAY(t->arena, struct sr_call_progress *, g->size);
	g->known_ended_counts = SR_NEW_ARRAY(t->arena, uint32_t, g->size);
	g->staging = INT64_MAX;
	for (int k = 0; k < g->size; k++) {
		bool is_on_own_node = all[k].node == t->node && t->segment;
		g->staging = all[k].staging < g->staging ? all[k].staging : g->staging;
		g->node_index[k] = is_on_own_node ? all[k].node_index : -1;
		if (!is_on_own_node)
			continue;
		struct sr_member_slots *slots = slots_at(t->segment, all[k].node_index, all[k].slots);
		g->ended_counts[k] = &slots->ended;
		for (int s = 0; s < SR_CALL_SLOTS; s++) {
			g->slots[s * g->size + k] = &slots->slot[s];
			g->data[s * g->size + k] = slots->slot[s].data;
		}
	}
}

/* Return the last span that begins at or before `at`, or NULL. */
static const struct span *find_span(const struct local_state *s, const char *at)
{
	size_t lo = 0, hi = s->spans.n;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (s->spans.data[mid].begin <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &s->spans.data[lo - 1] : NULL;
}

bool sr_segment_encode(const struct sr_transport *t, const void *data, int64_t bytes, uint64_t *location)
{
	const char *at = data;
	const struct span *s = find_span(&t->segment->local_devices[t->local_index], at);
	if (!s || at + bytes > s->end)
		return false;
	*location = (uint64_t)s->number << PLACE_BITS | (uint64_t)(s->offset + (at - s->begin));
	return true;
}

void *sr_segment_decode(const struct sr_shared_segment *segment, int node_index, uint64_t location)
{
	return segment->bases[node_index].data[location >> PLACE_BITS] + (location & (((uint64_t)1 << PLACE_BITS) - 1));
}

void *sr_segment_stage(const struct sr_transport *t, int64_t bytes)
{
	struct local_state *s = &t->segment->local_devices[t->local_index];
	int64_t rounded_bytes = (bytes + 4095) / 4096 * 4096;
	if (rounded_bytes > t->segment->staging - s->staged_bytes)
		return NULL;
	char *at = t->segment->regions.data[0]->base[t->node_index] + slots_bytes + s->staged_bytes;
	s->staged_bytes += rounded_bytes;
	s->n_staged++;
	return at;
}

void sr_segment_unstage(const struct sr_transport *t)
{
	struct local_state *s = &t->segment->local_devices[t->local_index];
	if (--s->n_staged == 0)
		s->staged_bytes = 0;
}
