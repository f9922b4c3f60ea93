/* Check axes and shardings against a mesh, for the verifiers of Shardy's ops and attributes. */
#ifndef SR_DIALECT_SDY_SDY_CHECK_H
#define SR_DIALECT_SDY_SDY_CHECK_H

#include "dialect/infer/infer.h"
#include "support/vec.h"

/* Context for reporting an error: "'op' op <prefix> <value> - <message>". The prefix is formatted only when an error occurs. */
struct sr_sdy_check {
	struct sr_context *ctx;
	struct sr_op *op;
	struct sr_diags *diags;
	const char *prefix; /* beginning of the message: "", "result" or "arg" */
	/* index of the value, from 1; 0: all values, printed as "result "; the index is omitted if n_values is 1: "result - " */
	int value;
	int n_values;       /* number of values; 0: always print the index */
};
enum sr_status sr_check_error(const struct sr_sdy_check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Axes referenced so far in one sharding or op. */
struct sr_seen_axes {
	const struct sr_mesh *mesh;
	SR_VEC(struct sr_sdy_axis) refs;
};
/* Check axis references: known axis names, no reference that is already in `seen`, and no adjacent sub-axes that should be
 * merged. Adds them to `seen`. */
enum sr_status sr_check_axes(const struct sr_sdy_check *c, struct sr_seen_axes *seen, struct sr_sdy_axes axes);
/* Check axis references like sr_check_axes, and that they are in mesh order; `list_name` names the list in messages. */
enum sr_status sr_check_sorted_axes(const struct sr_sdy_check *c, struct sr_seen_axes *seen, struct sr_sdy_axes axes,
				    const char *list_name);
/* Check the sharding of a value of type `type`; NULL: the sharding is not attached to a value. */
enum sr_status sr_check_sharding(const struct sr_sdy_check *c, const struct sr_sdy_sharding *s, const struct sr_type *type);
/* Check one sharding per value; `list_name` is the prefix of messages: "result", "in_shardings". */
enum sr_status sr_check_shardings(const struct sr_sdy_check *c, const struct sr_attr *shardings, const struct sr_type *const *types,
				  int n, const char *list_name);
/* Check a change of unreduced axes: axes may become unreduced only with kind `introduced_kind`, and stop being unreduced only with
 * kind `removed_kind`; -1: axes may not change in this way. `old_sharding` may be NULL. */
enum sr_status sr_check_unreduced(const struct sr_sdy_check *c, const struct sr_sdy_sharding *old_sharding,
				  const struct sr_sdy_sharding *new_sharding, int introduced_kind, int removed_kind);

/* Check a mesh. Return an error message, or NULL if the mesh is valid. */
const char *sr_mesh_error(struct sr_context *ctx, const struct sr_mesh *mesh);
/* Format axes for messages: "x":(1)2 and ["x", "y"]. In the context's arena. */
const char *sr_axis_str(struct sr_context *ctx, struct sr_sdy_axis ref);
const char *sr_axes_str(struct sr_context *ctx, struct sr_sdy_axes axes);
/* Return the innermost manual computation around op that has this axis among its manual axes; NULL if there is none. */
struct sr_op *sr_enclosing_manual_computation(const struct sr_op *op, const char *axis);

#endif
