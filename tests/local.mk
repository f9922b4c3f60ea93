# Written by scripts/update-sources.
UNITS = \
	tests/unit/collectives \
	tests/unit/dialect \
	tests/unit/io \
	tests/unit/ir \
	tests/unit/kernels \
	tests/unit/kernels_fast \
	tests/unit/machine \
	tests/unit/mesh \
	tests/unit/support \
	tests/unit/text \
	tests/unit/transport
tests_unit_collectives_SOURCES = \
	tests/unit/collectives.c
tests_unit_collectives_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_collectives_LDADD = $(L_collectives) $(CHECK_LIBS) $(X_collectives)
tests_unit_dialect_SOURCES = \
	tests/unit/dialect.c
tests_unit_dialect_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_dialect_LDADD = $(L_dialect) $(CHECK_LIBS) $(X_dialect)
tests_unit_io_SOURCES = \
	tests/unit/io.c
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
	tests/unit/mesh.c
tests_unit_mesh_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_mesh_LDADD = $(L_mesh) $(CHECK_LIBS) $(X_mesh)
tests_unit_support_SOURCES = \
	tests/unit/support.c
tests_unit_support_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_support_LDADD = $(L_support) $(CHECK_LIBS) $(X_support)
tests_unit_text_SOURCES = \
	tests/unit/text.c
tests_unit_text_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_text_LDADD = $(L_text) $(CHECK_LIBS) $(X_text)
tests_unit_transport_SOURCES = \
	tests/unit/transport.c
tests_unit_transport_CPPFLAGS = $(AM_CPPFLAGS) $(CHECK_CFLAGS) $(MPI_CPPFLAGS)
tests_unit_transport_LDADD = $(L_transport) $(CHECK_LIBS) $(X_transport)
UNITS_SHARED = \
	tests/unit/kernels_shaped.h
