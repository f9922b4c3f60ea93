# Run the program $1 on two ranks in a real control group, where one can be made: refused (5) with too little memory, never killed.
set -u
group=
for top in /sys/fs/cgroup/memory /sys/fs/cgroup; do
	for file in memory.limit_in_bytes memory.max; do
		folder=$top/shardrun-test-$$
		[ -z "$group" ] && mkdir "$folder" 2>/dev/null || continue
		if [ -w "$folder/$file" ] && echo 1000000000 2>/dev/null >"$folder/$file"; then
			group=$folder limit=$folder/$file
		else
			rmdir "$folder"
		fi
	done
done
if [ -z "$group" ]; then
	echo "no control group can be made here: as expected"
	exit 0
fi
trap 'rmdir "$group"' EXIT
device=$(shardrun --run=false "$1" 2>&1 | sed -n 's/.*planned \([0-9]*\) bytes.*/\1/p')
# runs LIMIT 'STATUS...': run the program with this memory limit in MB; its exit status must be in the list
runs() {
	echo $(($1 << 20)) >"$limit"
	# shellcheck disable=SC2016
	$LAUNCH -np 2 sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" shardrun "$program" --codegen=on --cache=off --output= --output= >output 2>&1
	status=$?
	case " $2 " in *" $status "*) ;; *)
		echo "in $1 MB: status $status, expected $2, for a device of $device bytes"
		cat output
		exit 1
		;;
	esac
}
program=$1
fits=$((2 * device / 1048576))
runs $((fits - 1)) 5
runs $((fits + 2)) 5
runs $((fits + 8)) 5
for more in 14 20 26 32 38 44 50; do
	runs $((fits + more)) '0 5'
done
runs $((fits + 80)) 0
echo as expected
