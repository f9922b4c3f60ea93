/* Probes are instructions that inspect a value while the program runs (partition/insert_probes.h). Functions to identify a probe
 * and its loop iteration, and to visit the elements that a device holds. Users: check_nan.h, dump_values.h, verify.h. Internal to
 * exec. */
#ifndef SR_EXEC_PROBES_PROBES_H
#define SR_EXEC_PROBES_PROBES_H

#include "run/executable.h"

enum { SR_PROBE_MAX_DEPTH = 6 };
struct sr_probe_event {
	int64_t id;                       /* id of the probe, equal in all programs compiled from a module */
	int32_t depth;                    /* number of enclosing loops; iterations of the outermost SR_PROBE_MAX_DEPTH are recorded */
	int32_t unused;                   /* always 0; fills the gap before `iterations`, since memcmp compares events */
	int64_t iterations[SR_PROBE_MAX_DEPTH]; /* iteration number of each enclosing loop, from 0, outermost loop first */
};

/* Callback that inspects a value on a device's thread; must not allocate from an arena. The value is the instruction's first
 * operand. If the instruction has a second operand, that is the copy of the value that later instructions read. */
typedef enum sr_status sr_probe_fn(void *data, struct sr_execution_context *x, const struct sr_instr *instr,
				   const struct sr_probe *probe);

struct sr_probe_event sr_probe_event_now(const struct sr_execution_context *x, const struct sr_probe *probe);
bool sr_probe_event_equal(const struct sr_probe_event *a, const struct sr_probe_event *b);
/* Return true if every enclosing loop is within its first `iterations` iterations. */
bool sr_probe_is_within(const struct sr_probe_event *at, int64_t iterations);
/* Return the program's probe with this id; NULL if there is none. */
const struct sr_probe *sr_probe_find(const struct sr_program *p, int64_t id);
int64_t sr_probe_id_count(const struct sr_program *p); /* Return 1 + the largest probe id of the program. */
struct sr_src_loc sr_probe_loc(const struct sr_program *p, const struct sr_probe *probe, struct sr_arena *arena);
/* Append the probe's op, value and name in the source: "stablehlo.log %5 (jit(f)/log)". */
void sr_probe_print(const struct sr_program *p, const struct sr_probe *probe, struct sr_buf *out);
/* Append the loop iteration of an event: " in iteration 2" or " in iteration 2, 0 of nested loops"; nothing outside of loops. */
void sr_probe_print_iteration(const struct sr_probe_event *at, struct sr_buf *out);
void sr_probe_print_index(const int64_t *index, int rank, struct sr_buf *out);

/* Call fn for each contiguous row of elements, along the last dimension, that a device holds without padding, with the local index
 * of the row's first element and the number of elements. */
void sr_probe_for_each_row(const struct sr_device_slice *slice, int rank, void (*fn)(void *data, int64_t first, int64_t n), void *data);
/* Compute the global index of local element `i` of a device's slice. */
void sr_probe_global_index(const struct sr_device_slice *slice, int rank, int64_t i, int64_t *index);

#endif
