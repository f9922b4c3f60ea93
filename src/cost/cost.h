/* The cost model: bytes on the wire and seconds, for all passes that choose between alternatives and for estimates. It takes
 * descriptors (bytes, elements, extents, members) and a machine's figures, and knows no op, instruction or schedule.
 *
 * Bytes on the wire depend on the collective alone. Seconds depend on the machine (struct sr_machine), whose rates are for one
 * core; sr_machine_of_rank turns them into one rank's where ranks share cores.
 *
 *	struct sr_machine core, m;
 *	sr_machine_default(&core);
 *	sr_machine_of_rank(&core, 8, &m);
 *	struct sr_cost c = sr_cost_of_product(&m, &(struct sr_product_work){.batch = 1, .m = 64, .n = 64, .k = 64, .dtype =
 * SR_F32}); */
#ifndef SR_COST_COST_H
#define SR_COST_COST_H

#include "support/dtype.h"
#include "support/machine.h"
#include <stdbool.h>

/* ---- bytes on the wire ---- */

enum sr_coll { SR_ALL_REDUCE, SR_ALL_GATHER, SR_REDUCE_SCATTER, SR_ALL_TO_ALL, SR_PERMUTE, SR_BROADCAST, SR_COLL_COUNT };

/* Return the least number of bytes that a device must send for results of r bytes over n devices: all_reduce 2r(n-1)/n, all_gather
 * r(n-1)/n, reduce_scatter r(n-1), all_to_all r(n-1)/n, permute and broadcast r (for devices that send at all). r, n >= 0; for n =
 * 0 the result is 0. Rounded down; INT64_MAX on overflow. */
int64_t sr_cost_wire_bytes(enum sr_coll coll, int64_t r, int64_t n);
/* Return the bytes of sr_cost_wire_bytes for real r and n > 0, with which the partitioner compares alternatives. */
double sr_cost_wire(enum sr_coll coll, double r, double n);

/* A group that spans nodes: the members on each node, and the number of partial sums that each node computes from its members'
 * operands (collectives/hierarchy.h). */
struct sr_cost_nodes {
	int n, n_nodes;
	const int *members, *sums; /* for each node: number of members, number of partial sums */
	int root;                  /* broadcast: number of the node that has the root */
};
/* Add to leaves[n_nodes] the least number of bytes that leave each node for results of r bytes. `carried`: ratio of the bytes of a
 * partial sum in transit to those of its result. Permutes are counted pair by pair instead (sr_cost_wire). */
void sr_cost_internode_bytes(enum sr_coll coll, double r, double carried, const struct sr_cost_nodes *nodes, double *leaves);
/* One node's share of a group that spans nodes. Members are real numbers, since they are averages over similar nodes. */
struct sr_cost_node_group {
	double n, n_nodes; /* number of members of the group; number of nodes that they are on */
	double members;    /* number of members of the group on the node */
	double sums;       /* partial sums that the node computes from its members' operands */
	double n_targets;  /* broadcast: number of nodes that this node sends to */
};
/* Return the bytes that leave the node for results of r bytes; 0 for a permute. A partial sum is assumed to have
 * as many bytes as its result. */
double sr_cost_leaves_node(enum sr_coll coll, double r, const struct sr_cost_node_group *group);
/* Return the bandwidth of a device, in bytes per second, on the link within a node. */
double sr_cost_wire_bytes_per_second(const struct sr_machine *machine);
/* Return the number of bytes on the wire that take as long as one multiply-add of an f32 product: the cost of redundant
 * computation. */
double sr_cost_bytes_per_multiply_add(const struct sr_machine *machine);
/* Return the number of multiply-adds that take as long as writing one byte to memory. */
double sr_cost_multiply_adds_per_byte(const struct sr_machine *machine);
/* Return the number of bytes on the wire that take as long as the latency of one round of messages. */
double sr_cost_bytes_per_latency(const struct sr_machine *machine);

/* ---- loops ---- */

/* Return the trip count that estimates assume for a loop: `known`, or if that is negative a default, which is smaller for
 * a loop inside another loop of unknown length (a search or a retry within a solver's iteration). */
int64_t sr_cost_trips(int64_t known, bool in_unknown_loop);
/* Return the trip count for the decision whether to compile a program. Outermost loops of unknown length are assumed longer than in
 * costs, because the cache keeps compiled code for later runs. Small loops, which become one function and benefit only if they
 * run many iterations, are assumed longest. At most 2^20. */
int64_t sr_cost_jit_trips(int64_t known, bool in_unknown_loop, bool is_small);

/* Time that compilation saves, as the bytes of memory traffic that take as long (2 bytes: 1 ns): for each execution of a loop
 * nest, besides its memory traffic; and for each instruction of a small while loop, which becomes one function. A
 * nest's scalar instructions count as one byte for each SR_COST_JIT_INSTRS_PER_BYTE of them that are executed. */
enum { SR_COST_JIT_NEST_BYTES = 1024, SR_COST_JIT_INSTR_BYTES = 64, SR_COST_JIT_INSTRS_PER_BYTE = 4 };

/* ---- threads of a device ---- */

/* Return true if dividing an instruction among threads pays, by its estimated seconds on a core of the default machine: it takes
 * several times as long as a barrier. A compiled loop nest takes a fourth of its estimate: it passes values in registers and reads
 * operands in a cache, while the estimate has the rates of ops that read and write memory. */
bool sr_cost_division_pays(double estimated_s, bool is_nest);
/* Return true if threads pay for instructions that are divided, by their estimated seconds on one core: together they take several
 * times as long as sleeping threads take to begin. */
bool sr_cost_threads_pay(double estimated_s);

/* ---- links ---- */

/* Return the node that a device is on, by the machine's list or, without one, by ranks_per_node. */
int64_t sr_cost_node(const struct sr_machine *machine, int64_t device);
/* Return the slowest link between the devices of a group: the network if they are on several nodes. ids[n]: negative ones are
 * skipped; NULL: devices 0 to n - 1. Complexity: n. */
enum sr_link sr_cost_link(const struct sr_machine *machine, const int64_t *ids, int64_t n);

/* ---- seconds ---- */

struct sr_cost {
	double seconds;
	double latency_s;                 /* the part of `seconds` that does not depend on sizes */
	double flops;                     /* FLOPs of products and convolutions, 2 for each multiply-add */
	int64_t memory_bytes;             /* bytes of memory read and written */
	int64_t wire_bytes[SR_LINK_COUNT]; /* bytes sent on each kind of link */
};

void sr_cost_add(struct sr_cost *sum, const struct sr_cost *addend);
struct sr_cost sr_cost_scale(struct sr_cost cost, double n); /* Return the cost of n executions. */

/* Scale a core's figures to one rank of a job of `ranks` ranks. If the ranks of a node outnumber its cores, all rates drop and
 * message latencies within the node grow in proportion. The network's bandwidth is divided among the ranks of a node. */
void sr_machine_of_rank(const struct sr_machine *machine, int64_t ranks, struct sr_machine *out);

/* Work of an op that reads and writes memory: the time of its memory traffic or of its arithmetic, whichever is longer. Elements
 * are counted in units of 32 bits (sr_cost_elements). */
struct sr_elementwise_work {
	int64_t read_bytes, written_bytes;
	double elements[SR_WORK_COUNT];
};
struct sr_cost sr_cost_of_elementwise(const struct sr_machine *machine, const struct sr_elementwise_work *work);
double sr_cost_elements(double n, enum sr_dtype dtype);
/* Return the number of cheap elementwise operations that take as long as the complex FFT of a line of n elements, per element. */
double sr_cost_fft_operations(int64_t n);

struct sr_product_work {
	int64_t batch, m, n, k;
	enum sr_dtype dtype;
};
struct sr_cost sr_cost_of_product(const struct sr_machine *machine, const struct sr_product_work *work);

struct sr_convolution_work {
	int64_t outputs, per_output; /* number of output elements; multiply-adds for each output element */
	double packed; /* sum over the operands of the bytes of an element */
	enum sr_dtype dtype;
};
struct sr_cost sr_cost_of_convolution(const struct sr_machine *machine, const struct sr_convolution_work *work);

struct sr_sort_work {
	int64_t rows, length;
	int64_t row_bytes; /* bytes of one element of all operands together */
};
struct sr_cost sr_cost_of_sort(const struct sr_machine *machine, const struct sr_sort_work *work);

/* A collective as one member executes it: consecutive rounds, each with messages on links, and local copies and reductions. */
struct sr_collective_work {
	int64_t rounds[SR_LINK_COUNT];   /* number of rounds, each counted at its slowest link */
	int64_t messages[SR_LINK_COUNT]; /* number of messages sent and received on each kind of link */
	int64_t sent_bytes[SR_LINK_COUNT];
	int64_t copied_bytes, reduced_bytes;
	/* rounds that synchronize through the node's shared segment; bytes read there from other members, which count as sent
	 * on the node's link */
	int64_t segment_rounds, segment_bytes;
};
struct sr_cost sr_cost_of_collective(const struct sr_machine *machine, const struct sr_collective_work *work);

#endif
