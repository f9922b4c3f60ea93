/* Siblings: who plays which device, what processes tell each other for theirs, and the wire. */
#include "collectives/transport/local_devices.h"
#include "collectives/transport/shared_segment.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- what is said for all siblings at once ---- */

/* Collective on the processes, or on those of my node: n bytes of each of my devices; all of them in order of processes. */
static void gather(struct sr_local_devices *s, bool here, const void *mine, size_t n, char *all)
{
	struct sr_arena *arena = s->ranks->arena;
	int processes = here ? s->processes_here : s->n_processes;
	char *block = sr_alloc(arena, n, (size_t)s->most), *blocks = sr_alloc(arena, n * (size_t)s->most, (size_t)processes);
	memcpy(block, mine, n * (size_t)s->n);
	(here ? s->ranks->wire->gather_here : s->ranks->wire->gather)(s->ranks, block, n * (size_t)s->most, blocks);
	for (int p = 0; p < processes; p++) {
		size_t bytes = n * (size_t)(here ? s->counts_here[p] : s->first[p + 1] - s->first[p]);
		memcpy(all, blocks + (size_t)p * n * (size_t)s->most, bytes);
		all += bytes;
	}
}

static void gather_here(struct sr_transport *t, const void *mine, size_t n, void *all)
{
	struct sr_local_devices *s = sr_local_devices_of(t);
	if (s->ranks)
		gather(s, true, mine, n, all);
	else
		memcpy(all, mine, n * (size_t)s->n);
}

static void meet(struct sr_transport *t)
{
	struct sr_local_devices *s = sr_local_devices_of(t);
	if (s->ranks)
		s->ranks->wire->barrier(s->ranks);
}

/* ---- groups ---- */

struct record { /* what all devices tell when groups are made */
	int64_t group, index;
	struct sr_group_handshake card;
	int device;
};

static int by_index(const void *x, const void *y)
{
	const struct record *a = x, *b = y;
	return (a->index > b->index) - (a->index < b->index);
}

/* The group of one sibling, from what all devices of the world say. */
static struct sr_group *make_group(struct sr_local_device *mine, const struct record *all, const struct record *own,
    struct sr_group *line)
{
	struct sr_transport *t = &mine->transport;
	struct sr_local_device_group *g = SR_NEW(t->arena, struct sr_local_device_group);
	struct record *members = SR_NEWS(t->arena, struct record, t->n_devices);
	int n = 0;
	for (int d = 0; d < t->n_devices; d++)
		if (all[d].group == own->group)
			members[n++] = all[d];
	qsort(members, (size_t)n, sizeof *members, by_index);
	struct sr_group_handshake *cards = SR_NEWS(t->arena, struct sr_group_handshake, n);
	int *devices = SR_NEWS(t->arena, int, n);
	*g = (struct sr_local_device_group){.devices = devices, .line = line, .number = mine->all->n_groups};
	g->group.transport = t;
	g->group.size = n;
	for (int i = 0; i < n; i++) {
		cards[i] = members[i].card;
		devices[i] = members[i].device;
		g->group.index = members[i].device == t->device ? i : g->group.index;
	}
	sr_group_complete_handshake(&g->group, cards);
	return &g->group;
}

static enum sr_status join(struct sr_transport *t, const int64_t *group, const int64_t *index, struct sr_group **out)
{
	struct sr_local_devices *s = sr_local_devices_of(t);
	struct record *mine = SR_NEWS(t->arena, struct record, s->n), *all = SR_NEWS(t->arena, struct record, t->n_devices);
	struct sr_group *line = NULL;
	const int64_t one_group = 0, place = s->process;
	for (int k = 0; k < s->n; k++) {
		struct sr_transport *own = t->siblings[k];
		mine[k] = (struct record){.group = group[k], .index = index[k], .device = own->device};
		if (group[k] >= 0)
			mine[k].card = sr_group_make_handshake(own);
	}
	if (s->ranks)
		gather(s, false, mine, sizeof *mine, (char *)all);
	else
		memcpy(all, mine, sizeof *mine * (size_t)s->n);
	if (s->ranks && sr_group_join(s->ranks, &one_group, &place, &line))
		return SR_INTERNAL;
	for (int k = 0; k < s->n; k++)
		out[k] = group[k] < 0 ? NULL : make_group((struct sr_local_device *)t->siblings[k], all, &mine[k], line);
	s->n_groups++;
	return SR_OK;
}

/* ---- the wire ---- */

static bool has_native(const struct sr_coll_call *call)
{
	(void)call;
	return false;
}

/* Messages are looked after by who serves. */
static void progress(struct sr_transport *t)
{
	(void)t;
}

static int device(const struct sr_group *g, int member)
{
	return ((const struct sr_local_device_group *)g)->devices[member];
}

static void close_all(struct sr_transport *t)
{
	struct sr_local_devices *s = sr_local_devices_of(t);
	sr_transport_close(s->ranks);
	pthread_mutex_destroy(&s->lock);
	pthread_cond_destroy(&s->work);
	pthread_cond_destroy(&s->met);
}

static const struct sr_transport_ops wire = {
	.carrier = SR_CARRIER_MPI,
	.request_bytes = sizeof(struct sr_message),
	.post = sr_local_device_post,
	.test = sr_local_device_test,
	.has_native = has_native,
	.barrier = sr_local_device_barrier,
	.spread = sr_local_device_broadcast,
	.join = join,
	.gather_here = gather_here,
	.meet = meet,
	.progress = progress,
	.device = device,
	.close = close_all,
};

/* ---- opening ---- */

/* Processes in order of their first devices: who plays what. False where a rank is none. */
static bool place_devices(struct sr_local_devices *s, const int *rank_of_device, int n_devices, int rank, int size,
    struct sr_arena *arena,
			  int **rank_of_process)
{
	int *process = SR_NEWS(arena, int, size), *count = SR_NEWS(arena, int, n_devices), *first = SR_NEWS(arena, int,
	    n_devices + 1);
	struct sr_device_location *places = SR_NEWS(arena, struct sr_device_location, n_devices);
	*rank_of_process = SR_NEWS(arena, int, n_devices);
	for (int d = 0; d < n_devices; d++) {
		int r = rank_of_device[d];
		if (r < 0 || r >= size)
			return false;
		if (!process[r]) {
			(*rank_of_process)[s->n_processes] = r;
			process[r] = ++s->n_processes;
		}
		int p = process[r] - 1;
		places[d] = (struct sr_device_location){p, count[p]++};
		s->most = count[p] > s->most ? count[p] : s->most;
	}
	for (int p = 0; p < s->n_processes; p++)
		first[p + 1] = first[p] + count[p];
	s->places = places;
	s->first = first;
	s->process = process[rank] - 1;
	s->n = s->process < 0 ? 0 : count[s->process];
	return true;
}

static void prepare(struct sr_local_devices *s, struct sr_arena *arena)
{
	pthread_condattr_t clock;
	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&s->work, &clock);
	pthread_cond_init(&s->met, &clock);
	pthread_condattr_destroy(&clock);
	s->mail = SR_NEWS(arena, struct sr_message_queue, (size_t)s->n * (size_t)s->n);
	s->offers = SR_NEWS(arena, void *, s->n);
	atomic_init(&s->broken, -1);
}

/* Collective on the processes: what siblings have in common. */
static struct sr_transport common(struct sr_local_devices *s, struct sr_arena *arena, int n_devices,
    const struct sr_transport_options *options)
{
	struct sr_transport t = {.wire = &wire,
				 .arena = arena,
				 .selection = options->selection,
				 .siblings = SR_NEWS(arena, struct sr_transport *, s->n),
				 .n_local_devices = s->n,
				 .n_devices = n_devices,
				 .n_calls = s->n_calls,
				 .broken = &s->broken,
				 .n_here = s->n};
	if (s->ranks) {
		int *counts = SR_NEWS(arena, int, s->ranks->n_here);
		s->processes_here = s->ranks->n_here;
		s->ranks->wire->gather_here(s->ranks, &s->n, sizeof s->n, counts);
		s->counts_here = counts;
		t.node = s->ranks->node;
		t.n_here = 0;
		for (int p = 0; p < s->processes_here; p++) {
			t.here = p == s->ranks->here ? t.n_here : t.here;
			t.n_here += counts[p];
		}
	}
	t.spans_nodes = t.n_here < n_devices;
	t.crowded = t.n_here > sysconf(_SC_NPROCESSORS_ONLN);
	return t;
}

static void make_siblings(struct sr_local_devices *s, const struct sr_transport *like)
{
	for (int d = 0; d < like->n_devices; d++) {
		int k = s->places[d].k;
		if (s->places[d].process != s->process)
			continue;
		struct sr_local_device *one = SR_NEW(like->arena, struct sr_local_device);
		*one = (struct sr_local_device){*like, s};
		one->transport.k = k;
		one->transport.device = d;
		one->transport.here = like->here + k;
		like->siblings[k] = &one->transport;
	}
}

enum sr_status sr_local_devices_open(struct sr_arena *arena, const void *comm, const int *rank_of_device, int n_devices,
				const struct sr_transport_options *options, struct sr_transport **out)
{
	enum { LEAST_CALLS = 16 }; /* numbers of calls that may be under way at once, and more */
	struct sr_local_devices *s = SR_NEW(arena, struct sr_local_devices);
	int rank = 0, size = 1, *rank_of_process;
	*out = NULL;
	if (comm)
		sr_mpi_rank_and_size(comm, &rank, &size);
	if (!place_devices(s, rank_of_device, n_devices, rank, size, arena, &rank_of_process))
		return SR_USAGE;
	const struct sr_transport_options of_ranks = {options->selection, true, options->ranks_per_node};
	enum sr_status status = SR_OK;
	if (s->n_processes > 1)
		status = sr_transport_open_mpi(arena, comm, rank_of_process, s->n_processes, &of_ranks, &s->ranks);
	if (status || !s->n)
		return status;
	s->n_calls = s->ranks ? s->ranks->n_calls / (unsigned)s->most / (unsigned)s->most : UINT32_MAX;
	if (s->n_calls < LEAST_CALLS || (s->ranks && s->ranks->wire->request_bytes > SR_MAX_REQUEST_BYTES))
		return SR_UNSUPPORTED;
	prepare(s, arena);
	const struct sr_transport like = common(s, arena, n_devices, options);
	make_siblings(s, &like);
	*out = like.siblings[0];
	if (!options->no_segment && like.n_here > 1)
		(*out)->window = sr_segment_open(*out, (*out)->no_segment_reason, sizeof (*out)->no_segment_reason);
	for (int k = 1; k < s->n; k++)
		like.siblings[k]->window = (*out)->window;
	return SR_OK;
}
