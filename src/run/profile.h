/* Profile of executions by instruction. A device with a profile records when each instruction begins and ends; without one it
 * reads no clock. Time inside a compiled loop is the loop's. */
#ifndef SR_RUN_PROFILE_H
#define SR_RUN_PROFILE_H

#include "program/program.h"

struct sr_profile_event {
	int64_t step;
	double begin, end; /* seconds of this process's monotonic clock */
};

struct sr_profile {
	double *seconds;  /* [instructions] loops and branches include what is inside */
	int64_t *calls;   /* [instructions] */
	struct sr_profile_event *events; /* the first `capacity` events */
	int64_t n, capacity;  /* events recorded; size of `events` */
};

/* Allocate a profile for up to `capacity` events in the arena. */
struct sr_profile *sr_profile_new(const struct sr_program *p, int64_t capacity, struct sr_arena *arena);
void sr_profile_note(struct sr_profile *profile, int64_t step, double begin, double end);

#endif
