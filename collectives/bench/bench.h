/* shardbench: measures collectives for a range of sizes, with the command line and tables of nccl-tests. Shared by its files:
 *
 * bench_options.c  table of flags, and what they mean together: sizes, types, operations, mesh and axis
 * verify.c         inputs whose results are known exactly, and the comparison
 * node_levels.c    groups of the ranks that share a node, and of ranks on different nodes
 * measure.c        one size: buffers, prepared calls, time
 * table.c          the table on standard output and the JSON file
 * calibrate.c      --calibrate: the machine's figures
 * replay.c         --replay: the collectives of a program
 * shardbench.c     main: launch, loops over types, operations and sizes, exit status */
#ifndef SR_COLLECTIVES_BENCH_H
#define SR_COLLECTIVES_BENCH_H

#include "collectives/transport.h"
#include "mesh/mesh.h"
#include "support/diag.h"
#include "support/json.h"
#include "support/knobs/knobs.h"
#include <mpi.h>

/* Values of the command line's flags. */
struct options {
	int64_t min_bytes, max_bytes, step_bytes, step_factor;
	int64_t iterations, warmup, aggregate, cycles, check, root, average, timeout, devices, threads;
	const char *op, *type, *output_file;
	const char *mesh, *axis, *algorithm, *collectives, *replay;
	bool percentiles, copy, levels, json;
	bool calibrate, list_algorithms, help, help_man, version;
	int completion;
};

/* A collective that can be measured. */
struct bench_collective {
	const char *name, *other_name; /* the collective's name in shardrun, and in nccl-tests (NULL if it has none) */
	enum sr_coll coll;
	bool reduces, rooted;
};

struct operation {
	const char *name;
	enum sr_monoid monoid;
};

extern const struct sr_knobs bench_knobs;
extern const struct bench_collective bench_collectives[];
extern const struct operation bench_operations[];
extern const int bench_n_collectives, bench_n_operations;

/* Members of a measured group: all, those that share a node, or one on each node. */
enum bench_level { BENCH_ALL_MEMBERS, BENCH_WITHIN_NODE, BENCH_ACROSS_NODES, BENCH_LEVELS };
extern const char *const bench_level_names[BENCH_LEVELS];

struct bench {
	struct sr_arena *arena;
	struct sr_diags *diags;
	jmp_buf *unwind; /* longjmp target when memory runs out */
	struct options options;
	const struct bench_collective *collective;
	int rank, ranks;
	/* Element types and reduction operations to measure, as the options select them. */
	enum sr_dtype types[SR_DTYPE_COUNT];
	int n_types;
	const struct operation *operations[SR_MONOID_COUNT];
	int n_operations;
	struct sr_groups groups;
	int64_t group_number; /* index of the group that contains this rank */
	struct sr_transport *transport;
	enum bench_level level; /* level being measured */
	struct sr_group *group; /* this rank's group of the level; NULL: none */
	int n_participants; /* number of ranks that are in a group of the level */
};

enum { BENCH_PERCENTILES = 3 };
extern const int bench_percentiles[BENCH_PERCENTILES]; /* percentiles of the call times that the table lists: 50, 95, 99 */

/* Measurement of a row, out of place or in place. */
struct sample {
	bool is_supported;         /* false if the collective cannot run in place */
	double seconds;
	/* percentiles of the seconds of a call, each call timed by itself; only with --percentiles */
	double percentiles[BENCH_PERCENTILES];
	int64_t n_wrong;    /* incorrect elements on all ranks; -1: not checked */
	const char *algorithm;
};

struct row {
	enum bench_level level;
	int members; /* number of members of this rank's group */
	int64_t bytes, count; /* number of bytes of the larger buffer; number of elements of a member's block */
	enum sr_dtype type;
	const struct operation *operation; /* reduction operation; NULL: the collective does not reduce */
	int root;                          /* index of the root in the group; -1: the collective has no root */
	double copy_seconds; /* seconds in which a rank copies `bytes` bytes while all other ranks copy, too; 0 if not measured */
	struct sample sample[2];           /* measurements: out of place at [0], in place at [1] */
};

/* ---- bench_options.c ---- */
/* Interpret the options that select the collective, types, operations, mesh and groups. Return SR_USAGE with one error reported
 * if they are wrong. */
enum sr_status bench_resolve_options(struct bench *b, const sr_strings_list *arguments);
/* Return nccl-tests' name of a type, such as "float", or shardrun's if nccl-tests has none. */
const char *bench_type_name(enum sr_dtype type);

/* ---- verify.c ---- */
void bench_fill(const struct sr_coll_call *call, void *in);
int64_t bench_count_wrong(const struct sr_coll_call *call, const void *out);

/* ---- node_levels.c ---- */
/* Collective on all ranks: set b->group for a level. Returns false if no group has two members. */
bool bench_select_level(struct bench *b, enum bench_level level, enum sr_status *status);

/* ---- measure.c ---- */
/* Collective on all ranks: compute percentiles over n calls of the time of the slowest rank. Overwrites `call_times`. */
void bench_percentiles_of(double *call_times, int64_t n, double *out);
struct buffers {
	char *in, *out; /* operand and result buffer of a measured collective, max_bytes bytes each */
};
/* Collective on all ranks: fill row->sample. Returns SR_OK, or the reason for which the call is not possible. */
enum sr_status bench_measure(struct bench *b, const struct buffers *buffers, struct row *row);

/* ---- calibrate.c ---- */
/* Collective on all ranks: measure the machine and write a machine file. */
enum sr_status bench_calibrate(struct bench *b);

/* ---- replay.c ---- */
/* Collective on all ranks: run and measure the collectives of the program in the file options.replay. */
enum sr_status bench_replay(struct bench *b);

/* ---- table.c: on rank 0 only ---- */
struct table {
	const struct bench *bench;
	SR_VEC(struct row) rows;
	double bus_bandwidth_sum;
	int64_t n_bus_bandwidths, n_wrong;
};
void table_begin(struct table *t, const struct bench *b, const char *const *hosts, const int64_t *pids,
		 const int64_t *group_numbers);
void table_head(const struct table *t); /* Print the heading of the current level. */
void table_skip_level(const struct table *t, enum bench_level level); /* Print that the level has no group with two members. */
void table_row(struct table *t, const struct row *row);
void table_end(const struct table *t);
void bench_print_us(double seconds); /* Print a time in the table's form, in microseconds. */
/* Print the percentiles of a row; do nothing without --percentiles. */
void bench_write_percentiles(struct sr_json *json, const struct bench *b, const double *seconds);
/* Collective on all ranks. Check before the measurement that rank 0 can write the output file, if there is one. Return SR_USAGE,
 * with an error reported, if it cannot. */
enum sr_status bench_check_output_file(const struct bench *b);
/* Write the JSON file under a temporary name, then rename it. Return SR_USAGE, with an error reported, if the file cannot be
 * written. */
enum sr_status table_write(const struct table *t, const char *path);
/* Write a text file under a temporary name, then rename it. Return SR_USAGE, with an error reported, if the file cannot be
 * written. */
enum sr_status bench_write_file(const struct bench *b, const char *path, const struct sr_buf *text);

#endif
