/* Probes: values that a run inspects while its program runs (partition/insert_probes.h): identify a probe and its loop iteration, and the
 * elements that a device holds. Users: check_nan.h, dump_values.h, verify.h. Internal to exec. */
#ifndef SR_EXEC_PROBES_PROBES_H
#define SR_EXEC_PROBES_PROBES_H

#include "run/executable.h"

enum { SR_PROBE_MAX_DEPTH = 6 };
struct sr_probe_event {
	int64_t id;                       /* id of the probe, equal in all programs compiled from a module */
	int32_t depth;                    /* number of enclosing loops; iterations of the outermost SR_PROBE_MAX_DEPTH are recorded */
	int32_t unused;                   /* padding: events are compared by memcmp */
	int64_t iterations[SR_PROBE_MAX_DEPTH]; /* from 0, outermost loop first */
};

/* Inspect a value on a device's thread; must not allocate from an arena. The value is in the instruction's first operand;
 * readers take the second operand, if there is one. */
typedef enum sr_status sr_probe_fn(void *data, struct sr_device *d, const struct sr_instr *instr, const struct sr_probe *probe);

struct sr_probe_event sr_probe_event_now(const struct sr_device *d, const struct sr_probe *probe);
bool sr_probe_event_equal(const struct sr_probe_event *a, const struct sr_probe_event *b);
/* Return true if every enclosing loop is within its first `iterations` iterations. */
bool sr_probe_is_within(const struct sr_probe_event *at, int64_t iterations);
/* Return the probe with this id; NULL: there is none. */
const struct sr_probe *sr_probe_find(const struct sr_program *p, int64_t id);
int64_t sr_probe_id_count(const struct sr_program *p); /* 1 + the largest id */
struct sr_src_loc sr_probe_loc(const struct sr_program *p, const struct sr_probe *probe, struct sr_arena *arena);
/* Print "stablehlo.log %5 (jit(f)/log)". */
void sr_probe_print(const struct sr_program *p, const struct sr_probe *probe, struct sr_buf *out);
/* Print " in iteration 2" or " in iteration 2, 0 of nested loops"; nothing outside of loops. */
void sr_probe_print_iteration(const struct sr_probe_event *at, struct sr_buf *out);
void sr_probe_print_index(const int64_t *index, int rank, struct sr_buf *out);

/* Call fn for each row, along the last dimension, of the elements that a device holds without padding: local index of the first
 * element, and number of elements. */
void sr_probe_for_each_row(const struct sr_device_slice *slice, int rank, void (*fn)(void *data, int64_t first, int64_t n), void *data);
/* Compute the global index of the local element `i`. */
void sr_probe_global_index(const struct sr_device_slice *slice, int rank, int64_t i, int64_t *index);

#endif
