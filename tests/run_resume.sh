#!/bin/sh
# A run of STEPS (100) steps that is interrupted TIMES (37) times at random moments, drawn from SEED (1), and taken up again each time: it must leave
# the bits, and the lines of metrics, of the run that was not. No part of `make check`, since it takes minutes: make check-resume
#   BUILD=DIR tests/run_resume.sh
# Two in three times all ranks get SIGUSR1, by their launcher, and must end with status 75; else one rank is killed, and what the last
# checkpoint before has is taken up. MODEL is another program of RANKS (4) devices than tests/mpi/programs/loop_slow.mlir, of whose rounds as
# many are played as take about STEP (0.1) seconds here. A line says how often it was ended in which way, the last one is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh disable=SC1091,SC2154
. "$here/launcher.sh"
: "${TIMES:=37}" "${STEPS:=100}" "${SEED:=1}" "${LIMIT:=120}" "${RANKS:=4}" "${STEP:=0.1}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
cp "${MODEL:-$here/mpi/programs/loop_slow.mlir}" "$scratch/model.mlir"
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

# The processes of the run that have one of these names. One look at all of them: a step or two pass while each is asked.
ours() {
	find /proc -maxdepth 2 -path '/proc/[0-9]*/cwd' -lname "$scratch" 2>/dev/null | while read -r each; do
		for name; do
			[ "$(cat "${each%cwd}comm" 2>/dev/null)" != "$name" ] || basename "${each%/cwd}"
		done
	done
}

lines() {
	if [ -e m.csv ]; then wc -l <m.csv; else echo 0; fi
}

fail() {
	echo "$*"
	cat said
	echo "0 passed, 1 failed"
	exit 1
}

# The third step of the program as it stands says how many of its 300 rounds a step of STEP seconds has.
if [ ! "${MODEL:-}" ]; then
	# shellcheck disable=SC2086,SC2154
	$launch -np "$RANKS" shardrun -q model.mlir --loop=3 --metrics=try.csv >said 2>&1 || fail "the run that is not interrupted fails"
	rounds=$(awk -F, -v step="$STEP" 'END { print 1 + int(300 * step / $3) }' try.csv)
	sed "s/dense<300>/dense<$rounds>/" model.mlir >scaled && mv scaled model.mlir
fi
run --metrics=whole.csv --outputs=whole.npz || fail "the run that is not interrupted fails"
asked=0 killed=0 over=0 k=0
while [ $((asked + killed)) -lt "$TIMES" ] && [ "$k" -lt $((3 * TIMES)) ]; do
	k=$((k + 1))
	before=$(lines)
	# so many steps of those that are left, in the mean an even share; none: while it starts
	share=$(draw "$k" $((2 * (STEPS - before) / (TIMES - asked - killed + 1))))
	behind=$((before + ${share%.*}))
	run --metrics=m.csv --checkpoint=ck --checkpoint-every=1 --resume --outputs=parts.npz &
	job=$!
	until [ "$(lines)" -ge "$behind" ] || ! kill -0 "$job" 2>/dev/null; do sleep 0.02; done
	sleep "$(draw "$((k + 1000))" "$([ "${share%.*}" -gt 0 ] && echo "$STEP" || echo 0.4)")"
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
