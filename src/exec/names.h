/* Which --input is for which argument: --input=VALUE in order, --input=NAME=VALUE by the name that the source gives the argument.
 * What parses as a type before the first = is a type. Internal to exec and api. */
#ifndef SR_EXEC_NAMES_H
#define SR_EXEC_NAMES_H

#include "ir/ir.h"
#include "program/program.h"
#include "support/knobs.h"

#define SR_KEEP_UNUSED "jax.jit leaves out arguments that are not used, unless keep_unused=True"

const char *const *sr_program_argument_names(const struct sr_program *p, struct sr_arena *arena); /* [n_arguments]; "": none */
const char *const *sr_func_argument_names(const struct sr_op *func, struct sr_arena *arena);      /* [n_inputs] */
/* texts[n], NULL before: the value of each argument that has one. *extra: inputs for which there is no argument. SR_USAGE,
 * reported, where a name is unknown or an argument is given twice. */
enum sr_status sr_inputs_place(const sr_strings_list *inputs, const char *const *names, int n, const char **texts, int *extra,
			       struct sr_arena *arena, struct sr_diags *diags);

#endif
