# Written by scripts/update-sources.
libsr_transport_la_SOURCES = \
	collectives/transport/groups.c \
	collectives/transport/mail.c \
	collectives/transport/meet.c \
	collectives/transport/mpi.c \
	collectives/transport/patience.c \
	collectives/transport/patience.h \
	collectives/transport/player.c \
	collectives/transport/player.h \
	collectives/transport/serve.c \
	collectives/transport/siblings.c \
	collectives/transport/siblings.h \
	collectives/transport/window.c \
	collectives/transport/window.h
