# Written by scripts/update-sources.
libsr_pjrt_la_SOURCES = \
	src/pjrt/buffer.c \
	src/pjrt/buffer_copy.c \
	src/pjrt/buffer_create.c \
	src/pjrt/client.c \
	src/pjrt/compile.c \
	src/pjrt/compile_outputs.c \
	src/pjrt/device.c \
	src/pjrt/element_type.c \
	src/pjrt/error.c \
	src/pjrt/event.c \
	src/pjrt/executable.c \
	src/pjrt/execute.c \
	src/pjrt/ffi.c \
	src/pjrt/getters.c \
	src/pjrt/group.c \
	src/pjrt/layout_modes.c \
	src/pjrt/layouts.c \
	src/pjrt/loaded_executable.c \
	src/pjrt/memory_kinds.c \
	src/pjrt/options.c \
	src/pjrt/options.h \
	src/pjrt/pjrt.h \
	src/pjrt/pjrt_abi.h \
	src/pjrt/plugin.c \
	src/pjrt/profiler.c \
	src/pjrt/serialize.c \
	src/pjrt/serialized.h \
	src/pjrt/settings.c \
	src/pjrt/settings.h \
	src/pjrt/sharding.c \
	src/pjrt/storage.c \
	src/pjrt/tokens.c \
	src/pjrt/topology.c \
	src/pjrt/xla_options.c \
	src/pjrt/xla_options.def
