/* --metrics: one line per step with the scalar results by name, as CSV or JSON lines, written when the step ends. Internal to
 * exec/loop. */
#ifndef SR_EXEC_LOOP_METRICS_H
#define SR_EXEC_LOOP_METRICS_H

#include "exec/values/arrays.h"

struct sr_metrics;

/* Check that a file name ends with .csv or .jsonl; otherwise return SR_USAGE, reported. */
enum sr_status sr_metrics_check(const char *path, struct sr_diags *diags);
/* Open the metrics file on the rank of device 0; on other ranks *metrics is NULL. A run resumed after step `first_step` keeps the
 * lines up to that step; 0: the file is overwritten. */
enum sr_status sr_metrics_open(struct sr_metrics **metrics, const char *path, const struct sr_arrays *arrays, int64_t first_step,
			       struct sr_arena *arena, struct sr_diags *diags);
/* Write the line of a step. `seconds`: time since the last step. Allocates only when a line is longer than all lines before. */
enum sr_status sr_metrics_put(struct sr_metrics *metrics, int64_t step, double seconds, struct sr_diags *diags);
/* Close the metrics file and report write errors; `metrics` may be NULL. */
enum sr_status sr_metrics_close(struct sr_metrics *metrics, struct sr_diags *diags);

#endif
