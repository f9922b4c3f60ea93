#!/bin/sh
# Compare the memory of processes after a step, less that of an empty program, with the plan. Not part of `make check`, since it needs much
# memory: make check-memory
#   BUILD=DIR tests/run_memory.sh [MODEL...]      default: examples/ and three programs of 32 MB a device
# Prints a line per program: planned MB (arguments, results, temporaries, constants), measured MB, their ratio, the MB that the
# check before the run counts for device and process, and the proportional set size of the process. Fails if the process exceeds the
# counted MB, or if measured MB exceed planned MB by more than WITHIN percent (15) and FIXED MB (7), which are for libraries (oneDNN
# generates 5 MB of code for f32 products). The last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BUILD:=$(pwd)}" "${MPIRUN:=mpirun}" "${WITHIN:=15}" "${FIXED:=7}"
export LC_ALL=C OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# Write a program of 8 devices with these arguments and this body.
program() {
	cat >"$scratch/$1.mlir" <<EOF
module {
  sdy.mesh @mesh = <["x"=8]>
  func.func @main($2) -> $3 {
$4
  }
}
EOF
}
rows='{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}'
program empty "%a: tensor<8xf32>" 'tensor<8xf32>' '    return %a : tensor<8xf32>'
program sum "%a: tensor<8192x1024xf32> $rows, %b: tensor<8192x1024xf32> $rows" "(tensor<8192x1024xf32> $rows)" \
	'    %0 = stablehlo.add %a, %b : tensor<8192x1024xf32>
    return %0 : tensor<8192x1024xf32>'
program sorted "%a: tensor<1024x8192xf32> $rows" "(tensor<1024x8192xf32> $rows)" \
	'    %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %c = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }) : (tensor<1024x8192xf32>) -> tensor<1024x8192xf32>
    return %0 : tensor<1024x8192xf32>'
program product "%a: tensor<16384x1024xf32> $rows, %b: tensor<1024x1024xf32>" "(tensor<16384x1024xf32> $rows)" \
	'    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16384x1024xf32>, tensor<1024x1024xf32>) -> tensor<16384x1024xf32>
    return %0 : tensor<16384x1024xf32>'

# Print a number of the report by its key; of {"min", "max"} the maximum.
figure() {
	tr -d ' \n' <"$scratch/report" | sed -n "s/.*\"$1\":\\([0-9][0-9]*\\).*/\\1/p"
}
most() {
	tr -d ' \n' <"$scratch/report" | sed -n "s/.*\"$1\":{\"min\":[0-9]*,\"max\":\\([0-9][0-9]*\\)}.*/\\1/p"
}

# Print the bytes that the check counts, from the line "memory: 1.5 MB for the device, 20.1 MB for the process, ...".
counted() {
	sed -n 's/^ *memory: \([0-9.]*\) MB for the device, \([0-9.]*\) MB .*/\1 \2/p' "$scratch/log" | awk '{ print ($1 + $2 + 0.1) * 1e6 }'
}

# shellcheck disable=SC2086
run() {
	"$BUILD/shardrun" --launcher="$MPIRUN" -n "$2" -v --output= --hlo_argument_mode=use_random_inputs --report="$scratch/report" "$1" 2>"$scratch/log" ||
		{ cat "$scratch/log"; echo "FAIL: $1 does not run"; failed=$((failed + 1)); return 1; }
}

compare() {
	"$BUILD/shardrun" --run=false --quiet --report="$scratch/report" "$1" && ranks=$(figure devices) || ranks=8
	run "$scratch/empty.mlir" 8 && nothing=$(most pss_bytes) && run "$1" "$ranks" || return
	if awk -v "name=$1" -v "plan=$(figure peak_bytes)" -v "constants=$(figure constant_bytes)" -v "pss=$(most pss_bytes)" \
		-v "nothing=$nothing" -v "within=$WITHIN" -v "fixed=$FIXED" -v "counted=$(counted)" 'BEGIN {
		plan += constants; have = pss - nothing
		printf "%s: plan %.2f MB, there %.2f MB, quotient %.2f; counted %.1f MB, process %.1f MB\n", name, plan / 1e6, have / 1e6,
			have / (plan ? plan : 1), counted / 1e6, pss / 1e6
		exit have > plan * (1 + within / 100) + fixed * 1e6 || pss > counted
	}'; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $1 has more in memory than its plan says"
	fi
}

[ $# -gt 0 ] || set -- "$here/../examples/mlp/model.mlir" "$here/../examples/transformer/model.mlir" "$scratch/sum.mlir" "$scratch/sorted.mlir" \
	"$scratch/product.mlir"
for model in "$@"; do
	compare "$model"
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
