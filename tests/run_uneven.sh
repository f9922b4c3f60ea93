#!/bin/sh
# Run ops along dimensions that the devices do not divide, with all kinds of padding, and compare with replicated execution.
#   BUILD=DIR tests/run_uneven.sh [OPTION...]   options of tests/oracle/uneven.py; default: every 41st program
# SHARDRUN_ORACLE is a Python interpreter; default python3. Exit status 77 (skipped) if there is none.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh disable=SC1091
. "$here/launcher.sh"
# shellcheck source=tests/python.sh disable=SC1091,SC2154
. "$here/python.sh"
has struct || exit
exec "$python" -B "$here/oracle/uneven.py" --shardrun "$BUILD/shardrun" --share 0/41 "$@"
