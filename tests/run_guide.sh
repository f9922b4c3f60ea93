#!/bin/sh
# Run the commands of documentation pages and compare their output with what the pages show.
#   BUILD=DIR tests/run_guide.sh [PAGE...]      default: all pages of doc/guide, doc/architecture.md
#   UPDATE=1 BUILD=DIR tests/run_guide.sh       replace the output that pages show by the actual output; then read the difference
# Each page runs in a scratch copy of a folder: examples/mlp for pages of doc/guide, else the page's own folder.
#
# An indented block is run if its first line is a command, an assignment or "$ command". A line is one command; text after three
# blanks is a comment; a line that ends with | or \ continues. The lines after "$ command" are the beginning of its output.
# Commands in `backquotes` are run if they name model.mlir or a --list- option. srun commands are run only where sinfo works, and
# NumPy commands only where $SHARDRUN_ORACLE (default: python3) has NumPy. The program in export.md must equal examples/mlp/mlp.py.
# Failures are printed with page and line; the last line is "N passed, N failed".
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

# Count one check: $1 is 0 if it passed, else print its line $2 of the page and the file $3.
count() {
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: ${page#"$root"/}:$2"
		head -n "${LINES_SHOWN:-40}" "$3"
	fi
}

# Write the page $1 to $scratch/lines as "NUMBER run COMMAND", "NUMBER show TEXT" (output of the command above) and
# "NUMBER set ASSIGNMENT".
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

# Compare the output of the last command with the lines that the page shows of it. With UPDATE note them for the page instead.
compare() {
	if [ -s "$scratch/shown" ] && [ -n "${UPDATE:-}" ]; then
		awk -v first=$((where + 1)) 'NR == FNR { n++; next } FNR <= n { print first + FNR - 1 "\t    " $0 }' "$scratch/shown" "$scratch/out" >>"$scratch/edits"
		: >"$scratch/shown"
	elif [ -s "$scratch/shown" ]; then
		head -n "$(wc -l <"$scratch/shown")" "$scratch/out" | diff "$scratch/shown" - >"$scratch/difference" 2>&1
		count $? "$where: its output is not what the page shows" "$scratch/difference"
		: >"$scratch/shown"
	fi
}

# Run the commands of the page $1 in a copy of the folder $2.
run_page() {
	page=$1 where=
	: >"$scratch/edits"
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
		sed 's/ *$//' "$scratch/out" >"$scratch/trimmed" && mv "$scratch/trimmed" "$scratch/out"
		[ $status = 0 ] || { echo "exit status $status: $command" && cat "$scratch/out" "$scratch/err"; } >"$scratch/failure"
		count $status "$line" "$scratch/failure"
	done <"$scratch/lines"
	compare
	cd "$from" || exit 125
	[ ! -s "$scratch/edits" ] || {
		awk -F '\t' 'NR == FNR { at = $1; sub(/^[^\t]*\t/, ""); new[at] = $0; next } { print FNR in new ? new[FNR] : $0 }' "$scratch/edits" "$page" >"$scratch/page"
		cat "$scratch/page" >"$page"
	}
}

least=0
if [ $# = 0 ]; then
	page=$root/doc/guide/export.md least=50
	awk '/^    import os$/ { on = 1 } on && /^[^ ]/ { exit } on { sub(/^    /, ""); print }' "$page" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >"$scratch/program"
	diff "$scratch/program" "$root/examples/mlp/mlp.py" >"$scratch/out" 2>&1
	count $? "the program is not examples/mlp/mlp.py" "$scratch/out"
	set -- "$root"/doc/guide/*.md "$root/doc/architecture.md"
fi
for named; do
	case $(cd "$(dirname "$named")" && pwd) in
	"$root/doc/guide") run_page "$named" "$root/examples/mlp" ;;
	*) run_page "$named" "$(dirname "$named")" ;;
	esac
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt $least ]
