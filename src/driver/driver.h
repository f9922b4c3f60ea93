/* The pass registry and the default pipeline from bytes to a program. Used by shardopt, exec and the C API. */
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

enum sr_partition_mode { SR_PARTITION_CHEAP, SR_PARTITION_UPSTREAM, SR_PARTITION_REPLICATE }; /* values of --partition */

/* --combine-collectives: combine small independent collectives over the same groups if that takes less time, or never. */
enum sr_combine_collectives { SR_COMBINE_AUTO, SR_COMBINE_OFF };

/* --decompose-matmul: decompose matrix products with their gathers or reductions into chunks, so that one is sent while another
 * is computed: if that takes less time, wherever possible, or never. */
enum sr_decompose_matmul { SR_DECOMPOSE_MATMUL_AUTO, SR_DECOMPOSE_MATMUL_ON, SR_DECOMPOSE_MATMUL_OFF };

/* The nodes that a program is to run on; all zero: as the machine file says (ranks_per_node). */
struct sr_job_nodes {
	int64_t ranks, ranks_per_node; /* ranks = 0: as many as the devices need */
	int64_t devices_per_rank;      /* at most; 0: devices / ranks if that is an integer, else 1 */
};
/* Return how many of n devices, in device order, are on one node of the job. */
int64_t sr_job_devices_per_node(const struct sr_job_nodes *nodes, int64_t n);
/* Return the machine of a file (path NULL: the default) with the job's devices per node, for a program of n devices; allocated
 * in ctx->arena. NULL, with *status, if the file cannot be read. */
struct sr_machine *sr_machine_of_job(struct sr_context *ctx, const char *path, const struct sr_job_nodes *nodes, int64_t n,
				     enum sr_status *status);

/* What to write about a compilation besides its program. */
struct sr_compile_outputs {
	bool verify_each;
	const char *print_after; /* pass names or "all", whose IR is printed to `dump`; NULL: none */
	struct sr_buf *dump;
	const char *explain;           /* values whose shardings to explain (propagate/explain.h); NULL: none */
	const char *explain_partition; /* values whose layouts after the search to explain; NULL: none */
	struct sr_buf *explanation;    /* receives both explanations */
	const char *show;              /* values whose shardings to draw (driver/show_sharding.h); NULL: none */
	struct sr_buf *picture;        /* receives the drawings */
	struct sr_buf *page;           /* receives the program as an HTML page (driver/page.h); NULL: none */
	struct sr_buf *local_module;   /* receives the local module in StableHLO, after it was optimized; NULL: none */
};

struct sr_compile_options {
	const char *function;
	int64_t n_replicas, n_partitions; /* of a module that does not say them (mhlo.num_replicas, mhlo.num_partitions); 0: 1 */
	enum sr_partition_mode partition;
	enum sr_overlap overlap;
	enum sr_combine_collectives combine;
	enum sr_decompose_matmul decompose_matmul;
	bool interpret;      /* run the program as written: no propagation, no partition */
	const char *machine; /* machine file (cost/machine_text.h), part of the plan's key; NULL: the default */
	struct sr_job_nodes nodes; /* part of the plan's key, too */
	const char *axis_order; /* likewise: the order of placement (sr_mesh_axis_order); NULL: as the program sends least */
	int line_offset;     /* lines of the file before the text */
	/* Return the type of the value given for the entry's argument i, whose declared type has dynamic dimensions; NULL: none
	 * is given. A NULL function gives no types. */
	const struct sr_type *(*argument_type)(struct sr_context *ctx, void *data, const struct sr_op *func, int i,
					       const struct sr_type *declared, enum sr_status *status);
	void *argument_data;
	const char *const *calls; /* [n_calls]: custom call targets for which the run has FFI handlers */
	size_t n_calls;
	bool keep_unused_donors; /* see struct sr_plan_options */
	const struct sr_tune_options *tune; /* plans to try before one is chosen (driver/tune.h); NULL: none */
	double memory_price; /* price of a byte that is occupied during the whole step, in bytes sent; 0: memory is free */
	int64_t memory;      /* bytes of a device; expensive values are rematerialized to fit; 0: none are */
	bool keep_slice_shardings;    /* dynamic slices and updates keep propagation's shardings: tried if no other plan fits */
	/* Called when a pass begins; i of n counts passes of a pipeline, 0: not counted. May be NULL. */
	void (*progress)(const char *pass, int i, int n);
	const struct sr_probe_options *probes; /* values to probe during execution; NULL: none */
	bool unshard;                      /* after propagation, compile the whole module for one device */
	bool keep_results; /* results without a user's sharding keep propagation's: they become arguments of the next step */
	struct sr_compile_outputs outputs;
};

/* Memory limits of a device in bytes; 0: none. */
struct sr_memory_limits {
	int64_t requested; /* --memory-per-device: the chosen plan must fit */
	int64_t slurm; /* the device's share of the node memory that Slurm granted */
};

/* A plan that was tried before one was chosen (tune.h). */
struct sr_candidate {
	const char *mesh; /* "data=4,model=2" */
	double price;     /* price of memory, as sr_compile_options.memory_price */
	int64_t memory;   /* memory limit for rematerialization in bytes; 0: only cheap values */
	bool keep_slice_shardings;
	struct sr_estimate estimate;
	int64_t wire_bytes, peak_bytes;
	const char *over; /* wire bytes by mesh axes: "data 1.2 GB; model 30 MB" */
	const char *why;  /* why there is no plan; NULL: there is one */
	bool chosen;
};
struct sr_candidates {
	struct sr_candidate *at;
	int n; /* 0: no plans were tried */
	struct sr_memory_limits limits;
};
/* tune_table.c */
void sr_candidates_print(const struct sr_candidates *c, struct sr_arena *arena, struct sr_buf *out);
void sr_report_candidates(struct sr_json *j, const struct sr_candidates *c);
struct sr_candidates sr_candidates_copy(const struct sr_candidates *c, struct sr_arena *arena);

struct sr_compile_times {
	double parse_s, propagate_s, partition_s, optimize_s, plan_s, total_s;
	double jit_s; /* compiling or loading JIT modules for a run; not part of total_s */
	bool kept;      /* the program came from the cache */
};

struct sr_compiled {
	struct sr_op *module; /* the local module */
	const struct sr_program *program;
	struct sr_compile_times times;
	const struct sr_mesh *mesh; /* NULL: one device */
	int64_t n_devices, n_replicas;
	struct sr_candidates candidates;
	bool depends_on_arguments; /* the values given for the arguments influenced the program, besides module and options */
};

/* Compile a program. The format of `text` is detected from its first bytes: MLIR text, a portable artifact (MLIR bytecode),
 * jax.export's serialization, HLO text. Text must outlive ctx. */
enum sr_status sr_compile(struct sr_context *ctx, const char *file, const char *text, size_t n,
			  const struct sr_compile_options *options, struct sr_compiled *out);
/* Compile a module that was parsed and verified in ctx. It is changed: it becomes the local module. */
enum sr_status sr_compile_module(struct sr_context *ctx, const char *file, struct sr_op *module,
				 const struct sr_compile_options *options, struct sr_compiled *out);

/* ---- cached programs (program_cache.c) ---- */
struct sr_cached_program {
	const struct sr_cache *cache; /* NULL: the program is not cached */
	struct sr_digest key;         /* digest of the module, the options that influence the program, and this build */
};
/* Compute the cache key. Options that produce more than a program disable the cache. */
void sr_cached_program_of(struct sr_context *ctx, const struct sr_cache *cache, const char *file, const char *text, size_t n,
			  const struct sr_compile_options *options, struct sr_cached_program *out);
const struct sr_program *sr_cached_program_get(struct sr_context *ctx, const struct sr_cached_program *kept); /* the cached program, or NULL */
/* Store the program, unless the compilation had messages, which must be repeated each time, or depended on argument values. */
void sr_cached_program_put(struct sr_context *ctx, const struct sr_cached_program *kept, const struct sr_compiled *compiled);

/* Print a local module in plain StableHLO: without meshes, shardings and our own attributes. */
void sr_print_local_module(struct sr_context *ctx, const struct sr_op *module, struct sr_buf *out);

/* Set ctx->machine from a machine file; path NULL: keep the default. */
enum sr_status sr_read_machine(struct sr_context *ctx, const char *path);

/* Check the input format: SR_INVALID, reported, for input that is neither text nor bytecode. *text becomes the bytecode inside
 * jax.export's serialization. */
enum sr_status sr_check_format(struct sr_context *ctx, const char *file, const char **text, size_t *n);
void sr_ops_print(struct sr_buf *out); /* --list-ops: print name and signature of every op */

/* Return true if `pass` is in the comma-separated list, or the list is "all". */
bool sr_pass_list_contains(const char *list, const char *pass);

extern const struct sr_pass sr_driver_passes[]; /* stages of the default pipeline */

/* ---- unconstrained_results.c ---- */
/* Mark results of the entry that may take any sharding. function NULL: the module's own entry. SR_USAGE, reported: no such
 * function. */
enum sr_status sr_mark_unconstrained_results(struct sr_context *ctx, struct sr_op *module, const char *function);
enum sr_status sr_mark_unconstrained_results_pass(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *o);

/* Read a file, or standard input for "-", into memory that lives as long as ctx; at most `most` bytes (0: 16 GiB, or a quarter
 * of physical memory if that is less), since pipes and devices may be endless. */
enum sr_status sr_read_file(struct sr_context *ctx, const char *path, int64_t most, const char **text, size_t *n);
/* The same. *own: the file is regular, owned by this user or root, and not writable by others. */
enum sr_status sr_read_own_file(struct sr_context *ctx, const char *path, int64_t most, const char **text, size_t *n, bool *own);

/* Write the report's JSON up to and including "plan"; exec adds "run". Leaves the object open. */
void sr_report_plan(struct sr_json *json, const struct sr_program *program, const struct sr_compile_times *times,
		    struct sr_arena *arena);
struct sr_node_plan; /* plan/internode_traffic.h */
/* Write "nodes". placement: name of the placement in use; NULL: the program is not run. */
void sr_report_nodes(struct sr_json *json, const struct sr_program *program, const struct sr_node_plan *nodes,
		     const char *placement);
/* Print the line of the summary about internode traffic. */
void sr_node_plan_print(const struct sr_program *program, const struct sr_node_plan *nodes, struct sr_buf *out);

/* ---- shardopt: one compiler stage at a time, mlir-opt's command line ---- */
struct sr_opt_options {
	bool split_input_file, verify_diagnostics, generic, debuginfo, local_scope, allow_unregistered, verify_each,
		print_after_all, timing, dump_pipeline;
	const char *print_before, *print_after, *pipeline, *output;
	const char *explain, *explain_partition; /* printed instead of the module; NULL: none */
	int64_t elide_larger;
	int64_t max_model_bytes; /* 0: the default of sr_read_file */
	const char *machine; /* machine file; NULL: the default */
};
struct sr_opt_pass {
	const char *name, *options; /* as on the command line; options may be NULL */
};
/* Read `path`, run the passes on each part of a split file, print to the output file or standard output, messages to standard
 * error. shardopt exits with 0 for SR_OK, else 1. */
enum sr_status sr_opt_run(const char *path, const struct sr_opt_options *options, const struct sr_opt_pass *passes, int n_passes);

/* Report SR_USAGE: no value of the module matches the request. */
enum sr_status sr_explain_missing(struct sr_context *ctx, const char *option, const char *what);

/* Find the next "// -----" at the end of a line, which separates parts of a split file; NULL: none. */
const char *sr_split_marker(const char *p, const char *end);

/* -verify-diagnostics: return true if every message is expected on its line and every expectation is met. The others are printed
 * to `out`. */
bool sr_expectations_met(struct sr_arena *arena, const struct sr_diags *diags, const char *file, const char *text, size_t n,
			 int line_offset, FILE *out);

#endif
