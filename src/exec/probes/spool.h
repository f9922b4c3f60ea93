/* Spool of inspected values: a file per device keeps them until the step ends, since ranks cannot exchange values during a step.
 * The file is unnamed and disappears with the process. */
#ifndef SR_EXEC_PROBES_SPOOL_H
#define SR_EXEC_PROBES_SPOOL_H

#include "exec/probes/probes.h"

struct sr_spool_record {
	struct sr_probe_event at;
	int64_t offset, bytes;
};

struct sr_spool_device;
struct sr_spool {
	struct sr_executable *e;
	int64_t iterations; /* number of iterations of each loop whose values are kept; later iterations are only counted */
	struct sr_spool_device *devices; /* spool of each local device; length: e->n_devices */
};

/* Create the spool files of this rank's devices. Returns SR_INTERNAL, reported, if a file cannot be created. */
enum sr_status sr_spool_begin(struct sr_spool *s, struct sr_executable *e, int64_t iterations, struct sr_arena *arena,
			      struct sr_diags *diags);
void sr_spool_end(struct sr_spool *s);
sr_probe_fn sr_spool_inspect; /* Probe callback that spools the value; `data` is a struct sr_spool. */
/* Return, on all ranks, the events of which every device has a record, in execution order. Collective, after the step. */
const struct sr_probe_event *sr_spool_events(const struct sr_spool *s, struct sr_arena *arena, uint64_t *n);
/* Return record i of this rank's k-th device. */
const struct sr_spool_record *sr_spool_at(const struct sr_spool *s, int k, size_t i);
/* Return this rank's k-th device's record of an event; NULL if there is none. */
const struct sr_spool_record *sr_spool_find(const struct sr_spool *s, int k, const struct sr_probe_event *at);
/* Read the bytes of a record: the device's shard, laid out as in its buffer. */
enum sr_status sr_spool_read(const struct sr_spool *s, int k, const struct sr_spool_record *r, void *to, struct sr_diags *diags);
int64_t sr_spool_skipped(const struct sr_spool *s); /* Return the number of events that this rank's first device did not keep. */

#endif
