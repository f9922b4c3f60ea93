/* Detect cores, caches, NUMA nodes and memory with hwloc, or from the kernel's affinity mask without it. */
#include "machine/machine.h"
#include "support/knobs/knobs.h"
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef HAVE_HWLOC
#include <hwloc.h>
#endif

static int at_least_one(int n)
{
	return n > 0 ? n : 1;
}

static void detect_affinity(const struct sr_machine_query *q, struct sr_machine_node *out)
{
	cpu_set_t set;
	if (q->synthetic || sched_getaffinity(0, sizeof set, &set))
		return;
	for (int k = 0; k < 64 * SR_PROCESSOR_WORDS && k < CPU_SETSIZE; k++)
		if (CPU_ISSET(k, &set))
			out->mask.words[k / 64] |= UINT64_C(1) << k % 64;
}

static void detect_memory_limits(const struct sr_machine_query *q, struct sr_machine_node *out)
{
	if (q->synthetic && !q->root)
		return;
	out->limit = sr_slurm_memory();
	sr_memory_cgroups_detect(q->root, &out->cgroups);
}

#ifdef HAVE_HWLOC
/* Return the number of cores that a set of logical processors touches. Hardware threads of one core count once, since matrix
 * products gain nothing from a second one. */
static int cores_in(hwloc_topology_t topology, hwloc_const_bitmap_t set)
{
	int n = 0;
	hwloc_obj_t core = NULL;
	while ((core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core)))
		n += hwloc_bitmap_intersects(core->cpuset, set);
	return n ? n : hwloc_bitmap_weight(set); /* Count processing units if hwloc reports no core in the set. */
}

static int64_t cache_bytes(hwloc_topology_t topology, hwloc_obj_type_t type)
{
	hwloc_obj_t object = hwloc_get_obj_by_type(topology, type, 0);
	return object && object->attr ? (int64_t)object->attr->cache.size : 0;
}

/* Store this rank's affinity mask in `set`. Return false if the mask's text is malformed. */
static int get_mask(hwloc_topology_t topology, const struct sr_machine_query *q, hwloc_bitmap_t set)
{
	if (q->mask)
		return !hwloc_bitmap_list_sscanf(set, q->mask);
	if (q->synthetic || hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_PROCESS) || hwloc_bitmap_iszero(set))
		hwloc_bitmap_copy(set, hwloc_topology_get_topology_cpuset(topology));
	return 1;
}

static enum sr_status query_topology(hwloc_topology_t topology, const struct sr_machine_query *q, hwloc_bitmap_t set,
				     struct sr_machine_node *out)
{
	if (q->synthetic && hwloc_topology_set_synthetic(topology, q->synthetic))
		return SR_USAGE;
	if (hwloc_topology_load(topology))
		return SR_INTERNAL;
	if (!get_mask(topology, q, set))
		return SR_USAGE;
	out->cores = at_least_one(cores_in(topology, hwloc_topology_get_topology_cpuset(topology)));
	out->my_cores = at_least_one(cores_in(topology, set));
	out->numa_nodes = at_least_one(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE));
	out->memory = q->synthetic ? (int64_t)hwloc_get_root_obj(topology)->total_memory : sr_machine_node_memory(q->root);
	out->l1 = cache_bytes(topology, HWLOC_OBJ_L1CACHE);
	out->l2 = cache_bytes(topology, HWLOC_OBJ_L2CACHE);
	out->l3 = cache_bytes(topology, HWLOC_OBJ_L3CACHE);
	int n_l3 = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_L3CACHE), n_l2 = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_L2CACHE);
	out->last_level = out->l3 > 0 ? out->l3 * n_l3 : n_l2 > 0 ? out->l2 * n_l2 : 0;
	return SR_OK;
}

enum sr_status sr_machine_detect(const struct sr_machine_query *query, struct sr_machine_node *out)
{
	hwloc_topology_t topology;
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	enum sr_status status = SR_NO_MEMORY;
	*out = (struct sr_machine_node){.cores = 1, .my_cores = 1, .numa_nodes = 1};
	if (set && !hwloc_topology_init(&topology)) {
		status = query_topology(topology, query, set, out);
		hwloc_topology_destroy(topology);
	}
	hwloc_bitmap_free(set);
	detect_affinity(query, out);
	detect_memory_limits(query, out);
	return status;
}
#else
enum sr_status sr_machine_detect(const struct sr_machine_query *query, struct sr_machine_node *out)
{
	cpu_set_t set;
	*out = (struct sr_machine_node){.cores = 1, .my_cores = 1, .numa_nodes = 1};
	if (query->synthetic || query->mask)
		return SR_UNSUPPORTED;
	out->cores = at_least_one((int)sysconf(_SC_NPROCESSORS_ONLN));
	out->my_cores = sched_getaffinity(0, sizeof set, &set) ? out->cores : at_least_one(CPU_COUNT(&set));
	if (out->my_cores > out->cores)
		out->cores = out->my_cores;
	out->memory = sr_machine_node_memory(query->root);
	detect_affinity(query, out);
	detect_memory_limits(query, out);
	return SR_OK;
}
#endif
