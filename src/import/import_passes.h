/* Declarations of the import passes for the table in import_passes.c. Most files are named after their pass. */
#ifndef SR_IMPORT_IMPORT_PASSES_H
#define SR_IMPORT_IMPORT_PASSES_H

#include "import/import.h"

typedef enum sr_status sr_import_pass_fn(struct sr_context *ctx, struct sr_op *root, const struct sr_pass_options *options);
#define IMPORT_PASS(name) sr_import_pass_fn sr_pass_##name;
IMPORT_PASS(add_data_flow_edges)
IMPORT_PASS(add_func_data_flow_edges)
IMPORT_PASS(apply_sharding_constraints)
IMPORT_PASS(close_shardings)
IMPORT_PASS(collectives_to_reshards)
IMPORT_PASS(constant_or_scalar_merger)
IMPORT_PASS(constant_or_scalar_splitter)
IMPORT_PASS(drop_callbacks)
IMPORT_PASS(drop_sharding_and_mesh)
IMPORT_PASS(drop_sharding_rules)
IMPORT_PASS(explicit_gather_scatter_batching)
IMPORT_PASS(export_frontend_attributes)
IMPORT_PASS(export_gspmd)
IMPORT_PASS(export_named_computations)
IMPORT_PASS(extend_unit_meshes)
IMPORT_PASS(flatten_call_graph)
IMPORT_PASS(import_frontend_attributes)
IMPORT_PASS(import_func_calls)
IMPORT_PASS(import_gspmd)
IMPORT_PASS(inline_async)
IMPORT_PASS(inline_meshes)
IMPORT_PASS(insert_func_call_reshards)
IMPORT_PASS(lift_inlined_meshes)
IMPORT_PASS(manual_axes_cleanup)
IMPORT_PASS(pre_order_funcs)
IMPORT_PASS(propagate_sharding_from_func_to_call)
IMPORT_PASS(propagate_to_func_results)
IMPORT_PASS(remove_propagation_debug_info)
IMPORT_PASS(remove_sharding_groups)
IMPORT_PASS(remove_size_one_axes)
IMPORT_PASS(remove_sub_axes_in_input_output_shardings)
IMPORT_PASS(sharding_constraint_to_reshard)
IMPORT_PASS(sharding_group_import)
IMPORT_PASS(sink_data_flow_edges)
IMPORT_PASS(sink_func_data_flow_edges)
IMPORT_PASS(unflatten_call_graph)
IMPORT_PASS(update_non_divisible_input_output_shardings)
IMPORT_PASS(verify_unreduced_axes)
#undef IMPORT_PASS

#endif
