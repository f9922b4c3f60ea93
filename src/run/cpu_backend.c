/* The CPU backend: memory of the process, kernels and loop nests on the worker threads of each device (split_work.c). */
#include "run/backend.h"
#include "run/execution_context.h"
#include "support/large_pages.h"
#include <string.h>
#include <sys/mman.h>

static void *reserve_addresses(int64_t bytes)
{
	return sr_reserve_addresses((size_t)bytes);
}

static void use(void *range, int64_t begin, int64_t end)
{
	sr_advise_large_pages((char *)range + begin / SR_LARGE_PAGE * SR_LARGE_PAGE, (char *)range + end);
}

static void release(void *range, int64_t bytes)
{
	munmap(range, (size_t)bytes);
}

static enum sr_status prepare_program(struct sr_loaded_program *l, struct sr_arena *arena, struct sr_diags *diags)
{
	sr_loaded_split_work(l);
	return sr_loaded_prepare_nests(l, arena, diags);
}

static void launch(const struct sr_execution_context *x, const struct sr_ready_instr *r)
{
	if (sr_context_own(x, r)->chunks)
		sr_execute_prepared_kernel(x, r);
	else if (r->kind == SR_INSTR_KERNEL)
		sr_execute_kernel(x, r);
	else
		sr_execute_nest(x, r);
}

static void copy(void *dst, const void *src, int64_t bytes)
{
	memcpy(dst, src, (size_t)bytes);
}

const struct sr_backend sr_cpu_backend = {.name = "cpu",
					  .reserve = reserve_addresses,
					  .use = use,
					  .release = release,
					  .prepare_program = prepare_program,
					  .prepare_device = sr_device_prepare_kernels,
					  .unload_device = sr_device_release_kernels,
					  .unload_program = sr_loaded_release_nests,
					  .launch = launch,
					  .copy = copy};
