/* Where the time of executions goes, step by step. A device that is given a profile notes when each step begins and ends; without one it
 * looks at no clock. What is played inside a compiled loop is the loop's. */
#ifndef SR_RUN_PROFILE_H
#define SR_RUN_PROFILE_H

#include "program/program.h"

struct sr_profile_event {
	int64_t step;
	double begin, end; /* seconds, of this process's clock */
};

struct sr_profile {
	double *seconds;  /* [steps]: of loops and branches, with what is inside */
	int64_t *calls;   /* [steps] */
	struct sr_profile_event *events; /* the first ones */
	int64_t n, room;  /* events that there are, and that there is memory for */
};

/* Memory for the program's steps and so many events, in the arena. */
struct sr_profile *sr_profile_new(const struct sr_program *p, int64_t room, struct sr_arena *arena);
void sr_profile_note(struct sr_profile *profile, int64_t step, double begin, double end);

#endif
