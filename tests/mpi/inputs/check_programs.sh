# Program files that are refused with one line each: of another version, truncated at any byte, with any byte changed.
set -u
shardrun -q --run=false "$1" --program=good.srp || exit 1
bytes=$(wc -c <good.srp)
# refused FILE WORDS...: expect status 3 and one line with the words
refused() {
	shardrun --run=false "$1" >output 2>&1
	status=$?
	shift
	if [ "$status" != 3 ] || [ "$(wc -l <output)" != 1 ] || ! grep -q "error: $*" output; then
		echo "expected: $*; status $status, and printed:"
		cat output
		exit 1
	fi
}
. "$(dirname "$0")/changed_byte.sh"
changed 8 >bad.srp
refused bad.srp 'is a program that another version of shardrun compiled; compile its module again'
for n in 20 60 200 $((bytes / 2)) $((bytes - 1)); do
	head -c "$n" good.srp >short.srp
	refused short.srp 'is truncated'
done
for n in 28 100 $((bytes / 3)) $((bytes / 2)) $((bytes - 1)); do
	changed "$n" >bad.srp
	refused bad.srp 'is damaged'
done
{
	cat good.srp
	echo more
} >long.srp
refused long.srp 'is damaged'
