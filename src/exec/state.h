/* State shared by the stages of a run (run.c). Each stage is implemented in its own file. */
#ifndef SR_EXEC_STATE_H
#define SR_EXEC_STATE_H

#include "driver/plan_diff.h"
#include "exec/profile/profile.h"
#include "exec/placement.h"
#include "exec/probes/probing.h"
#include "exec/values/arrays.h"
#include "exec/values/check_ops.h"
#include <setjmp.h>
#include <time.h>

struct sr_min_max {
	int64_t min, max;
};

struct sr_host {
	char name[64]; /* host name, truncated if longer */
};

struct sr_run_state {
	const struct sr_run_options *o;
	struct sr_context *ctx;
	/* context to free besides `ctx`: while a separate context compiles, the run's own context; after a failed compilation, the
	 * context that compiled; NULL: none */
	struct sr_context *other_context;
	jmp_buf *unwind;
	struct sr_client client;
	const struct sr_program *program;   /* compiled program: on rank 0; on all ranks once the executable is open */
	struct sr_program_objects objects;     /* rank 0: object code from the file of the compiled program */
	struct sr_cache cache;              /* rank 0: cache folder of compiled programs */
	struct sr_ffi kernels;              /* loaded FFI kernels that custom calls execute */
	struct sr_executable executable;
	struct sr_arrays arrays;            /* arguments and results of the executable */
	struct sr_loop *loop;               /* state of --loop; NULL: executions are repeats from the same arguments */
	struct sr_checks checks;
	struct sr_probing probing;
	/* rank 0, for --verify: programs compiled for one device, and for all devices with probes; NULL without --verify */
	const struct sr_program *one_device, *with_probes;
	struct sr_candidates candidates;    /* rank 0: plans that --auto-shard compared */
	struct sr_report_text old_report;   /* rank 0: report of --plan-diff */
	struct sr_compile_times times;      /* rank 0: seconds of each compilation stage; zeros for a compiled program */
	struct sr_buf page;                 /* rank 0: HTML page of --html */
	int64_t n_measured;                   /* number of executions with known times: repeats, or the last steps of a loop */
	/* Times of each execution, [local devices][measured]: when the device left the barrier, and durations in seconds. On rank 0
	 * after the run: times of the slowest device. */
	double *start, *step_s, *collective_s;
	double step_median, wait_s, compute_s, collective_median;
	time_t started;
	double processor_s;                       /* rank 0: processor seconds of all ranks and their child processes */
	enum sr_status result;                    /* rank 0: SR_OK, or SR_DIFFERS if a comparison failed */
	/* rank 0: minimum and maximum over the processes that have devices; rss: peak resident bytes; pss: proportional set size
	 * in bytes after the last execution */
	struct sr_min_max rss, pss;
	struct sr_gathered_profile profile;
	struct sr_profile_rows ops;         /* rank 0: rows of the profile's table */
	struct sr_rank_nodes nodes;
	struct sr_placed placed;            /* rank 0: placement of the devices on nodes */
	const struct sr_host *hosts;        /* rank 0: host names of all ranks */
};

/* Functions of make_program.c, on rank 0: compile the program or load it from the cache, and check its plan against the limits.
 * sr_run_context returns NULL if there is no memory. */
struct sr_context *sr_run_context(jmp_buf *unwind);
enum sr_status sr_run_make_program(struct sr_run_state *r);

/* Functions of repeat.c, on all ranks: execute the program, then gather measurements collectively. */
void sr_run_repeat(struct sr_run_state *r);
void sr_run_gather_memory(struct sr_run_state *r);
void sr_run_gather_times(struct sr_run_state *r);

/* Functions of report.c: sr_run_report writes the JSON report on rank 0. If the program has run, sr_run_gather_hosts, which is
 * collective, must be called before. */
void sr_run_gather_hosts(struct sr_run_state *r);
void sr_run_report(struct sr_run_state *r, bool ran, struct sr_buf *out);

/* Functions of conclude.c, on rank 0: write the files and print the summary. `node`: lines about the ranks; NULL if nothing ran.
 * Prints nothing if the options have no stream. */
enum sr_status sr_run_conclude(struct sr_run_state *r, bool ran, const struct sr_buf *node);
/* Read the report of --plan-diff, if there is one. Rank 0 calls it before the run, which may be long. */
enum sr_status sr_run_read_old_report(struct sr_run_state *r);
/* Print the differences of the two reports given by --compare, instead of a run. */
enum sr_status sr_run_compare_reports(struct sr_run_state *r);
void sr_run_emit(FILE *out, const struct sr_buf *text);

#endif
