/* What taps have seen, kept in a file of each device until the step is over: nothing can be said to other ranks while it runs.
 * The file has no name, and goes with the process. */
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
	int64_t iterations;              /* of a loop: what comes later is counted alone */
	struct sr_spool_device *devices; /* [e->n_devices] */
};

/* SR_INTERNAL, reported, where no file can be made. */
enum sr_status sr_spool_begin(struct sr_spool *s, struct sr_executable *e, int64_t iterations, struct sr_arena *arena,
			      struct sr_diags *diags);
void sr_spool_end(struct sr_spool *s);
sr_probe_fn sr_spool_inspect; /* data: struct sr_spool */
/* Collective, after the step: which looks there are records of, the same on all devices, in order; on all ranks. */
const struct sr_probe_event *sr_spool_events(const struct sr_spool *s, struct sr_arena *arena, uint64_t *n);
const struct sr_spool_record *sr_spool_at(const struct sr_spool *s, int k, size_t i); /* of the k-th device here */
/* The record of this moment; NULL: there is none. */
const struct sr_spool_record *sr_spool_find(const struct sr_spool *s, int k, const struct sr_probe_event *at);
/* Its bytes: a device's part, as it lay in its buffer. */
enum sr_status sr_spool_read(const struct sr_spool *s, int k, const struct sr_spool_record *r, void *to, struct sr_diags *diags);
int64_t sr_spool_skipped(const struct sr_spool *s); /* looks that are not kept, of the first device here */

#endif
