# Written by scripts/update-sources.
include_HEADERS = \
	include/shardrun.h
shardrunincludedir = $(includedir)/shardrun
shardruninclude_HEADERS = \
	include/shardrun/client.h \
	include/shardrun/collectives.h \
	include/shardrun/mesh.h \
	include/shardrun/module.h \
	include/shardrun/plan.h \
	include/shardrun/run.h \
	include/shardrun/status.h
