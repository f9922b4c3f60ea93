# Run a command; rank 0 loads the library $1 first.
library=$1
shift
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}" = 0 ] && export LD_PRELOAD="$library"
exec "$@"
