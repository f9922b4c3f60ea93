/* Compiled programs as files: opening one that is given instead of a model, and writing one. Internal to exec. */
#ifndef SR_EXEC_PROGRAM_FILE_H
#define SR_EXEC_PROGRAM_FILE_H

#include "exec/run.h"

/* Open the compiled program in the file o->model, whose n bytes are used in place. Its object code is used only if `is_trusted`,
 * which says that only this user or the administrator may write the file; otherwise a warning is reported. SR_USAGE, reported, for
 * options that need the module; SR_INVALID for a file that is truncated, damaged or of another version. */
enum sr_status sr_program_open(const struct sr_run_options *o, const char *bytes, size_t n, bool is_trusted, struct sr_arena *arena,
			       struct sr_diags *diags, const struct sr_program **out, struct sr_program_objects *objects);
/* Return a copy of the object code in the arena. */
struct sr_program_objects sr_program_objects_copy(const struct sr_program_objects *objects, struct sr_arena *arena);
/* Write the program to the file o->program atomically, with object code for each requested target, or with the existing code in
 * `objects`. Returns SR_USAGE, reported, if object code cannot be compiled. */
enum sr_status sr_program_write(const struct sr_program *p, const struct sr_run_options *o,
				const struct sr_program_objects *objects, struct sr_arena *arena, struct sr_diags *diags);

#endif
