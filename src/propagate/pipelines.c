/* Upstream's pipelines that contain propagation. */
#include "propagate/propagate.h"

#define IMPORT \
	"symbol-dce,sdy-lift-inlined-meshes,sdy-remove-size-one-axes,sdy-propagate-sharding-from-func-to-call," \
	"sdy-constant-or-scalar-splitter,symbol-dce,sdy-manual-axes-cleanup,sdy-add-data-flow-edges," \
	"$dedup-functions-fully?sdy-apply-sharding-constraints,$dedup-functions-fully?sdy-sharding-group-import"
#define IMPORT_CALLS \
	"$dedup-functions-fully?sdy-add-func-data-flow-edges,!$dedup-functions-fully?sdy-flatten-call-graph," \
	"!$dedup-functions-fully?symbol-dce,!$dedup-functions-fully?sdy-import-func-calls,!$dedup-functions-fully?symbol-dce," \
	"!$dedup-functions-fully?sdy-apply-sharding-constraints,!$dedup-functions-fully?sdy-sharding-group-import," \
	"sdy-pre-order-funcs"
#define EXPORT_CALLS \
	"!$dedup-functions-fully?sdy-export-named-computations,sdy-propagate-to-func-results," \
	"$dedup-functions-fully?sdy-sink-func-data-flow-edges," \
	"sdy-unflatten-call-graph,symbol-dce,sdy-insert-func-call-reshards"
/* Passes that export shardings. sink: options of the sink pass; whole: condition of passes that only partitioning needs; even:
 * condition of passes that make inputs and outputs evenly divisible. */
#define EXPORT_SHARDINGS(sink, whole, even) \
	"sdy-constant-or-scalar-merger,sdy-sink-data-flow-edges" sink "," whole "sdy-remove-sharding-groups," \
	whole "sdy-sharding-constraint-to-reshard," even "sdy-update-non-divisible-input-output-shardings," \
	even "sdy-remove-sub-axes-in-input-output-shardings,sdy-close-shardings"
#define SINK "{sink-debug-sharding-origins=$dump-sharding-origins sink-debug-propagation-edge-sharding=$dump-propagation-edges}"
#define UNLESS_PARTITIONED_LATER "!$avoid-export-for-partitioning?"
#define COLLECTIVES UNLESS_PARTITIONED_LATER "$enable-insert-explicit-collectives?"

const struct sr_pass sr_pipeline_passes[] = {
    {.name = "sdy-import-pipeline",
     .options = "dedup-functions-fully:bool=false",
     .pipeline = IMPORT,
     .doc = "Prepares a module for propagation.",
     .ensures = "data-flow edges, one constant per user"},
    {.name = "sdy-propagation-pipeline",
     .options = "dedup-functions-fully:bool=false, trust-manual-axes:bool=false, verify-unreduced-axes:bool=true",
     .pipeline = IMPORT
     "," IMPORT_CALLS ",sdy-user-priority-propagate{keep-sharding-rules=true}," EXPORT_CALLS
     "," EXPORT_SHARDINGS("", "", "") ",$verify-unreduced-axes?sdy-verify-unreduced-axes{trust-manual-axes=$trust-manual-axes},"
				      "sdy-insert-explicit-reshards,"
				      "canonicalize{enable-patterns=sdy-collective},sdy-drop-sharding-rules",
     .doc = "Gives every value a sharding: import, propagation by user priority, export.",
     .ensures = "closed shardings on all values"},
    {.name = "sdy-export-pipeline",
     .options = "enable-insert-explicit-collectives:bool=false, remove-all-gather-reduce-scatter-for-cmv1:bool=false, "
		"keep-sharding-rules:bool=false, inline-meshes:bool=true, avoid-export-for-partitioning:bool=false, "
		"dump-sharding-origins:bool=false, dump-propagation-edges:bool=false, "
		"update-non-divisible-input-output-shardings:bool=true",
     .pipeline = EXPORT_SHARDINGS(
	 SINK, UNLESS_PARTITIONED_LATER,
	 "$update-non-divisible-input-output-shardings?") "," UNLESS_PARTITIONED_LATER
							  "sdy-verify-unreduced-axes," UNLESS_PARTITIONED_LATER
							  "sdy-insert-explicit-reshards{enable-full-version=$enable-"
							  "insert-explicit-collectives}," COLLECTIVES
							  "canonicalize{enable-patterns=sdy-reshard}," COLLECTIVES
							  "sdy-reshard-to-collectives," UNLESS_PARTITIONED_LATER
							  "canonicalize{enable-patterns=sdy-collective}," COLLECTIVES
							  "$remove-all-gather-reduce-scatter-for-cmv1?sdy-remove-all-"
							  "gather-reduce-scatter-for-cmv1,"
							  "$dump-sharding-origins?sdy-remove-propagation-debug-info,"
							  "$dump-propagation-edges?sdy-remove-propagation-debug-info,"
							  "!$keep-sharding-rules?sdy-drop-sharding-rules," UNLESS_PARTITIONED_LATER
							  "$inline-meshes?sdy-inline-meshes",
     .doc = "From propagated shardings to closed ones, with the reshards that they need.",
     .ensures = "closed shardings"},
    {0},
};
