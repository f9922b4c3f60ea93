/* The op codes, the registration of all dialects, and what every later room asks about ops: signatures, named operands, functions,
 * shardings behind one accessor. */
#ifndef SR_DIALECT_OPS_H
#define SR_DIALECT_OPS_H

#include "ir/ir.h"
#include "support/buf.h"

enum sr_op_code {
	SR_OP_UNREGISTERED = 0,
#define OP(dialect, name, signature, attributes) SR_OP_##dialect##_##name,
#include "dialect/table/all.ops"
	SR_OP_COUNT
};

static inline enum sr_op_code sr_op_code_of(const struct sr_op *op)
{
	return (enum sr_op_code)op->info->code;
}
static inline bool sr_op_is(const struct sr_op *op, enum sr_op_code code)
{
	return op->info->code == (int)code;
}
static inline bool sr_op_has(const struct sr_op *op, uint32_t traits)
{
	return (op->info->traits & traits) == traits;
}

/* On a manual computation: extents that their shards do not divide are rounded up, and its body knows of the padding. */
#define SR_PADDED "shardrun.padded"

/* Register every dialect in a new context. */
void sr_dialects_register(struct sr_context *ctx);
const struct sr_op_info *sr_info(struct sr_context *ctx, enum sr_op_code code);

/* ---- building ---- */
/* An op with its result types inferred (INFER column) from operands, attributes and regions; inserted before `anchor`, or appended
 * to `block` where anchor is NULL, or detached where both are. Internal mistakes abort. */
struct sr_builder {
	struct sr_context *ctx;
	struct sr_block *block;
	struct sr_op *anchor;
	const struct sr_attr *loc;
};
struct sr_op *sr_build(struct sr_builder *b, enum sr_op_code code, struct sr_value *const *operands, int n_operands,
		       const struct sr_named_attr *attrs, int n_attrs, const struct sr_type *const *results, int n_results); /* results given */
struct sr_value *sr_build_infer(struct sr_builder *b, enum sr_op_code code, struct sr_value *const *operands, int n_operands,
				const struct sr_named_attr *attrs, int n_attrs); /* one result, inferred */
struct sr_value *sr_build_constant(struct sr_builder *b, const struct sr_attr *dense); /* stablehlo.constant */
struct sr_value *sr_build_splat(struct sr_builder *b, const struct sr_type *tensor, double value); /* any element type */
/* The dense value of a constant op's result; NULL: none, or strings. */
const struct sr_attr *sr_constant_value(const struct sr_value *v);
bool sr_constant_integer(struct sr_context *ctx, const struct sr_value *v, int64_t *out); /* of one element; false: it is none */

/* Result types by the op's INFER function: fills types[op->n_results]; reports and returns SR_INVALID where a constraint fails.
 * `types` may hold the declared types on entry for ops whose results do not follow from the rest. */
struct sr_infer {
	struct sr_context *ctx;
	struct sr_op *op;             /* operands, attributes and regions are set; results' declared types too when verifying */
	const struct sr_type **types; /* [op->n_results], out */
	struct sr_diags *diags;
	bool verifying; /* set by a function when the types are done and only constraints are left */
};
typedef enum sr_status sr_infer_fn(struct sr_infer *in);

/* ---- functions and modules ---- */
const struct sr_type *sr_func_type(const struct sr_op *func); /* FUNCTION */
struct sr_block *sr_func_entry(const struct sr_op *func);     /* NULL: a declaration */
const struct sr_attr *sr_func_arg_attr(const struct sr_op *func, int arg, const char *name);    /* NULL where it has none */
const struct sr_attr *sr_func_result_attr(const struct sr_op *func, int result, const char *name);
/* What the source calls an argument (JAX: jax.arg_info, or the argument's location: params['w']) or a result (jax.result_info:
 * result['loss']); NULL where it says nothing, or no more than the number. */
const char *sr_func_arg_name(const struct sr_op *func, int arg);
const char *sr_func_result_name(const struct sr_op *func, int result);
/* NULL removes */
void sr_func_set_arg_attr(struct sr_context *ctx, struct sr_op *func, int arg, const char *name, const struct sr_attr *value);
/* Of all arguments or results at once, which takes no longer than of one; values[n_inputs] or [n_results], NULL: as it is. */
void sr_func_set_arg_attrs(struct sr_context *ctx, struct sr_op *func, const char *name, const struct sr_attr *const *values);
void sr_func_set_result_attrs(struct sr_context *ctx, struct sr_op *func, const char *name, const struct sr_attr *const *values);
void sr_func_set_result_attr(struct sr_context *ctx, struct sr_op *func, int result, const char *name, const struct sr_attr *value);
/* The dictionaries of all arguments or results, to be changed and put back together. */
const struct sr_attr **sr_func_arg_dicts(struct sr_context *ctx, const struct sr_op *func); /* [n_inputs], none NULL */
const struct sr_attr **sr_func_result_dicts(struct sr_context *ctx, const struct sr_op *func); /* [n_results] */
void sr_func_set_arg_dicts(struct sr_context *ctx, struct sr_op *func, const struct sr_attr **dicts);
void sr_func_set_result_dicts(struct sr_context *ctx, struct sr_op *func, const struct sr_attr **dicts);
/* The dictionary (NULL: empty) where `name` has another value; NULL removes it. */
const struct sr_attr *sr_dict_with(struct sr_context *ctx, const struct sr_attr *dict, const char *name,
				   const struct sr_attr *value);
void sr_func_set_type(struct sr_context *ctx, struct sr_op *func, const struct sr_type *type);
struct sr_op *sr_call_callee(const struct sr_op *module, const struct sr_op *call); /* NULL */
struct sr_op *sr_op_module(const struct sr_op *op); /* the top module it lies in */

/* ---- meshes and shardings, behind one accessor ---- */
/* The mesh of a sharding: inline or by the module's sdy.mesh; NULL where there is none. */
const struct sr_mesh *sr_op_mesh(const struct sr_op *op); /* of an sdy.mesh; NULL: another op */
struct sr_op *sr_first_mesh_op(const struct sr_op *module); /* the first sdy.mesh with axes; NULL */
const struct sr_mesh *sr_first_mesh(const struct sr_op *module); /* its mesh */
const struct sr_mesh *sr_mesh_find(const struct sr_op *module, const char *name);
const struct sr_mesh *sr_mesh_of(const struct sr_op *module, const struct sr_mesh *mesh, const char *name); /* inline, or by name */
const struct sr_mesh *sr_sharding_mesh(const struct sr_op *module, const struct sr_sdy_sharding *s);
/* The value where the sharding of v is kept: v itself; of what is tied by a data-flow edge the edge op's result, where there is
 * one, else the owner (of a loop's argument, its result). NULL:
 * v cannot have a sharding (a block argument of a reducer and the like). */
struct sr_value *sr_shardable_value(const struct sr_value *v);
/* The sharding attribute (kind SHARDING) of a value, read there, where upstream keeps it: an op result's entry of sdy.sharding (per
 * value), a function argument's sdy.sharding; of a manual computation's arguments in_shardings less the manual axes; of
 * sdy.sharding_constraint, reshard and the like their own attribute. NULL: none. */
const struct sr_attr *sr_value_sharding(struct sr_context *ctx, const struct sr_value *v);
void sr_value_set_sharding(struct sr_context *ctx, struct sr_value *v, const struct sr_attr *sharding); /* NULL removes */
/* Of what was computed, as the mesh's text has it. */
const struct sr_attr *sr_sharding_attr(struct sr_context *ctx, const struct sr_mesh *mesh, const struct sr_sharding *s);
/* Of a manual computation: a sharding seen from inside (less the manual axes), and one from inside as seen from outside, where
 * `outer` is what stood there. `manual` is the op's manual_axes. */
const struct sr_attr *sr_sharding_without_axes(struct sr_context *ctx, const struct sr_attr *sharding,
					       const struct sr_attr *manual);
const struct sr_attr *sr_sharding_with_axes(struct sr_context *ctx, const struct sr_attr *outer, const struct sr_attr *inner,
					    const struct sr_attr *manual);
const struct sr_attr *sr_result_sharding_of_func(const struct sr_op *func, int result);

void sr_print_mesh(struct sr_buf *out, const struct sr_mesh *mesh); /* <["x"=2]> */
void sr_print_string(struct sr_buf *out, const char *s);            /* quoted and escaped; interned */

/* ---- named operands and attributes ---- */
const struct sr_attr *sr_attr_field(const struct sr_attr *structure, const char *field); /* of SR_ATTR_STRUCT; NULL: not given */
/* missing: n = 0 */
bool sr_struct_ints(struct sr_context *ctx, const struct sr_attr *structure, const char *field, const int64_t **v, int64_t *n);
/* missing: n = 0, true */
bool sr_op_ints(struct sr_context *ctx, const struct sr_op *op, const char *attr, const int64_t **v, int64_t *n);
int64_t sr_op_int(const struct sr_op *op, const char *attr, int64_t missing); /* INTEGER or BOOL */
/* replica_groups of a collective in any form (dense, mesh axes): rows of device or replica ids, -1 pads. */
enum sr_status sr_op_groups(struct sr_context *ctx, struct sr_op *op, struct sr_groups *out);
/* The same unlisted, where they name axes: outer is of the groups, inner within one; mesh NULL where they are listed. */
struct sr_group_axes {
	const struct sr_mesh *mesh;
	struct sr_digits outer, inner;
};
enum sr_status sr_op_group_axes(struct sr_context *ctx, struct sr_op *op, struct sr_group_axes *out);
int64_t sr_op_group_size(struct sr_context *ctx, struct sr_op *op); /* 0 where the groups are malformed */
/* source_target_pairs that follow from axes, unlisted. The device at coordinate k along `axes` gets from the one at coordinate k
 * along source_axes, which are all axes of their meshes both; or (source_axes.n is 0) from the one at sources[k], -1 none, or
 * without a list k + step, that is at the same place along all other axes. `axes` are digits of mesh's positions, rest all others.
 * mesh NULL: listed. */
struct sr_permute_axes {
	const struct sr_mesh *mesh, *source_mesh;
	struct sr_digits axes, rest, source_axes;
	const int64_t *sources;
	int64_t step;
};
enum sr_status sr_op_permute_axes(struct sr_context *ctx, struct sr_op *op, struct sr_permute_axes *out);
const struct sr_attr *sr_attr_group_axes(struct sr_context *ctx, const struct sr_op *module, const struct sr_mesh *mesh,
					 struct sr_axes axes);
/* sources NULL: k + step */
const struct sr_attr *sr_attr_permute_along(struct sr_context *ctx, const struct sr_op *module, const struct sr_mesh *mesh,
					    struct sr_axes axes, const int64_t *sources, int64_t step);
struct sr_mesh_axes {
	const struct sr_mesh *mesh;
	struct sr_axes axes;
};
const struct sr_attr *sr_attr_permute_between(struct sr_context *ctx, const struct sr_op *module, struct sr_mesh_axes from,
					      struct sr_mesh_axes to);
/* Operand segments of ops with several variadic groups: index of the first operand of the named group, and how many. */
void sr_op_segment(const struct sr_op *op, const char *operand_name, int *first, int *n);

#endif
