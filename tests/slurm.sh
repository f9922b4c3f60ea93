#!/bin/sh
# A Slurm of one machine, for tests: munged, slurmctld and slurmd, run as root in a folder of their own, with nodes that claim more cores than there are.
# Needs munge, slurmctld, slurmd and slurm-client (Debian).
#   tests/slurm.sh up DIR [NODES]    start NODES nodes (2) of 128 cores each; source DIR/env before srun or sbatch
#   tests/slurm.sh down DIR          stop it
#   tests/slurm.sh can               exit 1, and print what is missing, if this does not work here
set -u

can() {
	for tool in munged slurmctld slurmd srun sbatch unshare; do
		PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null || { echo "no $tool here"; return 1; }
	done
	[ "$(id -u)" = 0 ] || { echo "a Slurm of one's own wants root"; return 1; }
}

down() {
	for daemon in "$1"/slurmctld.pid "$1"/slurmd-*.pid "$1"/munged.pid; do
		[ ! -f "$daemon" ] || kill "$(cat "$daemon")" 2>/dev/null
	done
}

write_conf() {
	cat >"$dir/slurm.conf" <<-END
		ClusterName=shardrun
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$port
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		AuthInfo=socket=$dir/munge.socket
		CredType=cred/munge
		StateSaveLocation=$dir/state
		SlurmdSpoolDir=$dir/spool-%n
		SlurmctldPidFile=$dir/slurmctld.pid
		SlurmdPidFile=$dir/slurmd-%n.pid
		SlurmctldLogFile=$dir/slurmctld.log
		SlurmdLogFile=$dir/slurmd-%n.log
		TmpFS=$dir/tmp-%n
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SwitchType=switch/none
		MpiDefault=${MPI_DEFAULT:-none}
		JobAcctGatherType=jobacct_gather/linux
		JobAcctGatherFrequency=1
		JobAcctGatherParams=OverMemoryKill
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core_Memory
		SlurmdParameters=config_overrides
		OverTimeLimit=0
		KillWait=2
		ReturnToService=2
	END
	for k in $(seq 0 $((nodes - 1))); do
		echo "NodeName=node$k NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1 + k)) CPUs=128 Boards=1 SocketsPerBoard=2" \
			"CoresPerSocket=64 ThreadsPerCore=1 RealMemory=$memory State=UNKNOWN"
	done >>"$dir/slurm.conf"
	echo "PartitionName=my_partition Nodes=ALL Default=YES MaxTime=60 State=UP" >>"$dir/slurm.conf"
}

# Start a node with a host name and a /dev/shm of its own, so that MPI takes its ranks for those of another machine.
begin_node() {
	# shellcheck disable=SC2016
	unshare --uts --mount sh -c 'hostname "$0" && mount -t tmpfs none /dev/shm && exec slurmd -N "$0"' "$1"
}

up() {
	dir=$1 nodes=${2:-2} port=${PORT:-16817} host=$(hostname -s)
	memory=$(awk '/MemTotal/ { print int($2 / 2048) }' /proc/meminfo)
	PATH=$PATH:/usr/sbin
	mkdir -p "$dir/state" && chmod 755 "$dir" "$dir/state" || return 1
	for k in $(seq 0 $((nodes - 1))); do mkdir -p "$dir/spool-node$k" "$dir/tmp-node$k"; done
	write_conf
	dd if=/dev/urandom of="$dir/munge.key" bs=1 count=1024 2>/dev/null && chmod 400 "$dir/munge.key"
	munged --force --socket="$dir/munge.socket" --key-file="$dir/munge.key" --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" \
		--seed-file="$dir/munge.seed" || return 1
	SLURM_CONF=$dir/slurm.conf
	export SLURM_CONF
	echo "SLURM_CONF=$SLURM_CONF; export SLURM_CONF" >"$dir/env"
	slurmctld || return 1
	for k in $(seq 0 $((nodes - 1))); do begin_node "node$k" || return 1; done
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ "$(sinfo -h -o '%T' 2>/dev/null | sort -u)" != idle ] || return 0
		sleep 1
	done
	sinfo
	return 1
}

case ${1:-} in
can) can ;;
up | down) "$@" ;;
*) sed -n '2,/^set/{s/^# \{0,1\}//p;}' "$0" >&2 && exit 2 ;;
esac
