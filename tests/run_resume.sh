#!/bin/sh
# Interrupt a run of STEPS (100) steps TIMES (37) times at random times, drawn from SEED (1), and resume it each time: results and metrics must equal those
# of an uninterrupted run. Not part of `make check`, since it takes minutes: make check-resume
#   BUILD=DIR tests/run_resume.sh
# Two of three times the launcher sends SIGUSR1 to all ranks, which must end with status 75; else one rank is killed, and the run resumes from the last
# checkpoint. MODEL is another program of RANKS (4) devices than tests/mpi/programs/loop_slow.mlir. Its inner loop is repeated so often that a step takes about
# STEP seconds: a fifth, or two polls of the run if that is longer. Loop nests are compiled again each time, so that compilation is interrupted, too.
# TRACE=1 prints a line for each interruption. A line with how often the run was ended in which way follows; the last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh disable=SC1091,SC2154
. "$here/launcher.sh"
: "${TIMES:=37}" "${STEPS:=100}" "${SEED:=1}" "${LIMIT:=300}" "${RANKS:=4}" "${STEP:=}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
cp "${MODEL:-$here/mpi/programs/loop_slow.mlir}" "$scratch/existing_rule.mlir"
cd "$scratch" || exit 1

# Set the number of iterations of the program's inner loop; another MODEL stays unchanged.
run_rounds() {
	if [ "${MODEL:-}" ]; then cp existing_rule.mlir model.mlir; else sed "s/dense<300>/dense<$1>/" existing_rule.mlir >model.mlir; fi
}

# Run with these flags; output goes to `log`.
run() {
	# shellcheck disable=SC2086,SC2154 # of several words, from launcher.sh
	timeout -k 5 "$LIMIT" $launch -np "$RANKS" shardrun -q model.mlir --cache=off --loop="$STEPS" "$@" >log 2>&1
}

# Print the k-th random number from 0 to $2 / $3 with two decimals, or 0 if that is less.
draw() {
	awk -v seed="$SEED" -v k="$1" -v n="$2" -v by="$3" 'BEGIN { srand(seed * 1000 + k); rand(); if (n < 0) n = 0; printf "%.2f", rand() * n / by }'
}

# Print the run's processes with one of these names. /proc is read once: a read per name would take as long as a step or two.
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

# Wait until the command $* prints something, or the run has ended.
until_said() {
	until [ "$("$@")" ] || ! kill -0 "$job" 2>/dev/null; do sleep 0.02; done
}

# Print "yes" if $1 steps are done, or if the time $2, in nanoseconds, has come.
# shellcheck disable=SC2317 # until_said calls it
has_come() {
	[ "$(steps_done)" -lt "$1" ] && [ "$(date +%s%N)" -lt "$2" ] || echo yes
}

fail() {
	echo "$*"
	cat log
	echo "0 passed, 1 failed"
	exit 1
}

# Measure the time until a run's first step, the time of a poll, and how many iterations a step of STEP seconds has.
rounds=9000
run_rounds "$rounds"
began=$(date +%s.%N)
# shellcheck disable=SC2086,SC2154
$launch -np "$RANKS" shardrun -q model.mlir --loop=5 --cache=off --metrics=try.csv >log 2>&1 || fail "the run that is not interrupted fails"
start=$(awk -F, -v began="$began" -v ended="$(date +%s.%N)" 'NR > 1 { steps += $NF } END { printf "%.2f", ended - began - steps }' try.csv)
began=$(date +%s.%N)
for poll in 1 2 3 4 5; do ours shardrun; done
poll=$(awk -v began="$began" -v ended="$(date +%s.%N)" -v n="$poll" 'BEGIN { print (ended - began) / n }')
: "${STEP:=$(awk -v poll="$poll" 'BEGIN { if (poll < 0.1) poll = 0.1; printf "%.2f", 2 * poll }')}"
rounds=$(awk -F, -v step="$STEP" -v rounds="$rounds" 'NR > 2 { steps += $NF } END { print 1 + int(rounds * step * (NR - 2) / steps) }' try.csv)
k=0 overrun=0 never=9223372036854775807

# Start a run and interrupt it after `share` steps, a random number. Its mean is the number of remaining steps per
# remaining interruption, less the mean number of steps that runs execute after an interruption. If `share` is 0, interrupt while
# the run starts.
interrupt() {
	asked=0 killed=0 status=75
	rm -rf ck m.csv parts.npz
	while [ $((asked + killed)) -lt "$TIMES" ] && [ "$status" != 0 ]; do
		done_steps=$(steps_done) times=$((TIMES - asked - killed)) k=$((k + 1))
		share=$(draw "$k" $((2 * ((STEPS - done_steps) * k - times * (overrun + 2)))) $((k * (times + 1))))
		share=${share%.*}
		run --metrics=m.csv --checkpoint=ck --checkpoint-every=1 --resume --outputs=parts.npz &
		job=$!
		until_said ours shardrun # before that a launcher has nobody to tell
		[ "$share" = 0 ] || until_said has_come $((done_steps + share)) "$never"
		pause=$(draw "$((k + 1000))" "$([ "$share" = 0 ] && echo "$start" || echo "$STEP")" 1e-9)
		until_said has_come $((done_steps + share + 1)) $(($(date +%s%N) + ${pause%.*}))
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
		overrun=$((overrun + $(steps_done) - done_steps - share))
		[ -z "${TRACE:-}" ] || echo "$k: $kind, status $status, after $share steps, from $done_steps to $(steps_done)" >&2
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

# If the run ended first, make its steps longer.
for longer in 1 2 4 8; do
	run_rounds $((rounds * longer))
	run --metrics=whole.csv --outputs=whole.npz || fail "the run that is not interrupted fails"
	interrupt
	if [ $((asked + killed)) = "$TIMES" ]; then
		echo "1 passed, 0 failed"
		exit 0
	fi
done
fail "a run of steps $longer times as long, too, ended before it was interrupted $TIMES times"
