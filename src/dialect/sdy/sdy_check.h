/* Checks of axes and shardings against a mesh, shared by the verifiers of Shardy's ops and attributes. */
#ifndef SR_DIALECT_SDY_SDY_CHECK_H
#define SR_DIALECT_SDY_SDY_CHECK_H

#include "dialect/infer/infer.h"
#include "support/vec.h"

/* Where a mistake is reported: "'op' op <prefix> <value> - <message>". Nearly all that is checked is right, so that this is put
 * into words only where it is not. */
struct sr_sdy_check {
	struct sr_context *ctx;
	struct sr_op *op;
	struct sr_diags *diags;
	const char *prefix; /* "", "result", "arg" */
	int value;          /* from 1, among so many: "result - " where it is the only one; 0: all, "result " */
	int n_values;       /* 0: numbered in any case */
};
enum sr_status sr_check_error(const struct sr_sdy_check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Axes named so far in one sharding or op. */
struct sr_seen_axes {
	const struct sr_mesh *mesh;
	SR_VEC(struct sr_sdy_axis) refs;
};
/* Names known, no duplicates among all that was seen, no two in a row that make one. */
enum sr_status sr_check_axes(const struct sr_sdy_check *c, struct sr_seen_axes *seen, struct sr_sdy_axes axes);
/* The same, and in the order of the mesh; `what` names the list. */
enum sr_status sr_check_sorted_axes(const struct sr_sdy_check *c, struct sr_seen_axes *seen, struct sr_sdy_axes axes, const char *what);
/* type NULL: of no value */
enum sr_status sr_check_sharding(const struct sr_sdy_check *c, const struct sr_sdy_sharding *s, const struct sr_type *type);
/* One sharding per value; `what` is put before messages: "result", "in_shardings". */
enum sr_status sr_check_shardings(const struct sr_sdy_check *c, const struct sr_attr *shardings, const struct sr_type *const *types,
				  int n, const char *what);
/* What may become unreduced, and what may stop being so. from may be NULL. -1: nothing may. */
enum sr_status sr_check_unreduced(const struct sr_sdy_check *c, const struct sr_sdy_sharding *from,
				  const struct sr_sdy_sharding *to, int introduced, int removed);

/* What is wrong with a mesh; NULL: nothing. */
const char *sr_mesh_mistake(struct sr_context *ctx, const struct sr_mesh *mesh);
/* "x":(1)2 and ["x", "y"] for messages, in the context's arena. */
const char *sr_axis_str(struct sr_context *ctx, struct sr_sdy_axis ref);
const char *sr_axes_str(struct sr_context *ctx, struct sr_sdy_axes axes);
const char *sr_unreduced_kind_str(enum sr_unreduced_kind kind);
/* The innermost manual computation around op whose axes have this name; NULL where none has. */
struct sr_op *sr_enclosing_manual_computation(const struct sr_op *op, const char *axis);

#endif
