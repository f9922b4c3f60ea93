/* A compiled program in place of a model, and its file. Internal to exec. */
#ifndef SR_EXEC_PROGRAM_FILE_H
#define SR_EXEC_PROGRAM_FILE_H

#include "exec/run.h"

/* The program that the file o->model holds: n bytes, which stay where they are, and its compiled units, where `own` says that
 * nobody but this user or the administrator may have written them; a warning where they cannot be used. SR_USAGE, reported, for
 * options that ask something of the module; SR_INVALID for a file that is not whole, not sound or of another version. */
enum sr_status sr_program_open(const struct sr_run_options *o, const char *bytes, size_t n, bool own, struct sr_arena *arena,
			       struct sr_diags *diags, const struct sr_program **out, struct sr_program_objects *units);
/* A copy in the arena. */
struct sr_program_objects sr_program_objects_copy(const struct sr_program_objects *units, struct sr_arena *arena);
/* The file o->program, which appears complete or not at all, with units for each target that is asked for, or else those that are
 * there. SR_USAGE, reported, where they cannot be compiled. */
enum sr_status sr_program_write(const struct sr_program *p, const struct sr_run_options *o, const struct sr_program_objects *units,
				struct sr_arena *arena, struct sr_diags *diags);

#endif
