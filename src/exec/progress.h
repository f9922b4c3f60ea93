/* Progress of long work on standard error: on a terminal one line that is redrawn, otherwise a line from time to time. Code
 * records its position with a few stores; the timer of exec/watch.h prints it. */
#ifndef SR_EXEC_PROGRESS_H
#define SR_EXEC_PROGRESS_H

#include "run/device.h"
#include <stdbool.h>

enum sr_progress_mode { SR_PROGRESS_AUTO, SR_PROGRESS_LINE, SR_PROGRESS_LOG, SR_PROGRESS_NONE };
/* environment variable with the mode, for ranks whose standard error passes through a launcher */
#define SR_PROGRESS_VARIABLE "SHARDRUN_PROGRESS"

/* Start progress output to `fd` if `is_reporter`. AUTO chooses the mode by the kind of fd. Printed every `interval`
 * seconds; 0: a default for the mode. */
void sr_progress_begin(enum sr_progress_mode mode, double interval, int fd, bool is_reporter);
/* Return true if `fd` is a terminal that can redraw a line. */
bool sr_progress_is_terminal(int fd);
/* Set the current phase: "compiling". Nothing is printed before the first phase. */
void sr_progress_phase(const char *phase);
/* Set the position in the phase: "pass", 3, 12, "cse"; n == 0: not counted; `what` may be NULL. The strings must stay valid. */
void sr_progress_set_position(const char *unit, int64_t i, int64_t n, const char *what);
/* Callback for struct sr_compile_options. */
void sr_progress_compiling(const char *pass, int i, int n);
/* Clear the line before other output; it is redrawn when due. May be called by a signal handler. */
void sr_progress_clear(void);
/* Print nothing until the next phase. */
void sr_progress_suspend(void);
/* Clear the line, and print nothing until the next phase. */
void sr_progress_stop(void);
/* As sr_progress_stop before this process prints an error, which could mix with another process's progress line. */
void sr_progress_clear_for_error(void);
void sr_progress_end(void);

/* Current position, for other threads; phase NULL: none yet. */
struct sr_progress_position {
	const char *phase;
	int64_t i, n;
};
struct sr_progress_position sr_progress_read(void);

/* For the timer: seconds until the next output is due, negative: never; and print it, from a signal handler. `d` is the device
 * whose current instruction is named, or NULL. */
double sr_progress_due(void);
void sr_progress_draw(const struct sr_device *d);
/* From a signal handler: print the last message of this process, the texts `why` (NULL-terminated) and the current position. */
void sr_progress_print_final(const char *const *why, const struct sr_device *d);
/* From a signal handler: print complete lines. */
void sr_progress_print_lines(const char *lines);

#endif
