# shellcheck shell=sh disable=SC2034
# For runners that launch ranks: set $launch, such that $launch -np N COMMAND runs N ranks.
: "${BUILD:=$(pwd)}"
BUILD=$(cd "$BUILD" && pwd)
: "${MPIRUN:=mpirun}"
export LC_ALL=C OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_btl_vader_single_copy_mechanism=none
SHARDRUN_CACHE=off # each run compiles what it shows
export SHARDRUN_CACHE
: "${OMP_NUM_THREADS:=1}"
export OMP_NUM_THREADS
PATH=$BUILD:$PATH
case $("$MPIRUN" --version 2>/dev/null) in
*"Open MPI"* | *OpenRTE* | *PRRTE*) launch="$MPIRUN --oversubscribe" ;;
*) launch=$MPIRUN ;;
esac
LAUNCH=$launch # for commands that tests start themselves
export LAUNCH
