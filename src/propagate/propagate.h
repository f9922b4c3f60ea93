/* Sharding rules and propagation: gives every value of a module the sharding that Shardy would give it.
 *
 * A rule maps dimensions to factors (mesh/rule.h). Propagation projects shardings to factors, propagates between tensors, and
 * projects back. Partitioning uses the rules, too. */
#ifndef SR_PROPAGATE_PROPAGATE_H
#define SR_PROPAGATE_PROPAGATE_H

#include "dialect/ops.h"
#include "import/edges/data_flow_edge.h"
#include "ir/pass.h"

/* Return an op's sharding rule: the user's (attribute sdy.sharding_rule), or that of the RULE column; NULL if the op has no
 * rule, so that its values are unrelated. conservative: no propagation along dimensions where a strided or partial access would
 * have to move data (upstream's option). The rule is in the arena and not cached. */
const struct sr_sharding_rule *sr_op_rule(struct sr_context *ctx, struct sr_op *op, bool conservative);

/* A function of the RULE column: fill the builder, or return false if the op has no rule. */
struct sr_rule_builder;
typedef bool sr_rule_fn(struct sr_rule_builder *b, struct sr_op *op);

/* Passes of this folder, ended by a row with NULL name: sdy-basic-propagate, sdy-aggressive-propagate, sdy-op-priority-propagate,
 * sdy-user-priority-propagate, sdy-populate-op-sharding-rules, and upstream's auxiliary ones. */
extern const struct sr_pass sr_propagate_passes[];
/* Pipelines: sdy-import-pipeline, sdy-propagation-pipeline, sdy-export-pipeline. */
extern const struct sr_pass sr_pipeline_passes[];

#endif
