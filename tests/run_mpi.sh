#!/bin/sh
# Run MPI tests: tests/mpi/NAME.test, one behaviour each, on each of its numbers of ranks. Format: tests/README.
#   BUILD=DIR tests/run_mpi.sh [FILE...]   default: all; NP=N: only on N ranks; TIMES=1: print how long each took; JOBS=N: N tests at once (2)
# Prints a failing test's name, reason and output; the last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
# shellcheck source=tests/launcher.sh
. "$here/launcher.sh"
from=$(pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Print standard input as a failure in one write, since tests run concurrently.
report_failure() {
	echo f >>"$marks"
	cat >"$scratch/report"
	awk 1 "$scratch/report" # ends the last line
}

# Print the values of the lines of $1 that start with "$2:".
field() {
	sed -n "s/^$2: *//p" "$1"
}

complain() {
	echo "$*" >>"$scratch/complaints"
}

# Run the lines "run:" (under mpirun) and "local:" (without) of $1 on $2 ranks with the flags $3, in an empty folder.
run_lines() {
	status=0
	sed -n 's/^\(run\|local\): */\1 /p' "$1" >"$scratch/lines"
	while read -r where line; do
		line=$(printf '%s\n' "$line" | sed "s,%S,$folder,g; s,%R,$root,g; s,%B,$BUILD,g; s,%n,$2,g")
		[ "$where" = run ] && line="$launch -np $2 $line $3"
		timeout -k 5 "$limit" sh -c "$line" </dev/null >>../log 2>&1
		status=$?
		[ $status = 0 ] || break
	done <"$scratch/lines"
	return $status
}

# Check the expectations about the output of $1 on $2 ranks.
check_log() {
	field "$1" expect | sed "s,%n,$2,g" | while IFS= read -r text; do
		grep -qF -e "$text" "$scratch/log" || complain "expected in the output: $text"
	done
	field "$1" once | sed "s,%n,$2,g" | while IFS= read -r text; do
		n=$(grep -cF -e "$text" "$scratch/log")
		[ "$n" = 1 ] || complain "expected once in the output, found $n times: $text"
	done
	field "$1" reject | while IFS= read -r text; do
		if grep -qF -e "$text" "$scratch/log"; then complain "not expected in the output: $text"; fi
	done
}

check_files() {
	field "$1" files-equal | sed "s,%S,$folder,g; s,%R,$root,g" | while read -r a b; do
		cmp "$a" "$b" >>"$scratch/complaints" 2>&1
	done
	field "$1" present | while read -r file; do
		[ -s "$file" ] || complain "expected a file: $file"
	done
	field "$1" absent | while read -r pattern; do
		for file in $pattern; do
			[ ! -e "$file" ] || complain "not expected: $file"
		done
	done
}

# Run a test on one number of ranks with one set of flags.
run_one() {
	rm -rf "$scratch/dir" "$scratch/log" "$scratch/complaints"
	mkdir "$scratch/dir"
	: >"$scratch/log"
	: >"$scratch/complaints"
	cd "$scratch/dir" || exit 125
	began=$(date +%s)
	run_lines "$1" "$2" "$3"
	got=$?
	[ -z "${TIMES:-}" ] || echo "$(($(date +%s) - began)) s: ${1#"$here"/} on $2 ranks${3:+ with $3}"
	want=$(field "$1" expect-exit)
	[ "$got" = "${want:-0}" ] || complain "exit status $got, expected ${want:-0}"
	check_log "$1" "$2"
	check_files "$1"
	cd "$from" || exit 125
	if [ -s "$scratch/complaints" ]; then
		{
			echo "FAIL: ${1#"$here"/} on $2 ranks${3:+ with $3}"
			cat "$scratch/complaints"
			sed 's/^/    /' "$scratch/log" | head -n "${LINES_SHOWN:-40}"
		} | report_failure
	else
		echo p >>"$marks"
	fi
}

run_file() {
	folder=$(dirname "$1")
	limit=$(field "$1" timeout)
	limit=${limit:-180}
	ranks=${NP:-$(field "$1" ranks)}
	field "$1" with >"$scratch/withs"
	[ -s "$scratch/withs" ] || echo >"$scratch/withs"
	if ! grep -q '^\(run\|local\):' "$1"; then
		echo "FAIL: ${1#"$here"/} runs nothing" | report_failure
		return
	fi
	need=$(field "$1" needs | sed "s,%B,$BUILD,g")
	if [ "$need" ] && [ ! -e "$need" ]; then
		echo "SKIP: ${1#"$here"/} needs $need"
		return
	fi
	if [ "$(field "$1" not-with)" = sanitizers ] && grep -q __asan_init "$BUILD/shardrun"; then
		echo "SKIP: ${1#"$here"/} cannot run under sanitizers"
		return
	fi
	for n in ${ranks:-1}; do
		while IFS= read -r with <&3; do
			run_one "$1" "$n" "$with"
		done 3<"$scratch/withs"
	done
}

# Run a share of the test files. Write a line to a file in the folder $2 for each result: p passed, f failed, e end of a test file.
if [ "${1:-}" = --share ]; then
	marks=$2/$$
	shift 2
	for file; do
		if [ -f "$file" ]; then
			run_file "$(cd "$(dirname "$file")" && pwd)/$(basename "$file")"
		else
			echo "FAIL: $file is not there" | report_failure
		fi
		echo e >>"$marks"
	done
	exit 0
fi

if [ $# = 0 ]; then
	set -- "$here"/mpi/*.test
fi
mkdir "$scratch/marks"
printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -n 5 sh "$here/run_mpi.sh" --share "$scratch/marks"
count() {
	cat "$scratch/marks"/* 2>/dev/null | grep -c "^$1"
}
passed=$(count p) failed=$(count f) lost=$(($# - $(count e)))
[ $lost = 0 ] || echo "$lost tests did not report"
echo "$passed passed, $((failed + lost)) failed"
[ $((failed + lost)) = 0 ]
