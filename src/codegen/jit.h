/* Compiled units: the tiles of a program, and its small loops, as one file of C, made into a shared object by the system's compiler
 * and loaded. Those that are equal but for their buffers are one function; a tile with types or functions that are not compiled
 * stays interpreted, which its shape alone decides.
 *
 *	tiles = sr_jit_nests(program, arena);                          per step, NULL: no tile
 *	sr_jit_generate(program, tiles, n_steps, arena, &text, &counts);  on one rank
 *	sr_jit_compile(&options, &text, arena, &made, &why);           there too
 *	sr_jit_load(made.object, made.n, n_steps, &unit, arena, &why);       on every rank
 *	const struct sr_jit_function *tile = sr_jit_function_of(unit, step);    NULL: interpreted
 *
 * Nothing here is fatal: where it fails, *why says so and the run is interpreted. */
#ifndef SR_CODEGEN_JIT_H
#define SR_CODEGEN_JIT_H

#include "program/program.h"
#include "support/buf.h"
#include "support/cache.h"

/* What compiled code may use, from the least on; every machine of a kind has all that come before. */
enum sr_target { SR_TARGET_BASE, SR_TARGET_AVX2, SR_TARGET_AVX512, SR_TARGET_COUNT };
enum sr_target sr_target_host(void); /* the best one that this machine runs */
extern const char *const sr_target_names[SR_TARGET_COUNT];
extern const char sr_target_arch[]; /* the kind of machine that all of them are of: "x86_64" */
/* "avx2", "avx2,avx512", "native" (this machine's) into a bit for each target; 0: malformed. */
unsigned sr_targets_read(const char *text);

struct sr_jit_counts {
	int tiles, compiled, loops, functions; /* steps that are tiles, those of them that are compiled, loops that are; different functions */
};
/* Bytes that the tiles of a program go through in one execution, loops counted by their trips, and steps of small loops as bytes too. */
int64_t sr_jit_benefit_bytes(const struct sr_program *p);
const struct sr_nest *const *sr_jit_nests(const struct sr_program *p, struct sr_arena *arena);
enum { SR_JIT_SOURCE_FILES = 4 };
struct sr_jit_source { /* files of C, each whole by itself: where functions are many, several are compiled at once */
	struct sr_buf parts[SR_JIT_SOURCE_FILES];
	int n;
};
/* program NULL: tiles alone */
void sr_jit_generate(const struct sr_program *program, const struct sr_nest *const *tiles, uint64_t n_steps, struct sr_arena *arena,
		   struct sr_jit_source *out, struct sr_jit_counts *counts);

enum { SR_JIT_COMPILE_SECONDS = 60 }; /* that a compiler may take where nobody says */
struct sr_jit_options {
	const char *compiler; /* a name that PATH knows, or a path */
	enum sr_target target;
	double seconds;       /* the compiler may take; it is ended then */
	const struct sr_cache *cache; /* NULL: none */
	int64_t memory;       /* bytes that compilers may have; 0: as they like */
};
/* What a text's objects are known by. */
struct sr_digest sr_jit_key(const struct sr_jit_source *text);
/* The text's objects as one block (a struct sr_jit_object_header and its bytes, part after part), from the cache where they are there,
 * and the name of the compiler's file. false: *why says why not. The process that calls may have children and handle SIGCHLD as
 * it likes: it sees the end of one more child for each part, and may take it away from here. */
bool sr_jit_compile(const struct sr_jit_options *o, const struct sr_jit_source *text, struct sr_arena *arena,
		     struct sr_program_object *out, const char **why);
/* Write the text into `dir` for people to read, a file for each part: tiles, tiles_2 and so on. False: *why says what failed. */
bool sr_jit_emit_source(const char *dir, const struct sr_jit_source *text, struct sr_arena *arena, const char **why);

struct sr_jit_object_header {
	uint64_t bytes; /* of the shared object that follows */
};

struct sr_jit_module;
struct sr_jit_function { /* of a tile step, its operands; of a loop, the places of its regions (loop_c.h) */
	void (*run)(void *const *buffers, int64_t begin, int64_t end);
	int64_t pieces;
};
bool sr_jit_load(const char *object, uint64_t n, uint64_t n_steps, struct sr_jit_module **unit, struct sr_arena *arena, const char **why);
const struct sr_jit_function *sr_jit_function_of(const struct sr_jit_module *unit, uint64_t step); /* unit may be NULL */
void sr_jit_release(struct sr_jit_module *unit);

#endif
