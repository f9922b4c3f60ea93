/* Collectives as data: an algorithm is a function that builds a schedule; one player runs every schedule.
 *
 * A schedule is a list of rounds; the entries of a round are independent of each other and may run in any order, a round starts
 * when the round before it is complete on this member. Entries send, receive, reduce and copy byte ranges of three buffers: the
 * member's input, its output and scratch. Input may be the same memory as output (in place) only where the row says so.
 * Everything is known before it runs: bytes, rounds, scratch. The simulator plays all n members in one process.
 *
 * In place means: all_reduce and broadcast with output == input; all_gather with input == output + me * count elements;
 * reduce_scatter with output == input + me * (count / n) elements. Any other overlap of input and output is not allowed.
 *
 * Counts: `count` is elements of one member's INPUT for all_reduce, all_gather, permute and broadcast; for reduce_scatter and
 * all_to_all it is also the input (n equal blocks of count / n). Output elements: all_reduce, permute, broadcast, all_to_all
 * count; all_gather n * count; reduce_scatter count / n. Blocks are in order of member index. Where they lie along a dimension
 * other than the first, the call says so by forms: entries count bytes in the order of blocks all the same, and who plays
 * them finds where these are.
 *
 * Every reduction has a fixed order that depends on n and the algorithm alone, and all members of an all_reduce end with equal
 * bits. Sums and products of floats below 32 bits are carried in f32 and rounded once (sr_accumulator): the direct rows move the
 * narrow contributions to the member that reduces them, the others (ring, doubling, halving) move f32 partials, twice the bytes.
 *
 *	struct sr_coll_call call = {.coll = SR_ALL_REDUCE, .n = 8, .me = 3, .count = 1000, .type = SR_F32, .monoid = SR_MONOID_ADD};
 *	struct sr_schedule schedule;
 *	const struct sr_algorithm *row;
 *	sr_select(NULL, &call, arena, &schedule, &row);      row->name, schedule.sent_bytes, schedule.scratch_bytes
 */
#ifndef SR_COLLECTIVES_SCHEDULE_H
#define SR_COLLECTIVES_SCHEDULE_H

#include "cost/cost.h"
#include "kernels/kernel.h"
#include "support/arena.h"
#include "support/buf.h"
#include "support/dtype.h"
#include <shardrun/status.h>
#include <stdbool.h>
#include <stdint.h>

/* What carries the messages, as far as selection cares. */
/* LEVELS: some members share a node's window, and messages go between nodes. */
enum sr_carrier { SR_CARRIER_ANY, SR_CARRIER_MPI, SR_CARRIER_SHM, SR_CARRIER_HIERARCHICAL, SR_CARRIER_COUNT };

/* How the blocks of an input or output lie, where not one behind the other: each is `rows` rows of `row` bytes, which begin
 * `stride` bytes apart, and block k begins k * row bytes behind the first. So blocks along an inner dimension lie side by side,
 * and one block alone is a slice of something larger. What lies between the rows is not touched. rows 0: densely. */
struct sr_coll_layout {
	int64_t rows, row, stride;
};
enum { SR_COLL_LAYOUTS = 2 }; /* of SR_IN and SR_OUT */

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
	bool in_place;       /* the caller will pass overlapping buffers: only rows that allow it are considered, and no forms */
	struct sr_coll_layout form[SR_COLL_LAYOUTS]; /* alike on all members; not of all_reduce and broadcast */
	/* [n] the node of each member, numbers from 0 on in order of the first member; NULL: carrier says all. The transport sets it */
	const int *node;
	bool native;         /* the transport has a call of its own for this; the transport sets it */
	uint8_t carrier;     /* enum sr_carrier; the transport sets it: SHM where the members share a node's window */
};

enum sr_entry_kind {
	SR_ENTRY_SEND,   /* bytes at src to peer */
	SR_ENTRY_RECV,   /* bytes from peer to dst */
	SR_ENTRY_COPY,   /* dst = src, converted where the types differ */
	SR_ENTRY_ZERO,   /* dst = 0 */
	SR_ENTRY_REDUCE, /* dst = dst (monoid) src; reversed: dst = src (monoid) dst */
	SR_ENTRY_FOLD,   /* dst = s_0 (monoid) s_1 ... in the order of SR_ORDER_TREE, s_k at src_offset + k * stride */
	SR_ENTRY_NATIVE, /* the transport's own call, from src to dst */
	/* in the node's window, where members read each other's memory in place: */
	SR_ENTRY_SIGNAL, /* everybody may know that I have reached stage `tag` of the call: what I did in the rounds before is to be seen */
	SR_ENTRY_WAIT,   /* until `peer`, or SR_ALL_LOCAL_MEMBERS, has reached stage `tag` */
	SR_ENTRY_READ,   /* dst = src of member `peer` */
	SR_ENTRY_FOLD_MEMBERS /* dst = src of members peer .. peer + n_fold - 1, each at src_offset of its own, folded as FOLD does */
};
enum { SR_ALL_LOCAL_MEMBERS = -1, SR_CALL_STAGES = 7 }; /* peer of a WAIT: all members of my node; stages are 1 .. SR_CALL_STAGES - 1 */
/* SLOT: SR_SLOT_BYTES of a member's own in the window, for this call alone. */
enum sr_where { SR_IN, SR_OUT, SR_SCRATCH, SR_SLOT, SR_WHERE_COUNT };
enum { SR_SLOT_BYTES = 16 << 10 };

struct sr_schedule_entry {
	uint8_t kind;     /* enum sr_entry_kind */
	uint8_t src, dst; /* enum sr_where */
	uint8_t type;     /* enum sr_dtype of dst; of the message for SEND and RECV */
	uint8_t src_type; /* enum sr_dtype of src, COPY and REDUCE */
	uint8_t reversed; /* REDUCE */
	int32_t peer;     /* member index; SEND, RECV, WAIT, READ */
	int32_t tag;      /* SEND, RECV: the step of the algorithm; a pair's messages match in order, and the tags must agree; SIGNAL, WAIT */
	int32_t n_fold;   /* FOLD */
	int64_t stride;   /* FOLD, bytes */
	int64_t src_offset, dst_offset; /* bytes */
	int64_t bytes;    /* of the message, or of dst */
};

struct sr_schedule {
	struct sr_schedule_entry *entries; /* [n_entries], round after round */
	int64_t n_entries;
	int64_t *round_end;       /* [n_rounds], index after the last entry of the round */
	int64_t n_rounds;
	/* After so many rounds my result is there, and I read nobody's memory. What is left, one round or none, waits until nobody
	 * reads mine. */
	int64_t result_rounds;
	int64_t in_bytes, out_bytes; /* from the first byte to the last */
	int64_t scratch_bytes;
	struct sr_coll_layout form[SR_COLL_LAYOUTS]; /* of the call */
	int64_t sent_bytes;       /* by this member, or read from it; of a native schedule the least that any algorithm sends */
	const int *node;          /* of the call */
	bool in_segment;           /* has entries of the window */
	bool sends;               /* has messages */
	bool shared[SR_WHERE_COUNT]; /* IN, OUT: other members read it where it lies */
	enum sr_monoid monoid;    /* REDUCE, FOLD */
};

/* In which order a row adds what the members give. TREE: one binary tree over member index, split at the largest power of two
 * below n, partial results in the accumulator: the same bits whichever row plays, on whatever links. OWN: another one, that n and
 * the row fix. */
enum sr_order { SR_ORDER_NONE, SR_ORDER_TREE, SR_ORDER_OWN };

struct sr_algorithm {
	const char *name; /* "ring" */
	enum sr_coll coll;
	bool in_place;    /* input and output may be the same memory */
	enum sr_order order;
	/* Called through sr_algorithm_build, which checks the call and handles n == 1 and count == 0.
	 * SR_OK; SR_NEXT where the precondition fails (not a power of two, count below n, ...): the next row is tried. */
	enum sr_status (*build)(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out);
	const char *precondition; /* in words; "" where there is none */
	const char *doc;    /* one sentence: rounds and bytes as formulas */
	const char *source; /* paper or specification */
};

extern const struct sr_algorithm sr_algorithms[];
extern const int sr_n_algorithms;

/* Do all rows of the collective work where output is input, as many bytes? Then a plan may make them one memory, whichever row is
 * taken. */
bool sr_coll_supports_in_place(enum sr_coll coll);
/* The row of a name; NULL where there is none. */
const struct sr_algorithm *sr_algorithm_find(enum sr_coll coll, const char *name, size_t n);
/* SR_OK, SR_NEXT (the row's precondition), SR_UNSUPPORTED (no such reduction of that type), SR_NO_MEMORY (sizes overflow),
 * SR_INTERNAL (the call is wrong: me, peers, count). */
enum sr_status sr_algorithm_build(const struct sr_algorithm *row, const struct sr_coll_call *call, struct sr_arena *arena,
				  struct sr_schedule *out);
/* Every entry inside its buffers, no two entries of a round in each other's way, also where the call is in place. NULL, or what is
 * wrong (in the arena). */
const char *sr_schedule_check(const struct sr_schedule *schedule, const struct sr_coll_call *call, struct sr_arena *arena);
void sr_schedule_print(const struct sr_schedule *schedule, struct sr_buf *out); /* an entry per line, rounds numbered */

/* Bytes of a member's input and output, without what lies between rows. */
int64_t sr_coll_in_bytes(const struct sr_coll_call *call);
int64_t sr_coll_out_bytes(const struct sr_coll_call *call);
/* The least that this member must send (sr_cost_wire_bytes): nothing where a permute sends nothing from me or the root is another.
 * */
int64_t sr_coll_least_bytes(const struct sr_coll_call *call);

/* Selection. A text is rows joined by '#', first match that builds wins; user text comes before the defaults.
 *	row   = coll { ':' field } ':@' name  |  name                     a bare name stands for *:@name
 *	coll  = all_reduce | all_gather | reduce_scatter | all_to_all | permute | broadcast | '*'
 *	field = bytes-range | members-range | element type | mpi | shm
 *	range = from '-' to | from '-inf'              4k is 4096; bytes: from <= bytes < to; members: to is included
 * Bytes are those of the larger of a member's input and output. With '*' a name counts for the collectives that have it.
 * "all_reduce:0-4k:2-8:@recursive_doubling#all_reduce:bf16:@ordered#all_reduce:@ring" */
struct sr_selection;
/* NULL or "": the defaults. SR_USAGE with *message (in the arena) where the text is malformed. */
enum sr_status sr_selection_parse(struct sr_arena *arena, const char *text, struct sr_selection **out, const char **message);
/* A row names a call of the transport's own, which is between processes. */
bool sr_selection_uses_native(const struct sr_selection *selection);
void sr_selection_print(const struct sr_selection *selection, struct sr_buf *out); /* the rows in force, a line each; parses back */
/* The schedule for a call, and the row that built it. selection NULL: the defaults. SR_OK or as sr_algorithm_build. */
enum sr_status sr_select(const struct sr_selection *selection, const struct sr_coll_call *call, struct sr_arena *arena,
			 struct sr_schedule *out, const struct sr_algorithm **row);
void sr_algorithms_list(struct sr_buf *out); /* --list-algorithms */
const char *sr_coll_name(enum sr_coll coll); /* "all_reduce" */
enum sr_coll sr_coll_find(const char *name, size_t n); /* SR_COLL_COUNT where unknown */

/* Whether the call's collective may have its forms, and they have its bytes. */
bool sr_coll_layouts_are_valid(const struct sr_coll_call *call);
/* From the first byte of an input or output of `bytes` to its last, as it lies. */
int64_t sr_coll_layout_extent(const struct sr_coll_layout *form, int64_t bytes);
int64_t sr_coll_layout_offset(const struct sr_coll_layout *form, int64_t at); /* where byte `at` of its blocks lies */
/* Bytes of blocks from one form to another. */
void sr_coll_layout_copy(void *dst, const struct sr_coll_layout *dst_form, const void *src, const struct sr_coll_layout *src_form,
		  int64_t bytes);

/* Play a schedule for all members in this process; in[k], out[k] per member. A send waits for its receive to be posted; which
 * member goes on is drawn from `seed`, which also makes some slow (0: they go on in turn). A member that has its result finds what
 * nobody reads of its memory overwritten while others still play, as a caller might, and all of it when it is done; *out is the
 * result again at the end.
 * SR_INTERNAL with *message where a send has no receive, sizes or tags differ, nothing can go on, or bytes are not as predicted. */
enum sr_status sr_simulate(const struct sr_schedule *schedules, int n, void *const *in, void *const *out, uint64_t seed,
			   struct sr_arena *arena, const char **message);
/* Memory as a member sees it: its own, and the others' where the schedule reads them. */
struct sr_views {
	void *mine[SR_WHERE_COUNT];
	void *const *of[SR_WHERE_COUNT]; /* [n] each; NULL: not read */
	int n;
	const struct sr_coll_layout *form; /* [SR_COLL_LAYOUTS]: of mine as of others'; NULL: all are dense */
};
/* Run COPY, ZERO, REDUCE, FOLD, READ or FOLD_MEMBERS. For players. */
void sr_entry_run(const struct sr_schedule_entry *entry, enum sr_monoid monoid, const struct sr_views *views);

/* ---- reduction of elements (reduce.c) ---- */
/* Whether the type has the reduction: bitwise ones are of integers and i1. */
bool sr_reduce_supported(enum sr_dtype type, enum sr_monoid monoid);
/* The type in which partial results are kept: f32 for sums and products of narrower floats, else the type itself. */
enum sr_dtype sr_accumulator(enum sr_dtype type, enum sr_monoid monoid);
/* dst = dst (monoid) src over `count` elements; narrow floats through f32. min and max propagate NaN, -0 is below +0;
 * complex numbers compare by real, then imaginary part; i1: add is or, mul is and. */
void sr_reduce_elements(enum sr_dtype type, enum sr_monoid monoid, void *dst, const void *src, int64_t count);
/* dst = s_0 (monoid) s_1 ... in the order of SR_ORDER_TREE, s_k at src + k * stride bytes; carried in sr_accumulator and rounded
 * once. dst may be one of them. */
void sr_reduce_fold(enum sr_dtype type, enum sr_monoid monoid, void *dst, const void *src, int64_t stride, int n, int64_t count);
/* dst = src between floats of different width (one of them f32). */
void sr_convert_elements(enum sr_dtype to, void *dst, enum sr_dtype from, const void *src, int64_t count);

#endif
