# Written by scripts/update-sources.
include_HEADERS =
shardrunincludedir = $(includedir)/shardrun
shardruninclude_HEADERS = \
	include/shardrun/status.h
