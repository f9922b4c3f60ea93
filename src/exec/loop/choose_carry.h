/* Which results become which arguments, as the command line or donation says it. Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_CHOOSE_CARRY_H
#define SR_EXEC_LOOP_CHOOSE_CARRY_H

#include "run/carry.h"
#include "run/executable.h"

/* `text`: --carry, NULL: by donation. A donated argument takes the result that is declared for it (tf.aliasing_output), or of
 * those of its type and sharding the one whose name ends as its own, or else the first that is left. SR_USAGE, reported, where
 * a name is not known, types or shardings differ, an argument is named twice, or one that is donated finds no result. `given`:
 * [arguments] that something else fills. */
enum sr_status sr_carry_choose(const struct sr_executable *e, const char *text, const bool *given, struct sr_carried **pairs,
			       int *n, struct sr_arena *arena, struct sr_diags *diags);
/* A result or an argument by number or by name. SR_USAGE, reported with the nearest name, where there is none. */
enum sr_status sr_result_find(const struct sr_program *p, const char *flag, const char *text, int *i, struct sr_diags *diags);
/* A value's name, or "result2" where it has none. */
const char *sr_result_name(const struct sr_program *p, int i, struct sr_arena *arena);

#endif
