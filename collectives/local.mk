# Written by scripts/update-sources.
libsr_collectives_la_SOURCES = \
	collectives/algorithms.def \
	collectives/algorithms.h \
	collectives/all_gather/bruck.c \
	collectives/all_gather/direct.c \
	collectives/all_gather/ring.c \
	collectives/all_reduce/exchange.c \
	collectives/all_reduce/fold_in.c \
	collectives/all_reduce/linear.c \
	collectives/all_reduce/ordered.c \
	collectives/all_reduce/rabenseifner.c \
	collectives/all_reduce/recursive_doubling.c \
	collectives/all_reduce/ring.c \
	collectives/all_to_all/bruck.c \
	collectives/all_to_all/direct.c \
	collectives/all_to_all/pairwise.c \
	collectives/broadcast/binomial.c \
	collectives/broadcast/linear.c \
	collectives/broadcast/scatter_gather.c \
	collectives/builder.c \
	collectives/builder.h \
	collectives/native.c \
	collectives/permute/direct.c \
	collectives/reduce.c \
	collectives/reduce_body.h \
	collectives/reduce_scatter/direct.c \
	collectives/reduce_scatter/pairwise.c \
	collectives/reduce_scatter/recursive_halving.c \
	collectives/reduce_scatter/ring.c \
	collectives/schedule.c \
	collectives/schedule.h \
	collectives/select.c \
	collectives/sim.c \
	collectives/transport.h
