/* What the stages of a run hand to each other (run.c); each stage is a file. */
#ifndef SR_EXEC_STATE_H
#define SR_EXEC_STATE_H

#include "exec/profile/profile.h"
#include "exec/placement.h"
#include "exec/probes/probing.h"
#include "exec/values/check_ops.h"
#include <setjmp.h>
#include <time.h>

struct sr_min_max {
	int64_t min, max;
};

struct sr_host {
	char name[64]; /* cut where it is longer */
};

struct sr_run_state {
	const struct sr_run_options *o;
	struct sr_context *ctx;
	struct sr_context *other;           /* the run's own while it compiles; of a program that cannot be compiled; NULL */
	jmp_buf *unwind;
	struct sr_client client;
	const struct sr_program *program;   /* rank 0, and all ranks once it is open */
	struct sr_program_objects units;      /* rank 0: of the program's file */
	struct sr_cache cache;              /* rank 0 */
	struct sr_ffi kernels;              /* of users */
	struct sr_executable executable;
	struct sr_loop *loop;               /* NULL: steps are repeats */
	struct sr_checks checks;
	struct sr_probing look;
	const struct sr_program *one_device, *tapped; /* rank 0, for --verify: the module for one device, for all of them; NULL */
	struct sr_candidates candidates;    /* rank 0: plans that were tried */
	struct sr_compile_times times;      /* rank 0; zeros where a compiled program was given */
	struct sr_buf page;                 /* rank 0, where --html asks for it */
	int64_t measured;                   /* steps whose times are known: repeats, or a loop's last ones */
	double *start, *step_s, *collective_s; /* [devices here][measured]: the clock when it left the barrier, seconds; on rank 0
					     * after the run: of the slowest device */
	char ***kept;                       /* [devices here][arguments]: copies of the donated, NULL of others */
	double step_median, wait_s, compute_s, collective_median;
	time_t started;
	double processor_s;                       /* rank 0: of all ranks and what they started */
	enum sr_status result;                    /* rank 0: SR_OK, or SR_DIFFERS */
	struct sr_min_max rss, pss;              /* rank 0: bytes of a process with devices, the peak, and after the last step */
	struct sr_gathered_profile profile;
	struct sr_profile_rows ops;         /* rank 0, of the profile */
	struct sr_rank_nodes nodes;
	struct sr_placed placed;            /* rank 0 */
	const struct sr_host *hosts;        /* rank 0: of all ranks */
};

/* make_program.c, on rank 0: the program, of a module or as it was compiled before, held to the limits that were given for its plan. A
 * context is NULL where there is no memory. */
struct sr_context *sr_run_context(jmp_buf *unwind);
enum sr_status sr_run_make_program(struct sr_run_state *r);

/* repeat.c, on all ranks: the steps; then, collective, what they took. */
void sr_run_repeat(struct sr_run_state *r);
void sr_run_gather_memory(struct sr_run_state *r);
void sr_run_gather_times(struct sr_run_state *r);

/* report.c: JSON, on rank 0; before it, where the program has run, collective, the ranks' hosts. */
void sr_run_gather_hosts(struct sr_run_state *r);
void sr_run_report(struct sr_run_state *r, bool ran, struct sr_buf *out);

/* conclude.c, on rank 0: files and summary. `node`: lines on the ranks; NULL where nothing ran. A text is left out where out is NULL. */
enum sr_status sr_run_conclude(struct sr_run_state *r, bool ran, const struct sr_buf *node);
/* --compare: two reports as a table on standard output, instead of a run. */
enum sr_status sr_run_compare_reports(struct sr_run_state *r);
void sr_run_emit(FILE *out, const struct sr_buf *text);

#endif
