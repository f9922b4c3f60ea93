/* --metrics: one line per step with the scalar results by name, as CSV or JSON lines, written when the step ends. Internal to
 * exec/loop. */
#ifndef SR_EXEC_LOOP_METRICS_H
#define SR_EXEC_LOOP_METRICS_H

#include "exec/values/arrays.h"

struct sr_metrics;

/* Check that a file name ends with .csv or .jsonl; otherwise SR_USAGE, reported. */
enum sr_status sr_metrics_check(const char *path, struct sr_diags *diags);
/* Open the file on the rank of device 0; elsewhere *metrics is NULL. A run resumed after step `from` keeps the lines up to it;
 * 0: the file is overwritten. */
enum sr_status sr_metrics_open(struct sr_metrics **metrics, const char *path, const struct sr_arrays *arrays, int64_t from,
			       struct sr_arena *arena, struct sr_diags *diags);
/* Write the line of a step; `seconds` since the last one. Allocates only when a line is longer than all before. */
enum sr_status sr_metrics_put(struct sr_metrics *metrics, int64_t step, double seconds, struct sr_diags *diags);
enum sr_status sr_metrics_close(struct sr_metrics *metrics, struct sr_diags *diags); /* metrics may be NULL */

#endif
