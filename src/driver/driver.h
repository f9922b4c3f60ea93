/* The registries of passes and pipelines, and the road from bytes to a program. shardopt and exec call this; so does the C API.
 */
#ifndef SR_DRIVER_DRIVER_H
#define SR_DRIVER_DRIVER_H

#include "ir/pass.h"
#include "partition/insert_probes.h"
#include "plan/estimate/estimate.h"
#include "plan/plan.h"
#include "program/program.h"
#include "support/cache.h"
#include "support/checked.h"
#include <stdio.h>

extern const struct sr_passes sr_all_passes;

enum sr_partition_mode { SR_PARTITION_CHEAP, SR_PARTITION_UPSTREAM, SR_PARTITION_REPLICATE }; /* as --partition has them */

/* Small collectives over the same groups that do not need each other: one where that takes less time, or as they are. */
enum sr_combine_collectives { SR_COMBINE_AUTO, SR_COMBINE_OFF };

/* Products, and the gathers before or the sums behind them, in pieces of which one is sent while another is computed: where that
 * takes less time, wherever there may be, or not. */
enum sr_decompose_matmul { SR_DECOMPOSE_MATMUL_AUTO, SR_DECOMPOSE_MATMUL_ON, SR_DECOMPOSE_MATMUL_OFF };

/* The nodes that a program is to run on; zeros: as the machine's figures say (ranks_per_node). */
struct sr_job_nodes {
	int64_t ranks, ranks_per_node; /* ranks 0: as many as the devices need */
	int64_t devices_per_rank;      /* at most; 0: the devices over the ranks, if that is a whole number, else 1 */
};
/* Return how many of n devices are on a node of the job, in the order of devices. */
int64_t sr_job_devices_per_node(const struct sr_job_nodes *nodes, int64_t n);
/* Return the machine of a file (path NULL: the default) with as many devices on a node as the job has, for a program of n devices;
 * in ctx->arena. NULL, with *status, if the file cannot be read. */
struct sr_machine *sr_machine_of_job(struct sr_context *ctx, const char *path, const struct sr_job_nodes *nodes, int64_t n,
				     enum sr_status *status);

/* What else is wanted of a compilation than its program. */
struct sr_compile_outputs {
	bool verify_each;
	const char *print_after; /* pass name or "all"; NULL: nothing. Printed to `dump` */
	struct sr_buf *dump;
	const char *explain;           /* which values' shardings (propagate/explain.h); NULL: none */
	const char *explain_partition; /* which values' layouts after the search; NULL: none */
	struct sr_buf *explanation;    /* both are written there */
	const char *show;              /* which values' shardings to draw (driver/show_sharding.h); NULL: none */
	struct sr_buf *picture;        /* drawn there */
	struct sr_buf *page;           /* the program as an HTML page (driver/page.h); NULL: none */
};

struct sr_compile_options {
	const char *function;
	enum sr_partition_mode partition;
	enum sr_overlap overlap;
	enum sr_combine_collectives combine;
	enum sr_decompose_matmul decompose_matmul;
	bool interpret;      /* as written: no propagation, no partition */
	const char *machine; /* a file of its figures (cost/machine_text.h), part of what decides the plan; NULL: the default */
	struct sr_job_nodes nodes; /* part of what decides the plan, too */
	int line_offset;     /* lines before the text in its file */
	/* The type of what is given for the entry's argument i, whose declared type leaves dimensions open; NULL: nothing is
	 * given. NULL itself: nothing for any argument. */
	const struct sr_type *(*argument_type)(struct sr_context *ctx, void *data, const struct sr_op *func, int i,
					       const struct sr_type *declared, enum sr_status *status);
	void *argument_data;
	const char *const *calls; /* [n_calls]: targets of custom calls that the run has kernels for */
	size_t n_calls;
	const struct sr_tune_options *tune; /* plans to try before one is taken (driver/tune.h); NULL: none */
	double memory_price; /* bytes on the wire that holding a byte all the while is worth; 0: memory does not count */
	int64_t memory;      /* bytes of a device for which values are made again that cost more to make; 0: none are */
	bool keep_slice_shardings;    /* dynamic slices and updates keep propagation's shardings: tried where nothing else fits */
	/* Told what begins; i from 1 to n of a pipeline, 0: not counted. NULL: nobody. */
	void (*progress)(const char *pass, int i, int n);
	const struct sr_probe_options *probes; /* values to look at while it runs; NULL: none */
	bool unshard;                      /* behind propagation: the whole module for one device */
	bool keep_results; /* as propagation says, also those that nobody gave a sharding: they go back to arguments */
	struct sr_compile_outputs outputs;
};

/* Bytes that a device may have; 0: not said. */
struct sr_memory_limits {
	int64_t asked; /* --memory-per-device: plans that fit are looked for */
	int64_t slurm; /* its part of what Slurm gave the job of a node */
};

/* A plan that was tried before one was taken (tune.h). */
struct sr_candidate {
	const char *mesh; /* "data=4,model=2" */
	double price;     /* bytes on the wire that holding a byte all the while was worth */
	int64_t memory;   /* bytes for which values are made again; 0: only cheap ones are */
	bool keep_slice_shardings;
	struct sr_estimate estimate;
	int64_t wire_bytes, peak_bytes;
	const char *over; /* bytes on the wire by axes of the mesh: "data 1.2 GB, model 30 MB" */
	const char *why;  /* there is no plan; NULL: there is one */
	bool chosen;
};
struct sr_candidates {
	struct sr_candidate *at;
	int n; /* 0: nothing was tried */
	struct sr_memory_limits limits;
};
/* tune_table.c */
void sr_candidates_print(const struct sr_candidates *c, struct sr_arena *arena, struct sr_buf *out);
void sr_report_candidates(struct sr_json *j, const struct sr_candidates *c);
struct sr_candidates sr_candidates_copy(const struct sr_candidates *c, struct sr_arena *arena);

struct sr_compile_times {
	double parse_s, propagate_s, partition_s, optimize_s, plan_s, total_s;
	double jit_s; /* making or fetching compiled units, for a run; no part of total_s */
	bool kept;      /* the program comes from the cache */
};

struct sr_compiled {
	struct sr_op *module; /* the local module */
	const struct sr_program *program;
	struct sr_compile_times times;
	const struct sr_mesh *mesh; /* NULL: one device */
	int64_t n_devices, n_replicas;
	struct sr_candidates candidates;
	bool depends_on_arguments; /* what is given for the arguments decided of it, not the module and the options alone */
};

/* What `text` is, told from its first bytes: MLIR text, a portable artifact (MLIR bytecode), what jax.export
 * serialized, HLO text. Text must outlive ctx. */
enum sr_status sr_compile(struct sr_context *ctx, const char *file, const char *text, size_t n,
			  const struct sr_compile_options *options, struct sr_compiled *out);
/* The same of a module that was read and verified in ctx, which is changed: it becomes the local module. */
enum sr_status sr_compile_module(struct sr_context *ctx, const char *file, struct sr_op *module,
				 const struct sr_compile_options *options, struct sr_compiled *out);

/* ---- programs kept between runs (program_cache.c) ---- */
struct sr_cached_program {
	const struct sr_cache *cache; /* NULL: this one is to be compiled each time */
	struct sr_digest key;         /* of the module, the options that decide of its program, and this build */
};
/* Options that want more of a compilation than its program are compiled. */
void sr_cached_program_of(struct sr_context *ctx, const struct sr_cache *cache, const char *file, const char *text, size_t n,
			const struct sr_compile_options *options, struct sr_cached_program *out);
const struct sr_program *sr_cached_program_get(struct sr_context *ctx, const struct sr_cached_program *kept); /* NULL: there is none */
/* Unless there is something to say about the module, which is to be said each time, or other things decided of it. */
void sr_cached_program_put(struct sr_context *ctx, const struct sr_cached_program *kept, const struct sr_compiled *compiled);

/* ctx->machine from the file; NULL: it stays the default. */
enum sr_status sr_read_machine(struct sr_context *ctx, const char *path);

/* SR_INVALID, reported, for what is neither text nor bytecode; *text becomes the bytecode inside of what jax.export serialized. */
enum sr_status sr_check_format(struct sr_context *ctx, const char *file, const char **text, size_t *n);
void sr_ops_print(struct sr_buf *out); /* --list-ops: name and signature of every op */

/* Is `pass` in the comma-separated list of names, or the list "all"? */
bool sr_pass_list_contains(const char *list, const char *pass);

extern const struct sr_pass sr_driver_passes[]; /* pipelines of the default road */

/* ---- unconstrained_results.c ---- */
/* Of the entry: `function`, or NULL, the module's own. SR_USAGE, reported: there is none of this name. */
enum sr_status sr_mark_unconstrained_results(struct sr_context *ctx, struct sr_op *module, const char *function);
enum sr_status sr_mark_unconstrained_results_pass(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *o);

/* A whole file, or standard input for "-", into memory that lives as long as ctx; at most `most` bytes (0: 16 GiB, or a quarter of
 * this machine's memory where that is less), since a pipe or a device may never end. */
enum sr_status sr_read_file(struct sr_context *ctx, const char *path, int64_t most, const char **text, size_t *n);
/* The same; *own: it is a file that nobody but this user, or the administrator, may have written. */
enum sr_status sr_read_own_file(struct sr_context *ctx, const char *path, int64_t most, const char **text, size_t *n, bool *own);

/* The report's JSON up to "plan"; exec adds "run". Leaves the object open. */
void sr_report_plan(struct sr_json *json, const struct sr_program *program, const struct sr_compile_times *times,
		    struct sr_arena *arena);
struct sr_node_plan; /* plan/internode_traffic.h */
/* "nodes". placement: how devices are placed; NULL: nothing runs. */
void sr_report_nodes(struct sr_json *json, const struct sr_program *program, const struct sr_node_plan *nodes,
		     const char *placement);
/* A line of the summary. */
void sr_node_plan_print(const struct sr_program *program, const struct sr_node_plan *nodes, struct sr_buf *out);

/* ---- shardopt: one compiler stage at a time, mlir-opt's command line ---- */
struct sr_opt_options {
	bool split_input_file, verify_diagnostics, generic, debuginfo, local_scope, allow_unregistered, verify_each,
		print_after_all, timing, dump_pipeline;
	const char *print_before, *print_after, *pipeline, *output;
	const char *explain, *explain_partition; /* printed instead of the module */
	int64_t elide_larger;
	int64_t max_model_bytes; /* 0: sr_read_file's default */
	const char *machine; /* a file of its figures; NULL: the default */
};
struct sr_opt_pass {
	const char *name, *options; /* as on the command line; options NULL: none */
};
/* Read `path`, run the passes on each piece, print to the output file or standard output, messages to standard error. SR_OK or
 * another status; shardopt exits with 0 or 1. */
enum sr_status sr_opt_run(const char *path, const struct sr_opt_options *options, const struct sr_opt_pass *passes, int n_passes);

/* SR_USAGE, reported: nothing in the module is what was asked for. */
enum sr_status sr_explain_missing(struct sr_context *ctx, const char *option, const char *what);

/* The next line that ends with "// -----", where a piece of a split file ends; NULL: none. */
const char *sr_split_marker(const char *p, const char *end);

/* -verify-diagnostics: every message is expected on its line, and every expectation comes. Unmet ones are printed to `out`. */
bool sr_expectations_met(struct sr_arena *arena, const struct sr_diags *diags, const char *file, const char *text, size_t n,
			 int line_offset, FILE *out);

#endif
