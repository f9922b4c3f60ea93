/* Forms: the ways in which an op is computed on shards that its sharding rule alone does not allow. A form supports factors of the
 * op's rule that its local form (insert_reshards/shardability.c) cannot partition, prices what the devices exchange for given
 * layouts, and builds the manual computation that exchanges it.
 *
 * The search (search/) chooses, for each op, the axes of its factors; with the layouts that follow from them, the cheapest form is
 * part of the choice. It is recorded on the op, and shardrun-emit-forms builds what is recorded:
 *
 *	%1 = stablehlo.slice %0 [1:9] {shardrun.form = {in = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, name = "halo",
 *	     out = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}}
 *
 * The name "factors" records that the op is computed by its rule alone. shardrun-insert-reshards reads these records: `out` is the
 * layout of the partial results, which a reduce_scatter may scatter further to the sharding of the value. An op whose operands and
 * result have the shardings that the search chose for it needs no record.
 *
 * Some forms read through the ops that make an operand: a slice of a pad is one exchange. Such ops are marked with
 * SR_READ_THROUGH before the search. They have one reader each; the reader's operand then stands for the operand of the
 * innermost one. Internal to partition. */
#ifndef SR_PARTITION_FORM_FORM_H
#define SR_PARTITION_FORM_FORM_H

#include "partition/insert_reshards/explicit_reshards.h"

#define SR_FORM "shardrun.form"                 /* attribute of an op: the recorded form */
#define SR_FORM_BY_FACTORS "factors"            /* its name if the rule alone suffices */
#define SR_READ_THROUGH "shardrun.read_through" /* attribute of an op: its reader's form reads its operand instead */

/* An op with layouts of its operands and results. */
struct sr_form_query {
	struct sr_context *ctx;
	struct sr_arena *arena; /* memory of the answer */
	struct sr_op *module, *op;
	struct sr_mesh_ref mesh;
	struct sr_cost_model *costs;
	const struct sr_attr *const *layouts; /* [operands, then results]: on the mesh, not unreduced */
	int64_t max_listed;                   /* up to this number of devices, tables and permutes list every device */
};
enum { SR_FORM_MAX_LISTED = 4096, SR_FORM_MAX_TENSORS = 64 };

enum sr_form_use {
	SR_FORM_UNUSED,    /* the layouts shard no factor that needs the form */
	SR_FORM_USED,
	SR_FORM_IMPOSSIBLE /* the form cannot compute the op with these layouts */
};

struct sr_op_form {
	const char *name;
	/* Return true if the form can compute the op with this factor sharded. */
	bool (*supports)(const struct sr_op_view *v, int factor);
	/* Add the price of what the devices exchange, without reshards of operands and results and without the reduction over
	 * reduction factors of the rule. */
	enum sr_form_use (*price)(const struct sr_form_query *q, struct sr_collective_price *price);
	/* Replace the op by a manual computation. Its price is known to be SR_FORM_USED. */
	void (*emit)(const struct sr_form_query *q);
};

extern const struct sr_op_form sr_halo_of_concatenate, sr_halo_of_convolution, sr_halo_of_slice_pad_reverse,
	sr_halo_of_reduce_window, sr_halo_of_select_and_scatter, sr_form_cumulative;

bool sr_form_exists(const struct sr_op *op); /* at the op's position */
bool sr_form_supports(const struct sr_op_view *v, int factor);
/* Return the cheapest form for the layouts, and add its price; NULL: none is needed, or, with *impossible set, none can. */
const struct sr_op_form *sr_form_cheapest(const struct sr_form_query *q, struct sr_collective_price *price, bool *impossible);
/* Return the rule that the op's forms are searched with: of select_and_scatter, the source is sharded like the operand. */
const struct sr_sharding_rule *sr_form_rule(struct sr_arena *arena, struct sr_op *op, const struct sr_sharding_rule *rule);

const struct sr_op_form *sr_form_named(const struct sr_op *op, const char *name); /* NULL: the op has no form of this name */

/* Record the form (NULL: computed by factors) and the layouts. */
void sr_form_record(struct sr_context *ctx, struct sr_op *op, const struct sr_op_form *form, const struct sr_attr *const *layouts);
/* Return the name of the recorded form and set the layouts, [operands, then results]; NULL: nothing is recorded. */
const struct sr_attr *sr_form_recorded(const struct sr_op *op, const struct sr_attr **layouts);
bool sr_form_is_by_factors(const struct sr_attr *name);
/* Mark the ops in a function or module that forms read through, and copy those that have other readers, too. */
void sr_form_mark_read_through(struct sr_context *ctx, struct sr_op *root);
bool sr_form_is_read_through(const struct sr_op *op);
/* Return the use by which the op reads operand t: that of the innermost op that is read through, or the op's own. */
struct sr_use *sr_form_source(const struct sr_op *op, int t);
/* The op's form is not used: give the ops between it and the source of operand t this sharding, and unmark them. */
void sr_form_stop_reading_through(struct sr_context *ctx, struct sr_op *op, int t, const struct sr_attr *layout);

/* Mark what forms of this op read through (halo/). costs: to compare depths. */
void sr_halo_mark_concatenate(struct sr_context *ctx, struct sr_op *module, struct sr_op *op, struct sr_cost_model *costs);
void sr_halo_mark_slice_pad_reverse(struct sr_context *ctx, struct sr_op *module, struct sr_op *op, struct sr_cost_model *costs);
/* Mark the op that defines the use's value, copied first if it has other readers, as read through by the owner. Returns its first
 * operand's use. */
struct sr_use *sr_form_mark_def(struct sr_context *ctx, struct sr_use *use);

#endif
