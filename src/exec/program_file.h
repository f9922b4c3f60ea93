/* Compiled programs as files: one given instead of a model, and writing one. Internal to exec. */
#ifndef SR_EXEC_PROGRAM_FILE_H
#define SR_EXEC_PROGRAM_FILE_H

#include "exec/run.h"

/* Open the compiled program in the file o->model: n bytes, used in place, and its object code, if `is_trusted` says that only this
 * user or the administrator may write the file; otherwise with a warning. SR_USAGE, reported, for options that need the module;
 * SR_INVALID for a file that is truncated, damaged or of another version. */
enum sr_status sr_program_open(const struct sr_run_options *o, const char *bytes, size_t n, bool is_trusted, struct sr_arena *arena,
			       struct sr_diags *diags, const struct sr_program **out, struct sr_program_objects *objects);
/* Copy object code to the arena. */
struct sr_program_objects sr_program_objects_copy(const struct sr_program_objects *objects, struct sr_arena *arena);
/* Write the file o->program atomically, with object code for each requested target, or else that in `objects`. SR_USAGE, reported,
 * if it cannot be compiled. */
enum sr_status sr_program_write(const struct sr_program *p, const struct sr_run_options *o,
				const struct sr_program_objects *objects, struct sr_arena *arena, struct sr_diags *diags);

#endif
