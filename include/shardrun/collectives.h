/* Collectives: the algorithms that there are, and what one costs, computed without running it.
 *
 * An algorithm builds a schedule of sends, receives and reductions for one member of a group; rounds, bytes and scratch follow from
 * it. Which one a run takes is told by a selection text, rows joined by '#', the first that fits wins, defaults behind:
 *
 *	all_reduce:0-4k:2-8:@recursive_doubling#all_gather:@ring          less than 4096 bytes, 2 to 8 members; any all_gather
 *
 *	struct shardrun_call call = {"all_reduce", "f32", 8, 3, 1000000};
 *	struct shardrun_cost cost = SHARDRUN_COST_INIT;
 *	if (!shardrun_collective_cost(&call, NULL, &cost))
 *		printf("%s: %lld rounds, %lld bytes\n", cost.algorithm, (long long)cost.rounds, (long long)cost.sent_bytes);
 *
 * No function here is collective. */
#ifndef SHARDRUN_COLLECTIVES_H
#define SHARDRUN_COLLECTIVES_H

#include <shardrun/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A row of the table of algorithms; text is static. */
struct shardrun_algorithm {
	const char *collective;   /* "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "permute", "broadcast" */
	const char *name;         /* "ring" */
	const char *precondition; /* in words; "" where there is none */
	const char *doc;          /* rounds and bytes as formulas */
	const char *source;       /* the paper */
};
/* Fill *out with row i; 0 behind the last row, else 1. */
int shardrun_algorithm(int i, struct shardrun_algorithm *out);

struct shardrun_call {
	const char *collective; /* as above; sums where it reduces */
	const char *element;    /* "f32" */
	int members;            /* of the group */
	int me;                 /* 0..members-1; in a permute everybody sends to the right neighbour, a broadcast's root is 0 */
	int64_t count;          /* elements of a member's input */
};

struct shardrun_cost {
	size_t size;           /* of this struct, set by SHARDRUN_COST_INIT */
	const char *algorithm; /* static */
	int64_t rounds;
	int64_t sent_bytes;    /* by member `me` */
	int64_t scratch_bytes;
};
#define SHARDRUN_COST_INIT {sizeof(struct shardrun_cost), 0, 0, 0, 0}

/* What the algorithm costs that the selection chooses for a call between processes. selection NULL: the defaults.
 * Returns SR_OK; SR_USAGE for an unknown collective or element, a malformed selection, or me outside the group; SR_UNSUPPORTED
 * where the type has no such reduction; SR_NO_MEMORY. *cost is untouched after an error. */
enum sr_status shardrun_collective_cost(const struct shardrun_call *call, const char *selection, struct shardrun_cost *cost);

/* Is a selection text well formed? SR_OK or SR_USAGE; message[n] gets what is wrong with it ("" else), cut where it is longer; may
 * be NULL if n is 0. */
enum sr_status shardrun_selection_check(const char *selection, char *message, size_t n);

#ifdef __cplusplus
}
#endif
#endif
