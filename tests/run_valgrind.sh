#!/bin/sh
# Run the compiler, the interpreter and eight ranks under valgrind: no invalid or uninitialized access, no leak. Not part of `make check`, since
# it is slow: make check-valgrind
#   BUILD=DIR tests/run_valgrind.sh
# The last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BUILD:=$(pwd)}"
BUILD=$(cd "$BUILD" && pwd)
: "${MPIRUN:=mpirun}"
command -v valgrind >/dev/null || { echo "run_valgrind: there is no valgrind (Debian: valgrind)"; echo "0 passed, 1 failed"; exit 1; }
export LC_ALL=C OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OPENBLAS_NUM_THREADS=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
supp="--suppressions=$here/valgrind.supp"
for file in /usr/share/openmpi/openmpi-valgrind.supp "${MPI_HOME:-/usr}/share/openmpi/openmpi-valgrind.supp"; do
	[ ! -f "$file" ] || supp="$supp --suppressions=$file"
done
memcheck="valgrind -q --keep-debuginfo=yes --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite $supp"
case $("$MPIRUN" --version 2>/dev/null) in
*"Open MPI"* | *OpenRTE* | *PRRTE*) launch="$MPIRUN --oversubscribe" ;;
*) launch=$MPIRUN ;;
esac
passed=0 failed=0

# Check valgrind's logs of the command that $1 names.
judge() {
	if cat "$scratch"/log.* 2>/dev/null | grep -q '=='; then
		failed=$((failed + 1))
		echo "FAIL: $1"
		cat "$scratch"/log.* | head -n 40
	else
		passed=$((passed + 1))
	fi
	rm -f "$scratch"/log.*
}

# shellcheck disable=SC2086
under() {
	name=$1
	shift
	$memcheck --log-file="$scratch/log.%p" "$@" >/dev/null 2>&1
	judge "$name"
}

for file in "$here"/../examples/*/model.mlir; do
	under "shardopt ${file#"$here"/../}" "$BUILD/shardopt" "$file" -sdy-propagation-pipeline
	under "shardrun --run=false ${file#"$here"/../}" "$BUILD/shardrun" --run=false "$file"
done
for file in "$here"/bad/*.mlir; do
	under "shardopt bad/${file##*/}" "$BUILD/shardopt" "$file"
done
for file in $(find "$here"/run/op -name '*.mlir' | sort | awk 'NR % 8 == 0'); do
	under "shardrun --interpret run/op/${file##*/}" "$BUILD/shardrun" --interpret "$file"
done
cd "$here/../examples/mlp" || exit 125
# shellcheck disable=SC2086
$launch -np 8 $memcheck --log-file="$scratch/log.%p" "$BUILD/shardrun" model.mlir --input=@x.npy --input=@w1.npy --input=@w2.npy \
	--expected_output=@y.npy >"$scratch/out" 2>&1 || { echo "FAIL: mlp's result"; tail -n 20 "$scratch/out"; failed=$((failed + 1)); }
judge "shardrun examples/mlp on 8 ranks"
# shellcheck disable=SC2086
(cd "$BUILD" && exec $launch -np 4 ./libtool --mode=execute $memcheck --log-file="$scratch/log.%p" examples/capi/train \
	"$here/../examples/capi/train.mlir" "$here/../examples/capi/largest_error.mlir") >"$scratch/out" 2>&1 ||
	{ echo "FAIL: the C library's training"; tail -n 20 "$scratch/out"; failed=$((failed + 1)); }
judge "examples/capi/train on 4 ranks"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
