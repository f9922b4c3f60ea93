/* Implementation of the recorder: during an execution a device records into its own profile, whose events are then moved to the
 * recorder. */
#include "run/recorder.h"
#include "run/device.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EVENTS = 1 << 20, MAX_EXECUTION_EVENTS = 1 << 16 };

void sr_recorder_clear(struct sr_recorder *r)
{
	pthread_mutex_lock(&r->lock);
	sr_arena_free(r->arena);
	r->arena = NULL;
	r->events.data = NULL;
	r->events.n = r->events.cap = 0;
	r->n_dropped = 0;
	pthread_mutex_unlock(&r->lock);
}

static enum sr_status init_strings(void *data)
{
	struct sr_recorder *r = data;
	sr_strings_init(&r->strings, r->arena);
	return SR_OK;
}

bool sr_recorder_start(struct sr_recorder *r)
{
	sr_recorder_clear(r);
	pthread_mutex_lock(&r->lock);
	r->arena = sr_arena_new();
	bool ok = r->arena && !sr_arena_guarded(r->arena, init_strings, r);
	pthread_mutex_unlock(&r->lock);
	atomic_store(&r->is_on, ok);
	return ok;
}

void sr_recorder_stop(struct sr_recorder *r)
{
	atomic_store(&r->is_on, false);
}

/* ---- a device ---- */

static void free_profile(struct sr_profile *p)
{
	if (!p)
		return;
	free(p->seconds);
	free(p->calls);
	free(p->events);
	free(p);
}

struct sr_profile *sr_recorder_begin(const struct sr_program *program)
{
	enum {
		EVENTS_PER_INSTR = 64
	}; /* events that a recording can hold per instruction, so that a loop records some iterations */
	size_t n = program->instrs.n + 1,
	       capacity = n < MAX_EXECUTION_EVENTS / EVENTS_PER_INSTR ? n * EVENTS_PER_INSTR : MAX_EXECUTION_EVENTS;
	struct sr_profile *p = calloc(1, sizeof *p);
	if (p) {
		p->seconds = calloc(n, sizeof *p->seconds);
		p->calls = calloc(n, sizeof *p->calls);
		p->events = malloc(capacity * sizeof *p->events);
		p->capacity = (int64_t)capacity;
	}
	if (!p || !p->seconds || !p->calls || !p->events) {
		free_profile(p);
		return NULL;
	}
	return p;
}

struct storing {
	struct sr_recorder *r;
	const struct sr_program *p;
	const struct sr_profile *profile;
	const char *program;
	int64_t device;
};

static const char *intern_text(struct sr_recorder *r, const char *text)
{
	return sr_strings_intern(&r->strings, text, strlen(text));
}

static void store_event(struct sr_recorder *r, struct sr_recorded_event e)
{
	if (r->events.n < MAX_EVENTS)
		sr_push(r->arena, &r->events, e);
	else
		r->n_dropped++;
}

static enum sr_status store_all(void *data)
{
	const struct storing *s = data;
	const struct sr_program *p = s->p;
	const struct sr_profile *profile = s->profile;
	const char *program = intern_text(s->r, s->program);
	double begin = HUGE_VAL, end = 0;
	int64_t calls = 0;
	for (int64_t i = 0; i < profile->n; i++) {
		const struct sr_profile_event *e = &profile->events[i];
		const struct sr_instr *instr = sr_program_instrs(p) + e->step;
		store_event(s->r, (struct sr_recorded_event){program, intern_text(s->r, sr_program_string(p, instr->op)),
						       intern_text(s->r, sr_program_string(p, instr->place)), s->device, e->begin, e->end});
		/* the first event need not begin first: an instruction inside a loop is recorded before the loop */
		begin = e->begin < begin ? e->begin : begin;
		end = e->end > end ? e->end : end;
	}
	if (profile->n)
		store_event(s->r, (struct sr_recorded_event){program, NULL, "", s->device, begin, end});
	for (uint64_t i = 0; i < p->instrs.n; i++)
		calls += profile->calls[i];
	s->r->n_dropped += calls - profile->n;
	return SR_OK;
}

void sr_recorder_end(struct sr_recorder *r, const struct sr_program *p, struct sr_profile *profile, const char *program,
		     int64_t device)
{
	struct storing s = {r, p, profile, program, device};
	pthread_mutex_lock(&r->lock);
	if (r->arena && sr_arena_guarded(r->arena, store_all, &s))
		r->n_dropped++;
	pthread_mutex_unlock(&r->lock);
	free_profile(profile);
}
