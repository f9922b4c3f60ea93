# Programs' files that are refused, each with one line: of another version, cut short at any byte, with any byte changed.
set -u
shardrun -q --run=false "$1" --program=good.srp || exit 1
bytes=$(wc -c <good.srp)
# refused FILE WORDS...: status 3 and one line
refused() {
	shardrun --run=false "$1" >said 2>&1
	status=$?
	shift
	if [ "$status" != 3 ] || [ "$(wc -l <said)" != 1 ] || ! grep -q "error: $*" said; then
		echo "expected: $*; status $status, and said:"
		cat said
		exit 1
	fi
}
# changed AT: good.srp with another byte there
changed() {
	byte=$(od -An -tu1 -j "$1" -N 1 good.srp | tr -d ' ')
	{
		head -c "$1" good.srp
		printf '%b' "\\0$(printf %o $(((byte + 1) % 256)))"
		tail -c +$(($1 + 2)) good.srp
	} >bad.srp
}
changed 8
refused bad.srp 'is a program that another version of shardrun compiled; compile its module again'
for n in 20 60 200 $((bytes / 2)) $((bytes - 1)); do
	head -c "$n" good.srp >short.srp
	refused short.srp 'is cut short'
done
for n in 28 100 $((bytes / 3)) $((bytes / 2)) $((bytes - 1)); do
	changed "$n"
	refused bad.srp 'is damaged'
done
{
	cat good.srp
	echo more
} >long.srp
refused long.srp 'is damaged'
