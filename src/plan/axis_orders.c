/* Placements of devices by orders of the mesh axes. */
#include "plan/internode_traffic.h"
#include <string.h>

void sr_slots_by_axes(const struct sr_program *p, const int *axes, int *slot)
{
	const struct sr_program_axis *mesh = sr_program_mesh(p);
	int n_axes = (int)p->mesh.n;
	int64_t n = 1, stride[SR_PROGRAM_MAX_AXES];
	for (int i = n_axes; i-- > 0; n *= mesh[axes[i]].size)
		stride[axes[i]] = n;
	for (int64_t position = 0; position < p->n_devices; position++) {
		int64_t quotient = position % n, to = 0;
		for (int i = n_axes; i-- > 0; quotient /= mesh[i].size)
			to += quotient % mesh[i].size * stride[i];
		int64_t device = p->device_ids.n ? sr_program_device_ids(p)[position % n] : position % n;
		slot[position / n * n + device] = (int)(position / n * n + to);
	}
}

void sr_slots_cyclic(int n_devices, const int *node_of_slot, int *slot, struct sr_arena *arena)
{
	int n_nodes = node_of_slot[n_devices - 1] + 1, *next = SR_NEW_ARRAY(arena, int, n_nodes);
	for (int s = n_devices; s-- > 0;)
		next[node_of_slot[s]] = s;
	for (int d = 0, node = 0; d < n_devices; node = (node + 1) % n_nodes)
		if (next[node] < n_devices && node_of_slot[next[node]] == node)
			slot[d++] = next[node]++;
}

/* Advance x[n] to the next permutation in lexicographic order; return false if x was the last. */
static bool next_order(int *x, int n)
{
	int i = n - 2, k = n - 1;
	while (i >= 0 && x[i] > x[i + 1])
		i--;
	if (i < 0)
		return false;
	while (x[k] < x[i])
		k--;
	int swap = x[i];
	x[i] = x[k], x[k] = swap;
	for (i++, k = n - 1; i < k; i++, k--)
		swap = x[i], x[i] = x[k], x[k] = swap;
	return true;
}

struct sr_axis_orders sr_axis_orders_find(const struct sr_program *p, struct sr_arena *arena)
{
	enum { FEW = 5, ALL_OF_FEW = 120 };
	int n_axes = (int)p->mesh.n, max_orders = n_axes > FEW ? n_axes : ALL_OF_FEW, order[SR_PROGRAM_MAX_AXES];
	int *at = SR_NEW_ARRAY(arena, int, (int64_t)max_orders * n_axes + 1);
	struct sr_axis_orders out = {.n_axes = n_axes, .orders = at};
	for (int i = 0; i < n_axes; i++)
		order[i] = i;
	do
		memcpy(at + out.n++ * n_axes, order, sizeof *at * (size_t)n_axes);
	while (n_axes <= FEW && next_order(order, n_axes));
	for (int inner = n_axes - 2; n_axes > FEW && inner >= 0; inner--) {
		int *to = at + out.n++ * n_axes;
		for (int i = 0; i < n_axes; i++)
			if (i != inner)
				*to++ = i;
		*to = inner;
	}
	return out;
}

