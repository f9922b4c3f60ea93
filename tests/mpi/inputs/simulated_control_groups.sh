# simulated_control_groups.sh JOB RANK0 RANK1 COMMAND...: run with ranks 0 and 1 in simulated control groups with these limits in bytes, inside one
# with the limit JOB
for i in 0 1; do
	mkdir -p "sys/fs/cgroup/job/$i" "rank$i/proc/self"
	echo "0::/job/$i" >"rank$i/proc/self/cgroup"
	ln -sfn ../sys "rank$i/sys"
done
echo "$1" >sys/fs/cgroup/job/memory.max
echo "$2" >sys/fs/cgroup/job/0/memory.max
echo "$3" >sys/fs/cgroup/job/1/memory.max
shift 3
exec $LAUNCH -np 2 sh -c 'SHARDRUN_SYSTEM_ROOT=$PWD/rank${OMPI_COMM_WORLD_RANK:-$PMI_RANK} exec "$@"' sh "$@"
