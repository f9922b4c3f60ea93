/* Outputs while they are written: temporary names that no other run has, and that a signal handler can remove. */
#ifndef SR_IO_TEMPORARY_H
#define SR_IO_TEMPORARY_H

#include "support/diag.h"

/* Make the empty file that `path` is until it is complete; its name is sr_file_temporary_name(arena, path, *number). The arena
 * outlives it. Any thread may call these functions, for its own files. */
enum sr_status sr_temporary_make(struct sr_diags *diags, struct sr_arena *arena, const char *path, int *number);
/* Complete: it gets its own name. */
enum sr_status sr_temporary_finish(struct sr_diags *diags, struct sr_arena *arena, const char *path, int number);
/* Not to be completed: unlink it. */
void sr_temporary_remove(struct sr_arena *arena, const char *path, int number);
/* Unlink all that the process has made and not finished, from a signal handler too. */
void sr_temporaries_remove(void);

#endif
