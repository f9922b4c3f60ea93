/* Profile of executions by instruction. A device with a profile records when each instruction begins and ends; without one it reads
 * no clock. Time inside a compiled loop is attributed to the loop instruction. */
#ifndef SR_RUN_PROFILE_H
#define SR_RUN_PROFILE_H

#include "program/program.h"

struct sr_profile_event {
	int64_t step;
	double begin, end; /* times in seconds of this process's monotonic clock */
};

struct sr_profile {
	/* seconds of each instruction, length: number of instructions; a loop or branch includes the instructions in it */
	double *seconds;
	int64_t *calls;   /* number of executions of each instruction; length: number of instructions */
	struct sr_profile_event *events; /* the recorded events; those after the first `capacity` ones are dropped */
	int64_t n, capacity;  /* number of recorded events; number that `events` can hold */
};

/* Allocate a profile for up to `capacity` events in the arena. */
struct sr_profile *sr_profile_new(const struct sr_program *p, int64_t capacity, struct sr_arena *arena);
void sr_profile_note(struct sr_profile *profile, int64_t step, double begin, double end);

#endif
