/* A whole run: launch, compile on rank 0, bind, play, write, report. What shardrun and the C API call. */
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

/* The command line that options come from, which the ranks of a job compare. */
struct sr_command {
	const struct sr_knobs *knobs;
	const void *values;         /* of the knobs */
	const char *model;          /* NULL: none is given */
	enum sr_status status;      /* of reading it; one rank says what is wrong with it, and all end */
	struct sr_diags *diags;     /* why */
	void (*inform)(const void *values); /* what is asked for instead of a run (--help), said by one rank; NULL: nothing */
};

struct sr_run_options {
	const struct sr_command *command;
	const char *model;    /* path, - for standard input */
	const char *function;
	sr_strings_list inputs, outputs, expected; /* as on the command line: "@x.npy", "4xf32=1 2 3 4", "-", "" */
	sr_strings_list input_bundles; /* archives and folders for all arguments that they name */
	const char *output_bundle;    /* a file or a folder for all results that have no output; NULL: none */
	sr_strings_list ffi, calls;   /* kernels of users, "rms=librms.so:Rms"; their targets, set by sr_run */
	const struct sr_ffi *own_kernels; /* loaded; set by sr_run */
	int argument_mode;    /* enum sr_argument_mode */
	int64_t seed, repeats, warmup;
	struct sr_loop_options loop;
	struct sr_codegen_options codegen;
	int64_t max_model_bytes; /* 0: sr_read_file's default */
	bool split_input_file, print_dense; /* --interpret */
	const char *args, *probe_dir;
	bool run, interpret, verbose, allow_singleton, print_plan, verify_each, shared_segment;
	const char *profile;  /* file for the trace; "": the table alone; NULL: no profile */
	int64_t ranks_per_node; /* 0: as the nodes are */
	const char *plan_diff; /* an earlier report to compare with; NULL: none */
	const char *compare;  /* an earlier report, beside which the model is another: nothing is run; NULL */
	const char *check_nan; /* "", "trace"; NULL: not wanted */
	const char *dump_values, *dump_dir; /* a regular expression; NULL: none */
	int64_t dump_iterations; /* of a loop, that are written */
	bool verify;          /* compare with one device that computes all */
	bool json;            /* the report on `out` */
	const char *report, *html, *selection, *print_after; /* report, html: files, - for out */
	const char *program;  /* file for the compiled program, - for out; NULL: not wanted */
	const char *cache;    /* folder of what is kept between runs, "off"; NULL: the environment's */
	int64_t cache_bytes;  /* that it may have; 0: the default */
	const char *target;   /* which instruction sets units are compiled for; NULL: the best of the ranks */
	struct sr_plan_limits limits;
	bool auto_shard;      /* find shardings of arguments and results */
	sr_strings_list meshes; /* sizes of the mesh, or the mesh, to try; none: the program's, or any of so many devices */
	int64_t devices;      /* 0: as many as there are ranks */
	int64_t memory_per_device; /* bytes that a plan may take of it; 0: no limit */
	const char *explain;  /* which values' shardings to explain; NULL: none */
	const char *explain_partition; /* which values' layouts after the search to explain; NULL: none */
	const char *show_sharding; /* which values' to draw; "": arguments and results; NULL: none */
	const char *machine;  /* a file of figures that plan and estimate go by; NULL: the default */
	int partition;        /* enum sr_partition_mode */
	int overlap;          /* enum sr_overlap */
	int combine;          /* enum sr_combine_collectives */
	int decompose_matmul; /* enum sr_decompose_matmul */
	double timeout;       /* seconds, 0: none */
	double stall_timeout; /* seconds, 0: none */
	int64_t ranks;        /* start that many ranks here, 0: none */
	const char *launcher; /* with this command */
	const char *kernels;  /* at most these here; "auto" */
	int64_t threads;      /* of each device; 0: by the rank's cores */
	const char *devices_per_rank; /* "4", "auto", "all"; NULL: 1, or `ranks` if they would outnumber the cores here */
	int few_cores;                /* so many, fewer than `ranks`, if that is so; 0: it is not; set by sr_run */
	const char *placement; /* "order", "auto", "block", "cyclic", or axes of the mesh, "y,x"; NULL: device_ranks, or auto */
	const char *device_ranks; /* "reversed", "3,1,2,0"; NULL: in order */
	const char *root;     /* where /proc and /sys are; NULL: "" */
	int64_t max_elements; /* printed of an output to "-" */
	struct sr_tolerances tolerances;
	FILE *out, *err;      /* results; messages and the summary; NULL: not wanted */
	FILE *raw;            /* .npy files of --output=@-; set by sr_run */
	bool quiet;           /* no summary, notes, warnings and progress */
	int progress;         /* enum sr_progress_mode */
	double progress_interval; /* seconds, 0: by the mode */
	char *const *arguments; /* of the process, NULL-terminated, for ranks that it starts */
};

enum sr_status sr_run(const struct sr_run_options *options);

#endif
