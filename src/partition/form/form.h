/* Forms: the ways in which an op is computed on shards that its sharding rule alone does not allow. A form supports factors of the
 * op's rule that its local form (insert_reshards/shardability.c) cannot partition, computes the cost of the data that devices
 * exchange for given layouts, and builds the manual computation that exchanges the data.
 *
 * The search (search/) chooses, for each op, the axes of its factors; with the layouts that follow from them, the cheapest form is
 * part of the choice. The form is recorded as an attribute of the op, and shardrun-emit-forms builds it:
 *
 *	%1 = stablehlo.slice %0 [1:9] {shardrun.form = {in = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, name = "halo",
 *	     out = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}}
 *
 * The name "factors" records that the op is computed by its rule alone. shardrun-insert-reshards reads these records: `out` is the
 * layout of the partial results, which a reduce_scatter may scatter further to the sharding of the value. An op whose operands and
 * result have the shardings that the search chose for it needs no record.
 *
 * Some forms read through the ops that define an operand: a slice of a pad is computed by one exchange. Such ops are marked with
 * SR_READ_THROUGH before the search. Each has one reader; the operand of the reader's form is then the operand of the innermost
 * marked op. Internal to partition. */
#ifndef SR_PARTITION_FORM_FORM_H
#define SR_PARTITION_FORM_FORM_H

#include "partition/insert_reshards/explicit_reshards.h"

#define SR_FORM "shardrun.form"                 /* attribute of an op: the form by which it is computed, and its layouts */
#define SR_FORM_BY_FACTORS "factors"            /* name of the form of an op that is computed by its sharding rule alone */
#define SR_READ_THROUGH "shardrun.read_through" /* attribute of an op whose reader's form reads the op's operand in its place */

/* A query for the form of an op: the op, with layouts of its operands and results. */
struct sr_form_query {
	struct sr_context *ctx;
	struct sr_arena *arena; /* arena in which the form allocates its answers to queries */
	struct sr_op *module, *op;
	struct sr_mesh_ref mesh;
	struct sr_cost_model *costs;
	const struct sr_attr *const *layouts; /* layouts of operands, then results; all are on the mesh and none is unreduced */
	int64_t max_listed; /* maximum number of devices of a mesh for which tables and permutes list every device */
};
enum { SR_FORM_MAX_LISTED = 4096, SR_FORM_MAX_TENSORS = 64 };

enum sr_form_use {
	SR_FORM_UNUSED,    /* the form does not apply: the layouts shard no factor for which it is needed */
	SR_FORM_USED,
	SR_FORM_IMPOSSIBLE /* the form cannot compute the op with these layouts */
};

struct sr_op_form {
	const char *name;
	/* Return true if the form can compute the op with this factor of its rule sharded. */
	bool (*supports)(const struct sr_op_view *v, int factor);
	/* Add the cost of the data that the devices exchange, without reshards of operands and results and without the reduction
	 * over the rule's reduction factors. */
	enum sr_form_use (*cost)(const struct sr_form_query *q, struct sr_wire_cost *cost);
	/* Replace the op by a manual computation. Only called if `cost` returns SR_FORM_USED. */
	void (*emit)(const struct sr_form_query *q);
	/* Return the rule by which the form computes the op, made from the op's own; NULL: the op's own. */
	const struct sr_sharding_rule *(*rule)(struct sr_context *ctx, struct sr_arena *arena, const struct sr_op *op,
					       const struct sr_sharding_rule *rule);
};

extern const struct sr_op_form sr_halo_of_concatenate, sr_halo_of_convolution, sr_halo_of_slice_pad_reverse,
	sr_halo_of_reduce_window, sr_halo_of_select_and_scatter, sr_form_cumulative, sr_form_dynamic_slice,
	sr_form_dynamic_update_slice, sr_form_gather, sr_form_reduce, sr_form_scatter, sr_form_sort_prefix, sr_form_columnsort, sr_form_sort_and_merge;

bool sr_form_exists(const struct sr_op *op); /* Return true if the op, at its position, has a form. */
bool sr_form_reduce_exists(const struct sr_op *op); /* Return true for a reduction whose body no collective has. */
bool sr_form_supports(const struct sr_op_view *v, int factor);
/* Return the cheapest form for the layouts and add its cost. Returns NULL if no form is needed or, with *impossible set, if none
 * can compute the op. */
const struct sr_op_form *sr_form_cheapest(const struct sr_form_query *q, struct sr_wire_cost *cost, bool *impossible);
/* Return the rule by which the search chooses layouts for the op's forms: the source of a select_and_scatter is sharded like its
 * operand, sliced dimensions of a dynamic_slice are reduction factors, those of a reduction without a collective are not, the
 * leading elements of a sort are on every device. */
const struct sr_sharding_rule *sr_form_rule(struct sr_context *ctx, struct sr_arena *arena, const struct sr_op *op,
					    const struct sr_sharding_rule *rule);

/* Return the op's form of this name; NULL if it has none. */
const struct sr_op_form *sr_form_named(const struct sr_op *op, const char *name);

/* Record on the op the form (NULL: computed by factors) and the layouts. */
void sr_form_record(struct sr_context *ctx, struct sr_op *op, const struct sr_op_form *form, const struct sr_attr *const *layouts);
/* Return the name of the op's recorded form, and store the layouts of operands, then results; NULL if no form is recorded. */
const struct sr_attr *sr_form_recorded(const struct sr_op *op, const struct sr_attr **layouts);
bool sr_form_is_by_factors(const struct sr_attr *name);
/* Mark the ops in a function or module through which forms read. A marked op that has other readers is copied first. */
void sr_form_mark_read_through(struct sr_context *ctx, struct sr_op *root);
bool sr_form_is_read_through(const struct sr_op *op);
/* Return the use that supplies operand t of the op's form: operand 0 of the innermost op that the form reads through, or else the
 * op's own operand. */
struct sr_use *sr_form_source(const struct sr_op *op, int t);
/* Undo the marks of the ops between `op` and the source of operand t, since the op's form is not used, and give them this
 * sharding. */
void sr_form_stop_reading_through(struct sr_context *ctx, struct sr_op *op, int t, const struct sr_attr *layout);

/* Mark the ops through which the forms of this op read (halo/). costs: cost model, by which the number of such ops is chosen. */
void sr_halo_mark_concatenate(struct sr_context *ctx, struct sr_op *module, struct sr_op *op, struct sr_cost_model *costs);
void sr_halo_mark_slice_pad_reverse(struct sr_context *ctx, struct sr_op *module, struct sr_op *op, struct sr_cost_model *costs);
/* Mark the op that defines the use's value as read through by the use's owner; copy it first if it has other readers. Returns the
 * use of its first operand. */
struct sr_use *sr_form_mark_def(struct sr_context *ctx, struct sr_use *use);

#endif
