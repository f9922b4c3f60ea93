# Written by scripts/update-sources.
libsr_transport_la_SOURCES = \
	collectives/transport/mpi.c \
	collectives/transport/player.c \
	collectives/transport/player.h \
	collectives/transport/window.c \
	collectives/transport/window.h
