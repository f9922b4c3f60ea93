/* A complete run: launch, compile on rank 0, bind arguments, execute, write results, report. Called by shardrun. */
#ifndef SR_EXEC_RUN_H
#define SR_EXEC_RUN_H

#include "driver/driver.h"
#include "driver/collective_summaries.h"
#include "driver/tune.h"
#include "exec/loop/loop_options.h"
#include "io/compare.h"
#include "run/executable.h"
#include "support/knobs/knobs.h"
#include <stdio.h>

enum sr_argument_mode { SR_ARGS_RANDOM, SR_ARGS_SHARED_RANDOM, SR_ARGS_ZEROS, SR_ARGS_DEVICE_ID, SR_ARGS_UNINITIALIZED };

/* The parsed command line, which the ranks of a job compare. */
struct sr_command {
	const struct sr_knobs *knobs;
	const void *values;         /* struct of the knobs' values */
	const char *model;          /* model file; NULL: none is given */
	enum sr_status status;      /* of parsing; one rank reports the error, and all end */
	struct sr_diags *diags;     /* messages of a failed parse */
	void (*inform)(const void *values); /* prints what is requested instead of a run (--help), on one rank; NULL: a run */
};

struct sr_run_options {
	const struct sr_command *command;
	const char *model;    /* path; - for standard input */
	const char *function;
	sr_strings_list inputs, outputs, expected; /* texts as on the command line: "@x.npy", "4xf32=1 2 3 4", "-", "" */
	sr_strings_list input_bundles; /* archives and folders with values of named arguments */
	const char *output_bundle;    /* file or folder for all results without an output; NULL: none */
	sr_strings_list ffi, calls;   /* custom-call kernels, "rms=librms.so:Rms"; and their targets, set by sr_run */
	const struct sr_ffi *own_kernels; /* the loaded kernels; set by sr_run */
	int argument_mode;    /* enum sr_argument_mode */
	int64_t seed, repeats, warmup;
	struct sr_loop_options loop;
	struct sr_codegen_options codegen;
	int64_t max_model_bytes; /* maximum size of the model; 0: default of sr_read_file */
	bool split_input_file, print_dense; /* options of --interpret */
	const char *args, *probe_dir;
	bool run, interpret, verbose, allow_singleton, print_plan, verify_each, shared_segment;
	const char *profile;  /* trace file; "": only the table; NULL: no profile */
	int64_t ranks_per_node; /* treat so many ranks of a node as a node; 0: real nodes */
	const char *plan_diff; /* earlier report to compare the plan with; NULL: none */
	const char *compare;  /* earlier report to compare with the one given as model, instead of a run; NULL */
	const char *check_nan; /* --check-nan: "", "trace"; NULL: off */
	const char *dump_values, *dump_dir; /* --dump-values: a regular expression; NULL: none */
	int64_t dump_iterations; /* iterations of a loop to write */
	bool verify;          /* compare with an execution on one device */
	bool json;            /* print the JSON report on `out` */
	const char *report, *html, *selection, *print_after; /* report, html: file names; "-": standard output */
	const char *program;  /* file for the compiled program, - for out; NULL: none */
	const char *cache;    /* cache folder, "off"; NULL: from the environment */
	int64_t cache_bytes;  /* size limit of the cache; 0: the default */
	const char *target;   /* instruction sets to compile for; NULL: the best that all ranks support */
	struct sr_plan_limits limits;
	bool auto_shard;      /* search shardings of arguments and results */
	sr_strings_list meshes; /* mesh sizes to try; empty: the program's mesh, or all meshes of `devices` devices */
	int64_t devices;      /* 0: the number of ranks */
	int64_t memory_per_device; /* memory limit for plans, bytes; 0: none */
	const char *explain;  /* values whose shardings to explain; NULL: none */
	const char *explain_partition; /* values whose layouts after the search to explain; NULL: none */
	const char *show_sharding; /* values whose shardings to draw; "": arguments and results; NULL: none */
	const char *machine;  /* machine file for plan and estimates; NULL: the default */
	int partition;        /* enum sr_partition_mode */
	int overlap;          /* enum sr_overlap */
	int combine;          /* enum sr_combine_collectives */
	int decompose_matmul; /* enum sr_decompose_matmul */
	double timeout;       /* time limit in seconds, 0: none */
	double stall_timeout; /* seconds without progress before the run is ended, 0: unlimited */
	int64_t ranks;        /* start this many ranks on this machine; 0: none */
	const char *launcher; /* command that starts ranks */
	const char *kernels;  /* maximum instruction set of this rank; "auto" */
	int64_t threads;      /* per device; 0: from the rank's cores */
	const char *devices_per_rank; /* "4", "auto", "all"; NULL: 1, or `ranks` if ranks would outnumber the cores here */
	int few_cores;                /* number of cores, if it is less than `ranks`; 0: enough; set by sr_run */
	const char *placement; /* "order", "auto", "block", "cyclic", or axes of the mesh, "y,x"; NULL: by device_ranks, or auto */
	const char *device_ranks; /* "reversed", "3,1,2,0"; NULL: in order */
	const char *root;     /* prefix of /proc and /sys; NULL: "" */
	int64_t max_elements; /* elements printed of an output to "-" */
	struct sr_tolerances tolerances;
	FILE *out, *err;      /* results; messages and the summary; NULL: no output */
	FILE *raw;            /* stream for .npy output of --output=@-; set by sr_run */
	bool quiet;           /* suppress summary, notes, warnings and progress */
	int progress;         /* enum sr_progress_mode */
	double progress_interval; /* seconds between progress lines, 0: default of the mode */
	char *const *arguments; /* of the process, NULL-terminated, for the ranks that it starts */
};

enum sr_status sr_run(const struct sr_run_options *options);

#endif
