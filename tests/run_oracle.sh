#!/bin/sh
# Compare propagation with Shardy's, if JAX's packages are installed: random programs, and those in the folders of CASES. Without options,
# compare GSPMD shardings with XLA's first.
#   BUILD=DIR SHARDRUN_ORACLE=PYTHON tests/run_oracle.sh [OPTION...]   options of tests/oracle/differential.py, as --count 200 --seed 1000
# SHARDRUN_ORACLE is a Python interpreter with jax and jaxlib; default python3. Exit status 77 (skipped) if there is none.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/python.sh disable=SC1091,SC2154
. "$here/python.sh"
has 'jaxlib.mlir.passmanager, jax._src.interpreters.mlir' || exit
status=0
if [ $# -eq 0 ]; then
	set -- --count 40
	"$python" -B "$here/oracle/shardings.py" --shardopt "$BUILD/shardopt" || status=1
	"$python" -B "$here/oracle/hlo_proto.py" --shardopt "$BUILD/shardopt" "$here"/text/hlo/*.hlo || status=1
fi
# shellcheck disable=SC2086
"$python" "$here/oracle/differential.py" --shardopt "$BUILD/shardopt" "$@" ${CASES:+$(find $CASES -name model.mlir | sort)} || status=1
exit $status
