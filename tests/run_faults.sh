#!/bin/sh
# Inject a fault into the local form of one op at a time and check that --verify names that op, and --check-nan likewise for NaN.
#   BUILD=DIR tests/run_faults.sh
# Prints faults that were not found; the last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "${BUILD:-.}" && pwd)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
passed=0 failed=0

# Run with the fault $1 and the flags $3...; the output must contain $2.
run() {
	fault=$1 text=$2
	shift 2
	output=$(SHARDRUN_FAULT=$fault timeout 120 "$BUILD/tests/faults/shardrun" --cache=off --devices-per-rank=all "$here/faults/ops.mlir" \
		--output= --output= --output= "$@" 2>&1)
	if printf '%s\n' "$output" | grep -qF -e "$text"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: '$fault' with $*: not found: $text"
		printf '%s\n' "$output" | sed 's/^/    /'
	fi
}

run '' '[SUCCESS]' --verify
for op in dot_general tanh reduce broadcast_in_dim subtract select transpose convert concatenate gather sine multiply; do
	run "stablehlo.$op" "error: --verify: stablehlo.$op %" --verify
done
run unprobed:stablehlo.tanh 'error: --verify: result ' --verify
run stablehlo.sine 'in iteration 0 differs' --verify
for op in dot_general tanh reduce subtract select concatenate gather multiply; do
	run "nan:stablehlo.$op" "error: --check-nan: stablehlo.$op %" --check-nan
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
