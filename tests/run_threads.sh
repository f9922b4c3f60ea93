#!/bin/sh
# Build the library with ThreadSanitizer in a folder of its own and run tests/threads/threads.c, a host that uses it from several threads, on FILES or on
# models of the tests. Not part of `make check`, since it compiles the library again: make check-threads
#   BUILD=DIR tests/run_threads.sh [MODEL...]
# The last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=${BUILD:-$(pwd)}/threads
[ $# != 0 ] || set -- "$here"/mpi/programs/mlp.mlir "$here"/mpi/programs/donated.mlir "$here"/mpi/programs/halo.mlir \
	"$here"/mpi/programs/indexed.mlir "$here"/mpi/programs/collective_ops.mlir "$here"/mpi/programs/groups_by_axes.mlir

fail() {
	echo "run_threads: $1"
	echo "0 passed, 1 failed"
	exit 1
}

export CFLAGS='-g -O1 -fsanitize=thread' LDFLAGS=-fsanitize=thread
mkdir -p "$dir"
cd "$dir" || fail "no folder $dir"
[ -f Makefile ] || "$here/../configure" -q --without-check || fail "the library cannot be configured with ThreadSanitizer"
make -s -j"${JOBS:-$(nproc 2>/dev/null || echo 2)}" libshardrun.la || fail "the library cannot be built"
# shellcheck disable=SC2086
${CC:-cc} $CFLAGS -I"$here/../include" -o host "$here/threads/threads.c" -L.libs -lshardrun -Wl,-rpath,"$dir/.libs" -lpthread ||
	fail "the host cannot be built"
# OpenBLAS and MPI are not instrumented. ThreadSanitizer leaves 2 TB of addresses to the process; the memory of devices is reserved within the limit of
# file sizes, here 1 GB.
ulimit -f 2097152
TSAN_OPTIONS="suppressions=$here/threads/tsan.supp history_size=7" ./host "$@" >log 2>&1
status=$?
reports=$(grep -c 'WARNING: ThreadSanitizer' log)
if [ $status = 0 ] && [ "$reports" = 0 ]; then
	echo "1 passed, 0 failed"
	exit 0
fi
echo "FAIL: status $status, $reports reports of ThreadSanitizer ($dir/log)"
head -n 80 log
echo "0 passed, 1 failed"
exit 1
