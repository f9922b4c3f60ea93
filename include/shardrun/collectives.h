/* Collectives: list the algorithms, and compute the cost of a call without executing it.
 *
 * An algorithm builds a schedule of sends, receives and reductions for one member of a group; rounds, bytes and scratch memory
 * follow from the schedule. The algorithm of a call is chosen by a selection text: rows joined by '#', of which the first that
 * matches is used, with the default rows at the end:
 *
 *	all_reduce:0-4k:2-8:@recursive_doubling#all_gather:@ring          less than 4096 bytes, 2 to 8 members; any all_gather
 *
 *	struct shardrun_call call = {"all_reduce", "f32", 8, 3, 1000000};
 *	struct shardrun_cost cost = SHARDRUN_COST_INIT;
 *	if (!shardrun_collective_cost(&call, NULL, &cost))
 *		printf("%s: %lld rounds, %lld bytes\n", cost.algorithm, (long long)cost.rounds, (long long)cost.sent_bytes);
 *
 * No function here is collective. All of them may be called from any thread. */
#ifndef SHARDRUN_COLLECTIVES_H
#define SHARDRUN_COLLECTIVES_H

#include <shardrun/status.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An algorithm; all strings are static. */
struct shardrun_algorithm {
	const char
	    *collective; /* the collective: "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "permute" or "broadcast" */
	const char *name;         /* name, for example "ring" */
	const char *precondition; /* condition under which the algorithm can be used, as text; "" if there is none */
	const char *doc;          /* description with the number of rounds and bytes as formulas */
	const char *source;       /* paper or specification that the algorithm is from */
};
/* Fill *out with algorithm i. Returns 1, or 0 if there are no more. */
int shardrun_algorithm(int i, struct shardrun_algorithm *out);

struct shardrun_call {
	const char *collective; /* one of the names in struct shardrun_algorithm; reductions are sums */
	const char *element;    /* "f32" */
	int members;            /* number of members of the group */
	int me;                 /* this member, 0..members-1; a permute sends to member me + 1, the root of a broadcast is 0 */
	int64_t count;          /* elements of one member's input */
};

struct shardrun_cost {
	size_t size;           /* sizeof this struct, set by SHARDRUN_COST_INIT */
	const char *algorithm; /* name of the algorithm; a static string */
	int64_t rounds;
	int64_t sent_bytes;    /* bytes that member `me` sends */
	int64_t scratch_bytes;
};
#define SHARDRUN_COST_INIT {sizeof(struct shardrun_cost), 0, 0, 0, 0}

/* Compute the cost of the algorithm that the selection chooses for a call between processes. selection NULL: the defaults.
 * Returns SR_OK; SR_USAGE for an unknown collective or element type, a malformed selection, or `me` outside the group;
 * SR_UNSUPPORTED if the type has no such reduction; SR_NO_MEMORY. *cost is unchanged after an error. */
enum sr_status shardrun_collective_cost(const struct shardrun_call *call, const char *selection, struct shardrun_cost *cost);

/* Check the syntax of a selection text. Returns SR_OK or SR_USAGE; message[n] receives the error message ("" if there is none),
 * truncated to n bytes; it may be NULL if n is 0. */
enum sr_status shardrun_selection_check(const char *selection, char *message, size_t n);

#ifdef __cplusplus
}
#endif
#endif
