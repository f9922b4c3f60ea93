/* Transports opened, and groups of a list of devices, made once for each list. */
#include "collectives/transport/local_devices.h"
#include <string.h>

/* Some rank plays several devices, or there is no MPI to ask. */
static bool has_siblings(const int *rank_of_device, int n_devices, struct sr_arena *arena)
{
	int most = 0;
	for (int d = 0; d < n_devices; d++)
		most = rank_of_device[d] > most ? rank_of_device[d] : most;
	bool *seen = SR_NEWS(arena, bool, (size_t)most + 1);
	for (int d = 0; d < n_devices; d++) {
		if (rank_of_device[d] < 0 || seen[rank_of_device[d]])
			return rank_of_device[d] >= 0;
		seen[rank_of_device[d]] = true;
	}
	return false;
}

enum sr_status sr_transport_open(struct sr_arena *arena, const void *mpi_comm, const int *rank_of_device, int n_devices,
				 const struct sr_transport_options *options, struct sr_transport **out)
{
	if (mpi_comm && !has_siblings(rank_of_device, n_devices, arena))
		return sr_transport_open_mpi(arena, mpi_comm, rank_of_device, n_devices, options, out);
	return sr_local_devices_open(arena, mpi_comm, rank_of_device, n_devices, options, out);
}

int sr_transport_n_local_devices(const struct sr_transport *t)
{
	return t->n_local_devices;
}

struct sr_transport *sr_transport_local_device(const struct sr_transport *t, int k)
{
	return t->siblings[k];
}

/* ---- groups ---- */

struct sr_group_cache {
	const int64_t *devices; /* [n] */
	int64_t n, size;
	struct sr_group **groups; /* [siblings] */
	struct sr_group_cache *next;
};

enum sr_status sr_group_join(struct sr_transport *t, const int64_t *group, const int64_t *index, struct sr_group **out)
{
	sr_wait_begin(t);
	enum sr_status status = t->wire->join(t, group, index, out);
	sr_wait_end(t);
	return status;
}

/* Of each sibling the group among the list that has its device, and its place in it; members are checked to be devices, each in
 * one place. */
static enum sr_status find_groups(const struct sr_transport *t, const int64_t *devices, int64_t n, int64_t size, int64_t *group,
				  int64_t *index)
{
	bool *seen = SR_NEWS(t->arena, bool, t->n_devices);
	for (int k = 0; k < t->n_local_devices; k++)
		group[k] = -1;
	for (int64_t i = 0; i < n; i++) {
		if (devices[i] == -1)
			continue;
		if (devices[i] < 0 || devices[i] >= t->n_devices || seen[devices[i]])
			return SR_USAGE;
		seen[devices[i]] = true;
		for (int k = 0; k < t->n_local_devices; k++)
			if (devices[i] == t->siblings[k]->device) {
				group[k] = i / size;
				index[k] = i % size;
			}
	}
	return SR_OK;
}

static const struct sr_group_cache *find_list(const struct sr_transport *t, const int64_t *devices, int64_t n, int64_t size)
{
	for (const struct sr_group_cache *l = t->siblings[0]->lists; l; l = l->next)
		if (l->n == n && l->size == size && !memcmp(l->devices, devices, (size_t)n * sizeof *devices))
			return l;
	return NULL;
}

enum sr_status sr_group_make(struct sr_transport *t, const int64_t *devices, int64_t n_groups, int64_t size, struct sr_group **out)
{
	size_t n = (size_t)(n_groups * size), siblings = (size_t)t->n_local_devices;
	const struct sr_group_cache *known = find_list(t, devices, n_groups * size, size);
	if (known) {
		memcpy(out, known->groups, siblings * sizeof *out);
		return SR_OK;
	}
	memset(out, 0, siblings * sizeof *out);
	int64_t *group = SR_NEWS(t->arena, int64_t, siblings), *index = SR_NEWS(t->arena, int64_t, siblings);
	enum sr_status status = find_groups(t, devices, n_groups * size, size, group, index);
	if (!status)
		status = sr_group_join(t, group, index, out);
	if (status)
		return status;
	struct sr_group_cache *l = SR_NEW(t->arena, struct sr_group_cache);
	*l = (struct sr_group_cache){.devices = sr_dup(t->arena, devices, n, sizeof *devices),
			       .n = n_groups * size,
			       .size = size,
			       .groups = sr_dup(t->arena, out, siblings, sizeof *out),
			       .next = t->siblings[0]->lists};
	t->siblings[0]->lists = l;
	return SR_OK;
}
