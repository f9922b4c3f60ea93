#!/bin/sh
# Export programs of JAX and PyTorch/XLA with python/shardrun_export.py, run them on 8 ranks and load the results.
#   BUILD=DIR tests/run_python.sh [NAME...]   tests of tests/python/export_test.py
# SHARDRUN_ORACLE is a Python interpreter with jax; default python3. SHARDRUN_TORCH is one with torch_xla and ml_dtypes, for
# tests/python/torch_test.py and torch_plugin_test.py; without it those are skipped. Exit status 77 (skipped) if there is none.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/python.sh disable=SC1091,SC2154
. "$here/python.sh"
: "${OMP_NUM_THREADS:=1}"
export OMP_NUM_THREADS
has 'jax, ml_dtypes' && "$python" -B "$here/python/export_test.py" --shardrun "$BUILD/shardrun" "$@"
status=$?
if [ $status = 0 ] && [ $# = 0 ]; then
	"$python" -B "$here/python/package_test.py" --build "$BUILD" || status=1
fi
[ -n "${SHARDRUN_TORCH:-}" ] && [ $# = 0 ] || exit $status
"$SHARDRUN_TORCH" -B "$here/python/torch_test.py" --shardrun "$BUILD/shardrun" || exit 1
for mode in '' --spmd; do
	# shellcheck disable=SC2086
	"$SHARDRUN_TORCH" -B "$here/python/torch_plugin_test.py" --plugin "$BUILD/.libs/libshardrun_pjrt.so" $mode || exit 1
done
[ $status = 77 ] || exit $status
