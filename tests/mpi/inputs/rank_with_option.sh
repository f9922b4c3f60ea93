#!/bin/sh
# rank_with_option.sh RANK OPTION COMMAND...: run the command, on that rank with the option added
rank=$1 option=$2
shift 2
if [ "$OMPI_COMM_WORLD_RANK$PMI_RANK" = "$rank" ]; then
	set -- "$@" "$option"
fi
exec "$@"
