#!/bin/sh
# Run over several hosts, created by tests/hosts.sh. Not part of `make check`, since it needs root: make check-hosts
#   BUILD=DIR tests/run_hosts.sh [WHAT...]   bits bytes plan files steps ends; default: all but steps
#     bits    PROGRAMS that are compiled for one host give the same bits on two hosts, on three, and with ranks placed round-robin;
#             compiled for two hosts, they give results that are equal up to rounding; shardbench --levels
#     bytes   bytes that leave a host in one call of each collective, 8 ranks in two halves, as multiples of the call's size, beside MPI's
#     plan    bytes that leave all hosts in a step of STEPS, with automatic placement and in order: planned and sent
#     files   64 ranks on two hosts with few open files each, FILES (44)
#     steps   seconds of a step of STEPS on one host and over COUNT (2) hosts, with the defaults, with messages between all ranks, and with
#             MPI's own calls
#     ends    a link that is lost ends the run with a message that names the missing ranks, and no rank is left on either side; a rank that
#             never starts (a minute)
# PROGRAMS and STEPS are modules, or folders with model.mlir and in_0.npy, in_1.npy, ... (default: random values). RATE is a link's rate
# (1gbit). Exit status 77 (skipped) where hosts cannot be created; the last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/launcher.sh disable=SC1091,SC2154
. "$here/launcher.sh"
export HOSTS="${HOSTS:-shardrun-$$}" MPIRUN
hosts=$here/hosts.sh
if ! sh "$hosts" can; then
	echo "skipped: no hosts can be made here"
	exit 77
fi
scratch=$(mktemp -d)
log=$scratch/log
trap 'sh "$hosts" down; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/judge.sh disable=SC1091
. "$here/judge.sh"
programs=$here/mpi/programs
: "${PROGRAMS:=$here/../examples/transformer $here/../examples/mlp/model.mlir $programs/collective_ops.mlir $programs/halo.mlir
	$programs/groups_by_axes.mlir $programs/padded.mlir $programs/gathers_and_scatters.mlir $programs/sort_sharded.mlir}"
: "${STEPS:=$here/../examples/transformer}" "${RATE:=1gbit}" "${LIMIT:=300}" "${COUNT:=2}"

# Set `model` and `inputs` for an entry of PROGRAMS.
take() {
	model=$1 inputs='' k=0
	[ ! -d "$1" ] || model=$(cd "$1" && pwd)/model.mlir
	while [ -f "$(dirname "$model")/in_$k.npy" ]; do
		inputs="$inputs --input=@$(dirname "$model")/in_$k.npy" k=$((k + 1))
	done
	devices=$(shardrun --run=false --quiet --report=- "$model" | sed -n 's/^ *"devices": \([0-9]*\).*/\1/p')
	name=$(basename "$1" .mlir)
	[ "$name" != model ] || name=$(basename "$(dirname "$1")")
}

# Run shardrun on $1, "one" or a value of HOSTS_LAYOUT, with the other arguments; output goes to $scratch/log.
run_on() {
	on=$1
	shift
	if [ "$on" = one ]; then
		# shellcheck disable=SC2086
		timeout -k 5 "$LIMIT" $launch -np "${NP:-$devices}" "$@" >"$scratch/log" 2>&1 </dev/null
	else
		HOSTS_LAYOUT=$on timeout -k 5 "$LIMIT" sh "$hosts" mpirun -np "${NP:-$devices}" "$@" >"$scratch/log" 2>&1 </dev/null
	fi
}

# ---- bits ----

compare() {
	take "$1"
	# shellcheck disable=SC2086
	run_on one shardrun "$model" $inputs --quiet --program="$scratch/compiled"
	judge $? "$name on one host"
	outputs=$(sed -n 's/^result\[\([0-9]*\)\].*/\1/p' "$scratch/log")
	flags=$(for k in $outputs; do printf ' --output=@%s/%s.npy' "$scratch/dir" "$k"; done)
	a=$((devices / 2)) third=$(((devices + 2) / 3))
	for layout in one "$a+$((devices - a))" "$third+$third+$((devices - 2 * third))" cyclic; do
		case $layout in *+0) continue ;; esac
		rm -rf "$scratch/dir"
		mkdir "$scratch/dir"
		# shellcheck disable=SC2086
		run_on "$layout" shardrun "$scratch/compiled" $inputs $flags --quiet
		status=$?
		if [ "$layout" = one ]; then
			rm -rf "$scratch/one"
			cp -r "$scratch/dir" "$scratch/one"
			[ "$outputs" ] || status=1
		else
			for k in $outputs; do
				cmp "$scratch/one/$k.npy" "$scratch/dir/$k.npy" >>"$scratch/log" 2>&1 || status=1
			done
		fi
		judge $status "$name on $layout"
	done
	[ "$a" != 0 ] || return
	# shellcheck disable=SC2046,SC2086
	run_on "$a+$((devices - a))" shardrun "$model" $inputs $(for k in $outputs; do printf ' --expected-output=@%s/%s.npy' "$scratch/one" "$k"; done) --quiet
	judge $? "$name planned for two hosts"
}

bits() {
	sh "$hosts" up 3 || exit 1
	for program in $PROGRAMS; do
		compare "$program"
	done
	NP=8
	run_on 3+3+2 shardbench all_gather -b 2400 -e 2400 -n 2 --levels
	status=$?
	grep -q 'Level: across nodes, 6 of 8 ranks' "$scratch/log" && grep -q 'Out of bounds values : 0 OK' "$scratch/log" || status=1
	judge $status 'levels'
	unset NP
}

# ---- bytes ----

# Print the bytes that leave the busiest host in one call of shardbench's $1 of $2 bytes with the flags $3: the difference of 5 and 15 calls,
# each in place and out of place.
bytes_of() {
	all5=0 all15=0
	for calls in 5 15; do
		before=$(sh "$hosts" sent)
		# shellcheck disable=SC2086
		run_on 4+4 shardbench "$1" -b "$2" -e "$2" -w 0 -c 0 -n $calls $3 || return 1
		eval "all$calls=$(echo "$before $(sh "$hosts" sent)" | awk '{ a = $3 - $1; b = $4 - $2; print (a > b ? a : b) }')"
	done
	echo $(((all15 - all5) / 20))
}

bytes() {
	sh "$hosts" up 2 1000gbit || exit 1
	NP=8
	printf '%-16s %10s %12s %6s %12s %6s\n' collective bytes 'sent' 'times' "mpi sent" 'times'
	for coll in all_reduce all_gather reduce_scatter all_to_all permute broadcast; do
		for size in 1024 65536 4194304; do
			own=$(bytes_of $coll $size '') && mpi=$(bytes_of $coll $size --collectives=mpi)
			judge $? "bytes of $coll of $size"
			awk -v c=$coll -v s=$size -v a="$own" -v b="$mpi" \
				'BEGIN { printf "%-16s %10d %12d %6.2f %12d %6.2f\n", c, s, a, a / s, b, b / s }'
		done
	done
	unset NP
}

# ---- plan ----

sum_of_sent() {
	sh "$hosts" sent | awk '{ for (i = 1; i <= NF; i++) sum += $i } END { printf "%.0f\n", sum }'
}

# Print the bytes that leave all hosts in a step of `model` with the flags $1: the difference of runs of 2 and 6 steps.
sent_in_a_step() {
	for repeats in 2 6; do
		before=$(sum_of_sent)
		# shellcheck disable=SC2086
		run_on "$(parts)" shardrun "$model" $inputs --output= --num_repeats=$repeats $1 || return 1
		eval "sent$repeats=$(($(sum_of_sent) - before))"
	done
	# shellcheck disable=SC2154
	echo $(((sent6 - sent2) / 4))
}

plan() {
	sh "$hosts" up "$COUNT" 1000gbit || exit 1
	printf '%-24s %-20s %14s %14s\n' program placement planned sent
	for program in $STEPS; do
		take "$program"
		for flags in '' --placement=order; do
			sent=$(sent_in_a_step "$flags")
			judge $? "a step of $name over $COUNT hosts $flags"
			planned=$(sed -n 's/^ *placement: .*; \([0-9]*\) bytes between them a step.*/\1/p' "$scratch/log")
			placement=$(sed -n 's/^ *placement: \([^ ]*\) over.*/\1/p' "$scratch/log")
			printf '%-24s %-20s %14s %14s\n' "$name" "$placement" "$planned" "$sent"
			# more: headers, acknowledgements, and messages between steps
			awk -v p="$planned" -v s="$sent" 'BEGIN { exit !(s >= 0.98 * p && s <= 1.05 * p + 40000) }'
			judge $? "planned and sent bytes of $name, $placement"
		done
	done
}

# ---- files ----

files() {
	sh "$hosts" up 2 "$RATE" || exit 1
	NP=64
	for program in sums_of_64 add; do
		run_on 32+32 sh -c "ulimit -n ${FILES:-44}; exec shardrun $programs/$program.mlir --timeout=120"
		judge $? "$program on 64 ranks with ${FILES:-44} open files each"
	done
	unset NP
}

# ---- steps ----

step_of() {
	# shellcheck disable=SC2086
	run_on "$1" shardrun "$model" $inputs --output= --num_repeats="${REPEATS:-5}" --warmup=1 --report="$scratch/report" $2 || return 1
	sed -n '/"step_s"/,/}/s/ *"min": \([^,]*\).*/\1/p' "$scratch/report"
}

# Print the layout of $devices ranks on COUNT hosts: 4+4, 3+3+2.
parts() {
	for k in $(seq 0 $((COUNT - 1))); do
		echo $(((devices * (k + 1) + COUNT - 1) / COUNT - (devices * k + COUNT - 1) / COUNT))
	done | paste -sd+ -
}

steps() {
	sh "$hosts" up "$COUNT" "$RATE" || exit 1
	flat=all_reduce:hierarchical:@ordered#permute:hierarchical:@direct
	for coll in all_gather reduce_scatter all_to_all; do flat="$coll:hierarchical:@direct#$flat"; done
	printf '%-24s %10s %10s %10s %10s %10s   (seconds; links of %s)\n' program 'one host' 'mpi' "$COUNT hosts" 'flat' 'mpi' "$RATE"
	for program in $STEPS; do
		take "$program"
		row=$name
		for layout in one "$(parts)"; do
			for flags in '' --collectives="$flat" --collectives=mpi; do
				[ "$layout$flags" != "one--collectives=$flat" ] || continue
				seconds=$(step_of "$layout" "$flags")
				judge $? "steps of $name on $layout $flags"
				row="$row ${seconds:--}"
			done
		done
		# shellcheck disable=SC2086
		printf '%-24s %10.4g %10.4g %10.4g %10.4g %10.4g\n' $row
	done
}

# ---- ends ----

ranks_left() {
	for k in 0 1; do
		for pid in $(ip netns pids "$HOSTS-$k"); do
			cat "/proc/$pid/comm" 2>/dev/null
		done
	done | grep -c '^shardrun$'
}

# Repeat the command each second, at most LIMIT times, until it succeeds.
await() {
	for _ in $(seq "$LIMIT"); do
		if eval "$1"; then return 0; fi
		sleep 1
	done
	return 1
}

# mpirun itself may wait longer for its daemon beyond the link.
ends() {
	sh "$hosts" up 2 "$RATE" || exit 1
	HOSTS_LAYOUT=2+2 sh "$hosts" mpirun -np 4 shardrun "$programs/endless_sums.mlir" --stall-timeout=5 --progress=log --progress-interval=0.5 \
		>"$scratch/log" 2>&1 </dev/null &
	await "grep -q ' s: running' $scratch/log"
	judge $? "a run to be cut"
	sh "$hosts" link 1 down
	await "grep -q 'no progress for 5 s (--stall-timeout).*stablehlo.all_reduce at' $scratch/log"
	judge $? "the message about a lost link"
	grep -q 'ranks* [23].* did not arrive' "$scratch/log"
	judge $? "who is beyond a lost link"
	# shellcheck disable=SC2016
	await '[ "$(ranks_left)" = 0 ]'
	judge $? "ranks that outlive a lost link"
	sh "$hosts" down
	wait
	# shellcheck disable=SC2086
	timeout -k 5 150 $launch -np 4 sh "$here/mpi/inputs/rank_1_stopped.sh" shardrun "$programs/add.mlir" --stall-timeout=5 \
		>"$scratch/log" 2>&1 </dev/null
	[ $? = 124 ] && grep -q 'error: no progress (--stall-timeout): MPI does not start' "$scratch/log"
	judge $? "a rank that does not come"
}

[ $# != 0 ] || set -- bits bytes plan files ends
for what; do
	case $what in
	bits | bytes | plan | files | steps | ends) "$what" ;;
	*) echo "run_hosts: $what? bits, bytes, plan, files, steps or ends is expected" >&2 && exit 2 ;;
	esac
done
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
