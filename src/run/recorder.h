/* Recording of executions for a profiler that is started and stopped while programs run. While it is on, each device of a client
 * with this recorder records when it begins and ends a program and its instructions. Time inside a compiled loop is attributed to
 * the loop instruction.
 *
 *	static struct sr_recorder recorder = SR_RECORDER_INITIAL;
 *	client.recorder = &recorder;                    before programs are executed
 *	sr_recorder_start(&recorder); ... sr_recorder_stop(&recorder);
 *	pthread_mutex_lock(&recorder.lock); read recorder.events; pthread_mutex_unlock(...)
 *	sr_recorder_clear(&recorder);
 *
 * Executions that end after sr_recorder_stop are recorded, too, until the next start. */
#ifndef SR_RUN_RECORDER_H
#define SR_RUN_RECORDER_H

#include "support/map.h"
#include "support/thread.h"
#include "support/vec.h"
#include <stdint.h>

struct sr_profile;
struct sr_program;

struct sr_recorded_event { /* a recorded execution of a program, or of one of its instructions */
	const char *program;      /* name of the program; interned */
	/* op and source location, interned: "stablehlo.add" and "train.py:41:8" or ""; op NULL: the event is the entire program */
	const char *op, *place;
	int64_t device;
	double begin, end;        /* times in seconds of this process's monotonic clock */
};

struct sr_recorder {
	pthread_mutex_t lock; /* protects the members below */
	_Atomic bool is_on;
	struct sr_arena *arena; /* arena of the events; NULL: nothing has been recorded */
	struct sr_strings strings;
	SR_VEC(struct sr_recorded_event) events;
	int64_t n_dropped; /* number of events that were not stored for lack of space */
};
#define SR_RECORDER_INITIAL {.lock = PTHREAD_MUTEX_INITIALIZER}

/* Drop all recorded events, and record from now on. Returns false if memory runs out. */
bool sr_recorder_start(struct sr_recorder *r);
void sr_recorder_stop(struct sr_recorder *r);
void sr_recorder_clear(struct sr_recorder *r);

static inline bool sr_recorder_is_on(const struct sr_recorder *r)
{
	return r && atomic_load_explicit(&r->is_on, memory_order_relaxed);
}
/* Return a new profile into which a device records one execution of the program; NULL if memory runs out. */
struct sr_profile *sr_recorder_begin(const struct sr_program *program);
/* Move the events of a profile to the recorder, with the names of the program and the device, and free the profile. */
void sr_recorder_end(struct sr_recorder *r, const struct sr_program *p, struct sr_profile *profile, const char *program,
		     int64_t device);

#endif
