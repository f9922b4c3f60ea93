#!/bin/sh
# Run the commands of pages and compare what these show: those of doc/guide.md in a copy of examples/mlp, those of an example's
# README in a copy of its folder.
#   BUILD=DIR tests/run_guide.sh [PAGE...]      the guide where none is named
# A block whose first line is a command (or an assignment, or "$ command") is one of commands, a line each; behind three blanks a
# line has its comment, and one that ends with | or \ goes on. What follows "$ command" is how its output begins. Commands in
# `backquotes` are run where they name the model, or --list- something; those that need a cluster of Slurm or NumPy where that is there (python3
# is the interpreter named in SHARDRUN_ORACLE, if one is). The program of section 1 is examples/mlp/mlp.py, letter for letter.
# Prints the line of what fails, and why; the last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
: "${BUILD:=$(pwd)}"
BUILD=$(cd "$BUILD" && pwd)
PATH=$BUILD:$PATH
export PATH LC_ALL=C OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
mpirun=${MPIRUN:-mpirun} python=${SHARDRUN_ORACLE:-python3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
from=$(pwd)
passed=0 failed=0

# Count $1 (0: good); say what it was ($2) and what it printed ($3).
count() {
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: ${page#"$root"/}:$2"
		head -n "${LINES_SHOWN:-40}" "$3"
	fi
}

# The page $1 as lines "NUMBER run COMMAND", "NUMBER show TEXT" (of the command above) and "NUMBER set ASSIGNMENT".
read_page() {
	awk '
		function inline(line,   at, code) {
			while (match(line, /`[^`]*`/)) {
				code = substr(line, RSTART + 1, RLENGTH - 2)
				line = substr(line, RSTART + RLENGTH)
				if (code ~ /^(shardrun|shardopt|shardbench) / && code ~ /model\.mlir| --list-/) print NR, "run", code
			}
		}
		!/^    / { kind = ""; inline($0); next }
		{ text = substr($0, 5) }
		kind == "" {
			kind = text ~ /^\$ / ? "shown" : text ~ /^(shardrun|shardopt|shardbench|mpirun|srun|paste|sed) / ? "commands" : "other"
			if (text ~ /^[a-z]+=/) kind = "commands"
			if (kind == "shown") { print NR, "run", substr(text, 3); next }
		}
		kind == "shown" { print NR, "show", text }
		kind == "commands" {
			sub(/^ */, "", text)
			sub(/   +.*/, "", text)
			text = begun text
			begun = text ~ /[|\\]$/ ? text " " : ""
			sub(/\\ $/, "", begun)
			if (!begun) print NR, text ~ /^[a-z]+=/ ? "set" : "run", text
		}
	' "$1" >"$scratch/lines"
}

# What the page shows of the command above is how its output began.
compare() {
	if [ -s "$scratch/shown" ]; then
		head -n "$(wc -l <"$scratch/shown")" "$scratch/out" | diff "$scratch/shown" - >"$scratch/difference" 2>&1
		count $? "$where: its output is not what the page shows" "$scratch/difference"
		: >"$scratch/shown"
	fi
}

# The commands of the page $1 in a copy of the folder $2.
run_page() {
	page=$1 where=
	read_page "$page"
	rm -rf "$scratch/folder"
	cp -R "$2" "$scratch/folder"
	chmod -R u+w "$scratch/folder"
	cd "$scratch/folder" || exit 125
	printf 'python3() { %s "$@"; }\n' "$(command -v "$python" || echo false)" >"$scratch/set"
	: >"$scratch/shown"
	: >"$scratch/out"
	while read -r line what; do
		case $what in
		"show "*) printf '%s\n' "${what#show }" >>"$scratch/shown" && continue ;;
		"set "*) printf '%s\n' "${what#set }" >>"$scratch/set" && continue ;;
		esac
		compare
		where=$line command=${what#run }
		case $command in
		"srun "*) sinfo >/dev/null 2>&1 || continue ;; # there, and of a cluster
		*"import "*numpy*) "$python" -c "import numpy" 2>/dev/null || continue ;;
		"mpirun "*) command="$mpirun ${command#mpirun }" ;;
		esac
		{ cat "$scratch/set" && printf '%s\n' "$command"; } >"$scratch/script"
		timeout -k 5 180 sh -e "$scratch/script" </dev/null >"$scratch/out" 2>"$scratch/err"
		status=$?
		[ $status = 0 ] || { echo "exit status $status: $command" && cat "$scratch/out" "$scratch/err"; } >"$scratch/said"
		count $status "$line" "$scratch/said"
	done <"$scratch/lines"
	compare
	cd "$from" || exit 125
}

least=0
if [ $# = 0 ]; then
	page=$root/doc/guide.md least=9
	awk '/^    import os$/ { on = 1 } on && /^[^ ]/ { exit } on { sub(/^    /, ""); print }' "$page" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >"$scratch/program"
	diff "$scratch/program" "$root/examples/mlp/mlp.py" >"$scratch/out" 2>&1
	count $? "the program of section 1 is not examples/mlp/mlp.py" "$scratch/out"
	run_page "$page" "$root/examples/mlp"
fi
for named; do
	run_page "$named" "$(dirname "$named")"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt $least ]
