/* Allocation of the contexts of an execution, and binding of arguments and results to memory. */
#include "run/execution_context.h"
#include "run/background_jit.h"
#include "support/checked.h"
#include <stdlib.h>

enum { CODE_ALIGNMENT = 64 };

/* Numbers of elements of a context's tables. */
struct sizes {
	size_t buffers, operands, values, regions, swaps, code; /* `code` counts bytes */
};

static struct sizes sizes_of(const struct sr_loaded_program *l)
{
	const struct sr_program *p = l->program;
	size_t n_values = (size_t)(p->n_arguments + p->n_results);
	return (struct sizes){p->buffers.n, p->operands.n, n_values, (size_t)l->max_regions, (size_t)l->n_swaps,
			      (size_t)(l->code_bytes + 63) / 64 * 64};
}

static void place_buffers(struct sr_execution_context *x)
{
	const struct sr_program *p = x->program;
	for (uint64_t i = 0; i < p->buffers.n; i++) {
		const char *constant = x->loaded->constant_of[i];
		x->addresses[i] = constant ? (void *)(uintptr_t)constant : x->device->arena + sr_program_buffers(p)[i].offset;
	}
	for (uint64_t i = 0; i < p->operands.n; i++)
		x->operands[i] = x->addresses[sr_program_operands(p)[i]];
}

/* Set up a context whose tables begin at `addresses` and `swaps`. Return the end of the addresses. */
static void **init(struct sr_execution_context *x, struct sr_device *d, void **addresses, struct sr_swap_state *swaps)
{
	struct sizes n = sizes_of(d->loaded);
	*x = (struct sr_execution_context){.device = d, .loaded = d->loaded, .program = d->loaded->program, .swaps = swaps};
	x->addresses = addresses;
	x->operands = x->addresses + n.buffers;
	x->bound = x->operands + n.operands;
	x->regions = x->bound + n.values;
	place_buffers(x);
	return x->regions + n.regions;
}

struct sr_execution_context *sr_contexts_new(struct sr_device *devices, int n)
{
	struct sizes device_sizes = sizes_of(devices->loaded);
	size_t addresses = device_sizes.buffers + device_sizes.operands + device_sizes.values + device_sizes.regions, bytes;
	if (sr_mul_overflows(addresses, sizeof(void *), &bytes) ||
	    sr_add_overflows(bytes, device_sizes.swaps * sizeof(struct sr_swap_state) + sizeof(struct sr_execution_context),
			     &bytes) ||
	    sr_add_overflows(bytes, device_sizes.code, &bytes) || sr_mul_overflows(bytes, (size_t)n, &bytes) ||
	    sr_add_overflows(bytes, CODE_ALIGNMENT, &bytes))
		return NULL;
	/* the contexts, then all their addresses, then all their swaps, then all their code */
	struct sr_execution_context *contexts = calloc(1, bytes);
	if (!contexts)
		return NULL;
	void **at = (void **)(contexts + n);
	struct sr_swap_state *swaps = (struct sr_swap_state *)(void *)(at + addresses * (size_t)n);
	uintptr_t code = (uintptr_t)(swaps + device_sizes.swaps * (size_t)n);
	code += -code % CODE_ALIGNMENT;
	for (int k = 0; k < n; k++) {
		at = init(&contexts[k], &devices[k], at, swaps + device_sizes.swaps * (size_t)k);
		contexts[k].code = (char *)code + device_sizes.code * (size_t)k;
	}
	return contexts;
}

void sr_context_reset(struct sr_execution_context *x)
{
	place_buffers(x);
	for (size_t i = 0; i < sizes_of(x->loaded).values; i++)
		x->bound[i] = NULL;
	x->status = SR_OK;
}

void sr_contexts_free(struct sr_execution_context *contexts)
{
	free(contexts);
}

void sr_context_begin(struct sr_execution_context *x)
{
	const struct sr_loaded_program *l = x->loaded;
	x->partitions = l->program->n_devices / l->program->n_replicas;
	x->in_parallel = false;
	x->collective_ticks = 0;
	x->sends_in_flight = 0;
	x->loop = NULL;
	x->jit = l->request ? sr_background_jit_poll(l->request, !x->device->k, l->jit) : l->jit;
}
