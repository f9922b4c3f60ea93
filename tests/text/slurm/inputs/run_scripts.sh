#!/bin/bash
# Run a Slurm script without Slurm: launchers and modules are commands that print their arguments. $1: an empty folder.
set -eu
scripts=$(cd ../../../scripts/slurm && pwd)
cd "$1"
mkdir -p sr/bin
for name in srun mpirun module shardrun; do
	printf '#!/bin/sh\necho "%s $*"\n' "$name" >"sr/bin/$name"
	chmod +x "sr/bin/$name"
done
export HOME=$1 SLURM_SUBMIT_DIR=/data SLURM_JOB_ID=7 SLURM_JOB_NUM_NODES=2 SLURM_NTASKS_PER_NODE=4 SLURM_CPUS_PER_TASK=3
PATH=$1/sr/bin:$PATH
for script in "$scripts"/*.sbatch; do
	echo "== $(basename "$script")"
	bash -n "$script"
	grep -c '^#SBATCH ' "$script"
	bash "$script"
done
