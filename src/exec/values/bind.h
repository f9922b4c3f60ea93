/* Arguments into the arena, results out of it: every rank touches only its devices' parts of a file or of a generated value. */
#ifndef SR_EXEC_BIND_H
#define SR_EXEC_BIND_H

#include "exec/run.h"
#include "io/archive.h"

/* Fill every argument of this rank's devices. */
enum sr_status sr_bind_arguments(const struct sr_executable *e, const struct sr_run_options *o, struct sr_arena *arena,
				 struct sr_diags *diags);
/* The number of inputs fits the program: all, or none. */
enum sr_status sr_bind_check(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
			     struct sr_diags *diags);

/* The text of each argument's --input [n_arguments]; NULL where it has none. `archives`: {NULL}. */
enum sr_status sr_bind_match_inputs(const struct sr_program *p, const struct sr_run_options *o, struct sr_archives *archives,
			     const char ***texts, int *extra, struct sr_arena *arena, struct sr_diags *diags);
/* Collective on all ranks: what was read of .npz files is what was written. */
enum sr_status sr_bind_check_sums(struct sr_launch *l, const struct sr_program *p, const struct sr_run_options *o,
				  struct sr_arena *arena, struct sr_diags *diags);

/* For struct sr_compile_options: the type of the --input for argument i, with the declared element type where the file can hold it.
 */
struct sr_bind_types {
	const struct sr_run_options *o;
	const char **texts; /* of the arguments, once the first was asked for */
	struct sr_archives archives;
};
/* data: struct sr_bind_types. */
const struct sr_type *sr_bind_argument_type(struct sr_context *ctx, void *data, const struct sr_op *func, int i,
					    const struct sr_type *declared, enum sr_status *status);

/* Every file to be written (the report by rank 0 alone) has a folder that takes it and a name of its own; said before anything
 * is computed. */
enum sr_status sr_bind_check_paths(const struct sr_run_options *o, bool report, struct sr_arena *arena, struct sr_diags *diags);
/* A whole text file, which appears complete or not at all; "-": out; what is no regular file is written as it is. */
enum sr_status sr_bind_write_text(const char *path, const struct sr_buf *text, FILE *out, struct sr_arena *arena,
				  struct sr_diags *diags);

/* One value by its flag's text ("@x.npy", "4xf32=1 2 3 4") into a local buffer; `what` is who wants it. NULL: it is only
 * checked. `archives`: read before, or NULL. */
enum sr_status sr_bind_value(const struct sr_program *p, const struct sr_io *io, struct sr_archives *archives, const char *flag,
			     const char *text, const char *what, const struct sr_device_slice *s, void *to, struct sr_arena *arena,
			     struct sr_diags *diags);

/* Outputs: created under temporary names by rank 0, written by their owners, renamed when all are done. Collective on all ranks. */
enum sr_status sr_bind_results(struct sr_executable *e, const struct sr_run_options *o, struct sr_arena *arena, struct sr_diags *diags);
#define SR_OUTPUT_RAW "@-" /* an --output: an .npy file on standard output */
/* The results that go to a stream, by rank 0: text, or .npy files one after another. Collective on all ranks. print_results.c */
enum sr_status sr_bind_print(struct sr_executable *e, const struct sr_run_options *o, struct sr_arena *arena, struct sr_diags *diags);
/* A device's files before the first step, while there is nothing to lose: its folder takes the outputs, which may be another
 * rank's, and what each result is to be compared with is there and has the result's type. */
enum sr_status sr_bind_check_files(const struct sr_program *p, const struct sr_run_options *o, struct sr_arena *arena,
				   struct sr_diags *diags);

/* --interpret, on the ranks of an open client. interpret.c */
enum sr_status sr_interpret_check_options(const struct sr_run_options *o, struct sr_diags *diags); /* if it is given */
enum sr_status sr_interpret(struct sr_client *client, const struct sr_run_options *o);

#endif
