#!/bin/sh
# Change the programs of op tests behind their checksum: each is refused, or runs without touching what is not its own (fuzz/mutate.c).
#   BUILD=DIR tests/run_mutations.sh [OPTION...] [MODEL...]     --seed=N --count=N --seconds=N; 2,000 changes without
# Finds are saved in BUILD/mutations; the last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "${BUILD:-.}" && pwd)
models=
for argument; do
	case $argument in --*) ;; *) models=given ;; esac
done
[ -n "$models" ] || set -- "$@" "$here"/run/op/*.mlir
mkdir -p "$BUILD/mutations"
if "$BUILD/tests/fuzz/mutate" --count=2000 --save="$BUILD/mutations" "$@"; then
	echo "1 passed, 0 failed"
else
	echo "0 passed, 1 failed"
	exit 1
fi
