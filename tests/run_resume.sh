#!/bin/sh
# A run of STEPS (100) steps that is interrupted TIMES (37) times at random moments, drawn from SEED (1), and taken up again each time: it must leave
# the bits, and the lines of metrics, of the run that was not. No part of `make check`, since it takes minutes: make check-resume
#   BUILD=DIR tests/run_resume.sh
# Two in three times all ranks get SIGUSR1, by their launcher, and must end with status 75; else one rank is killed, and what the last
# checkpoint before has is taken up. MODEL is another program of RANKS (4) devices than tests/mpi/programs/loop_slow.mlir. A line says how
# often it was ended in which way, the last one is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh disable=SC1091,SC2154
. "$here/launcher.sh"
: "${TIMES:=37}" "${STEPS:=100}" "${SEED:=1}" "${LIMIT:=120}" "${RANKS:=4}" "${MODEL:=$here/mpi/programs/loop_slow.mlir}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
cp "$MODEL" "$scratch/model.mlir"
cd "$scratch" || exit 1

# A run with these flags; what it says is in `said`.
run() {
	# shellcheck disable=SC2086,SC2154 # of several words, from launcher.sh
	timeout -k 5 "$LIMIT" $launch -np "$RANKS" shardrun -q model.mlir --loop="$STEPS" "$@" >said 2>&1
}

# The k-th number from 0 to $2 with two digits behind the point.
draw() {
	awk -v seed="$SEED" -v k="$1" -v most="$2" 'BEGIN { srand(seed * 1000 + k); rand(); printf "%.2f", rand() * most }'
}

# The processes of the run that have one of these names.
ours() {
	for each in /proc/[0-9]*; do
		[ "$(readlink "$each/cwd")" = "$scratch" ] || continue
		for name; do
			[ "$(cat "$each/comm" 2>/dev/null)" != "$name" ] || echo "${each#/proc/}"
		done
	done
}

lines() {
	wc -l <m.csv 2>/dev/null || echo 0
}

fail() {
	echo "$*"
	cat said
	echo "0 passed, 1 failed"
	exit 1
}

start=$(date +%s%N)
run --metrics=whole.csv --outputs=whole.npz || fail "the run that is not interrupted fails"
took=$(awk -v a="$start" -v b="$(date +%s%N)" 'BEGIN { print (b - a) / 1e9 }')
asked=0 killed=0 over=0 k=0
while [ $((asked + killed)) -lt "$TIMES" ] && [ "$k" -lt $((3 * TIMES)) ]; do
	k=$((k + 1))
	run --metrics=m.csv --checkpoint=ck --checkpoint-every=1 --resume --outputs=parts.npz &
	job=$!
	before=$(lines)
	# where it is ahead of its share it is ended at once, when it has begun; else after a while
	if [ "$before" -lt $((STEPS * k / TIMES)) ]; then
		until [ "$(lines)" -gt "$before" ] || ! kill -0 "$job" 2>/dev/null; do sleep 0.05; done
		sleep "$(draw "$k" "$(awk -v t="$took" -v n="$TIMES" 'BEGIN { print 2 * t / n }')")"
	else
		sleep "$(draw "$k" "$(awk -v t="$took" 'BEGIN { print t < 1 ? t : 1 }')")"
	fi
	kind=asked
	if [ $((k % 3)) = 0 ] && [ "$(ours shardrun)" ]; then
		kind=killed
		# shellcheck disable=SC2046
		kill -9 $(ours shardrun | head -n 1) 2>/dev/null
	else
		# shellcheck disable=SC2046
		kill -USR1 $(ours mpirun orterun prterun mpiexec mpiexec.hydra | head -n 1) 2>/dev/null
	fi
	wait "$job"
	status=$?
	case $kind,$status in
	asked,75) asked=$((asked + 1)) ;;
	*,0) over=1; break ;;
	killed,*) killed=$((killed + 1)) ;;
	asked,138 | asked,10) killed=$((killed + 1)) ;; # before it listened
	*) fail "$kind: status $status" ;;
	esac
done
[ "$over" = 1 ] || run --metrics=m.csv --checkpoint=ck --checkpoint-every=1 --resume --outputs=parts.npz || fail "the last run fails"
cut -d, -f1-2 whole.csv >whole && cut -d, -f1-2 m.csv >parts
cmp whole.npz parts.npz || fail "other bits"
cmp whole parts || fail "other lines"
echo "interrupted $asked times by SIGUSR1 and killed $killed times in $STEPS steps: the same bits"
[ $((asked + killed)) = "$TIMES" ] || fail "the run ended before it was interrupted $TIMES times"
echo "1 passed, 0 failed"
