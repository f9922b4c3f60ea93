#!/bin/sh
# Run random sharded programs on up to 8 ranks against their own interpretation as one device's program.
#   BUILD=DIR tests/run_execution.sh [OPTION...]   options of tests/oracle/execution.py, as --count 200 --seed 1000; 25 programs without
# SHARDRUN_ORACLE is a Python interpreter; without it python3. Exit status 77, which "make check" takes for skipped, where there is none.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BUILD:=$(pwd)}"
: "${MPIRUN:=mpirun}"
BUILD=$(cd "$BUILD" && pwd)
python=${SHARDRUN_ORACLE:-python3}
if ! "$python" -c 'import dataclasses' 2>/dev/null; then
	echo "skipped: no Python 3; name one in SHARDRUN_ORACLE"
	exit 77
fi
case $("$MPIRUN" --version 2>/dev/null) in
*"Open MPI"* | *OpenRTE* | *PRRTE*) MPIRUN="$MPIRUN --oversubscribe" ;;
esac
: "${OMP_NUM_THREADS:=1}"
export OMP_NUM_THREADS
exec "$python" -B "$here/oracle/execution.py" --shardrun "$BUILD/shardrun" --mpirun "$MPIRUN" --count 25 "$@"
