#!/bin/sh
# Run under a Slurm of one machine, started by tests/slurm.sh. Not part of `make check`, since it needs root and Slurm: make check-slurm
#   BUILD=DIR tests/run_slurm.sh [WHAT...]   scripts launches limits; default: all
#     scripts   each single-job script of scripts/slurm, edited for this machine, gives the result of one host bit by bit
#     launches  messages without --mpi, with an --mpi that does not connect the ranks, with too few tasks, and in a batch script without srun
#     limits    messages when the time or the memory of a job is exceeded
# Exit status 77 (skipped) without Slurm; the last line is "N passed, N failed".
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BUILD:=$(pwd)}"
BUILD=$(cd "$BUILD" && pwd)
slurm=$here/slurm.sh programs=$here/mpi/programs
if ! sh "$slurm" can; then
	echo "skipped: no Slurm can be made here"
	exit 77
fi
scratch=$(mktemp -d)
chmod 755 "$scratch"
trap 'sh "$slurm" down "$scratch/slurm"; sleep 1; rm -rf "$scratch" 2>/dev/null' EXIT
trap 'exit 130' INT TERM
export LC_ALL=C OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 HOME="$scratch" SHARDRUN_CACHE=off
PATH=$BUILD:$PATH
# shellcheck source=tests/judge.sh disable=SC1091
. "$here/judge.sh"
sh "$slurm" up "$scratch/slurm" 2 || exit 1
# shellcheck source=/dev/null
. "$scratch/slurm/env"
mkdir -p "$scratch/sr/bin"
ln -s "$BUILD/shardrun" "$scratch/sr/bin/shardrun"
echo 'module() { :; }' >"$scratch/bash_env"
log=$scratch/log

# Run a command; its status must be $1, its output must contain $2 once and have $3 lines of shardrun.
says() {
	status=$1 text=$2 name=$3
	shift 3
	timeout -k 5 180 "$@" >"$log" 2>&1 </dev/null
	[ $? = "$status" ] && [ "$(grep -c -e "$text" "$log")" = 1 ]
	judge $? "$name: status $status and once: $text"
}

scripts() {
	cd "$scratch" || exit 1
	cp "$programs/sum_of_rows.mlir" model.mlir
	cp "$here/mpi/inputs/arange_8x2_f32.npy" x.npy
	says 0 'mesh x=8' 'one host' shardrun -n 8 model.mlir --input=@x.npy --output=@one.npy
	for script in "$here"/../scripts/slurm/*node*.sbatch; do
		nodes=1
		case $script in *several*) nodes=2 ;; esac
		sed "/^#SBATCH --account/d; s/--nodes=[0-9]*/--nodes=$nodes/; s/--ntasks-per-node=[0-9]*/--ntasks-per-node=$((8 / nodes))/
			s/--cpus-per-task=[0-9]*/--cpus-per-task=2/; s/--bind-to core/--bind-to none/; s/:PE=\$SLURM_CPUS_PER_TASK//
			s/--mca pml ucx/--mca pml ob1 --mca btl tcp,vader,self/" "$script" >job.sbatch
		rm -f y.npy
		BASH_ENV=$scratch/bash_env timeout -k 5 180 sbatch --wait --output="$log" job.sbatch >/dev/null 2>&1 && cmp one.npy y.npy >>"$log" 2>&1
		judge $? "$(basename "$script")"
	done
}

launches() {
	cd "$programs" || exit 1
	says 2 'error: this process is alone, but the job has 4 tasks: srun --mpi=none does not connect' 'no --mpi' srun -N1 -n4 shardrun add.mlir
	case $(ompi_info --parsable 2>/dev/null) in
	*mca:pmix:s2* | '') ;;
	*) says 2 'error: srun --mpi=pmi2 does not connect' 'a wrong --mpi' srun --mpi=pmi2 -N2 -n4 shardrun add.mlir ;;
	esac
	# shellcheck disable=SC2016
	says 2 'needs 4 devices (mesh x=4), but 2 ranks were started; use `srun --mpi=pmix -n 4 shardrun ...`' 'too few tasks' \
		srun --mpi=pmix -N1 -n2 shardrun add.mlir
	says 0 'mesh x=4; 4 devices, 4 ranks' 'as it should be' srun --mpi=pmix -N2 -n4 shardrun add.mlir
	printf '#!/bin/sh\ncd %s && exec shardrun add.mlir\n' "$programs" >"$scratch/alone.sh"
	sbatch --wait -N1 -n4 --output="$log" "$scratch/alone.sh" >/dev/null 2>&1
	[ $? = 2 ] && grep -q 'the job has 4 tasks: neither srun nor mpirun started it' "$log"
	judge $? 'a batch script without srun'
}

limits() {
	cd "$programs" || exit 1
	says 143 'shardrun: ended by SIGTERM after [0-9]* s: running' 'time limit' srun --time=1 --mpi=pmix -N1 -n2 shardrun endless.mlir
	printf '#!/bin/sh\ncd %s && srun --mpi=pmix shardrun large.mlir --output=\n' "$programs" >"$scratch/large.sh"
	sbatch --wait -N1 -n2 --mem=60 --output="$log" "$scratch/large.sh" >/dev/null 2>&1
	[ $? = 5 ] && grep -q 'error: a device needs .* for each rank (2 here)' "$log"
	judge $? 'memory limit'
	says 5 'error: a device needs .* for each rank (2 here)' 'memory limit of srun alone' srun --mpi=pmix -N1 -n2 --mem=60 shardrun forty_megabytes.mlir
	says 5 'error: a device needs .* for each rank (2 here)' 'memory between plan and processes' srun --mpi=pmix -N1 -n2 --mem=100 shardrun \
		forty_megabytes.mlir
	says 0 'mesh x=2; 2 devices' 'memory for both' srun --mpi=pmix -N1 -n2 --mem=180 shardrun forty_megabytes.mlir --output= --output=
}

[ $# != 0 ] || set -- scripts launches limits
for what; do
	case $what in
	scripts | launches | limits) "$what" ;;
	*) echo "run_slurm: $what? scripts, launches or limits is expected" >&2 && exit 2 ;;
	esac
done
cd / || exit 1
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
