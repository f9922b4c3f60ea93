/* Assignment of --input values to arguments: --input=VALUE in order, --input=NAME=VALUE by the argument's name in the source,
 * --input=@FILE of an archive by array names, for arguments without another --input. Text before the first = that parses as a
 * type is a type. Internal to exec and api. */
#ifndef SR_EXEC_VALUES_INPUT_NAMES_H
#define SR_EXEC_VALUES_INPUT_NAMES_H

#include "io/archive.h"
#include "ir/ir.h"
#include "program/program.h"
#include "support/knobs/knobs.h"
#include "support/map.h"

#define SR_KEEP_UNUSED "jax.jit leaves out arguments that are not used, unless keep_unused=True"

/* Return the name of each argument in the source, "" if it has none; length: number of arguments. */
const char *const *sr_program_argument_names(const struct sr_program *p, struct sr_arena *arena);
/* Return the name of each argument of a function; length: n_inputs. */
const char *const *sr_func_argument_names(const struct sr_op *func, struct sr_arena *arena);
/* Set texts[n], which starts as NULLs, to the input of each argument. *n_extra: number of inputs without an argument. Returns
 * SR_USAGE, reported, if a name is unknown or an argument has two inputs. `archives`: cache of opened archives. */
enum sr_status sr_inputs_assign(const sr_strings_list *inputs, const char *const *names, int n, struct sr_archives *archives,
				const char **texts, int *n_extra, struct sr_arena *arena, struct sr_diags *diags);
/* Normalize a name to a path of components joined by dots: params['layer'][0].w to params.layer.0.w; NULL if it has no
 * components. */
const char *sr_name_path(struct sr_strings *strings, const char *name);
/* Functions of archive_names.c. sr_inputs_assign_archive assigns an archive's arrays to the arguments for which is_given[n] is
 * false; sr_inputs_find_array finds the array for the argument `name` and leaves `text` unchanged if there is none. */
enum sr_status sr_inputs_assign_archive(const struct sr_archive *archive, const char *const *names, int n, const bool *is_given,
					const char **texts, struct sr_arena *arena, struct sr_diags *diags);
enum sr_status sr_inputs_find_array(const struct sr_archive *archive, const char *name, const char **text, struct sr_arena *arena,
				    struct sr_diags *diags);

#endif
