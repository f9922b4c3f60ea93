/* Collectives as data. An algorithm is a function that builds a schedule; one executor runs any schedule.
 *
 * A schedule is a list of rounds. The entries of a round are independent of each other; a round starts when the previous one is
 * complete on this member. Entries send, receive, reduce and copy byte ranges of a member's buffers: input, output, scratch and
 * slot. Bytes, rounds and scratch are known before execution. A simulator executes the schedules of all n members in one process
 * (sr_simulate).
 *
 * In place means: all_reduce and broadcast with output == input; all_gather with input == output + me * count elements;
 * reduce_scatter with output == input + me * (count / n) elements. It is allowed only if the algorithm supports it; any other
 * overlap of input and output is an error.
 *
 * `count` is the number of elements of one member's INPUT. reduce_scatter and all_to_all divide it into n equal blocks. Output
 * elements: `count` for all_reduce, permute, broadcast and all_to_all; n * count for all_gather; count / n for reduce_scatter.
 * Blocks are ordered by member index. If they are concatenated along a dimension other than the first, the call has a strided
 * layout (struct sr_coll_layout): entries still count bytes in the order of blocks, and sr_entry_run maps them to addresses.
 *
 * The order of a reduction depends on n and the algorithm alone, and all members of an all_reduce end with equal bits. Sums and
 * products of floats narrower than 32 bits are computed in f32 and rounded once (sr_accumulator). Algorithms that reduce all
 * contributions on one member send narrow elements; those that forward partial results (ring, doubling, halving) send f32, which is
 * twice the bytes.
 *
 *	struct sr_coll_call call = {.coll = SR_ALL_REDUCE, .n = 8, .member = 3, .count = 1000, .type = SR_F32,
 *				    .monoid = SR_MONOID_ADD};
 *	struct sr_schedule schedule;
 *	const struct sr_algorithm *row;
 *	sr_select(NULL, &call, arena, &schedule, &row);      row->name, schedule.sent_bytes, schedule.scratch_bytes */
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

/* How members reach each other, as far as the choice of an algorithm depends on it. MPI: messages. SHM: all members share a
 * node's memory. HIERARCHICAL: some members share a node's memory, and messages go between nodes. ANY: in selection rows. */
enum sr_carrier { SR_CARRIER_ANY, SR_CARRIER_MPI, SR_CARRIER_SHM, SR_CARRIER_HIERARCHICAL, SR_CARRIER_COUNT };

/* Strided layout of the blocks of an input or output. A block consists of `rows` rows of `row` bytes, which begin `stride` bytes
 * apart; block k begins k * row bytes after the first. Example: blocks along an inner dimension, or one block that is a slice
 * of a larger tensor. Bytes between the rows are not accessed. rows == 0: the blocks are contiguous. */
struct sr_coll_layout {
	int64_t rows, row, stride;
};
enum { SR_COLL_LAYOUTS = 2 }; /* number of layouts of a call: SR_IN's and SR_OUT's */

/* A collective call as one member sees it. */
struct sr_coll_call {
	enum sr_coll coll;
	int n;              /* number of members of the group */
	int member;             /* index of this member, 0..n-1 */
	int64_t count;      /* number of elements of the input */
	enum sr_dtype type;
	enum sr_monoid monoid; /* reduction operation of all_reduce and reduce_scatter */
	/* permute: members that this one receives from and sends to, or -1 (without a source the output is zeros); broadcast:
	 * from is the root */
	int from, to;
	int64_t chunk_bytes; /* maximum bytes of one message; 0: INT32_MAX rounded down to the element */
	bool in_place; /* input and output will overlap: only algorithms that allow this are considered; needs dense layouts */
	struct sr_coll_layout form[SR_COLL_LAYOUTS]; /* layouts, equal on all members; dense for all_reduce and broadcast */
	/* [n] node of each member, numbered from 0 in order of first members; NULL: not needed. Set by the transport */
	const int *node;
	/* bytes of the buffer of which the output is a slice, as the weights of one layer are; 0: the buffer is the output */
	int64_t out_extent;
	bool keeps_in;       /* the memory of the input is never written, such as that of a program's argument */
	bool native;         /* the transport has a collective operation of its own for this call; set by the transport */
	uint8_t carrier;     /* enum sr_carrier; set by the transport */
};

enum sr_entry_kind {
	SR_ENTRY_SEND,   /* send bytes at src to peer */
	SR_ENTRY_RECV,   /* receive bytes from peer into dst */
	SR_ENTRY_COPY,   /* dst = src, converted if the types differ */
	SR_ENTRY_ZERO,   /* fill dst with zeros */
	SR_ENTRY_REDUCE, /* dst = dst (op) src; reversed: dst = src (op) dst. (op) is the schedule's monoid */
	SR_ENTRY_FOLD,   /* dst = s_0 (op) s_1 ... in the order of SR_ORDER_TREE, s_k at src_offset + k * stride */
	SR_ENTRY_NATIVE, /* the transport's own collective, from src to dst */
	/* Entries for members of one node, which read each other's memory. */
	/* announce stage `tag` of the call: what this member wrote in earlier rounds is visible to members that wait for it */
	SR_ENTRY_SIGNAL,
	SR_ENTRY_WAIT,   /* wait until `peer`, or every member of this node (SR_ALL_LOCAL_MEMBERS), has announced stage `tag` */
	SR_ENTRY_READ,   /* dst = src of member `peer` */
	/* dst = reduction of src of members peer .. peer + n_fold - 1, each at src_offset, in the order of FOLD */
	SR_ENTRY_FOLD_MEMBERS
};
enum { SR_ALL_LOCAL_MEMBERS = -1, SR_CALL_STAGES = 7 }; /* stages are 1 .. SR_CALL_STAGES - 1 */
/* SLOT: SR_SLOT_BYTES in the shared segment that belong to this member and call. */
enum sr_member_buffer { SR_IN, SR_OUT, SR_SCRATCH, SR_SLOT, SR_MEMBER_BUFFERS };
enum { SR_SLOT_BYTES = 16 << 10 };

struct sr_schedule_entry {
	uint8_t kind;     /* what the entry does, an enum sr_entry_kind */
	uint8_t src, dst; /* buffers of source and destination, enum sr_member_buffer */
	uint8_t type;     /* enum sr_dtype of dst; of the message for SEND and RECV */
	uint8_t src_type; /* enum sr_dtype of src; COPY, REDUCE, READ and FOLD_MEMBERS may convert */
	uint8_t reversed; /* REDUCE: true if dst is the right operand of the reduction instead of the left one */
	int32_t peer;     /* member index; SEND, RECV, WAIT, READ */
	/* SEND, RECV: the algorithm's step, equal on both sides; messages of a pair match in posting order. SIGNAL, WAIT: the
	 * stage */
	int32_t tag;
	int32_t n_fold;   /* FOLD, FOLD_MEMBERS: number of members whose operands are combined */
	int64_t stride;   /* FOLD: distance in bytes between the operands of successive members */
	int64_t src_offset, dst_offset; /* byte offsets in the buffers src and dst */
	int64_t bytes;    /* bytes of the message or of dst */
};

struct sr_schedule {
	struct sr_schedule_entry *entries; /* [n_entries] ordered by round */
	int64_t n_entries;
	int64_t *round_end;       /* [n_rounds] index after the round's last entry */
	int64_t n_rounds;
	/* After this many rounds this member's result is complete and it reads no other member's memory. At most one round
	 * follows, in which the member waits until no other member reads its memory. */
	int64_t result_rounds;
	int64_t in_bytes, out_bytes; /* number of bytes from the first to the last of the buffer, including gaps between rows */
	int64_t scratch_bytes;
	struct sr_coll_layout form[SR_COLL_LAYOUTS]; /* strided layouts of the input and the output, as in the call */
	/* bytes that this member sends or that other members read from it; for a native schedule, the minimum that any
	 * algorithm sends */
	int64_t sent_bytes;
	const int *node;          /* node of each member, as in the call */
	bool uses_segment;           /* true if the schedule has SIGNAL or WAIT entries */
	bool sends;               /* true if the schedule has SEND or RECV entries */
	bool is_shared[SR_MEMBER_BUFFERS]; /* for the input and the output: true if other members read the buffer in place */
	enum sr_monoid monoid;    /* reduction operation of REDUCE and FOLD entries */
};

/* Order in which an algorithm combines the members' contributions. TREE: one binary tree over member index, split at the largest
 * power of two below n, partial results in the accumulator's type; bits do not depend on the algorithm or the placement. OWN:
 * another fixed order that depends on n and the algorithm. NONE: no reduction. */
enum sr_order { SR_ORDER_NONE, SR_ORDER_TREE, SR_ORDER_OWN };

struct sr_algorithm {
	const char *name; /* name in selection texts: "ring" */
	enum sr_coll coll;
	bool in_place;    /* input and output may be the same memory */
	enum sr_order order;
	/* Called through sr_algorithm_build, which checks the call and handles n == 1 and count == 0. Returns SR_OK, or SR_NEXT
	 * if the precondition fails (n not a power of two, count below n, ...), so that the next selection row is tried. */
	enum sr_status (*build)(const struct sr_coll_call *call, struct sr_arena *arena, struct sr_schedule *out);
	const char *precondition; /* text for --help and messages; "" if there is none */
	const char *doc;    /* one sentence with rounds and bytes as formulas */
	const char *source; /* paper or specification that describes the algorithm */
};

extern const struct sr_algorithm sr_algorithms[];
extern const int sr_n_algorithms;

/* Return true if every algorithm of the collective works in place and input and output have the same size. A plan may then use
 * one buffer for both. */
bool sr_coll_supports_in_place(enum sr_coll coll);
/* Return the algorithm with this name, or NULL. */
const struct sr_algorithm *sr_algorithm_find(enum sr_coll coll, const char *name, size_t n);
/* Return SR_OK, SR_NEXT (precondition not met), SR_UNSUPPORTED (the type has no such reduction), SR_NO_MEMORY (a size overflows)
 * or SR_INTERNAL (the call is invalid). */
enum sr_status sr_algorithm_build(const struct sr_algorithm *row, const struct sr_coll_call *call, struct sr_arena *arena,
				  struct sr_schedule *out);
/* Check that every entry stays inside its buffers and that entries of a round do not conflict, for an in-place call as well.
 * Returns NULL, or a message in the arena. */
const char *sr_schedule_check(const struct sr_schedule *schedule, const struct sr_coll_call *call, struct sr_arena *arena);
/* Print the schedule, one entry per line, with rounds numbered. */
void sr_schedule_print(const struct sr_schedule *schedule, struct sr_buf *out);

/* Bytes of a member's input and output, without gaps between rows. */
int64_t sr_coll_in_bytes(const struct sr_coll_call *call);
int64_t sr_coll_out_bytes(const struct sr_coll_call *call);
/* Return the minimum that this member must send (sr_cost_wire_bytes); 0 for a permute without a target and for members other
 * than a broadcast's root. */
int64_t sr_coll_least_bytes(const struct sr_coll_call *call);

/* Selection of algorithms by text: rows joined by '#'; the first row that matches the call and whose algorithm builds is taken.
 * User rows come before the defaults.
 *	row   = coll { ':' field } ':@' name  |  name                     a bare name stands for *:@name
 *	coll  = all_reduce | all_gather | reduce_scatter | all_to_all | permute | broadcast | '*'
 *	field = bytes-range | members-range | element type | mpi | shm | hierarchical
 *	range = from '-' to | from '-inf'              4k is 4096; bytes: from <= bytes < to; members: to is included
 * The byte range applies to the larger of a member's input and output. With '*' a name applies to the collectives that have it.
 * "all_reduce:0-4k:2-8:@recursive_doubling#all_reduce:bf16:@ordered#all_reduce:@ring" */
struct sr_selection;
/* text NULL or "": the defaults. SR_USAGE with *message (in the arena) if the text is malformed. */
enum sr_status sr_selection_parse(struct sr_arena *arena, const char *text, struct sr_selection **out, const char **message);
/* Return true if a row names the MPI library's own collective, which needs one device per process. */
bool sr_selection_uses_native(const struct sr_selection *selection);
/* Print the rows in effect, one per line, in the syntax that sr_selection_parse reads. */
void sr_selection_print(const struct sr_selection *selection, struct sr_buf *out);
/* Build the schedule for a call; *row is the algorithm that built it. selection NULL: the defaults. Returns SR_OK or an error as
 * sr_algorithm_build. */
enum sr_status sr_select(const struct sr_selection *selection, const struct sr_coll_call *call, struct sr_arena *arena,
			 struct sr_schedule *out, const struct sr_algorithm **row);
void sr_algorithms_list(struct sr_buf *out); /* Print the text of --list-algorithms. */
const char *sr_coll_name(enum sr_coll coll); /* Return the name of a collective, such as "all_reduce". */
/* Return the collective with this name, or SR_COLL_COUNT if there is none. */
enum sr_coll sr_coll_find(const char *name, size_t n);

/* Return true if the collective may have the call's layouts and they cover its bytes. */
bool sr_coll_layouts_are_valid(const struct sr_coll_call *call);
/* Return the distance from the first to the last byte of an input or output of `bytes` bytes, including gaps. */
int64_t sr_coll_layout_extent(const struct sr_coll_layout *form, int64_t bytes);
/* Return the offset in memory of byte `at` in the order of blocks. */
int64_t sr_coll_layout_offset(const struct sr_coll_layout *layout, int64_t at);
/* Copy `bytes` bytes, in the order of blocks, from one layout to another. */
void sr_coll_layout_copy(void *dst, const struct sr_coll_layout *dst_layout, const void *src,
			 const struct sr_coll_layout *src_layout,
			 int64_t bytes);
/* Evict the cache lines of `bytes` bytes, which are in this layout at `data`, as sr_evict_lines does. */
void sr_coll_layout_evict(const void *data, const struct sr_coll_layout *layout, int64_t bytes);

/* Execute the schedules of all members in this process; in[k] and out[k] are member k's buffers. Messages are unbuffered: a send
 * completes when its receive is posted. `seed` randomizes which member runs next and makes some slow; 0: round robin. An odd seed
 * also sets `streams` of the views. When a member's result is complete, memory that no other member reads is overwritten with
 * garbage while others still run, and all of it when the member is done; out[k] holds the result again at the end. Returns
 * SR_INTERNAL with *message if a send has no receive, sizes or tags differ, no member can proceed, or sent bytes are not as
 * predicted. */
enum sr_status sr_simulate(const struct sr_schedule *schedules, int n, void *const *in, void *const *out, uint64_t seed,
			   struct sr_arena *arena, const char **message);
/* Buffers as a member sees them: its own, and those of other members that the schedule reads. */
struct sr_views {
	void *own[SR_MEMBER_BUFFERS];
	void *const *member_buffers[SR_MEMBER_BUFFERS]; /* [n] the members' buffers; NULL: the schedule does not read them */
	int n;
	const struct sr_coll_layout *form; /* [SR_COLL_LAYOUTS] layouts, equal for all members; NULL: all are dense */
	bool streams; /* true if copies and reductions write SR_OUT past the caches */
};
/* Execute a COPY, ZERO, REDUCE, FOLD, READ or FOLD_MEMBERS entry. */
void sr_entry_run(const struct sr_schedule_entry *entry, enum sr_monoid monoid, const struct sr_views *views);

/* ---- reduction of elements (reduce.c) ---- */
/* Return true if the type has the reduction; bitwise ones exist for integers and i1. */
bool sr_reduce_supported(enum sr_dtype type, enum sr_monoid monoid);
/* Return the type of partial results: f32 for sums and products of narrower floats, else the type itself. */
enum sr_dtype sr_accumulator(enum sr_dtype type, enum sr_monoid monoid);
/* dst = dst (op) src for `count` elements; narrow floats are computed in f32. min and max propagate NaN, -0 < +0; complex
 * numbers compare by real, then imaginary part; i1: add is or, mul is and. */
void sr_reduce_elements(enum sr_dtype type, enum sr_monoid monoid, void *dst, const void *src, int64_t count);
/* dst = s_0 (op) s_1 ... in the order of SR_ORDER_TREE, s_k at src + k * stride bytes; computed in sr_accumulator and rounded
 * once. dst may be one of the s_k. */
void sr_reduce_fold(enum sr_dtype type, enum sr_monoid monoid, void *dst, const void *src, int64_t stride, int n, int64_t count);
/* Convert `count` elements between two float types, one of which is f32. */
void sr_convert_elements(enum sr_dtype dst_type, void *dst, enum sr_dtype src_type, const void *src, int64_t count);

#endif
