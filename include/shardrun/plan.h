/* A plan: what one device does. The compiler propagates the module's shardings, cuts the program into one device's, inserts the
 * collectives, and lays every value out in one arena; from then on all sizes are known. Making a plan needs no MPI and no
 * devices: a laptop plans for 512.
 *
 *	struct shardrun_plan_options options = SHARDRUN_PLAN_OPTIONS_INIT;
 *	struct shardrun_figures figures = SHARDRUN_FIGURES_INIT;
 *	struct shardrun_plan *plan;
 *	if (shardrun_plan_make(module, &options, &plan))
 *		fputs(shardrun_plan_message(plan), stderr);
 *	shardrun_plan_figures(plan, &figures);
 *	printf("%lld bytes on each of %lld devices\n", (long long)figures.peak_bytes, (long long)figures.devices);
 *	const struct shardrun_collective *c;
 *	for (int i = 0; (c = shardrun_plan_collective(plan, i)); i++)
 *		printf("%s: %lld, %lld bytes sent\n", c->kind, (long long)c->count, (long long)c->wire_bytes);
 *
 * Conventions: see <shardrun.h>. No function here is collective. */
#ifndef SHARDRUN_PLAN_H
#define SHARDRUN_PLAN_H

#include <shardrun/module.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct shardrun_plan;

struct shardrun_plan_options {
	size_t size;          /* of this struct, set by SHARDRUN_PLAN_OPTIONS_INIT */
	const char *function; /* the one to run; NULL: main, or the only one */
	int replicate;        /* 1: compute all on every device; right for every program, and slow: what to compare with */
	int interpret;        /* 1: as written, neither propagated nor partitioned */
	int verify_each;      /* 1: verify the module after each pass */
};
#define SHARDRUN_PLAN_OPTIONS_INIT {sizeof(struct shardrun_plan_options), 0, 0, 0, 0}

/* Figures are bytes and operations of one device, the largest over devices; peak_bytes = argument_bytes + output_bytes -
 * alias_bytes + temp_bytes. */
struct shardrun_figures {
	size_t size;            /* of this struct, set by SHARDRUN_FIGURES_INIT */
	int64_t devices;        /* the program needs that many ranks */
	int64_t argument_bytes;
	int64_t output_bytes;
	int64_t alias_bytes;    /* of outputs that take a donated argument's memory */
	int64_t temp_bytes;
	int64_t constant_bytes;
	int64_t peak_bytes;
	int64_t flops;          /* of products and convolutions, 2 for a multiply-add */
	int64_t steps;
	double compile_s;       /* seconds that making the plan took */
};
#define SHARDRUN_FIGURES_INIT {sizeof(struct shardrun_figures), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.0}

/* The collectives of one kind. Each op counts once, in a loop or not. */
struct shardrun_collective {
	const char *kind;   /* "all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute", "collective-broadcast" */
	int64_t count;
	int64_t bytes;      /* of the results on a device */
	int64_t wire_bytes; /* that a device must at least send */
};

/* An argument or a result. `shape` is the global one; a device's part of it is dense and row-major with `local_bytes` bytes. */
struct shardrun_value {
	const char *type;     /* "tensor<16x8xf32>" */
	const char *name;     /* the name that JAX gave, or "" */
	const char *element;  /* "f32" */
	int element_bytes;
	int rank;
	const int64_t *shape; /* [rank] */
	int64_t local_bytes;
	int donated;          /* arguments: a result may take its memory, so that it is to be filled again before each step */
	int aliases;          /* results: the argument whose memory it takes; -1 */
};

/* Make a plan of a module, which stays as it is; several plans may be made of it. A plan lives in its module's memory, which it
 * keeps: they are freed in either order, and one thread at a time uses both. options NULL: the defaults.
 * Returns SR_OK; SR_UNSUPPORTED where an op, a type or a layout cannot be run, SR_INVALID where the module does not hold together
 * once shardings are applied, SR_USAGE for options of a newer library, SR_NO_MEMORY (*out is NULL then).
 * *out is for the caller to free. */
enum sr_status shardrun_plan_make(const struct shardrun_module *module, const struct shardrun_plan_options *options,
				  struct shardrun_plan **out);
/* A plan from a compiled program: the file that shardrun --program=FILE writes ("-": standard input), or its `n` bytes, which are
 * copied; `name` stands for the file in messages. No module is needed, and nothing is compiled. SR_OK; SR_USAGE where the file
 * cannot be read; SR_INVALID where it is not whole, not sound or of another version of the library; SR_NO_MEMORY.
 * *out is for the caller to free. */
enum sr_status shardrun_plan_load(const char *path, struct shardrun_plan **out);
enum sr_status shardrun_plan_read(const char *name, const void *bytes, size_t n, struct shardrun_plan **out);
/* The plan as such a file: *n bytes, owned by the plan. SR_USAGE where there is no program, SR_NO_MEMORY; *bytes is NULL then. */
enum sr_status shardrun_plan_bytes(struct shardrun_plan *plan, const void **bytes, size_t *n);
/* What went wrong; "" where nothing did. Owned by the plan. The functions below are for plans that were made without error. */
const char *shardrun_plan_message(const struct shardrun_plan *plan);
/* NULL is fine. Runs that were opened on the plan stay good: its memory is given back when the last of them has been closed, too.
 * Any thread may free it while others step these runs. */
void shardrun_plan_free(struct shardrun_plan *plan);

/* Fill *figures as far as its size says. */
void shardrun_plan_figures(const struct shardrun_plan *plan, struct shardrun_figures *figures);
/* The i-th kind of collective that occurs; NULL behind the last. */
const struct shardrun_collective *shardrun_plan_collective(const struct shardrun_plan *plan, int i);
/* Argument or result i; NULL behind the last. Owned by the plan. */
const struct shardrun_value *shardrun_plan_argument(const struct shardrun_plan *plan, int i);
const struct shardrun_value *shardrun_plan_result(const struct shardrun_plan *plan, int i);

/* What device `device` holds of argument (or result) i: along dimension d the global elements start[d] .. start[d] + size[d] - 1,
 * in a buffer of extents local[d] >= size[d]; what is beyond size[d] is padding. Each array has the value's rank; NULL: not wanted.
 * SR_USAGE where there is no such value or device; the arrays are untouched then. */
enum sr_status shardrun_plan_argument_slice(const struct shardrun_plan *plan, int i, int64_t device, int64_t *start, int64_t *size,
					    int64_t *local);
enum sr_status shardrun_plan_result_slice(const struct shardrun_plan *plan, int i, int64_t device, int64_t *start, int64_t *size,
					  int64_t *local);

/* The report as JSON (the same that shardrun --run=false --report=FILE writes), the plan's steps as text, and the local module (one
 * device's program) as MLIR, which a plan from a file does not have. Written when first asked for, then always the same. Owned by
 * the plan; NULL where memory runs out. */
const char *shardrun_plan_report(struct shardrun_plan *plan);
const char *shardrun_plan_text(struct shardrun_plan *plan);
const char *shardrun_plan_module_text(struct shardrun_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
