/* Inject a fault into the local form of one op, for make check-faults. Linked with a local.c compiled with SR_FAULTS into a
 * shardrun that is not installed. SHARDRUN_FAULT=stablehlo.add adds 1 to the result of the first such op,
 * SHARDRUN_FAULT=nan:stablehlo.add makes it NaN, and SHARDRUN_FAULT=unprobed:stablehlo.add adds 1 only in the program without
 * probes. */
#include "partition/local/local.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void sr_fault_inject(struct sr_local *l, struct sr_op *op);

static bool is_other_owner(void *data, struct sr_use *use)
{
	return use->owner != data;
}

static bool is_probed(const struct sr_value *v)
{
	for (const struct sr_use *use = v->uses; use; use = use->next)
		if (sr_op_is(use->owner, SR_OP_check_probe))
			return true;
	return false;
}

/* Return false for ops in the body of a reduction: such a body runs for all elements, and its values are no tensors of the
 * program. */
static bool is_in_function(const struct sr_op *op)
{
	const struct sr_op *owner = sr_op_parent(op);
	while (owner && sr_op_has(owner, SR_CONTROL_FLOW))
		owner = sr_op_parent(owner);
	return owner && sr_op_is(owner, SR_OP_func_func);
}

void sr_fault_inject(struct sr_local *l, struct sr_op *op)
{
	static bool is_injected;
	const char *fault_text = getenv("SHARDRUN_FAULT"), *name = fault_text ? strchr(fault_text, ':') : NULL;
	bool is_nan = name && !strncmp(fault_text, "nan:", 4), is_unprobed = name && !is_nan;
	if (is_injected || !fault_text || strcmp(op->info->name, name ? name + 1 : fault_text) || !is_in_function(op) ||
	    (is_unprobed && is_probed(sr_result(op, 0))))
		return;
	struct sr_value *v = sr_result(op, 0);
	struct sr_builder builder = {.ctx = l->ctx, .anchor = op->next, .loc = op->loc};
	struct sr_value *operands[] = {v, sr_build_splat(&builder, v->type, is_nan ? NAN : 1)};
	struct sr_op *sum = sr_build(&builder, SR_OP_stablehlo_add, operands, 2, NULL, 0, &v->type, 1);
	const struct sr_local_value *info = sr_local_find(l, v);
	if (info)
		sr_map_put(&l->values, sr_result(sum, 0), (void *)(uintptr_t)info);
	sr_value_replace_if(v, sr_result(sum, 0), is_other_owner, sum);
	is_injected = true;
}
