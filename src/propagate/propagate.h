/* Sharding rules and propagation: after it every value of the module has the sharding that Shardy would give it.
 *
 * A rule maps dimensions to factors (mesh/rule.h); propagation projects shardings to factors, lets factors agree, and projects
 * back. Rules are read by partition too. */
#ifndef SR_PROPAGATE_PROPAGATE_H
#define SR_PROPAGATE_PROPAGATE_H

#include "dialect/ops.h"
#include "import/edges/data_flow_edge.h"
#include "ir/pass.h"

/* The rule of an op: the user's (sdy.sharding_rule attribute) or the RULE column's; NULL: none, values are unrelated (replicate).
 * conservative: no propagation through dimensions that a strided or partial access would have to move data for (upstream's option).
 * In the context's arena; cached by the caller where it matters. */
const struct sr_sharding_rule *sr_op_rule(struct sr_context *ctx, struct sr_op *op, bool conservative);

/* Rules are functions of the RULE column: fill the builder, return false for "no rule". */
struct sr_rule_builder;
typedef bool sr_rule_fn(struct sr_rule_builder *b, struct sr_op *op);

/* The passes of this folder, ended by a row without name: sdy-basic-propagate, sdy-aggressive-propagate, sdy-op-priority-propagate,
 * sdy-user-priority-propagate, sdy-populate-op-sharding-rules, and what upstream keeps beside them. */
extern const struct sr_pass sr_propagate_passes[];
extern const struct sr_pass sr_pipeline_passes[]; /* sdy-import-pipeline, sdy-propagation-pipeline, sdy-export-pipeline */

#endif
