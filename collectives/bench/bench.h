/* shardbench: collectives measured one size after another, in the manner of nccl-tests. What the files share.
 *
 * bench_options.c   the table of flags, and what they mean together: sizes, types, operations, mesh and axis
 * verify.c    inputs whose results are known exactly, and the comparison
 * node_levels.c    groups of the ranks that share a node, and of those that do not
 * measure.c   one size: buffers, prepared calls, time
 * table.c     the table on standard output and the JSON file
 * calibrate.c --calibrate: the machine's figures
 * replay.c    --replay: the collectives of a program
 * shardbench.c  main: launch, the loops over types, operations and sizes, exit status */
#ifndef SR_COLLECTIVES_BENCH_H
#define SR_COLLECTIVES_BENCH_H

#include "collectives/transport.h"
#include "mesh/mesh.h"
#include "support/diag.h"
#include "support/json.h"
#include "support/knobs/knobs.h"
#include <mpi.h>

/* What is left to choose, from the command line. */
struct options {
	int64_t min_bytes, max_bytes, step_bytes, step_factor;
	int64_t iterations, warmup, aggregate, cycles, check, root, average, timeout, devices, threads;
	const char *op, *type, *output_file;
	const char *mesh, *axis, *algorithm, *collectives, *replay;
	bool percentiles, copy, levels, json;
	bool calibrate, list_algorithms, help, help_man, version;
	int completion;
};

/* A collective as a benchmark sees it. */
struct subject {
	const char *name, *other_name; /* ours, nccl-tests'; the second may be NULL */
	enum sr_coll coll;
	bool reduces, rooted;
};

struct operation {
	const char *name;
	enum sr_monoid monoid;
};

extern const struct sr_knobs bench_knobs;
extern const struct subject bench_subjects[];
extern const struct operation bench_operations[];
extern const int bench_n_subjects, bench_n_operations;

/* Among whom: all of a group, its members that share a node, or one of each of its nodes. */
enum bench_level { BENCH_ALL, BENCH_INSIDE, BENCH_ACROSS, BENCH_LEVELS };
extern const char *const bench_level_names[BENCH_LEVELS];

struct bench {
	struct sr_arena *arena;
	struct sr_diags *diags;
	jmp_buf *unwind; /* where memory runs out */
	struct options options;
	const struct subject *subject;
	int rank, ranks;
	/* loops, from the options */
	enum sr_dtype types[SR_DTYPE_COUNT];
	int n_types;
	const struct operation *operations[SR_MONOID_COUNT];
	int n_operations;
	struct sr_groups groups;
	int64_t group_number; /* mine */
	struct sr_transport *transport;
	/* of the level that is measured: */
	enum bench_level level;
	struct sr_group *group; /* NULL: I take no part */
	int n_taking_part;
};

enum { BENCH_PERCENTILES = 3 };
extern const int bench_percentiles[BENCH_PERCENTILES]; /* 50, 95, 99 */

/* One row's half. */
struct sample {
	bool ran;         /* false: not in place */
	double seconds;
	double percentiles[BENCH_PERCENTILES]; /* seconds of calls timed one by one, where that is asked for */
	int64_t wrong;    /* elements, on all ranks; -1: not checked */
	const char *algorithm;
};

struct row {
	enum bench_level level;
	int members; /* of my group */
	int64_t bytes, count; /* of the larger buffer; elements of a member's block */
	enum sr_dtype type;
	const struct operation *operation; /* NULL: none */
	int root;                          /* -1: none */
	double copy_seconds; /* in which a rank copies so many bytes while all others do; 0: not measured */
	struct sample sample[2];           /* out of place, in place */
};

/* ---- bench_options.c ---- */
/* The words and flags that are no loops: subject, types, operations, mesh and groups. SR_USAGE with one error reported. */
enum sr_status bench_settle(struct bench *b, const sr_strings_list *words);
const char *bench_type_name(enum sr_dtype type); /* nccl-tests' where it has one: "float" */

/* ---- verify.c ---- */
void bench_fill(const struct sr_coll_call *call, void *in);
int64_t bench_count_wrong(const struct sr_coll_call *call, const void *out);

/* ---- node_levels.c ---- */
/* Collective on the world: b->group for a level. False: it has no group of two. */
bool bench_take_level(struct bench *b, enum bench_level level, enum sr_status *status);

/* ---- measure.c ---- */
/* Collective on the world: the percentiles of n calls, of the slowest rank each; `mine` is spent. */
void bench_percentiles_of(double *mine, int64_t n, double *out);
struct buffers {
	char *in, *out; /* max bytes each */
};
/* Collective on the world. Fills row->sample; SR_OK or why the call cannot be made. */
enum sr_status bench_measure(struct bench *b, const struct buffers *buffers, struct row *row);

/* ---- calibrate.c ---- */
/* Collective on the world: measure the machine and write its text. */
enum sr_status bench_calibrate(struct bench *b);

/* ---- replay.c ---- */
/* Collective on the world: the collectives of options.replay. */
enum sr_status bench_replay(struct bench *b);

/* ---- table.c: all on rank 0 alone ---- */
struct table {
	const struct bench *bench;
	SR_VEC(struct row) rows;
	double bus_sum;
	int64_t n_bus, wrong;
};
void table_begin(struct table *t, const struct bench *b, const char *const *hosts, const int64_t *pids,
		 const int64_t *group_numbers);
void table_head(const struct table *t); /* of the level that begins */
void table_without(const struct table *t, enum bench_level level); /* it has no group of two */
void table_row(struct table *t, const struct row *row);
void table_end(const struct table *t);
void bench_print_us(double seconds); /* a column of microseconds */
void bench_write_percentiles(struct sr_json *json, const struct bench *b, const double *seconds); /* where they are asked for */
/* Write the JSON file under another name, then rename. SR_USAGE with an error reported where it cannot be written. */
enum sr_status table_write(const struct table *t, const char *path);
enum sr_status bench_write_file(const struct bench *b, const char *path, const struct sr_buf *text); /* likewise */

#endif
