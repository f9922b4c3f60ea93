# Written by scripts/update-sources.
UNITS = \
	tests/unit/api \
	tests/unit/codegen \
	tests/unit/collectives \
	tests/unit/cost \
	tests/unit/dialect \
	tests/unit/driver \
	tests/unit/exec \
	tests/unit/import \
	tests/unit/io \
	tests/unit/ir \
	tests/unit/kernels \
	tests/unit/kernels_fast \
	tests/unit/machine \
	tests/unit/mesh \
	tests/unit/optimize \
	tests/unit/partition \
	tests/unit/pjrt \
	tests/unit/plan \
	tests/unit/program \
	tests/unit/propagate \
	tests/unit/run \
	tests/unit/support \
	tests/unit/text \
	tests/unit/transport \
	tests/unit/work
tests_unit_api_SOURCES = \
	tests/unit/api.c \
	tests/unit/api_memory.h
tests_unit_api_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_api_LDADD = $(L_api) $(CHECK_LIBS) $(X_api)
tests_unit_codegen_SOURCES = \
	tests/unit/codegen.c \
	tests/unit/codegen_borders.h \
	tests/unit/codegen_compile.h \
	tests/unit/codegen_lanes.h \
	tests/unit/codegen_maps.h \
	tests/unit/codegen_threads.h
tests_unit_codegen_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_codegen_LDADD = $(L_codegen) $(CHECK_LIBS) $(X_codegen)
tests_unit_collectives_SOURCES = \
	tests/unit/collectives.c \
	tests/unit/collectives_nodes.h \
	tests/unit/collectives_reduce.h \
	tests/unit/collectives_selection.h
tests_unit_collectives_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_collectives_LDADD = $(L_collectives) $(CHECK_LIBS) $(X_collectives)
tests_unit_cost_SOURCES = \
	tests/unit/cost.c
tests_unit_cost_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_cost_LDADD = $(L_cost) $(CHECK_LIBS) $(X_cost)
tests_unit_dialect_SOURCES = \
	tests/unit/dialect.c
tests_unit_dialect_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_dialect_LDADD = $(L_dialect) $(CHECK_LIBS) $(X_dialect)
tests_unit_driver_SOURCES = \
	tests/unit/driver.c \
	tests/unit/driver_coverage.h
tests_unit_driver_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_driver_LDADD = $(L_driver) $(CHECK_LIBS) $(X_driver)
tests_unit_exec_SOURCES = \
	tests/unit/exec.c \
	tests/unit/exec_arrays.h \
	tests/unit/exec_background.h \
	tests/unit/exec_manifest.h \
	tests/unit/exec_streams.h
tests_unit_exec_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_exec_LDADD = $(L_exec) $(CHECK_LIBS) $(X_exec)
tests_unit_import_SOURCES = \
	tests/unit/import.c
tests_unit_import_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_import_LDADD = $(L_import) $(CHECK_LIBS) $(X_import)
tests_unit_io_SOURCES = \
	tests/unit/io.c \
	tests/unit/io_case.h \
	tests/unit/io_files.h \
	tests/unit/io_npy.c \
	tests/unit/io_npz.c \
	tests/unit/io_safetensors.c \
	tests/unit/io_slice.c \
	tests/unit/io_values.c
tests_unit_io_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_io_LDADD = $(L_io) $(CHECK_LIBS) $(X_io)
tests_unit_ir_SOURCES = \
	tests/unit/ir.c
tests_unit_ir_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_ir_LDADD = $(L_ir) $(CHECK_LIBS) $(X_ir)
tests_unit_kernels_SOURCES = \
	tests/unit/kernels.c
tests_unit_kernels_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_kernels_LDADD = $(L_kernels) $(CHECK_LIBS) $(X_kernels)
tests_unit_kernels_fast_SOURCES = \
	tests/unit/kernels_fast.c
tests_unit_kernels_fast_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_kernels_fast_LDADD = $(L_kernels_fast) $(CHECK_LIBS) $(X_kernels_fast)
tests_unit_machine_SOURCES = \
	tests/unit/machine.c
tests_unit_machine_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_machine_LDADD = $(L_machine) $(CHECK_LIBS) $(X_machine)
tests_unit_mesh_SOURCES = \
	tests/unit/mesh.c \
	tests/unit/mesh_tiling.h
tests_unit_mesh_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_mesh_LDADD = $(L_mesh) $(CHECK_LIBS) $(X_mesh)
tests_unit_optimize_SOURCES = \
	tests/unit/optimize.c
tests_unit_optimize_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_optimize_LDADD = $(L_optimize) $(CHECK_LIBS) $(X_optimize)
tests_unit_partition_SOURCES = \
	tests/unit/partition.c \
	tests/unit/partition_search.h
tests_unit_partition_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_partition_LDADD = $(L_partition) $(CHECK_LIBS) $(X_partition)
tests_unit_pjrt_SOURCES = \
	tests/unit/pjrt.c \
	tests/unit/pjrt_calls.h
tests_unit_pjrt_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_pjrt_LDADD = $(L_pjrt) $(CHECK_LIBS) $(X_pjrt)
tests_unit_plan_SOURCES = \
	tests/unit/plan.c \
	tests/unit/plan_coalesce.h \
	tests/unit/plan_layout.h
tests_unit_plan_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_plan_LDADD = $(L_plan) $(CHECK_LIBS) $(X_plan)
tests_unit_program_SOURCES = \
	tests/unit/program.c
tests_unit_program_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_program_LDADD = $(L_program) $(CHECK_LIBS) $(X_program)
tests_unit_propagate_SOURCES = \
	tests/unit/propagate.c
tests_unit_propagate_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_propagate_LDADD = $(L_propagate) $(CHECK_LIBS) $(X_propagate)
tests_unit_run_SOURCES = \
	tests/unit/run.c \
	tests/unit/run_event.h \
	tests/unit/run_executions.h \
	tests/unit/run_program.h \
	tests/unit/run_queue.h \
	tests/unit/run_workers.h
tests_unit_run_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_run_LDADD = $(L_run) $(CHECK_LIBS) $(X_run)
tests_unit_support_SOURCES = \
	tests/unit/support.c \
	tests/unit/support_cache.h \
	tests/unit/support_proto.h
tests_unit_support_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_support_LDADD = $(L_support) $(CHECK_LIBS) $(X_support)
tests_unit_text_SOURCES = \
	tests/unit/text.c \
	tests/unit/text_bytecode.h \
	tests/unit/text_hlo.h
tests_unit_text_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_text_LDADD = $(L_text) $(CHECK_LIBS) $(X_text)
tests_unit_transport_SOURCES = \
	tests/unit/transport.c
tests_unit_transport_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_transport_LDADD = $(L_transport) $(CHECK_LIBS) $(X_transport)
tests_unit_work_SOURCES = \
	tests/unit/work.c
tests_unit_work_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_work_LDADD = $(L_work) $(CHECK_LIBS) $(X_work)
UNITS_SHARED = \
	tests/unit/allocations.h \
	tests/unit/api_memory.h \
	tests/unit/codegen_borders.h \
	tests/unit/codegen_compile.h \
	tests/unit/codegen_lanes.h \
	tests/unit/codegen_maps.h \
	tests/unit/codegen_threads.h \
	tests/unit/collectives_nodes.h \
	tests/unit/collectives_reduce.h \
	tests/unit/collectives_selection.h \
	tests/unit/context.h \
	tests/unit/driver_coverage.h \
	tests/unit/exec_arrays.h \
	tests/unit/exec_background.h \
	tests/unit/exec_manifest.h \
	tests/unit/exec_streams.h \
	tests/unit/failing_allocations.h \
	tests/unit/io_case.h \
	tests/unit/io_files.h \
	tests/unit/kernels_access.h \
	tests/unit/kernels_accumulate.h \
	tests/unit/kernels_code.h \
	tests/unit/kernels_cumulate.h \
	tests/unit/kernels_fft.h \
	tests/unit/kernels_folds.h \
	tests/unit/kernels_gemm.h \
	tests/unit/kernels_library.h \
	tests/unit/kernels_nest.h \
	tests/unit/kernels_scatter.h \
	tests/unit/kernels_shaped.h \
	tests/unit/kernels_small_factors.h \
	tests/unit/kernels_sort.h \
	tests/unit/mesh_tiling.h \
	tests/unit/partition_search.h \
	tests/unit/pjrt_calls.h \
	tests/unit/plan_coalesce.h \
	tests/unit/plan_layout.h \
	tests/unit/programs.h \
	tests/unit/run_event.h \
	tests/unit/run_executions.h \
	tests/unit/run_program.h \
	tests/unit/run_queue.h \
	tests/unit/run_workers.h \
	tests/unit/scratch.h \
	tests/unit/suite.h \
	tests/unit/support_cache.h \
	tests/unit/support_proto.h \
	tests/unit/text_bytecode.h \
	tests/unit/text_hlo.h
