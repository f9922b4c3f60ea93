#!/bin/sh
# Disturb runs of a training step on 8 ranks at random times and check what they leave. Not part of `make check`, since it is slow: make check-kills
#   BUILD=DIR tests/run_kills.sh [WHAT...]   killed stopped full link; default: all
#     killed    SIGKILL to one rank
#     stopped   SIGSTOP to one rank, with --stall-timeout=3
#     full      /dev/shm is full, from before the start (every fifth time) or from a random time on; needs root
#     link      two hosts (tests/hosts.sh) whose link goes down after all ranks have started, with --stall-timeout=3; needs root
# TIMES (50) times each, at times drawn from SEED (1) within the length of an undisturbed run. A run must end within LIMIT (120) seconds, with an error
# status and a message, or successfully. No process, no file in /dev/shm or TMPDIR, and no partial output may be left. Files that Open MPI's launcher leaves
# when it crashes or hangs are counted, and are no failure. Prints a line per kind: how often, how many were ended, seconds until then (minimum,
# median, maximum), messages; the last line is "N passed, N failed". REPEATS (60) is the number of steps; MODEL another program of 8 devices.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh disable=SC1091,SC2154
. "$here/launcher.sh"
export HOSTS="${HOSTS:-shardrun-$$}" MPIRUN
: "${TIMES:=50}" "${SEED:=1}" "${LIMIT:=120}" "${REPEATS:=60}" "${MODEL:=$here/../examples/transformer/model.mlir}"
# mount a private /dev/shm, without files of others, which can be filled up
if [ "$(id -u)" = 0 ] && [ ! "${OWN_SHM:-}" ] && unshare --mount true 2>/dev/null; then
	# shellcheck disable=SC2016
	OWN_SHM=1 exec unshare --mount sh -c 'mount -t tmpfs -o size=64m none /dev/shm && exec sh "$0" "$@"' "$0" "$@"
fi
hosts=$here/hosts.sh
scratch=$(mktemp -d)
log=$scratch/log
trap 'sh "$hosts" down 2>/dev/null; end_all; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/judge.sh disable=SC1091
. "$here/judge.sh"
cp "$MODEL" "$scratch/model.mlir"

words_of() {
	{ tr '\0' ' ' <"/proc/$1/cmdline"; } 2>/dev/null
}

# Print the processes of a run: their command lines contain the scratch folder.
ours() {
	for each in /proc/[0-9]*; do
		pid=${each#/proc/}
		[ "$pid" = $$ ] || ! words_of "$pid" | grep -qF "$scratch/" || echo "$pid"
	done
}

end_all() {
	for pid in $(ours); do kill -9 "$pid" 2>/dev/null; done
}

shm() {
	ls /dev/shm
}

# Print a line for each thing that a run left.
left() {
	for pid in $(ours); do
		echo "process $pid: $(words_of "$pid" | cut -c1-100)"
	done
	shm | comm -13 "$scratch/shm" - | sed 's,^,/dev/shm/,'
	find "$scratch/tmp" -type f
	find "$scratch/run" -name 'y.npy?*'
}

now() {
	date +%s.%N
}

since() {
	awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.2f", b - a }'
}

# Print the k-th random number from 0 to $2 with two decimals.
draw() {
	awk -v seed="$SEED" -v k="$1" -v most="$2" 'BEGIN { srand(seed * 1000 + k); rand(); printf "%.2f", rand() * most }'
}

# Start a run with the flags of the kind in the background; its process is $job.
begin() {
	rm -rf "$scratch/tmp" "$scratch/run"
	mkdir -p "$scratch/tmp" "$scratch/run"
	shm >"$scratch/shm"
	(
		cd "$scratch/run" || exit 1
		TMPDIR=$scratch/tmp
		export TMPDIR
		# shellcheck disable=SC2086
		exec $by -np 8 sh "$here/mpi/inputs/pid_of_rank.sh" shardrun "$scratch/model.mlir" --num_repeats="$REPEATS" --output=@y.npy --output= \
			--output= --output= --output= --output= $flags
	) >"$log" 2>&1 </dev/null &
	job=$!
}

# Wait for $job at most LIMIT seconds. Return its status; 199 on timeout; 198 if only the launcher is left and the ranks' end was
# reported.
await() {
	for _ in $(seq $((LIMIT * 10))); do
		kill -0 "$job" 2>/dev/null || break
		sleep 0.1
	done
	if kill -0 "$job" 2>/dev/null; then
		echo "it does not end in $LIMIT s" >>"$log"
		ranks=$(for pid in $(ours); do cat "/proc/$pid/comm"; done 2>/dev/null | grep -c '^shardrun$')
		for pid in $(ours); do echo "still there: $(words_of "$pid" | cut -c1-100)"; done >>"$log"
		end_all
		wait "$job" 2>/dev/null
		[ "$ranks" = 0 ] && grep -q 'exited on signal\|a non-zero exit code\|no progress' "$log" && return 198
		return 199
	fi
	wait "$job"
}

# Wait until all ranks have started; before that only mpirun uses the link.
await_ranks() {
	for _ in $(seq $((LIMIT * 10))); do
		set -- "$scratch"/run/pid.*
		[ $# -lt 8 ] || return 0
		sleep 0.1
	done
}

signal_of() {
	case $1 in stopped) echo STOP ;; *) echo KILL ;; esac
}

disturb() {
	case $1 in
	killed | stopped)
		rank=$(draw "$((k + 7777))" 8)
		pid=$(cat "$scratch/run/pid.${rank%.*}" 2>/dev/null) && kill -"$(signal_of "$1")" "$pid" 2>/dev/null
		;;
	full) fill ;;
	link) sh "$hosts" link 1 down ;;
	esac
}

fill() {
	dd if=/dev/zero of=/dev/shm/full bs=64k 2>/dev/null
	: >"$scratch/full"
}

restore() {
	case $1 in
	full) rm -f /dev/shm/full ;;
	link) sh "$hosts" link 1 up ;;
	esac
}

# mpirun of Open MPI 4.1 may crash (SIGABRT, SIGSEGV) or hang if a rank dies while it alone is connected.
launcher_failed() {
	case $status in 134 | 139 | 198) ;; *) false ;; esac
}

# Print a short form of the message of a run that was ended.
first_message() {
	! launcher_failed || { echo 'ranks ended, and the launcher itself crashed or hung' && return; }
	sed -n 's/.*\(no progress\).*/\1/p; s/.*\(exited on signal\) .*/\1/p; s/.*\(ended by SIG[A-Z]*\).*/\1/p; s/.*\(lost communication\|ORTE has lost\|a non-zero exit code\).*/\1/p
		s/.*\(No space left on device\|Bus error\|error: .*\).*/\1/p' "$log" | head -n 1 | cut -c1-60
}

judge_end() {
	kind=$1 status=$2 seconds=$3
	# the launcher may clean up a moment later
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		left >"$scratch/left"
		[ -s "$scratch/left" ] || break
		sleep 0.3
	done
	good=0
	if launcher_failed; then # what is its own it leaves then
		grep -v "^$scratch/tmp/ompi\.\|^/dev/shm/vader_segment" "$scratch/left" >"$scratch/others"
		mv "$scratch/others" "$scratch/left"
	fi
	if [ -s "$scratch/left" ]; then
		good=1
		sed 's/^/left: /' "$scratch/left" >>"$log"
	fi
	# the launcher may fail after the result is written
	if [ "$status" = 0 ] || [ -e "$scratch/run/y.npy" ]; then
		cmp "$scratch/y.npy" "$scratch/run/y.npy" >>"$log" 2>&1 || good=1
	fi
	if [ "$status" != 0 ]; then
		echo "$seconds $(first_message)" >>"$scratch/ended"
		[ "$status" != 199 ] && [ "$(first_message)" ] || good=1
	fi
	judge $good "$kind after $moment s: status $status after $seconds s more"
	end_all
}

try() {
	kind=$1 most=$2
	: >"$scratch/ended"
	for k in $(seq "$TIMES"); do
		moment=$(draw "$k" "$most")
		case $kind$((k % 5)) in
		full0) moment=-1 && fill ;;
		esac
		begin
		[ "$kind" != link ] || await_ranks
		[ "$moment" = -1 ] || sleep "$moment"
		start=$(now)
		[ "$moment" = -1 ] || disturb "$kind"
		await
		status=$?
		seconds=$(since "$start")
		restore "$kind"
		judge_end "$kind" $status "$seconds"
	done
	sort -n "$scratch/ended" | awk -v kind="$kind" -v times="$TIMES" '{ t[NR] = $1; $1 = ""; first_message[$0]++ }
		END {
			printf "%s: %d times, ended %d", kind, times, NR
			if (NR) printf " after %.1f, %.1f, %.1f s:", t[1], t[int((NR + 1) / 2)], t[NR]
			for (s in first_message) printf " %d%s;", first_message[s], s
			print ""
		}'
}

# Measure an undisturbed run; its result is the expected one.
measure() {
	start=$(now)
	begin
	await
	status=$?
	most=$(since "$start")
	cp "$scratch/run/y.npy" "$scratch/y.npy" 2>>"$log" || status=1
	judge $status "a run that nobody disturbs"
	[ $status = 0 ] || exit 1
}

has_own_shm() {
	[ "${OWN_SHM:-}" ] || { echo "skipped: $1 wants root" && return 1; }
}

what() {
	by=$launch flags=--codegen=off
	case $1 in
	stopped) flags="$flags --stall-timeout=3" ;;
	full)
		has_own_shm full || return
		;;
	link)
		has_own_shm link || return
		sh "$hosts" can || { echo "skipped: no hosts can be made here" && return; }
		sh "$hosts" up 2 || exit 1
		HOSTS_LAYOUT=4+4
		export HOSTS_LAYOUT
		by="sh $hosts mpirun --mca oob_tcp_keepalive_time 2 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 2"
		flags="$flags --stall-timeout=3"
		;;
	esac
	measure
	try "$1" "$most"
}

[ $# != 0 ] || set -- killed stopped full link
for kind; do
	case $kind in
	killed | stopped | full | link) what "$kind" ;;
	*) echo "run_kills: $kind? killed, stopped, full or link is expected" >&2 && exit 2 ;;
	esac
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
