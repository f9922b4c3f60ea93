/* What a piece of work takes: one model for everybody who chooses or estimates. It knows descriptors (bytes, elements, extents,
 * members) and a machine's figures, and no op, step or schedule.
 *
 * Bytes on the wire are a property of the collective alone, and today's choices go by them: the same plan everywhere. Seconds are
 * of a machine (struct sr_machine), whose rates are a core's; sr_machine_of_rank makes them a rank's where ranks share cores.
 *
 *	struct sr_machine core, m;
 *	sr_machine_default(&core);
 *	sr_machine_of_rank(&core, 8, &m);
 *	struct sr_cost c = sr_cost_of_product(&m, &(struct sr_product_work){.batch = 1, .m = 64, .n = 64, .k = 64, .dtype = SR_F32});
 */
#ifndef SR_COST_COST_H
#define SR_COST_COST_H

#include "support/dtype.h"
#include "support/machine.h"
#include <stdbool.h>

/* ---- bytes on the wire ---- */

enum sr_coll { SR_ALL_REDUCE, SR_ALL_GATHER, SR_REDUCE_SCATTER, SR_ALL_TO_ALL, SR_PERMUTE, SR_BROADCAST, SR_COLL_COUNT };

/* The least that a device must send for results of r bytes over n devices: all_reduce 2r(n-1)/n, all_gather r(n-1)/n,
 * reduce_scatter r(n-1), all_to_all r(n-1)/n, permute and broadcast r (of those that send at all). n of 0: nobody. r and n at least
 * 0. Rounded down; INT64_MAX where it is more. */
int64_t sr_cost_wire_bytes(enum sr_coll coll, int64_t r, int64_t n);
/* The same for sizes that need not be whole, as the choices compare them. */
double sr_cost_wire(enum sr_coll coll, double r, double n);

/* A group over nodes: the members of each node, and how many sums it makes by itself of what they give (collectives/hierarchy.h). */
struct sr_cost_nodes {
	int n, n_nodes;
	const int *members, *sums; /* [n_nodes] */
	int root;                  /* broadcast: the node that has it */
};
/* What at least leaves each node for results of r bytes, added to leaves[n_nodes]; `carried`: bytes of a sum on the way over those
 * of its result. A permute goes pair by pair (sr_cost_wire). */
void sr_cost_internode_bytes(enum sr_coll coll, double r, double carried, const struct sr_cost_nodes *nodes, double *leaves);
double sr_cost_wire_bytes_per_second(const struct sr_machine *machine); /* on the wire, of a device */
/* Bytes on the wire that computing a point more is worth: a multiply-add of a product, the least that a point can be. */
double sr_cost_bytes_per_multiply_add(const struct sr_machine *machine);
/* Points that take as long as writing a byte to memory. */
double sr_cost_multiply_adds_per_byte(const struct sr_machine *machine);
/* Bytes on the wire that take as long as the latency of one round of messages. */
double sr_cost_bytes_per_latency(const struct sr_machine *machine);

/* ---- loops ---- */

/* Return the trip count that prices and estimates of benefit assume for a loop: `known`, or where that is negative a default for
 * loops of unknown length, which is smaller for a loop inside another one of unknown length (a search or a retry within a solver's
 * step). */
int64_t sr_cost_trips(int64_t known, bool inside_unknown);

/* ---- links ---- */

/* Return the node that a device is on, by the machine's list or, without one, by ranks_per_node. */
int64_t sr_cost_node(const struct sr_machine *machine, int64_t device);
/* Return the slowest link between the devices of a group: the network if they are on several nodes. ids[n]: negative ones are
 * skipped; NULL: devices 0 to n - 1. Complexity: n. */
enum sr_link sr_cost_link(const struct sr_machine *machine, const int64_t *ids, int64_t n);

/* ---- seconds ---- */

struct sr_cost {
	double seconds;
	double latency_s;                 /* the part of them that does not depend on sizes */
	double flops;                     /* of products and convolutions, 2 for each multiply-add */
	int64_t memory_bytes;             /* read and written */
	int64_t wire_bytes[SR_LINK_COUNT]; /* sent */
};

void sr_cost_add(struct sr_cost *sum, const struct sr_cost *more);
struct sr_cost sr_cost_scale(struct sr_cost cost, double n); /* n times over */

/* One rank's share of a node that `ranks` ranks run on: where they outnumber the cores everything takes longer, messages too. */
void sr_machine_of_rank(const struct sr_machine *machine, int64_t ranks, struct sr_machine *out);

/* A node that reads and writes memory: seconds of bytes or of work on elements, whichever is more. Elements count as 32 bits wide;
 * wider ones are counted accordingly (sr_cost_elements). */
struct sr_elementwise_work {
	int64_t read_bytes, written_bytes;
	double elements[SR_WORK_COUNT];
};
struct sr_cost sr_cost_of_elementwise(const struct sr_machine *machine, const struct sr_elementwise_work *work);
double sr_cost_elements(double n, enum sr_dtype dtype);

struct sr_product_work {
	int64_t batch, m, n, k;
	enum sr_dtype dtype;
};
struct sr_cost sr_cost_of_product(const struct sr_machine *machine, const struct sr_product_work *work);

struct sr_convolution_work {
	int64_t outputs, per_output; /* elements; multiply-adds of each */
	double packed; /* elements that are laid out for products, each time that they are; 0: computed as it is defined */
	enum sr_dtype dtype;
};
struct sr_cost sr_cost_of_convolution(const struct sr_machine *machine, const struct sr_convolution_work *work);

struct sr_sort_work {
	int64_t rows, length;
	int64_t row_bytes; /* of an element of every operand */
};
struct sr_cost sr_cost_of_sort(const struct sr_machine *machine, const struct sr_sort_work *work);

/* A collective as a member plays it: rounds one after another, each with messages on their links,
 * and what is done to the bytes here. */
struct sr_collective_work {
	int64_t rounds[SR_LINK_COUNT];   /* by the slowest link of the round */
	int64_t messages[SR_LINK_COUNT]; /* sent and received */
	int64_t sent_bytes[SR_LINK_COUNT];
	int64_t copied_bytes, reduced_bytes;
	int64_t segment_rounds, segment_bytes; /* waited for in the node's window; read there of others' memory, which counts as sent on the node's link */
};
struct sr_cost sr_cost_of_collective(const struct sr_machine *machine, const struct sr_collective_work *work);

#endif
