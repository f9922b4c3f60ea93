/* What the compiler may know of the machine: a plain struct, filled by src/machine or from a file, handed down as an option. */
#ifndef SR_SUPPORT_MACHINE_H
#define SR_SUPPORT_MACHINE_H

#include <stdint.h>

struct sr_machine {
	int cores_per_rank;       /* 0: unknown */
	int ranks_per_node;       /* 0: unknown */
	int64_t memory_per_rank;  /* bytes; 0: unknown */
	double latency_s;         /* of one message */
	double seconds_per_byte;  /* of a long message */
};

extern const struct sr_machine sr_machine_unknown;

#endif
