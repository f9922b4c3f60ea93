#!/bin/sh
# Several hosts on this machine: network namespaces with names and addresses of their own, joined by a switch over links of a given rate.
# Needs root, ip (iproute2), tc and unshare; Open MPI's mpirun enters a host's namespace.
#   tests/hosts.sh up [N [RATE]]     create N hosts (2), links of RATE (1gbit) each way; removes earlier ones
#   tests/hosts.sh mpirun [...]      Open MPI's mpirun on them, with its arguments (-np 8 shardrun model.mlir)
#                                      HOSTS_LAYOUT=4+4  ranks of each host, neighbours on one host
#                                      HOSTS_LAYOUT=cyclic  rank r on host r modulo N
#   tests/hosts.sh sent              print the bytes that each host has sent
#   tests/hosts.sh link K up|down    the link of host K, 0 to N-1
#   tests/hosts.sh can               exit 1, and print what is missing, if this does not work here
#   tests/hosts.sh down              kill their processes and remove the hosts
# HOSTS is a prefix of their names (shardrun); sets with different prefixes can exist together.
set -u
self=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
: "${HOSTS:=shardrun}"
: "${MPIRUN:=mpirun}"
net=$HOSTS-net

count() {
	ip netns list 2>/dev/null | grep -c "^$HOSTS-[0-9]"
}

down() {
	for ns in $(ip netns list 2>/dev/null | sed -n "s/^\($HOSTS-[0-9n][^ ]*\).*/\1/p"); do
		pids=$(ip netns pids "$ns" 2>/dev/null)
		# shellcheck disable=SC2086
		[ -z "$pids" ] || kill -9 $pids 2>/dev/null
		ip netns del "$ns"
	done
	for k in 0 1 2 3 4 5 6 7; do
		rm -rf "${TMPDIR:-/tmp}/ompi.$HOSTS-$k.$(id -u)"
	done
}

# Create the hosts. TCP acknowledges at once: delayed acknowledgements (40 ms) would dominate the times, since ranks sleep between messages.
up() {
	n=${1:-2} rate=${2:-1gbit}
	down
	ip netns add "$net" && ip -n "$net" link add switch type bridge && ip -n "$net" link set switch up || return 1
	for k in $(seq 0 $((n - 1))); do
		ns=$HOSTS-$k
		ip netns add "$ns" &&
			ip -n "$ns" link add eth0 type veth peer name "port$k" netns "$net" &&
			ip -n "$net" link set "port$k" master switch up &&
			ip -n "$ns" addr add "10.77.0.$((k + 1))/24" dev eth0 &&
			ip -n "$ns" link set lo up && ip -n "$ns" link set eth0 up &&
			ip -n "$ns" route change 10.77.0.0/24 dev eth0 src "10.77.0.$((k + 1))" quickack 1 &&
			ip netns exec "$ns" tc qdisc add dev eth0 root tbf rate "$rate" burst 256kb latency 100ms &&
			ip netns exec "$net" tc qdisc add dev "port$k" root tbf rate "$rate" burst 256kb latency 100ms || return 1
	done
}

can() {
	for tool in ip tc unshare hostname; do
		command -v "$tool" >/dev/null || { echo "no $tool here"; return 1; }
	done
	case $("$MPIRUN" --version 2>/dev/null) in
	*"Open MPI"*) ;;
	*) echo "$MPIRUN is not Open MPI's" && return 1 ;;
	esac
	output=$(HOSTS=$HOSTS-try "$self" up 1 2>&1)
	status=$?
	HOSTS=$HOSTS-try "$self" down 2>/dev/null
	[ $status = 0 ] || echo "no network namespaces for this user: $(printf '%s' "$output" | tail -n 1)"
	return $status
}

# Run a command on host $1, with that host's name as hostname.
on_host() {
	ns=$HOSTS-$1
	shift
	# shellcheck disable=SC2016
	exec ip netns exec "$ns" unshare --uts sh -c 'hostname "$0"; exec "$@"' "$ns" "$@"
}

# Start Open MPI's daemon on a host. Open MPI passes the host's address and a shell command.
agent() {
	k=$((${1##*.} - 1))
	shift
	on_host "$k" sh -c "$*"
}

# Run Open MPI's mpirun on the hosts. They share this machine's cores, and Open MPI counts all cores for each host.
launch() {
	n=$(count) list='' k=0 by=
	: "${HOSTS_LAYOUT:=cyclic}"
	case $HOSTS_LAYOUT in
	cyclic) by='--map-by node' ;;
	*)
		for slots in $(echo "$HOSTS_LAYOUT" | tr + ' '); do
			list="$list${list:+,}10.77.0.$((k + 1)):$slots" k=$((k + 1))
		done
		;;
	esac
	if [ $k -gt "$n" ] || [ "$n" = 0 ]; then
		echo "hosts.sh: HOSTS_LAYOUT=$HOSTS_LAYOUT, but $n hosts are up" >&2
		return 2
	fi
	[ "$list" ] || list=$(seq 1 "$n" | sed 's/.*/10.77.0.&:64/' | paste -sd, -)
	export HOSTS OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	# shellcheck disable=SC2086
	on_host 0 "$MPIRUN" --host "$list" $by --bind-to none --mca mpi_yield_when_idle 1 --mca plm rsh --mca plm_rsh_agent "$self agent" --mca plm_rsh_no_tree_spawn 1 \
		--mca oob_tcp_if_include 10.77.0.0/24 --mca btl_tcp_if_include 10.77.0.0/24 --mca pml ob1 --mca btl tcp,vader,self "$@"
}

sent() {
	for k in $(seq 0 $(($(count) - 1))); do
		ip netns exec "$HOSTS-$k" cat /sys/class/net/eth0/statistics/tx_bytes
	done | paste -sd' ' -
}

case ${1:-} in
up) shift && up "$@" ;;
mpirun)
	shift
	if [ "${1:-}" = --version ]; then exec "$MPIRUN" --version; fi
	launch "$@"
	;;
agent) shift && agent "$@" ;; # for Open MPI: what it starts its helpers with
sent | can | down) "$1" ;;
link) ip -n "$HOSTS-$2" link set eth0 "$3" ;;
*) sed -n '2,/^set/{s/^# \{0,1\}//p;}' "$0" >&2 && exit 2 ;;
esac
