/* All arguments or results at once, --inputs and --outputs. bundles.c; internal to values and run.c. */
#ifndef SR_EXEC_VALUES_BUNDLES_H
#define SR_EXEC_VALUES_BUNDLES_H

#include "exec/run.h"
#include "io/output.h"

/* What --inputs gives becomes an --input: an archive by its name, else a folder. */
void sr_bind_add_inputs(struct sr_run_options *o, struct sr_arena *arena);
bool sr_bind_has_own_output(const struct sr_run_options *o, size_t i); /* result i, by an --output of its own */
/* Where --outputs is a folder: the files of results in it, [n_results]; and the folder itself, if it is not there. */
void sr_bind_name_files(const struct sr_program *p, const struct sr_run_options *o, struct sr_output *outputs,
			struct sr_arena *arena);
enum sr_status sr_bind_make_folder(const struct sr_run_options *o, struct sr_arena *arena, struct sr_diags *diags);
/* Where it is a file: that it can hold the results; the file, collective on all ranks. */
enum sr_status sr_bind_check_bundle(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
				    struct sr_diags *diags);
enum sr_status sr_bind_write_bundle(struct sr_executable *e, const struct sr_run_options *o, struct sr_arena *arena,
				    struct sr_diags *diags);

#endif
