#!/bin/sh
# Export programs of JAX by python/shardrun_export.py, run them on 8 ranks and load their results.
#   BUILD=DIR tests/run_python.sh [NAME...]   tests of tests/python/export_test.py
# SHARDRUN_ORACLE is a Python interpreter that has jax; without it python3. Exit status 77, which "make check" takes for skipped, where
# there is none.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BUILD:=$(pwd)}"
BUILD=$(cd "$BUILD" && pwd)
python=${SHARDRUN_ORACLE:-python3}
if ! "$python" -c 'import jax, ml_dtypes' 2>/dev/null; then
	echo "skipped: $python has no jax; name one that has in SHARDRUN_ORACLE"
	exit 77
fi
: "${OMP_NUM_THREADS:=1}"
export OMP_NUM_THREADS
exec "$python" -B "$here/python/export_test.py" --shardrun "$BUILD/shardrun" "$@"
