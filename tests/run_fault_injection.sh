#!/bin/sh
# Make each call of the library fail in turn, in three programs of the C API (faultinject/program.c), on one rank of a run of 1, 2
# or 4: all functions must return a status on all ranks within a time limit and, unless MPI failed, free all memory. Prints the
# number of calls. If the library is built with sanitizers, their findings are failures, too, including memory that leaks.
#   BUILD=DIR tests/run_fault_injection.sh
# CASES (add mlp loop), RANKS (1 2 4), FAILING (rank of the failing calls; default: the last), STRIDE (1: every call),
# DEVICES (devices of each rank; default: 1, or 2 on one rank), KINDS of calls:
#   allocation  allocations and mappings
#   mpi         MPI calls that are not made
#   mpi-after   MPI calls that are made and return an error
#   mpi-late    MPI calls that give data to other ranks, return an error, and are made after the run
#   file        file operations
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh disable=SC1091,SC2154
. "$here/launcher.sh"
: "${CASES:=add mlp loop}" "${KINDS:=allocation mpi mpi-after mpi-late file}" "${RANKS:=1 2 4}" "${STRIDE:=1}" "${BUILD:=.}"
command -v mpicc >/dev/null || { echo "skipped: no mpicc" && exit 0; }
define='' sanitizers=''
! nm -D "$BUILD/.libs/libshardrun.so" | grep -q __asan_init ||
	{ define=-DINJECT_ADDRESS_SANITIZER && sanitizers=-fsanitize=address,undefined; }
: "${ASAN_OPTIONS:=fast_unwind_on_malloc=0}" "${LSAN_OPTIONS:=suppressions=$here/lsan.supp:print_suppressions=0}"
export ASAN_OPTIONS LSAN_OPTIONS
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
top=$(dirname "$here")
# shellcheck disable=SC2086
mpicc -g -O1 -U_FORTIFY_SOURCE -fno-builtin $define -I"$top" -I"$top/include" -c -o "$scratch/program.o" "$here/faultinject/program.c" &&
	mpicc $sanitizers -o "$scratch/program" "$scratch/program.o" -L"$BUILD/.libs" -lshardrun -Wl,-rpath,"$BUILD/.libs" -ldl -lpthread || exit 1
cd "$scratch" || exit 1
failed=0 passed=0
for n in $RANKS; do
	for program in $CASES; do
		for kind in $KINDS; do
			# shellcheck disable=SC2086,SC2154
			if timeout 1800 $launch -np "$n" ./program "$program" "$kind" "$STRIDE" 0 "${FAILING:-$((n - 1))}" ${DEVICES:-} >out 2>err && grep 'of them failed a run' out; then
				passed=$((passed + 1))
			else
				failed=$((failed + 1))
				echo "FAIL: $program, $kind, on $n ranks"
				head -n 20 err
			fi
		done
	done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
