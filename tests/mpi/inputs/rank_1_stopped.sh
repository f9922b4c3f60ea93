# Run a command; rank 1 stops itself (SIGSTOP) before it runs the command.
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}" = 1 ] && kill -STOP $$
exec "$@"
