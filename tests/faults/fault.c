/* Inject a fault into the local form of one op, for make check-faults. Linked with a local.c compiled with SR_FAULTS into a
 * shardrun that is not installed. SHARDRUN_FAULT=stablehlo.add adds 1 to the result of the first such op,
 * SHARDRUN_FAULT=nan:stablehlo.add makes it NaN, and SHARDRUN_FAULT=unprobed:stablehlo.add adds 1 only in the program without
 * probes. */
#include "partition/local/local.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void sr_fault_plant(struct sr_local *l, struct sr_op *op);

static bool is_other(void *data, struct sr_use *use)
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
static bool stands_for_itself(const struct sr_op *op)
{
	const struct sr_op *owner = sr_op_parent(op);
	while (owner && sr_op_has(owner, SR_CONTROL_FLOW))
		owner = sr_op_parent(owner);
	return owner && sr_op_is(owner, SR_OP_func_func);
}

void sr_fault_plant(struct sr_local *l, struct sr_op *op)
{
	static bool planted;
	const char *fault_text = getenv("SHARDRUN_FAULT"), *name = fault_text ? strchr(fault_text, ':') : NULL;
	bool nan = name && !strncmp(fault_text, "nan:", 4), unprobed = name && !nan;
	if (planted || !fault_text || strcmp(op->info->name, name ? name + 1 : fault_text) || !stands_for_itself(op) ||
	    (unprobed && is_probed(sr_result(op, 0))))
		return;
	struct sr_value *v = sr_result(op, 0);
	struct sr_builder builder = {.ctx = l->ctx, .anchor = op->next, .loc = op->loc};
	struct sr_value *operands[] = {v, sr_build_splat(&builder, v->type, nan ? NAN : 1)};
	struct sr_op *sum = sr_build(&builder, SR_OP_stablehlo_add, operands, 2, NULL, 0, &v->type, 1);
	const struct sr_local_value *info = sr_local_find(l, v);
	if (info)
		sr_map_put(&l->values, sr_result(sum, 0), (void *)(uintptr_t)info);
	sr_value_replace_if(v, sr_result(sum, 0), is_other, sum);
	planted = true;
}
