/* --profile: a table of the instructions that take longest, and a trace for a browser.
 *
 *	sr_profile_begin(&gathered, &executable, repeats, arena);      before all executions
 *	sr_profile_start(&gathered, device, k);                        on each device, at a barrier before the measured executions
 *	sr_profile_gather(&gathered, &executable, arena);              after them; collective on all ranks
 *	rows = sr_profile_rows_of(&gathered, machine, arena);          rank 0
 *	sr_profile_table(&gathered, &rows, out);                       rank 0; sr_profile_report: as JSON
 *	sr_profile_trace(&gathered, out);                              rank 0: Chrome's trace format
 *
 * In the trace a device is a process with two rows: computation and collectives. The time in which a collective waits for the
 * last device is shown separately. The devices' clocks are aligned at a common barrier. */
#ifndef SR_EXEC_PROFILE_H
#define SR_EXEC_PROFILE_H

#include "exec/run.h"
#include "run/executable.h"
#include "run/profile.h"
#include "support/json.h"

struct sr_gathered_profile {
	const struct sr_program *program;
	struct sr_profile **local_profiles; /* profile of each local device; length: number of local devices */
	double *start;           /* time of the common barrier on this rank's clock; length: number of local devices */
	int64_t executions;
	/* The members below are set on rank 0 by sr_profile_gather. */
	int n_devices;
	double *seconds; /* seconds of each instruction: mean over devices, sum over executions; length: number of instructions */
	int64_t *calls;          /* number of executions of each instruction on device 0 */
	/* events of each device, with times relative to the barrier; length: n_devices */
	const struct sr_profile_event *const *events;
	const int64_t *n_events; /* number of events of each device; length: n_devices */
	int64_t matched;         /* number of leading events that belong to the same instructions on all devices */
	const int64_t *groups;   /* group of each device in each list of replica groups, [lists of groups][n_devices]; -1: none */
	/* for each instruction: seconds that a collective waited for the last device, summed over the events of all devices */
	double *wait;
	int64_t *n_waits;        /* for each instruction: number of events summed in `wait` */
};

/* Allocate the profiles of this rank's devices. The capacity for events is divided among all devices, so that rank 0 can hold all
 * events. */
void sr_profile_begin(struct sr_gathered_profile *g, struct sr_executable *e, int64_t executions, struct sr_arena *arena);
/* Start recording on this rank's devices. Collective on the ranks that have devices, between executions. */
void sr_profile_start(struct sr_gathered_profile *g, struct sr_executable *e);
void sr_profile_gather(struct sr_gathered_profile *g, struct sr_executable *e, struct sr_arena *arena);
/* A row of the table: instructions with equal op and location. Figures are per execution, means over devices. */
struct sr_profile_row {
	uint32_t op, place; /* string offsets in the program of the op's name and the source location */
	bool collective;
	int64_t calls; /* number of times the instructions ran, over all executions of the program */
	double seconds, wait, bytes, flops;
	double estimate; /* predicted seconds from the machine's bandwidths and FLOP rates */
};
struct sr_profile_rows {
	struct sr_profile_row *rows; /* rows sorted by time, the longest first */
	int64_t n;
};
/* Compute the rows of the table. `machine` is used for the estimates; NULL: the default machine. */
struct sr_profile_rows sr_profile_rows_of(const struct sr_gathered_profile *g, const struct sr_machine *machine,
					  struct sr_arena *arena);
void sr_profile_table(const struct sr_gathered_profile *g, const struct sr_profile_rows *rows, struct sr_buf *out);
/* Write the rows as the JSON member "ops". */
void sr_profile_report(struct sr_json *j, const struct sr_gathered_profile *g, const struct sr_profile_rows *rows);
/* Return how many seconds event i of device d waited for other devices if it is a collective; 0 for other events and for events not
 * matched on all devices. */
double sr_profile_wait(const struct sr_gathered_profile *g, int d, int64_t i);
void sr_profile_trace(const struct sr_gathered_profile *g, struct sr_arena *arena, struct sr_buf *out);

#endif
