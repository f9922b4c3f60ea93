/* Op codes, registration of all dialects, and queries on ops that all later components use: signatures, named operands,
 * functions, meshes and shardings. */
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
/* Return the op that defines v if it has this code, else NULL. */
static inline struct sr_op *sr_value_def_of(const struct sr_value *v, enum sr_op_code code)
{
	return v->def && sr_op_is(v->def, code) ? v->def : NULL;
}
static inline bool sr_op_has(const struct sr_op *op, uint32_t traits)
{
	return (op->info->traits & traits) == traits;
}

/* Name of a manual computation's attribute that says: extents not divisible by their number of shards are rounded up, and the
 * body handles the padding. */
#define SR_PADDED_ATTR "shardrun.padded"

/* Register all dialects in a new context. */
void sr_dialects_register(struct sr_context *ctx);
const struct sr_op_info *sr_info(struct sr_context *ctx, enum sr_op_code code);

/* ---- building ---- */
/* Insertion point and location of ops to build. Ops are inserted before `anchor`; if `anchor` is NULL, they are appended to
 * `block`; if both are NULL, they are detached. */
struct sr_builder {
	struct sr_context *ctx;
	struct sr_block *block;
	struct sr_op *anchor;
	const struct sr_attr *loc;
};
/* Build an op with explicit result types results[n_results]. */
struct sr_op *sr_build(struct sr_builder *b, enum sr_op_code code, struct sr_value *const *operands, int n_operands,
		       const struct sr_named_attr *attrs, int n_attrs, const struct sr_type *const *results, int n_results);
/* Build an op with one result, whose type its INFER function infers. */
struct sr_value *sr_build_infer(struct sr_builder *b, enum sr_op_code code, struct sr_value *const *operands, int n_operands,
				const struct sr_named_attr *attrs, int n_attrs);
struct sr_value *sr_build_constant(struct sr_builder *b, const struct sr_attr *dense); /* Build a stablehlo.constant. */
/* Build a constant whose elements are all equal, of any element type. */
struct sr_value *sr_build_splat(struct sr_builder *b, const struct sr_type *tensor, double value);
/* Return the dense value of a constant op's result; NULL if v is not constant, or its elements are strings. */
const struct sr_attr *sr_constant_value(const struct sr_value *v);
/* Read the integer of a constant of one element. Return false if v is no such constant. */
bool sr_constant_integer(struct sr_context *ctx, const struct sr_value *v, int64_t *out);

/* Return true if the type, an integer or i1, can represent the number. */
bool sr_integer_is_representable(enum sr_dtype type, int64_t number);

/* Arguments of an op's INFER function, which sets types[op->n_results] or reports an error and returns SR_INVALID. For ops whose
 * result types do not follow from operands, attributes and regions, `types` holds the declared types on entry. */
struct sr_infer {
	struct sr_context *ctx;
	struct sr_op *op; /* the op, with operands, attributes and regions; when verifying, also with declared result types */
	const struct sr_type **types; /* types of the op's results, to be set by the INFER function; length op->n_results */
	struct sr_diags *diags;
	bool is_verifying; /* set by the INFER function once all types are inferred and only constraints remain */
};
typedef enum sr_status sr_infer_fn(struct sr_infer *in);

/* ---- functions and modules ---- */
const struct sr_type *sr_func_type(const struct sr_op *func); /* Return the function's type, of kind FUNCTION. */
struct sr_block *sr_func_entry(const struct sr_op *func);     /* Return the function's entry block; NULL for a declaration. */
/* Return an attribute of an argument or result; NULL if there is none. */
const struct sr_attr *sr_func_arg_attr(const struct sr_op *func, int arg, const char *name);
const struct sr_attr *sr_func_result_attr(const struct sr_op *func, int result, const char *name);
/* Return the source program's name of an argument (JAX: jax.arg_info, or its location: params['w']) or result (jax.result_info:
 * result['loss']). NULL if there is none or it only repeats the index. */
const char *sr_func_arg_name(const struct sr_op *func, int arg);
const char *sr_func_result_name(const struct sr_op *func, int result);
/* Set an attribute of an argument; value NULL removes the attribute. */
void sr_func_set_arg_attr(struct sr_context *ctx, struct sr_op *func, int arg, const char *name, const struct sr_attr *value);
/* Set an attribute of all arguments or results at once, which costs no more than setting one. values[n_inputs] or
 * values[n_results]; NULL leaves an attribute unchanged. */
void sr_func_set_arg_attrs(struct sr_context *ctx, struct sr_op *func, const char *name, const struct sr_attr *const *values);
void sr_func_set_result_attrs(struct sr_context *ctx, struct sr_op *func, const char *name, const struct sr_attr *const *values);
void sr_func_set_result_attr(struct sr_context *ctx, struct sr_op *func, int result, const char *name, const struct sr_attr *value);
/* Return the attribute dictionaries of all arguments or results, to be modified and set together. */
const struct sr_attr **sr_func_arg_dicts(struct sr_context *ctx,
					 const struct sr_op *func); /* dictionaries of all arguments; length n_inputs; never NULL */
const struct sr_attr **sr_func_result_dicts(struct sr_context *ctx,
					    const struct sr_op *func); /* dictionaries of all results; length n_results */
void sr_func_set_arg_dicts(struct sr_context *ctx, struct sr_op *func, const struct sr_attr **dicts);
void sr_func_set_result_dicts(struct sr_context *ctx, struct sr_op *func, const struct sr_attr **dicts);
/* Return `dict` (NULL: empty) with entry `name` set to value; value NULL removes it. */
const struct sr_attr *sr_dict_with(struct sr_context *ctx, const struct sr_attr *dict, const char *name,
				   const struct sr_attr *value);
void sr_func_set_type(struct sr_context *ctx, struct sr_op *func, const struct sr_type *type);
/* Return the callee of a call; NULL if it is unknown or not a symbol. */
struct sr_op *sr_call_callee(const struct sr_op *module, const struct sr_op *call);
struct sr_op *sr_op_module(const struct sr_op *op); /* Return the outermost module around the op. */

/* ---- meshes and shardings ---- */
/* Meshes are defined by sdy.mesh ops or inline in shardings. The functions that find a mesh return NULL if there is none. */
const struct sr_mesh *sr_op_mesh(const struct sr_op *op); /* Return the mesh that an sdy.mesh defines; NULL for other ops. */
struct sr_op *sr_first_mesh_op(const struct sr_op *module); /* Return the first sdy.mesh with axes; NULL if there is none. */
const struct sr_mesh *sr_first_mesh(const struct sr_op *module); /* Return the first mesh with axes; NULL if there is none. */
const struct sr_mesh *sr_mesh_find(const struct sr_op *module, const char *name);
/* Return `mesh`, which is defined inline, if it is not NULL; else find the mesh by name. */
const struct sr_mesh *sr_mesh_of(const struct sr_op *module, const struct sr_mesh *mesh, const char *name);
const struct sr_mesh *sr_sharding_mesh(const struct sr_op *module, const struct sr_sdy_sharding *s);
/* Return the value that carries v's sharding (Shardy's getShardableValue): v itself, or for a target of a data-flow edge the
 * result of its sdy.data_flow_edge if there is one, else the edge's owner (for a loop argument, the loop's result). NULL: v
 * cannot have a sharding (e.g. an argument of a reducer's body). */
struct sr_value *sr_shardable_value(const struct sr_value *v);
/* Return the operand of the chain of propagation barriers that defines v, or v itself. */
struct sr_value *sr_value_before_barriers(const struct sr_value *v);
/* Return a value's sharding (kind SHARDING) from where Shardy stores it: an op result's entry of sdy.sharding; a function
 * argument's sdy.sharding; for arguments of a manual computation in_shardings without the manual axes; for
 * sdy.sharding_constraint, reshard and the like their own attribute. NULL: none. */
const struct sr_attr *sr_value_sharding(struct sr_context *ctx, const struct sr_value *v);
/* Set a value's sharding; NULL removes it. */
void sr_value_set_sharding(struct sr_context *ctx, struct sr_value *v, const struct sr_attr *sharding);
/* Create the attribute for a resolved sharding. */
const struct sr_attr *sr_sharding_attr(struct sr_context *ctx, const struct sr_mesh *mesh, const struct sr_sharding *s);
/* Return a sharding as it is inside a manual computation whose attribute manual_axes is `manual`: without the manual axes. */
const struct sr_attr *sr_sharding_without_axes(struct sr_context *ctx, const struct sr_attr *sharding,
					       const struct sr_attr *manual);
/* Convert `inner`, a value's sharding inside a manual computation, to the value's sharding outside: add the manual axes that
 * `outer`, the previous sharding outside, has. */
const struct sr_attr *sr_sharding_with_axes(struct sr_context *ctx, const struct sr_attr *outer, const struct sr_attr *inner,
					    const struct sr_attr *manual);
const struct sr_attr *sr_result_sharding_of_func(const struct sr_op *func, int result);

void sr_print_mesh(struct sr_buf *out, const struct sr_mesh *mesh); /* Print a mesh as <["x"=2]>. */
void sr_print_string(struct sr_buf *out, const char *s);            /* Print a string quoted and escaped; s is interned. */

/* ---- named operands and attributes ---- */
/* Return a field of an attribute of kind SR_ATTR_STRUCT; NULL if the field is absent. */
const struct sr_attr *sr_attr_field(const struct sr_attr *structure, const char *field);
/* Read the integers of a struct's field; if the field is missing, set *n to 0 and return true. */
bool sr_struct_ints(struct sr_context *ctx, const struct sr_attr *structure, const char *field, const int64_t **v, int64_t *n);
/* Read the integers of an op's attribute; if the attribute is missing, set *n to 0 and return true. */
bool sr_op_ints(struct sr_context *ctx, const struct sr_op *op, const char *attr, const int64_t **v, int64_t *n);
/* Return an attribute's value if it is an INTEGER, a BOOL or an ENUM (number of the enumerator in attr_defs.def, from 0), else
 * default_value. */
int64_t sr_op_int(const struct sr_op *op, const char *attr, int64_t default_value);
/* Return element i of a list attribute; default_value: the op lacks the attribute, or the list is shorter. */
int64_t sr_op_int_at(struct sr_context *ctx, const struct sr_op *op, const char *attr, int64_t i, int64_t default_value);
/* Return the replica groups of a collective in either form (dense or mesh axes), as rows of device or replica ids padded with
 * -1. */
enum sr_status sr_op_groups(struct sr_context *ctx, struct sr_op *op, struct sr_groups *out);
/* Replica groups as mesh axes, not enumerated: `group_digits` number the groups, `member_digits` the members of a group. mesh NULL:
 * the groups are a dense table. */
struct sr_group_axes {
	const struct sr_mesh *mesh;
	struct sr_digits group_digits, member_digits;
};
/* Read the replica groups of a collective as mesh axes. Fails if they name a mesh or axes that do not exist. */
enum sr_status sr_op_group_axes(struct sr_context *ctx, struct sr_op *op, struct sr_group_axes *out);
/* Return true if the ids in the replica groups of both collectives mean the same: partitions, replicas or global ids. Of their
 * channels, only the presence matters. */
bool sr_have_same_group_numbering(const struct sr_op *x, const struct sr_op *y);
/* Return the size of a collective's replica groups; 0 if the groups are malformed. */
int64_t sr_op_group_size(struct sr_context *ctx, struct sr_op *op);
/* source_target_pairs as mesh axes, not enumerated. The device at coordinate k along `axes` receives from the device at
 * coordinate k along source_axes, if source_axes.n > 0, both being all axes of their meshes; else from the device with equal
 * coordinates along all other axes at coordinate sources[k] (-1: none) or, if sources is NULL, k + step. `axes` are digits of
 * mesh's grid positions, `other_axes` all other digits. mesh NULL: the pairs are a dense table. */
struct sr_permute_axes {
	const struct sr_mesh *mesh, *source_mesh;
	struct sr_digits axes, other_axes, source_axes;
	const int64_t *sources;
	int64_t step;
};
/* Read the source_target_pairs of an op as mesh axes. Fails if they name a mesh, axes or sources that do not exist. */
enum sr_status sr_op_permute_axes(struct sr_context *ctx, struct sr_op *op, struct sr_permute_axes *out);
/* Create replica groups along mesh axes. */
const struct sr_attr *sr_attr_group_axes(struct sr_context *ctx, const struct sr_op *module, const struct sr_mesh *mesh,
					 struct sr_axes axes);
/* Create source_target_pairs along mesh axes, in the form of struct sr_permute_axes. sources NULL: a device receives from
 * coordinate k + step. */
const struct sr_attr *sr_attr_permute_along(struct sr_context *ctx, const struct sr_op *module, const struct sr_mesh *mesh,
					    struct sr_axes axes, const int64_t *sources, int64_t step);
struct sr_mesh_axes { /* a mesh and some of its axes */
	const struct sr_mesh *mesh;
	struct sr_axes axes;
};
/* Create source_target_pairs from all devices of one mesh to all devices of another, each in the order of its axes. */
const struct sr_attr *sr_attr_permute_between(struct sr_context *ctx, const struct sr_op *module, struct sr_mesh_axes source,
					      struct sr_mesh_axes target);
/* Return the index of the first operand of a named operand group and the group's size, for ops with several variadic groups. */
void sr_op_segment(const struct sr_op *op, const char *operand_name, int *first, int *n);

#endif
