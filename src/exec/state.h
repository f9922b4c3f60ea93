/* State shared by the stages of a run (run.c); each stage is a file. */
#ifndef SR_EXEC_STATE_H
#define SR_EXEC_STATE_H

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
	/* the run's context while another one compiles, or that of a failed compilation; NULL */
	struct sr_context *other;
	jmp_buf *unwind;
	struct sr_client client;
	const struct sr_program *program;   /* rank 0; all ranks once the executable is open */
	struct sr_program_objects objects;     /* rank 0: object code from the program's file */
	struct sr_cache cache;              /* cache folder of rank 0 */
	struct sr_ffi kernels;              /* kernels for custom calls */
	struct sr_executable executable;
	struct sr_arrays arrays;            /* its arguments and results */
	struct sr_loop *loop;               /* NULL: executions are repeats */
	struct sr_checks checks;
	struct sr_probing probing;
	/* rank 0, for --verify: the module compiled for one device, and for all devices with probes; NULL */
	const struct sr_program *one_device, *with_probes;
	struct sr_candidates candidates;    /* rank 0: plans that were compared */
	struct sr_compile_times times;      /* rank 0; zeros for a compiled program */
	struct sr_buf page;                 /* rank 0, for --html */
	int64_t measured;                   /* number of executions with known times: repeats, or the last ones of a loop */
	/* [local devices][measured] time when it left the barrier; durations in seconds; on rank 0 after the run: of the slowest
	 * device */
	double *start, *step_s, *collective_s;
	double step_median, wait_s, compute_s, collective_median;
	time_t started;
	double processor_s;                       /* rank 0: of all ranks and their child processes */
	enum sr_status result;                    /* rank 0: SR_OK, or SR_DIFFERS if a comparison failed */
	struct sr_min_max rss, pss;              /* rank 0: bytes of a process with devices: peak, and after the last execution */
	struct sr_gathered_profile profile;
	struct sr_profile_rows ops;         /* rank 0: rows of the profile */
	struct sr_rank_nodes nodes;
	struct sr_placed placed;            /* rank 0: placement of the devices */
	const struct sr_host *hosts;        /* rank 0: host names of all ranks */
};

/* make_program.c, on rank 0: compile the program or take it from the cache, and check its plan against the limits.
 * sr_run_context returns NULL if there is no memory. */
struct sr_context *sr_run_context(jmp_buf *unwind);
enum sr_status sr_run_make_program(struct sr_run_state *r);

/* repeat.c, on all ranks: execute, then collectively gather measurements. */
void sr_run_repeat(struct sr_run_state *r);
void sr_run_gather_memory(struct sr_run_state *r);
void sr_run_gather_times(struct sr_run_state *r);

/* report.c: write JSON on rank 0; before it, if the program has run, gather the host names collectively. */
void sr_run_gather_hosts(struct sr_run_state *r);
void sr_run_report(struct sr_run_state *r, bool ran, struct sr_buf *out);

/* conclude.c, on rank 0: write files and print the summary. `node`: lines about the ranks; NULL if nothing ran. Nothing is
 * printed if the stream is NULL. */
enum sr_status sr_run_conclude(struct sr_run_state *r, bool ran, const struct sr_buf *node);
/* --compare: print the differences of two reports instead of a run. */
enum sr_status sr_run_compare_reports(struct sr_run_state *r);
void sr_run_emit(FILE *out, const struct sr_buf *text);

#endif
