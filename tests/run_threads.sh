#!/bin/sh
# Build the library and the PJRT plugin with ThreadSanitizer in a folder of their own, and run hosts that use them from several threads:
# tests/threads/threads.c on FILES or on models of the tests, and tests/threads/plugin.c. Then run shardrun with several threads per
# device on programs whose instructions threads share; generated code has ThreadSanitizer, too. Not part of `make check`, since it
# compiles the library again: make check-threads
#   BUILD=DIR tests/run_threads.sh [MODEL...]
# The last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=${BUILD:-$(pwd)}/threads
[ $# != 0 ] || set -- "$here"/mpi/programs/mlp.mlir "$here"/mpi/programs/donated.mlir "$here"/mpi/programs/halo.mlir \
	"$here"/mpi/programs/gathers_and_scatters.mlir "$here"/mpi/programs/collective_ops.mlir "$here"/mpi/programs/groups_by_axes.mlir

fail() {
	echo "run_threads: $1"
	echo "0 passed, 1 failed"
	exit 1
}

export CFLAGS='-g -O1 -fsanitize=thread' LDFLAGS=-fsanitize=thread
mkdir -p "$dir"
cd "$dir" || fail "no folder $dir"
[ -f Makefile ] || "$here/../configure" -q --without-check || fail "the library cannot be configured with ThreadSanitizer"
make -s -j"${JOBS:-$(nproc 2>/dev/null || echo 2)}" libshardrun.la libshardrun_pjrt.la shardrun ||
	fail "the library cannot be built"
# shellcheck disable=SC2086
${CC:-cc} $CFLAGS -I"$here/../include" -o host "$here/threads/threads.c" -L.libs -lshardrun -Wl,-rpath,"$dir/.libs" -lpthread ||
	fail "the host cannot be built"
# shellcheck disable=SC2086
${CC:-cc} -D_GNU_SOURCE $CFLAGS -I"$here/../src" -o plugin "$here/threads/plugin.c" -ldl -lpthread || fail "the plugin's host cannot be built"
# OpenBLAS and MPI are not instrumented. ThreadSanitizer leaves 2 TB of addresses to the process; the memory of devices is reserved within the limit of
# file sizes, here 1 GB.
ulimit -f 2097152
# C compiler of generated code
cat >cc <<EOF
#!/bin/sh
exec ${CC:-cc} "\$@" -g -fsanitize=thread
EOF
chmod +x cc
passed=0 failed=0

# Run a command; it passes if it exits with 0 and ThreadSanitizer reports nothing. The first argument names its log.
run() {
	name=$1
	log=$name.log
	shift
	TSAN_OPTIONS="suppressions=$here/threads/tsan.supp history_size=7" "$@" >"$log" 2>&1
	status=$?
	reports=$(grep -c 'WARNING: ThreadSanitizer' "$log")
	if [ $status = 0 ] && [ "$reports" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $name: status $status, $reports reports of ThreadSanitizer ($dir/$log)"
		head -n 80 "$log"
	fi
}

run host ./host "$@"
run plugin ./plugin .libs/libshardrun_pjrt.so
# Run a program of the tests, the first argument, with the flags that follow, with and without generated code.
run_program() {
	program=$1
	shift
	for codegen in on off; do
		run "$program-$codegen" ./shardrun "$here/mpi/programs/$program.mlir" --codegen=$codegen --cc="$dir/cc" \
			--cache=off --time-blocking=on --num_repeats=2 "$@"
	done
}
for program in stencil_loops few_rows threaded_loops divided_loops random_flips; do
	run_program $program --threads=3
done
run_program stencil_exchange --partition=upstream --devices-per-rank=2 --threads=4
echo "$passed passed, $failed failed"
[ $failed = 0 ]
