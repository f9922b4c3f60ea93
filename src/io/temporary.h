/* Temporary names of unfinished outputs: unique among concurrent runs, and deleted by a signal handler if the process is killed. */
#ifndef SR_IO_TEMPORARY_H
#define SR_IO_TEMPORARY_H

#include "support/diag.h"

/* Create an empty file that stands for `path` until it is complete; its name is sr_file_temporary_name(arena, path, *number),
 * allocated in the arena, which must outlive it. Any thread may call these functions for its own files. */
enum sr_status sr_temporary_make(struct sr_diags *diags, struct sr_arena *arena, const char *path, int *number);
/* Rename the completed temporary file to its final name. */
enum sr_status sr_temporary_finish(struct sr_diags *diags, struct sr_arena *arena, const char *path, int number);
/* Delete the incomplete file of an output that is given up. */
void sr_temporary_remove(struct sr_arena *arena, const char *path, int number);
/* Delete all files that the process has created and not finished. Async-signal-safe. */
void sr_temporaries_remove(void);

#endif
