/* Loading of arguments and writing of results. Each rank accesses only its devices' slices of a file or generated value. */
#ifndef SR_EXEC_BIND_H
#define SR_EXEC_BIND_H

#include "exec/run.h"
#include "exec/values/arrays.h"
#include "io/archive.h"

/* Load all arguments of this rank's devices. */
enum sr_status sr_bind_arguments(const struct sr_arrays *a, const struct sr_run_options *o, struct sr_arena *arena, struct sr_diags *diags);
/* Check that there is an input for every argument, or none at all, and that outputs are not too many. */
enum sr_status sr_bind_check(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
			     struct sr_diags *diags);

/* Find the text of the --input for each argument: texts[n_arguments], NULL for an argument without input. `archives` starts as
 * {NULL}. */
enum sr_status sr_bind_match_inputs(const struct sr_program *p, const struct sr_run_options *o, struct sr_archives *archives,
				    const char ***texts, int *n_extra, struct sr_arena *arena, struct sr_diags *diags);
/* Collective on all ranks: verify the checksums of .npz inputs. */
enum sr_status sr_bind_check_sums(struct sr_launch *l, const struct sr_program *p, const struct sr_run_options *o,
				  struct sr_arena *arena, struct sr_diags *diags);

/* Return the type of argument i from its --input, with the declared element type if the file can hold it. A callback for struct
 * sr_compile_options; `data` is a struct sr_bind_types. */
struct sr_bind_types {
	const struct sr_run_options *o;
	const char **texts; /* text of each argument's --input; NULL before the first call */
	struct sr_archives archives;
};
const struct sr_type *sr_bind_argument_type(struct sr_context *ctx, void *data, const struct sr_op *func, int i,
					    const struct sr_type *declared, enum sr_status *status);

/* Check, before anything is computed, that every file to be written has a writable folder and that no two names are equal. Includes
 * the report's file if `report` is true, on rank 0. */
enum sr_status sr_bind_check_paths(const struct sr_run_options *o, bool report, struct sr_arena *arena, struct sr_diags *diags);
/* Write a text file atomically. "-" writes to `out`; a device or pipe is written directly. */
enum sr_status sr_bind_write_text(const char *path, const struct sr_buf *text, FILE *out, struct sr_arena *arena,
				  struct sr_diags *diags);

/* Load one value given by an option's text ("@x.npy", "4xf32=1 2 3 4") into a local buffer; if the buffer is NULL, only check the
 * text. `description` names the value in messages. `archives`: cache of opened archives, or NULL. */
enum sr_status sr_bind_value(const struct sr_program *p, const struct sr_io *io, struct sr_archives *archives, const char *flag,
			     const char *text, const char *description, const struct sr_device_slice *s, void *to,
			     struct sr_arena *arena, struct sr_diags *diags);

/* Clear n bytes at `to` if the slice has padding. */
void sr_bind_clear_padding(const struct sr_device_slice *s, int rank, void *to, int64_t n);

/* Collective on all ranks: write outputs and compare results. Files are created under temporary names by rank 0, written by the
 * owners of the slices, and renamed when all are complete. */
enum sr_status sr_bind_results(struct sr_arrays *a, const struct sr_run_options *o, struct sr_arena *arena,
			       struct sr_diags *diags);
#define SR_OUTPUT_RAW "@-" /* value of an --output that writes an .npy file to standard output */
/* Collective on all ranks: print the results that are written to streams, on rank 0, as text or as consecutive .npy files
 * (print_results.c). */
enum sr_status sr_bind_print(struct sr_arrays *a, const struct sr_run_options *o, struct sr_arena *arena,
			     struct sr_diags *diags);
/* Before the first step, check on one rank that the output folder accepts the outputs, and that expected values exist and have the
 * results' types. */
enum sr_status sr_bind_check_files(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
				   struct sr_diags *diags);

/* Run --interpret on the ranks of an open client (interpret.c). */
/* Check the options of --interpret, if it is given. */
enum sr_status sr_interpret_check_options(const struct sr_run_options *o, struct sr_diags *diags);
enum sr_status sr_interpret(struct sr_client *client, const struct sr_run_options *o);

#endif
