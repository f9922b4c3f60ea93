/* Open transports, and create groups from a list of devices. Created groups are cached. */
#include "collectives/transport/local_devices.h"
#include <stdlib.h>
#include <string.h>

/* Return true if some rank has several devices. */
static bool has_several_devices(const int *rank_of_device, int n_devices, struct sr_arena *arena)
{
	int max_rank = 0;
	for (int d = 0; d < n_devices; d++)
		max_rank = rank_of_device[d] > max_rank ? rank_of_device[d] : max_rank;
	bool *is_seen = SR_NEW_ARRAY(arena, bool, (size_t)max_rank + 1);
	for (int d = 0; d < n_devices; d++) {
		if (rank_of_device[d] < 0 || is_seen[rank_of_device[d]])
			return rank_of_device[d] >= 0;
		is_seen[rank_of_device[d]] = true;
	}
	return false;
}

enum sr_status sr_transport_open(struct sr_arena *arena, const void *mpi_comm, const int *rank_of_device, int n_devices,
				 const struct sr_transport_options *options, struct sr_transport **out)
{
	if (mpi_comm && !has_several_devices(rank_of_device, n_devices, arena))
		return sr_transport_open_mpi(arena, mpi_comm, rank_of_device, n_devices, options, out);
	return sr_local_devices_open(arena, mpi_comm, rank_of_device, n_devices, options, out);
}

int sr_transport_n_local_devices(const struct sr_transport *t)
{
	return t->n_local_devices;
}

struct sr_transport *sr_transport_local_device(const struct sr_transport *t, int k)
{
	return t->local_devices[k];
}

bool sr_transport_is_broken(struct sr_transport *t)
{
	uint64_t word = sr_abort_read(t->abort);
	if (word)
		sr_abort_text(word, t->error, sizeof t->error);
	return word || (t->first_failed && atomic_load_explicit(t->first_failed, memory_order_relaxed) >= 0);
}

/* ---- groups ---- */

static int compare_index(const void *x, const void *y)
{
	const struct sr_group_record *a = x, *b = y;
	return (a->index > b->index) - (a->index < b->index);
}

const int *sr_group_init(struct sr_group *g, const struct sr_group_record *all, const struct sr_group_record *own)
{
	struct sr_arena *arena = g->transport->arena;
	int n_devices = g->transport->n_devices, n = 0;
	struct sr_group_record *members = SR_NEW_ARRAY(arena, struct sr_group_record, n_devices);
	for (int d = 0; d < n_devices; d++)
		if (all[d].group == own->group)
			members[n++] = all[d];
	qsort(members, (size_t)n, sizeof *members, compare_index);
	struct sr_group_handshake *handshakes = SR_NEW_ARRAY(arena, struct sr_group_handshake, n);
	int *devices = SR_NEW_ARRAY(arena, int, n);
	g->size = n;
	for (int i = 0; i < n; i++) {
		handshakes[i] = members[i].handshake;
		devices[i] = members[i].device;
		g->index = members[i].device == own->device ? i : g->index;
	}
	sr_group_complete_handshake(g, handshakes);
	return devices;
}

struct sr_group_cache {
	const int64_t *devices; /* device ids of all groups, -1 where a group is shorter; length n */
	int64_t n, size;
	struct sr_group **groups; /* groups of the local devices; length: number of local devices */
	struct sr_group_cache *next;
};

enum sr_status sr_group_join(struct sr_transport *t, const int64_t *group, const int64_t *index, struct sr_group **out)
{
	sr_wait_begin(t);
	enum sr_status status = t->ops->join(t, group, index, out);
	sr_wait_end(t);
	return status;
}

/* Find the group and index of each local device in the list. Returns SR_USAGE if the list contains an invalid device, or one
 * twice. */
static enum sr_status find_groups(const struct sr_transport *t, const int64_t *devices, int64_t n, int64_t size, int64_t *group,
				  int64_t *index)
{
	bool *is_seen = SR_NEW_ARRAY(t->arena, bool, t->n_devices);
	for (int k = 0; k < t->n_local_devices; k++)
		group[k] = -1;
	for (int64_t i = 0; i < n; i++) {
		if (devices[i] == -1)
			continue;
		if (devices[i] < 0 || devices[i] >= t->n_devices || is_seen[devices[i]])
			return SR_USAGE;
		is_seen[devices[i]] = true;
		for (int k = 0; k < t->n_local_devices; k++)
			if (devices[i] == t->local_devices[k]->device) {
				group[k] = i / size;
				index[k] = i % size;
			}
	}
	return SR_OK;
}

static const struct sr_group_cache *find_list(const struct sr_transport *t, const int64_t *devices, int64_t n, int64_t size)
{
	for (const struct sr_group_cache *l = t->local_devices[0]->group_cache; l; l = l->next)
		if (l->n == n && l->size == size && !memcmp(l->devices, devices, (size_t)n * sizeof *devices))
			return l;
	return NULL;
}

enum sr_status sr_group_make(struct sr_transport *t, const int64_t *devices, int64_t n_groups, int64_t size, struct sr_group **out)
{
	size_t n = (size_t)(n_groups * size), local_devices = (size_t)t->n_local_devices;
	const struct sr_group_cache *cached_groups = find_list(t, devices, n_groups * size, size);
	if (cached_groups) {
		memcpy(out, cached_groups->groups, local_devices * sizeof *out);
		return SR_OK;
	}
	memset(out, 0, local_devices * sizeof *out);
	int64_t *group = SR_NEW_ARRAY(t->arena, int64_t, local_devices), *index = SR_NEW_ARRAY(t->arena, int64_t, local_devices);
	enum sr_status status = find_groups(t, devices, n_groups * size, size, group, index);
	if (!status)
		status = sr_group_join(t, group, index, out);
	if (status)
		return status;
	struct sr_group_cache *l = SR_NEW(t->arena, struct sr_group_cache);
	*l = (struct sr_group_cache){.devices = sr_dup(t->arena, devices, n, sizeof *devices),
			       .n = n_groups * size,
			       .size = size,
			       .groups = sr_dup(t->arena, out, local_devices, sizeof *out),
			       .next = t->local_devices[0]->group_cache};
	t->local_devices[0]->group_cache = l;
	return SR_OK;
}
