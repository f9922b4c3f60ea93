/* Detection of a stalled run from the ranks' last reports, and composition of the message. The functions are pure; run/heartbeat.c
 * collects the reports.
 *
 * A rank makes progress while it reports and does not wait for others: it may compute, read, write or compile for any length of
 * time. A waiting rank makes progress when something it waited for arrives. The run is stalled if a rank has waited for the entire
 * limit and either another rank has been silent for that long (stopped, or its link is lost), or all ranks wait and none has made
 * progress. */
#ifndef SR_RUN_STALL_H
#define SR_RUN_STALL_H

#include "program/program.h"
#include <stdbool.h>

enum { SR_STALL_INSTRS = 4, SR_STALL_TEXT = 4096 };

struct sr_rank_state { /* state that a rank reports to rank 0, sent as bytes */
	uint64_t progress;  /* counter that increases with each instruction and each wait that ends */
	uint64_t calls;     /* number of finished collectives */
	int64_t i, n;       /* position i of n in the phase; n == 0: the total is unknown */
	int32_t instrs[SR_STALL_INSTRS]; /* last instructions of the program, the latest first; -1: none */
	bool is_executing;         /* true if the first of `instrs` is being executed, false if it has ended */
	bool is_waiting;         /* true if the rank is waiting for other ranks */
	char phase[22];
};

struct sr_rank_record {
	struct sr_rank_state state;
	double reported_at, progressed_at; /* times of the rank's last report and of its last progress */
	bool has_reported;               /* true if the rank has reported at least once */
	int32_t process;          /* process id; 0: not reported */
};

/* Record a rank's report, received at time `now`. */
void sr_stall_record(struct sr_rank_record *r, const struct sr_rank_state *state, double now);
bool sr_is_stalled(const struct sr_rank_record *ranks, int n, double now, double limit);
/* Write the message about a stalled run to `out`. Its first line says that `seconds` of run time have passed; `out` has
 * SR_STALL_TEXT bytes. `program` names instructions; may be NULL. Allocates nothing. */
void sr_stall_text(char *out, const struct sr_rank_record *ranks, int n, double now, double limit, double seconds,
		   const struct sr_program *program);

#endif
