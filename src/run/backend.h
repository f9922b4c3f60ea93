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
	/* ---- prepare: once per program and device ---- */
	/* Divide the work of instructions among workers, prepare kernels, and request the scratch that they need. */
	void (*prepare_kernels)(struct sr_device *d, struct sr_arena *arena);
	/* Prepare loop nests and compiled loops, after all buffers have addresses. Returns SR_NO_MEMORY, reported, if memory runs
	 * out. */
	enum sr_status (*prepare_nests)(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags);
	void (*unload)(struct sr_device *d); /* Release all prepared kernels and loop nests; also after preparation has failed. */
	/* ---- launch ---- */
	void (*launch)(const struct sr_device *d, const struct sr_ready_instr *r); /* Execute a kernel or a loop nest. */
	/* ---- copy ---- */
	/* Copy between reserved ranges, arrays and host memory, which do not overlap. */
	void (*copy)(void *to, const void *from, int64_t bytes);
};

extern const struct sr_backend sr_cpu_backend;

#endif
