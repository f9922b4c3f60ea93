/* Executables: the functions by which frameworks query a compiled program. */
#include "pjrt/options.h"
#include "support/checked.h"
#include <stdlib.h>
#include <string.h>

void sr_pjrt_executable_release(PJRT_Executable *x)
{
	if (!x || atomic_fetch_sub_explicit(&x->n_references, 1, memory_order_acq_rel) != 1)
		return;
	sr_arena_free(x->arena);
	free(x);
}

/* ---- description ---- */

/* Describe argument or result i on one device: its type, local extents and layout. The program has the dimensions in memory order.
 */
static void describe_value(const PJRT_Executable *x, int i, struct sr_pjrt_value *v)
{
	struct sr_buf sharding;
	const struct sr_io *io = sr_program_values(x->program) + i;
	const int64_t *order = x->orders ? x->orders[i] : NULL;
	struct sr_device_slice s = sr_program_slice(x->program, io, 0);
	int64_t *dims = SR_NEW_ARRAY(x->arena, int64_t, io->rank), *minor_to_major = SR_NEW_ARRAY(x->arena, int64_t, io->rank);
	sr_buf_init(&sharding, x->arena);
	sr_pjrt_put_sharding(x->program, io, order, x->n_partitions, x->arena, &sharding);
	for (int d = 0; d < io->rank; d++) {
		minor_to_major[io->rank - 1 - d] = order ? order[d] : d;
		dims[order ? order[d] : d] = s.local[d];
	}
	if (i >= x->n_arguments && x->tokens && x->tokens[i - x->n_arguments]) {
		*v = (struct sr_pjrt_value){.type = PJRT_TOKEN, .dims = dims, .minor_to_major = minor_to_major, .sharding = sharding.data,
					    .n_sharding = sharding.n};
		return;
	}
	*v = (struct sr_pjrt_value){.type = sr_pjrt_type((enum sr_dtype)io->dtype), .rank = io->rank, .dims = dims, .minor_to_major = minor_to_major,
				    .sharding = sharding.data, .n_sharding = sharding.n};
}

/* The properties of the cost analysis, with XLA's names. */
static void describe_costs(PJRT_Executable *x)
{
	const struct sr_program *p = x->program;
	const struct {
		const char *name;
		double value;
	} costs[] = {{"flops", (double)p->flops}, {"bytes accessed", (double)p->estimate.memory_bytes}, {"optimal_seconds", p->estimate.step_s}};
	x->n_properties = sizeof costs / sizeof *costs;
	x->properties = SR_NEW_ARRAY(x->arena, struct PJRT_NamedValue, x->n_properties);
	for (size_t i = 0; i < x->n_properties; i++)
		x->properties[i] = (struct PJRT_NamedValue){.struct_size = sizeof *x->properties, .name = costs[i].name,
							    .name_size = strlen(costs[i].name), .type = PJRT_FLOAT,
							    .value.float_value = (float)costs[i].value, .value_size = 1};
}

void sr_pjrt_executable_describe(PJRT_Executable *x)
{
	const struct sr_program *p = x->program;
	int n = p->n_arguments + p->n_results, k = 0;
	x->n_arguments = p->n_arguments;
	x->n_results = p->n_results;
	x->values = SR_NEW_ARRAY(x->arena, struct sr_pjrt_value, n);
	x->output_types = SR_NEW_ARRAY(x->arena, uint32_t, p->n_results);
	x->output_ranks = SR_NEW_ARRAY(x->arena, size_t, p->n_results);
	x->output_dims = SR_NEW_ARRAY(x->arena, int64_t, (int64_t)p->n_results * SR_MAX_RANK);
	x->kinds = SR_NEW_ARRAY(x->arena, const char *, n);
	x->kind_sizes = SR_NEW_ARRAY(x->arena, size_t, n);
	x->shardings = SR_NEW_ARRAY(x->arena, const char *, n);
	x->sharding_sizes = SR_NEW_ARRAY(x->arena, size_t, n);
	describe_costs(x);
	for (int i = 0; i < n; i++) {
		struct sr_pjrt_value *v = &x->values[i];
		describe_value(x, i, v);
		v->memory_kind = x->memory_kinds ? x->memory_kinds[i] : SR_PJRT_DEVICE_MEMORY;
		x->kinds[i] = sr_pjrt_memory_kinds[v->memory_kind];
		x->kind_sizes[i] = strlen(x->kinds[i]);
		x->shardings[i] = v->sharding;
		x->sharding_sizes[i] = v->n_sharding;
		if (i < p->n_arguments)
			continue;
		x->output_types[i - p->n_arguments] = v->type;
		x->output_ranks[i - p->n_arguments] = (size_t)v->rank;
		for (int d = 0; d < v->rank; d++)
			x->output_dims[k++] = v->dims[d];
	}
	sr_pjrt_executable_describe_layouts(x);
}

/* ---- getters ---- */

PJRT_Error *sr_pjrt_Executable_Destroy(struct PJRT_Executable_Destroy_Args *args)
{
	sr_pjrt_executable_release(args->executable);
	return NULL;
}

PJRT_Error *sr_pjrt_Executable_OutputMemoryKinds(struct PJRT_Executable_OutputMemoryKinds_Args *args)
{
	args->num_outputs = (size_t)args->executable->n_results;
	args->memory_kinds = args->executable->kinds + args->executable->n_arguments;
	args->memory_kind_sizes = args->executable->kind_sizes + args->executable->n_arguments;
	return NULL;
}

PJRT_Error *sr_pjrt_Executable_ParameterMemoryKinds(struct PJRT_Executable_ParameterMemoryKinds_Args *args)
{
	args->num_parameters = (size_t)args->executable->n_arguments;
	args->memory_kinds = args->executable->kinds;
	args->memory_kind_sizes = args->executable->kind_sizes;
	return NULL;
}

PJRT_Error *sr_pjrt_Executable_OutputDimensions(struct PJRT_Executable_OutputDimensions_Args *args)
{
	args->num_outputs = (size_t)args->executable->n_results;
	args->dims = args->executable->output_dims;
	args->dim_sizes = args->executable->output_ranks;
	return NULL;
}

/* Return the partitioned module. In a first call the caller learns the size; in a second call it passes memory. */
PJRT_Error *sr_pjrt_Executable_OptimizedProgram(struct PJRT_Executable_OptimizedProgram_Args *args)
{
	static const char format[] = "mlir";
	struct PJRT_Program *p = args->program;
	p->format = format;
	p->format_size = sizeof format - 1;
	if (p->code && p->code_size >= args->executable->n_module)
		memcpy((char *)(uintptr_t)p->code, args->executable->module, args->executable->n_module);
	else if (p->code)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the module has %zu bytes; the memory for it has %zu", args->executable->n_module, p->code_size);
	p->code_size = args->executable->n_module;
	return NULL;
}

PJRT_Error *sr_pjrt_Executable_GetCompileOptions(struct PJRT_Executable_GetCompileOptions_Args *args)
{
	static const char no_options[1];
	args->serialized_bytes = args->executable->n_options ? args->executable->options : no_options;
	args->serialized_bytes_size = args->executable->n_options;
	args->serialized_compile_options = NULL;
	args->serialized_compile_options_deleter =
	    free; /* the caller passes NULL to the deleter, since the bytes belong to the executable */
	return NULL;
}

PJRT_Error *sr_pjrt_Executable_GetCompiledMemoryStats(struct PJRT_Executable_GetCompiledMemoryStats_Args *args)
{
	const struct sr_program *p = args->executable->program;
	size_t head = offsetof(struct PJRT_Executable_GetCompiledMemoryStats_Args, generated_code_size_in_bytes);
	if (args->struct_size > head)
		memset((char *)args + head, 0, (args->struct_size < sizeof *args ? args->struct_size : sizeof *args) - head);
	args->generated_code_size_in_bytes = (int64_t)p->bytes;
	args->argument_size_in_bytes = p->argument_bytes;
	args->output_size_in_bytes = p->output_bytes;
	args->alias_size_in_bytes = p->alias_bytes;
	args->temp_size_in_bytes = p->temp_bytes;
	if (PJRT_HAS(args, peak_memory_in_bytes))
		args->peak_memory_in_bytes = p->argument_bytes + p->output_bytes - p->alias_bytes + p->temp_bytes;
	return NULL;
}

PJRT_Error *sr_pjrt_Executable_GetCostAnalysis(struct PJRT_Executable_GetCostAnalysis_Args *args)
{
	PJRT_Executable *x = args->executable;
	args->num_properties = x->n_properties;
	args->properties = x->properties;
	return NULL;
}
