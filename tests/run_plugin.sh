#!/bin/sh
# Run JAX programs on the PJRT plugin, in one process and in several, and compare its declarations with pypjrt's.
#   BUILD=DIR tests/run_plugin.sh [TEST...]   tests of tests/python/plugin_test.py
# SHARDRUN_ORACLE is a Python interpreter with jax; default python3. Exit status 77 (skipped) if there is none.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/python.sh disable=SC1091,SC2154
. "$here/python.sh"
# shellcheck source=tests/launcher.sh disable=SC1091,SC2154
. "$here/launcher.sh"
"$python" -B "$here/python/pjrt_abi_test.py" --source "$here/.."
[ $? != 1 ] || exit 1
has 'jax' && "$python" -B "$here/python/plugin_test.py" --plugin "$BUILD/.libs/libshardrun_pjrt.so" --mpirun "$launch" "$@"
