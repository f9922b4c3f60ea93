/* Gathering of all devices' profiles on rank 0, and computation of wait times. */
#include "exec/profile/profile.h"
#include <math.h>

enum { EVENTS = 1 << 16, EVENTS_OF_ALL = 1 << 21 };

void sr_profile_begin(struct sr_gathered_profile *g, struct sr_executable *e, int64_t executions, struct sr_arena *arena)
{
	int64_t capacity = EVENTS_OF_ALL / e->program->n_devices;
	*g = (struct sr_gathered_profile){.program = e->program,
				  .executions = executions,
				  .local_profiles = SR_NEW_ARRAY(arena, struct sr_profile *, e->n_devices + 1),
				  .start = SR_NEW_ARRAY(arena, double, e->n_devices + 1)};
	for (int k = 0; k < e->n_devices; k++)
		g->local_profiles[k] = sr_profile_new(e->program, capacity < EVENTS ? capacity : EVENTS, arena);
}

void sr_profile_start(struct sr_gathered_profile *g, struct sr_executable *e)
{
	sr_executable_barrier(e);
	for (int k = 0; k < e->n_devices; k++) {
		g->start[k] = sr_now();
		e->devices[k].profile = g->local_profiles[k];
	}
}

/* ---- wait times ---- */

/* Return the group of each device in each list of replica groups, [lists of groups][devices]; -1 if the device is in none. */
static int64_t *groups_of(const struct sr_program *p, struct sr_arena *arena)
{
	int64_t *group = SR_NEW_ARRAY(arena, int64_t, p->groups.n * (uint64_t)p->n_devices + 1), index;
	for (uint64_t k = 0; k < p->groups.n; k++)
		for (int64_t d = 0; d < p->n_devices; d++)
			if (!sr_program_group_of(p, sr_program_groups(p) + k, d,
						 &group[k * (uint64_t)p->n_devices + (uint64_t)d], &index))
				group[k * (uint64_t)p->n_devices + (uint64_t)d] = -1;
	return group;
}

/* Return the latest time at which event i began on device d or on a device for which d waits in the event's collective c. */
static double last_begin(const struct sr_gathered_profile *g, const int64_t *groups, const struct sr_collective_instr *c, int64_t i,
			 int d)
{
	double last = g->events[d][i].begin;
	if (c->group < 0) {
		int64_t source, target;
		sr_program_permute_peers(g->program, c, d, &source, &target);
		return source < 0 ? last : fmax(last, g->events[source][i].begin);
	}
	const int64_t *group_of_device = groups + (int64_t)c->group * g->n_devices;
	for (int k = 0; group_of_device[d] >= 0 && k < g->n_devices; k++)
		if (group_of_device[k] == group_of_device[d])
			last = fmax(last, g->events[k][i].begin);
	return last;
}

/* Return true if event e is the start of a collective, and `instr` waits for the end of this collective or releases its operand. */
static bool is_start_of(const struct sr_gathered_profile *g, const struct sr_profile_event *e, const struct sr_instr *instr)
{
	const struct sr_instr *start = sr_program_instrs(g->program) + e->step;
	return start->kind == SR_INSTR_COLLECTIVE && start->params == instr->params;
}

double sr_profile_wait(const struct sr_gathered_profile *g, int d, int64_t i)
{
	const struct sr_profile_event *e = &g->events[d][i];
	const struct sr_instr *instr = sr_program_instrs(g->program) + e->step;
	const struct sr_collective_instr *c = (const void *)(sr_program_params(g->program) + instr->params);
	if (!sr_instr_is_collective(instr) || i >= g->matched || (instr->kind == SR_INSTR_COLLECTIVE && c->completion_flags & SR_ENDS_FINISH))
		return 0;
	if (instr->kind == SR_INSTR_RELEASE) /* a release instruction only waits, so its whole time counts as waiting */
		return e->end - e->begin;
	int64_t start = i;
	while (start > 0 && !is_start_of(g, &g->events[d][start], instr))
		start--;
	return fmax(0, fmin(last_begin(g, g->groups, c, start, d), e->end) - e->begin);
}

/* Find the number of leading events whose instructions are equal on all devices. Devices may take different branches. */
static void match_events(struct sr_gathered_profile *g)
{
	for (;; g->matched++)
		for (int d = 0; d < g->n_devices; d++)
			if (g->matched >= g->n_events[d] || g->events[d][g->matched].step != g->events[0][g->matched].step)
				return;
}

static void sum_waits(struct sr_gathered_profile *g)
{
	for (int d = 0; d < g->n_devices; d++)
		for (int64_t i = 0; i < g->matched; i++) {
			g->wait[g->events[d][i].step] += sr_profile_wait(g, d, i);
			g->n_waits[g->events[d][i].step]++;
		}
}

/* ---- gathering ---- */

/* Gather the times of the instructions, in chunks that bound rank 0's memory for long programs on many devices. */
static void gather_steps(struct sr_gathered_profile *g, const struct sr_executable *e, struct sr_arena *arena)
{
	enum { CHUNK_INSTRS = 4096 };
	struct instr_times {
		double seconds;
		int64_t calls;
	} *buffer = SR_NEW_ARRAY(arena, struct instr_times, CHUNK_INSTRS * (size_t)(e->n_devices + 1));
	g->seconds = SR_NEW_ARRAY(arena, double, g->program->instrs.n + 1);
	g->calls = SR_NEW_ARRAY(arena, int64_t, g->program->instrs.n + 1);
	for (uint64_t at = 0; at < g->program->instrs.n; at += CHUNK_INSTRS) {
		uint64_t n = g->program->instrs.n - at < CHUNK_INSTRS ? g->program->instrs.n - at : CHUNK_INSTRS;
		for (int k = 0; k < e->n_devices; k++)
			for (uint64_t i = 0; i < n; i++)
				buffer[(uint64_t)k * n + i] = (struct instr_times){g->local_profiles[k]->seconds[at + i],
										   g->local_profiles[k]->calls[at + i]};
		const struct instr_times *all = sr_executable_gather(e, arena, buffer, n * sizeof *buffer);
		for (int d = 0; all && d < g->program->n_devices; d++)
			for (uint64_t i = 0; i < n; i++) {
				const struct instr_times *source = &all[(uint64_t)d * n + i];
				g->seconds[at + i] += source->seconds / g->program->n_devices;
				g->calls[at + i] = d ? g->calls[at + i] : source->calls;
			}
	}
}

/* Gather the events of all devices, with times relative to each device's barrier. *capacity: maximum number of events per
 * device. */
static const struct sr_profile_event *gather_events(struct sr_gathered_profile *g, const struct sr_executable *e,
						    uint64_t *capacity,
						    struct sr_arena *arena)
{
	uint64_t min_events, own_events = 0;
	for (int k = 0; k < e->n_devices; k++)
		own_events = (uint64_t)g->local_profiles[k]->n > own_events ? (uint64_t)g->local_profiles[k]->n : own_events;
	sr_launch_min_max(&e->client->launch, own_events, &min_events, capacity);
	struct sr_profile_event *events = SR_NEW_ARRAY(arena, struct sr_profile_event, *capacity * (uint64_t)e->n_devices + 1);
	for (int k = 0; k < e->n_devices; k++)
		for (int64_t i = 0; i < g->local_profiles[k]->n; i++) {
			const struct sr_profile_event *source = &g->local_profiles[k]->events[i];
			events[(uint64_t)k * *capacity + (uint64_t)i] =
			    (struct sr_profile_event){source->step, source->begin - g->start[k], source->end - g->start[k]};
		}
	return sr_executable_gather(e, arena, events, *capacity * sizeof *events);
}

void sr_profile_gather(struct sr_gathered_profile *g, struct sr_executable *e, struct sr_arena *arena)
{
	uint64_t n_steps = g->program->instrs.n, capacity;
	int64_t *n = SR_NEW_ARRAY(arena, int64_t, e->n_devices + 1);
	gather_steps(g, e, arena);
	const struct sr_profile_event *all = gather_events(g, e, &capacity, arena);
	for (int k = 0; k < e->n_devices; k++)
		n[k] = g->local_profiles[k]->n;
	g->n_events = sr_executable_gather(e, arena, n, sizeof *n);
	if (e->client->launch.rank)
		return;
	g->n_devices = g->program->n_devices;
	const struct sr_profile_event **by_device = SR_NEW_ARRAY(arena, const struct sr_profile_event *, g->n_devices);
	for (int d = 0; d < g->n_devices; d++)
		by_device[d] = all + (uint64_t)d * capacity;
	g->events = by_device;
	g->groups = groups_of(g->program, arena);
	g->wait = SR_NEW_ARRAY(arena, double, n_steps + 1);
	g->n_waits = SR_NEW_ARRAY(arena, int64_t, n_steps + 1);
	match_events(g);
	sum_waits(g);
}
