#!/bin/sh
# Run ops on ranks: each tests/run/op/*.mlir whose arguments are sharded on @mesh, from text to result, on 1 to 8 ranks.
#   BUILD=DIR tests/run_ranks.sh [FILE...]   default: all; NP=N: only on N ranks; ALONE=1: one program per file
# All files are merged into one program per number of ranks, to save launches: values are prefixed with the file's name, and the --input and
# --expected-output flags of the RUN lines are concatenated. If that program fails otherwise than by a wrong result, each file runs by itself. The mesh of a
# file is replaced by one of two axes. The last line is "N passed, N failed", counting a file on a number of ranks.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh
. "$here/launcher.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# Print one module with the functions of the given files, on the mesh $1.
merge() {
	mesh=$1
	shift
	awk -v mesh="$mesh" '
		function join(list, what) { return list (list == "" ? "" : ", ") what }
		FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.mlir$/, "", name) }
		/^(\/\/|sdy\.mesh|}$)/ { next }
		{ gsub(/%/, "%" name ".") }
		/^func\.func @main\(/ {
			sub(/^func\.func @main\(/, "")
			sub(/\) -> \(.*/, "")
			args = join(args, $0)
			next
		}
		/^  return / {
			types = $0
			sub(/ : .*/, "")
			sub(/^  return /, "")
			values = join(values, $0)
			sub(/.* : /, "", types)
			n = split(types, each, /, /)
			for (i = 1; i <= n; i++) results = join(results, each[i] " {jax.result_info = \"" name " " i - 1 "\"}")
			all = join(all, types)
			next
		}
		{ body = body $0 "\n" }
		END { printf "sdy.mesh @mesh = <[%s]>\nfunc.func @main(%s) -> (%s) {\n%s  return %s : %s\n}\n", mesh, args, results, body, values, all }
	' "$@" >"$scratch/model.mlir"
	sed -n '/^\/\/ RUN:/{s,^[^"]* --interpret [^ ]*,,; s, >/dev/null$,,; p;}' "$@" | tr '\n' ' ' >"$scratch/flags"
}

# Run the given files as one program on $1 ranks and the mesh $2; output goes to $scratch/log.
run_files() {
	ranks=$1 axes=$2
	shift 2
	merge "$axes" "$@"
	eval "set -- $(cat "$scratch/flags")"
	# shellcheck disable=SC2086
	(cd "$scratch" && timeout -k 5 "${TIMEOUT:-180}" $launch -np "$ranks" "$BUILD/shardrun" model.mlir "$@" >log 2>&1 </dev/null)
}

if [ $# = 0 ]; then
	# shellcheck disable=SC2046
	set -- $(grep -l '^sdy.mesh @mesh' "$here"/run/op/*.mlir)
fi
for pair in '1:"x"=1, "y"=1' '2:"x"=2, "y"=1' '3:"x"=3, "y"=1' '4:"x"=2, "y"=2' '5:"x"=5, "y"=1' '6:"x"=3, "y"=2' '7:"x"=7, "y"=1' '8:"x"=4, "y"=2'; do
	n=${pair%%:*}
	[ "$n" = "${NP:-$n}" ] || continue
	if [ -z "${ALONE:-}" ]; then
		run_files "$n" "${pair#*:}" "$@"
		status=$?
		if [ $status = 0 ]; then
			passed=$((passed + $#))
			continue
		fi
		if [ $status = 1 ]; then
			wrong=$(sed -n 's/^\[FAILED\] result\[[0-9]*\] (\([^ ]*\) .*/\1/p' "$scratch/log" | sort -u | wc -l)
			echo "FAIL: on $n ranks:"
			grep '^\[FAILED\]' "$scratch/log"
			failed=$((failed + wrong)) passed=$((passed + $# - wrong))
			continue
		fi
	fi
	for file; do
		if run_files "$n" "${pair#*:}" "$file"; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			echo "FAIL: $(basename "$file") on $n ranks:"
			head -n 20 "$scratch/log"
		fi
	done
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
