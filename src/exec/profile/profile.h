/* --profile: a table of the steps that take longest, and a trace for a browser.
 *
 *	sr_profile_begin(&gathered, &executable, repeats, arena);      before all executions
 *	sr_profile_start(&gathered, device, k);                        each device, at a barrier before the measured ones
 *	sr_profile_gather(&gathered, &executable, arena);              after them; collective on all ranks
 *	rows = sr_profile_rows_of(&gathered, machine, arena);          rank 0
 *	sr_profile_table(&gathered, &rows, out);                       rank 0; sr_profile_report: as JSON
 *	sr_profile_trace(&gathered, out);                              rank 0: Chrome's trace format
 *
 * In the trace a device is a process with two rows: what it computes, and its collectives, whose waiting for the last device to
 * come is apart from their work. Clocks of devices are set to each other where all of them left a barrier. */
#ifndef SR_EXEC_PROFILE_H
#define SR_EXEC_PROFILE_H

#include "exec/run.h"
#include "run/executable.h"
#include "run/profile.h"
#include "support/json.h"

struct sr_gathered_profile {
	const struct sr_program *program;
	struct sr_profile **mine; /* [devices here] */
	double *start;           /* [devices here]: of this rank's clock, when all were at the barrier */
	int64_t executions;
	/* on rank 0 */
	int n_devices;
	double *seconds;         /* [steps]: mean over devices, of all executions */
	int64_t *calls;          /* [steps]: of device 0 */
	const struct sr_profile_event *const *events; /* [n_devices]: by time since the start */
	const int64_t *n_events; /* [n_devices] */
	int64_t matched;         /* so many first events are the same steps on all devices */
	const int64_t *groups;   /* [lists of groups][n_devices]: which group; -1: none */
	double *wait;            /* [steps]: of collectives, for the last device, summed over the events of all devices */
	int64_t *waited;         /* [steps]: over so many events */
};

/* room for events is shared by the devices, so that rank 0 can hold them all. */
void sr_profile_begin(struct sr_gathered_profile *g, struct sr_executable *e, int64_t executions, struct sr_arena *arena);
/* Collective on the devices, each on its thread: the k-th of this rank. */
void sr_profile_start(struct sr_gathered_profile *g, struct sr_device *d, int k);
void sr_profile_gather(struct sr_gathered_profile *g, struct sr_executable *e, struct sr_arena *arena);
/* The steps of one op and place, in one execution: the mean over devices. */
struct sr_profile_row {
	uint32_t op, place; /* texts of the program */
	bool collective;
	int64_t calls; /* of all executions */
	double seconds, wait, bytes, flops;
	double estimate; /* seconds by the machine's figures */
};
struct sr_profile_rows {
	struct sr_profile_row *at; /* the dearest first */
	int64_t n;
};
/* machine NULL: the default. */
struct sr_profile_rows sr_profile_rows_of(const struct sr_gathered_profile *g, const struct sr_machine *machine, struct sr_arena *arena);
void sr_profile_table(const struct sr_gathered_profile *g, const struct sr_profile_rows *rows, struct sr_buf *out);
void sr_profile_report(struct sr_json *j, const struct sr_gathered_profile *g, const struct sr_profile_rows *rows); /* "ops" */
/* Of event i of device d, a collective: how long it waited for others to come; 0 where it is none, or is not matched. */
double sr_profile_wait(const struct sr_gathered_profile *g, int d, int64_t i);
void sr_profile_trace(const struct sr_gathered_profile *g, struct sr_arena *arena, struct sr_buf *out);

#endif
