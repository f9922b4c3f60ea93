/* The progress of long work on standard error: one line that is drawn over itself on a terminal, a line now and then elsewhere.
 * What is done is noted as it changes, which costs a few stores; the watch's timer draws it (exec/watch.h). */
#ifndef SR_EXEC_PROGRESS_H
#define SR_EXEC_PROGRESS_H

#include "run/device.h"
#include <stdbool.h>

enum sr_progress_mode { SR_PROGRESS_AUTO, SR_PROGRESS_LINE, SR_PROGRESS_LOG, SR_PROGRESS_NONE };
#define SR_PROGRESS_VARIABLE "SHARDRUN_PROGRESS" /* the mode, of ranks whose standard error a launcher passes on */

/* What follows is long work from now on, drawn to `fd` where this process `speaks`. AUTO takes the mode by what fd is. Each
 * `interval` seconds; 0: as suits the mode. */
void sr_progress_begin(enum sr_progress_mode mode, double interval, int fd, bool speaks);
/* `fd` is a terminal whose line can be drawn again. */
bool sr_progress_is_terminal(int fd);
/* What is done now: "compiling". Nothing is drawn before the first phase. */
void sr_progress_phase(const char *phase);
/* Where in the phase: "pass", 3, 12, "cse"; n 0: not counted; `what` may be NULL. The strings stay. */
void sr_progress_set_position(const char *unit, int64_t i, int64_t n, const char *what);
/* For struct sr_compile_options. */
void sr_progress_compiling(const char *pass, int i, int n);
/* Something else is to be printed: the line goes, and comes back when it is due. May be called by a signal handler. */
void sr_progress_clear(void);
/* Draw nothing until the next phase. */
void sr_progress_suspend(void);
/* Both: the line goes and stays away. */
void sr_progress_stop(void);
/* The same where this process has an error to tell, whose message may meet the line of the one that draws. */
void sr_progress_clear_for_error(void);
void sr_progress_end(void);

/* What is done now, for who tells others of it; phase NULL: nothing yet. */
struct sr_progress_position {
	const char *phase;
	int64_t i, n;
};
struct sr_progress_position sr_progress_read(void);

/* For the watch: seconds until something is to be drawn, negative for never; and draw it, in a signal handler. `d` names the
 * step where one is being played; may be NULL. */
double sr_progress_due(void);
void sr_progress_draw(const struct sr_device *d);
/* Likewise, the last that this process says: `why` (parts of one text, NULL behind them), and how far it was. */
void sr_progress_print_final(const char *const *why, const struct sr_device *d);
/* Likewise: lines that say it all. */
void sr_progress_print_lines(const char *lines);

#endif
