# Written by scripts/update-sources.
libsr_import_la_SOURCES = \
	src/import/add_data_flow_edges.c \
	src/import/add_func_data_flow_edges.c \
	src/import/call_graph.c \
	src/import/call_graph.h \
	src/import/constant_or_scalar_splitter.c \
	src/import/edge.c \
	src/import/edge.h \
	src/import/edges.c \
	src/import/edges.h \
	src/import/export_named_computations.c \
	src/import/flatten_call_graph.c \
	src/import/import.h \
	src/import/import_func_calls.c \
	src/import/insert_func_call_reshards.c \
	src/import/lift_inlined_meshes.c \
	src/import/manual_axes_cleanup.c \
	src/import/op_class.c \
	src/import/op_class.h \
	src/import/passes.h \
	src/import/pre_order_funcs.c \
	src/import/propagate_sharding_from_func_to_call.c \
	src/import/propagate_to_func_results.c \
	src/import/remove_size_one_axes.c \
	src/import/sharding_walk.c \
	src/import/sharding_walk.h \
	src/import/shardings.c \
	src/import/shardings.h \
	src/import/sink_data_flow_edges.c \
	src/import/sink_func_data_flow_edges.c \
	src/import/unflatten_call_graph.c
