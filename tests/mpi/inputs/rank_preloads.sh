# Run a command; rank $1 loads the library $2 first.
rank=$1 library=$2
shift 2
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}" = "$rank" ] && export LD_PRELOAD="$library"
exec "$@"
