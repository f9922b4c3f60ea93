/* What the compiler may know of the machine: a plain struct, filled by src/machine or read from a text (cost/machine_text.h),
 * handed down as an option. Rates are a core's while all cores of the node are busy;
 * what two types of element or two levels differ in is an array. */
#ifndef SR_SUPPORT_MACHINE_H
#define SR_SUPPORT_MACHINE_H

#include <stdint.h>

/* Where the bytes of a step lie. */
enum sr_memory_level { SR_LEVEL_L1, SR_LEVEL_L2, SR_LEVEL_L3, SR_LEVEL_MEMORY, SR_LEVEL_COUNT };

/* Work on elements of 32 bits: additions, comparisons and the like; divisions and roots; exponentials and their kind; elements that
 * are fetched one by one (transposes, gathers); comparisons of a sort. */
enum sr_work_class { SR_WORK_CHEAP, SR_WORK_DIVIDE, SR_WORK_TRANSCENDENTAL, SR_WORK_SCATTERED, SR_WORK_SORT, SR_WORK_COUNT };

/* Products by element type; OTHER: integers and 8-bit floats. */
enum sr_product_class {
	SR_PRODUCT_F32, SR_PRODUCT_F64, SR_PRODUCT_F16, SR_PRODUCT_BF16, SR_PRODUCT_OTHER, SR_PRODUCT_CLASS_COUNT
};

enum sr_link { SR_LINK_NODE, SR_LINK_NETWORK, SR_LINK_COUNT };

struct sr_link_costs {
	double latency_s;   /* of a round of messages */
	double message_s;   /* of each message that is sent or received in it */
	double bytes_per_s; /* of long messages */
};

struct sr_machine {
	int cores_per_rank;       /* 0: unknown */
	int ranks_per_node;       /* neighbouring devices on a node; 0: all devices are on one node */
	const int *node_of_device; /* [devices]: a number for each device's node; NULL: ranks_per_node says */
	int cores_per_node;       /* 0: unknown, every rank has a core of its own */
	int64_t memory_per_rank;  /* bytes; 0: unknown */
	int64_t cache_bytes[SR_LEVEL_MEMORY];
	double bytes_per_s[SR_LEVEL_COUNT]; /* read and written, together */
	double work_per_s[SR_WORK_COUNT];
	double product_flops_per_s[SR_PRODUCT_CLASS_COUNT];
	double packed_elements_per_s; /* that a convolution lays out before it multiplies them */
	double general_convolution_flops_per_s; /* of what is computed as it is defined */
	double instr_s;            /* of any step, beside its work */
	double matmul_call_s;     /* of a product, beside its work; once for each of a batch */
	double reduced_bytes_per_s; /* of a reduction's operands, in a collective */
	struct sr_link_costs links[SR_LINK_COUNT];
	double segment_round_s;     /* of a round in which ranks of a node wait for each other in its window */
	double segment_bytes_per_s; /* read of another rank's memory in place */
};

#endif
