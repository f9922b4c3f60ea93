#!/bin/sh
# Build with AddressSanitizer and UndefinedBehaviorSanitizer in a folder of its own; run the unit programs of kernels and generated code, the op tests,
# and, where there is Python, random programs on up to 8 devices in one process.
# Part of `make check`; skipped with SANITIZERS=off and in a build that has the sanitizers itself. make check-sanitizers
#   BUILD=DIR tests/run_sanitizers.sh [FILE...]     FILE: text tests to run; default: tests/run/op/*.mlir
# The last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BUILD:=$(pwd)}"
dir=$BUILD/sanitizers
units='tests/unit/kernels tests/unit/kernels_fast tests/unit/codegen'
[ $# != 0 ] || set -- "$here"/run/op/*.mlir

fail() {
	echo "run_sanitizers: $1"
	echo "0 passed, 1 failed"
	exit 1
}

if [ "${SANITIZERS:-on}" = off ] || grep -qs __asan_init "$BUILD/shardrun"; then
	echo "run_sanitizers: skipped"
	exit 77
fi
mkdir -p "$dir"
cd "$dir" || fail "no folder $dir"
[ -f Makefile ] || "$here/../configure" -q --enable-sanitizers >configure.log 2>&1 || fail "configure failed ($dir/configure.log)"
# shellcheck disable=SC2086
make -s -j"${JOBS:-$(nproc 2>/dev/null || echo 2)}" shardrun shardopt $units >make.log 2>&1 || { tail -n 30 make.log; fail "the build failed ($dir/make.log)"; }

passed=0 failed=0
export CK_FORK=no SHARDRUN_CACHE=off ASAN_OPTIONS=detect_leaks=0
for unit in $units; do # beside the text tests
	{ "./$unit" >"$unit.out" 2>&1; echo $? >"$unit.status"; } &
done
BUILD=$dir TIMEOUT=600 sh "$here/run_text.sh" "$@" >text.log 2>&1
wait
for unit in $units; do
	if [ "$(cat "$unit.status")" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $unit"
		tail -n 60 "$unit.out"
	fi
done
grep -v '^[0-9]* passed' text.log | head -n 200
# shellcheck disable=SC2046
set -- $(tail -n 1 text.log | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
[ $# = 2 ] || fail "the text tests did not end ($dir/text.log)"
passed=$((passed + $1)) failed=$((failed + $2))
reference=$BUILD BUILD=$dir
# shellcheck source=tests/python.sh disable=SC1091,SC2154
. "$here/python.sh"
if has dataclasses; then
	"$python" -B "$here/oracle/execution.py" --shardrun "$dir/shardrun" --reference "$reference/shardrun" --one-process --count 40 --seed 9000 >random.log 2>&1
	grep '^p[0-9]' random.log
	# shellcheck disable=SC2046
	set -- $(tail -n 1 random.log | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
	[ $# = 2 ] || fail "the random programs did not end ($dir/random.log)"
	passed=$((passed + $1)) failed=$((failed + $2))
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
