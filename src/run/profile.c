/* Recording of instruction times. */
#include "run/profile.h"

struct sr_profile *sr_profile_new(const struct sr_program *p, int64_t capacity, struct sr_arena *arena)
{
	struct sr_profile *profile = SR_NEW(arena, struct sr_profile);
	profile->seconds = SR_NEW_ARRAY(arena, double, p->instrs.n + 1);
	profile->calls = SR_NEW_ARRAY(arena, int64_t, p->instrs.n + 1);
	profile->events = SR_NEW_ARRAY(arena, struct sr_profile_event, capacity + 1);
	profile->capacity = capacity;
	return profile;
}

void sr_profile_note(struct sr_profile *p, int64_t step, double begin, double end)
{
	p->seconds[step] += end - begin;
	p->calls[step]++;
	if (p->n < p->capacity)
		p->events[p->n++] = (struct sr_profile_event){step, begin, end};
}
