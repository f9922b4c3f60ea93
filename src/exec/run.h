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

/* The parsed command line, which the ranks of a job compare with each other. */
struct sr_command {
	const struct sr_knobs *knobs;
	const void *values;         /* struct with the values of all options (knobs) */
	const char *model;          /* path of the model file; NULL: none is given */
	enum sr_status status;      /* status of parsing the command line; one rank reports an error, and all ranks end */
	struct sr_diags *diags;     /* messages about errors on the command line */
	/* function that prints information instead of a run (--help), on one rank; NULL: a run */
	void (*print_information)(const void *values);
};

struct sr_run_options {
	const struct sr_command *command;
	const char *model;    /* path of the model; "-" for standard input */
	const char *function;
	/* values of --input, --output and --expected_output as on the command line: "@x.npy", "4xf32=1 2 3 4", "-", "" */
	sr_strings_list inputs, outputs, expected;
	sr_strings_list input_bundles; /* values of --inputs: archives and folders with values of named arguments */
	const char *output_bundle;    /* --outputs: file or folder for all results that have no --output; NULL: none */
	/* custom-call kernels, "rms=librms.so:Rms"; and the custom-call targets they implement, set by sr_run */
	sr_strings_list ffi, calls;
	const struct sr_ffi *ffi_kernels; /* loaded custom-call kernels; set by sr_run */
	int argument_mode;    /* source of arguments without --input, an enum sr_argument_mode */
	int64_t seed, repeats, warmup;
	struct sr_loop_options loop;
	struct sr_codegen_options codegen;
	int64_t max_model_bytes; /* maximum size of the model; 0: default of sr_read_file */
	bool split_input_file, print_dense; /* options of --interpret */
	const char *args, *probe_dir;
	bool run, interpret, verbose, allow_singleton, print_plan, verify_each, shared_segment;
	const char *profile;  /* --profile: trace file; "": only the table; NULL: no profile */
	int64_t ranks_per_node; /* number of a node's ranks to treat as one node; 0: real nodes */
	const char *plan_diff; /* path of an earlier report whose plan is compared with this one; NULL: none */
	const char *compare; /* path of an earlier report to compare with the report given as model, instead of a run; NULL: none */
	const char *check_nan; /* argument of --check-nan: "" or "trace"; NULL: NaN are not checked */
	/* values to write: a regular expression for ops, or NULL for none; folder for the files */
	const char *dump_values, *dump_dir;
	int64_t dump_iterations; /* maximum number of iterations of a loop whose values are written */
	bool verify;          /* --verify: compare every value with that of an execution on one device */
	bool json;            /* print the JSON report on the stream `out` */
	/* files of the report and the HTML page ("-": standard output); algorithms of collectives; passes after which IR is printed */
	const char *report, *html, *selection, *print_after;
	const char *program;  /* file for the compiled program, "-" for the stream `out`; NULL: none */
	const char *cache;    /* cache folder, or "off"; NULL: taken from the environment */
	int64_t cache_bytes;  /* size limit of the cache in bytes; 0: the default */
	const char *target;   /* instruction sets to compile for; NULL: the best that all ranks support */
	struct sr_plan_limits limits;
	bool auto_shard;      /* search shardings of arguments and results */
	sr_strings_list meshes; /* mesh sizes to try; empty: the program's mesh, or all meshes of `devices` devices */
	int64_t devices;      /* number of devices to plan for; 0: the number of ranks */
	int64_t memory_per_device; /* memory limit of plans per device in bytes; 0: none */
	const char *explain;  /* values whose shardings to explain; NULL: none */
	const char *explain_partition; /* values whose layouts after the search to explain; NULL: none */
	const char *show_sharding; /* values whose shardings to draw; "": arguments and results; NULL: none */
	const char *machine;  /* path of the machine file for plan and estimates; NULL: the default machine */
	int partition;        /* partitioner, an enum sr_partition_mode */
	int overlap;          /* overlap of collectives with computation, an enum sr_overlap */
	int combine;          /* combining of small collectives, an enum sr_combine_collectives */
	int time_blocking;    /* order of stencil loops, an enum sr_time_blocking */
	int strip_mine;       /* attention block by block, an enum sr_strip_mine */
	int decompose_matmul; /* decomposition of collective matmuls, an enum sr_decompose_matmul */
	int winograd;         /* Winograd's algorithm for convolutions, an enum sr_winograd */
	bool flush_denormals; /* denormal results become zero */
	double timeout;       /* time limit in seconds, 0: none */
	double stall_timeout; /* seconds without progress after which the run is ended; 0: unlimited */
	int64_t ranks;        /* number of ranks to start on this machine; 0: none */
	const char *launcher; /* command of the MPI launcher that starts ranks */
	const char *kernels;  /* highest instruction set that this rank may use, or "auto" */
	int64_t threads;      /* worker threads per device; 0: from the rank's number of cores */
	/* devices per rank: "4", "auto", "all"; NULL: 1, or `ranks` if this machine has fewer cores than ranks */
	const char *devices_per_rank;
	int few_cores;                /* number of this machine's cores if it is less than `ranks`, else 0; set by sr_run */
	/* placement of devices: "order", "auto", "block", "cyclic", or axes of the mesh, "y,x"; NULL: by device_ranks, else
	 * "auto" */
	const char *placement;
	const char *device_ranks; /* rank of each device: "reversed" or "3,1,2,0"; NULL: in order of ranks */
	const char *root;     /* path prefix of /proc and /sys for tests; NULL: "" */
	int64_t max_elements; /* maximum number of elements printed of an output to "-" */
	struct sr_tolerances tolerances;
	FILE *out, *err;      /* streams for results and for messages and the summary; NULL: no output */
	FILE *raw;            /* stream for .npy data of --output=@-; set by sr_run */
	bool quiet;           /* suppress summary, notes, warnings and progress */
	int progress;         /* progress output, an enum sr_progress_mode */
	double progress_interval; /* seconds between two lines of progress output; 0: the mode's default */
	char *const *arguments; /* argv of this process, ended by NULL, which the ranks that it starts receive */
};

enum sr_status sr_run(const struct sr_run_options *options);

#endif
