/* The names of what one file holds. */
#ifndef SR_IO_UNIQUE_NAMES_H
#define SR_IO_UNIQUE_NAMES_H

#include "support/arena.h"
#include "support/diag.h"
#include <stddef.h>

/* That no two of n are the same; SR_USAGE, reported, where they are: "two <what> are called '...'". */
enum sr_status sr_check_unique_names(struct sr_diags *diags, struct sr_arena *arena, const char *path, const char *what,
				     const char *const *names, size_t n);

#endif
