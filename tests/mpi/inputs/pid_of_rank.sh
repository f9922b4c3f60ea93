# Run a command; write the process id of rank R to pid.R.
echo $$ >"pid.${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}"
exec "$@"
