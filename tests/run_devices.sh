#!/bin/sh
# Check that results of a compiled program have the same bits with all devices in one process, a process per device, and two processes with
# half of them, by shared memory and by messages, twice each: make check-devices
#   BUILD=DIR tests/run_devices.sh [FOLDER...]      a folder has model.mlir, and in_0.npy, ... if it has inputs; default: examples/ and
#                                                   the programs of tests/mpi/
# Prints a line per program; the last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh disable=SC1091,SC2154
. "$here/launcher.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# Run the model on $1 ranks (0: without a launcher) and print a digest of its results.
digest() {
	ranks=$1
	shift
	rm -f "$scratch"/*.npy
	set -- shardrun "$@" --quiet --timeout=300
	# shellcheck disable=SC2086
	[ "$ranks" = 0 ] || set -- $launch -np "$ranks" "$@"
	"$@" >"$scratch/log" 2>&1 || { sed 's/^/    /' "$scratch/log" | head -5; return 1; }
	cat "$scratch"/*.npy | sha256sum
}

# Print the digests of all ways to run $devices devices of a model with these options, unless they are equal.
differences() {
	half=$(((devices + 1) / 2))
	want=$(digest "$devices" "$@") || { echo "$want"; return; }
	for round in 1 2; do
		for way in "$devices" "0 --devices-per-rank=all" "2 --devices-per-rank=$half" "2 --devices-per-rank=$half --shared-segment=false" \
			"2 --devices-per-rank=$half --ranks-per-node=1" "0 --devices-per-rank=all --shared-segment=false"; do
			# shellcheck disable=SC2086 # a way is words
			got=$(digest $way "$@")
			[ "$got" = "$want" ] || echo "    round $round, other bits by $way $got"
		done
	done
}

if [ $# = 0 ]; then
	set -- "$here"/../examples/*/model.mlir
	for model in "$here"/mpi/programs/*.mlir; do
		case $(basename "$model" .mlir) in
		checked | platforms | printed) ;;                      # fail where random arguments or a plain run are not what they are for
		endless | endless_sums | one_computes | one_sums_more) ;; # do not end by themselves
		large | same_large) ;;                                 # take their time to have arguments
		*) set -- "$@" "$model" ;;
		esac
	done
fi
for model; do
	folder=.
	[ ! -d "$model" ] || { folder=$model; model=$model/model.mlir; }
	# a model is compiled once, since its plan depends on the number of nodes
	plan=$(shardrun --run=false -v --program="$scratch/compiled" "$model" 2>&1) || continue
	devices=$(echo "$plan" | sed -n 's/^shardrun: mesh .*; \([0-9]*\) devices; .*/\1/p')
	if [ "${devices:-1}" -lt 2 ] || [ "$devices" -gt 16 ]; then continue; fi
	set --
	for k in $(echo "$plan" | sed -n 's/^  argument \([0-9]*\): .*/\1/p'); do
		[ ! -f "$folder/in_$k.npy" ] || set -- "$@" "--input=@$folder/in_$k.npy"
	done
	for k in $(echo "$plan" | sed -n 's/^  result \([0-9]*\): .*/\1/p'); do
		set -- "$@" "--output=@$scratch/$k.npy"
	done
	found=$(differences "$scratch/compiled" "$@")
	if [ -z "$found" ]; then
		passed=$((passed + 1))
		echo "ok $model"
	else
		failed=$((failed + 1))
		echo "FAIL $model"
		echo "$found"
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
