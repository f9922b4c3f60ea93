#!/bin/sh
# Mutate the programs of op tests: each is refused, or runs without accessing memory outside its buffers (fuzz/mutate.c).
#   BUILD=DIR tests/run_mutations.sh [OPTION...] [MODEL...]     --seed=N --count=N --seconds=N; default: 2,000 mutations
# Findings are saved in BUILD/mutations; the last line is "N passed, N failed".
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
