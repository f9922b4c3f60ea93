# Written by scripts/update-sources.
libsr_transport_la_SOURCES = \
	collectives/transport/abort_word.c \
	collectives/transport/abort_word.h \
	collectives/transport/backoff.c \
	collectives/transport/backoff.h \
	collectives/transport/local_devices.c \
	collectives/transport/local_devices.h \
	collectives/transport/memory_file.c \
	collectives/transport/memory_file.h \
	collectives/transport/message_queue.c \
	collectives/transport/mpi.c \
	collectives/transport/mpi_control.c \
	collectives/transport/mpi_native.c \
	collectives/transport/mpi_transport.h \
	collectives/transport/node_key.c \
	collectives/transport/node_key.h \
	collectives/transport/progress_thread.c \
	collectives/transport/rendezvous.c \
	collectives/transport/schedule_executor.c \
	collectives/transport/shared_segment.c \
	collectives/transport/shared_segment.h \
	collectives/transport/transport_groups.c \
	collectives/transport/transport_ops.h
