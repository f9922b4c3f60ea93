/* What a kind of device offers, from which the runtime makes everything else: ranges of memory, preparation of a loaded program's kernels and
 * loop nests, their launch, and copies. The CPU is the only one.
 *
 * Execution is in order: what is launched on a device sees what was launched and copied before, and the executor's host code (loops, branches,
 * checks, collectives) sees the results when a launch has returned. */
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
	 * addresses run out. The pages can be replaced by a shared segment's. */
	void *(*reserve)(int64_t bytes);
	/* State that the bytes [from, to) of a range will be used, so that they can have large pages, as far as none reaches
	 * beyond `to`. */
	void (*use)(void *range, int64_t from, int64_t to);
	void (*release)(void *range, int64_t bytes);
	/* ---- prepare: once per program and device ---- */
	/* Divide the work of instructions, prepare kernels, and require the scratch that they need. */
	void (*prepare_kernels)(struct sr_device *d, struct sr_arena *arena);
	/* Prepare loop nests and loops, when buffers have their places. SR_NO_MEMORY is reported. */
	enum sr_status (*prepare_nests)(struct sr_device *d, struct sr_arena *arena, struct sr_diags *diags);
	void (*unload)(struct sr_device *d); /* release what was prepared, also where that was not completed */
	/* ---- launch ---- */
	void (*launch)(const struct sr_device *d, const struct sr_ready_instr *r); /* execute a kernel or a loop nest */
	/* ---- copy ---- */
	void (*copy)(void *to, const void *from, int64_t bytes); /* between ranges, arrays and memory of the host, which do not overlap */
};

extern const struct sr_backend sr_cpu_backend;

#endif
