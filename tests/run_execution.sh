#!/bin/sh
# Run random sharded programs on up to 8 ranks against their own interpretation as one device's program.
#   BUILD=DIR tests/run_execution.sh [OPTION...]   options of tests/oracle/execution.py, as --count 200 --seed 1000; 25 programs without
# SHARDRUN_ORACLE is a Python interpreter; without it python3. Exit status 77, which "make check" takes for skipped, where there is none.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh disable=SC1091,SC2154
. "$here/launcher.sh"
# shellcheck source=tests/python.sh disable=SC1091,SC2154
. "$here/python.sh"
has dataclasses || exit
exec "$python" -B "$here/oracle/execution.py" --shardrun "$BUILD/shardrun" --mpirun "$launch" --count 25 "$@"
