/* The registries of passes and pipelines, and the road from bytes to a program. shardopt and exec call this; so does the C API. */
#ifndef SR_DRIVER_DRIVER_H
#define SR_DRIVER_DRIVER_H

#include "ir/pass.h"
#include "plan/plan.h"
#include "plan/program.h"

extern const struct sr_passes sr_all_passes;

enum sr_partition_mode { SR_PARTITION_CHEAP, SR_PARTITION_REPLICATE };

struct sr_compile_options {
	const char *function;
	enum sr_partition_mode partition;
	bool interpret; /* as written: no propagation, no partition */
	bool verify_each;
	const char *print_after; /* pass name or "all"; NULL: nothing. Printed to `dump` */
	struct sr_buf *dump;
	const struct sr_machine *machine;
};

struct sr_compile_times {
	double parse_s, propagate_s, partition_s, optimize_s, plan_s, total_s;
};

struct sr_compiled {
	struct sr_op *module; /* the local module */
	const struct sr_program *program;
	struct sr_compile_times times;
	struct sr_collective_cost costs[SR_COST_KINDS];
	const struct sr_mesh *mesh; /* NULL: one device */
	int64_t n_devices, n_replicas;
};

/* What `text` is, told from its first bytes: MLIR text, MLIR bytecode, HLO text. Bytecode and HLO text give SR_UNSUPPORTED with one
 * sentence on what to do. Text must outlive ctx. */
enum sr_status sr_compile(struct sr_context *ctx, const char *file, const char *text, size_t n, const struct sr_compile_options *options,
			  struct sr_compiled *out);

/* A whole file, or standard input for "-", into malloc'd memory (or mapped) that lives as long as ctx. */
enum sr_status sr_read_file(struct sr_context *ctx, const char *path, const char **text, size_t *n);

/* The report's JSON up to "plan"; exec adds "run". Leaves the object open. */
struct sr_report {
	const char *model;
	const struct sr_compiled *compiled;
};
void sr_report_plan(struct sr_json *json, const struct sr_report *report);

#endif
