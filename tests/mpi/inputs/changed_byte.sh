# shellcheck shell=sh
# changed AT: print good.srp with the byte at AT changed
changed() {
	byte=$(od -An -tu1 -j "$1" -N 1 good.srp | tr -d ' ')
	head -c "$1" good.srp
	printf '%b' "\\0$(printf %o $(((byte + 1) % 256)))"
	tail -c +$(($1 + 2)) good.srp
}
