/* --metrics: a line for each step with the scalars among a program's results, by name, as CSV or as JSON, written when the step
 * is done. Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_METRICS_H
#define SR_EXEC_LOOP_METRICS_H

#include "run/executable.h"

struct sr_metrics;

/* The name of a file: .csv or .jsonl. SR_USAGE, reported, for another. */
enum sr_status sr_metrics_check(const char *path, struct sr_diags *diags);
/* On the rank that plays device 0; elsewhere *metrics is NULL. A run that goes on behind step `from` keeps the lines up to it;
 * 0: the file begins again. */
enum sr_status sr_metrics_open(struct sr_metrics **metrics, const char *path, struct sr_executable *e, int64_t from,
			       struct sr_arena *arena, struct sr_diags *diags);
/* Where the results are; `seconds` since the last line. Allocates nothing but for the longest line. */
enum sr_status sr_metrics_put(struct sr_metrics *metrics, int64_t step, double seconds, struct sr_diags *diags);
enum sr_status sr_metrics_close(struct sr_metrics *metrics, struct sr_diags *diags); /* NULL is fine */

#endif
