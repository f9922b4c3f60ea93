/* Choice of the results that a loop carries to arguments, by --carry or by donation. Internal to exec/loop. */
#ifndef SR_EXEC_LOOP_CHOOSE_CARRY_H
#define SR_EXEC_LOOP_CHOOSE_CARRY_H

#include "exec/values/arrays.h"

/* Choose the pairs (result, argument) of the loop. `text` is the value of --carry; NULL: pairs come from donation. A donated
 * argument gets the result declared for it (tf.aliasing_output), or, among the remaining results of its type and sharding, one
 * whose name ends like the argument's, else the first. SR_USAGE, reported, if a name is unknown, types or shardings differ, an
 * argument is listed twice, or no result is left for a donated argument. is_filled: arguments that have a value from elsewhere;
 * length: number of arguments. */
enum sr_status sr_carry_choose(const struct sr_executable *e, const char *text, const bool *is_filled, struct sr_carried **pairs,
			       int *n, struct sr_arena *arena, struct sr_diags *diags);
/* Find a result by number or name. Returns SR_USAGE, reported with the nearest name, if no result has it. */
enum sr_status sr_result_find(const struct sr_program *p, const char *flag, const char *text, int *i, struct sr_diags *diags);
/* Return the result's name, or "result2" if it has none. */
const char *sr_result_name(const struct sr_program *p, int i, struct sr_arena *arena);

#endif
