/* A plan: the program compiled for one device. The compiler propagates the module's shardings, partitions the program into the
 * program of one device, inserts collectives, and assigns every value a place in one memory arena; all sizes are known from then
 * on. Making a plan needs no MPI and no devices: a laptop can plan for 512 devices.
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
	size_t size;          /* sizeof this struct, set by SHARDRUN_PLAN_OPTIONS_INIT */
	const char *function; /* entry function; NULL: main, or the only function */
	/* 1: replicate all values and compute everything on every device; slow, correct for every program, useful as a reference */
	int replicate;
	int interpret;        /* 1: run the program as it is written, without propagation and partitioning */
	int verify_each;      /* 1: verify the module after each pass */
};
#define SHARDRUN_PLAN_OPTIONS_INIT {sizeof(struct shardrun_plan_options), 0, 0, 0, 0}

/* Memory and work of one device, the maximum over devices.
 * peak_bytes = argument_bytes + output_bytes - alias_bytes + temp_bytes. */
struct shardrun_figures {
	size_t size;            /* sizeof this struct, set by SHARDRUN_FIGURES_INIT */
	int64_t devices;        /* number of devices, and so of ranks, that the program needs */
	int64_t argument_bytes;
	int64_t output_bytes;
	int64_t alias_bytes;    /* bytes of outputs that reuse the memory of a donated argument */
	int64_t temp_bytes;
	int64_t constant_bytes;
	int64_t peak_bytes;
	int64_t flops;          /* FLOPs of matrix products and convolutions, 2 per multiply-add */
	int64_t steps;          /* number of instructions */
	double compile_s;       /* seconds that making the plan took */
};
#define SHARDRUN_FIGURES_INIT {sizeof(struct shardrun_figures), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.0}

/* All collectives of one kind. Each op counts once, even inside a loop. */
struct shardrun_collective {
	/* one of "all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute", "collective-broadcast" */
	const char *kind;
	int64_t count;
	int64_t bytes;      /* size of the results on one device */
	int64_t wire_bytes; /* minimum number of bytes that one device has to send */
};

/* An argument or a result. `shape` is the global shape; a device's shard is a dense row-major buffer of `local_bytes` bytes. */
struct shardrun_value {
	const char *type;     /* MLIR type, for example "tensor<16x8xf32>" */
	const char *name;     /* name of the argument or result in the JAX function, or "" if unknown */
	const char *element;  /* "f32" */
	int element_bytes;
	int rank;
	const int64_t *shape; /* global extents; length: rank */
	int64_t local_bytes;
	/* arguments: 1 if a result may reuse the memory, so that the argument has to be filled again before each step */
	int donated;
	int aliases;          /* for a result: index of the argument whose memory is reused; -1: none */
};

/* Compile a module into a plan. The module is not changed; several plans may be made from it. A plan lives in its module's memory
 * and keeps it alive: the two may be freed in either order, but only one thread at a time may use either. options NULL: the
 * defaults. Returns SR_OK; SR_UNSUPPORTED if an op, a type or a layout cannot be run, SR_INVALID if the module is inconsistent
 * once shardings are applied, SR_USAGE for options of a newer library, SR_NO_MEMORY (*out is NULL then). The caller frees *out. */
enum sr_status shardrun_plan_make(const struct shardrun_module *module, const struct shardrun_plan_options *options,
				  struct shardrun_plan **out);
/* Load a compiled program from the file that shardrun --program=FILE writes ("-": standard input), or from its `n` bytes,
 * which are copied; `name` replaces the file name in messages. Needs no module and compiles nothing. Returns SR_OK; SR_USAGE
 * if the file cannot be read; SR_INVALID if it is truncated, corrupt or of another library version; SR_NO_MEMORY. The caller
 * frees *out. */
enum sr_status shardrun_plan_load(const char *path, struct shardrun_plan **out);
enum sr_status shardrun_plan_read(const char *name, const void *bytes, size_t n, struct shardrun_plan **out);
/* Serialize the plan into the format that shardrun_plan_load reads: *n bytes, owned by the plan. Returns SR_USAGE if the plan has
 * no program, or SR_NO_MEMORY; *bytes is NULL then. */
enum sr_status shardrun_plan_bytes(struct shardrun_plan *plan, const void **bytes, size_t *n);
/* Return the error message, or "" if there was no error. Owned by the plan. The functions below are valid only for plans made
 * without error. */
const char *shardrun_plan_message(const struct shardrun_plan *plan);
/* Free the plan; NULL is allowed. Runs opened on the plan stay valid: its memory is freed when the last of them is closed. Any
 * thread may free a plan while other threads execute such runs. */
void shardrun_plan_free(struct shardrun_plan *plan);

/* Fill *figures; fields beyond figures->size are left out. */
void shardrun_plan_figures(const struct shardrun_plan *plan, struct shardrun_figures *figures);
/* Return the i-th kind of collective in the program; NULL if there are no more. */
const struct shardrun_collective *shardrun_plan_collective(const struct shardrun_plan *plan, int i);
/* Return argument or result i; NULL if there are no more. Owned by the plan. */
const struct shardrun_value *shardrun_plan_argument(const struct shardrun_plan *plan, int i);
const struct shardrun_value *shardrun_plan_result(const struct shardrun_plan *plan, int i);

/* Return which elements of argument (or result) i a device holds: along dimension d the global elements start[d] .. start[d] +
 * size[d] - 1, in a buffer with extents local[d] >= size[d]; elements beyond size[d] are padding. Each output array has one entry
 * per dimension and may be NULL. Returns SR_USAGE if there is no such value or device; the arrays are unchanged then. */
enum sr_status shardrun_plan_argument_slice(const struct shardrun_plan *plan, int i, int64_t device, int64_t *start, int64_t *size,
					    int64_t *local);
enum sr_status shardrun_plan_result_slice(const struct shardrun_plan *plan, int i, int64_t device, int64_t *start, int64_t *size,
					  int64_t *local);

/* The report as JSON (what shardrun --run=false --report=FILE writes), the plan's instructions as text, and one device's program
 * as MLIR (NULL for a plan loaded from a file). Computed at the first call and cached. Owned by the plan; NULL if memory runs
 * out. */
const char *shardrun_plan_report(struct shardrun_plan *plan);
const char *shardrun_plan_text(struct shardrun_plan *plan);
const char *shardrun_plan_module_text(struct shardrun_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
