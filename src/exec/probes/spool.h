/* Spool: values that probes saw, kept in one file per device until the step ends, since ranks cannot communicate during it. The
 * file is unnamed and disappears with the process. */
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
	int64_t iterations;              /* iterations of each loop that are kept; later ones are only counted */
	struct sr_spool_device *devices; /* [e->n_devices] */
};

/* SR_INTERNAL, reported, if no file can be created. */
enum sr_status sr_spool_begin(struct sr_spool *s, struct sr_executable *e, int64_t iterations, struct sr_arena *arena,
			      struct sr_diags *diags);
void sr_spool_end(struct sr_spool *s);
sr_probe_fn sr_spool_inspect; /* data: struct sr_spool */
/* Collective, after the step: return the events that all devices have records of, in order, on all ranks. */
const struct sr_probe_event *sr_spool_events(const struct sr_spool *s, struct sr_arena *arena, uint64_t *n);
const struct sr_spool_record *sr_spool_at(const struct sr_spool *s, int k, size_t i); /* record i of this rank's k-th device */
/* Return the record of this event; NULL: there is none. */
const struct sr_spool_record *sr_spool_find(const struct sr_spool *s, int k, const struct sr_probe_event *at);
/* Read its bytes: the device's shard, as in its buffer. */
enum sr_status sr_spool_read(const struct sr_spool *s, int k, const struct sr_spool_record *r, void *to, struct sr_diags *diags);
int64_t sr_spool_skipped(const struct sr_spool *s); /* number of events not kept, on this rank's first device */

#endif
