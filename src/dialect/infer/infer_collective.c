/* Infer result types of collectives, send, recv, infeed and outfeed, and check their groups and channels. */
#include "dialect/infer/infer.h"
#include "support/checked.h"
#include "support/integers.h"
#include <stdlib.h>

sr_infer_fn sr_infer_all_gather, sr_infer_all_reduce, sr_infer_all_to_all, sr_infer_collective_broadcast,
	sr_infer_collective_permute, sr_infer_collective_reduce, sr_infer_device_id, sr_infer_infeed, sr_infer_recv,
	sr_infer_reduce_scatter, sr_infer_send;

/* ---------------------------------------------------------------- replica groups */

struct group_requirements { /* what an op requires of its replica groups */
	bool has_equal_sizes;	 /* all groups have equal size, so that no id is -1 */
	bool uses_device_ids; /* ids are global device ids, so that the groups must not be empty */
	int64_t size;	 /* required group size; 0: any */
};

static int64_t *sorted_ids(struct sr_infer *in, struct sr_ints ids)
{
	int64_t *ascending_ids = sr_dup(in->ctx->arena, ids.v, (size_t)ids.n, sizeof *ascending_ids);
	if (ids.n > 0)
		qsort(ascending_ids, (size_t)ids.n, sizeof *ascending_ids, sr_compare_integers);
	return ascending_ids;
}

/* Check that the ids are 0..n-1, each once (all_gather C2-C4, all_reduce C1-C3, all_to_all C5-C8, reduce_scatter C3-C5). */
static enum sr_status check_ids(struct sr_infer *in, struct sr_ints ids, bool forbids_padding)
{
	int64_t *ascending_ids = sorted_ids(in, ids), n = 0;
	for (int64_t i = 0; i < ids.n; i++) {
		if (ascending_ids[i] == -1 && forbids_padding)
			return sr_infer_error(in, "Invalid replica id -1");
		if (ascending_ids[i] != -1 && i > 0 && ascending_ids[i] == ascending_ids[i - 1])
			return sr_infer_error(in, "replica id #%lld seen more than once", (long long)ascending_ids[i]);
	}
	for (int64_t i = 0; i < ids.n; i++)
		n += ascending_ids[i] == n;
	for (int64_t i = 0; i < ids.n; i++)
		if (ascending_ids[i] != -1 && (ascending_ids[i] < 0 || ascending_ids[i] >= n))
			return sr_infer_error(in, "replica id #%lld not seen in replica groups", (long long)n);
	return SR_OK;
}

static bool names_mesh_axes(const struct sr_op *op)
{
	return sr_op_attr(op, "replica_groups")->kind == SR_ATTR_STRUCT;
}

static enum sr_status check_mesh_groups(struct sr_infer *in)
{
	struct sr_group_axes groups;
	if (!sr_op_module(in->op)) /* skip a detached op: the module with its mesh is not known yet */
		return SR_OK;
	const struct sr_attr *groups_attr = sr_op_attr(in->op, "replica_groups"), *mesh = sr_attr_field(groups_attr, "mesh");
	const struct sr_attr *axes = sr_attr_field(groups_attr, "axes");
	if (axes->n && axes->list[0]->kind == SR_ATTR_INTEGER) /* skip axes that are indices instead of names */
		return SR_OK;
	if (mesh->kind == SR_ATTR_SYMBOL && !sr_mesh_find(sr_op_module(in->op), mesh->s)) {
		if (sr_symbol_find(sr_op_module(in->op), mesh->s)) /* skip a symbol that is not a mesh */
			return SR_OK;
		return sr_infer_error(in, "replica_groups: mesh symbol '%s' not found", mesh->s);
	}
	return sr_op_group_axes(in->ctx, in->op, &groups);
}

static enum sr_status check_groups(struct sr_infer *in, struct group_requirements requirements)
{
	const struct sr_attr *a = sr_op_attr(in->op, "replica_groups");
	struct sr_ints ids = {0};
	if (names_mesh_axes(in->op))
		return check_mesh_groups(in);
	if (a->type->rank != 2)
		return sr_infer_error(in, "replica groups should be a rank 2 tensor");
	const int64_t *shape = a->type->shape;
	if (requirements.uses_device_ids && (shape[0] == 0 || shape[1] == 0))
		return sr_infer_error(in, "if `use_global_device_ids` is set, the replica groups cannot be empty");
	sr_attr_ints(in->ctx, a, &ids.v, &ids.n);
	if (check_ids(in, ids, requirements.has_equal_sizes))
		return SR_INVALID;
	if (requirements.has_equal_sizes && requirements.size && (shape[0] == 0 || shape[1] != requirements.size))
		return sr_infer_error(in, "group size of replica_groups must be %lld", (long long)requirements.size);
	return SR_OK;
}

static bool uses_global_ids(const struct sr_op *op)
{
	return sr_op_attr(op, "use_global_device_ids") != NULL;
}

static int64_t channel_id(const struct sr_op *op)
{
	const struct sr_attr *a = sr_op_attr(op, "channel_handle");
	return a ? sr_field_int(a, "handle", 0) : 0;
}

/* Check that the channel id is positive if the op addresses devices by global ids. */
static enum sr_status check_channel(struct sr_infer *in)
{
	if (uses_global_ids(in->op) && channel_id(in->op) <= 0)
		return sr_infer_error(in, "channel_id must be positive when useGlobalDeviceIds is set but got: %lld",
				      (long long)channel_id(in->op));
	return SR_OK;
}

/* ---------------------------------------------------------------- collectives */

static enum sr_status check_result_count(struct sr_infer *in, int n_operands)
{
	if (in->op->n_results == n_operands)
		return SR_OK;
	in->is_verifying = true;
	return sr_infer_error(in, "requires the same number of operands and results");
}

/* Check that each result has the element type of its operand. */
static enum sr_status check_same_elements(struct sr_infer *in)
{
	if (check_result_count(in, in->op->n_operands))
		return SR_INVALID;
	for (int i = 0; i < in->op->n_operands; i++) {
		if (!in->types[i] || in->types[i]->element == sr_infer_operand(in, i)->element)
			continue;
		in->is_verifying = true;
		return sr_infer_error(in, "requires the same element type for operand and result at index %d", i);
	}
	return SR_OK;
}

static enum sr_status check_gathered(struct sr_infer *in, const struct sr_type *t, const struct sr_type *r, int64_t dim)
{
	if (dim >= t->rank)
		return sr_infer_error(in, "all_gather_dim must be a valid index of operand");
	if (t->shape[dim] == 0)
		return sr_infer_error(in, "dimension size of operand at 'all_gather_dim' cannot be zero");
	if (r->rank != t->rank)
		return sr_infer_error(in, "operand and result must have the same rank");
	for (int d = 0; d < t->rank; d++)
		if (d != dim && !sr_dims_compatible(t->shape[d], r->shape[d]))
			return sr_infer_error(in, "operand and result should have the same shape except for the dimension size at "
					      "'all_gather_dim'");
	if (!sr_is_dynamic(t->shape[dim]) && !sr_is_dynamic(r->shape[dim]) && r->shape[dim] % t->shape[dim] != 0)
		return sr_infer_error(in,
				      "result gather dimension has size %lld, expected to be a multiple of operand gather "
				      "dimension size %lld",
				      (long long)r->shape[dim], (long long)t->shape[dim]);
	return SR_OK;
}

enum sr_status sr_infer_all_gather(struct sr_infer *in)
{
	bool uses_global = uses_global_ids(in->op);
	if (check_same_elements(in) || check_groups(in, (struct group_requirements){true, uses_global, 0}))
		return SR_INVALID;
	if (uses_global && channel_id(in->op) < 0)
		return sr_infer_error(in, "channel_id cannot be negative when useGlobalDeviceIds is set");
	for (int i = 0; i < in->op->n_operands && in->types[i]; i++)
		if (check_gathered(in, sr_infer_operand(in, i), in->types[i], sr_op_int(in->op, "all_gather_dim", 0)))
			return SR_INVALID;
	return SR_OK;
}

/* Check that a collective's reducer takes scalars, whatever the shapes of the operands. */
static enum sr_status check_scalar_reducer(struct sr_infer *in, int n)
{
	for (int i = 0; i < n && in->op->regions[0].first; i++) {
		struct sr_reduced_types value = {sr_infer_operand(in, i),
						 sr_type_tensor_of(in->ctx, sr_infer_operand(in, i)->element, 0, NULL, NULL)};
		if (sr_check_reducer(in, 0, &value, 1, NULL, 0))
			return SR_INVALID;
	}
	return SR_OK;
}

static void set_accumulator_types(struct sr_infer *in, int n)
{
	for (int i = 0; i < n; i++)
		in->types[i] = sr_tensor_like(in, sr_infer_accumulator(in, 0, 0, sr_infer_operand(in, i)), sr_infer_operand(in, i));
}

enum sr_status sr_infer_all_reduce(struct sr_infer *in)
{
	int n = in->op->n_operands;
	in->is_verifying = true;
	if (check_groups(in, (struct group_requirements){false, uses_global_ids(in->op), 0}) || check_channel(in) ||
	    check_result_count(in, n) || check_scalar_reducer(in, n))
		return SR_INVALID;
	set_accumulator_types(in, n);
	return SR_OK;
}

enum sr_status sr_infer_all_to_all(struct sr_infer *in)
{
	int64_t split_dim = sr_op_int(in->op, "split_dimension", 0), concat_dim = sr_op_int(in->op, "concat_dimension", 0),
		count = sr_op_int(in->op, "split_count", 1);
	if (check_same_elements(in) || check_groups(in, (struct group_requirements){true, false, count}))
		return SR_INVALID;
	for (int i = 0; i < in->op->n_operands; i++) {
		const struct sr_type *t = sr_infer_operand(in, i);
		if (split_dim >= t->rank)
			return sr_infer_error(in, "AllToAll split_dimension %lld is out-of-bounds for input rank %d",
					      (long long)split_dim, t->rank);
		if (concat_dim >= t->rank)
			return sr_infer_error(in, "AllToAll concat_dimension %lld is out-of-bounds for input rank %d",
					      (long long)concat_dim, t->rank);
		const int64_t *bounds = sr_type_bounds(t);
		int64_t *shape = sr_dup(in->ctx->arena, t->shape, (size_t)t->rank, sizeof *shape);
		int64_t *result_bounds = bounds ? sr_dup(in->ctx->arena, bounds, (size_t)t->rank, sizeof *result_bounds) : NULL;
		if (!sr_is_dynamic(shape[split_dim]) && shape[split_dim] % count != 0)
			return sr_infer_error(in, "split dimension has size %lld, expected to be a multiple of split_count %lld",
					      (long long)shape[split_dim], (long long)count);
		if (!sr_is_dynamic(shape[split_dim]))
			shape[split_dim] /= count;
		if (result_bounds && !sr_is_dynamic(result_bounds[split_dim]))
			result_bounds[split_dim] = sr_ceil_div(result_bounds[split_dim], count);
		if ((!sr_is_dynamic(shape[concat_dim]) && sr_mul_overflows(shape[concat_dim], count, &shape[concat_dim])) ||
		    (result_bounds && !sr_is_dynamic(result_bounds[concat_dim]) &&
		     sr_mul_overflows(result_bounds[concat_dim], count, &result_bounds[concat_dim])))
			return sr_infer_error(in, "the result's dimension %lld is too large", (long long)concat_dim);
		in->types[i] = sr_infer_tensor(in, t, t->rank, shape, result_bounds);
	}
	return SR_OK;
}

/* Check the roots of a collective_broadcast. With has_dynamic_root the last operand holds the root of each other operand
 * (collective_broadcast C4, C6). */
static enum sr_status check_root(struct sr_infer *in, const char *name, int *n_data)
{
	int n = in->op->n_operands;
	bool has_dynamic_root = sr_op_attr(in->op, "has_dynamic_root") != NULL;
	*n_data = has_dynamic_root ? n - 1 : n;
	if (!has_dynamic_root && n == 0)
		return sr_infer_error(in, "%s requires at least one data operand", name);
	if (!has_dynamic_root)
		return SR_OK;
	if (n < 2)
		return sr_infer_error(in, "%s with has_dynamic_root=true requires at least two operands (data + root)", name);
	const struct sr_type *root = sr_infer_operand(in, n - 1);
	if (root->rank != 1 || root->element->dtype != SR_I32)
		return sr_infer_error(in, "last operand of %s with has_dynamic_root=true must be a rank-1 i32 tensor, but got '%s'",
				      name, sr_infer_type_str(in, root));
	if (root->shape[0] != n - 1)
		return sr_infer_error(in,
				      "last operand of %s with has_dynamic_root=true must have the same number of elements as data "
				      "operands (%d), but got %lld",
				      name, n - 1, (long long)root->shape[0]);
	return SR_OK;
}

enum sr_status sr_infer_collective_broadcast(struct sr_infer *in)
{
	const struct sr_attr *a = sr_op_attr(in->op, "replica_groups");
	struct sr_ints ids = {0};
	int n;
	in->is_verifying = true;
	if (names_mesh_axes(in->op)) {
		if (check_mesh_groups(in))
			return SR_INVALID;
	} else if (a->type->rank != 2) {
		return sr_infer_error(in, "replica groups should be a rank 2 tensor, but instead it is of rank %d", a->type->rank);
	} else {
		sr_attr_ints(in->ctx, a, &ids.v, &ids.n);
	}
	const int64_t *ascending_ids = sorted_ids(in, ids);
	for (int64_t i = 0; i < ids.n; i++) {
		if (ascending_ids[i] < 0)
			return sr_infer_error(in, "replica_groups values must be positive, but was given %lld",
					      (long long)ascending_ids[i]);
		if (i > 0 && ascending_ids[i] == ascending_ids[i - 1])
			return sr_infer_error(in, "replica id #%lld seen more than once", (long long)ascending_ids[i]);
	}
	if (check_root(in, "collective_broadcast", &n) || check_result_count(in, n))
		return SR_INVALID;
	for (int i = 0; i < n; i++)
		in->types[i] = sr_infer_operand(in, i);
	return SR_OK;
}

enum sr_status sr_infer_collective_reduce(struct sr_infer *in)
{
	int n;
	in->is_verifying = true;
	if (check_groups(in, (struct group_requirements){false, uses_global_ids(in->op), 0}) || check_channel(in) ||
	    check_root(in, "collective_reduce", &n) || check_result_count(in, n) || check_scalar_reducer(in, n))
		return SR_INVALID;
	set_accumulator_types(in, n);
	return SR_OK;
}

enum sr_status sr_infer_reduce_scatter(struct sr_infer *in)
{
	const struct sr_type *t = sr_infer_operand(in, 0), *r = in->types[0];
	int64_t dim = sr_op_int(in->op, "scatter_dimension", 0);
	if (check_groups(in, (struct group_requirements){true, uses_global_ids(in->op), 0}) ||
	    check_scalar_reducer(in, 1))
		return SR_INVALID;
	if (r && t->rank != r->rank)
		return sr_infer_error(in, "operand and result should have same rank");
	if (dim >= t->rank)
		return sr_infer_error(in, "scatter dim should be less than operand/result rank");
	if (check_channel(in))
		return SR_INVALID;
	if (!r || sr_is_dynamic(t->shape[dim]) || sr_is_dynamic(r->shape[dim]))
		return SR_OK;
	if (r->shape[dim] == 0 || t->shape[dim] == 0)
		return sr_infer_error(in, "%s dimension size at scatter_dimension cannot be zero",
				      r->shape[dim] == 0 ? "result" : "operand");
	if (t->shape[dim] % r->shape[dim] != 0)
		return sr_infer_error(in,
				      "operand scatter dimension has size %lld, expected to be a multiple of result scatter "
				      "dimension size %lld",
				      (long long)t->shape[dim], (long long)r->shape[dim]);
	for (int d = 0; d < t->rank; d++)
		if (d != dim && !sr_dims_compatible(t->shape[d], r->shape[d]))
			return sr_infer_error(in, "non scatter dimensions should be same for operand (%lld) and result (%lld)",
					      (long long)t->shape[d], (long long)r->shape[d]);
	const struct sr_type *element = sr_infer_accumulator(in, 0, 0, t);
	if (r->element != element)
		return sr_infer_error(in, "result element-type is expected to be '%s', but got '%s'", sr_infer_type_str(in, element),
				      sr_infer_type_str(in, r->element));
	return SR_OK;
}

/* Check that source_target_pairs has shape (N, 2), and that its ids are at least 0, the sources distinct and the targets
 * distinct. */
static enum sr_status check_source_target_pairs(struct sr_infer *in)
{
	const struct sr_attr *a = sr_op_attr(in->op, "source_target_pairs");
	struct sr_ints ids = {0};
	if (!a)
		return SR_OK;
	if (a->kind == SR_ATTR_STRUCT) {
		struct sr_permute_axes axes;
		return sr_op_module(in->op) ? sr_op_permute_axes(in->ctx, in->op, &axes) : SR_OK;
	}
	if (a->type->rank != 2)
		return sr_infer_error(in, "expect source_target_pairs attribute to be of rank 2, but got rank %d", a->type->rank);
	if (a->type->shape[1] != 2)
		return sr_infer_error(in, "expect source_target_pairs attribute of shape (N, 2), but got (%s)",
				      sr_dims_str(in->ctx, a->type->shape, 2));
	sr_attr_ints(in->ctx, a, &ids.v, &ids.n);
	for (int64_t i = 0; i < ids.n; i++)
		if (ids.v[i] < 0)
			return sr_infer_error(in, "replica ids in source_target_pairs must be >= 0.");
	for (int side = 0; side < 2; side++) {
		int64_t *side_ids = SR_NEW_ARRAY(in->ctx->arena, int64_t, ids.n / 2);
		for (int64_t i = 0; i < ids.n / 2; i++)
			side_ids[i] = ids.v[2 * i + side];
		const int64_t *ascending_ids = sorted_ids(in, (struct sr_ints){side_ids, ids.n / 2});
		for (int64_t i = 1; i < ids.n / 2; i++)
			if (ascending_ids[i] == ascending_ids[i - 1])
				return sr_infer_error(in, "duplicate %s not allowed.", side ? "targets" : "sources");
	}
	return SR_OK;
}

enum sr_status sr_infer_collective_permute(struct sr_infer *in)
{
	in->types[0] = sr_infer_operand(in, 0);
	in->is_verifying = true;
	return check_source_target_pairs(in);
}

enum sr_status sr_infer_device_id(struct sr_infer *in)
{
	in->types[0] = sr_type_tensor(in->ctx, SR_UI32, 0, NULL);
	return SR_OK;
}

/* ---------------------------------------------------------------- ragged_all_to_all */

/* Check that the operand and output of a ragged_all_to_all differ at most in the first dimension, and that the result has the
 * output's type. */
static enum sr_status check_ragged_rows(struct sr_infer *in)
{
	const struct sr_type *operand = sr_infer_operand(in, 0), *output = sr_infer_operand(in, 1);
	bool is_compatible = sr_is_ranked(operand) && sr_is_ranked(output) && operand->rank > 0 && operand->rank == output->rank &&
		     operand->element == output->element;
	for (int d = 1; is_compatible && d < operand->rank; d++)
		is_compatible = sr_dims_compatible(operand->shape[d], output->shape[d]);
	if (!is_compatible)
		return sr_infer_error(in,
				      "ragged_all_to_all expects operand and output of equal element type and equal shape "
				      "except for the first dimension, but got '%s' and '%s'",
				      sr_infer_type_str(in, operand), sr_infer_type_str(in, output));
	if (!sr_types_compatible(in->types[0], output))
		return sr_infer_error(in, "ragged_all_to_all expects a result of the type of output, '%s', but got '%s'",
				      sr_infer_type_str(in, output), sr_infer_type_str(in, in->types[0]));
	return SR_OK;
}

/* Check offsets and sizes: integer vectors of one length, which is divisible by the number of members. */
static enum sr_status check_ragged_slices(struct sr_infer *in, int64_t members)
{
	static const char *const names[] = {"operand", "output", "input_offsets", "send_sizes", "output_offsets", "recv_sizes"};
	int64_t n = SR_DYNAMIC;
	for (int i = 2; i < 6; i++) {
		const struct sr_type *t = sr_infer_operand(in, i);
		if (!sr_is_ranked(t) || t->rank != 1 || !sr_dtype_is_integer(t->dtype) || t->dtype == SR_I1)
			return sr_infer_error(in, "ragged_all_to_all expects %s to be a rank-1 tensor of integers, but got '%s'",
					      names[i], sr_infer_type_str(in, t));
		if (!sr_dims_compatible(n, t->shape[0]))
			return sr_infer_error(in, "ragged_all_to_all expects as many %s as %s, but got %lld and %lld", names[i],
					      names[2], (long long)t->shape[0], (long long)n);
		n = sr_is_dynamic(n) ? t->shape[0] : n;
	}
	if (!sr_is_dynamic(n) && (n == 0 || n % members))
		return sr_infer_error(in,
				      "ragged_all_to_all expects a number of slices that is a positive multiple of the "
				      "group size %lld, but got %lld",
				      (long long)members, (long long)n);
	return SR_OK;
}

enum sr_status sr_check_ragged_all_to_all(struct sr_infer *in)
{
	const struct sr_attr *config = sr_op_attr(in->op, "backend_config");
	const struct sr_attr *groups = sr_dict_get(config, "replica_groups"), *channel = sr_dict_get(config, "channel_id");
	struct sr_ints ids = {0};
	if (in->op->n_operands != 6 || in->op->n_results != 1)
		return sr_infer_error(in,
				      "ragged_all_to_all expects 6 operands (operand, output, input_offsets, send_sizes, "
				      "output_offsets, recv_sizes) and 1 result, but got %d and %d",
				      in->op->n_operands, in->op->n_results);
	if (!groups || groups->kind != SR_ATTR_DENSE || groups->type->dtype != SR_I64 || groups->type->rank != 2 ||
	    groups->type->shape[0] == 0 || groups->type->shape[1] == 0 || !sr_attr_ints(in->ctx, groups, &ids.v, &ids.n))
		return sr_infer_error(in, "ragged_all_to_all expects replica_groups in backend_config, a rank 2 tensor of 64-bit "
				      "ids");
	if (channel && (channel->kind != SR_ATTR_INTEGER || channel->i <= 0))
		return sr_infer_error(in, "ragged_all_to_all expects a positive channel_id");
	if (check_ids(in, ids, true) || check_ragged_rows(in))
		return SR_INVALID;
	return check_ragged_slices(in, groups->type->shape[1]);
}

/* ---------------------------------------------------------------- host and peers */

enum { DEVICE_TO_DEVICE = 1, DEVICE_TO_HOST = 2, HOST_TO_DEVICE = 3 };

/* Check that the channel of a transfer with the host has the type `host_channel_type`, and that of any other transfer the type
 * DEVICE_TO_DEVICE. `name` is the name of host_channel_type in the message. */
static enum sr_status check_channel_type(struct sr_infer *in, int64_t host_channel_type, const char *name)
{
	int64_t type = sr_field_int(sr_op_attr(in->op, "channel_handle"), "type", 0);
	bool is_host_transfer = sr_op_int(in->op, "is_host_transfer", 0);
	if (!is_host_transfer && type != DEVICE_TO_DEVICE)
		return sr_infer_error(in, "channel_type should be DEVICE_TO_DEVICE when is_host_transfer is false");
	if (is_host_transfer && type != host_channel_type)
		return sr_infer_error(in, "channel_type should be %s when is_host_transfer is true", name);
	return SR_OK;
}

enum sr_status sr_infer_send(struct sr_infer *in)
{
	in->types[0] = sr_type_intern(in->ctx, &(struct sr_type){.kind = SR_TYPE_TOKEN});
	if (check_channel_type(in, DEVICE_TO_HOST, "DEVICE_TO_HOST"))
		return SR_INVALID;
	return check_source_target_pairs(in);
}

/* Check that the results are tensors followed by a token. */
static enum sr_status check_received(struct sr_infer *in, const char *tensor_message, const char *token_message)
{
	int n = in->op->n_results;
	if (n == 0)
		return sr_infer_error(in, "result is expected to be at least of size 1, but got 0");
	for (int i = 0; i < n - 1; i++)
		if (!sr_is_ranked(in->types[i]))
			return sr_infer_error(in, "%s, but got '%s'", tensor_message, sr_infer_type_str(in, in->types[i]));
	if (in->types[n - 1]->kind != SR_TYPE_TOKEN)
		return sr_infer_error(in, "%s, but got '%s'", token_message, sr_infer_type_str(in, in->types[n - 1]));
	return SR_OK;
}

enum sr_status sr_infer_recv(struct sr_infer *in)
{
	if (check_channel_type(in, HOST_TO_DEVICE, "HOST_TO_DEVICE") ||
	    check_received(in, "everything but the last element of result types is expected to be of tensor type",
			   "last element of result types is expected to be of token type"))
		return SR_INVALID;
	return check_source_target_pairs(in);
}

enum sr_status sr_infer_infeed(struct sr_infer *in)
{
	const struct sr_attr *layout = sr_op_attr(in->op, "layout");
	if (check_received(in, "all elements of result types, except the last element, are expected to be of tensor type",
			   "last element of result types is expected to be of token type"))
		return SR_INVALID;
	int n = in->op->n_results - 1;
	if (layout && layout->n != n)
		return sr_infer_error(in,
				      "layout-attribute size must be %d (which is the number of op-results - 1 (for token "
				      "result)), but got %d",
				      n, layout->n);
	for (int i = 0; layout && i < n; i++) {
		const struct sr_attr *child = layout->list[i];
		if (child->kind != SR_ATTR_ARRAY)
			return sr_infer_error(in, "layout-attribute expected to have elements of type array, but got %s",
					      sr_attr_str(in->ctx, child));
		for (int k = 0; k < child->n; k++)
			if (child->list[k]->kind != SR_ATTR_INTEGER)
				return sr_infer_error(
					in, "layout-attribute's leaf elements are expected to be of type integer, but got %s",
					sr_attr_str(in->ctx, child->list[k]));
	}
	return SR_OK;
}
