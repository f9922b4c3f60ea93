/* Interface that each kind of device implements: reservation of memory, preparation of a loaded program's kernels and loop nests,
 * their launch, and copies. The CPU is the only backend.
 *
 * Execution is in order: a launch on a device sees the results of all earlier launches and copies, and the executor's host code
 * (loops, branches, checks, collectives) sees the results of a launch when it has returned. */
#ifndef SR_RUN_BACKEND_H
#define SR_RUN_BACKEND_H

#include "support/arena.h"
#include "support/diag.h"
#include <stdint.h>

struct sr_device;
struct sr_execution_context;
struct sr_loaded_program;
struct sr_ready_instr;

struct sr_backend {
	const char *name;
	/* ---- memory ---- */
	/* Reserve `bytes` of addresses, page-aligned and zero, whose pages are provided at the first access. Return NULL if
	 * addresses run out. The pages can later be replaced by those of a shared segment. */
	void *(*reserve)(int64_t bytes);
	/* State that the bytes [from, to) of a range will be used, so that the backend can provide large pages that do not extend
	 * beyond `to`. */
	void (*use)(void *range, int64_t from, int64_t to);
	void (*release)(void *range, int64_t bytes);
	/* ---- prepare ---- */
	/* Once per program: divide the work of instructions among workers, prepare loop nests and compiled loops, and request the
	 * scratch that they need. Returns SR_NO_MEMORY, reported, if memory runs out. */
	enum sr_status (*prepare_program)(struct sr_loaded_program *l, struct sr_arena *arena, struct sr_diags *diags);
	/* Once per program and device: prepare the kernels of libraries, and request their scratch. */
	void (*prepare_device)(struct sr_device *d, struct sr_loaded_program *l, struct sr_arena *arena);
	void (*unload_device)(struct sr_device *d); /* Release all prepared kernels; also after preparation has failed. */
	void (*unload_program)(struct sr_loaded_program *l); /* Release the program's loop nests, after its devices. */
	/* ---- launch ---- */
	void (*launch)(const struct sr_execution_context *x, const struct sr_ready_instr *r); /* Execute a kernel or a loop nest. */
	/* ---- copy ---- */
	/* Copy between reserved ranges, arrays and host memory, which do not overlap. */
	void (*copy)(void *to, const void *from, int64_t bytes);
};

extern const struct sr_backend sr_cpu_backend;

#endif
