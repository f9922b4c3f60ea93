/* Model of the machine for the compiler: a plain struct, which src/machine fills or cost/machine_text.h reads from text, and
 * which is passed to the compiler as an option. Rates are per core while all cores of the node are busy, except for the network's
 * bandwidth, which is that of a node. Quantities that depend on element type or memory level are arrays. */
#ifndef SR_SUPPORT_MACHINE_H
#define SR_SUPPORT_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* The memory level that holds an instruction's working set. */
enum sr_memory_level { SR_LEVEL_L1, SR_LEVEL_L2, SR_LEVEL_L3, SR_LEVEL_MEMORY, SR_LEVEL_COUNT };

/* Cost classes of work on 32-bit elements. CHEAP: additions, comparisons and the like; DIVIDE: divisions and square roots;
 * TRANSCENDENTAL: exponentials and the like; SCATTERED: elements accessed one by one (transposes, gathers); SORT: comparisons of
 * a sort. */
enum sr_work_class { SR_WORK_CHEAP, SR_WORK_DIVIDE, SR_WORK_TRANSCENDENTAL, SR_WORK_SCATTERED, SR_WORK_SORT, SR_WORK_COUNT };

/* Matrix products by element type; OTHER: integers and 8-bit floats. */
enum sr_product_class {
	SR_PRODUCT_F32, SR_PRODUCT_F64, SR_PRODUCT_F16, SR_PRODUCT_BF16, SR_PRODUCT_OTHER, SR_PRODUCT_CLASS_COUNT
};

enum sr_link { SR_LINK_NODE, SR_LINK_NETWORK, SR_LINK_COUNT };

struct sr_link_costs {
	double latency_s;   /* seconds per round of messages */
	double message_s;   /* seconds per message sent or received in a round */
	double bytes_per_s; /* bandwidth of long messages, bytes per second; of the network: of a node, shared by its ranks */
};

struct sr_machine {
	int cores_per_rank;       /* number of cores per rank; 0: unknown */
	int ranks_per_node;       /* number of consecutive devices that share a node; 0: all devices are on one node */
	bool knows_nodes;         /* true if the user or the job gave ranks_per_node, false if it is the default */
	const int *node_of_device; /* node number of each device; NULL: derived from ranks_per_node */
	int cores_per_node;       /* number of cores per node; 0: unknown, assumed to be one per rank */
	int64_t memory_per_rank;  /* memory limit of a rank in bytes; 0: unknown */
	int64_t cache_bytes[SR_LEVEL_MEMORY];
	double bytes_per_s[SR_LEVEL_COUNT]; /* memory bandwidth by cache level, reads plus writes */
	double work_per_s[SR_WORK_COUNT];
	double product_flops_per_s[SR_PRODUCT_CLASS_COUNT];
	double packed_elements_per_s; /* rate at which a convolution packs elements before its matrix product */
	double general_convolution_flops_per_s; /* FLOPs per second of convolutions that the reference loop computes */
	double instr_s;            /* seconds of overhead per instruction, in addition to its work */
	double matmul_call_s;     /* seconds of overhead per matrix product, for each element of the batch */
	double reduced_bytes_per_s; /* rate at which a collective reduces bytes of operands */
	struct sr_link_costs links[SR_LINK_COUNT];
	double segment_round_s;     /* seconds of a synchronization of the ranks of a node through shared memory */
	double segment_bytes_per_s; /* bandwidth of reading another rank's memory in place */
};

#endif
