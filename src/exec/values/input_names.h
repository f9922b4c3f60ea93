/* Which --input is for which argument: --input=VALUE in order, --input=NAME=VALUE by the name that the source gives the argument,
 * --input=@FILE of an archive by the names of its arrays, for arguments that no other --input gives. What parses as a type before
 * the first = is a type. Internal to exec and api. */
#ifndef SR_EXEC_VALUES_INPUT_NAMES_H
#define SR_EXEC_VALUES_INPUT_NAMES_H

#include "io/archive.h"
#include "ir/ir.h"
#include "program/program.h"
#include "support/knobs/knobs.h"
#include "support/map.h"

#define SR_KEEP_UNUSED "jax.jit leaves out arguments that are not used, unless keep_unused=True"

const char *const *sr_program_argument_names(const struct sr_program *p, struct sr_arena *arena); /* [n_arguments]; "": none */
const char *const *sr_func_argument_names(const struct sr_op *func, struct sr_arena *arena);      /* [n_inputs] */
/* texts[n], NULL before: the value of each argument that has one. *extra: inputs for which there is no argument. SR_USAGE,
 * reported, where a name is unknown or an argument is given twice. `archives`: those that are read for it. */
enum sr_status sr_inputs_assign(const sr_strings_list *inputs, const char *const *names, int n, struct sr_archives *archives,
			       const char **texts, int *extra, struct sr_arena *arena, struct sr_diags *diags);
/* The path that a name is, its parts with a dot between them: params.layer.0.w of params['layer'][0].w; NULL where it has none. */
const char *sr_name_path(struct sr_strings *strings, const char *name);
/* Its part for archives, archive_names.c: the arrays of one for the arguments that are not `given` [n], or for the one called
 * `name`, whose text stays where the archive has none of that name. */
enum sr_status sr_inputs_assign_archive(const struct sr_archive *archive, const char *const *names, int n, const bool *given,
				const char **texts, struct sr_arena *arena, struct sr_diags *diags);
enum sr_status sr_inputs_find_array(const struct sr_archive *archive, const char *name, const char **text, struct sr_arena *arena,
			     struct sr_diags *diags);

#endif
