/* Progress of long work on standard error: on a terminal one line that is redrawn, otherwise a line from time to time. Code records
 * its position with a few stores; the timer of exec/watch.h prints the position. */
#ifndef SR_EXEC_PROGRESS_H
#define SR_EXEC_PROGRESS_H

#include "run/device.h"
#include <stdbool.h>

enum sr_progress_mode { SR_PROGRESS_AUTO, SR_PROGRESS_LINE, SR_PROGRESS_LOG, SR_PROGRESS_NONE };
/* name of the environment variable with the mode, for ranks whose standard error is a pipe to a launcher */
#define SR_PROGRESS_VARIABLE "SHARDRUN_PROGRESS"

/* Start progress output to `fd` if `is_reporter`. AUTO chooses the mode by the kind of fd. Output is printed every `interval`
 * seconds; 0: the mode's default. */
void sr_progress_begin(enum sr_progress_mode mode, double interval, int fd, bool is_reporter);
/* Return true if `fd` is a terminal that can redraw a line. */
bool sr_progress_is_terminal(int fd);
/* Set the current phase, such as "compiling". Nothing is printed before the first phase. */
void sr_progress_phase(const char *phase);
/* Set the position within the phase: sr_progress_set_position("pass", 3, 12, "cse") shows "pass 3 of 12: cse". n == 0: the total is
 * unknown and not printed; `object` may be NULL. The strings must stay valid. */
void sr_progress_set_position(const char *unit, int64_t i, int64_t n, const char *object);
/* Show the compiler pass that runs, i of n. A callback for struct sr_compile_options. */
void sr_progress_compiling(const char *pass, int i, int n);
/* Clear the progress line before other output; the timer prints it again when due. May be called by a signal handler. */
void sr_progress_clear(void);
/* Print nothing until the next phase begins. */
void sr_progress_suspend(void);
/* Clear the line, and print nothing until the next phase. */
void sr_progress_stop(void);
/* Clear the line and stop, as sr_progress_stop does, before this process prints an error, which could mix with another process's
 * progress line. */
void sr_progress_clear_for_error(void);
void sr_progress_end(void);

/* Current position of the work, for other threads; `phase` is NULL before the first phase. */
struct sr_progress_position {
	const char *phase;
	int64_t i, n;
};
struct sr_progress_position sr_progress_read(void);

/* For the timer: return the seconds until the next output is due; negative if no output will be due. */
double sr_progress_due(void);
void sr_progress_draw(const struct sr_device *d);
/* From a signal handler: print the last message of this process: the strings of `why` (ended by NULL), then the current
 * position. */
void sr_progress_print_final(const char *const *why, const struct sr_device *d);
/* From a signal handler: print complete lines of text. */
void sr_progress_print_lines(const char *lines);

#endif
