/* Plan a local module: entry, arguments and results with their shardings, instructions, shared memory, arena layout, serialized
 * program.
 *
 * Requires: static shapes of one device and no sdy ops but meshes; calls may remain. The entry's attributes `shardrun.global_type`
 * and `sdy.sharding` describe arguments and results that are shards of global values. Leaves the module unchanged. */
#include "plan/place/into_concatenation.h"
#include "plan/place/into_slice.h"
#include "plan/place/overlap.h"
#include "dialect/attr_names.h"
#include "support/checked.h"

/* Append the axes of a sharding to `ids`: for each dimension, then for the unreduced axes, the number of axes, then (axis
 * index, pre-size, size) of each. */
static uint64_t add_sharding_axes(struct sr_plan_builder *b, const struct sr_attr *sharding, const struct sr_mesh *mesh, int rank)
{
	uint64_t first = b->ids.n;
	for (int d = 0; d <= rank; d++) {
		const struct sr_sdy_sharding *s = sharding ? sharding->sharding : NULL;
		bool is_unreduced = d == rank;
		struct sr_axes axes = s && (is_unreduced || d < s->rank)
					      ? sr_axes_resolve(b->arena, mesh, is_unreduced ? s->unreduced : s->dims[d].axes)
					      : (struct sr_axes){0};
		sr_push(b->arena, &b->ids, axes.n);
		for (int i = 0; i < axes.n; i++)
			sr_plan_add_ids(b, (int64_t[]){sr_mesh_axis_index(mesh, axes.refs[i].axis), axes.refs[i].pre,
						   axes.refs[i].size}, 3);
	}
	return first;
}

/* Append a mesh other than the program's, over the same devices, to `ids`; return 1 + its index. */
static uint64_t add_mesh(struct sr_plan_builder *b, const struct sr_mesh *mesh)
{
	void **at = sr_map_at(&b->meshes, mesh);
	if (!*at) {
		uint64_t first = sr_plan_add_ids(b, (int64_t[]){mesh->n_axes}, 1);
		for (int i = 0; i < mesh->n_axes; i++)
			sr_plan_add_ids(b, (int64_t[]){sr_plan_add_text(b, mesh->axes[i].name), mesh->axes[i].size}, 2);
		sr_plan_add_ids(b, (int64_t[]){mesh->device_ids ? mesh->n_device_ids : 0}, 1);
		sr_plan_add_ids(b, mesh->device_ids, mesh->device_ids ? mesh->n_device_ids : 0);
		*at = (void *)(uintptr_t)(1 + first);
	}
	return (uint64_t)(uintptr_t)*at;
}

struct sr_io sr_plan_describe_value(struct sr_plan_builder *b, const struct sr_type *local_type, const struct sr_attr *global_type,
				    const struct sr_attr *sharding, const char *name)
{
	const struct sr_type *t = global_type && global_type->kind == SR_ATTR_TYPE ? global_type->type : local_type;
	struct sr_io io = {.aliases = -1, .dtype = (int32_t)t->dtype, .rank = t->rank};
	io.shape = sr_plan_add_ids(b, t->shape, t->rank);
	const struct sr_mesh *mesh = global_type && sharding ? sr_sharding_mesh(b->module, sharding->sharding) : NULL;
	io.refs = add_sharding_axes(b, mesh ? sharding : NULL, mesh, t->rank);
	io.mesh = mesh && b->mesh && !sr_mesh_equal(mesh, b->mesh) ? add_mesh(b, mesh) : 0;
	io.type = sr_plan_add_text(b, sr_type_string(b->ctx, t));
	io.name = sr_plan_add_printable_text(b, name ? name : "");
	return io;
}

static enum sr_status add_arguments(struct sr_plan_builder *b, struct sr_op *func, struct sr_block *entry)
{
	for (int i = 0; i < entry->n_args; i++) {
		struct sr_value *v = entry->args[i];
		if (v->type->kind == SR_TYPE_TOKEN)
			continue; /* a token orders effects and is no input of the program */
		enum sr_status status = sr_plan_check_type(b, func, v->type, "argument", i, sr_func_arg_name(func, i));
		if (status)
			return status;
		const char *name = sr_func_arg_name(func, i);
		struct sr_io io = sr_plan_describe_value(b, v->type, sr_func_arg_attr(func, i, "shardrun.global_type"),
							 sr_func_arg_attr(func, i, "sdy.sharding"), name);
		const struct sr_attr *donor = sr_func_arg_attr(func, i, "jax.buffer_donor");
		io.donated = (donor && donor->i) || sr_func_arg_attr(func, i, "tf.aliasing_output");
		io.buffer = sr_plan_buffer_for(b, v);
		sr_plan_add_use(b, io.buffer, SR_USE_ARGUMENT | (io.donated ? 0 : SR_USE_PERMANENT));
		sr_push(b->arena, &b->values, io);
	}
	return SR_OK;
}

struct donor {
	int argument;     /* index of the argument in b->values; -1: none */
	bool is_declared; /* true if the argument names the result (tf.aliasing_output) */
};

/* Return the first result that has as many bytes as v and no donor; -1: none. */
static int find_result(struct sr_plan_builder *b, struct sr_value *v, const struct sr_op *end, const struct donor *donors)
{
	int64_t bytes = b->buffers.data[sr_plan_buffer_for(b, v)].bytes;
	for (int i = 0; i < end->n_operands; i++)
		if (donors[i].argument < 0 && sr_operand(end, i)->type->kind != SR_TYPE_TOKEN &&
		    b->buffers.data[sr_plan_buffer_for(b, sr_operand(end, i))].bytes == bytes)
			return i;
	return -1;
}

/* Return for each result the argument that donates its memory. tf.aliasing_output names the result; an argument with
 * jax.buffer_donor donates to the first result of its size that has no donor. */
static struct donor *find_donors(struct sr_plan_builder *b, struct sr_op *func, const struct sr_op *end)
{
	const struct sr_block *entry = sr_func_entry(func);
	struct donor *donors = SR_NEW_ARRAY(b->arena, struct donor, end->n_operands);
	int result;
	for (int i = 0; i < end->n_operands; i++)
		donors[i].argument = -1;
	for (int i = 0, value = 0; i < entry->n_args; i++) {
		const struct sr_attr *output = sr_func_arg_attr(func, i, "tf.aliasing_output");
		if (output && output->kind == SR_ATTR_INTEGER && output->i >= 0 && output->i < end->n_operands)
			donors[output->i] = (struct donor){value, true};
		value += entry->args[i]->type->kind != SR_TYPE_TOKEN;
	}
	for (int i = 0, value = 0; i < entry->n_args; i++) {
		if (entry->args[i]->type->kind == SR_TYPE_TOKEN)
			continue;
		struct sr_io *io = &b->values.data[value++];
		if (!io->donated || sr_func_arg_attr(func, i, "tf.aliasing_output"))
			continue;
		if ((result = find_result(b, entry->args[i], end, donors)) >= 0) {
			donors[result].argument = value - 1;
		} else if (b->options->keep_unused_donors) {
			io->donated = false;
			sr_plan_add_use(b, io->buffer, SR_USE_PERMANENT);
		}
	}
	return donors;
}

static enum sr_status add_results(struct sr_plan_builder *b, struct sr_op *func, struct sr_block *entry)
{
	struct sr_op *end = sr_block_terminator(entry);
	const struct donor *donors = find_donors(b, func, end);
	for (int i = 0; i < end->n_operands; i++) {
		struct sr_value *v = sr_operand(end, i);
		if (v->type->kind == SR_TYPE_TOKEN)
			continue; /* a token is no output of the program */
		enum sr_status status = sr_plan_check_type(b, func, v->type, "result", i, sr_func_result_name(func, i));
		if (status)
			return status;
		const char *name = sr_func_result_name(func, i);
		struct sr_io io = sr_plan_describe_value(b, v->type, sr_func_result_attr(func, i, "shardrun.global_type"),
							 sr_func_result_attr(func, i, "sdy.sharding"), name);
		io.buffer = sr_plan_result(b, sr_plan_buffer_for(b, v));
		io.aliases = donors[i].argument;
		io.donor = donors[i].is_declared ? donors[i].argument + 1 : 0;
		sr_push(b->arena, &b->values, io);
	}
	return SR_OK;
}

enum sr_status sr_plan_module(struct sr_context *ctx, struct sr_op *module, const struct sr_plan_options *options,
			      struct sr_program **out)
{
	struct sr_plan_builder *b = SR_NEW(ctx->arena, struct sr_plan_builder);
	struct sr_buffer_classes classes;
	struct sr_arena_size size;
	enum sr_status status;
	struct sr_op *func = sr_find_entry_function(ctx, module, options->function, &status);
	if (!func)
		return status;
	b->ctx = ctx, b->arena = ctx->arena, b->options = options, b->module = module;
	b->n_devices = options->n_devices, b->n_replicas = options->n_replicas;
	b->mesh = sr_first_mesh(module);
	/* A mesh with other devices than the program is ignored: the program runs unpartitioned on one device. */
	if (b->mesh && sr_mesh_devices(b->mesh) != b->n_devices / b->n_replicas)
		b->mesh = NULL;
	sr_map_init(&b->buffer_of, ctx->arena);
	sr_map_init(&b->texts, ctx->arena);
	sr_map_init(&b->meshes, ctx->arena);
	sr_map_init(&b->orders, ctx->arena);
	sr_plan_add_text(b, "");
	sr_push(b->arena, &b->computations, (struct sr_instr_list){0});
	func->mark = 1; /* The mark of the entry function serves to detect calls of the entry function. */
	status = add_arguments(b, func, sr_func_entry(func));
	const int n_arguments = (int)b->values.n;
	if (!status)
		status = sr_lower_block(b, sr_func_entry(func));
	if (!status)
		status = add_results(b, func, sr_func_entry(func));
	func->mark = 0;
	if (status)
		return status;
	sr_plan_write_into_slices(b);
	sr_plan_write_into_concatenations(b);
	if (!sr_plan_place_buffers(b, &classes, &size))
		return sr_op_error(func, &ctx->diags, SR_NO_MEMORY,
				   "cannot be run: the total size of its values overflows");
	sr_plan_record_live_buffers(b, &classes, size.peak);
	sr_plan_release_collectives(b);
	*out = sr_plan_write(b, &size, n_arguments, (int)b->values.n - n_arguments);
	return SR_OK;
}
