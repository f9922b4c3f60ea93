/* --inputs and --outputs: values of several arguments or results in one file or folder. Implemented in bundles.c; internal to
 * exec/values and run.c. */
#ifndef SR_EXEC_VALUES_BUNDLES_H
#define SR_EXEC_VALUES_BUNDLES_H

#include "exec/run.h"
#include "exec/values/arrays.h"
#include "io/output.h"

/* Turn the value of each --inputs into an --input: an archive by its file name, else a folder. */
void sr_bind_add_inputs(struct sr_run_options *o, struct sr_arena *arena);
/* If --outputs is a folder, set the file name of each result that is written to it [n_results], and create the folder if it does
 * not exist. */
void sr_bind_name_files(const struct sr_program *p, const struct sr_run_options *o, struct sr_output *outputs,
			struct sr_arena *arena);
enum sr_status sr_bind_make_folder(const struct sr_run_options *o, struct sr_arena *arena, struct sr_diags *diags);
/* If --outputs is a file: sr_bind_check_bundle checks that it can hold the results, and sr_bind_write_bundle writes it,
 * collectively on all ranks. */
enum sr_status sr_bind_check_bundle(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
				    struct sr_diags *diags);
enum sr_status sr_bind_write_bundle(const struct sr_arrays *a, const struct sr_run_options *o, struct sr_arena *arena,
				    struct sr_diags *diags);

#endif
