/* Check that the names of the arrays in one file are unique. */
#ifndef SR_IO_UNIQUE_NAMES_H
#define SR_IO_UNIQUE_NAMES_H

#include "support/arena.h"
#include "support/diag.h"
#include <stddef.h>

/* Return SR_USAGE and report "two <what> are called '...'" if two of the n names are equal. */
enum sr_status sr_check_unique_names(struct sr_diags *diags, struct sr_arena *arena, const char *path, const char *kind,
				     const char *const *names, size_t n);

#endif
