# If root can hide /sys, check that four ranks of the program $1 print no more warnings about /sys than their launcher alone.
set -u
unshare --mount true 2>/dev/null || exit 0
# shellcheck disable=SC2016
bare() {
	unshare --mount sh -c 'mount -t tmpfs none /sys && exec $LAUNCH "$@"' sh "$@"
}
alone=$(bare -np 1 true 2>&1 | grep -c hwloc)
bare -np 4 shardrun -q --output= --output= "$1" >output 2>&1
status=$?
cat output
[ $status = 0 ] && [ "$(grep -c hwloc output)" -le "$alone" ]
