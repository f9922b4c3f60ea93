/* Values that a run looks at while its program runs (partition/insert_probes.h): which one it is, where in a loop, and what of it lies
 * here. What is made of them: check_nan.h, dump_values.h, verify.h. Internal to exec. */
#ifndef SR_EXEC_PROBES_PROBES_H
#define SR_EXEC_PROBES_PROBES_H

#include "run/executable.h"

enum { SR_PROBE_MAX_DEPTH = 6 };
struct sr_probe_event {
	int64_t id;                       /* of the tap: the same in all programs of a module */
	int32_t depth;                    /* of loops around it; the outermost SR_PROBE_MAX_DEPTH of them are told apart */
	int32_t unused;                   /* these are compared byte by byte */
	int64_t iterations[SR_PROBE_MAX_DEPTH]; /* from 0; the outermost loop first */
};

/* What a device does at a tap, `k`-th of the rank's, on its thread: it must take nothing from an arena. The value lies in the
 * step's first operand; what readers take, where there is a second one, is in that. */
typedef enum sr_status sr_probe_fn(void *data, struct sr_device *d, const struct sr_instr *s, const struct sr_probe *t);

struct sr_probe_event sr_probe_event_now(const struct sr_device *d, const struct sr_probe *t);
bool sr_probe_event_equal(const struct sr_probe_event *a, const struct sr_probe_event *b);
/* No loop around it has run more often. */
bool sr_probe_is_within(const struct sr_probe_event *at, int64_t iterations);
/* The row of a tap by its id; NULL: there is none. */
const struct sr_probe *sr_probe_find(const struct sr_program *p, int64_t id);
int64_t sr_probe_id_count(const struct sr_program *p); /* ids are below this */
struct sr_src_loc sr_probe_loc(const struct sr_program *p, const struct sr_probe *t, struct sr_arena *arena);
/* "stablehlo.log %5 (jit(f)/log)" */
void sr_probe_print(const struct sr_program *p, const struct sr_probe *t, struct sr_buf *out);
/* " in iteration 2", " in iteration 2, 0 of nested loops"; nothing outside of loops. */
void sr_probe_print_iteration(const struct sr_probe_event *at, struct sr_buf *out);
void sr_probe_print_index(const int64_t *index, int rank, struct sr_buf *out);

/* Walks the elements that a device has of a value, rows of the last dimension: fn gets the local number of the row's first element
 * and how many follow it. */
void sr_probe_for_each_row(const struct sr_device_slice *slice, int rank, void (*fn)(void *data, int64_t first, int64_t n), void *data);
/* The index in the global value of the local element `i`. */
void sr_probe_global_index(const struct sr_device_slice *slice, int rank, int64_t i, int64_t *index);

#endif
