# Run a command; rank $1 preloads the library $2.
rank=$1 library=$2
shift 2
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}" = "$rank" ] && export LD_PRELOAD="$library"
exec "$@"
