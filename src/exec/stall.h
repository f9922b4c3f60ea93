/* Whether a run stands still, and what is said of it then: from what each rank told of itself last. Pure; exec/heartbeat.c brings it
 * together.
 *
 * A rank progresses while it is heard of and does not wait for others: it computes, reads, writes or compiles, however long that
 * takes. One that waits progresses when something comes that it waited for. A run stands still where a rank has waited for the
 * whole limit and either another has been silent as long (stopped, or its link is lost), or all wait and none has progressed. */
#ifndef SR_EXEC_STALL_H
#define SR_EXEC_STALL_H

#include "program/program.h"
#include <stdbool.h>

enum { SR_STALL_INSTRS = 4, SR_STALL_TEXT = 4096 };

struct sr_rank_state { /* what a rank says of itself; sent as it is */
	uint64_t progress;  /* grows with each step, and with what comes */
	uint64_t calls;     /* collectives that are finished */
	int64_t i, n;       /* step i of n of the phase; n 0: not counted */
	int32_t steps[SR_STALL_INSTRS]; /* of the program, played last, the latest first; -1: none */
	bool plays;         /* the first of them is being played */
	bool waits;         /* for others */
	char phase[22];
};

struct sr_rank_record {
	struct sr_rank_state state;
	double heard, progressed; /* when it was heard of, when it progressed last */
	bool known;               /* it was heard of */
	int32_t process;          /* its number, where it said it */
};

/* A rank is heard of. */
void sr_stall_record(struct sr_rank_record *r, const struct sr_rank_state *state, double now);
bool sr_is_stalled(const struct sr_rank_record *ranks, int n, double now, double limit);
/* Why: lines, the first after `seconds` in all. `program` names steps; may be NULL. At most SR_STALL_TEXT bytes with the NUL; no
 * memory is taken. */
void sr_stall_text(char *out, const struct sr_rank_record *ranks, int n, double now, double limit, double seconds,
		   const struct sr_program *program);

#endif
