/* What a step needs of a device by its plan, as text for a person who wants it to fit: memory, what takes it, and time. */
#ifndef SR_EXEC_NEEDS_H
#define SR_EXEC_NEEDS_H

#include "program/program.h"
#include "support/buf.h"

void sr_needs_print(const struct sr_program *p, struct sr_arena *arena, struct sr_buf *out);

#endif
