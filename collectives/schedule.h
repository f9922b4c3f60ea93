/* Collectives as data: an algorithm is a function that builds a schedule; one player runs every schedule.
 *
 * A schedule is a list of rounds; the entries of a round are independent of each other and may run in any order, a round starts
 * when the round before it is complete on this member. Entries send, receive, reduce and copy byte ranges of three buffers: the
 * member's input, its output and scratch. Input may be the same memory as output (in place) only where the row says so.
 * Everything is known before it runs: bytes, rounds, scratch. The simulator plays all n members in one process.
 *
 * Counts: `count` is elements of one member's INPUT for all_reduce, all_gather, permute and broadcast; for reduce_scatter and all_to_all
 * it is also the input (n equal blocks of count / n). Output elements: all_reduce, permute, broadcast, all_to_all count; all_gather
 * n * count; reduce_scatter count / n. Blocks are in order of member index. Layout along a dimension other than the first is the
 * caller's: it packs before and unpacks after (plan does).
 *
 * Every reduction has a fixed order that depends on n and the algorithm alone, and all members of an all_reduce end with equal bits. */
#ifndef SR_COLLECTIVES_SCHEDULE_H
#define SR_COLLECTIVES_SCHEDULE_H

#include "kernels/kernel.h"
#include "support/arena.h"
#include "support/buf.h"
#include "support/dtype.h"
#include <shardrun/status.h>
#include <stdbool.h>
#include <stdint.h>

enum sr_coll { SR_ALL_REDUCE, SR_ALL_GATHER, SR_REDUCE_SCATTER, SR_ALL_TO_ALL, SR_PERMUTE, SR_BROADCAST, SR_COLL_COUNT };

/* One call as a member sees it. */
struct sr_coll_call {
	enum sr_coll coll;
	int n;              /* members of the group */
	int me;             /* my index, 0..n-1 */
	int64_t count;      /* elements, see above */
	enum sr_dtype type;
	enum sr_monoid monoid; /* all_reduce, reduce_scatter */
	/* permute: who sends to me and to whom I send, -1: nobody (then the output is zeros); broadcast: from = the root's index */
	int from, to;
	int64_t chunk_bytes; /* longest single message; 0: INT32_MAX rounded down to the element */
};

enum sr_entry_kind { SR_ENTRY_SEND, SR_ENTRY_RECV, SR_ENTRY_REDUCE, SR_ENTRY_COPY, SR_ENTRY_ZERO, SR_ENTRY_NATIVE };
enum sr_where { SR_IN, SR_OUT, SR_SCRATCH };

struct sr_entry {
	uint8_t kind;
	uint8_t src, dst;          /* enum sr_where */
	int32_t peer;              /* member index; SEND, RECV */
	int32_t tag;               /* matches a send with its receive within a schedule */
	int64_t src_offset, dst_offset; /* bytes */
	int64_t bytes;
	/* SEND: src; RECV: dst; COPY: dst = src; REDUCE: dst = dst (monoid) src; ZERO: dst; NATIVE: the transport's own call */
};

struct sr_schedule {
	struct sr_entry *entries; /* [n_entries], round after round */
	int64_t n_entries;
	int64_t *round_end;       /* [n_rounds], index after the last entry of the round */
	int64_t n_rounds;
	int64_t scratch_bytes;
	int64_t sent_bytes;       /* by this member */
};

/* Reductions of 16-bit floats carry f32 in scratch: the builder decides, entries then have `type` of the call; see all_reduce/. */

struct sr_algorithm {
	const char *name; /* "ring" */
	enum sr_coll coll;
	bool in_place;    /* input and output may be the same memory */
	/* SR_OK; SR_NEXT where the precondition fails (not a power of two, count below n, ...): the next row is tried. */
	enum sr_status (*build)(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out);
	const char *doc;    /* one sentence: rounds and bytes as formulas */
	const char *source; /* paper or specification */
};

extern const struct sr_algorithm sr_algorithms[];
extern const int sr_n_algorithms;

/* Selection: "all_reduce:0-4k:2-8:@recursive_doubling#all_reduce:@ring": rows coll:bytes:members:@name, first match that builds wins;
 * user text comes before the defaults. NULL: defaults. Reports a malformed text with SR_USAGE through *message. */
struct sr_selection;
enum sr_status sr_selection_parse(struct sr_arena *arena, const char *text, struct sr_selection **out, const char **message);
/* The schedule for a call, and the row that built it. */
enum sr_status sr_select(const struct sr_selection *selection, const struct sr_coll_call *call, struct sr_arena *arena,
			 struct sr_schedule *out, const struct sr_algorithm **row);
void sr_algorithms_list(struct sr_buf *out); /* --list-algorithms */
const char *sr_coll_name(enum sr_coll coll); /* "all_reduce" */

/* Play a schedule for all members in this process; in[k], out[k] per member. SR_INTERNAL with *message where a send has no receive,
 * sizes differ, or nothing can go on. */
enum sr_status sr_simulate(const struct sr_schedule *schedules, int n, enum sr_dtype type, enum sr_monoid monoid, void *const *in,
			   void *const *out, struct sr_arena *arena, const char **message);

/* dst = dst (monoid) src over `count` elements; f16 and bf16 through f32. */
void sr_reduce_elements(enum sr_dtype type, enum sr_monoid monoid, void *dst, const void *src, int64_t count);

#endif
