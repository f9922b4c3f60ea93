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
	struct sr_profile **mine; /* [local devices] */
	double *start;           /* [local devices] time at the common barrier, on this rank's clock */
	int64_t executions;
	/* set on rank 0 by sr_profile_gather: */
	int n_devices;
	double *seconds;         /* [instructions] mean over devices, sum over executions */
	int64_t *calls;          /* [instructions] number of executions on device 0 */
	const struct sr_profile_event *const *events; /* [n_devices] times relative to the barrier */
	const int64_t *n_events; /* [n_devices] */
	int64_t matched;         /* the first `matched` events are of the same instructions on all devices */
	const int64_t *groups;   /* [lists of groups][n_devices] group of each device; -1: none */
	/* [instructions] time that collectives waited for the last device, summed over the events of all devices */
	double *wait;
	int64_t *waited;         /* [instructions] number of events in `wait` */
};

/* The capacity for events is divided among the devices, so that rank 0 can hold all of them. */
void sr_profile_begin(struct sr_gathered_profile *g, struct sr_executable *e, int64_t executions, struct sr_arena *arena);
/* Start recording. Collective on the ranks that have devices, between executions. */
void sr_profile_start(struct sr_gathered_profile *g, struct sr_executable *e);
void sr_profile_gather(struct sr_gathered_profile *g, struct sr_executable *e, struct sr_arena *arena);
/* A table row: instructions with the same op and location, per execution, mean over devices. */
struct sr_profile_row {
	uint32_t op, place; /* string offsets in the program */
	bool collective;
	int64_t calls; /* number of executions */
	double seconds, wait, bytes, flops;
	double estimate; /* seconds predicted from the machine's figures */
};
struct sr_profile_rows {
	struct sr_profile_row *at; /* sorted by time, the longest first */
	int64_t n;
};
/* Compute the rows. machine NULL: the default machine. */
struct sr_profile_rows sr_profile_rows_of(const struct sr_gathered_profile *g, const struct sr_machine *machine,
					  struct sr_arena *arena);
void sr_profile_table(const struct sr_gathered_profile *g, const struct sr_profile_rows *rows, struct sr_buf *out);
/* writes the member "ops" */
void sr_profile_report(struct sr_json *j, const struct sr_gathered_profile *g, const struct sr_profile_rows *rows);
/* Return how long event i of device d, if it is a collective, waited for other devices; 0 for others and for unmatched events. */
double sr_profile_wait(const struct sr_gathered_profile *g, int d, int64_t i);
void sr_profile_trace(const struct sr_gathered_profile *g, struct sr_arena *arena, struct sr_buf *out);

#endif
