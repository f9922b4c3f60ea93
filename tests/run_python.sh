#!/bin/sh
# Export programs of JAX and of PyTorch/XLA by python/shardrun_export.py, run them on 8 ranks and load their results.
#   BUILD=DIR tests/run_python.sh [NAME...]   tests of tests/python/export_test.py
# SHARDRUN_ORACLE is a Python interpreter that has jax; without it python3. SHARDRUN_TORCH is one that has torch_xla and ml_dtypes, for
# tests/python/torch_test.py; without it those are left out. Exit status 77, which "make check" takes for skipped, where there is none.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BUILD:=$(pwd)}"
BUILD=$(cd "$BUILD" && pwd)
: "${OMP_NUM_THREADS:=1}"
export OMP_NUM_THREADS
python=${SHARDRUN_ORACLE:-python3}
status=77
if "$python" -c 'import jax, ml_dtypes' 2>/dev/null; then
	"$python" -B "$here/python/export_test.py" --shardrun "$BUILD/shardrun" "$@"
	status=$?
else
	echo "skipped: $python has no jax; name one that has in SHARDRUN_ORACLE"
fi
[ -n "${SHARDRUN_TORCH:-}" ] && [ $# = 0 ] || exit $status
"$SHARDRUN_TORCH" -B "$here/python/torch_test.py" --shardrun "$BUILD/shardrun" || exit 1
[ $status = 77 ] || exit $status
