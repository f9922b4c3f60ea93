#!/bin/sh
# Run ops along dimensions that the devices do not divide, with padding of all kinds, against every device computing all.
#   BUILD=DIR tests/run_uneven.sh [OPTION...]   options of tests/oracle/uneven.py; every 41st program without
# SHARDRUN_ORACLE is a Python interpreter; without it python3. Exit status 77, which "make check" takes for skipped, where there is none.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh disable=SC1091
. "$here/launcher.sh"
# shellcheck source=tests/python.sh disable=SC1091,SC2154
. "$here/python.sh"
has struct || exit
exec "$python" -B "$here/oracle/uneven.py" --shardrun "$BUILD/shardrun" --share 0/41 "$@"
