#!/bin/sh
# A run of STEPS (100) steps that is interrupted TIMES (37) times at random moments, drawn from SEED (1), and taken up again each time: it must leave
# the bits, and the lines of metrics, of the run that was not. No part of `make check`, since it takes minutes: make check-resume
#   BUILD=DIR tests/run_resume.sh
# Two in three times all ranks get SIGUSR1, by their launcher, and must end with status 75; else one rank is killed, and what the last
# checkpoint before has is taken up. MODEL is another program of RANKS (4) devices than tests/mpi/programs/loop_slow.mlir, of whose rounds as
# many are played as take about STEP seconds here: a fifth, or what two looks at the run take where that is more. Tiles are compiled again each
# time, so that this is interrupted, too. With TRACE=1 a line tells of each time; another says how often it was ended in which way, and the
# last one is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh disable=SC1091,SC2154
. "$here/launcher.sh"
: "${TIMES:=37}" "${STEPS:=100}" "${SEED:=1}" "${LIMIT:=300}" "${RANKS:=4}" "${STEP:=}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
cp "${MODEL:-$here/mpi/programs/loop_slow.mlir}" "$scratch/given.mlir"
cd "$scratch" || exit 1

# The program from now on has so many rounds; another than ours stays as it is.
play() {
	if [ "${MODEL:-}" ]; then cp given.mlir model.mlir; else sed "s/dense<300>/dense<$1>/" given.mlir >model.mlir; fi
}

# A run with these flags; what it says is in `said`.
run() {
	# shellcheck disable=SC2086,SC2154 # of several words, from launcher.sh
	timeout -k 5 "$LIMIT" $launch -np "$RANKS" shardrun -q model.mlir --cache=off --loop="$STEPS" "$@" >said 2>&1
}

# The k-th number from 0 to $2 / $3 with two digits behind the point; 0 where that is less than 0.
draw() {
	awk -v seed="$SEED" -v k="$1" -v n="$2" -v by="$3" 'BEGIN { srand(seed * 1000 + k); rand(); if (n < 0) n = 0; printf "%.2f", rand() * n / by }'
}

# The processes of the run that have one of these names. One look at all of them: a step or two pass while each is asked.
ours() {
	find /proc -maxdepth 2 -path '/proc/[0-9]*/cwd' -lname "$scratch" 2>/dev/null | while read -r each; do
		for name; do
			[ "$(cat "${each%cwd}comm" 2>/dev/null)" != "$name" ] || basename "${each%/cwd}"
		done
	done
}

steps_done() {
	if [ -s m.csv ]; then echo $(($(wc -l <m.csv) - 1)); else echo 0; fi
}

# Wait until this command says something, or the run has ended.
until_said() {
	until [ "$("$@")" ] || ! kill -0 "$job" 2>/dev/null; do sleep 0.02; done
}

# So many steps are done, or it is this moment, in nanoseconds.
# shellcheck disable=SC2317 # until_said calls it
has_come() {
	[ "$(steps_done)" -lt "$1" ] && [ "$(date +%s%N)" -lt "$2" ] || echo yes
}

fail() {
	echo "$*"
	cat said
	echo "0 passed, 1 failed"
	exit 1
}

# How long it takes until a run's first step, how long a look at the run takes, and how many rounds a step of STEP seconds has.
rounds=9000
play "$rounds"
began=$(date +%s.%N)
# shellcheck disable=SC2086,SC2154
$launch -np "$RANKS" shardrun -q model.mlir --loop=5 --cache=off --metrics=try.csv >said 2>&1 || fail "the run that is not interrupted fails"
start=$(awk -F, -v began="$began" -v ended="$(date +%s.%N)" 'NR > 1 { steps += $NF } END { printf "%.2f", ended - began - steps }' try.csv)
began=$(date +%s.%N)
for look in 1 2 3 4 5; do ours shardrun; done
look=$(awk -v began="$began" -v ended="$(date +%s.%N)" -v n="$look" 'BEGIN { print (ended - began) / n }')
: "${STEP:=$(awk -v look="$look" 'BEGIN { if (look < 0.1) look = 0.1; printf "%.2f", 2 * look }')}"
rounds=$(awk -F, -v step="$STEP" -v rounds="$rounds" 'NR > 2 { steps += $NF } END { print 1 + int(rounds * step * (NR - 2) / steps) }' try.csv)
k=0 taken=0 never=9223372036854775807

# One run, TIMES times or as often as it can be before it ends. For each interruption as many of the steps that are left are kept as one has
# taken so far, in the mean: it ends a part of one, and on a slow machine others pass before it is there. Of the rest an even share, in the
# mean, passes first. None: it comes while the run starts.
interrupt() {
	asked=0 killed=0 status=75
	rm -rf ck m.csv parts.npz
	while [ $((asked + killed)) -lt "$TIMES" ] && [ "$status" != 0 ]; do
		behind=$(steps_done) times=$((TIMES - asked - killed)) k=$((k + 1))
		share=$(draw "$k" $((2 * ((STEPS - behind) * k - times * (taken + 2)))) $((k * (times + 1))))
		share=${share%.*}
		run --metrics=m.csv --checkpoint=ck --checkpoint-every=1 --resume --outputs=parts.npz &
		job=$!
		until_said ours shardrun # before that a launcher has nobody to tell
		[ "$share" = 0 ] || until_said has_come $((behind + share)) "$never"
		pause=$(draw "$((k + 1000))" "$([ "$share" = 0 ] && echo "$start" || echo "$STEP")" 1e-9)
		until_said has_come $((behind + share + 1)) $(($(date +%s%N) + ${pause%.*}))
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
		taken=$((taken + $(steps_done) - behind - share))
		[ -z "${TRACE:-}" ] || echo "$k: $kind, status $status, behind $share steps, from $behind to $(steps_done)" >&2
		case $kind,$status in
		asked,75) asked=$((asked + 1)) ;;
		*,0) ;;
		killed,*) killed=$((killed + 1)) ;;
		asked,138 | asked,10) killed=$((killed + 1)) ;; # before it listened
		*) fail "$kind: status $status" ;;
		esac
	done
	[ "$status" = 0 ] || run --metrics=m.csv --checkpoint=ck --checkpoint-every=1 --resume --outputs=parts.npz || fail "the last run fails"
	cut -d, -f1-2 whole.csv >whole && cut -d, -f1-2 m.csv >parts
	cmp whole.npz parts.npz || fail "other bits"
	cmp whole parts || fail "other lines"
	echo "interrupted $asked times by SIGUSR1 and killed $killed times in $STEPS steps: the same bits"
}

# A run that was over before gets longer steps.
for longer in 1 2 4 8; do
	play $((rounds * longer))
	run --metrics=whole.csv --outputs=whole.npz || fail "the run that is not interrupted fails"
	interrupt
	if [ $((asked + killed)) = "$TIMES" ]; then
		echo "1 passed, 0 failed"
		exit 0
	fi
done
fail "a run of steps $longer times as long, too, ended before it was interrupted $TIMES times"
