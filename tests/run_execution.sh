#!/bin/sh
# Run random sharded programs on up to 8 ranks and compare with an interpretation as a program for one device.
#   BUILD=DIR tests/run_execution.sh [OPTION...]   options of tests/oracle/execution.py, as --count 200 --seed 1000; default: 25 programs
# SHARDRUN_ORACLE is a Python interpreter; default python3. Exit status 77 (skipped) if there is none.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh disable=SC1091,SC2154
. "$here/launcher.sh"
# shellcheck source=tests/python.sh disable=SC1091,SC2154
. "$here/python.sh"
has dataclasses || exit
exec "$python" -B "$here/oracle/execution.py" --shardrun "$BUILD/shardrun" --mpirun "$launch" --count 25 "$@"
