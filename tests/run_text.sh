#!/bin/sh
# Run text tests: files whose second line is a command. Format: tests/README.
#   BUILD=DIR tests/run_text.sh [FILE...]           default: all of tests/{text,rule,run,bad}
#   UPDATE=1 BUILD=DIR tests/run_text.sh [FILE...]  write the expected output instead; review the difference
# Prints a failing test's name and difference; the last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
export LC_ALL=C
: "${BUILD:=$(pwd)}"
BUILD=$(cd "$BUILD" && pwd)
PATH=$BUILD:$PATH
export BUILD PATH
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# Print what follows "// $2:" or "# $2:" in the first line of $1 that begins so.
field() {
	sed -n "s,^\(//\|#\) $2: *,,p" "$1" | head -n 1
}

# Compare the output $2 with the expected file $1 (no file: empty), or write that file.
settle() {
	if [ "${UPDATE:-}" ]; then
		if [ -s "$2" ]; then cmp -s "$1" "$2" || cp "$2" "$1"; else rm -f "$1"; fi
		return 0
	fi
	if [ -f "$1" ]; then diff -u "$1" "$2"; else diff -u /dev/null "$2"; fi
}

# Run the test file $1; print its failures.
run_one() {
	folder=$(dirname "$1") base=$(basename "$1") stem=$(basename "${1%.*}")
	run=$(field "$1" RUN)
	if [ "$(grep -c '^\(//\|#\) RUN:' "$1")" != 1 ]; then
		echo "it must have one RUN line"
		return 1
	fi
	want=$(field "$1" EXIT)
	command=$(printf '%s\n' "$run" | sed "s,%s,$base,g; s,%t,$scratch/temp,g")
	(cd "$folder" && timeout "${TIMEOUT:-180}" sh -c "$command") >"$scratch/out" 2>"$scratch/err" </dev/null
	got=$?
	status=0
	if [ "$got" != "${want:-0}" ]; then
		echo "exit status $got, expected ${want:-0}: $command"
		status=1
		[ "${UPDATE:-}" ] && { head -n 20 "$scratch/err"; return 1; }
	fi
	settle "$folder/$stem.out" "$scratch/out" || status=1
	settle "$folder/$stem.err" "$scratch/err" || status=1
	return $status
}

# Run a share of the tests: write one character per test to the file $1, print failures.
if [ "${1:-}" = --share ]; then
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	marks=$2/$$
	shift 2
	for file; do
		mkdir -p "$scratch/temp"
		if run_one "$file" >"$scratch/complaint" 2>&1; then
			printf p >>"$marks"
		else
			printf f >>"$marks"
			{ printf 'FAIL: %s\n' "${file#"$here"/}"; head -n "${LINES_SHOWN:-40}" "$scratch/complaint"; } >"$scratch/report"
			cat "$scratch/report"
		fi
		rm -rf "$scratch/temp"
	done
	exit 0
fi

all=$(mktemp -d)
trap 'rm -rf "$all"' EXIT
if [ $# -gt 0 ]; then
	for file; do printf '%s\n' "$(cd "$(dirname "$file")" && pwd)/$(basename "$file")"; done >"$all/files"
else
	for folder in text rule run bad; do
		[ -d "$here/$folder" ] && find "$here/$folder" -name inputs -prune -o \( -name '*.mlir' -o -name '*.hlo' -o -name '*.test' \) -print
	done | sort >"$all/files"
fi
mkdir "$all/marks"
xargs -P "${JOBS:-$(nproc 2>/dev/null || echo 2)}" -n 25 sh "$here/run_text.sh" --share "$all/marks" <"$all/files"
passed=$(cat "$all/marks"/* 2>/dev/null | tr -cd p | wc -c)
failed=$(cat "$all/marks"/* 2>/dev/null | tr -cd f | wc -c)
lost=$(($(wc -l <"$all/files") - passed - failed))
[ "$lost" -gt 0 ] && echo "$lost tests did not report"
echo "$((passed)) passed, $((failed + lost)) failed"
[ $((failed + lost)) -eq 0 ]
