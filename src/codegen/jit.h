/* JIT compilation: the loop nests and small while loops of a program become C source, which the system's compiler makes into shared
 * objects. Nests and loops that differ only in their buffers share a function. A nest with types or functions that are not compiled
 * is interpreted; this depends on the nest alone.
 *
 *	sr_jit_key(&options, program, arena, &key, &why);
 *	module = sr_jit_module_find(&key);                                     loaded in this process already
 *	sr_jit_cache_get(&options, &key, arena, &made, &counts);               or compiled before
 *	nests = sr_jit_nests(program, arena);                                  by instruction, NULL: no loop nest
 *	sr_jit_generate(program, nests, n_instrs, arena, &text, &counts);      on one rank
 *	sr_jit_compile(&options, &text, arena, &made, &why);                   on the same rank
 *	sr_jit_load(made.object, made.n, n_instrs, &module, arena, &why);      on every rank
 *	const struct sr_jit_function *f = sr_jit_function_of(module, instr);   NULL: interpreted
 *
 * No failure here is fatal: *why says what failed, and the program is interpreted. */
#ifndef SR_CODEGEN_JIT_H
#define SR_CODEGEN_JIT_H

#include "kernels/fast/fast.h"
#include "program/program.h"
#include "support/buf.h"
#include "support/cache.h"

/* A target of compiled code is an instruction set of the kernels (isa.def). */
extern const char sr_target_arch[]; /* architecture of all targets: for example "x86_64" */
/* Parse a list of targets such as "avx2,avx512", or "native" for this machine's, into a bit for each instruction set; 0:
 * malformed. */
unsigned sr_targets_read(const char *text);

struct sr_jit_counts {
	/* number of loop nests; of loop nests that are compiled; of while loops that are compiled; of distinct functions */
	int nests, compiled, loops, functions;
};
/* Return the estimated time that compilation saves in one execution, as an equivalent of memory traffic: the bytes that the loop
 * nests read and write and a share of the scalar instructions that they compute, times the trip counts of the loops around them,
 * plus a constant for each nest and each instruction of a small loop. */
int64_t sr_jit_benefit_bytes(const struct sr_program *p);
/* Return the number of the operand of a loop nest whose pointer the generated code uses to access an operand's buffer: the first
 * input that is the same buffer, or for an output the first such output if compilers gain from it. */
int sr_jit_equal_operand(const struct sr_program *p, const struct sr_instr *instr, int operand);
const struct sr_nest *const *sr_jit_nests(const struct sr_program *p, struct sr_arena *arena);
enum { SR_JIT_SOURCE_FILES = 4 };
struct sr_jit_source { /* C source: independent files, so that several compilers can run at once */
	struct sr_buf files[SR_JIT_SOURCE_FILES];
	int n;
};
/* Generate the C source of a program's loop nests and while loops. nests[n_instrs]: the loop nest of each instruction, or NULL.
 * program NULL: compile loop nests alone. */
void sr_jit_generate(const struct sr_program *program, const struct sr_nest *const *nests, uint64_t n_instrs,
		     struct sr_arena *arena, struct sr_jit_source *out, struct sr_jit_counts *counts);

enum { SR_JIT_COMPILE_SECONDS = 60 }; /* default limit for the time that the compiler takes */
struct sr_jit_options {
	const char *compiler; /* name of the C compiler, looked up in PATH, or its path */
	enum sr_isa target;
	double timeout_s;       /* time limit in seconds, after which the compiler is killed */
	const struct sr_cache *cache; /* cache that sr_jit_cache_get and sr_jit_cache_put use; NULL: none */
	int64_t memory;       /* limit in bytes for the memory of all running compilers together; 0: none */
	/* If not NULL, compile in the background: one compiler at a time, with low priority and in a process group of its own,
	 * which is killed once *cancel is set. */
	const _Atomic bool *cancel;
};
/* Return the digest of a C source. Object code in a program's file is used if its source has the same digest. */
struct sr_digest sr_jit_source_digest(const struct sr_jit_source *text);
/* Set the key of a program's module: the digest of this build, the compiler, its flags, the target, and what the generator reads
 * of the program. Return false with *why if there is no compiler. */
bool sr_jit_key(const struct sr_jit_options *o, const struct sr_program *p, struct sr_arena *arena, struct sr_digest *key,
		const char **why);
/* Read a module's object code and counts from o->cache, without generating its source. Return false if the cache lacks them. */
bool sr_jit_cache_get(const struct sr_jit_options *o, const struct sr_digest *key, struct sr_arena *arena,
		      struct sr_program_object *out, struct sr_jit_counts *counts);
void sr_jit_cache_put(const struct sr_jit_options *o, const struct sr_digest *key, struct sr_arena *arena,
		      const struct sr_program_object *object, const struct sr_jit_counts *counts);
/* Compile a source. `out` gets the objects as one block (for each file a struct sr_jit_object_header and its bytes) and the
 * compiler's name. Return false with *why on failure. Starts one child process
 * for each file. The calling process may reap these children itself, and may ignore or handle SIGCHLD. */
bool sr_jit_compile(const struct sr_jit_options *o, const struct sr_jit_source *text, struct sr_arena *arena,
		    struct sr_program_object *out, const char **why);
/* Write the source to `dir` for inspection: prepare_nests.c and so on, one file each. Return false with *why on failure. */
bool sr_jit_emit_source(const char *dir, const struct sr_jit_source *text, struct sr_arena *arena, const char **why);

struct sr_jit_object_header {
	uint64_t bytes; /* number of bytes of the shared object that follows this header */
};

struct sr_jit_module;
struct sr_jit_function {
	/* Execute iterations [first, last) of a loop nest's outermost parallel loop, or a while loop. buffers: for a loop nest its
	 * operands, for a while loop the addresses of its regions (loop_c.h). Nests whose outputs exceed cache_bytes write them past
	 * the caches. */
	void (*run)(void *const *buffers, int64_t first, int64_t last, int64_t cache_bytes);
	/* number of these iterations; for a while loop, the number of units that threads divide (loop_c.h), 1: one thread executes
	 * it */
	int64_t iterations;
	int64_t grain;      /* minimum number of iterations for a task of a thread */
	double seconds;     /* for a while loop that threads divide: the estimate of sr_loop_units; else 0 */
};
/* Load the object code of a program of n_instrs instructions. */
bool sr_jit_load(const char *object, uint64_t n, uint64_t n_instrs, struct sr_jit_module **module, struct sr_arena *arena,
		 const char **why);
/* Return the compiled function of an instruction, or NULL if the instruction is interpreted. module may be NULL. */
const struct sr_jit_function *sr_jit_function_of(const struct sr_jit_module *module, uint64_t instr);
/* Drop a reference to a module. Some modules without references stay loaded for a while, so that a program that is opened again
 * finds its module. */
void sr_jit_release(struct sr_jit_module *module);
/* List the module under its key, so that other programs of this process can share it. If a module with the same key has been
 * listed meanwhile, this module stays private. */
void sr_jit_module_add(struct sr_jit_module *module, const struct sr_digest *key, const struct sr_jit_counts *counts);
/* Return the module with the key, with a reference to it, and its counts; NULL if there is none. */
struct sr_jit_module *sr_jit_module_find(const struct sr_digest *key, struct sr_jit_counts *counts);

#endif
