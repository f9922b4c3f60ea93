/* The pass registry and the default pipeline from bytes to a program. Used by shardopt, exec, the C API and the PJRT plugin. */
#ifndef SR_DRIVER_DRIVER_H
#define SR_DRIVER_DRIVER_H

#include "ir/pass.h"
#include "partition/insert_probes.h"
#include "plan/estimate/estimate.h"
#include "plan/plan.h"
#include "program/program.h"
#include "support/cache.h"
#include "support/checked.h"
#include "support/knobs/suggest.h"
#include <stdio.h>

extern const struct sr_passes sr_compiler_passes; /* the passes from which the compiler's pipelines are made */

/* the partitioners that --partition selects */
enum sr_partition_mode { SR_PARTITION_CHEAP, SR_PARTITION_UPSTREAM, SR_PARTITION_REPLICATE };

/* --strip-mine: compute attention in blocks of rows where its scores exceed the caches, and large products of few rows for several
 * iterations of a loop at once; in small blocks wherever possible; or never. */
enum sr_strip_mine { SR_STRIP_MINE_AUTO, SR_STRIP_MINE_ON, SR_STRIP_MINE_OFF };
/* --combine-collectives: combine small independent collectives over the same groups if that takes less time, or never. */
enum sr_combine_collectives { SR_COMBINE_AUTO, SR_COMBINE_OFF };

/* --decompose-matmul: decompose matrix products with their gathers or reductions into chunks, so that one is sent while another
 * is computed: if that takes less time, wherever possible, or never. */
enum sr_decompose_matmul { SR_DECOMPOSE_MATMUL_AUTO, SR_DECOMPOSE_MATMUL_ON, SR_DECOMPOSE_MATMUL_OFF };
/* --winograd: compute 3x3 convolutions by Winograd's algorithm where it is faster, or never */
enum sr_winograd { SR_WINOGRAD_AUTO, SR_WINOGRAD_OFF };

/* The nodes on which a program is to run. All zero: nodes are as the machine file says (ranks_per_node). */
struct sr_job_nodes {
	/* number of ranks of the job, 0: as many as the devices need; number of ranks on each node */
	int64_t ranks, ranks_per_node;
	/* maximum number of devices per rank; 0: devices / ranks if the quotient is an integer, else 1 */
	int64_t devices_per_rank;
};
/* Return the machine described by a file (path NULL: the default) with the job's devices per node, for a program of n devices.
 * The result is in ctx->arena. Return NULL and set *status if the file cannot be read. */
struct sr_machine *sr_machine_of_job(struct sr_context *ctx, const char *path, const struct sr_job_nodes *nodes, int64_t n,
				     enum sr_status *status);

/* What a compilation writes besides its program. */
struct sr_compile_outputs {
	bool verify_each;
	const char *print_after; /* pass names or "all", whose IR is printed to `dump`; NULL: none */
	struct sr_buf *dump;
	const char *explain;           /* values whose shardings to explain (propagate/explain.h); NULL: none */
	const char *explain_partition; /* values whose layouts after the search to explain; NULL: none */
	struct sr_buf *explanation;    /* receives the explanations of shardings and of layouts */
	const char *shown_values;              /* values whose shardings to draw (driver/show_sharding.h); NULL: none */
	struct sr_buf *drawings;        /* output: drawings of the shardings of `shown_values` */
	struct sr_buf *page;           /* receives the program as an HTML page (driver/page.h); NULL: none */
	struct sr_buf *local_module;   /* receives the local module in StableHLO, after it was optimized; NULL: none */
};

/* How a plan saves memory, all zero: not at the cost of time. */
struct sr_memory_saving {
	double price; /* price of a byte that is occupied during the whole step, in bytes sent; 0: memory is free */
	/* memory limit of a device in bytes: expensive values are rematerialized to stay below it; 0: no limit, no
	 * rematerialization of expensive values */
	int64_t limit;
	bool keep_slice_shardings; /* dynamic slices and updates keep the shardings that propagation gave them */
	/* products of gathered values of at least this size are decomposed into chunks of at most this size, in bytes; 0: none */
	int64_t chunk_bytes;
};

struct sr_compile_options {
	const char *function;
	/* numbers for a module that does not give mhlo.num_replicas or mhlo.num_partitions; 0: 1 */
	int64_t n_replicas, n_partitions;
	enum sr_partition_mode partition;
	enum sr_overlap overlap;
	enum sr_combine_collectives combine;
	enum sr_strip_mine strip_mine;
	enum sr_decompose_matmul decompose_matmul;
	bool direct_convolutions; /* never use Winograd's algorithm */
	bool keep_denormals; /* do not flush denormal results to zero */
	bool interpret_nests; /* loop nests will be interpreted, not compiled; part of the cache key */
	bool interpret;      /* run the program as written: no propagation, no partition; denormals are kept */
	const char *machine; /* path of a machine file (cost/machine_text.h), part of the cache key; NULL: the default machine */
	struct sr_job_nodes nodes; /* nodes of the job; part of the cache key */
	int64_t threads; /* threads of a device during execution, for the size of blocks; part of the cache key; 0: unknown */
	/* order in which the mesh axes are placed on the nodes (sr_mesh_axis_order); part of the cache key; NULL: the order that
	 * minimizes the bytes between nodes */
	const char *axis_order;
	int line_offset;     /* number of lines in the file before `text` */
	/* Return the type of the value that the user gives for the entry's argument i, whose declared type has dynamic
	 * dimensions; NULL if no value is given. If the function pointer is NULL, no values are given. */
	const struct sr_type *(*argument_type)(struct sr_context *ctx, void *data, const struct sr_op *func, int i,
					       const struct sr_type *declared, enum sr_status *status);
	void *argument_data;
	const char *const *call_targets; /* custom call targets for which the run has FFI handlers; length n_calls */
	size_t n_call_targets;
	bool keep_unused_donors; /* option keep_unused_donors of struct sr_plan_options */
	const struct sr_tune_options *tune; /* plans to compile and compare before one is selected (driver/tune.h); NULL: none */
	struct sr_memory_saving saving;
	/* Called when a pass begins. The pass is number i of the n passes of a pipeline; n = 0: unknown. The pointer may be
	 * NULL. */
	void (*progress)(const char *pass, int i, int n);
	const struct sr_probe_options *probes; /* values to probe during execution; NULL: none */
	bool unshard;                      /* after propagation, compile the whole module for one device */
	/* results without a user's sharding keep propagation's sharding, since they become arguments of the next step */
	bool keep_results;
	/* an argument or result that is unreduced along mesh axes has a partial value on each device; false: its global value */
	bool keep_unreduced;
	struct sr_compile_outputs outputs;
};

/* Memory limits of a device in bytes; 0: none. */
struct sr_memory_limits {
	int64_t requested_bytes; /* --memory-per-device: the chosen plan must fit */
	int64_t slurm_bytes; /* the device's share of the memory that Slurm granted on the node */
};

/* A plan that was compiled for comparison before one was selected (tune.h). */
struct sr_candidate {
	const char *mesh; /* axes and sizes of the candidate's mesh, for example "data=4,model=2" */
	struct sr_memory_saving saving;
	struct sr_estimate estimate;
	int64_t wire_bytes, peak_bytes, entry_bytes; /* entry_bytes: peak_bytes without temporaries */
	const char *bytes_by_axes; /* wire bytes by mesh axes: "data 1.2 GB; model 30 MB" */
	const char *failure_reason; /* reason for which the candidate has no plan; NULL: the candidate has a plan */
	bool is_chosen;
};
struct sr_candidates {
	struct sr_candidate *candidates;
	int n; /* number of plans; 0: no plans were compared */
	struct sr_memory_limits limits;
};
/* Print and compare candidates (defined in tune_table.c). */
void sr_candidates_print(const struct sr_candidates *c, struct sr_arena *arena, struct sr_buf *out);
void sr_report_candidates(struct sr_json *j, const struct sr_candidates *c);
struct sr_candidates sr_candidates_copy(const struct sr_candidates *c, struct sr_arena *arena);

struct sr_compile_times {
	double parse_s, propagate_s, partition_s, optimize_s, plan_s, total_s;
	double jit_s; /* seconds of compiling or loading JIT modules for a run; not part of total_s */
	bool is_cached;      /* true if the program came from the cache */
};

struct sr_compiled {
	struct sr_op *module; /* the module after partitioning, with the shapes of one device */
	const struct sr_program *program;
	struct sr_compile_times times;
	const struct sr_mesh *mesh; /* the module's mesh; NULL: one device */
	int64_t n_devices, n_replicas;
	struct sr_candidates candidates;
	bool depends_on_arguments; /* true if the values given for the arguments influenced the program */
};

/* Compile a program. The format of `text` is detected from its first bytes: MLIR text, a portable artifact (MLIR bytecode),
 * jax.export's serialization, HLO text. Text must outlive ctx. */
enum sr_status sr_compile(struct sr_context *ctx, const char *file, const char *text, size_t n,
			  const struct sr_compile_options *options, struct sr_compiled *out);
/* Compile a module that was parsed and verified in ctx. The module is changed: it becomes the local module. */
enum sr_status sr_compile_module(struct sr_context *ctx, const char *file, struct sr_op *module,
				 const struct sr_compile_options *options, struct sr_compiled *out);

/* ---- cached programs (program_cache.c) ---- */
struct sr_cached_program {
	const struct sr_cache *cache; /* cache of programs; NULL: the program is not cached */
	struct sr_digest key;         /* digest of the module, the options that influence the program, and this build */
};
/* Compute the cache key. Options that produce other outputs besides the program disable the cache. */
void sr_cached_program_of(struct sr_context *ctx, const struct sr_cache *cache, const char *file, const char *text, size_t n,
			  const struct sr_compile_options *options, struct sr_cached_program *out);
/* Return the cached program, or NULL. */
const struct sr_program *sr_cached_program_get(struct sr_context *ctx, const struct sr_cached_program *cached_program);
/* Store the program, unless the compilation had messages, which must be repeated each time, or depended on argument values. */
void sr_cached_program_put(struct sr_context *ctx, const struct sr_cached_program *cached_program, const struct sr_compiled *compiled);

/* Print a local module in plain StableHLO: without meshes, shardings and the attributes of shardrun. */
void sr_print_local_module(struct sr_context *ctx, const struct sr_op *module, struct sr_buf *out);

/* Set ctx->machine from a machine file. path NULL: keep the default machine. */
enum sr_status sr_read_machine(struct sr_context *ctx, const char *path);

/* Check the input format: SR_INVALID, reported, for input that is neither text nor bytecode. *text becomes the bytecode inside
 * jax.export's serialization. */
enum sr_status sr_check_format(struct sr_context *ctx, const char *file, const char **text, size_t *n);
void sr_ops_print(struct sr_buf *out); /* Print the name and signature of every op, for --list-ops. */

/* Return true if `pass` is in the comma-separated list, or the list is "all". */
bool sr_pass_list_contains(const char *list, const char *pass);
/* Return SR_USAGE, after reporting it, if an item of the comma-separated list of `flag` is not a pass. The list may be "all" or NULL. */
enum sr_status sr_check_pass_names(const struct sr_passes *passes, const char *flag, const char *list, struct sr_arena *arena,
				   struct sr_diags *diags);
/* Offer the names of all passes and pipelines to the suggestion for a misspelled name. */
void sr_passes_offer(const struct sr_passes *passes, struct sr_suggest *s);

extern const struct sr_pass sr_driver_passes[]; /* passes for the stages of the default pipeline */

/* ---- unconstrained_results.c ---- */
/* Mark the results of the entry that may have any sharding. function NULL: the module's own entry. Return SR_USAGE, after
 * reporting it, if there is no such function. */
enum sr_status sr_mark_unconstrained_results(struct sr_context *ctx, struct sr_op *module, const char *function);
enum sr_status sr_mark_unconstrained_results_pass(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *o);

/* Read a file, or standard input for "-", into memory that lives as long as ctx; at most max_bytes bytes (0: 16 GiB, or a quarter
 * of physical memory if that is less), since pipes and devices may be endless. Standard input is read once: further reads for the
 * same context return the same text. */
enum sr_status sr_read_file(struct sr_context *ctx, const char *path, int64_t max_bytes, const char **text, size_t *n);
/* Read a file as sr_read_file does. *own is set to true if the file is regular, owned by this user or root, and not writable by
 * others. */
enum sr_status sr_read_own_file(struct sr_context *ctx, const char *path, int64_t max_bytes, const char **text, size_t *n,
				bool *own);

/* Write the report's JSON up to and including "plan"; exec adds "run". Leaves the object open. */
void sr_report_plan(struct sr_json *json, const struct sr_program *program, const struct sr_compile_times *times,
		    struct sr_arena *arena);
struct sr_node_plan; /* defined in plan/internode_traffic.h */
/* Write the field "nodes" of the report. placement: name of the placement in use; NULL: the program is not executed. */
void sr_report_nodes(struct sr_json *json, const struct sr_program *program, const struct sr_node_plan *nodes,
		     const char *placement);
/* Print the line of the summary about internode traffic. */
void sr_node_plan_print(const struct sr_program *program, const struct sr_node_plan *nodes, struct sr_buf *out);

/* ---- shardopt: one compiler stage at a time, mlir-opt's command line ---- */
struct sr_opt_options {
	const struct sr_passes *registry; /* passes that can be named */
	bool split_input_file, verify_diagnostics, generic, debuginfo, local_scope, allow_unregistered, verify_each,
		print_after_all, timing, dump_pipeline;
	const char *print_before, *print_after, *pipeline, *output;
	/* values to explain; the explanations are printed instead of the module; NULL: none */
	const char *explain, *explain_partition;
	int64_t elide_larger;
	int64_t max_model_bytes; /* maximum size of the model's file in bytes; 0: the default of sr_read_file */
	const char *machine; /* path of a machine file; NULL: the default machine */
};
struct sr_opt_pass {
	const char *name, *options; /* name and options of a pass as on the command line; options may be NULL */
};
/* Read `path`, run the passes on each chunk of a split file, print to the output file or standard output, messages to standard
 * error. shardopt exits with 0 for SR_OK, else 1. */
enum sr_status sr_opt_run(const char *path, const struct sr_opt_options *options, const struct sr_opt_pass *passes, int n_passes);

/* Report that no value of the module matches the request, and return SR_USAGE. */
enum sr_status sr_explain_missing(struct sr_context *ctx, const char *option, const char *request);

/* Find the next "// -----" at the end of a line, which separates chunks of a split file; return NULL if there is none. */
const char *sr_split_marker(const char *p, const char *end);

/* -verify-diagnostics: return true if every message is expected on its line and every expectation is met. Print unexpected
 * messages and unmet expectations to `out`. */
bool sr_expectations_met(struct sr_arena *arena, const struct sr_diags *diags, const char *file, const char *text, size_t n,
			 int line_offset, FILE *out);

#endif
